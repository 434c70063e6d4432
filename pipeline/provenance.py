"""Which concepts cite which files under `references/` (seed §4.2): the sign that a concept came from an ingest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import unquote

import apsw

from pipeline.paths import OutsideBundle, link_target, normalize

REFERENCES = "/references/"
"""Where a bundle mirrors its sources."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def reference_path(resource: object, page: str) -> str | None:
    """The file under references/ that a `resource` names, from the bundle's root; None when it names none.

    Authors write it from the root, with or without a slash, or relative to the page (OKF §6.2).
    """
    if not isinstance(resource, str) or _URL.match(resource):
        return None
    resource = resource.strip()
    try:
        from_root = normalize(unquote(resource))
    except OutsideBundle:
        from_root = ""
    if from_root.startswith(REFERENCES):
        return from_root
    relative = None if resource.startswith("/") else link_target(resource, page)
    return relative if relative and relative.startswith(REFERENCES) else None


def cited_references(db: apsw.Connection) -> Iterator[tuple[str, str]]:
    """Pairs of a reference and a concept whose `sources` cite it, in order of concept path."""
    for path, sources in db.execute("select _path, sources from concepts where sources <> '[]' order by _path"):
        found = (reference_path(source.get("resource"), path) for source in json.loads(sources))
        for reference in dict.fromkeys(found):
            if reference:
                yield reference, path


def named_references(db: apsw.Connection) -> set[str]:
    """All that concepts cite or use: sources, their own `resource`, and what runs and checks a computation (OKF §10)."""
    named = {reference for reference, _ in cited_references(db)}
    for path, extra in db.execute("select _path, extra from concepts where extra <> '{}'"):
        keys = json.loads(extra)
        resources = [keys.get("resource"), keys.get("computation")]
        resources += [keys[key].get("resource") for key in ("executor", "attester") if isinstance(keys.get(key), dict)]
        named.update(found for found in (reference_path(resource, path) for resource in resources) if found)
    return named
