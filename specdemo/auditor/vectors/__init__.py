"""Conformance vectors: drafted blocks with what every rule must make of them, in exact fractions, for any language.

`generate` makes them, `files` writes them, `load` reads them, `check` runs a subject over them, `table` says which of them kill
which mistake. What they mean and how to read them elsewhere: tests/data/vectors/README.md.
"""
