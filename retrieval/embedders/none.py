"""No vectors: titles and words alone answer."""

from __future__ import annotations

from retrieval.errors import EmbedderError


class NoEmbedder:
    """Stands where an embedder is expected and says that there is none."""

    name = "none"
    model = ""
    dimension = 0
    batch = 1
    fingerprint = ""

    def comparable(self, fingerprint: str) -> bool:
        return fingerprint == ""

    def passages(self, texts: list[str]) -> list[bytes]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> bytes:
        raise EmbedderError("this bundle has no vectors (embedding.backend is none): only titles and words are searched.")
