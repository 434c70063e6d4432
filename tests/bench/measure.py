"""What a command costs, told by the system when it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Cost(NamedTuple):
    """What a command took."""

    cpu: float
    """Seconds of all cores, its own and the system's on its behalf."""
    wall: float
    """Seconds."""
    peak: float
    """Megabytes of memory at the most."""
    said: str
    """Its standard output."""


def cost_of(*words: str) -> Cost:
    """Run `python words…` at the project's root. Raises RuntimeError with what it said when it fails."""
    # A user's Python keeps the modules it has compiled, so this one may too.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    launch = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")), sys.executable, *words]
    run = subprocess.run(launch, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    code, *figures = run.stderr.splitlines()[-1].split()
    if code != "0":
        raise RuntimeError(f"python {' '.join(words)} failed:\n{run.stdout}{run.stderr}")
    return Cost(*map(float, figures), run.stdout)


def median_of(costs: list[Cost]) -> Cost:
    """The middle of each figure."""
    return Cost(*(median(figures) for figures in zip(*(cost[:3] for cost in costs))), costs[-1].said)
