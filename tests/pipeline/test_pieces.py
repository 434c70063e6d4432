"""Pieces: every character that is not blank lies in exactly one, none is too long, headings stay with their text."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.pieces import LONGEST, pieces

PARAGRAPH = "The office was founded in 1789 and has moved three times since. "


def texts(body: str, **sizes: int) -> list[str]:
    return [body[piece.start:piece.stop] for piece in pieces(body, **sizes)]


@given(st.text(alphabet=st.sampled_from("ab .#`~-\n\t界é!😀\ud800"), max_size=300), st.integers(4, 40), st.integers(4, 60), st.integers(0, 30))
def test_every_character_lies_in_one_piece(body, size, longest, least):
    at = 0
    for piece in pieces(body, size, longest, least):
        assert not body[at:piece.start].strip()
        text = body[piece.start:piece.stop]
        assert text and text == text.strip()
        assert len(text.encode("utf-8", "replace")) <= max(size, longest)
        at = piece.stop
    assert not body[at:].strip()


def test_a_short_body_is_one_piece_without_heading():
    assert pieces("\n# Summary\n\nAntony Blinken was Secretary of State.\n") == [("", 1, 50)]


def test_a_blank_body_has_none():
    assert pieces("") == pieces(" \n\n\t ") == []


def test_headings_are_a_path_and_stay_with_their_text():
    body = f"# Office\n\n## History\n\n{PARAGRAPH * 5}\n\n### Later #\n\n{PARAGRAPH * 5}\n\n## C#\n\n{PARAGRAPH * 5}"
    assert [piece.heading for piece in pieces(body)] == ["Office > History", "Office > History > Later", "Office > C#"]
    assert texts(body)[1].startswith("### Later #\n\nThe office")


def test_short_paragraphs_of_a_section_share_a_piece():
    body = f"## List\n\n{PARAGRAPH}\n\n{PARAGRAPH}\n\n" + f"{PARAGRAPH * 9}\n\n" * 2
    assert [text.count("founded") for text in texts(body)] == [2, 9, 9]


def test_tiny_sections_share_a_piece():
    body = "\n\n".join(f"## Year {year}\n\nNothing happened." for year in range(1900, 1960))
    assert len(pieces(body)) < 15


def test_a_long_list_is_cut_between_its_lines():
    body = "\n".join(f"- {year} : holder number {year} of the office" for year in range(1800, 1900))
    assert len(pieces(body)) > 2
    assert all(text.startswith("- 18") for text in texts(body))


def test_a_long_paragraph_is_cut_between_sentences():
    assert all(text.startswith("The office") and text.endswith("since.") for text in texts(PARAGRAPH * 100))


def test_chinese_is_cut_between_sentences_too():
    assert all(text.endswith("。") for text in texts("由程序维护的知识库要注明来源。" * 200))


def test_a_line_without_any_break_is_cut_hard():
    assert all(len(text) <= LONGEST for text in texts("x" * 10_000))


def test_a_heading_inside_fenced_code_is_no_heading():
    body = f"## Usage\n\n```sh\n# not a heading\n\nls\n```\n\n{PARAGRAPH * 20}"
    assert {piece.heading for piece in pieces(body)} == {"Usage"}
    assert texts(body)[0].startswith("## Usage\n\n```sh\n# not a heading\n\nls\n```")


def test_a_megabyte_in_one_line_is_cut_in_bounded_time():
    assert len(pieces("word " * 200_000)) < 2_000
    assert len(pieces("#" + " " * 500_000 + "#x\n" * 2)) >= 1
