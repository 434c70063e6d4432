"""Vectors from a model served by Ollama, through its /api/embed."""

from __future__ import annotations

import hashlib
import math
import struct
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

from retrieval.embedders.server import Server, part, shown
from retrieval.embedders.settings import EmbeddingSettings
from retrieval.embedders.text import passage_text, question_text
from retrieval.errors import EmbedderError

_NOMIC = ("search_document: ", "search_query: ")
_MOST_NUMBERS = 8192
"""Numbers in a vector that sqlite-vec can hold."""
_SHORT = 16
"""Characters; a text of so few that is still too long for the model is not the text's fault."""


class OllamaEmbedder:
    """A model behind HTTP; nothing is asked of the server before a vector, the dimension or the fingerprint is."""

    name = "ollama"

    def __init__(self, settings: EmbeddingSettings, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises SettingsError for an unusable URL."""
        self.model = settings.model
        self.batch = settings.batch
        self._server = Server(settings.url, settings.timeout, settings.retries, sleep)
        self._who = f"{self.model!r} of Ollama at {self._server.url}"
        usual = _NOMIC if "nomic-embed" in self.model else ("", "")
        self._document = usual[0] if settings.document_prefix is None else settings.document_prefix
        self._query = usual[1] if settings.query_prefix is None else settings.query_prefix

    @cached_property
    def dimension(self) -> int:
        """Learned from a vector, since only the model knows."""
        return len(self.query("dimension")) // 4

    @cached_property
    def fingerprint(self) -> str:
        """Of the weights, by the digest that Ollama keeps of them, and of the prefixes: one request, no embedding."""
        known_by = "\0".join((self.model, self._digest(), self._document, self._query))
        return hashlib.sha256(known_by.encode("utf-8", "replace")).hexdigest()

    def comparable(self, fingerprint: str) -> bool:
        return fingerprint == self.fingerprint

    def passages(self, texts: list[str]) -> list[bytes]:
        texts = [passage_text(text) for text in texts]
        return [vector for start in range(0, len(texts), self.batch)
                for vector in self._embed(self._document, texts[start:start + self.batch])]

    def query(self, text: str) -> bytes:
        return self._embed(self._query, [question_text(text)])[0]

    def _embed(self, prefix: str, texts: list[str]) -> list[bytes]:
        """One request. `truncate` is off: a text too long for the model must be heard of, not cut."""
        status, body = self._server.ask("/api/embed", {
            "model": self.model, "input": [prefix + text for text in texts], "truncate": False})
        if status == 400 and "context length" in _error(body):
            return [self._in_halves(prefix, text) if len(texts) == 1 else self._embed(prefix, [text])[0] for text in texts]
        if status != 200:
            raise EmbedderError(self._refusal(status, body))
        rows = part(body, "embeddings")
        if not isinstance(rows, list):
            raise EmbedderError(f"{self._who} gave an answer that holds no vectors ({shown(body)}): "
                                "check that embedding.url in wiki.yaml is that of Ollama, and update it.")
        if len(rows) != len(texts):
            raise EmbedderError(f"{self._who} returned {len(rows)} vectors for {len(texts)} texts: update Ollama, "
                                "or set embedding.batch to 1 in wiki.yaml.")
        return [self._vector(row) for row in rows]

    def _in_halves(self, prefix: str, text: str) -> bytes:
        """What the model cannot take at once is the mean of its halves, so that no part of it goes unheard."""
        if len(text) <= _SHORT:
            raise EmbedderError(f"{self._who} has no room for even {len(text)} characters beside the prefix {prefix!r}: "
                                "shorten the prefix, or choose another embedding.model in wiki.yaml.")
        middle = text.rfind(" ", 1, len(text) // 2) + 1 or len(text) // 2
        halves = [struct.unpack(f"<{len(vector) // 4}f", vector) for vector in (
            self._embed(prefix, [text[:middle]])[0], self._embed(prefix, [text[middle:]])[0])]
        return self._vector([middle * a + (len(text) - middle) * b for a, b in zip(*halves)])

    def _vector(self, row: Any) -> bytes:
        """A row of numbers as a vector of length one; the first of this process sets the dimension."""
        if not isinstance(row, list) or not row or not all(type(number) in (int, float) for number in row):
            raise EmbedderError(f"{self._who} returned something else than a list of numbers for a vector: "
                                "check that embedding.model in wiki.yaml is an embedding model.")
        if len(row) > _MOST_NUMBERS:
            raise EmbedderError(f"{self._who} returns vectors of {len(row)} numbers, more than the {_MOST_NUMBERS} "
                                "that can be stored: choose another embedding.model in wiki.yaml.")
        if self.__dict__.setdefault("dimension", len(row)) != len(row):
            raise EmbedderError(f"{self._who} returned vectors of {self.dimension} and of {len(row)} numbers: "
                                f"run `ollama pull {self.model}`, then run again.")
        try:
            length = math.hypot(*row)
        except OverflowError:
            length = math.inf
        if not 0 < length < math.inf:
            what = "zeros alone" if length == 0 else "numbers that are not finite"
            raise EmbedderError(f"{self._who} returned a vector of {what}: "
                                f"run `ollama pull {self.model}`, or choose another embedding.model in wiki.yaml.")
        return struct.pack(f"<{len(row)}f", *(number / length for number in row))

    def _digest(self) -> str:
        """Of the model's weights; empty when the server speaks only /api/embed."""
        status, body = self._server.ask("/api/tags")
        models = part(body, "models") if status == 200 else None
        if not isinstance(models, list):
            return ""
        wanted = self.model if ":" in self.model.rpartition("/")[2] else f"{self.model}:latest"
        for entry in models:
            if isinstance(entry, dict) and wanted in (entry.get("name"), entry.get("model")):
                return str(entry.get("digest", ""))
        raise EmbedderError(self._not_pulled())

    def _refusal(self, status: int, body: bytes) -> str:
        if status == 404 and "model" in _error(body):
            return self._not_pulled()
        return (f"{self._who} answered HTTP {status} ({shown(_error(body) or body)}): "
                "check embedding.url and embedding.model in wiki.yaml.")

    def _not_pulled(self) -> str:
        return f"Ollama at {self._server.url} does not have the model {self.model!r}: run `ollama pull {self.model}`."


def _error(body: bytes) -> str:
    said = part(body, "error")
    return said if isinstance(said, str) else ""
