"""Measures what each factor of the ranking and each signal of the gate brings on labelled bundles."""
