"""What a caller of this project may have to handle: one base, each child says what to do next."""


class WikiError(Exception):
    """Base of all errors meant for a person; its text is one sentence with the remedy in it."""


class WikiNotBuilt(WikiError):
    """There is no readable wiki.db in the bundle."""


class WikiBusy(WikiError):
    """Another program holds wiki.db locked; the build never does."""


class WikiDamaged(WikiError):
    """wiki.db is not as it was written: its disk, a broken copy, or another program."""


class WikiMismatch(WikiError):
    """wiki.db was built by another schema version, or with another embedder than the one at hand."""


class EmbedderError(WikiError):
    """The embedding backend cannot be used: not installed, not reachable, or its answer is unusable."""


class SettingsError(WikiError):
    """wiki.yaml, or an override on the command line, holds a value that cannot be used."""
