"""What players can announce in a game: lines that the referee reads, and where a click says them.

Which there are follows from the game's own declaration of its actions: one without parameters is
said at the table, one of a unit at that unit, one of units against a place at the place, by those
that were marked before, one of a card at the card, for the unit that was marked. What a drag shows
needs no words; what holds several cards or lists of its own is typed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hexmarshal.rules.action import ActionType, Param
    from hexmarshal.rules.plugin import Game

__all__ = [
    "MARK_KEY", "PARTS", "TARGET", "WHERE", "Announcement", "Said", "announcements", "notation",
]  # fmt: skip

MARK_KEY: Final = "Y"
"""Ctrl and this key mark a unit that takes part in what is announced next."""
PARTS: Final = "Parts"
"""The property that collects the marked units."""
TARGET: Final = "Target"
"""The property that holds the place that was asked for."""
WHERE: Final = "where"
"""The way of saying something that asks for its place."""
_UNITS: Final = frozenset({ParamType.UNIT, ParamType.UNITS})
_CELLS: Final = frozenset({ParamType.CELL, ParamType.CELLS})
_MOST: Final = 7
"""As many numbers a menu offers where the declaration sets no bound."""


class Said(StrEnum):
    """Where a line is said: in the toolbar, at one unit, where the marked are sent, at a card."""

    TABLE = "table"
    UNIT = "unit"
    MARKED = "marked"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Announcement:
    """One line that a click says, `$name$` in it being a property of VASSAL."""

    action: str
    menu: str
    line: str
    said: Said
    under: str = ""
    """The menu inside the menu that it is found in: where one thing is said in several ways."""
    way: str = ""
    """Which of them, where it is a choice that may be left out."""
    alone: bool = False
    """Whether one unit does it, with nobody to help."""


def announcements(
    game: Game,
    shown: Collection[str] = (),
    most: Mapping[str, int] | None = None,
    ways: Mapping[str, Mapping[str, str]] | None = None,
    asked: Mapping[str, str] | None = None,
) -> tuple[Announcement, ...]:
    """What can be said by click; not the actions that drags or the tracker show.

    `most` is the highest number that an action can be said with, where its rules set the bound.
    `ways` are choices that units may say with an action, each in a menu of its own:
    `{"by": {"opportunity": "Opportunity action"}}`. What is `asked` for its place has a menu entry
    besides, at those who do it: where nothing lies that it could be said at.
    """
    limits = most or {}
    said = [
        (action, one)
        for action in game.actions.values()
        if action.name not in shown and action.sealed is None
        for one in _of(action, limits.get(action.name))
    ]
    where = (
        replace(one, menu=asked[action.name], line=_at_target(one.line), way=WHERE)
        for action, one in said
        if asked and action.name in asked
    )
    return (*(one for _, one in said), *_in_ways(said, ways or {}), *where)


def _at_target(line: str) -> str:
    return line.replace("$location$", f"${TARGET}$")


def _in_ways(
    said: Sequence[tuple[ActionType, Announcement]], ways: Mapping[str, Mapping[str, str]]
) -> Iterator[Announcement]:
    for name, menus in ways.items():
        for choice, title in menus.items():
            for action, one in said:
                able = any(p.name == name and choice in _choices(p) for p in action.params)
                if able and one.said in (Said.UNIT, Said.MARKED):
                    menu, line = f"{one.menu}, {title.lower()}", f"{one.line} {name}={choice}"
                    yield replace(one, menu=menu, line=line, under=title, way=choice)


def _choices(param: Param) -> Collection[str]:
    return ("yes",) if param.type is ParamType.BOOL else param.choices


def _of(action: ActionType, most: int | None) -> Iterator[Announcement]:
    needed = [param for param in action.params if param.required]
    kinds = [param.type for param in needed]
    head, title = f"[{action.name}]", action.title
    helped = any(param.type is ParamType.UNITS for param in action.params)
    alone = ParamType.UNIT in kinds and not helped
    if not needed:
        yield Announcement(action.name, title, head, Said.TABLE)
    elif len(needed) == 1 and (words := _words(needed[0], most)):
        for word, shown in words:
            menu = f"{title}: {shown}"
            yield Announcement(action.name, menu, f"{head} {word}", Said.TABLE, title)
    elif kinds == [ParamType.UNIT]:
        yield Announcement(action.name, title, f"{head} $UnitId$", Said.UNIT)
    elif kinds == [ParamType.UNITS]:
        yield Announcement(action.name, title, f"{head} ${PARTS}$", Said.MARKED)
    elif kinds == [ParamType.CARD]:
        yield Announcement(action.name, title, f"{head} $Card$", Said.CARD)
    elif kinds == [ParamType.CARD, ParamType.UNIT]:
        yield Announcement(
            action.name, title, f"{head} $Card$ -> ${PARTS}$", Said.CARD, alone=alone
        )
    elif len(kinds) == 1 and kinds[0] in _CELLS:
        yield Announcement(action.name, f"{title} here", f"{head} $location$", Said.UNIT)
    elif len(kinds) == 2 and kinds[0] in _UNITS and kinds[1] is ParamType.UNIT:
        line, alone = f"{head} ${PARTS}$ -> $UnitId$", alone and kinds[0] is ParamType.UNIT
        yield Announcement(action.name, title, line, Said.MARKED, alone=alone)
    elif len(kinds) == 2 and _UNITS & set(kinds) and _CELLS & set(kinds):
        values = [f"${PARTS}$" if kind in _UNITS else "$location$" for kind in kinds]
        line = f"{head} {' -> '.join(values)}"
        yield Announcement(action.name, f"{title} here", line, Said.MARKED, alone=alone)


def _words(param: Param, most: int | None) -> list[tuple[str, str]]:
    """What a single parameter may be, with what the menu calls it; none if it is no such list."""
    if param.type is ParamType.BOOL:
        return [("yes", "yes"), ("no", "no")]
    if param.type is ParamType.CHOICE:
        return [(choice, choice.replace("_", " ")) for choice in param.choices]
    if param.type is ParamType.INT:
        low = param.minimum or 0
        high = min(n for n in (low + _MOST, param.maximum, most) if n is not None)
        return [(str(n), str(n)) for n in range(low, high + 1)]
    return []


def notation(action: ActionType) -> str:
    """How an action is announced in the chat, its parameters by their names."""
    needed = " -> ".join(param.name for param in action.params if param.required)
    others = " ".join(f"{param.name}=..." for param in action.params if not param.required)
    return " ".join(filter(None, (f"[{action.name}]", needed, others and f"({others})")))
