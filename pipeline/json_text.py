"""Values as the JSON text that the databases hold."""

from __future__ import annotations

import json
from typing import Any

import orjson


def json_text(value: Any) -> str:
    """A value of JSON's kinds as compact text."""
    if not value and isinstance(value, (tuple, list)):  # most lists of most concepts
        return "[]"
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:  # a number beyond 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
