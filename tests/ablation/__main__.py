"""Command: `python -m tests.ablation ranking|gate|gate-words BUNDLE...`, the bundles built and labelled."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.ablation import gate, ranking
from tests.ablation.sets import load


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.ablation", description=__doc__)
    parser.add_argument("what", choices=("ranking", "gate", "gate-words"),
                        help="the ranking's factors; the gate's signals; the gate's signals when there are no vectors")
    parser.add_argument("bundle", nargs="+", type=Path, help="a folder with wiki.db and evaluate.json")
    given = parser.parse_args()
    bundles = [load(folder) for folder in given.bundle]
    lines = ranking.table(bundles) if given.what == "ranking" else gate.report(bundles, given.what == "gate")
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
