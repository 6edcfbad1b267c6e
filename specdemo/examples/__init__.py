"""Precomputed example traces: the teachable moments of the Step page, found by search over seeds and kept in assets/examples.

`python -m specdemo.examples` finds and writes them again, then the screenshots; see `kinds.py` for what each one shows.
"""
