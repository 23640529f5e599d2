"""One spelling for one document: sorted names, no spaces, UTF-8.

From one position to the next nearly all parts are the same objects. How each is spelt is kept by
its identity, together with the object, so that no other one can come to the same identity.
"""

from __future__ import annotations

import json
from itertools import compress
from operator import attrgetter, is_not, itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hexmarshal.rules.codec import Shape

    # Of each field its name, how it is written, and what it is by default.
    Fields: TypeAlias = list[tuple[str, Callable[[Any], object], object]]

__all__ = ["Speller", "canonical_json"]

LIMIT = 8192

_spell = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(document: object) -> bytes:
    """The spelling of a document."""
    return _encoded(_spell(document))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class Speller:
    """The spelling of things of one shape; the pieces that some of its parts hold have their own.

    What is spelt is what the shape writes as JSON.
    """

    def __init__(self, shape: Shape[Any], pieces: Mapping[str, Shape[Any]]) -> None:
        self._fields = _in_order(shape)
        self._parts_of = attrgetter(*(name for name, _, _ in self._fields))
        self._pieces = {name: _Pieces(_in_order(kind)) for name, kind in pieces.items()}
        # The parts of the last thing that was spelt, and how: one as by default is not written.
        self._last: tuple[tuple[object, ...], list[str]] = (
            tuple(default for _, _, default in self._fields),
            [""] * len(self._fields),
        )

    def spelt(self, thing: object) -> bytes:
        """One such thing."""
        parts = self._parts_of(thing)
        old, texts = self._last
        texts = texts.copy()
        for i in _others(parts, old):
            name, encode, default = self._fields[i]
            part = parts[i]
            if part is default or part == default:
                texts[i] = ""
                continue
            pieces = self._pieces.get(name)
            spelt = _spell(encode(part)) if pieces is None else pieces.spelt(part)
            texts[i] = f'"{name}":{spelt}'
        self._last = (parts, texts)
        return _encoded(f"{{{','.join(filter(None, texts))}}}")


def _in_order(shape: Shape[Any]) -> Fields:
    return sorted(shape.fields, key=itemgetter(0))


def _others(now: Sequence[object], before: Sequence[object]) -> Iterator[int]:
    """Where the one holds another object than the other."""
    return compress(range(len(now)), map(is_not, now, before))


class _Pieces:
    """The spelling of pieces that stand under their names."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._values_of = attrgetter(*(name for name, _, _ in fields))
        self._defaults = tuple(default for _, _, default in fields)
        # The last that were spelt: their names, themselves, and how.
        self._last: tuple[list[str], list[object], list[str]] = ([], [], [])
        self._spelt: dict[int, tuple[object, str]] = {}
        self._values: dict[int, tuple[object, str]] = {}
        self._words: dict[object, str] = {}

    def spelt(self, pieces: FrozenMap[Any]) -> str:
        """All of these."""
        names, now = list(pieces), list(pieces.values())
        before, old, texts = self._last
        if names == before:
            texts = texts.copy()
            for i in _others(now, old):
                texts[i] = self._piece(names[i], now[i])
        else:
            texts = [self._piece(name, piece) for name, piece in pieces.items()]
        self._last = (names, now, texts)
        return "{" + ",".join(texts) + "}"

    def _piece(self, name: str, piece: object) -> str:
        found = self._spelt.get(id(piece))
        if found is not None:
            return found[1]
        texts = []
        values = self._values_of(piece)
        for i in _others(values, self._defaults):
            field, encode, default = self._fields[i]
            value = values[i]
            if value != default:
                kind = type(value)
                if kind is int:
                    text = repr(value)
                elif kind is str or kind is frozenset:  # the same few names, again and again
                    text = self._words.get(value) or self._word(value, encode)
                elif kind is FrozenMap:
                    text = self._value(value, encode)
                else:
                    text = _spell(encode(value))
                texts.append(f'"{field}":{text}')
        label = self._words.get(name) or self._word(name, str)
        text = f"{label}:{{{','.join(texts)}}}"
        if len(self._spelt) >= LIMIT:
            self._spelt.clear()
        self._spelt[id(piece)] = (piece, text)
        return text

    def _word(self, value: object, encode: Callable[[Any], object]) -> str:
        if len(self._words) >= LIMIT:
            self._words.clear()
        text = self._words[value] = _spell(encode(value))
        return text

    def _value(self, value: object, encode: Callable[[Any], object]) -> str:
        found = self._values.get(id(value))
        if found is not None:
            return found[1]
        text = _spell(encode(value))
        if len(self._values) >= LIMIT:
            self._values.clear()
        self._values[id(value)] = (value, text)
        return text
