"""The tools an agent writes with: each plans all its edits first, then carries out all of them or none."""
