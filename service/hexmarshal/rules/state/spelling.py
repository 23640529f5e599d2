"""One spelling for one document: sorted names, no spaces, UTF-8.

From one position to the next nearly all parts are the same objects. How each is spelt is kept by
its identity, together with the object, so that no other one can come to the same identity.
"""

from __future__ import annotations

import json
from itertools import chain, compress
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
# So many pieces are kept together.
RUN = 16

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _quickly() -> Callable[[object], str]:
    """What spells a document. To be asked for one, the encoder prepares longer than it spells."""
    prepare = getattr(json.encoder, "c_make_encoder", None)
    if prepare is None:  # there is no such thing but in CPython
        return _ENCODER.encode
    quoted = json.encoder.encode_basestring
    in_parts = prepare(None, _ENCODER.default, quoted, None, ":", ",", True, False, False)
    return lambda document: "".join(in_parts(document, 0))


_spell = _quickly()


def canonical_json(document: object) -> bytes:
    """The spelling of a document."""
    return _encoded(_spell(document))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class _Words(dict[str, str]):
    """How words are spelt: they are the same few, again and again."""

    def __missing__(self, word: str) -> str:
        if len(self) >= LIMIT:
            self.clear()
        spelt = self[word] = _spell(word)
        return spelt


_WORDS = _Words()


class Speller:
    """The spelling of things of one shape; the pieces that some of its parts hold have their own.

    Pieces stand under their names, or in a row. What is spelt is what the shape writes as JSON.
    """

    def __init__(
        self, shape: Shape[Any], pieces: Mapping[str, Shape[Any]], rows: Mapping[str, Shape[Any]]
    ) -> None:
        self._fields = _in_order(shape)
        self._parts_of = attrgetter(*(name for name, _, _ in self._fields))
        self._pieces = {name: _Pieces(_in_order(kind)) for name, kind in pieces.items()}
        self._rows = {name: _Spelt(_in_order(kind)) for name, kind in rows.items()}
        # The parts of the last thing that was spelt, and how: one as by default is not written.
        self._last: tuple[tuple[object, ...], list[list[bytes]]] = (
            tuple(default for _, _, default in self._fields),
            [[] for _ in self._fields],
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
                texts[i] = []
            elif name in self._pieces:
                texts[i] = [b',"%b":{' % name.encode(), *self._pieces[name].spelt(part), b"}"]
            elif name in self._rows:
                row = ",".join(map(self._rows[name].of, part))
                texts[i] = [_encoded(f',"{name}":[{row}]')]
            else:
                written = part if type(part) is FrozenMap else encode(part)
                texts[i] = [_encoded(f',"{name}":{_spell(written)}')]
        self._last = (parts, texts)
        first, *others = chain.from_iterable(texts)
        return b"".join((b"{", first.removeprefix(b","), *others, b"}"))


def _in_order(shape: Shape[Any]) -> Fields:
    return sorted(shape.fields, key=itemgetter(0))


def _others(now: Sequence[object], before: Sequence[object]) -> Iterator[int]:
    """Where the one holds another object than the other."""
    return compress(range(len(now)), map(is_not, now, before))


class _Spelt:
    """The spelling of things of one shape, each as an object."""

    def __init__(self, fields: Fields) -> None:
        self._fields = [(f'"{name}":', encode, default) for name, encode, default in fields]
        self._values_of = attrgetter(*(name for name, _, _ in fields))
        self._defaults = tuple(default for _, _, default in fields)
        self._spelt: dict[int, tuple[object, str]] = {}
        self._values: dict[int, tuple[object, str]] = {}
        self._flags: dict[frozenset[str], str] = {}

    def of(self, thing: object) -> str:
        """How one of them is spelt."""
        found = self._spelt.get(id(thing))
        if found is not None:
            return found[1]
        texts = []
        values = self._values_of(thing)
        for i in _others(values, self._defaults):
            label, encode, default = self._fields[i]
            value = values[i]
            if value != default:
                kind = type(value)
                if kind is str:
                    text = _WORDS[value]
                elif kind is int:
                    text = repr(value)
                else:
                    text = self._value(value, encode)
                texts.append(label + text)
        spelt = f"{{{','.join(texts)}}}"
        if len(self._spelt) >= LIMIT:
            self._spelt.clear()
        self._spelt[id(thing)] = (thing, spelt)
        return spelt

    def _value(self, value: object, encode: Callable[[Any], object]) -> str:
        if type(value) is frozenset:  # they are few, and made anew all the time
            text = self._flags.get(value)
            if text is None:
                if len(self._flags) >= LIMIT:
                    self._flags.clear()
                text = self._flags[value] = _spell(encode(value))
            return text
        found = self._values.get(id(value))
        if found is not None:
            return found[1]
        text = _spell(value if type(value) is FrozenMap else encode(value))
        if len(self._values) >= LIMIT:
            self._values.clear()
        self._values[id(value)] = (value, text)
        return text


class _Pieces:
    """The spelling of pieces that stand under their names."""

    def __init__(self, fields: Fields) -> None:
        self._text_of = _Spelt(fields).of
        # The last that were spelt: their names, themselves, how, and in runs of so many.
        self._last: tuple[list[str], list[object], list[bytes], list[bytes]] = ([], [], [], [])

    def spelt(self, pieces: FrozenMap[Any]) -> list[bytes]:
        """All of these, in runs: where few are others, few bytes are moved."""
        names, now = list(pieces), list(pieces.values())
        before, old, texts, runs = self._last
        if names == before:
            texts, runs = texts.copy(), runs.copy()
            changed = set()
            for i in _others(now, old):
                texts[i] = self._piece(names[i], now[i])
                changed.add(i // RUN)
        else:
            texts = list(map(self._piece, names, now))
            changed = set(range(-(-len(texts) // RUN)))
            runs = [b""] * len(changed)
        for run in changed:
            comma = b"," if run else b""
            runs[run] = comma + b",".join(texts[run * RUN : (run + 1) * RUN])
        self._last = (names, now, texts, runs)
        return runs

    def _piece(self, name: str, piece: object) -> bytes:
        return _encoded(f"{_WORDS[name]}:{self._text_of(piece)}")
