"""The DAG: one task per product, thin wrappers around the stage functions. `doit list` shows the tasks.

    doit                       compile what changed in bundle/ (where there is none: in this folder)
    doit bundle=PATH           compile another bundle; its working state lies in PATH/.wiki/
    doit embedding=none        override wiki.yaml for one run: local, ollama or none
    doit on_invalid=stop       publish nothing while a concept file has errors
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import os
import sqlite3  # doit keeps its state in it
import sys
import time
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

from doit import Globals, doit_cmd, get_initial_workdir, get_var
from doit.dependency import UptodateCalculator
from doit.exceptions import TaskFailed
from doit.reporter import ConsoleReporter
from doit.task import result_dep

import retrieval
from pipeline.freshness import Given, Made, content, manifest, trace
from pipeline.store import StateDamaged, Store
from retrieval.errors import WikiError
from retrieval.terminal import end_at_once, end_with_the_reader, put, take_any_encoding


def place(given: str) -> Path:
    """A path as the person meant it: from where they stand, though doit goes to the folder of dodo.py."""
    stood = get_initial_workdir() or "."
    return Path(given) if os.path.samefile(stood, ".") else Path(stood, given)


VARIABLES = ("bundle", "embedding", "on_invalid", "path")
"""What may be given as name=value on the command line."""


def check_variables() -> None:
    """Refuse what nothing would read, as far as it can be told: a task beside ours may have variables of its own.

    doit itself takes any name and any value, and has no public list of them.
    """
    for name, value in (doit_cmd._CMDLINE_VARS or {}).items():
        if name not in VARIABLES and (close := nearest(name, VARIABLES)):
            raise SystemExit(f"There is no variable {name!r}; did you mean {close}={value}?")
        if name == "embedding" and value:
            from retrieval.embedders.settings import BACKENDS
            demand_known(f"embedding={value}: there is no such backend", value, BACKENDS)
        if name == "on_invalid" and value:
            from pipeline.settings import ON_INVALID
            demand_known(f"on_invalid={value}: there is no such choice", value, ON_INVALID)


def demand_known(what: str, given: str, known: tuple[str, ...]) -> None:
    """End with a sentence when `given` is none of the known words."""
    if given not in known:
        close = nearest(given, known)
        raise SystemExit(f"{what}; did you mean {close}?" if close else f"{what}; there are {', '.join(known)}.")


def nearest(given: str, known: tuple[str, ...]) -> str:
    """The known word that was most likely meant; empty when none is like it."""
    from difflib import get_close_matches
    return next(iter(get_close_matches(given, known, 1)), "")


gc.set_threshold(100_000)  # what a run makes is kept to its end: looking for garbage was an eighth of one without changes
check_variables()
BUNDLE = place(get_var("bundle")) if get_var("bundle") else Path("bundle" if os.path.isdir("bundle") else ".")
OVERRIDES = {name: get_var(name) for name in ("embedding", "on_invalid")}
TEMPLATES = Path(__file__).with_name("templates")
DEFAULTS = [Path(retrieval.__file__).parent / name for name in ("settings.py", "embedders/settings.py")]
STORE = Store(BUNDLE)
FINDINGS_SHOWN = 20
DEGRADED = STORE.folder / "degraded"
"""Stands while vectors are missing for want of the backend: the next run tries it again."""
STARTED = time.perf_counter()

said: dict[str, str] = {}
"""What each task that ran has to tell, in a few words."""
published: list[bytes] = []
"""The checksum of build.db, once it was published."""
unnoted: list[sqlite3.Error] = []
"""Why doit could not note what ran."""

take_any_encoding()
end_with_the_reader(True)  # as of `doit list`
end_at_once("stopped; what was finished is kept, and the next run goes on from there")
if not os.path.isdir(BUNDLE):
    raise SystemExit(f"There is no bundle at {BUNDLE}: name its folder with doit bundle=PATH.")
try:
    STORE.prepare()
except WikiError as fault:
    raise SystemExit(str(fault)) from None
SEALED = STORE.is_sealed()


# Stages are imported where they run: a run in which nothing changed needs neither YAML nor SQLite.

@functools.cache
def settings():
    from pipeline.settings import load_settings
    return load_settings(BUNDLE, **OVERRIDES)


def run_parse(db) -> str:
    from pipeline.parse import parse
    from pipeline.progress import Progress
    looked_at = [0]

    def count(done: int, total: int) -> None:
        looked_at[0] = done
        progress(done, total)

    with Progress("parse", sys.__stderr__) as progress:
        digest = parse(db, BUNDLE, stamps(), count)
    said["parse"] = f"{looked_at[0]:,} of {len(stamps()):,} files are new or were written to"
    return digest


def run_validate(db) -> dict:
    from pipeline.shown import versions
    from pipeline.validate import findings, validate
    digest = validate(db)
    found = sorted(findings(db), key=lambda finding: finding.level != "error")  # stable: errors first, else by file
    errors = sum(finding.level == "error" for finding in found)
    said["validate"] = "\n".join([
        f"{db.execute('select count(*) from concepts').get:,} concepts, {errors} errors, {len(found) - errors} warnings",
        *map(str, found[:FINDINGS_SHOWN]), *([f"and {len(found) - FINDINGS_SHOWN} more: doit lint"] if len(found) > FINDINGS_SHOWN else [])])
    if errors and settings().on_invalid == "stop":
        raise WikiError(f"{said.pop('validate')}\non_invalid=stop: nothing was published")
    return {"concepts": digest, **versions(db)}


def run_edges(db) -> str:
    from pipeline.edges import edges
    digest = edges(db)
    said["edges"] = "{:,} edges, {:,} links".format(*db.execute("select (select count(*) from edges), (select count(*) from links)").fetchone())
    return digest


def run_fts(db) -> str:
    from pipeline.fts import fts
    digest = fts(db)
    said["fts"] = f"{db.execute('select count(*) from pieces').get:,} pieces"
    return digest


def run_embeddings(db) -> str:
    from pipeline.embeddings import embeddings, open_vectors
    from pipeline.progress import Progress
    from retrieval.embedders import open_embedder
    chosen = settings().embedding
    embedder = open_embedder(chosen.backend, chosen)
    with closing(open_vectors(STORE.folder / "vectors.db")) as vectors, Progress("embed", sys.__stderr__) as progress:
        digest = embeddings(db, vectors, embedder, progress, chosen.on_failure)
    degraded = db.execute("select value from meta where key = 'degraded'").get
    DEGRADED.write_text(degraded) if degraded else DEGRADED.unlink(missing_ok=True)
    said["embeddings"] = f"none, for want of the backend: {degraded}" if degraded else f"{embedder.name} {embedder.model}".strip()
    return digest


STAGES = {"parse": run_parse, "validate": run_validate, "edges": run_edges, "fts": run_fts, "embeddings": run_embeddings}


def run_wiki(db) -> str:
    from pipeline.wiki import wiki
    from retrieval.damage import signature
    generation = wiki(db, STORE, settings())
    published[:] = [signature(STORE.wiki)]
    said["wiki"] = f"generation {generation}, {STORE.wiki.stat().st_size / 1e6:.1f} MB"
    return generation


def run_timeline(db) -> str:
    from pipeline.timeline import timeline
    return timeline(db, BUNDLE, TEMPLATES)


def run_index(db) -> str:
    from pipeline.index import index
    done = index(db, BUNDLE, TEMPLATES, STORE.recall("index.json"))
    STORE.remember("index.json", done.state)
    said["index"] = "\n".join([f"{len(done.state)} folders", *map(str, done.findings)])
    return hashlib.sha256(repr(done.state).encode()).hexdigest()


def run_keywords(db) -> str:
    from pipeline.keywords import keywords
    return keywords(db, BUNDLE, TEMPLATES)


def run_verdict(db) -> None:
    from pipeline.escape import visible
    from pipeline.validate import broken
    if files := broken(db):
        raise WikiError(f"the wiki is built, but {len(files)} files have errors: {visible(', '.join(files[:FINDINGS_SHOWN]))}")


def act(name: str, work) -> object:
    """An action: run `work` on the build database. A user's fault fails the task in a sentence; a bug keeps its traceback."""
    import apsw
    writing = name in STAGES or name == "wiki"
    try:
        try:
            return with_database(work, writing)
        except (apsw.CorruptError, apsw.NotADBError, StateDamaged, UnicodeDecodeError, json.JSONDecodeError):
            print(f"{STORE.folder} was damaged: building it anew", file=sys.__stderr__)
            STORE.clear()
            published.clear()
            for stage in list(STAGES)[:list(STAGES).index(name) if name in STAGES else None]:
                with_database(STAGES[stage])
            return with_database(work, writing)
    except (WikiError, OSError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError) as fault:
        return TaskFailed(str(fault))
    except apsw.SQLError as fault:  # on a full disk SQLite has rolled back by itself, and apsw cannot any more
        if isinstance(fault.__context__, (apsw.FullError, apsw.IOError)):
            return TaskFailed(str(fault.__context__))
        raise


def seal() -> None:
    """Done once doit has noted what ran: mark the working state as that of a run which came to its end.

    Where that fails, the next run asks every stage, and nothing is lost.
    """
    if not unnoted:
        with suppress(OSError):
            STORE.seal(*published)


def with_database(work, writing=True):
    with closing(STORE.open(writing)) as db:
        return work(db)


# What makes a task out of date.

@functools.cache
def stamps():
    """The files of the bundle as they were before any task ran. The first look at them takes the lock."""
    from retrieval.files import settled_scan
    end_with_the_reader(False)  # the work goes on, whoever listens
    try:
        STORE.lock()
        return settled_scan(BUNDLE)
    except (WikiError, OSError) as fault:
        print(fault, file=sys.__stderr__)
        raise SystemExit(1) from None


@functools.cache
def manifest_of_files() -> str:
    return manifest(stamps())


def listings() -> list[Path]:
    """The index.md of every folder that leads to a candidate file, and of the root."""
    leading = {BUNDLE}
    for holding in {stamp.name.rpartition("/")[0] for stamp in stamps()}:
        folder = BUNDLE / holding
        while folder not in leading:
            leading.add(folder)
            folder = folder.parent
    return [folder / "index.md" for folder in sorted(leading)]


FILES = Given("files", manifest_of_files)
# The defaults are compiled into the wiki with what wiki.yaml says, so those of another release are another input.
SETTINGS = Given("settings", lambda: content(BUNDLE / "wiki.yaml") + "".join(map(content, DEFAULTS)) + repr(OVERRIDES))


def template(name: str) -> Given:
    return Given("template", lambda: content(TEMPLATES / name))


def task(name: str, work, *uptodate) -> dict:
    return {"actions": [(act, [name, work])], "uptodate": [SEALED, Made("state", STORE.identity), *uptodate], "teardown": [seal]}


class Shown(UptodateCalculator):
    """Up to date while `validate` has counted no change to what the view shows."""

    def __call__(self, task, values) -> bool:
        now = (self.get_val("validate", "_values_:") or {}).get(task.name)
        task.value_savers.append(lambda: {"shown": now})
        return now is not None and values.get("shown") == now


def view(name: str, work, *uptodate) -> dict:
    """A task that renders what stands in the wiki, once that is published."""
    return task(name, work, Shown(), *uptodate) | {"task_dep": ["wiki"]}


# The tasks, in the order in which they run.

PRODUCTS = ["parse", "validate", "edges", "fts", "embeddings", "wiki", "timeline", "index", "keywords", "verdict"]


def task_parse():
    """Read the concept files that changed, and check them against OKF v0.2 and its extensions."""
    return task("parse", run_parse, FILES)


def task_validate():
    """Bring the concepts in line with the files; tell all findings at once."""
    return task("validate", run_validate, result_dep("parse"), FILES, SETTINGS)


def task_edges():
    """Resolve relations and links."""
    return task("edges", run_edges, result_dep("validate"))


def task_fts():
    """Index the text for BM25."""
    return task("fts", run_fts, result_dep("edges"))


def task_embeddings():
    """Embed new text; known text comes from the vector cache."""
    return task("embeddings", run_embeddings, result_dep("fts"), SETTINGS, lambda: not DEGRADED.exists())


def task_wiki():
    """Publish wiki.db in one step."""
    return task("wiki", run_wiki, result_dep("embeddings"), FILES, SETTINGS, Made("product", lambda: trace([STORE.wiki])))


def task_timeline():
    """Render timeline.md: every dated fact."""
    return view("timeline", run_timeline, template("timeline.md.j2"), Made("product", lambda: trace([BUNDLE / "timeline.md"])))


def task_index():
    """Render index.md of every folder that changed."""
    return view("index", run_index, template("index.md.j2"), Made("product", lambda: trace(listings())))


def task_keywords():
    """Render wiki-trigger-keywords.txt for the prompt hook."""
    return view("keywords", run_keywords, template("keywords.txt.j2"),
                Made("product", lambda: trace([BUNDLE / "wiki-trigger-keywords.txt"])))


def task_verdict():
    """Fail while a concept file has errors."""
    return task("verdict", run_verdict, result_dep("validate"), FILES) | {"task_dep": ["wiki"]}


class FreshVectors(UptodateCalculator):
    """Hands the option of `reindex` to the task that clears; never up to date."""

    def __call__(self, task, values) -> bool:
        stamps()  # the lock, before anything is thrown away
        self.fresh_vectors = self.tasks_dict["reindex"].options["fresh_vectors"]
        return False


def task__clear():
    fresh = FreshVectors()
    return {"actions": [lambda: STORE.clear(vectors=fresh.fresh_vectors)], "uptodate": [fresh]}


def task_reindex():
    """Build everything from nothing, keeping only the vector cache."""
    return {"actions": None, "task_dep": ["_clear", *PRODUCTS], "params": [{
        "name": "fresh_vectors", "long": "fresh-vectors", "type": bool, "default": False,
        "help": "throw the vector cache away too, and embed all text again"}]}


# Tools beside the build. They print their answer alone; what the build has to tell goes to standard error.

def command(action, *needs: str, params=()) -> dict:
    return {"actions": [action], "task_dep": list(needs), "params": list(params), "uptodate": [False]}


def option(name: str, default, help: str, kind=str) -> dict:
    return {"name": name, "long": name.replace("_", "-"), "type": kind, "default": default, "help": help}


def answer(name: str, work):
    """Print the text that `work` returns with whether all is well; a failure when it is not."""
    def said_and_well(db):
        text, well = work(db)
        put(text)
        return None if well else TaskFailed("see above")
    return act(name, said_and_well)


def task_lint():
    """Check the bundle's health: links, inverses, supersession, vocabulary, staleness."""
    def lint(format, output, accept):
        from pipeline.lint.command import lint_command
        return answer("lint", lambda db: lint_command(
            db, BUNDLE, settings().lint, settings().multi_valued, date.today().isoformat(), format=format, output=place(output) if output else None,
            accept=accept, colour=sys.__stdout__.isatty() and "NO_COLOR" not in os.environ))
    return command(lint, "wiki", "index", params=[
        option("format", "text", "text, json, sarif (code scanning) or github (annotations)"),
        option("output", "", "write the report to this file"),
        option("accept", False, "accept today's findings: only new ones fail from now on", bool)])


def task_evaluate():
    """Ask the labelled questions of evaluate.json; fail when the answers are worse than demanded or accepted."""
    def evaluate(format, accept):
        from pipeline.evaluate.command import evaluate_command
        from pipeline.progress import Progress
        from retrieval import Wiki
        with Progress("evaluate", sys.__stderr__) as progress:
            return answer("evaluate", lambda db: evaluate_command(
                db, BUNDLE, settings().evaluate, lambda: Wiki(BUNDLE), date.today().isoformat(), format=format, accept=accept, progress=progress))
    return command(evaluate, "wiki", params=[
        option("format", "text", "text or json"),
        option("accept", False, "later runs are compared with these scores", bool)])


def task_calibrate():
    """Propose the confidence threshold from the labelled questions, with what others would cost."""
    def calibrate(write):
        from pipeline.evaluate.calibrate import calibrate_command
        from pipeline.progress import Progress
        with Progress("calibrate", sys.__stderr__) as progress:
            return answer("calibrate", lambda db: (calibrate_command(
                db, BUNDLE, settings().evaluate.questions, settings().retrieval.confidence_threshold, date.today().isoformat(),
                save=write, progress=progress), True))
    return command(calibrate, "wiki", params=[option("write", False, "write it into wiki.yaml", bool)])


def task_rebuild_candidates():
    """List the concepts made from references/, and which of them need a person's yes to be made anew."""
    def rebuild_candidates(format):
        from pipeline.rebuild_candidates import as_json, as_text, rebuild_candidates
        shown = as_json if format == "json" else as_text
        return answer("rebuild_candidates", lambda db: (shown(rebuild_candidates(db, BUNDLE)), True))
    return command(rebuild_candidates, "wiki", params=[option("format", "text", "text or json")])


def task_hook():
    """Write the prompt hook for an agent's harness: doit hook path=FILE."""
    def hook():
        from pipeline.hook import hook
        if not get_var("path"):
            return TaskFailed("say where to: doit hook path=FILE")
        return answer("hook", lambda db: (hook(place(get_var("path")), BUNDLE, TEMPLATES, BUNDLE / "wiki-trigger-keywords.txt") + "\n", True))
    return command(hook, "keywords")


def task_bench():
    """Measure builds and questions on synthetic bundles, beside the least they could cost; takes minutes."""
    def bench(sizes, quick):
        if not Path(__file__).with_name("tests").is_dir():
            return TaskFailed("doit bench needs the project's source, with its tests")
        from tests.bench.table import print_table, sizes_in
        print_table(sizes_in(sizes, quick), quick)
    return command(bench, params=[
        option("sizes", "", "concepts in each bundle: 100,1000,10000,50000, or with --quick the first two"),
        option("quick", False, "small bundles; measure each thing once, and leave the model out", bool)])


class Outcome(ConsoleReporter):
    """One screen: what ran and what it found, what failed and why, and where that leaves the wiki."""

    desc = "one screen: what changed, counts, findings, time"

    def initialize(self, tasks, selected_tasks):
        self.ran = 0
        if not set(selected_tasks) <= {*PRODUCTS, "reindex"}:
            self.outstream = sys.__stderr__
        self.outstream = self.outstream or sys.__stdout__  # doit began with standard output closed
        for name in ("close", "remove_success"):
            setattr(Globals.dep_manager, name, self.noted(getattr(Globals.dep_manager, name)))

    def noted(self, note):
        """doit's own state may find no room on the disk; no work is lost by that, only done twice."""
        def tried(*given):
            try:
                note(*given)
            except sqlite3.Error as fault:
                unnoted.append(fault)
                self.write(f"doit.db could not be written ({fault}), so the next run does this again\n")
        return tried

    def write(self, text):
        try:
            self.outstream.write(text)
            self.outstream.flush()
        except OSError:  # whoever listened has gone; the work goes on
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.outstream.fileno())

    def execute_task(self, task):
        self.ran += bool(task.actions) and not task.name.startswith("_")

    def add_success(self, task):
        if task.name in said:
            head, *more = said[task.name].split("\n")
            self.write(f"{task.name:<11} {head}\n" + "".join(f"  {line}\n" for line in more))

    def skip_uptodate(self, task):
        pass

    def add_failure(self, task, fail):
        self.failures.append(fail)
        self.write(f"{task.name:<11} failed: {fail.get_msg().strip()}\n")

    def complete_run(self):
        if sys.exc_info()[0] is SystemExit:  # the run was refused, and has said why
            return
        seconds = time.perf_counter() - STARTED
        if self.failures or self.runtime_errors:
            self.write("".join(f"{message}\n" for message in self.runtime_errors) + f"not all is well, {seconds:.1f} s\n")
        else:
            self.write(f"{STORE.wiki} is current, {seconds:.1f} s\n" if self.ran else f"nothing changed; {STORE.wiki} is current\n")


DOIT_CONFIG = {"backend": "sqlite3", "dep_file": str(STORE.folder / "doit.db"), "verbosity": 2,
               "default_tasks": PRODUCTS, "reporter": Outcome}
