"""A predicate that seems to be another one under a second name, so that the vocabulary forks.

Told of the less used one, and names the one to keep: separators or case (`invested-in`), inflection (`invests_in`),
one letter inside a word (`invsted_in`), or another word on the same subjects and objects (`backs`). Rename it in
every file. When the two do mean different things, document both in AGENTS.md: documented predicates are told only
when nothing but separators and case differ.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

from pipeline.lint.bundle import LintBundle, Remark
from pipeline.lint.inflection import letters, misspellings, stems
from pipeline.lint.predicates import first_uses

ID = "predicate-drift"
LEVEL = "warning"

_CROWD = 7
"""Most predicates between one subject and one object that still say something about each other."""


def check(bundle: LintBundle) -> Iterator[Remark]:
    uses = first_uses(bundle.db)
    documented = bundle.vocabulary.inverses
    names = sorted(uses, key=lambda name: (-uses[name].count, name not in documented, name))
    opposed = cache(lambda: _opposed(bundle))  # dear, and asked for only when two names are alike

    def is_deliberate(one: str, other: str) -> bool:
        return one in documented and other in documented or tuple(sorted((one, other))) in opposed()

    drifts = [(*pair, "differs only in separators or case from") for pair in _meeting(names, letters)]
    for pairs, reason in ((_meeting(names, stems), "is another form of"),
                          (_meeting(names, misspellings), "is one letter away from"),
                          (_synonyms(bundle, names), "joins the same subjects and objects as")):
        drifts += [(*pair, reason) for pair in pairs if not is_deliberate(*pair)]
    said: set[str] = set()
    for kept, drifting, reason in drifts:
        if drifting not in said:
            said.add(drifting)
            yield Remark(uses[drifting].path, f"{drifting} {reason} {kept}; keep {kept}", "relations", uses[drifting].line)


def _meeting(names: list[str], keys: Callable[[str], list]) -> Iterator[tuple[str, str]]:
    """Each name with the most used one that shares a key with it; `names` come most used first."""
    first: dict[object, str] = {}
    for name in names:
        for key in keys(name):
            if first.setdefault(key, name) != name:
                yield first[key], name


def _opposed(bundle: LintBundle) -> set[tuple[str, str]]:
    """Pairs of predicates of which one answers the other in the opposite direction: no two names for one thing."""
    return set(bundle.db.execute("""
        with answer as materialized (select distinct subject_path, object_path, predicate from edges where object_path is not null)
        select distinct one.predicate, other.predicate from answer one
        join answer other on other.subject_path = one.object_path and other.object_path = one.subject_path
        where one.predicate < other.predicate"""))


def _synonyms(bundle: LintBundle, names: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs, most used first, that stand between enough of the same subjects and objects, at dates that do not differ."""
    settings = bundle.settings.predicate_drift
    shared: Counter[tuple[str, str]] = Counter()
    for together, in bundle.db.execute("""
            select json_group_array(json_array(predicate, date)) from edges group by subject_path, object_path, object_literal
            having count(distinct predicate) between 2 and ?""", (_CROWD,)):
        dates = defaultdict(set)
        for predicate, date in json.loads(together):
            dates[predicate].update([date] if date else [])
        shared.update((one, other) for one, other in combinations(sorted(dates), 2)
                      if not dates[one] or not dates[other] or dates[one] & dates[other])
    ends = dict(bundle.db.execute("""
        select predicate, count(*) from (select distinct predicate, subject_path, object_path, object_literal from edges) group by 1"""))
    rank = {name: place for place, name in enumerate(names)}
    pairs = (sorted(pair, key=rank.__getitem__) for pair, count in shared.items()
             if count >= settings.shared and count >= settings.overlap * min(ends[name] for name in pair))
    yield from sorted(map(tuple, pairs), key=lambda pair: (rank[pair[0]], rank[pair[1]]))
