"""The one codec: records declared as dataclasses, read from a text and written without loss.

A record remembers the text it came from. Fields that still hold what they were read as are written
as they stood there (odd booleans, odd numbers, needless quotes), missing trailing fields stay
missing, surplus ones stay; a record without such a text is written in full.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar, get_type_hints

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.traits.kinds import PartKind, Shape, Verbatim
from hexmarshal.vassal.values import ExactText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FieldSpec", "Layout", "Record", "layout_of"]

R = TypeVar("R", bound="Record")
_new: Final = object.__new__


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A declared field: its name, its kind or shape, its value when it is missing."""

    name: str
    kind: PartKind | Shape
    default: Any

    @property
    def code(self) -> str:
        """The type code of the format reference."""
        return self.kind.code


@dataclass(frozen=True, slots=True)
class Layout:
    """The declared form of a record: a prefix, a delimiter, fields; `raw` parts are not escaped."""

    prefix: str
    delimiter: str
    fields: tuple[FieldSpec, ...]
    names: frozenset[str]
    keep: Callable[[Any, str], None]
    # Ready for the reading loop, each with what fills its slot: the fields of one part each that
    # come first (with the text of the default, which most hold), then the others.
    readers: tuple[tuple[Callable[[Any, Any], None], str, Any, Callable[[str, Any], Any]], ...]
    others: tuple[tuple[Callable[[Any, Any], None], PartKind | Shape, Any], ...]
    # Those of the first that hold texts: which part, and whether there are several in it.
    told: tuple[tuple[int, FieldSpec, bool], ...]
    raw: bool = False

    def parts(self, source: str) -> list[str]:
        """The text behind the prefix, cut at its delimiters and otherwise as it stands."""
        body = source[len(self.prefix) :]
        if self.raw:
            return body.split(self.delimiter)
        return sequence.split(body, self.delimiter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A declared record; compares by its fields alone."""

    layout: ClassVar[Layout]

    source: str | None = field(default=None, compare=False, repr=False)

    @classmethod
    def decode(cls, source: str) -> Self:
        """Read a text; every text can be read, because what is missing has a default.

        The fields are taken out of the text when the first of them is asked for: of the traits of
        a save most are never looked into.
        """
        made = _new(cls)
        cls.layout.keep(made, source)
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """A field that is asked for while the slots are empty."""
            layout = type(self).layout
            if name not in layout.names:
                raise AttributeError(f"{type(self).__name__} has no field {name}")
            self._fill(layout)
            return getattr(self, name)

    def _fill(self, layout: Layout) -> None:
        source, delimiter = self.source, layout.delimiter
        assert source is not None
        if layout.raw or ("\\" not in source and "'" not in source):
            parts = simple = source[len(layout.prefix) :].split(delimiter)
        else:
            parts = layout.parts(source)
            simple = [sequence.unescape(part, delimiter) for part in parts[: len(layout.readers)]]
        # A save has a million fields: filling slots takes half the time of a frozen `__init__`.
        for (fill, usual, default, read), token in zip(layout.readers, simple, strict=False):
            fill(self, default if token == usual else read(token, default))
        at, count = len(layout.readers), len(parts)
        if count < at:
            for fill, _, default, _ in layout.readers[count:]:
                fill(self, default)
        for fill, kind, default in layout.others:
            if at < count:
                value, at = kind.take(parts, at, delimiter, default)
                fill(self, value)
            else:
                fill(self, default)

    def encode(self) -> str:
        """The text, with the parts of `source` wherever a field is unchanged."""
        layout = self.layout
        old = layout.parts(self.source) if self.source is not None else []
        new: list[str] = []
        missing: list[str] = []
        at = 0
        for spec in layout.fields:
            value = getattr(self, spec.name)
            if at < len(old):
                before, end = self._take(spec, old, at)
                new += old[at:end] if _same(value, before) else self._give(spec, value)
                at = end
            else:
                missing += self._give(spec, value)
                if self.source is None or not _same(value, spec.default):
                    new += missing
                    missing = []
        new += old[at:]
        if not layout.raw and any(part.endswith("\\") for part in new[:-1]):
            raise VassalFormatError(
                "a field ends in a backslash, which would swallow the delimiter behind it",
                hint="Put a space behind the backslash.",
            )
        return layout.prefix + layout.delimiter.join(new)

    def _take(self, spec: FieldSpec, parts: list[str], at: int) -> tuple[Any, int]:
        if self.layout.raw and isinstance(spec.kind, PartKind):
            return spec.kind.read(parts[at], spec.default), at + 1
        return spec.kind.take(parts, at, self.layout.delimiter, spec.default)

    def _give(self, spec: FieldSpec, value: object) -> list[str]:
        if self.layout.raw and isinstance(spec.kind, PartKind):
            return [spec.kind.write(value)]
        return spec.kind.give(value, self.layout.delimiter)

    def items(self) -> Iterator[tuple[FieldSpec, Any]]:
        """Every declared field with its value."""
        for spec in self.layout.fields:
            yield spec, getattr(self, spec.name)

    def texts(self, word: str = "") -> list[tuple[FieldSpec, str]]:
        """Every text that stands in a field, one by one where a field holds several.

        What was read is looked at as it is, without typing the numbers and keys beside it. With a
        `word` of small letters, digits and spaces only texts that hold it are given.
        """
        layout, source = self.layout, self.source
        if source is None:
            told = ((spec, text) for spec, value in self.items() for text in _texts(value))
            return [(spec, text) for spec, text in told if word in text.lower()]
        parts = layout.parts(source)
        found: list[tuple[FieldSpec, str]] = []
        # Escapes never come between the letters of a word.
        last, raw = len(parts), layout.raw
        for index, spec, many in layout.told:
            if index >= last:
                break
            part = parts[index]
            if word not in part.lower():
                continue
            quoted = part[0] == "'" if part else False
            escaped = quoted or layout.delimiter in part
            text = sequence.unescape(part, layout.delimiter) if escaped and not raw else part
            if many:
                several = sequence.decode(text, ",")
                found += [(spec, each) for each in several if word in each.lower()]
            else:
                found.append((spec, text))
        at = len(layout.readers)
        for spec in layout.fields[at:]:
            if at >= len(parts):
                break
            value, at = spec.kind.take(parts, at, layout.delimiter, spec.default)
            found += [(spec, text) for text in _texts(value) if word in text.lower()]
        return found

    def present(self) -> int:
        """How many parts the text has that this was read from; 0 if it was made anew."""
        return 0 if self.source is None else len(self.layout.parts(self.source))

    def problems(self) -> Iterator[tuple[str, str]]:
        """Fields that VASSAL would read otherwise than the text suggests: name and reason."""
        for spec, value in self.items():
            if isinstance(value, ExactText):
                found = value.problem()
                if found:
                    yield spec.name, found
        if self.source is None:
            return
        parts = self.layout.parts(self.source)
        at = 0
        for spec in self.layout.fields:
            if at >= len(parts):
                break
            _, end = self._take(spec, parts, at)
            text = parts[at]
            if spec.code == "B" and text not in {"true", "false", ""}:
                yield spec.name, f"{text!r} is neither true nor false and is read as false"
            elif spec.code == "I" and text and sequence.java_int(text) is None:
                yield spec.name, f"{text!r} is not a whole number; {spec.default} is used"
            elif spec.code == "F" and text and sequence.java_double(text) is None:
                yield spec.name, f"{text!r} is not a number; {spec.default} is used"
            elif spec.code == "COUNTED" and str(len(getattr(self, spec.name))) != text:
                yield spec.name, f"{text!r} members are announced, fewer are there"
            at = end


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, ExactText):
        yield value.text
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)


def _holds_several(spec: FieldSpec) -> bool | None:
    if isinstance(spec.default, bool | int | float):
        return None
    return isinstance(spec.default, tuple)


def _same(a: object, b: object) -> bool:
    return a == b or (a != a and b != b)  # noqa: PLR0124 - two NaN are the same value here


def _reader(
    spec: FieldSpec, fill: Callable[[Any, Any], None]
) -> tuple[Callable[[Any, Any], None], str, Any, Callable[[str, Any], Any]]:
    kind, default = spec.kind, spec.default
    assert isinstance(kind, PartKind)
    usual = kind.write(default)
    assert kind.read(usual, default) == default, spec.name
    return fill, usual, default, kind.read


def layout_of(cls: type[R], prefix: str, delimiter: str, *, raw: bool = False) -> Layout:
    """Read the layout of a record class from its annotations."""
    hints = get_type_hints(cls, include_extras=True)
    specs = []
    for declared in fields(cls):
        if declared.name == "source":
            continue
        (kind,) = hints[declared.name].__metadata__
        assert isinstance(kind, PartKind | Shape), declared.name
        assert declared.default is not MISSING, declared.name
        specs.append(FieldSpec(declared.name, kind, declared.default))
    assert not any(isinstance(s.kind, Verbatim) for s in specs[:-1]), "nothing follows a raw rest"
    slots = {name: getattr(cls, name).__set__ for name in ("source", *(s.name for s in specs))}
    lead = next((i for i, s in enumerate(specs) if not isinstance(s.kind, PartKind)), len(specs))
    return Layout(
        prefix,
        delimiter,
        tuple(specs),
        frozenset(spec.name for spec in specs),
        slots["source"],
        tuple(_reader(s, slots[s.name]) for s in specs[:lead]),
        tuple((slots[s.name], s.kind, s.default) for s in specs[lead:]),
        tuple(
            (i, s, several)
            for i, s in enumerate(specs[:lead])
            if (several := _holds_several(s)) is not None
        ),
        raw,
    )
