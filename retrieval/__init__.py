"""Answers questions from a compiled wiki.db; read-only, deterministic, without network or LLM.

    from retrieval import Wiki, context_for

    context = context_for("Who was Secretary of State before Antony Blinken?", bundle="bundle")
    print(context)
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from retrieval.context import Context
    from retrieval.wiki import Wiki

__all__ = ["Context", "Wiki", "context_for"]


def context_for(question: str, bundle: str | PathLike[str] = "bundle", **options: Any) -> Context:
    """One answer from a bundle; `options` are those of `Wiki.context_for`. For several questions keep a `Wiki`."""
    from retrieval.wiki import Wiki
    return Wiki(bundle).context_for(question, **options)


def __getattr__(name: str) -> Any:
    """Loads the rest when it is asked for: the build, which imports from this package too, needs none of it."""
    if name == "Wiki":
        from retrieval.wiki import Wiki
        return Wiki
    if name == "Context":
        from retrieval.context import Context
        return Context
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
