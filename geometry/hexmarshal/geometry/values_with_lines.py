"""Reads YAML and JSON as plain values that know their lines, with numbers exactly as written.

Not PyYAML's usual constructors: they read the hex 0108 as an octal number, 0.1 as something near
it, and the second of two equal keys over the first.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

import yaml

from hexmarshal.errors import GeometryError, Place

__all__ = ["Sourced", "Value", "read_json", "read_yaml", "text_of"]

Value: TypeAlias = "str | int | Decimal | bool | list[Value] | dict[str, Value] | None"
Keys: TypeAlias = tuple[str | int, ...]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?=\.?[0-9])(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_DEEPEST = 40
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(slots=True)
class Sourced:
    """A file's value, and the line on which each part of it begins."""

    value: Value
    file: str | None
    lines: dict[Keys, int] = field(default_factory=dict)

    def place(self, *keys: str | int) -> Place:
        """Where the part under these keys is, or the nearest part around it."""
        for end in range(len(keys), -1, -1):
            if keys[:end] in self.lines:
                line = self.lines[keys[:end]]
                break
        else:
            line = None
        return Place(file=self.file, line=line, field=".".join(map(str, keys)) or None)


def text_of(data: bytes, file: str | None = None) -> str:
    """UTF-8, or UTF-16 that says so at its beginning, as some shells write it."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GeometryError(
            f"not {encoding.upper().removesuffix('-SIG')} text",
            place=Place(file=file, line=line),
            hint="save it as UTF-8",
        ) from None


def read_yaml(text: str, file: str | None = None) -> Sourced:
    """Read one YAML document; aliases, equal keys and numbers that are none are refused."""
    result = Sourced(None, file)
    stack: list[tuple[Keys, list[Value] | dict[str, Value], str | None]] = []
    documents = 0

    def fail(message: str, line: int, hint: str = "") -> GeometryError:
        return GeometryError(message, place=Place(file=file, line=line + 1), hint=hint)

    try:
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise fail("a second document begins here", line)
            elif isinstance(event, yaml.AliasEvent):
                raise fail("aliases are not allowed here", line, "write the value out")
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                stack.pop()
            elif isinstance(
                event, yaml.ScalarEvent | yaml.MappingStartEvent | yaml.SequenceStartEvent
            ):
                keys, holder, key = stack[-1] if stack else ((), None, None)
                if isinstance(holder, dict) and key is None:
                    if not isinstance(event, yaml.ScalarEvent):
                        raise fail("a key must be a word", line)
                    if event.value in holder:
                        raise fail(f"{event.value!r} is given twice", line)
                    stack[-1] = (keys, holder, event.value)
                    result.lines.setdefault((*keys, event.value), line + 1)
                    continue
                value = _value(event, fail, line)
                here: Keys = keys
                if isinstance(holder, dict):
                    assert key is not None
                    holder[key] = value
                    stack[-1] = (keys, holder, None)
                    here = (*keys, key)
                elif isinstance(holder, list):
                    here = (*keys, len(holder))
                    holder.append(value)
                else:
                    result.value = value
                result.lines.setdefault(here, line + 1)
                if isinstance(value, dict | list):
                    if len(stack) >= _DEEPEST:
                        raise fail("the file is nested too deeply", line)
                    stack.append((here, value, None))
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line if error.problem_mark else 0
        raise fail(f"this is not YAML: {error.problem or error.context}", at) from None
    except yaml.YAMLError as error:
        raise fail(f"this is not YAML: {error}", 0) from None
    return result


def _value(event: yaml.Event, fail: object, line: int) -> Value:
    if isinstance(event, yaml.MappingStartEvent):
        return {}
    if isinstance(event, yaml.SequenceStartEvent):
        return []
    assert isinstance(event, yaml.ScalarEvent)
    assert callable(fail)
    text: str = event.value
    if event.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text.lower().lstrip("+-") in (".nan", "nan", ".inf", "inf"):
        raise fail(f"{text} is not a finite number", line)
    if _WHOLE.fullmatch(text) and len(text) < 40:
        return int(text)
    if _DECIMAL.fullmatch(text) and not _padded(text):
        return Decimal(text)
    return text


def _padded(text: str) -> bool:
    """Digits alone that are no whole number: a name such as 0108."""
    return text.lstrip("+-").isdigit()


def read_json(text: str, file: str | None = None) -> Value:
    """Read JSON with exact decimals; NaN and Infinity, which are not JSON, are refused."""

    def refuse(word: str) -> Value:
        raise GeometryError(f"{word} is not a finite number", place=Place(file=file))

    try:
        value: Value = json.loads(text, parse_float=Decimal, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise GeometryError(
            f"this is not JSON: {error.msg}", place=Place(file=file, line=error.lineno)
        ) from None
    except (RecursionError, ValueError):
        raise GeometryError("this is not JSON that can be read", place=Place(file=file)) from None
    return value
