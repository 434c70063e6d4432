"""Gives a synthetic bundle the vectors of a stand-in model: python -m tests.bench.embed BUNDLE"""

import sys
from pathlib import Path

from tests.bench.vectors import StandIn
from tests.build import build

build(Path(sys.argv[1]), StandIn())
