"""Lists the concepts that can be made anew from the material under `references/` (seed §7.6); changes nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import apsw

from pipeline.history import EDITED, UNKNOWN, edits_since_generation
from pipeline.provenance import cited_references


@dataclass(frozen=True, slots=True)
class Candidate:
    """A concept that was made from a mirrored source."""

    path: str
    """Concept path."""
    title: str
    references: tuple[str, ...]
    """Files under references/ that it cites, from the bundle's root."""
    status: str
    human: tuple[str, ...]
    """Who of flesh and blood wrote or verified it: `human:reviewer`."""
    edits: str
    """edited | unedited since `generated.at`, as far as git knows; unknown without it."""

    @property
    def needs_yes(self) -> bool:
        """Whether a person has put work into it that making it anew would lose, or may have."""
        return bool(self.human) or self.edits != "unedited"


@dataclass(frozen=True, slots=True)
class Candidates:
    """All concepts in scope, and what else the decision needs."""

    concepts: tuple[Candidate, ...]
    """In order of concept path."""
    missing: tuple[str, ...]
    """Cited references that are not there: nothing can be made anew from them."""
    out_of_scope: int
    """How many concepts cite no reference; this operation never touches them."""

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, by reference."""
        return {
            "references": [
                {"reference": reference, "exists": reference not in self.missing,
                 "concepts": [{**asdict(one), "needs_yes": one.needs_yes} for one in concepts]}
                for reference, concepts in self.by_reference().items()],
            "out_of_scope": self.out_of_scope,
        }

    def by_reference(self) -> dict[str, list[Candidate]]:
        """The concepts of each reference; one that cites several stands under each."""
        found: dict[str, list[Candidate]] = {}
        for one in self.concepts:
            for reference in one.references:
                found.setdefault(reference, []).append(one)
        return dict(sorted(found.items()))


def rebuild_candidates(db: apsw.Connection, bundle: Path) -> Candidates:
    """The concepts whose `sources` cite a file under references/, from the build database or wiki.db."""
    cited: dict[str, list[str]] = {}
    for reference, path in cited_references(db):
        cited.setdefault(path, []).append(reference)
    rows = {path: row for path in cited for _, *row in db.execute(
        "select _path, title, status, generated, verified from concepts where _path = ?", (path,))}
    generated = {path: json.loads(row[2] or "{}") for path, row in rows.items()}
    edits = edits_since_generation(bundle, {path.lstrip("/"): generated[path].get("at") for path in rows})
    concepts = []
    for path, (title, status, _, verified) in rows.items():
        actors = [generated[path].get("by"), *(entry["by"] for entry in json.loads(verified))]
        human = tuple(dict.fromkeys(actor for actor in actors if str(actor).startswith("human:")))
        concepts.append(Candidate(path, title, tuple(sorted(cited[path])), status, human, edits[path.lstrip("/")]))
    missing = {reference for found in cited.values() for reference in found if not (bundle / reference.lstrip("/")).exists()}
    total = db.execute("select count(*) from concepts").get
    return Candidates(tuple(concepts), tuple(sorted(missing)), total - len(concepts))


def as_text(candidates: Candidates) -> str:
    """For a person: by reference, with a mark on each concept that needs their yes."""
    lines = []
    for reference, concepts in candidates.by_reference().items():
        lines.append(reference + (" (the file is missing)" if reference in candidates.missing else ""))
        lines += [f"  {'!' if one.needs_yes else ' '} {one.path}{_why(one)}" for one in concepts] + [""]
    asking = sum(one.needs_yes for one in candidates.concepts)
    lines.append(f"In scope: {len(candidates.concepts)} of {len(candidates.concepts) + candidates.out_of_scope} concepts; "
                 "the others cite no reference and are never part of a rebuild.")
    lines.append(f"Marked !, and replaced only with a person's yes: {asking}.")
    return "\n".join(lines) + "\n"


def as_json(candidates: Candidates) -> str:
    return json.dumps(candidates.to_dict(), ensure_ascii=False, indent=1) + "\n"


def _why(one: Candidate) -> str:
    reasons = [", ".join(one.human)] if one.human else []
    reasons += {EDITED: ["edited since it was generated"], UNKNOWN: ["git cannot tell whether it was edited"]}.get(one.edits, [])
    reasons += [one.status] if one.status == "superseded" else []
    return f" ({'; '.join(reasons)})" if reasons else ""
