"""The backends that turn text into vectors, behind one protocol."""

from __future__ import annotations

from typing import Protocol

from retrieval.embedders.settings import EmbeddingSettings
from retrieval.errors import SettingsError

__all__ = ["Embedder", "EmbeddingSettings", "open_embedder"]


class Embedder(Protocol):
    """Turns text into vectors: little-endian float32, of length one, so that L2 distance ranks like cosine.

    Every method may raise EmbedderError. No text makes one raise anything else.
    """

    name: str
    """local | ollama | none."""
    model: str
    """The model's name; empty for none."""
    dimension: int
    """Numbers in a vector; 0 for none."""
    batch: int
    """How many passages are worth handing over at once."""
    fingerprint: str
    """Equal for two embedders only when their vectors may stand in one table."""

    def comparable(self, fingerprint: str) -> bool:
        """Whether a question embedded here may be compared with the vectors of a wiki that bears `fingerprint`."""

    def passages(self, texts: list[str]) -> list[bytes]:
        """One vector per passage, in order; the same text gives the same bytes in any company.

        A text longer than the model's window is embedded in parts and averaged, never cut.
        """

    def query(self, text: str) -> bytes:
        """The vector of a question; of a very long one, that of its beginning."""


def open_embedder(name: str, settings: EmbeddingSettings) -> Embedder:
    """The embedder of that name. Opening costs nothing: engine or network wait until a vector is asked for.

    Raises SettingsError for an unknown name or an unusable URL.
    """
    if name == "local":
        from retrieval.embedders.local import LocalEmbedder
        return LocalEmbedder()
    if name == "ollama":
        from retrieval.embedders.ollama import OllamaEmbedder
        return OllamaEmbedder(settings)
    if name == "none":
        from retrieval.embedders.none import NoEmbedder
        return NoEmbedder()
    raise SettingsError(f"embedding.backend: {name!r} is not known; use local, ollama or none.")
