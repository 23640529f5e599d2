r"""A small interpreter of BeanShell expressions, which knows when it does not know.

>>> known = {"Strength": "4", "Side": "Red", "pieceName": "1st"}.get
>>> evaluate('{pieceName + (Side=="Red" ? " (" + Strength + ")" : "")}', known)
'1st (4)'
>>> evaluate("{Strength * 2 > 7 && Side != \"Blue\"}", known)
'true'
>>> evaluate("{Strength + Elsewhere}", known) is None
True
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.sequence import java_double, java_int
from hexmarshal.vassal.values import beanshell
from hexmarshal.vassal.values.formatted import FormattedText

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.values.beanshell import Token

    Lookup = Callable[[str], str | None]
    Value = str | int | bool

__all__ = ["evaluate", "filled"]

# Loosest first; the operators of a line bind alike.
_BINARY: Final = (
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "%"),
)
_LARGEST: Final = 2**31
# Each level costs a dozen calls.
_DEEPEST: Final = 30
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}


class _UnknownError(Exception):
    """What this interpreter cannot tell: a property, a function, a mixture of types."""


def evaluate(text: str, lookup: Lookup) -> str | None:
    """The value of an expression, with or without braces; None if it cannot be told.

    `lookup` gives the text of a property, or None for one that it does not know.
    """
    inside = text.strip()
    inside = inside[1:-1] if beanshell.is_braced(inside) else inside
    words = _words(inside)
    if not words:
        return ""
    parser = _Parser(words, lookup)
    try:
        value = parser.choice()
    except _UnknownError:
        return None
    return None if value is None or parser.at < len(words) else _text(value)


# The same few formulas are worked out for every piece.
@lru_cache(maxsize=1 << 10)
def _words(expression: str) -> tuple[Token, ...]:
    return tuple(beanshell.tokens(expression))


def filled(text: str, lookup: Lookup) -> str | None:
    """A formatted text with its properties, or the value of an expression; None if unknown."""
    found = FormattedText(text)
    if found.is_expression:
        return evaluate(text, lookup)
    values = {name: lookup(name) for name in found.properties}
    if any(value is None for value in values.values()):
        return None
    return found.fill({name: value or "" for name, value in values.items()})


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _typed(text: str) -> Value:
    """A property as the engine hands it to an expression: a number, a truth or a text."""
    if text in {"true", "false"}:
        return text == "true"
    number = java_int(text)
    if number is None and java_double(text) is not None:
        raise _UnknownError  # decimals are rounded as Java rounds them
    return text if number is None else number


class _Parser:
    """Reads and works out at once; both sides are always read, so that nonsense is not passed."""

    def __init__(self, words: tuple[Token, ...], lookup: Lookup) -> None:
        self.words = words
        self.lookup = lookup
        self.at = 0
        self.depth = 0

    def choice(self) -> Value | None:
        """An expression with a `? :` or without; None if it is read but cannot be told."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _UnknownError
        condition = self._try(lambda: self._binary(0))
        value = condition
        if self._next() == "?":
            self.at += 1
            first = self._try(self.choice)
            self._expect(":")
            second = self._try(self.choice)
            value = (first if condition else second) if isinstance(condition, bool) else None
        self.depth -= 1
        return value

    def _try(self, read: Callable[[], Value | None]) -> Value | None:
        """What a part is, or None if that cannot be told but its end can."""
        start, depth = self.at, self.depth
        try:
            return read()
        except _UnknownError:
            self.at, self.depth = _end_of_term(self.words, start), depth
            return None

    def _binary(self, level: int) -> Value:
        if level == len(_BINARY):
            return self._unary()
        left = self._side(level)
        while self._next() in _BINARY[level]:
            operator = self.words[self.at].text
            self.at += 1
            left = _joined(operator, left, self._side(level))
        return _known(left)

    def _side(self, level: int) -> Value | None:
        # Only truths can do without a part: what is false stays false whatever stands beside it.
        if level > 1:
            return self._binary(level + 1)
        start, depth = self.at, self.depth
        try:
            return self._binary(level + 1)
        except _UnknownError:
            self.at = _end_of_term(self.words, start, (*_BINARY[level], "||"))
            self.depth = depth
            return None

    def _unary(self) -> Value:
        word = self._next()
        if word in {"!", "-"}:
            self.at += 1
            self.depth += 1
            if self.depth > _DEEPEST:
                raise _UnknownError
            value = self._unary()
            self.depth -= 1
            if word == "!" and isinstance(value, bool):
                return not value
            if word == "-" and isinstance(value, int) and not isinstance(value, bool):
                return _bounded(-value)
            raise _UnknownError
        value = self._primary()
        while self._next() == ".":
            value = self._method(value)
        return value

    def _primary(self) -> Value:
        if self.at >= len(self.words):
            raise _UnknownError
        word = self.words[self.at]
        self.at += 1
        match word.kind:
            case "string":
                return self._string(word.text[1:-1])
            case "number":
                number = java_int(word.text)
                if number is None:
                    raise _UnknownError
                return number
            case "property":
                return self._property(word.text[1:-1])
            case "open" if word.text == "(":
                value = self.choice()
                self._expect(")")
                return _known(value)
            case "name" if self._next() == "(":
                return self._call(word.text)
            case "name" if word.text in {"true", "false"}:
                return word.text == "true"
            case "name":
                return self._property(word.text)
        raise _UnknownError

    def _string(self, inside: str) -> Value:
        out: list[str] = []
        letters = iter(inside)
        for letter in letters:
            if letter == "\\":
                escaped = _ESCAPES.get(next(letters, ""))
                if escaped is None:
                    raise _UnknownError
                out.append(escaped)
            else:
                out.append(letter)
        return "".join(out)  # between quotes, $Name$ is no property

    def _property(self, name: str) -> Value:
        found = self.lookup(name)
        if found is None:
            raise _UnknownError
        return _typed(found)

    def _arguments(self) -> list[Value | None]:
        self._expect("(")
        values: list[Value | None] = []
        while self._next() != ")":
            values.append(self.choice())
            if self._next() != ")":
                self._expect(",")
        self.at += 1
        return values

    def _call(self, name: str) -> Value:
        match name, self._arguments():
            case "GetProperty", [str(wanted)]:
                return self._property(wanted)
            case "GetString", [str(wanted)]:
                return _text(self._property(wanted))
            case "If", [bool(truth), first, second]:
                return _known(first if truth else second)
        raise _UnknownError

    def _method(self, value: Value) -> Value:
        self._expect(".")
        name = self._next()
        self.at += 1
        arguments = self._arguments()
        if not isinstance(value, str):
            raise _UnknownError
        match name, arguments:
            case "equals", [str(other)]:
                return value == other
            case "equalsIgnoreCase", [str(other)]:
                return value.lower() == other.lower()
            case "contains", [str(other)]:
                return other in value
            case "startsWith", [str(other)]:
                return value.startswith(other)
            case "endsWith", [str(other)]:
                return value.endswith(other)
            case "length", []:
                return len(value)
            case "trim", []:
                return value.strip()
            case "toUpperCase", []:
                return value.upper()
            case "toLowerCase", []:
                return value.lower()
        raise _UnknownError

    def _next(self) -> str:
        return self.words[self.at].text if self.at < len(self.words) else ""

    def _expect(self, text: str) -> None:
        if self._next() != text:
            raise _UnknownError
        self.at += 1


def _end_of_term(words: tuple[Token, ...], at: int, stops: tuple[str, ...] = ()) -> int:
    """Where a part that was not understood ends: at what closes or follows it."""
    depth = 0
    while at < len(words):
        word = words[at]
        if not depth and (word.text in {"?", ":", ",", *stops} or word.kind == "close"):
            return at
        depth += {"open": 1, "close": -1}.get(word.kind, 0)
        at += 1
    return at


def _known(value: Value | None) -> Value:
    if value is None:
        raise _UnknownError
    return value


def _bounded(number: int) -> int:
    if not -_LARGEST <= number < _LARGEST:
        raise _UnknownError
    return number


def _joined(operator: str, left: Value | None, right: Value | None) -> Value | None:
    if operator in {"&&", "||"}:
        return _logical(operator, left, right)
    one, other = _known(left), _known(right)
    if operator in {"==", "!="}:
        # Java says nothing sensible of a number beside a text.
        if type(one) is not type(other):
            raise _UnknownError
        return (one == other) == (operator == "==")
    if operator == "+" and (isinstance(one, str) or isinstance(other, str)):
        return _text(one) + _text(other)
    if isinstance(one, bool) or isinstance(other, bool):
        raise _UnknownError
    if isinstance(one, str) or isinstance(other, str):
        raise _UnknownError
    return _arithmetic(operator, one, other)


def _logical(operator: str, left: Value | None, right: Value | None) -> bool | None:
    decisive = operator == "||"
    if left is decisive or right is decisive:
        return decisive
    if isinstance(left, bool) and isinstance(right, bool):
        return not decisive
    return None


def _arithmetic(operator: str, one: int, other: int) -> Value:
    match operator:
        case "+":
            return _bounded(one + other)
        case "-":
            return _bounded(one - other)
        case "*":
            return _bounded(one * other)
        case "/" if other:
            # Java rounds towards zero.
            quotient = abs(one) // abs(other)
            return quotient if (one < 0) == (other < 0) else -quotient
        case "%" if other:
            rest = abs(one) % abs(other)
            return -rest if one < 0 else rest
        case "<":
            return one < other
        case "<=":
            return one <= other
        case ">":
            return one > other
        case ">=":
            return one >= other
    raise _UnknownError
