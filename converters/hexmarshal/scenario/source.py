"""Reads a file of text as a value that knows its lines: YAML, or JSON."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, GeometryError, NotFoundError, Place
from hexmarshal.geometry.values_with_lines import Sourced, read_yaml, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.geometry.values_with_lines import Keys

__all__ = ["LARGEST", "read_file", "read_source", "read_text"]

# A thousand times the largest scenario that anybody has set up.
LARGEST: Final = 64 * 2**20
_DEEPEST: Final = 40
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|\n')


def read_file(path: Path) -> bytes:
    """The bytes of a file that is not larger than any scenario."""
    place = Place(file=str(path))
    try:
        if path.stat().st_size > LARGEST:
            raise BadInputError(f"larger than {LARGEST // 2**20} MiB: no scenario", place=place)
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError("no such file", place=place) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInputError(f"cannot be read: {why}", place=place) from None


def read_text(data: bytes, file: str | None) -> str:
    """UTF-8, or UTF-16 that says so at its beginning."""
    try:
        return text_of(data, file)
    except GeometryError as error:
        raise BadInputError(error.message, place=error.place, hint=error.hint) from None


def read_source(data: bytes, file: str | None = None) -> Sourced:
    """A YAML or JSON document: JSON if the name ends so, or if it begins with a brace."""
    text = read_text(data, file)
    if not text.strip():
        raise BadInputError("the file is empty", place=Place(file=file))
    name = (file or "").lower()
    if name.endswith(".json") or (
        not name.endswith((".yaml", ".yml")) and text.lstrip().startswith("{")
    ):
        return _read_json(text, file)
    try:
        return read_yaml(text, file)
    except GeometryError as error:
        raise BadInputError(error.message, place=error.place, hint=error.hint) from None


def _read_json(text: str, file: str | None) -> Sourced:
    def refuse(word: str) -> Any:  # noqa: ANN401
        raise BadInputError(f"{word} is not a finite number", place=Place(file=file))

    try:
        value = json.loads(text, parse_float=Decimal, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise BadInputError(
            f"this is not JSON: {error.msg}", place=Place(file=file, line=error.lineno)
        ) from None
    except (RecursionError, ValueError):
        raise BadInputError("this is not JSON that can be read", place=Place(file=file)) from None
    source = Sourced(value, file)
    _note_lines(text, source)
    return source


def _note_lines(text: str, source: Sourced) -> None:
    """Where each part of a JSON text, known to be sound, begins; equal names are refused."""
    line = 1
    # For each open object or array: its keys, and the name or the number of the part to come.
    stack: list[tuple[Keys, str | int | None]] = []
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign == "\n":
            line += 1
            continue
        if sign in "}]":
            stack.pop()
            continue
        if sign in ",:":
            if sign == "," and isinstance(stack[-1][1], int):
                stack[-1] = (stack[-1][0], stack[-1][1] + 1)
            elif sign == ",":
                stack[-1] = (stack[-1][0], None)
            continue
        keys, part = stack[-1] if stack else ((), "")
        if stack and part is None:
            name = str(json.loads(sign))
            if (*keys, name) in source.lines:
                raise BadInputError(
                    f"{name!r} is given twice", place=Place(file=source.file, line=line)
                )
            source.lines[*keys, name] = line
            stack[-1] = (keys, name)
            continue
        here: Keys = (*keys, part) if stack and part is not None else ()
        source.lines.setdefault(here, line)
        if sign in "{[":
            if len(stack) >= _DEEPEST:
                raise BadInputError(
                    "the file is nested too deeply", place=Place(file=source.file, line=line)
                )
            stack.append((here, None if sign == "{" else 0))
