"""The expressions in a field of a trait, wherever they stand in it: read, and written back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.traits.attributes import CalculatedProperty
from hexmarshal.vassal.values import (
    Expression,
    FormattedText,
    Parameters,
    PropertyCommands,
    beanshell,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.traits import Trait
    from hexmarshal.vassal.values.structures import PropertyCommand

    Change = Callable[[str], str]

__all__ = ["expressions_of", "with_expressions"]

# Expressions, formatted texts, commands of properties and parameters, by the codes of their kinds.
_CODES: Final = frozenset({"PE", "FS", "SOUND", "PCL", "PARAM"})
_BY_CLASS: Final[dict[type[Trait], tuple[str, ...]]] = {}


def expressions_of(trait: Trait) -> Iterator[str]:
    """Every expression of a trait, in either language, with its braces."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    for name in _fields(type(trait)):
        with_expressions(trait, name, getattr(trait, name), note, note)
    yield from found


def _fields(cls: type[Trait]) -> tuple[str, ...]:
    """The fields of a trait that can hold an expression."""
    found = _BY_CLASS.get(cls)
    if found is None:
        calculated = {"expression"} if issubclass(cls, CalculatedProperty) else set[str]()
        told = (s for s in cls.layout.fields if s.code in _CODES or s.name in calculated)
        found = _BY_CLASS[cls] = tuple(spec.name for spec in told)
    return found


def with_expressions(
    trait: Trait,
    name: str,
    value: Any,  # noqa: ANN401 - the value of any field
    expression: Change,
    text: Change = lambda each: each,
) -> Any:  # noqa: ANN401
    """The value of a field with its expressions changed, and with `text` its formatted texts."""
    if isinstance(trait, CalculatedProperty) and name == "expression":
        # An expression even where the braces are left out.
        braced = beanshell.is_braced(value)
        fresh = expression(value if braced else f"{{{value}}}")
        return fresh if braced else fresh[1:-1]
    if isinstance(value, Expression):
        return Expression(expression(value.text)) if value.text else value
    if isinstance(value, FormattedText):
        return FormattedText(_formatted(value.text, expression, text))
    if isinstance(value, PropertyCommands) and value.text:
        before = value.commands
        after = [_command(each, expression, text) for each in before]
        return value if [*before] == after else PropertyCommands.of(*after)
    if isinstance(value, Parameters) and value.text:
        pairs = {key: _formatted(given, expression, text) for key, given in value.pairs}
        return value if pairs == dict(value.pairs) else Parameters.of(pairs)
    return value


def _formatted(given: str, expression: Change, text: Change) -> str:
    return expression(given) if beanshell.is_braced(given) else text(given)


def _command(command: PropertyCommand, expression: Change, text: Change) -> PropertyCommand:
    change = command.change
    value = _formatted(change.value, expression, text)
    choices = tuple(_formatted(choice, expression, text) for choice in change.choices)
    return replace(command, change=replace(change, value=value, choices=choices))
