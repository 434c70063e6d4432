"""Every number that a wiki may set of how it answers: its name, its meaning, its range, its default and where the default comes from.

The build writes the values in force into `meta.settings`; a reader takes them from there. Mappings given in
wiki.yaml change the keys they name and leave the others at their defaults. Measured defaults are told in
docs/quality.md.
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from retrieval.errors import SettingsError

SIGNAL_WEIGHTS = {"title": 2.0, "bm25": 1.0, "vector": 1.0}
TRUST_MULTIPLIER = {"human-reviewed": 1.0, "machine-confirmed": 0.8, "unverified": 0.6}
PREDICATE_WEIGHTS = {
    "*": {"mention*": 0.6, "related*": 0.6, "see_also": 0.6, "link*": 0.6, "has_tag": 0.3},
    "WHY": {"cause*": 1.5, "because*": 1.5, "reason*": 1.5, "motivat*": 1.5, "led_to*": 1.5, "result*": 1.5, "due_to": 1.5,
            "enable*": 1.3, "prevent*": 1.3, "influence*": 1.3, "inspire*": 1.3, "trigger*": 1.5, "depends_on": 1.2},
    "WHEN": {"born*": 1.2, "died*": 1.2, "founded*": 1.2, "established*": 1.2, "started*": 1.2, "ended*": 1.2,
             "launched*": 1.2, "released*": 1.2, "published*": 1.2},
    "ENTITY": {},
    "HISTORICAL": {"preced*": 1.5, "succeed*": 1.5, "predecessor*": 1.5, "successor*": 1.5, "replace*": 1.5, "former*": 1.5,
                   "supersede*": 1.5},
    "GENERAL": {},
}


class Range(NamedTuple):
    """What a number may be."""

    least: float
    most: float
    or_none: bool = False
    """Whether 0 may stand below `least`: it takes away what the number weighs."""

    def holds(self, value: float) -> bool:
        return self.least <= value <= self.most or (self.or_none and value == 0)

    def __str__(self) -> str:
        return f"{'0 or ' if self.or_none else ''}from {self.least:,} to {self.most:,}"


# Bounded so that no product of them over all hops leaves the numbers a computer can hold.
Share = Annotated[float, Range(0, 1)]
Weight = Annotated[float, Range(0.001, 1_000, or_none=True)]
Few = Annotated[int, Range(0, 100)]


class RetrievalSettings(NamedTuple):
    """The `retrieval:` section of wiki.yaml."""

    budget: Annotated[int, Range(1, 1_000_000)] = 2000
    """Tokens a context block may hold when the caller names no budget."""
    confidence_threshold: Share = 0.5
    """Probability that the bundle covers a question from which on it answers; 0 answers all, 1 none (§7.5, §10.4)."""
    candidates: Annotated[int, Range(1, 1_000)] = 50
    """Concepts each signal brings into the fusion."""
    column_weights: tuple[Weight, ...] = (10.0, 5.0, 3.0, 1.0)
    """BM25 weight of title, description, tags, body."""
    signal_weights: dict[str, Weight] = SIGNAL_WEIGHTS
    """Weight of each signal in the fusion; title 2: counted twice (§6.1)."""
    expanded_seeds: Few = 6
    """Seeds the graph is walked from."""
    least_way: Share = 0.2
    """Share of the best seed's score that a seed needs for the graph to be walked from it."""
    frontier: Few = 4
    """Concepts of one hop the next hop is walked from."""
    hop_limit: Annotated[int, Range(0, 6)] = 2
    """Edges between a seed and the farthest fact (§6.3 of the specification)."""
    hop_decay: Annotated[float, Range(0.01, 1)] = 0.6
    """Factor on a fact's score for each hop (§6.3)."""
    trust_multiplier: dict[str, Annotated[float, Range(0.001, 1_000)]] = TRUST_MULTIPLIER
    """Factor by the subject's trust tier (§6.3)."""
    superseded_multiplier: Weight = 0.15
    """Factor on facts of superseded concepts (§7.7)."""
    stale_multiplier: Weight = 0.5
    """Factor on facts of concepts past their stale_after (§6.4)."""
    least_fact: Share = 0.05
    """Share of the best fact's score below which a fact is left out, though there be room. On dated and typed questions the
    fact asked for never fell below 0.2, and this spares a reader every fourth fact."""
    fact_share: Share = 0.5
    """Share of the budget that facts may take before prose has had its turn."""
    predicate_weights: dict[str, dict[str, Weight]] = PREDICATE_WEIGHTS
    """Intent, or `*` for any, to predicates or `prefix*` patterns to their weight; 1 where nothing is said."""
    named_weight: Weight = 4.0
    """What being named in the question adds to a seed in the ranking, in the unit of `signal_weights`."""
    lending: Weight = 1.3
    """Share of the best seed's score that a perfect edge lends the concept at its end."""
    both_named_weight: Weight = 1.5
    """Factor on facts between two concepts that the question names: it asks what they have to do with each other."""
    dated_weight: Weight = 1.2
    """Factor on facts with a date when the question asks for a time (§6.2)."""
    link_weight: Weight = 1.0
    """Weight of a prose link beside a relation's 1, for where the walk goes on; a link states no fact."""
    backlink_weight: Weight = 0.5
    """The same for a link walked from its target: who links here tells less of this concept than what it links to."""

    def check(self) -> None:
        """Raises SettingsError when no answer can be made with these."""
        for name in ("signal_weights", "trust_multiplier", "predicate_weights"):
            _demand_known(name, getattr(self, name), self._field_defaults[name])
        if len(self.column_weights) != 4:
            raise SettingsError("column_weights needs four numbers: title, description, tags, body.")
        for name, within in ranges().items():
            for key, value in numbers(getattr(self, name), name):
                if not within.holds(value):
                    raise OutOfRange(key, value, within)
        if not any(self.signal_weights.values()):
            raise SettingsError("signal_weights: one of them must be above 0, for nothing else ranks a concept.")


class OutOfRange(SettingsError):
    """A number that no answer can be made with; `key` is its address within the section."""

    def __init__(self, key: str, value: float, within: Range) -> None:
        self.key = key
        super().__init__(f"{key} must be {within}, not {value:.10g}.")


@cache
def ranges() -> dict[str, Range]:
    """The range of each setting, or of all numbers in it."""
    return {name: _range(hint) for name, hint in get_type_hints(RetrievalSettings, include_extras=True).items()}


def _range(hint: Any) -> Range:
    """The one in a number's type, which stands last within tuples and mappings too."""
    found = [part for part in get_args(hint) if part is not ...][-1]
    return found if isinstance(found, Range) else _range(found)


def numbers(value: Any, address: str) -> Iterator[tuple[str, float]]:
    """A number, or all numbers in a list or mapping, each with its address."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f"{address}.{key}")
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from numbers(inner, f"{address}[{number}]")
    else:
        yield address, value


def _demand_known(name: str, given: dict[str, Any], known: dict[str, Any]) -> None:
    if unknown := sorted(given.keys() - known.keys()):
        raise SettingsError(f"{name}: unknown key {unknown[0]!r}; known here: {', '.join(sorted(known))}.")
