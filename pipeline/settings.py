"""Reads wiki.yaml: every key optional, every unknown key an error with a suggestion, every value of its kind."""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.evaluate.settings import EvaluateSettings
from pipeline.beside import UnreadableFile, read_beside
from pipeline.frontmatter import line_of, read_frontmatter
from pipeline.lint.settings import LintSettings
from pipeline.yaml_values import FrontmatterError
from retrieval.embedders import EmbeddingSettings
from retrieval.errors import SettingsError
from retrieval.settings import OutOfRange, RetrievalSettings

ON_INVALID = ("keep", "stop")
_READ_WITH_ANSWERS = (EmbeddingSettings, RetrievalSettings)
"""Sections that every reader of a wiki loads: named tuples, which cost it a fifth of a dataclass, and check nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All of wiki.yaml."""

    embedding: EmbeddingSettings = EmbeddingSettings()
    """Which model turns text into vectors."""
    retrieval: RetrievalSettings = RetrievalSettings()
    """Numbers that shape answers; compiled into wiki.db."""
    lint: LintSettings = field(default_factory=LintSettings)
    """Which checks run, how much each weighs, what is accepted."""
    evaluate: EvaluateSettings = field(default_factory=EvaluateSettings)
    """Which questions are asked, and how well they must be answered."""
    multi_valued: tuple[str, ...] = ()
    """Predicates of which one subject may hold several objects at one time; `contradiction` passes over them."""
    on_invalid: str = "keep"
    """keep: build the other concepts and fail at the end; stop: publish nothing while a file has errors."""

    def __post_init__(self) -> None:
        if self.on_invalid not in ON_INVALID:
            raise ValueError(f"on_invalid: {self.on_invalid!r} is neither {' nor '.join(ON_INVALID)}.")


def load_settings(bundle: Path, **overrides: str | None) -> Settings:
    """The settings of a bundle, with overrides of the command line: `embedding` (a backend) and `on_invalid`.

    Raises SettingsError: one sentence that names file, line, key and what would be right.
    """
    path = bundle / "wiki.yaml"
    try:
        data, lines, remarks = read_frontmatter(read_beside(path) or "")
    except UnreadableFile as fault:
        raise SettingsError(str(fault)) from None
    except FrontmatterError as fault:
        raise SettingsError(f"{path}:{fault.line}: {fault}") from None
    for _, message, line in remarks:
        raise SettingsError(f"{path}:{line}: {message}; write what is meant.")
    if overrides.get("embedding"):
        section = data["embedding"] if isinstance(data.get("embedding"), dict) else {}
        data["embedding"] = {**section, "backend": overrides["embedding"]}
    if overrides.get("on_invalid"):
        data["on_invalid"] = overrides["on_invalid"]
    return build(Settings, data, "", lambda place: f"{path}:{line_of(place, lines)}".removesuffix(":0"))


def build(kind: type, data: Any, address: str, where) -> Any:
    """A section of the settings from a mapping; `where(address)` names the place for messages. Raises SettingsError."""
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise SettingsError(f"{where(address)}: {address or 'the file'} must be a mapping of keys.")
    hints = typing.get_type_hints(kind)
    values = {}
    for key, value in data.items():
        place = f"{address}.{key}" if address else key
        if key not in hints:
            close = difflib.get_close_matches(key, hints, 1)
            raise SettingsError(f"{where(place)}: unknown setting {place!r}; " + (
                f"did you mean {close[0]!r}?" if close else f"known here: {', '.join(hints)}."))
        if value is not None:
            values[key] = _value(hints[key], value, place, where)
    defaults = kind()
    for key, value in values.items():
        if isinstance(value, dict):
            values[key] = _merged(getattr(defaults, key), value)
    try:
        section = kind(**values)
        if isinstance(section, _READ_WITH_ANSWERS):
            section.check()
        return section
    except OutOfRange as fault:
        raise SettingsError(f"{where(f'{address}.{fault.key}')}: {address}.{fault}") from None
    except (ValueError, SettingsError) as fault:
        raise SettingsError(f"{where(address)}: {address + ': ' if address else ''}{fault}") from None


def _value(hint: Any, value: Any, place: str, where) -> Any:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, types.UnionType):
        hint = next(one for one in inner if one is not type(None))
        return _value(hint, value, place, where)
    if dataclasses.is_dataclass(hint) or hint in _READ_WITH_ANSWERS:
        return build(hint, value, place, where)
    if origin is tuple and isinstance(value, list):
        return tuple(_value(inner[0], item, f"{place}[{number}]", where) for number, item in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {key: _value(inner[1], item, f"{place}.{key}", where) for key, item in value.items()}
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(hint, type) and isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    if hint is str and isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise SettingsError(f"{where(place)}: {place}: {_expected(hint)} is needed, not {value!r}.")


def _merged(defaults: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """A table with the given entries in place of the defaults, so that naming one weight keeps the others."""
    return defaults | {key: _merged(defaults[key], value) if isinstance(defaults.get(key), dict) and isinstance(value, dict) else value
                       for key, value in given.items()}


def _expected(hint: Any) -> str:
    names = {float: "a number", int: "a whole number", str: "text", bool: "true or false"}
    return names.get(hint) or {tuple: "a list", dict: "a mapping"}.get(typing.get_origin(hint), "another value")
