"""The checks: one file each, its docstring the documentation."""
