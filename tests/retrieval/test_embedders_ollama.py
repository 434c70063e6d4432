"""The Ollama backend against a server on this machine that speaks its protocol, faults included."""

import array
import math
import socket

import pytest

from retrieval.embedders import EmbeddingSettings
from retrieval.embedders.ollama import OllamaEmbedder
from retrieval.embedders.text import LONGEST_QUESTION
from retrieval.errors import EmbedderError, SettingsError
from tests.ollama_server import OllamaServer
from tests.stub_embedder import DIMENSION, vector


@pytest.fixture
def server():
    with OllamaServer() as running:
        yield running


def opened(server, **settings):
    """An embedder that notes its pauses in place of making them."""
    pauses = []
    embedder = OllamaEmbedder(EmbeddingSettings(**{"url": server.url, "timeout": 0.5, **settings}), sleep=pauses.append)
    embedder.pauses = pauses
    return embedder


class TestVectors:
    def test_come_in_order_and_in_batches(self, server):
        embedder = opened(server, batch=2)
        assert embedder.passages(["one", "two", "three"]) == [
            vector(f"search_document: {word}") for word in ("one", "two", "three")]
        assert [len(request["input"]) for request in server.requests] == [2, 1]
        assert all(request["truncate"] is False for request in server.requests)
        assert embedder.dimension == DIMENSION

    def test_a_question_has_its_own_prefix(self, server):
        assert opened(server).query("one") == vector("search_query: one")

    def test_another_model_has_no_prefix_unless_one_is_set(self):
        with OllamaServer(model="mxbai-embed-large") as server:
            opened(server, model="mxbai-embed-large").query("one")
            opened(server, model="mxbai-embed-large", query_prefix="Q: ").query("one")
            assert server.asked == ["one", "Q: one"]

    def test_are_brought_to_length_one(self, server, monkeypatch):
        monkeypatch.setattr("tests.ollama_server.numbers", lambda text: [3e200, 4e200])
        assert array.array("f", opened(server).query("x")).tolist() == pytest.approx([0.6, 0.8])

    def test_the_dimension_is_learned_once(self, server):
        embedder = opened(server)
        assert (embedder.dimension, embedder.dimension, len(server.requests)) == (DIMENSION, DIMENSION, 1)

    def test_unfit_characters_are_replaced(self, server):
        opened(server).passages(["a\0b\ud800"])
        assert server.asked == ["search_document: a b?"]

    def test_of_a_question_without_end_the_beginning_is_asked(self, server):
        opened(server).query("x" * 100_000)
        assert len(server.asked[0]) == len("search_query: ") + LONGEST_QUESTION


class TestTextsLongerThanTheContext:
    def test_are_the_mean_of_their_parts_so_that_the_end_counts(self):
        with OllamaServer(context=60) as server:
            embedder = opened(server)
            long, short = embedder.passages(["apple " * 20 + "pear", "pear"])
            assert math.hypot(*array.array("f", long)) == pytest.approx(1, abs=1e-5)
            assert short == vector("search_document: pear")
            heard = " ".join(text.removeprefix("search_document: ") for text in server.asked)
            assert heard.split().count("apple") == 20 and heard.split().count("pear") == 2

    def test_a_text_without_spaces_too(self):
        with OllamaServer(context=60) as server:
            opened(server).passages(["苹" * 500])
            assert sum(text.count("苹") for text in server.asked) == 500

    def test_a_prefix_that_fills_the_context_is_told(self):
        with OllamaServer(context=10) as server:
            with pytest.raises(EmbedderError, match="shorten the prefix"):
                opened(server).passages(["apple " * 20])


class TestWhatPassesByItself:
    @pytest.mark.parametrize("fault", ["error 500", "dies at once", "dies half-way", "hang"])
    def test_is_tried_again(self, server, fault):
        server.faults += [fault, fault]
        embedder = opened(server)
        assert embedder.passages(["one"]) == [vector("search_document: one")]
        assert embedder.pauses == [0.25, 0.5]

    @pytest.mark.parametrize("fault, told", [
        ("error 500", "fails with HTTP 500 (llama runner process has terminated): look into its log"),
        ("dies at once", "broke off before its answer was whole"),
        ("dies half-way", "broke off before its answer was whole"),
        ("hang", "did not answer within 0.5 s: raise embedding.timeout"),
    ])
    def test_is_told_when_it_does_not_pass(self, server, fault, told):
        server.faults += [fault] * 4
        embedder = opened(server)
        with pytest.raises(EmbedderError) as error:
            embedder.passages(["one"])
        assert told in str(error.value)
        assert embedder.pauses == [0.25, 0.5, 1.0] and not server.faults

    def test_a_slow_answer_is_waited_for(self, server):
        server.faults += ["slow"]
        embedder = opened(server)
        assert embedder.query("one") == vector("search_query: one") and embedder.pauses == []


class TestWhatDoesNotPass:
    @pytest.mark.parametrize("fault, told", [
        ("error 401", "answered HTTP 401 (unauthorized): check embedding.url"),
        ("redirect", "answered HTTP 307"),
        ("not JSON", "holds no vectors (<html> [31mhello</html>)"),
        ("deep JSON", "holds no vectors ([[["),
        ("no vectors", "holds no vectors"),
        ("one too few", "returned 1 vectors for 2 texts"),
        ("words", "something else than a list of numbers"),
        ("a number", "something else than a list of numbers"),
        ("empty vector", "something else than a list of numbers"),
        ("huge dimension", "vectors of 9000 numbers, more than the 8192"),
        ("zeros", "a vector of zeros alone"),
        ("NaN", "numbers that are not finite"),
        ("Infinity", "numbers that are not finite"),
        ("1e400", "numbers that are not finite"),
    ])
    def test_is_told_at_once_in_one_line(self, server, fault, told):
        server.faults += [fault]
        embedder = opened(server)
        with pytest.raises(EmbedderError) as error:
            embedder.passages(["one", "two"])
        assert told in str(error.value) and str(error.value).isprintable()
        assert embedder.pauses == [] and len(server.requests) == 1

    def test_another_dimension_than_before(self, server):
        embedder = opened(server)
        embedder.passages(["one"])
        server.faults += ["other dimension"]
        with pytest.raises(EmbedderError, match="vectors of 32 and of 33 numbers"):
            embedder.passages(["two"])

    def test_a_model_that_was_not_pulled(self, server):
        for ask in (lambda embedder: embedder.query("one"), lambda embedder: embedder.fingerprint):
            with pytest.raises(EmbedderError, match="does not have the model 'mxbai': run `ollama pull mxbai`"):
                ask(opened(server, model="mxbai"))

    def test_a_server_that_is_no_ollama(self, server):
        with pytest.raises(EmbedderError, match="answered HTTP 404 .404 page not found.: check embedding.url"):
            opened(server, url=server.url + "/v1").query("one")

    def test_no_server(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        embedder = OllamaEmbedder(EmbeddingSettings(url=url), sleep=lambda seconds: None)
        with pytest.raises(EmbedderError, match=f"not reachable at {url}: start it with `ollama serve`"):
            embedder.query("one")


class TestFingerprint:
    def test_costs_no_embedding_and_follows_weights_and_prefixes(self, server):
        first = opened(server).fingerprint
        assert opened(server).fingerprint == first and opened(server).comparable(first)
        assert not opened(server, query_prefix="").comparable(first)
        server.digest = "another"
        assert not opened(server).comparable(first)
        assert server.requests == []

    def test_the_tag_of_a_model_may_be_named(self):
        with OllamaServer(model="bge-m3:567m") as server:
            assert opened(server, model="bge-m3:567m").fingerprint


class TestUrl:
    @pytest.mark.parametrize("url", ["", "localhost:11434", "ftp://host", "http://", "http://host:port", "http://host:99999",
                                     "http://[::1", "http://a b", "http://host\n", "http://host?x=1", "http://host#x"])
    def test_that_is_none_is_refused(self, url):
        with pytest.raises(SettingsError, match="is not the address of a server"):
            OllamaEmbedder(EmbeddingSettings(url=url))

    def test_with_a_password_is_refused_without_telling_it(self):
        with pytest.raises(SettingsError) as error:
            OllamaEmbedder(EmbeddingSettings(url="http://ada:secret@host"))
        assert "secret" not in str(error.value)

    def test_may_end_with_a_slash(self, server):
        assert opened(server, url=server.url + "/").query("one")

    def test_of_this_machine_is_asked_past_any_proxy(self, server, monkeypatch):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert opened(server, retries=0).query("one")
