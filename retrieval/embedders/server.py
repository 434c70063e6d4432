"""One question to a server and its answer, within bounded time and memory; every fault a sentence with its remedy."""

from __future__ import annotations

import ipaddress
import json
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from retrieval.errors import EmbedderError, SettingsError

if TYPE_CHECKING:
    import requests

_FIRST_PAUSE = 0.25
_CONNECT = 5.0
_LONGEST_ANSWER = 256 * 1024 * 1024
"""Bytes; 32 vectors of 768 numbers take half a megabyte."""


class Server:
    """Ollama at a URL. What may pass by itself (no connection, a time-out, a 5xx) is tried again, ever more slowly."""

    def __init__(self, url: str, timeout: float, retries: int, sleep: Callable[[float], None] = time.sleep) -> None:
        """Raises SettingsError for an unusable URL; connects to nothing yet."""
        self.url = _checked(url)
        self._timeout = timeout
        self._retries = retries
        self._sleep = sleep

    def ask(self, path: str, payload: dict[str, Any] | None = None) -> tuple[int, bytes]:
        """Status and body of the first answer below 500. Raises EmbedderError when there is none."""
        import requests
        trouble = ""
        for attempt in range(self._retries + 1):
            if attempt:
                self._sleep(_FIRST_PAUSE * 2 ** (attempt - 1))
            try:
                status, body = self._exchange(path, payload)
            except requests.exceptions.RequestException as fault:
                trouble = self._trouble(fault)
                if not _may_pass(fault):
                    break
            else:
                if status < 500:
                    return status, body
                trouble = (f"Ollama at {self.url} fails with HTTP {status} ({shown(part(body, 'error') or body)}): "
                           "look into its log, and run again when that is mended.")
        raise EmbedderError(trouble)

    def _exchange(self, path: str, payload: dict[str, Any] | None) -> tuple[int, bytes]:
        wait = (min(_CONNECT, self._timeout), self._timeout)
        with self._session.request("GET" if payload is None else "POST", self.url + path, json=payload,
                                   timeout=wait, stream=True, allow_redirects=False) as answer:
            body = bytearray()
            for chunk in answer.iter_content(65_536):
                body += chunk
                if len(body) > _LONGEST_ANSWER:
                    raise EmbedderError(f"{self.url} sends an answer without end: check embedding.url in wiki.yaml.")
            return answer.status_code, bytes(body)

    @cached_property
    def _session(self) -> requests.Session:
        import requests
        session = requests.Session()
        # A proxy named in the environment cannot reach what "localhost" means here.
        session.trust_env = not _is_this_machine(urlsplit(self.url).hostname or "")
        return session

    def _trouble(self, fault: requests.exceptions.RequestException) -> str:
        from requests import exceptions
        if isinstance(fault, exceptions.Timeout) or "timed out" in str(fault):
            return (f"Ollama at {self.url} did not answer within {self._timeout:g} s: "
                    "raise embedding.timeout or lower embedding.batch in wiki.yaml.")
        if isinstance(fault, exceptions.SSLError):
            return f"{self.url} offers no valid certificate: check embedding.url in wiki.yaml."
        if isinstance(fault, exceptions.ChunkedEncodingError) or "Connection aborted" in str(fault):
            return f"Ollama at {self.url} broke off before its answer was whole: look into its log, and run again."
        if isinstance(fault, exceptions.ConnectionError):
            return f"Ollama is not reachable at {self.url}: start it with `ollama serve`, or correct embedding.url in wiki.yaml."
        return f"{self.url} cannot be asked ({shown(str(fault))}): check embedding.url in wiki.yaml."


def part(body: bytes, key: str) -> Any:
    """What a JSON answer holds under `key`; None when it is no such answer."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer.get(key) if isinstance(answer, dict) else None


def shown(said: str | bytes) -> str:
    """The beginning of what a server said, fit for a line on a terminal."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text[:300]).split())
    return text[:120] or "nothing said"


def _may_pass(fault: requests.exceptions.RequestException) -> bool:
    """Connections and time-outs mend themselves; certificates and malformed answers do not."""
    from requests import exceptions
    passing = (exceptions.ConnectionError, exceptions.Timeout, exceptions.ChunkedEncodingError)
    return isinstance(fault, passing) and not isinstance(fault, exceptions.SSLError)


def _checked(url: str) -> str:
    """The URL without a slash at its end. It is stored in wiki.db, so it may hold no password."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and not (parts.query or parts.fragment)
    except ValueError:
        sound = False
    if not sound or any(sign.isspace() or not sign.isprintable() for sign in url):
        raise SettingsError(f"embedding.url: {url!r} is not the address of a server, such as http://localhost:11434.")
    if parts.username is not None or parts.password is not None:
        raise SettingsError("embedding.url holds a user name or password, which would be published with the wiki: leave it out.")
    return url.rstrip("/")


def _is_this_machine(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified
