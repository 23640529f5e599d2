"""Writes a scenario as YAML that a person likes to read and to change.

Not PyYAML's dumper: a unit, a stack or a marker stands on one line, long texts are folded, and
every text that some reader of YAML takes for a number, a date or a truth value is quoted.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["write_yaml"]

_WIDTH: Final = 100
# YAML's own limit is 1024.
_LONGEST_KEY: Final = 1000
# Begins with a letter, or is a name such as 1-D13, and has nothing that YAML gives a meaning to, in
# a block or in braces.
_PLAIN: Final = re.compile(
    r"[A-Za-z_](?:[\w./()'+;! -]*[\w./()'+;!-])?|\d{1,3}-[A-Za-z]\d+", re.ASCII
)
_WORDS: Final = frozenset(
    {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"}
)
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Parts whose rows stand on a line each, one or two levels below them.
_BLOCKS: Final = {
    "units": 2,
    "setup": 2,
    "areas": 1,
    "markers": 1,
    "decks": 1,
    "cells": 1,
    "tracks": 1,
    "briefings": 1,
    "knowledge": 1,
    "extras": 1,
    "options": 1,
    "reinforcements": 1,
    "objectives": 1,
    "special_rules": 1,
}
# A line is left free before these.
_HEADED: Final = frozenset(_BLOCKS) - {"options"} | {"map", "start"}


def write_yaml(document: Mapping[str, Any]) -> str:
    """The document as YAML text."""
    lines: list[str] = []
    for name, value in document.items():
        if name in _HEADED:
            lines.append("")
        lines += _part(_key(name), value, _BLOCKS.get(name, 0), 0)
    return "\n".join(lines) + "\n"


def _part(name: str, value: object, depth: int, indent: int) -> Iterator[str]:
    """`name: value`, opened up `depth` levels."""
    pad = " " * indent
    if depth and isinstance(value, dict) and value:
        yield f"{pad}{name}:"
        for key, inner in value.items():
            yield from _part(_key(key), inner, depth - 1, indent + 2)
    elif depth and isinstance(value, list) and value:
        yield f"{pad}{name}:"
        for inner in value:
            yield from _wrapped(f"{pad}  - ", inner, indent + 4)
    elif isinstance(value, str) and len(pad) + len(name) + 2 + len(value) > _WIDTH:
        yield from _folded(f"{pad}{name}: ", value, indent + 2)
    else:
        yield from _wrapped(f"{pad}{name}: ", value, indent + 2)


def _wrapped(head: str, value: object, indent: int) -> Iterator[str]:
    """A value in braces or brackets; what is too long for a line is broken between its parts."""
    text = _flow(value)
    if len(head) + len(text) <= _WIDTH or not isinstance(value, dict | list) or not value:
        yield head + text
        return
    pad = " " * indent
    if isinstance(value, dict):
        parts = [f"{_key(key)}: {_flow(inner)}" for key, inner in value.items()]
        if max(map(len, parts)) + indent >= _WIDTH:
            yield from _opened(head, value, indent)
            return
        opening, closing = "{", "}"
    else:
        parts = [_flow(inner) for inner in value]
        opening, closing = "[", "]"
    line = head + opening
    for i, part in enumerate(parts):
        piece = part + (closing if i == len(parts) - 1 else ",")
        if line.strip() not in ("", opening) and len(line) + 1 + len(piece) > _WIDTH:
            yield line.rstrip()
            line = pad
        line += piece + " "
    yield line.rstrip()


def _opened(head: str, value: dict[str, object], indent: int) -> Iterator[str]:
    """A mapping with a line for each of its keys; that of a list begins beside the dash."""
    lines = [line for key, inner in value.items() for line in _part(_key(key), inner, 0, indent)]
    if head.endswith("- "):
        lines[0] = head + lines[0][indent:]
    else:
        yield head.rstrip()
    yield from lines


def _folded(head: str, text: str, indent: int) -> Iterator[str]:
    """A long text in several lines, if folding gives back exactly the same text."""
    plain = re.fullmatch(r"[ -~\u00a1-\u024f\u2010-\u2027]+", text)
    if plain is None or text != " ".join(text.split()):
        yield head + _scalar(text)
        return
    yield head + ">-"
    pad = " " * indent
    yield from textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=pad,
        subsequent_indent=pad,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _flow(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(key)}: {_flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _scalar(str(value))


def _key(text: str) -> str:
    spelt = _scalar(text)
    if len(spelt) > _LONGEST_KEY:
        raise BadInputError(f"a name of {len(text)} characters is too long: {text[:40]!r}...")
    return spelt


def _scalar(text: str) -> str:
    """A text, in quotes if any reader of YAML could take it for something else."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and "  " not in text:
        return text
    return f'"{"".join(_ESCAPES.get(char) or _spelt(char) for char in text)}"'


def _spelt(char: str) -> str:
    """A character, escaped if it does not print or is read as something else."""
    code = ord(char)
    if char == " " or (char.isprintable() and code != 0xFEFF and code < 0x10000):
        return char
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
