"""The page cache: of every file the concept that it describes, with all that later stages make rows of.

A file is understood once, when it is read. A file that cannot be read or understood any more keeps its last good page.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import orjson

from pipeline.json_text import json_text
from pipeline.model import Concept, Finding, Page
from pipeline.paths import link_target
from pipeline.pieces import Piece, pieces
from retrieval.files import is_concept_path
from retrieval.names import fold

_KEEP = """
replace into pages(_path, type, title, description, tags, aliases, sources, relations, generated, verified, trust_tier, status,
  stale_after, superseded_by, superseded_at, supersedes, extra, content_hash, names, edges, links, pieces, lines, body)
values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
"""


def keep_page(cache: apsw.Connection, page: Page, concept: Concept | None, findings: tuple[Finding, ...]) -> None:
    """Keep what was read from one file."""
    if concept is None:
        keep_without(cache, page.path, findings)
        return
    _tell(cache, page.path, findings)
    cache.execute(_KEEP, (
        concept.path, concept.type, concept.title, concept.description, json_text(concept.tags), json_text(concept.aliases),
        json_text(concept.sources), json_text([relation.to_dict() for relation in concept.relations]),
        json_text(concept.generated) if concept.generated else None, json_text(concept.verified), concept.trust_tier, concept.status,
        concept.stale_after, concept.superseded_by, concept.superseded_at, json_text(concept.supersedes), json_text(concept.extra),
        concept.content_hash, json_text(_names(concept)), json_text([*map(tuple, concept.relations)]), json_text([*_links(page)]),
        json_text([*_pieces(concept.body)]), json_text(page.lines), concept.body))


def keep_without(cache: apsw.Connection, path: str, findings: tuple[Finding, ...]) -> None:
    """Keep that a file holds no concept; when by a fault, the one that it held before stays, marked in `parse_error`."""
    _tell(cache, path, findings)
    if reasons := [finding.message for finding in findings if finding.level == "error"]:
        cache.execute("update pages set parse_error = ? where _path = ?", (reasons[0], path))
    else:
        cache.execute("delete from pages where _path = ?", (path,))


def forget_pages(cache: apsw.Connection, paths: list[str]) -> None:
    """Forget files that are gone."""
    for statement in ("delete from pages where _path = ?", "delete from findings where path = ?"):
        cache.executemany(statement, [(path,) for path in paths])


def rows_of_pages(db: apsw.Connection, table: str, chosen: str) -> Iterator[tuple]:
    """The rows of `names`, `edges`, `links` or `pieces` that the pages make whose paths stand in the table `chosen`; the path first."""
    for path, rows in db.execute(f"select path, {table} from {chosen} cross join pages on _path = path order by path"):
        for row in orjson.loads(rows):
            yield path, *row


def _tell(cache: apsw.Connection, path: str, findings: tuple[Finding, ...]) -> None:
    cache.execute("delete from findings where path = ?", (path,))
    cache.executemany("insert into findings(path, finding) values (?, ?)",
                      [(path, json_text(finding.to_dict())) for finding in findings])


def _names(concept: Concept) -> list[tuple[str, str]]:
    """The names it goes by, folded, each with its kind."""
    kinds = {fold(alias): "alias" for alias in concept.aliases} | {fold(concept.title): "title"}
    return [(name, kind) for name, kind in kinds.items() if name]


def _links(page: Page) -> Iterator[tuple[str | None, str, str, str, int]]:
    """The prose links that may lead to a concept, with the path each leads to; those to views and logs are none."""
    for target, text, sentence, line in page.links:
        path = None if target.startswith("[[") else link_target(target, page.path)
        if path is None or is_concept_path(path):
            yield path, text, target, sentence, line


def _pieces(body: str) -> Iterator[tuple[int, str, int, int]]:
    """What is embedded one by one; a blank body is a piece too, since its title is embedded."""
    for number, cut in enumerate(pieces(body) or [Piece("", 0, 0)]):
        yield number, *cut
