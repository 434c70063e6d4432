"""Values as the JSON text that the databases hold."""

from __future__ import annotations

from typing import Any

import orjson


def json_text(value: Any) -> str:
    """A value of JSON's kinds as compact text."""
    return orjson.dumps(value).decode()
