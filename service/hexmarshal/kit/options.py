"""Options of a game in a line each: switches, choices, numbers, and how they stand by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Option
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.values import Record

__all__ = ["choice", "defaults", "number", "switch"]


def switch(
    name: str, doc: str, *rules: str, default: bool = False, tacit: bool | None = None
) -> Option:
    """An optional rule, on or off; `tacit` is how it stands where players need not speak of it."""
    return Option(Param(name, ParamType.BOOL, doc), default, rules, tacit)


def choice(name: str, choices: tuple[str, ...], doc: str, *rules: str) -> Option:
    """One of several readings; the first is the default."""
    return Option(Param(name, ParamType.CHOICE, doc, choices=choices), choices[0], rules)


def number(
    name: str,
    doc: str,
    *rules: str,
    default: int,
    least: int | None = None,
    most: int | None = None,
) -> Option:
    """A number, within bounds where there are any."""
    param = Param(name, ParamType.INT, doc, minimum=least, maximum=most)
    return Option(param, default, rules)


def defaults(options: Iterable[Option]) -> Record:
    """How every option stands unless somebody chooses otherwise."""
    return FrozenMap({option.param.name: option.default for option in options})
