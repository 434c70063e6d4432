"""The stage embeddings: one vector per piece, no text embedded twice, nothing paid for lost."""

import multiprocessing
import os
import random
import signal
import struct

import apsw
import pytest

from pipeline.embeddings import embedded_text, embeddings
from pipeline.vectors import SPARE, VectorCache, open_vectors
from retrieval.embedders.none import NoEmbedder
from retrieval.errors import EmbedderError
from retrieval.schema import SCHEMA
from tests.stub_embedder import DIMENSION, StubEmbedder, numbers, vector


class Build:
    """A build database with as much in it as this stage reads; every paragraph is a piece."""

    def __init__(self, vectors=None):
        self.db = apsw.Connection(":memory:")
        self.db.execute(SCHEMA)
        self.db.execute("attach ':memory:' as cache")
        self.db.execute("create table cache.indexed (path text primary key, docid integer, content_hash text) without rowid")
        self.vectors = vectors or open_vectors(":memory:")

    def write(self, path, body, title="T", description=None):
        self.remove(path)
        content_hash = f"{title} {description} {body}"
        self.db.execute(
            "insert into concepts values (?, 'Entity', ?, ?, '[]', '[]', '[]', '[]', null, '[]', 'unverified', 'stable', "
            "null, null, null, '[]', '{}', ?, ?, null)", (path, title, description, body, content_hash))
        self.db.execute("insert into cache.indexed values (?, 0, ?)", (path, content_hash))
        start = 0
        for number, part in enumerate(body.split("\n\n")):
            self.db.execute("insert into pieces(path, number, heading, start, stop) values (?, ?, '', ?, ?)",
                            (path, number, start, start + len(part)))
            start += len(part) + 2

    def remove(self, path):
        for table, column in (("concepts", "_path"), ("pieces", "path"), ("cache.indexed", "path")):
            self.db.execute(f"delete from {table} where {column} = ?", (path,))

    def run(self, embedder, **more):
        return embeddings(self.db, self.vectors, embedder, **more)

    def rows(self):
        return sorted(self.db.execute("select path, piece, vector from embeddings"))

    def joined(self):
        """Path and number of each row as `pieces` knows its id; equal to those in the row itself."""
        return sorted(self.db.execute(
            "select p.path, p.number, e.vector from embeddings e join pieces p on p.id = e.piece_id"))

    def meta(self):
        return dict(self.db.execute("select key, value from meta"))


@pytest.fixture
def build():
    made = Build()
    made.write("/a.md", "red apple\n\ngreen pear")
    made.write("/b.md", "blue plum", title="Plum")
    return made


def test_every_piece_has_the_vector_of_its_text(build):
    build.run(StubEmbedder())
    assert build.rows() == [("/a.md", 0, vector("T red apple")), ("/a.md", 1, vector("T green pear")),
                            ("/b.md", 0, vector("Plum blue plum"))]
    assert build.joined() == build.rows()
    assert build.meta() == {"embedder": "local", "model": "stub", "dimension": "32", "fingerprint": "stub", "degraded": ""}


def test_the_nearest_piece_is_the_one_with_the_words_of_the_question(build):
    build.run(StubEmbedder())
    found = build.db.execute("select path, piece from embeddings where vector match ? and k = 1", (vector("green pear"),))
    assert found.fetchall() == [("/a.md", 1)]


def test_nothing_changed_embeds_nothing(build):
    first = build.run(StubEmbedder())
    again = StubEmbedder()
    assert build.run(again) == first
    assert again.asked == []


def test_only_the_changed_text_is_embedded(build):
    before = build.run(StubEmbedder())
    build.write("/a.md", "red apple\n\nyellow pear")
    embedder = StubEmbedder()
    assert build.run(embedder) != before
    assert embedder.asked == ["T\nyellow pear"]
    assert build.joined() == build.rows() and build.rows()[1] == ("/a.md", 1, vector("T yellow pear"))


def test_an_edit_taken_back_costs_nothing_and_gives_the_old_digest(build):
    before = build.run(StubEmbedder())
    build.write("/a.md", "red apple\n\nyellow pear")
    build.run(StubEmbedder())
    build.write("/a.md", "red apple\n\ngreen pear")
    again = StubEmbedder()
    assert build.run(again) == before
    assert again.asked == []


def test_a_piece_that_inherits_the_id_of_another_gets_its_own_vector(build):
    build.run(StubEmbedder())
    build.remove("/b.md")
    build.write("/c.md", "black cherry")
    build.run(StubEmbedder())
    assert ("/c.md", 0, vector("T black cherry")) in build.rows()
    assert build.joined() == build.rows()


def test_identical_texts_are_embedded_once(build):
    build.write("/c.md", "blue plum", title="Plum")
    embedder = StubEmbedder()
    build.run(embedder)
    assert sorted(embedder.asked) == ["Plum\nblue plum", "T\ngreen pear", "T\nred apple"]
    assert len(build.rows()) == 4


def test_longest_texts_go_first(build):
    embedder = StubEmbedder(batch=1)
    build.run(embedder)
    assert [len(text) for text in embedder.asked] == sorted(map(len, embedder.asked), reverse=True)


def test_what_was_embedded_before_a_failure_is_kept_and_the_table_stays(build):
    build.run(StubEmbedder())
    before = build.rows(), build.meta()
    build.write("/c.md", "one\n\ntwo\n\nthree")
    broken = StubEmbedder(batch=1, fail_after=2)
    with pytest.raises(EmbedderError):
        build.run(broken)
    assert (build.rows(), build.meta()) == before
    mended = StubEmbedder(batch=1)
    build.run(mended)
    assert len(broken.asked) == 2 and len(mended.asked) == 1 and not set(broken.asked) & set(mended.asked)


class Killed(StubEmbedder):
    """Dies in its third batch as a process dies that is killed."""

    def passages(self, texts):
        if len(self.asked) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().passages(texts)


def run_until_killed(vectors):
    build = Build(open_vectors(vectors))
    build.write("/a.md", "one\n\ntwo\n\nthree\n\nfour")
    build.run(Killed(batch=1))


def test_a_killed_build_pays_for_no_text_twice(tmp_path):
    vectors = tmp_path / "vectors.db"
    child = multiprocessing.get_context("spawn").Process(target=run_until_killed, args=(vectors,))
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    build = Build(open_vectors(vectors))
    build.write("/a.md", "one\n\ntwo\n\nthree\n\nfour")
    embedder = StubEmbedder()
    build.run(embedder)
    assert len(embedder.asked) == 2 and len(build.rows()) == 4


def test_on_failure_lexical_leaves_the_vectors_out_and_says_why(build):
    build.run(StubEmbedder())
    build.write("/c.md", "black cherry")
    degraded = build.run(StubEmbedder(fail_after=0), on_failure="lexical")
    assert not build.db.execute("select 1 from sqlite_master where name like 'embeddings%'").fetchall()
    assert build.meta()["degraded"] == "the stub fails here: run again." and build.meta()["dimension"] == "0"
    mended = StubEmbedder()
    assert build.run(mended) != degraded
    assert mended.asked == ["T\nblack cherry"] and len(build.rows()) == 4 and build.meta()["degraded"] == ""


def test_none_drops_the_table(build):
    build.run(StubEmbedder())
    assert build.run(NoEmbedder()) == build.run(NoEmbedder())
    assert not build.db.execute("select 1 from sqlite_master where name like 'embeddings%'").fetchall()
    assert build.meta() == {"embedder": "none", "model": "", "dimension": "0", "fingerprint": "", "degraded": ""}


def test_another_model_embeds_all_and_the_way_back_embeds_nothing(build):
    first = build.run(StubEmbedder())
    other = StubEmbedder(fingerprint="other")
    assert build.run(other) != first
    assert len(other.asked) == 3 and build.meta()["fingerprint"] == "other"
    back = StubEmbedder()
    assert build.run(back) == first
    assert back.asked == []


def test_an_empty_wiki_has_an_empty_table():
    build = Build()
    build.run(StubEmbedder())
    assert build.rows() == [] and build.meta()["dimension"] == str(DIMENSION)


def test_progress_ends_with_all_done(build):
    seen = []
    build.run(StubEmbedder(batch=2), progress=lambda *now: seen.append(now))
    assert [now[:2] for now in seen] == [(0, 3), (2, 3), (3, 3)]
    assert seen[0][2] == 0 and 0.5 < seen[1][2] < 1 and seen[2][2] == 1


@pytest.mark.parametrize("seed", range(4))
def test_any_sequence_of_edits_equals_a_build_from_nothing(seed):
    """Law 1 for this stage, and no text is embedded twice however the bundle moves."""
    dice = random.Random(seed)
    build, asked = Build(), []
    for _ in range(25):
        for _ in range(dice.choice([1, 1, 2, 20])):
            path = f"/{dice.randrange(30)}.md"
            if dice.random() < 0.3:
                build.remove(path)
            else:
                build.write(path, "\n\n".join(f"text {dice.randrange(40)}" for _ in range(dice.randrange(1, 5))))
        embedder = StubEmbedder()
        digest = build.run(embedder)
        asked += embedder.asked
        fresh = Build()
        for path, body in build.db.execute("select _path, body from concepts order by random()").fetchall():
            fresh.write(path, body)
        assert fresh.run(StubEmbedder()) == digest
        assert fresh.rows() == build.rows() == build.joined()
    assert len(asked) == len(set(asked))


def test_the_table_is_written_anew_before_holes_slow_the_search():
    build = Build()
    for name in range(400):
        build.write(f"/{name}.md", f"text {name}")
    build.run(StubEmbedder())
    for turn in range(120):
        for name in range(18):
            build.write(f"/{name}.md", f"text {name} in turn {turn}")
        build.run(StubEmbedder())
    places = build.db.execute("select sum(size) from embeddings_chunks").get
    assert places <= 2 * 1024 and len(build.rows()) == 400


class TestEmbeddedText:
    def test_names_stand_above_the_prose(self):
        assert embedded_text("Ada", None, "Life > Work", "She wrote.", 1) == "Ada\nLife > Work\nShe wrote."

    def test_links_count_by_their_text(self):
        text = "[OpenAI](/entities/openai.md), [x](<a b.md> 'y'), [[Plum]] and [[/entities/pear.md|pear]]; a[0] stays"
        assert embedded_text("", None, "", text, 1) == "OpenAI, x, Plum and pear; a[0] stays"

    def test_the_description_goes_with_the_first_piece_unless_it_stands_there(self):
        assert embedded_text("T", "A fruit.", "", "Sweet.", 0) == "T\nA fruit.\nSweet."
        assert embedded_text("T", "A fruit.", "", "Sweet.", 1) == "T\nSweet."
        assert embedded_text("T", "A fruit.", "", "A fruit. Sweet.", 0) == "T\nA fruit. Sweet."

    def test_a_title_of_any_length_leaves_the_prose_its_room(self):
        assert embedded_text("x" * 10_000, None, "y" * 10_000, "prose", 0) == "x" * 200 + "\n" + "y" * 200 + "\nprose"


class TestVectorCache:
    def test_a_kill_after_a_batch_keeps_the_batch(self, tmp_path):
        cache = VectorCache(open_vectors(tmp_path / "vectors.db"), "m")
        cache.put([(b"1", b"vector")])
        assert VectorCache(open_vectors(tmp_path / "vectors.db"), "m").get(b"1") == b"vector"

    def test_models_do_not_share_vectors(self):
        db = open_vectors(":memory:")
        VectorCache(db, "m").put([(b"1", b"vector")])
        assert VectorCache(db, "n").get(b"1") is None

    def test_the_longest_gone_are_forgotten_beyond_the_bound(self, monkeypatch):
        monkeypatch.setattr("pipeline.vectors.SPARE", 2)
        db = open_vectors(":memory:")
        VectorCache(db, "m").put((name, b"v") for name in (b"1", b"2", b"3", b"4", b"5"))
        VectorCache(db, "m").retire([b"2"])
        VectorCache(db, "m").retire([b"1"])
        cache = VectorCache(db, "m")
        cache.forget([b"5"])
        assert [name for name in (b"1", b"2", b"3", b"4", b"5") if cache.get(name)] == [b"1", b"2", b"5"]

    def test_the_stage_keeps_the_cache_within_its_bound(self, build):
        cache = VectorCache(build.vectors, "stub")
        cache.put((f"{number}".encode(), b"v") for number in range(SPARE + 50))
        build.run(StubEmbedder())
        assert len(cache) == SPARE + len(build.rows())

    @pytest.mark.parametrize("damage", [b"", b"no database at all, but some text", b"truncated"])
    def test_a_damaged_file_is_told_of_and_begun_anew(self, tmp_path, damage):
        path = tmp_path / "vectors.db"
        VectorCache(open_vectors(path), "m").put((f"{number}".encode(), b"v" * 500) for number in range(100))
        path.write_bytes(path.read_bytes()[:20_000] if damage == b"truncated" else damage)
        said = []
        VectorCache(open_vectors(path, said.append), "m").put([(b"1", b"v")])
        assert len(said) == (0 if damage == b"" else 1)
        assert "damaged" in "".join(said) or damage == b""

    def test_a_table_of_another_shape_is_begun_anew(self, tmp_path):
        other = apsw.Connection(str(tmp_path / "vectors.db"))
        other.execute("create table vectors (id)")
        other.close()
        assert len(VectorCache(open_vectors(tmp_path / "vectors.db", lambda _: None), "m")) == 0


def test_the_stub_can_be_predicted():
    assert numbers("One two, TWO!") == numbers("two one two")
    assert vector("") == struct.pack("<32f", 1, *[0] * 31)
