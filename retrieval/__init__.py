"""Answers questions from a compiled wiki.db; read-only, deterministic, without network or LLM."""
