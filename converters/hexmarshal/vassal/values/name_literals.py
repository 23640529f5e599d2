r"""Names of other things that stand as plain texts in expressions: `CurrentMap=="AP Forces"`.

>>> in_literals('{CurrentMap == "Old" && GetMapProperty("VP", "Old") > 2}', "maps",
...             {"Old": "New"}.get)
'{CurrentMap == "New" && GetMapProperty("VP", "New") > 2}'
>>> in_literals("CurrentMap = Old && Type = Old", "maps", {"Old": "New"}.get)
'CurrentMap = New && Type = Old'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.values import beanshell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.values.beanshell import Token

__all__ = ["NameLiteral", "in_literals", "leftovers", "name_literals"]

# The properties whose values are names, by the kind of thing that they name.
_HOLDING: Final = {
    "CurrentMap": "maps",
    "OldMap": "maps",
    "DeckName": "decks",
    "OldDeckName": "decks",
    "BasicName": "pieces",
    "PieceName": "pieces",
    "pieceName": "pieces",
    # Names of other things: what stands beside these is no name of one of the above.
    "CurrentBoard": "boards",
    "OldBoard": "boards",
    "CurrentZone": "zones",
    "OldZone": "zones",
    "LocationName": "locations",
    "OldLocationName": "locations",
    "PlayerSide": "sides",
    "playerSide": "sides",
}
# Functions, with which of their arguments name what. An argument that may be one thing or
# another, as the first of CountMap, is not understood.
_ARGUMENTS: Final[dict[str, dict[int, str]]] = {
    "GetProperty": {0: "properties"},
    "GetString": {0: "properties"},
    "GetLocalizedProperty": {0: "properties"},
    "GetModuleProperty": {0: "properties"},
    "GetMapProperty": {0: "properties", 1: "maps"},
    "GetZoneProperty": {0: "properties", 2: "maps"},
    "GetAttachProperty": {1: "properties"},
    "SumStack": {0: "properties"},
    "SumMat": {0: "properties"},
    "SumLocation": {0: "properties", 2: "maps"},
    "SumZone": {0: "properties", 2: "maps"},
    "SumMap": {0: "properties", 1: "maps"},
    "Sum": {0: "properties", 2: "maps"},
    "SumAttach": {1: "properties"},
    "MaxAttach": {1: "properties"},
    "MinAttach": {1: "properties"},
    "SumRange": {2: "properties"},
    "SumRangePx": {2: "properties"},
    "CountLocation": {1: "maps"},
    "CountZone": {1: "maps"},
    "Count": {1: "maps"},
    "Range": {4: "maps"},
    "RangePx": {4: "maps"},
    "FindMap": {0: "maps"},
}
_EQUALS: Final = ("==", "!=")
_JOINS: Final = ("+", ".")
# Longest first; only the two that compare whole texts say that a name is meant.
_OPERATOR: Final = re.compile(r"!=|<=|>=|=~|!~|=|<|>")
_TERM: Final = re.compile(r"(?:&&|\|\|)")


@dataclass(frozen=True, slots=True)
class NameLiteral:
    """A plain text in an expression that names something: of which kind, and where it stands."""

    kind: str
    name: str
    start: int
    end: int


def name_literals(text: str) -> Iterator[NameLiteral]:
    """Every text in an expression of either language that surely is a name, in order."""
    found = _in_beanshell(text) if beanshell.is_braced(text) else _in_match(text)
    return iter(sorted(set(found), key=lambda each: each.start))


def in_literals(text: str, kind: str, rename: Callable[[str], str | None]) -> str:
    """The expression with names of one kind changed; None from `rename` leaves a name."""
    out: list[str] = []
    done = 0
    for each in name_literals(text):
        fresh = rename(each.name) if each.kind == kind else None
        if fresh is not None and fresh != each.name:
            out.append(text[done : each.start] + fresh)
            done = each.end
    return "".join(out) + text[done:]


def leftovers(text: str, kind: str, names: frozenset[str]) -> list[str]:
    """Texts in an expression that are one of these names, or join to one, and are not understood.

    A piece of a name counts only where a property that holds such names is put together with it.
    """
    if not beanshell.is_braced(text):
        return []
    known = {(each.start, each.end) for each in name_literals(text)}
    words = [*beanshell.tokens(text)]
    holds = any(_HOLDING.get(_property(word)) == kind for word in words)
    found: list[str] = []
    for at, word in enumerate(words):
        if word.kind != "string" or (word.at + 1, word.at + len(word.text) - 1) in known:
            continue
        inside = word.text[1:-1]
        joined = holds and _JOINS[0] in {_text(words, at - 1), _text(words, at + 1)}
        part = joined and inside.strip() and any(inside in name for name in names)
        if inside in names or part or any(_quoted(name) in inside for name in names):
            found.append(inside)
    return found


def _quoted(name: str) -> str:
    r"""A name inside an expression that is itself a text: `"{CurrentMap == \"Old\"}"`."""
    return f'\\"{name}\\"'


def _text(words: list[Token], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""


def _property(word: Token) -> str:
    """The property that a word reads: by its name, as `$name$`, or as `"$name$"`."""
    text = word.text
    if word.kind == "string" and text[1:2] == "$" == text[-2:-1]:
        return text[2:-2]
    return text.strip("$") if word.kind in {"name", "property"} else ""


def _in_beanshell(text: str) -> Iterator[NameLiteral]:
    words = [*beanshell.tokens(text)]
    for at, word in enumerate(words):
        kind = _HOLDING.get(_property(word))
        if kind is not None and _text(words, at - 1) != ".":
            literal = _compared(words, at)
            if literal is not None:
                yield _literal(kind, literal)
        if word.kind == "name" and word.text in _ARGUMENTS and _text(words, at + 1) == "(":
            wanted = _ARGUMENTS[word.text]
            for index, argument in enumerate(_arguments(words, at + 1)):
                if index in wanted and len(argument) == 1 and argument[0].kind == "string":
                    yield _literal(wanted[index], argument[0])


def _literal(kind: str, word: Token) -> NameLiteral:
    end = word.at + len(word.text) - 1
    return NameLiteral(kind, word.text[1:-1], word.at + 1, end)


def _compared(words: list[Token], at: int) -> Token | None:
    """The text that a property is compared with, if it is a text alone."""
    if _text(words, at + 1) in _EQUALS and at + 2 < len(words):
        other, beyond = words[at + 2], _text(words, at + 3)
    elif _text(words, at - 1) in _EQUALS and at > 1:
        other, beyond = words[at - 2], _text(words, at - 3)
    elif [_text(words, at + i) for i in (1, 2, 3)] == [".", "equals", "("] and at + 4 < len(words):
        other, beyond = words[at + 4], _text(words, at + 5)
    else:
        return None
    is_text = other.kind == "string" and not _property(other)
    return other if is_text and beyond not in _JOINS else None


def _arguments(words: list[Token], at: int) -> list[list[Token]]:
    """The arguments of the call whose bracket stands at `at`, each as its words."""
    found: list[list[Token]] = [[]]
    depth = 0
    for word in words[at:]:
        if word.kind == "open":
            depth += 1
            if depth == 1:
                continue
        elif word.kind == "close":
            depth -= 1
            if not depth:
                break
        elif word.text == "," and depth == 1:
            found.append([])
            continue
        found[-1].append(word)
    return found


def _in_match(text: str) -> Iterator[NameLiteral]:
    start = 0
    for end in [*(found.start() for found in _TERM.finditer(text)), len(text)]:
        term = text[start:end]
        operator = _OPERATOR.search(term)
        if operator is not None and operator[0] in {"=", "!="}:
            kind = _HOLDING.get(term[: operator.start()].strip())
            value = term[operator.end() :]
            name = value.strip()
            if kind is not None and name and not {"$", '"'} & set(name):
                first = start + operator.end() + value.index(name)
                yield NameLiteral(kind, name, first, first + len(name))
        start = end + 2
