"""doit as a person runs it, in processes of its own: what runs when, what survives, what it says."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pipeline.edges import edges
from pipeline.parse import parse
from pipeline.store import Store
from pipeline.validate import validate
from retrieval.files import settled_scan
from tests.ollama_server import OllamaServer

ROOT = Path(__file__).parent.parent
PRODUCTS = ["parse", "validate", "edges", "fts", "embeddings", "wiki", "timeline", "index", "keywords", "verdict"]
CONCEPT = "---\ntype: Person\ntitle: {title}\nrelations:\n  - {{ predicate: knows, object: /entities/p0.md, date: '2001' }}\n---\n{title} likes {like}.\n"


def doit(bundle: Path, *words: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([*command(bundle), *words], cwd=ROOT, capture_output=True, text=True, timeout=120, **options)


def command(bundle: Path) -> list[str]:
    return [sys.executable, "-m", "doit", "-f", str(ROOT / "dodo.py"), f"bundle={bundle}"]


def ran(bundle: Path, *words: str) -> list[str]:
    """The tasks that a run of doit executed; standard output holds its JSON alone."""
    report = json.loads(doit(bundle, "--reporter", "json", *words).stdout)
    return [task["name"] for task in report["tasks"] if task["result"] == "success"]


def write(bundle: Path, number: int, like: str = "tea") -> Path:
    file = bundle / "entities" / f"p{number}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(CONCEPT.format(title=f"Person {number}", like=like), encoding="utf-8")
    return file


def rows(bundle: Path, query: str) -> list:
    with closing(apsw.Connection(str(bundle / "wiki.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        return db.execute(query).fetchall()


@pytest.fixture
def bundle(tmp_path):
    """Eight people, compiled without vectors."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "wiki.yaml").write_text("embedding: { backend: none }\n")
    for number in range(8):
        write(folder, number)
    assert doit(folder).returncode == 0
    return folder


def test_a_second_run_executes_nothing(bundle):
    """Law 2."""
    before = {file: file.stat().st_mtime_ns for file in bundle.rglob("*") if ".wiki" not in file.parts}
    assert ran(bundle) == []
    assert before == {file: file.stat().st_mtime_ns for file in bundle.rglob("*") if ".wiki" not in file.parts}


def test_touched_files_are_neither_parsed_nor_rendered_again(bundle):
    views = (bundle / "timeline.md").stat().st_mtime_ns
    for file in bundle.rglob("p*.md"):
        os.utime(file)
    assert not {"edges", "fts", "embeddings", "timeline", "index", "keywords"} & set(ran(bundle))
    assert ran(bundle) == [] and (bundle / "timeline.md").stat().st_mtime_ns == views


def test_an_edit_rebuilds_and_a_revert_restores(bundle):
    generation = rows(bundle, "select value from meta where key = 'generation'")
    file = write(bundle, 3, "coffee")
    assert doit(bundle).returncode == 0
    assert rows(bundle, "select body from concepts where _path = '/entities/p3.md'") == [("Person 3 likes coffee.\n",)]
    write(bundle, 3)
    assert file.exists() and doit(bundle).returncode == 0
    assert rows(bundle, "select value from meta where key = 'generation'") == generation


def test_an_edit_of_the_same_length_and_time_is_seen(bundle):
    """doit takes the same mtime for up to date; the inode's own time tells."""
    file = bundle / "entities" / "p3.md"
    times = file.stat()
    write(bundle, 3, "ale")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    doit(bundle)
    assert rows(bundle, "select body from concepts where _path = '/entities/p3.md'") == [("Person 3 likes ale.\n",)]


@pytest.mark.parametrize("product", ["wiki.db", "timeline.md", "entities/index.md", "wiki-trigger-keywords.txt"])
@pytest.mark.parametrize("harm", ["lost", "edited"])
def test_a_lost_or_edited_product_comes_back(bundle, product, harm):
    file = bundle / product
    before = file.read_bytes()
    if harm == "lost":
        file.unlink()
    else:
        file.write_bytes(before.replace(b"Person 3", b"Nobody 3"))
    assert doit(bundle).returncode == 0
    assert file.read_bytes() == before if product != "wiki.db" else rows(bundle, "select count(*) from concepts where title = 'Person 3'") == [(1,)]
    assert ran(bundle) == []


def test_a_lost_listing_of_a_folder_that_holds_only_folders_comes_back(bundle):
    (bundle / "far" / "away").mkdir(parents=True)
    (bundle / "far" / "away" / "page.md").write_text("---\ntype: Note\n---\nHere.\n")
    doit(bundle)
    listing = bundle / "far" / "index.md"
    before = listing.read_bytes()
    listing.unlink()
    assert ran(bundle) == ["index"] and listing.read_bytes() == before


def test_what_a_hand_wrote_around_a_listing_survives(bundle):
    index = bundle / "entities" / "index.md"
    index.write_text("# Ours\n\nKeep this.\n\n" + index.read_text() + "\nAnd this.\n")
    write(bundle, 9)
    doit(bundle)
    text = index.read_text()
    assert text.startswith("# Ours\n\nKeep this.\n") and text.endswith("\nAnd this.\n") and "Person 9" in text


def test_reindex_builds_from_nothing_and_leaves_nothing_to_do(bundle):
    assert set(PRODUCTS) - {"timeline", "index", "keywords"} <= set(ran(bundle, "reindex"))
    assert ran(bundle) == []


def test_an_edit_saved_while_doit_runs_is_picked_up_by_the_next_run(tmp_path):
    """The state of a file is taken before its stage runs."""
    with OllamaServer() as server:
        server.faults += ["slow"] * 3
        (tmp_path / "wiki.yaml").write_text(f"embedding: {{ backend: ollama, url: '{server.url}', batch: 8 }}\n")
        for number in range(24):
            write(tmp_path, number)
        with subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            while not server.requests:
                time.sleep(0.01)
            write(tmp_path, 5, "mate")
        assert running.returncode == 0
        assert rows(tmp_path, "select body from concepts where _path = '/entities/p5.md'") == [("Person 5 likes tea.\n",)]
        assert doit(tmp_path).returncode == 0
    assert rows(tmp_path, "select body from concepts where _path = '/entities/p5.md'") == [("Person 5 likes mate.\n",)]


def test_a_second_doit_on_the_same_bundle_says_that_one_is_running(tmp_path):
    with OllamaServer() as server:
        server.faults += ["slow"] * 4
        (tmp_path / "wiki.yaml").write_text(f"embedding: {{ backend: ollama, url: '{server.url}', batch: 1 }}\n")
        for number in range(4):
            write(tmp_path, number)
        with subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            while not server.requests:
                time.sleep(0.01)
            second = doit(tmp_path)
        assert running.returncode == 0
    assert second.returncode != 0 and "another build" in second.stderr and "Traceback" not in second.stderr


def test_killed_anywhere_it_recovers_and_keeps_its_vectors(tmp_path):
    """Laws 3 and 5: a polling reader sees whole wikis only; no vector that was kept is asked for again."""
    chance = random.Random(5)
    with OllamaServer() as server:
        (tmp_path / "wiki.yaml").write_text(f"embedding: {{ backend: ollama, url: '{server.url}', batch: 4 }}\n")
        for number in range(60):
            write(tmp_path, number)
        assert doit(tmp_path).returncode == 0
        reader = Reader(tmp_path)
        for round in range(8):
            for number in range(60):
                write(tmp_path, number, f"tea number {round}")
            with subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
                time.sleep(chance.uniform(0.1, 0.9))
                running.send_signal(signal.SIGKILL)
            kept = {text for text in server.asked}
            asked = len(server.asked)
            assert doit(tmp_path).returncode == 0
            again = [text for text in server.asked[asked:] if text in kept]
            assert len(again) <= 4, "at most the batch that was under way when the kill came"
            assert ran(tmp_path) == []
        reader.stop()
    assert reader.errors == [] and reader.mixed == [] and reader.reads > 20
    assert sorted(file.name for file in (tmp_path / ".wiki").iterdir()) == [
        ".gitignore", "build.db", "cache.db", "doit.db", "id", "index.json", "lock", "vectors.db"]


def test_a_page_that_broke_and_was_mended_keeps_its_vectors(tmp_path):
    with OllamaServer() as server:
        settings = tmp_path / "wiki.yaml"
        settings.write_text(f"embedding: {{ backend: ollama, url: '{server.url}' }}\n")
        files = [write(tmp_path, number) for number in range(3)]
        assert doit(tmp_path).returncode == 0
        whole, asked = files[1].read_bytes(), len(server.asked)
        files[1].write_text("---\ntype: [\n---\n")
        doit(tmp_path)
        settings.write_text(settings.read_text() + "retrieval: { budget: 900 }\n")
        doit(tmp_path)
        assert rows(tmp_path, "select (select count(*) from pieces), (select count(*) from embeddings_rowids)") == [(3, 3)], "while it is broken"
        files[1].write_bytes(whole)
        doit(tmp_path)
        settings.write_text(settings.read_text().replace("900", "800"))
        assert doit(tmp_path).returncode == 0
        assert rows(tmp_path, "select (select count(*) from pieces), (select count(*) from embeddings_rowids)") == [(3, 3)]
        assert len(server.asked) == asked


def test_what_a_killed_run_had_begun_with_goes_when_the_edit_is_taken_back(bundle):
    """doit remembers nothing of a run that was killed, and the files are again as it knows them."""
    before = rows(bundle, "select * from links"), rows(bundle, "select _path, body from concepts")
    file = bundle / "entities" / "p1.md"
    text = file.read_bytes()
    file.write_bytes(text + b"See [Person 2](p2.md).\n")
    with closing(Store(bundle).open()) as db:
        parse(db, bundle, settled_scan(bundle))
        validate(db)
        edges(db)
    file.write_bytes(text)
    assert doit(bundle).returncode == 0
    assert (rows(bundle, "select * from links"), rows(bundle, "select _path, body from concepts")) == before
    assert ran(bundle) == []


def test_what_doit_could_not_note_is_done_again(bundle):
    """Nor is a run that is killed after it published taken for one that came to its end."""
    write(bundle, 99)
    with closing(apsw.Connection(str(bundle / ".wiki" / "doit.db"))) as other:
        other.execute("begin immediate")
        assert "does this again" in doit(bundle).stdout
        other.execute("rollback")
    (bundle / "entities" / "p99.md").unlink()
    assert doit(bundle).returncode == 0
    assert rows(bundle, "select count(*) from concepts") == [(8,)]
    assert ran(bundle) == []


def test_one_task_alone_leaves_the_others_their_work_and_then_there_is_none(bundle):
    before = rows(bundle, "select * from links"), rows(bundle, "select _path, body from concepts")
    file = bundle / "entities" / "p1.md"
    text = file.read_bytes()
    file.write_bytes(text + b"See [Person 2](p2.md).\n")
    assert "edges" in ran(bundle, "edges")
    file.write_bytes(text)
    assert "edges" in ran(bundle)
    assert (rows(bundle, "select * from links"), rows(bundle, "select _path, body from concepts")) == before
    os.utime(file)
    assert ran(bundle, "parse") == ["parse"]
    assert ran(bundle, "parse") == []
    assert "edges" not in ran(bundle)
    assert ran(bundle) == []


class Reader(threading.Thread):
    """Reads wiki.db over and over; in one wiki all sixty people like the same tea."""

    def __init__(self, bundle: Path) -> None:
        super().__init__(daemon=True)
        self.bundle, self.errors, self.mixed, self.reads, self.on = bundle, [], [], 0, True
        self.start()

    def run(self) -> None:
        while self.on:
            try:
                likes = rows(self.bundle, "select distinct substr(body, instr(body, 'likes')), count(*) over () from concepts")
                self.reads += 1
                if len(likes) != 1:
                    self.mixed.append(likes)
            except (apsw.Error, OSError) as fault:
                self.errors.append(fault)
            time.sleep(0.005)

    def stop(self) -> None:
        self.on = False
        self.join()


def test_errors_name_the_file_and_fail_the_run_but_the_rest_is_built(bundle):
    (bundle / "entities" / "bad.md").write_text("---\ntitle: No type\n---\n")
    write(bundle, 9)
    done = doit(bundle)
    assert done.returncode != 0 and "entities/bad.md:1: type:" in done.stdout and "Traceback" not in done.stdout + done.stderr
    assert rows(bundle, "select count(*) from concepts") == [(9,)]
    assert doit(bundle).returncode != 0, "as long as the error stands"
    (bundle / "entities" / "bad.md").unlink()
    assert doit(bundle).returncode == 0


def test_what_is_legal_but_probably_misspelt_is_a_warning(bundle):
    (bundle / "entities" / "ann.md").write_text("---\ntype: Person\nalias: [Annie]\n---\n")
    done = doit(bundle)
    assert done.returncode == 0 and "entities/ann.md:3: unknown key 'alias'; did you mean 'aliases'? [unknown-key]" in done.stdout


def test_no_file_name_commands_the_terminal(bundle):
    (bundle / "entities" / "\x1b[31m\u202ebad.md").write_text("---\ntitle: No type\n---\n")
    done = doit(bundle)
    assert done.returncode != 0 and "bad.md" in done.stdout
    assert not {"\x1b", "\u202e"} & set(done.stdout + done.stderr)


def test_on_invalid_stop_publishes_nothing(bundle):
    before = (bundle / "wiki.db").read_bytes()
    (bundle / "entities" / "bad.md").write_text("---\ntitle: No type\n---\n")
    done = doit(bundle, "on_invalid=stop")
    assert done.returncode != 0 and "entities/bad.md" in done.stdout and (bundle / "wiki.db").read_bytes() == before


@pytest.mark.parametrize("name", ["build.db", "cache.db", "doit.db", "vectors.db", "id", "index.json"])
@pytest.mark.parametrize("harm", [b"", b"garbage" * 1000, None])
def test_damaged_working_state_is_rebuilt(bundle, name, harm):
    file = bundle / ".wiki" / name
    file.write_bytes(file.read_bytes()[:len(file.read_bytes()) // 2] if harm is None else harm)
    write(bundle, 2, "cocoa")
    done = doit(bundle)
    assert done.returncode == 0 and "Traceback" not in done.stdout + done.stderr
    assert rows(bundle, "select count(*) from concepts where body like '%cocoa%'") == [(1,)]
    assert ran(bundle) == []


def test_without_the_build_database_the_rows_come_back_from_the_pages_that_were_read(bundle):
    every = "select * from concepts order by _path"
    before = rows(bundle, every)
    (bundle / ".wiki" / "build.db").unlink()
    done = doit(bundle)
    assert done.returncode == 0 and "0 of" in done.stdout
    assert rows(bundle, every) == before
    assert ran(bundle) == []


def test_pages_torn_inside_the_build_database_are_noticed(bundle):
    file = bundle / ".wiki" / "build.db"
    data = bytearray(file.read_bytes())
    data[4096:] = random.Random(1).randbytes(len(data) - 4096)
    file.write_bytes(data)
    write(bundle, 2, "cocoa")
    done = doit(bundle)
    assert done.returncode == 0 and "damaged" in done.stderr
    assert rows(bundle, "select count(*) from concepts where body like '%cocoa%'") == [(1,)]


@pytest.mark.parametrize("text, told", [
    ("embeding: {}", "did you mean 'embedding'"), ("embedding: { backend: gpu }", "gpu"), ("a: [", "wiki.yaml:"),
    ("- x", "mapping"), ("retrieval: { budget: many }", "whole number"),
    ("retrieval: { hop_decay: 0 }", "wiki.yaml:1: retrieval.hop_decay must be from 0.01 to 1, not 0."), ("multi_valued: has_part", "a list is needed"),
    ("on_invalid: stopp", "wiki.yaml: on_invalid: 'stopp' is neither keep nor stop."), ("a:\n\tb: c", "wiki.yaml:2: not valid YAML: indent with spaces")])
def test_a_fault_in_wiki_yaml_is_one_sentence(bundle, text, told):
    (bundle / "wiki.yaml").write_text(text)
    done = doit(bundle)
    assert done.returncode != 0 and told in done.stdout and "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("word, told", [
    ("embeding=none", "There is no variable 'embeding'; did you mean embedding=none?"),
    ("on_invalid=stopp", "on_invalid=stopp: there is no such choice; did you mean stop?"),
    ("embedding=gpu", "embedding=gpu: there is no such backend; there are local, ollama, none.")])
def test_a_misspelt_variable_is_one_sentence_before_any_task_runs(bundle, word, told):
    write(bundle, 3, "coffee")
    for words in ([word], ["list", word]):
        done = doit(bundle, *words)
        assert done.returncode != 0 and (done.stdout, done.stderr) == ("", told + "\n")


def test_a_variable_of_a_task_beside_ours_is_let_through(bundle):
    assert doit(bundle, "colour=red").returncode == 0


def test_a_missing_bundle_is_one_sentence(tmp_path):
    done = doit(tmp_path / "nowhere")
    assert done.returncode != 0 and "no bundle at" in done.stderr and "Traceback" not in done.stderr


def test_switching_the_backend_embeds_all_and_back_costs_nothing(bundle):
    with OllamaServer() as server:
        (bundle / "wiki.yaml").write_text(f"embedding: {{ backend: ollama, url: '{server.url}' }}\n")
        assert doit(bundle).returncode == 0 and len(server.asked) == 8
        assert doit(bundle, "embedding=none").returncode == 0
        assert rows(bundle, "select value from meta where key = 'embedder'") == [("none",)]
        assert doit(bundle).returncode == 0 and len(server.asked) == 8
        assert doit(bundle, "reindex").returncode == 0 and len(server.asked) == 8
        assert doit(bundle, "reindex", "--fresh-vectors").returncode == 0 and len(server.asked) == 16


def test_a_backend_that_dies_half_way_leaves_the_old_wiki_and_keeps_its_vectors(tmp_path):
    with OllamaServer() as server:
        (tmp_path / "wiki.yaml").write_text(f"embedding: {{ backend: ollama, url: '{server.url}', batch: 2, retries: 0 }}\n")
        for number in range(2):
            write(tmp_path, number)
        assert doit(tmp_path).returncode == 0
        before = (tmp_path / "wiki.db").read_bytes()
        for number in range(2, 8):
            write(tmp_path, number)
        server.faults += ["ok", "error 500"]
        done = doit(tmp_path)
        assert done.returncode != 0 and "Traceback" not in done.stdout + done.stderr and (tmp_path / "wiki.db").read_bytes() == before
        assert doit(tmp_path).returncode == 0
        assert len(server.asked) == len(set(server.asked)) == 8
        (tmp_path / "wiki.yaml").write_text(f"embedding: {{ backend: ollama, url: '{server.url}', retries: 0, on_failure: lexical }}\n")
        write(tmp_path, 9)
        server.faults += ["error 500"]
        done = doit(tmp_path)
        assert done.returncode == 0 and "for want of the backend" in done.stdout
        assert rows(tmp_path, "select value <> '' from meta where key = 'degraded'") == [(1,)]
        assert "embeddings" in ran(tmp_path), "the backend is back"
    assert rows(tmp_path, "select value <> '' from meta where key = 'degraded'") == [(0,)]


def test_a_wiki_in_its_own_repository_needs_two_lines(tmp_path):
    shutil.copytree(ROOT / "bundle" / "computations", tmp_path / "bundle" / "computations")
    (tmp_path / "dodo.py").write_text('"""This wiki\'s build."""\nfrom okf_graph_wiki.dodo import *\n')
    done = subprocess.run([sys.executable, "-m", "doit", "embedding=none"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "bundle" / "wiki.db").exists() and (tmp_path / "bundle" / "timeline.md").exists()
