"""A server on this machine that speaks Ollama's protocol (/api/embed, /api/tags), and misbehaves on demand.

    with OllamaServer() as server:              # vectors of tests/stub_embedder.py
        OllamaEmbedder(EmbeddingSettings(url=server.url))
        server.faults += ["error 500", "ok"]    # what the next requests to /api/embed meet; then all is well again

Alone, `python -m tests.ollama_server 11434` serves until it is stopped.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.stub_embedder import DIMENSION, numbers

CONTEXT = 2048
"""Characters after which this server's model has no room."""


class OllamaServer:
    """Serves on a free port from `with` to its end; `asked` holds every text in the order in which it came."""

    def __init__(self, model: str = "nomic-embed-text", port: int = 0, context: int = CONTEXT) -> None:
        self.model = model
        self.context = context
        self.digest = "0a109f422b47"
        self.asked: list[str] = []
        self.requests: list[dict] = []
        self.faults: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> OllamaServer:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def serve(self) -> None:
        self._http.serve_forever()


def _handler(server: OllamaServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            if self.path == "/api/tags":
                name = server.model if ":" in server.model else f"{server.model}:latest"
                self.answer(200, {"models": [{"name": name, "model": name, "digest": server.digest}]})
            else:
                self.answer(404, b"404 page not found")

        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/api/embed":
                return self.answer(404, b"404 page not found")
            server.requests.append(question)
            if question["model"].removesuffix(":latest") != server.model.removesuffix(":latest"):
                return self.answer(404, {"error": f'model "{question["model"]}" not found, try pulling it first'})
            if max(map(len, question["input"])) > server.context and not question["truncate"]:
                return self.answer(400, {"error": "the input length exceeds the context length"})
            fault = server.faults.pop(0) if server.faults else "ok"
            vectors = [numbers(text) for text in question["input"]]
            if fault in _FAULTS:
                return _FAULTS[fault](self, vectors)
            server.asked += question["input"]
            self.answer(200, {"model": question["model"], "embeddings": vectors})

        def answer(self, status: int, body: dict | bytes) -> None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def die(self, sent: bytes) -> None:
            """Promise more than is sent, and hang up."""
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + sent if sent else b"")
            self.close_connection = True

    return Handler


def _with_first(number: str):
    """Vectors of which the first begins with `number`, as JSON that Python would not write by itself."""
    def answer(handler, vectors) -> None:
        rows = json.dumps([["FIRST", *vectors[0][1:]], *vectors[1:]]).replace('"FIRST"', number)
        handler.answer(200, f'{{"embeddings": {rows}}}'.encode())
    return answer


def _hang(handler, vectors) -> None:
    time.sleep(1.5)
    handler.close_connection = True


def _slow(handler, vectors) -> None:
    time.sleep(0.2)
    handler.answer(200, {"embeddings": vectors})


_FAULTS = {
    "error 500": lambda handler, _: handler.answer(500, {"error": "llama runner process has terminated"}),
    "error 401": lambda handler, _: handler.answer(401, {"error": "unauthorized"}),
    "redirect": lambda handler, _: handler.answer(307, b""),
    "hang": _hang,
    "slow": _slow,
    "dies at once": lambda handler, _: handler.die(b""),
    "dies half-way": lambda handler, _: handler.die(b'{"embeddings": [[0.1'),
    "not JSON": lambda handler, _: handler.answer(200, b"<html>\x1b[31mhello</html>"),
    "deep JSON": lambda handler, _: handler.answer(200, b"[" * 200_000),
    "no vectors": lambda handler, _: handler.answer(200, {"embedding": [0.1]}),
    "one too few": lambda handler, vectors: handler.answer(200, {"embeddings": vectors[1:]}),
    "words": lambda handler, vectors: handler.answer(200, {"embeddings": [["a"] * DIMENSION for _ in vectors]}),
    "a number": lambda handler, vectors: handler.answer(200, {"embeddings": [0.5 for _ in vectors]}),
    "empty vector": lambda handler, vectors: handler.answer(200, {"embeddings": [[] for _ in vectors]}),
    "other dimension": lambda handler, vectors: handler.answer(200, {"embeddings": [row[1:] + [0.1, 0.1] for row in vectors]}),
    "huge dimension": lambda handler, vectors: handler.answer(200, {"embeddings": [[0.1] * 9000 for _ in vectors]}),
    "zeros": lambda handler, vectors: handler.answer(200, {"embeddings": [[0] * DIMENSION for _ in vectors]}),
    "NaN": _with_first("NaN"),
    "Infinity": _with_first("-Infinity"),
    "1e400": _with_first("1" + "0" * 400),
}


if __name__ == "__main__":
    OllamaServer(port=int(sys.argv[1])).serve()
