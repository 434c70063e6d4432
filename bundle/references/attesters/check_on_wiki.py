"""Attester: check the receipt of an attested computation that ran on wiki.db.

    python references/attesters/check_on_wiki.py receipt.json

Prints {"verdict": "pass" | "fail", "reasons": [...]} and ends with status 0 or 1. It shares no code with the
executor: it reads the concept file, binds the parameters and runs the query by itself.
"""
import json
import re
import sqlite3
import sys
from datetime import date
from pathlib import Path

import yaml

BUNDLE = Path(__file__).resolve().parents[2]
FIELDS = {"computation": str, "generation": object, "executed_sql": str, "parameters": dict, "result": list}


def sanctioned(concept: str) -> tuple[dict, str]:
    """Frontmatter and SQL of the concept that the receipt names; it must lie inside this bundle."""
    path = (BUNDLE / concept).resolve()
    if not path.is_relative_to(BUNDLE) or not path.is_file():
        raise ValueError(f"no such computation in this bundle: {concept}")
    parts = path.read_text(encoding="utf-8").split("---\n", 2)
    frontmatter = yaml.safe_load(parts[1])
    if frontmatter["type"] != "Attested Computation" or frontmatter["runtime"] != "sqlite":
        raise ValueError(f"not an attested computation of runtime sqlite: {concept}")
    return frontmatter, re.search(r"# Computation\s+```sql\n(.*?)```", parts[2], re.S).group(1)


def is_of_type(value: object, kind: str) -> bool:
    """Does a bound value fit the declared type? Every value is bound as text or as NULL."""
    if not isinstance(value, str):
        return False
    if kind == "date":
        try:
            return date.fromisoformat(value).isoformat() == value
        except ValueError:
            return False
    return kind == "string"


def parameter_faults(declared: list[dict], bound: dict):
    for name in sorted(set(bound) - {parameter["name"] for parameter in declared}):
        yield f"undeclared parameter: {name}"
    for parameter in declared:
        value = bound.get(parameter["name"])
        if value is None and parameter.get("required"):
            yield f"missing parameter: {parameter['name']}"
        elif value is not None and not is_of_type(value, parameter["type"]):
            yield f"parameter {parameter['name']} is not a {parameter['type']}: {value!r}"


def rerun(sql: str, names: list[str], bound: dict) -> list[dict]:
    wiki = sqlite3.connect(f"{(BUNDLE / 'wiki.db').as_uri()}?mode=ro", uri=True)
    wiki.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in wiki.execute(sql, {name: bound.get(name) for name in names})]
    finally:
        wiki.close()


def faults(receipt: dict):
    """Every reason not to show the value, none when it was computed the sanctioned way."""
    if not isinstance(receipt, dict):
        raise ValueError("the receipt is not a JSON object")
    if unfit := [name for name, kind in FIELDS.items() if not isinstance(receipt.get(name), kind)]:
        raise ValueError(f"missing from the receipt, or not of the right kind: {', '.join(unfit)}")
    frontmatter, sql = sanctioned(receipt["computation"])
    declared = frontmatter["parameters"]
    wrong = list(parameter_faults(declared, receipt["parameters"]))
    yield from wrong
    if receipt["executed_sql"].split() != sql.split():
        yield "the SQL that ran is not the sanctioned one"
    if not wrong and rerun(sql, [parameter["name"] for parameter in declared], receipt["parameters"]) != receipt["result"]:
        yield "the sanctioned query gives another result on the wiki as it is now"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.exit("usage: check_on_wiki.py receipt.json")
    if not (BUNDLE / "wiki.db").exists():
        sys.exit("there is no wiki.db in this bundle yet: run doit first")
    try:
        reasons = list(faults(json.loads(Path(arguments[0]).read_text(encoding="utf-8"))))
    except (OSError, ValueError) as error:
        reasons = [str(error)]
    print(json.dumps({"verdict": "fail" if reasons else "pass", "reasons": reasons}, indent=1, ensure_ascii=False))
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
