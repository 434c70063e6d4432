"""The nearest pieces: the same whether sqlite-vec compares them all, or numpy picks them from a copy in memory."""

import numpy  # noqa: F401  a copy is made where a model has brought it
import pytest

from retrieval import Wiki, nearest
from tests.build import build
from tests.retrieval.bundles import case_wiki
from tests.stub_embedder import StubEmbedder, vector


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grain")
    long = "\n\n".join(f"## Part {number}\n\nwalnut timber {number} " + "grain " * 150 for number in range(9))
    for name, body in {"long": long, "a": "walnut", "b": "timber", "c": "oak", "d": "grain", "e": "oak", "gone": "oak timber"}.items():
        (folder / f"{name}.md").write_text(f"---\ntype: Note\n---\n{body}\n")
    build(folder, StubEmbedder())
    (folder / "gone.md").unlink()  # leaves a gap among the vectors
    build(folder, StubEmbedder())
    return folder


def test_the_cosine_is_that_of_the_nearest_piece():
    wiki = case_wiki("companies", vectors=True)
    (passage,) = (text for text in wiki._embedder.asked if "large language models" in text)
    found = wiki._snapshot.vectors.nearest(vector(passage), 3)
    assert next(iter(found)) == "/entities/openai.md"
    assert next(iter(found.values())) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("question", ["walnut timber", "oak", "nothing of it"])
@pytest.mark.parametrize("limit", [1, 2, 4, 50])
def test_however_many_pieces_a_page_has_the_nearest_concepts_are_found(bundle, monkeypatch, copied, question, limit):
    monkeypatch.setattr(nearest, "MANY", 0 if copied else 10**9)
    monkeypatch.setattr(nearest, "MARGIN", 1)
    snapshot = Wiki(bundle, StubEmbedder())._snapshot
    expected = snapshot.con.execute(
        "select path, 1 - pow(min(vec_distance_l2(vector, ?)), 2) / 2 from embeddings group by path order by 2 desc, 1 limit ?",
        (vector(question), limit)).fetchall()
    for _ in range(2):
        assert list(snapshot.vectors.nearest(vector(question), limit).items()) == expected
    assert (snapshot.vectors._copy is not None) == copied


def test_few_vectors_are_not_copied(bundle):
    snapshot = Wiki(bundle, StubEmbedder())._snapshot
    for _ in range(3):
        snapshot.vectors.nearest(vector("oak"), 5)
    assert snapshot.vectors._copy is None
