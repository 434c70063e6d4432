"""Executor: run an attested computation of runtime sqlite on wiki.db and print its receipt.

    python references/executors/run_on_wiki.py computations/NAME.md name=value ...
"""
import json
import re
import sqlite3
import sys
from pathlib import Path

import yaml

BUNDLE = Path(__file__).resolve().parents[2]


def read_computation(concept: str) -> tuple[list[dict], str]:
    """The declared parameters and the sanctioned SQL of a concept file."""
    text = (BUNDLE / concept).read_text(encoding="utf-8")
    frontmatter, body = re.match(r"---\n(.*?)\n---\n(.*)", text, re.S).groups()
    sql = re.search(r"^# Computation\s+```sql\n(.*?)\n```", body, re.S | re.M).group(1)
    return yaml.safe_load(frontmatter)["parameters"], sql


def bind(declared: list[dict], given: dict[str, str]) -> dict[str, str | None]:
    """One value for each declared parameter; an optional one that is not given is NULL."""
    names = [parameter["name"] for parameter in declared]
    required = [parameter["name"] for parameter in declared if parameter.get("required")]
    if unknown := sorted(set(given) - set(names)):
        sys.exit(f"not a parameter of this computation: {', '.join(unknown)}; it takes {', '.join(names)}")
    if missing := [name for name in required if name not in given]:
        sys.exit(f"give a value for {', '.join(missing)}, as in {missing[0]}=VALUE")
    return {name: given.get(name) for name in names}


def run(sql: str, parameters: dict[str, str | None]) -> tuple[list[dict], str]:
    """The rows the query yields, and the generation of the wiki it ran on."""
    wiki = sqlite3.connect(f"{(BUNDLE / 'wiki.db').as_uri()}?mode=ro", uri=True)
    wiki.row_factory = sqlite3.Row
    try:
        rows = [dict(row) for row in wiki.execute(sql, parameters)]
        generation = wiki.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()["value"]
    finally:
        wiki.close()
    return rows, generation


def main(arguments: list[str]) -> None:
    if not arguments or not all("=" in argument for argument in arguments[1:]):
        sys.exit("usage: run_on_wiki.py computations/NAME.md name=value ...")
    if not (BUNDLE / "wiki.db").exists():
        sys.exit("there is no wiki.db in this bundle yet: run doit first")
    declared, sql = read_computation(arguments[0])
    parameters = bind(declared, dict(argument.split("=", 1) for argument in arguments[1:]))
    result, generation = run(sql, parameters)
    receipt = {
        "computation": arguments[0],
        "generation": generation,
        "executed_sql": sql,
        "parameters": parameters,
        "result": result,
    }
    print(json.dumps(receipt, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])
