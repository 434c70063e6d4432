"""The backends that turn text into vectors, behind one protocol."""
