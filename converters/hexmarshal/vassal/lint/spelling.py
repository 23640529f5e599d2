"""Checks of values: key strokes, expressions, formatted strings, numbers and colours."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.components.attributes import (
    Attribute,
    Colour,
    Decimal,
    Expression,
    Format,
    Integer,
    Key,
    Keys,
    OptionalDecimal,
    OptionalInteger,
    Polygon,
    Target,
)
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.traits import CalculatedProperty
from hexmarshal.vassal.values import ExactText, FormattedText, PropertyCommands
from hexmarshal.vassal.values import Expression as ExpressionValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["CHECKS"]

_NUMBERS: Final = (Integer, Decimal, OptionalInteger, OptionalDecimal)
_SHOWN: Final = 60


def _attributes(
    subject: ModuleSubject,
    kinds: tuple[type[Attribute[Any]], ...],
    wrong: Callable[[Attribute[Any], str], str | None],
) -> Iterator[Found]:
    """Attributes of stock components whose text cannot be what they are declared to be."""
    for component in subject.components:
        if not component.stock:
            continue
        for name, attribute in component.declared.items():
            if isinstance(attribute, kinds):
                text = component.element.get(name)
                problem = wrong(attribute, text) if text else None
                if problem:
                    yield subject.found(component, problem, field=name)


def _fields(
    subject: ModuleSubject,
    codes: frozenset[str],
    wrong: Callable[[ExactText], str | None],
) -> Iterator[Found]:
    """Fields of traits whose text cannot be what they are declared to be."""
    # A thousand pieces share a mistake that was copied: it is told once for each component.
    told: Counter[tuple[object, str]] = Counter()
    for use in subject.traits:
        for spec, value in use.trait.items():
            if spec.code not in codes:
                continue
            problem = wrong(value)
            if problem:
                told[use.component, problem] += 1
                if told[use.component, problem] == 1:
                    field = f"{use.trait.title}: {spec.name}"
                    yield subject.found(use.component, problem, field=field)


def _bad_key(subject: ModuleSubject) -> Iterator[Found]:
    yield from _attributes(subject, (Key, Keys), lambda a, text: a.problem(text))
    yield from _fields(subject, frozenset({"K", "KA"}), lambda value: value.problem())
    yield from _fields(subject, frozenset({"PCL"}), _command_keys)


def _command_keys(value: ExactText) -> str | None:
    if not isinstance(value, PropertyCommands):
        return None
    return next((p for c in value.commands if (p := c.key.problem())), None)


def _bad_expression(subject: ModuleSubject) -> Iterator[Found]:
    yield from _attributes(subject, (Expression,), lambda a, text: _quoted(a.problem(text), text))
    yield from _attributes(subject, (Format,), lambda _, text: _braced(FormattedText(text)))
    yield from _fields(subject, frozenset({"PE"}), lambda v: _quoted(v.problem(), v.text))
    yield from _fields(subject, frozenset({"FS", "SOUND"}), _braced)
    for use in subject.traits:
        if isinstance(use.trait, CalculatedProperty) and use.trait.expression.strip():
            text = use.trait.expression.strip()
            braced = text if text.startswith("{") else f"{{{text}}}"
            problem = _quoted(ExpressionValue(braced).problem(), text)
            if problem:
                field = f"{use.trait.title} {use.trait.name}"
                yield subject.found(use.component, problem, field=field)


def _braced(value: ExactText) -> str | None:
    is_expression = isinstance(value, FormattedText) and value.is_expression
    return _quoted(value.problem(), value.text) if is_expression else None


def _quoted(problem: str | None, text: str) -> str | None:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"{problem}: {shown}" if problem else None


def _lone_dollar(subject: ModuleSubject) -> Iterator[Found]:
    yield from _attributes(subject, (Format,), lambda _, text: _unpaired(FormattedText(text)))
    yield from _fields(subject, frozenset({"FS"}), _unpaired)


def _unpaired(value: ExactText) -> str | None:
    plain = isinstance(value, FormattedText) and not value.is_expression
    return _quoted(value.problem(), value.text) if plain else None


def _bad_value(subject: ModuleSubject) -> Iterator[Found]:
    kinds = (*_NUMBERS, Colour, Target, Polygon)
    yield from _attributes(subject, kinds, lambda a, text: a.problem(text))
    yield from _fields(subject, frozenset({"C", "TGT", "ACCESS"}), lambda value: value.problem())


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "bad-key",
        Severity.WARNING,
        "A key stroke cannot be read",
        "write the number of the key, a comma, the number of the modifiers; or a name behind both",
        _bad_key,
    ),
    Check(
        "bad-expression",
        Severity.WARNING,
        "An expression does not parse",
        "correct it: the engine takes it for false, or reports an error each time",
        _bad_expression,
    ),
    Check(
        "lone-dollar",
        Severity.INFO,
        "A formatted string has a $ without a partner",
        "put the name of a property between two $, or write \\$ for a plain one",
        _lone_dollar,
    ),
    Check(
        "bad-value",
        Severity.WARNING,
        "A number, a colour, an outline or a target cannot be read",
        "correct the value: the engine uses its default, or refuses the component",
        _bad_value,
    ),
)
