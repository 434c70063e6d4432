"""Background: short bodies whole, of long ones the passages that answer, never over the room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.background import background
from retrieval.fit import Fit
from retrieval.model import Reached
from retrieval.query import understand
from retrieval.serialize import serialize
from retrieval.tokens import count
from tests.retrieval.bundles import wiki_of
from tests.stub_embedder import StubEmbedder

FILLER = "The committee met on Tuesdays and kept minutes that nobody has read since." + " They did." * 40
SECTIONS = {
    "Founding": "Amalia Brandt founded the observatory on a hill above the river with her own money.",
    "Telescope": "The great telescope came from a workshop in Jena and weighs eleven tonnes.",
    "Directors": "- 1901–1916 : Amalia Brandt\n- 1916–1920 : Newton Baker\n- 1920–1933 : Ida Sommer",
    "Closure": "In 1971 the lamps of the town had grown so bright that the observatory was closed.",
}
LONG = "# Hill Observatory\n\nThe Hill Observatory stands near Weimar.\n\n" + "\n\n".join(
    f"## {heading}\n\n{text}\n\n{FILLER}" for heading, text in SECTIONS.items())
BUNDLE = (
    f"=== /hill.md\n---\ntype: Place\ntitle: Hill Observatory\n---\n{LONG}\n"
    "=== /jena.md\n---\ntype: Place\ntitle: Jena\n---\nJena is a town of lens makers.\n"
    "=== /other.md\n---\ntype: Place\ntitle: Valley Observatory\n---\n" + LONG.replace("Hill", "Valley").replace("1916", "1816") + "\n"
    "=== /blank.md\n---\ntype: Place\ntitle: Blank\n---\n")
REACHED = {path: Reached(f"/{path}.md", path, 1.0, 0) for path in ("hill", "jena", "other", "blank")}


@pytest.fixture(scope="module")
def wiki():
    return wiki_of(BUNDLE)


def ask(wiki, question, *paths, room=400):
    snapshot = wiki._current()
    query = understand(question, snapshot.con, snapshot.tokenizer, "2026-01-01")
    return background(snapshot.con, query, Fit(query, snapshot.tokenizer), None, [REACHED[path] for path in paths], room)


def test_a_short_body_is_taken_whole(wiki):
    (jena,) = ask(wiki, "Where are lenses made?", "jena")
    assert (jena.path, jena.title, jena.heading, jena.text) == ("/jena.md", "Jena", "", "Jena is a town of lens makers.")


@pytest.mark.parametrize("question, heading", [
    ("Who founded the Hill Observatory with her own money?", "Founding"),
    ("How many tonnes does the telescope weigh?", "Telescope"),
    ("Why was the observatory closed?", "Closure"),
])
def test_of_a_long_body_the_passage_that_answers(wiki, question, heading):
    passages = ask(wiki, question, "hill", room=240)
    assert any(SECTIONS[heading] in passage.text for passage in passages)
    assert not all(text in passage.text for text in SECTIONS.values() for passage in passages)


def test_the_time_asked_about_decides_between_passages_alike_in_words(wiki):
    assert any("Newton Baker" in passage.text for passage in ask(wiki, "Who ran it from 1917 to 1919?", "hill", room=240))


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_passage_nearest_in_meaning_when_no_word_tells(heading):
    wiki = wiki_of(BUNDLE, StubEmbedder())
    snapshot = wiki._current()
    query = understand("?", snapshot.con, snapshot.tokenizer, "2026-01-01")
    vector = snapshot.con.execute(
        "select vector from embeddings join pieces on piece_id = id where pieces.path = '/hill.md' and heading like ?", (f"%{heading}",)).get
    passages = background(snapshot.con, query, Fit(query, snapshot.tokenizer), vector, [REACHED["hill"]], 240)
    assert any(SECTIONS[heading] in passage.text for passage in passages)


def test_the_heading_is_told_without_the_title(wiki):
    assert {passage.heading for passage in ask(wiki, "telescope tonnes Jena", "hill", room=240)} >= {"Telescope"}


def test_neighbours_are_one_passage_and_all_stands_in_text_order(wiki):
    (whole,) = ask(wiki, "observatory", "hill", room=5_000)
    assert whole.text == LONG.removeprefix("# Hill Observatory\n\n").strip()


def test_the_first_concept_gets_the_most_room_and_the_second_is_heard(wiki):
    passages = ask(wiki, "Who founded the observatory?", "hill", "other", room=700)
    shares = {path: sum(len(passage.text) for passage in passages if passage.path == path) for path in ("/hill.md", "/other.md")}
    assert shares["/hill.md"] > shares["/other.md"] > 0


def test_of_the_best_passage_the_beginning_when_it_does_not_fit(wiki):
    (passage,) = ask(wiki, "How many tonnes does the telescope weigh?", "hill", room=70)
    assert SECTIONS["Telescope"] in passage.text and passage.text.endswith(".\n[…]")


def test_a_blank_body_gives_nothing(wiki):
    assert ask(wiki, "Blank", "blank") == ()


def test_a_concept_that_is_not_there_gives_nothing(wiki):
    snapshot = wiki._current()
    query = understand("x", snapshot.con, snapshot.tokenizer, "2026-01-01")
    assert background(snapshot.con, query, Fit(query, snapshot.tokenizer), None, [Reached("/gone.md", "Gone", 1.0, 1)], 100) == ()


@given(st.integers(-5, 900), st.permutations(list(REACHED)))
def test_never_over_the_room(wiki, room, order):
    passages = ask(wiki, "Who founded the observatory in 1916?", *order, room=room)
    assert not passages or count(serialize((), passages, ())) <= room


@pytest.mark.parametrize("apparatus", ["[^guide]: The lens guide of Jena", "## Notes\n\n[^guide]: Jena\n\n[jena]: https://example.org/lenses"])
def test_what_only_lists_references_is_no_background(apparatus):
    wiki = wiki_of(f"=== /jena.md\n---\ntype: Place\ntitle: Jena\n---\n{FILLER}\n\n{FILLER}\n\n## Notes\n\n{apparatus}\n")
    assert all("guide" not in passage.text for passage in ask(wiki, "Where is the lens guide of Jena?", "jena"))
    assert ask(wiki, "Who met on Tuesdays?", "jena")
