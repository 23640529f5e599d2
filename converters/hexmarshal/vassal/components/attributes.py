"""The attributes of components, declared once and typed: what a text means and how it is written.

A declaration such as `width = Integer("width", 0)` in a component class is its documentation, its
default, and a property that type checkers understand. The class of the declaration says what the
value is for: an `Image` names an image, a `Key` is a key stroke, and so on.
"""

from __future__ import annotations

import decimal
import math
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar, overload

from hexmarshal.errors import Place, UsageError, VassalFormatError
from hexmarshal.vassal import sequence, values

if TYPE_CHECKING:
    from hexmarshal.vassal.components.base import Component

__all__ = [
    "Attribute",
    "Choice",
    "Colour",
    "Decimal",
    "Exact",
    "Expression",
    "FileName",
    "Flag",
    "Format",
    "Image",
    "Integer",
    "Key",
    "Keys",
    "Names",
    "OptionalDecimal",
    "OptionalInteger",
    "Polygon",
    "Sound",
    "Target",
    "Text",
    "java_decimal",
]

T = TypeVar("T")
E = TypeVar("E", bound=values.ExactText)


class Attribute(Generic[T]):
    """One XML attribute of a component class."""

    __slots__ = ("default", "name")
    article: ClassVar[str] = "a value"

    def __init__(self, name: str, default: T) -> None:
        self.name = name
        self.default = default

    @overload
    def __get__(self, owner: None, cls: type[Component]) -> Self: ...
    @overload
    def __get__(self, owner: Component, cls: type[Component]) -> T: ...
    def __get__(self, owner: Component | None, cls: type[Component]) -> Self | T:
        if owner is None:
            return self
        text = owner.element.get(self.name)
        if text is None:
            return self.default
        try:
            return self._decode(text)
        except ValueError:
            raise VassalFormatError(
                f"{text!r} is not {self.article}",
                place=Place(field=self.name).within(owner.place),
            ) from None

    def __set__(self, owner: Component, value: T) -> None:
        text = owner.element.get(self.name)
        if text is not None and self._means(text, value):
            return
        owner.set(self.name, self._encode(value))

    def problem(self, text: str) -> str | None:
        """What is wrong with a text as a value of this attribute, in words, or None."""
        try:
            value = self._decode(text)
        except ValueError:
            return f"{text!r} is not {self.article}"
        return value.problem() if isinstance(value, values.ExactText) else None

    def _decode(self, text: str) -> T:
        """What a text means; a ValueError if it means nothing."""
        raise NotImplementedError

    def _encode(self, value: T) -> str | None:
        """The text of a value; None to have no such attribute."""
        raise NotImplementedError

    def _means(self, text: str, value: T) -> bool:
        # A text that already says it stays as written: 64 and 64.0 are the same number.
        try:
            return self._decode(text) == value
        except ValueError:
            return False


class Text(Attribute[str]):
    """Any text."""

    __slots__ = ()

    def __init__(self, name: str, default: str = "") -> None:
        super().__init__(name, default)

    def _decode(self, text: str) -> str:
        return text

    def _encode(self, value: str) -> str:
        return value


class Image(Text):
    """The name of an image, found by the rules of `hexmarshal.vassal.images.image_lookup`."""

    __slots__ = ()


class Sound(Text):
    """The name of a sound."""

    __slots__ = ()


class FileName(Text):
    """The name of an entry of the archive, as it is."""

    __slots__ = ()


class Choice(Text):
    """One of a few texts; others may come from newer engines and are kept."""

    __slots__ = ("options",)

    def __init__(self, name: str, default: str, *options: str) -> None:
        super().__init__(name, default)
        self.options = (default, *options)

    def problem(self, text: str) -> str | None:
        """Whether a text is not one of the known ones."""
        return None if text in self.options else f"{text!r} is none of {', '.join(self.options)}"


class Flag(Attribute[bool]):
    """`true` or `false`; anything else counts as false, as in Java."""

    __slots__ = ()

    def __init__(self, name: str, default: bool = False) -> None:
        super().__init__(name, default)

    def _decode(self, text: str) -> bool:
        return text.lower() == "true" if text else self.default

    def _encode(self, value: bool) -> str:
        return "true" if value else "false"


class Integer(Attribute[int]):
    """A whole number."""

    __slots__ = ()
    article = "a whole number"

    def __init__(self, name: str, default: int = 0) -> None:
        super().__init__(name, default)

    def _decode(self, text: str) -> int:
        return self.default if _void(text) else _integer(text)

    def _encode(self, value: int) -> str:
        return str(value)


class OptionalInteger(Attribute[int | None]):
    """A whole number that may be missing."""

    __slots__ = ()
    article = "a whole number"

    def __init__(self, name: str) -> None:
        super().__init__(name, None)

    def _decode(self, text: str) -> int | None:
        return None if _void(text) else _integer(text)

    def _encode(self, value: int | None) -> str | None:
        return None if value is None else str(value)


class Decimal(Attribute[float]):
    """A decimal number in Java's notation."""

    __slots__ = ()
    article = "a number"

    def __init__(self, name: str, default: float = 0.0) -> None:
        super().__init__(name, default)

    def _decode(self, text: str) -> float:
        return self.default if _void(text) else _decimal(text)

    def _encode(self, value: float) -> str:
        return java_decimal(value)


class OptionalDecimal(Attribute[float | None]):
    """A decimal number that may be missing."""

    __slots__ = ()
    article = "a number"

    def __init__(self, name: str) -> None:
        super().__init__(name, None)

    def _decode(self, text: str) -> float | None:
        return None if _void(text) else _decimal(text)

    def _encode(self, value: float | None) -> str | None:
        return None if value is None else java_decimal(value)


class Names(Attribute[tuple[str, ...]]):
    """A list of texts."""

    __slots__ = ()

    def __init__(self, name: str, default: tuple[str, ...] = ()) -> None:
        super().__init__(name, default)

    def _decode(self, text: str) -> tuple[str, ...]:
        return tuple(sequence.decode(text, ",")) if text else ()

    def _encode(self, value: tuple[str, ...]) -> str:
        if not sequence.is_representable(value):
            raise UsageError(
                "VASSAL cannot hold an element that ends in a backslash in a list",
                place=Place(field=self.name),
            )
        return sequence.join(value, ",")


class Exact(Attribute[E]):
    """A value in one of VASSAL's small languages, kept exactly as written."""

    __slots__ = ()
    kind: type[E]

    def __init__(self, name: str, default: str = "") -> None:
        super().__init__(name, self.kind(default))

    def _decode(self, text: str) -> E:
        return self.kind(text)

    def _encode(self, value: E) -> str:
        return value.text


class Key(Exact[values.KeyStroke]):
    """A key stroke or named key."""

    __slots__ = ()
    kind = values.KeyStroke


class Keys(Exact[values.KeyStrokes]):
    """A list of key strokes."""

    __slots__ = ()
    kind = values.KeyStrokes


class Colour(Exact[values.Colour]):
    """A colour, or none."""

    __slots__ = ()
    kind = values.Colour


class Format(Exact[values.FormattedText]):
    """A formatted string: text with `$property$`, or an expression in braces."""

    __slots__ = ()
    kind = values.FormattedText


class Expression(Exact[values.Expression]):
    """A property expression: `{BeanShell}` or the old match language."""

    __slots__ = ()
    kind = values.Expression


class Target(Exact[values.GlobalCommandTarget]):
    """Where a global key command looks for pieces."""

    __slots__ = ()
    kind = values.GlobalCommandTarget


class Polygon(Exact[values.Polygon]):
    """The corners of a polygon on a board."""

    __slots__ = ()
    kind = values.Polygon


def java_decimal(number: float) -> str:
    """A number as Java's `Double.toString` writes it: `64.0`, `1.0E-4`, `1.2E7`."""
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")
    sign, digits, exponent = decimal.Decimal(repr(float(number))).normalize().as_tuple()
    text = "".join(map(str, digits))
    power = len(digits) + int(exponent) - 1
    minus = "-" if sign else ""
    if number == 0:
        return f"{minus}0.0"
    if -3 <= power < 0:
        return f"{minus}0.{'0' * (-power - 1)}{text}"
    if 0 <= power < 7:
        text = text.ljust(power + 1, "0")
        return f"{minus}{text[: power + 1]}.{text[power + 1 :] or '0'}"
    return f"{minus}{text[0]}.{text[1:] or '0'}E{power}"


def _void(text: str) -> bool:
    # Java turns a missing number into the text `null`.
    return text in {"", "null"}


def _integer(text: str) -> int:
    if len(text) < 10 and text.isdecimal() and text.isascii():
        return int(text)
    number = sequence.java_int(text)
    if number is None:
        raise ValueError(text)
    return number


def _decimal(text: str) -> float:
    number = sequence.java_double(text)
    if number is None:
        raise ValueError(text)
    return number
