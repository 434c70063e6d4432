"""An embedder whose vectors a person can predict, for every test that needs vectors but not a model.

A vector counts words: each word has one of 32 axes (`axis`), and the counts are brought to length one. Texts with
the same words have the same vector; texts without a word in common are at right angles, unless two words share an axis.

    in the same process    embedder = StubEmbedder(), handed to whatever takes an embedder
    for `doit` in another  with OllamaServer() as server: wiki.yaml says {embedding: {backend: ollama, url: server.url}};
                           tests/ollama_server.py answers with the same vectors
"""

from __future__ import annotations

import hashlib
import math
import re
import struct

from retrieval.errors import EmbedderError

DIMENSION = 32


def axis(word: str) -> int:
    """The place in a vector where a word is counted."""
    return hashlib.sha256(word.casefold().encode()).digest()[0] % DIMENSION


def numbers(text: str) -> list[float]:
    """The vector of a text; one without words points along the first axis."""
    counts = [0] * DIMENSION
    for word in re.findall(r"\w+", text):
        counts[axis(word)] += 1
    if not any(counts):
        counts[0] = 1
    length = math.hypot(*counts)
    return [count / length for count in counts]


def vector(text: str) -> bytes:
    return struct.pack(f"<{DIMENSION}f", *numbers(text))


class StubEmbedder:
    """Remembers what it was asked, and fails where it is told to."""

    name = "local"
    model = "stub"
    dimension = DIMENSION

    def __init__(self, fingerprint: str = "stub", batch: int = 4, fail_after: int | None = None) -> None:
        self.fingerprint = fingerprint
        self.batch = batch
        self.asked: list[str] = []
        self._fail_after = fail_after

    def comparable(self, fingerprint: str) -> bool:
        return fingerprint == self.fingerprint

    def passages(self, texts: list[str]) -> list[bytes]:
        if self._fail_after is not None and len(self.asked) >= self._fail_after:
            raise EmbedderError("the stub fails here: run again.")
        self.asked += texts
        return [vector(text) for text in texts]

    def query(self, text: str) -> bytes:
        return vector(text)
