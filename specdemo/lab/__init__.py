"""Measurements: our loop against plain and assisted generation, against its own bare forward passes, and rule against rule."""
