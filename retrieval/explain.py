"""Shows a person why an answer came out as it did: the gate, each seed's ranks, each fact's score as its factors."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.confidence import Verdict
from retrieval.context import Context
from retrieval.harmless import concept_name, name
from retrieval.model import Fact, Seed


def explain(context: Context) -> str:
    """Several lines for a terminal; nothing of it belongs into a prompt."""
    return "\n".join(_lines(context))


def _lines(context: Context) -> Iterator[str]:
    yield f"Intent: {context.intent}"
    yield f"Confident: {'yes' if context.confident else 'no'}. {context.reason}"
    if context.verdict:
        yield from _verdict(context.verdict)
    state = "current" if context.index_is_current else "older than the concept files: run `doit`"
    yield f"Wiki: generation {context.generation}, {state}"
    yield f"Budget: {context.tokens} of {context.budget} tokens"
    yield ""
    yield "Seeds (score; rank by title, BM25, vector):"
    yield from [_seed(seed) for seed in context.seeds[:10]] or ["  none"]
    yield ""
    yield "Facts (score = its factors):"
    yield from [line for fact in context.facts for line in _fact(fact)] or ["  none"]
    yield ""
    yield "Background:"
    yield from [f"  {name(passage.path)}{' > ' + name(passage.heading) if passage.heading else ''}, {len(passage.text)} characters"
                for passage in context.background] or ["  none"]


def _verdict(verdict: Verdict) -> Iterator[str]:
    side = "at least" if verdict.confident else "below"
    yield f"  probability {verdict.probability:.3f}, {side} the threshold {verdict.threshold:g}, weighed from"
    yield "  " + ", ".join(f"{signal} {value:.2f}" for signal, value in verdict.signals._asdict().items())


def _seed(seed: Seed) -> str:
    ranks = ", ".join("-" if rank is None else f"#{rank + 1}" for rank in seed.signals.values())
    stands_for = f", in place of {', '.join(map(name, seed.stands_for))}" if seed.stands_for else ""
    return f"  {seed.score:.4f}  {ranks:<14}  {concept_name(seed.title, seed.path, stands_for)}"


def _fact(fact: Fact) -> Iterator[str]:
    yield f"  {fact.score:.4f}  {fact.text}"
    yield "          = " + " × ".join(f"{factor} {value:.3g}" for factor, value in fact.factors.items())
