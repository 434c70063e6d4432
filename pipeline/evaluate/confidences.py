"""How sure a wiki is of each labelled question: the steps of an answer up to the verdict, without the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pipeline.evaluate.questions import Question
from pipeline.evaluate.trade_off import Sample
from retrieval.confidence import judge
from retrieval.damage import damage_told
from retrieval.embedders import Embedder, open_embedder
from retrieval.expand import expand
from retrieval.fit import Fit
from retrieval.intent import detect_intent
from retrieval.query import understand
from retrieval.seeds import find_seeds
from retrieval.snapshot import Snapshot, open_snapshot


def confidences(wiki_db: Path, questions: Iterable[Question], today: str, embedder: Embedder | None = None,
                progress: Callable[[int, int], None] = lambda done, total: None) -> list[Sample]:
    """The probability of each question, as `retrieval.Wiki` judges it. Raises what opening a wiki raises."""
    snapshot = open_snapshot(wiki_db)
    if snapshot.has_vectors and embedder is None:
        embedder = open_embedder(snapshot.meta["embedder"], snapshot.embedding)
    rows = list(questions)
    samples = []
    for done, question in enumerate(rows, 1):
        with damage_told(wiki_db), snapshot.con:
            samples.append(Sample(_probability(snapshot, embedder, question.text, today), question.in_bundle))
        progress(done, len(rows))
    return samples


def _probability(snapshot: Snapshot, embedder: Embedder | None, question: str, today: str) -> float:
    con, settings = snapshot.con, snapshot.settings
    query = understand(question, con, snapshot.tokenizer)
    intent = detect_intent(query.text)
    vector = embedder.query(question) if embedder else None
    seeds = find_seeds(query, intent, vector, con, settings)
    expansion = expand(seeds, query, intent, con, Fit(query, snapshot.tokenizer), settings, today)
    made_by = snapshot.meta["embedder"] if vector else "none"
    return judge(query, seeds, expansion, made_by, settings.confidence_threshold, con, snapshot.tokenizer).probability
