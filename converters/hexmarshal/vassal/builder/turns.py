"""Levels of a turn tracker: what counts and what goes through a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import UsageError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.components import (
    CounterTurnLevel,
    ListTurnLevel,
    TurnGlobalHotkey,
    TurnLevel,
    TurnTracker,
)

if TYPE_CHECKING:
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.values import KeyStroke

__all__ = ["Level", "counts", "lists", "turn_hotkey", "turn_tracker"]


@dataclass(frozen=True, slots=True)
class Level:
    """One level to be; the next one goes inside it."""

    name: str
    start: int = 1
    last: int | None = None
    entries: tuple[str, ...] = ()
    prop: str = ""

    def into(self, parent: Component) -> TurnLevel:
        """Make the level inside a tracker or another level."""
        common = {
            "name": self.name,
            "property": self.prop or self.name,
            "turnFormat": "$value$",
        }
        if self.entries:
            return parent.add(
                ListTurnLevel,
                {
                    **common,
                    "configFirst": "false",
                    "configList": "false",
                    "list": sequence.join(self.entries, ","),
                    "prompt": "",
                },
            )
        return parent.add(
            CounterTurnLevel,
            {
                **common,
                "incr": "1",
                "loop": "false" if self.last is None else "true",
                "loopLimit": str(-1 if self.last is None else self.last),
                "start": str(self.start),
            },
        )


def counts(name: str, start: int = 1, last: int | None = None, *, prop: str = "") -> Level:
    """A level that counts from `start`, round again after `last` if that is given."""
    return Level(name, start, last, prop=prop)


def lists(name: str, *entries: str, prop: str = "") -> Level:
    """A level that goes through a list: sides, phases."""
    return Level(name, entries=entries, prop=prop)


def turn_tracker(
    root: Component,
    name: str,
    *levels: Level,
    before: tuple[Level, ...] = (),
    show: str = "",
    icon: str = "",
) -> TurnTracker:
    """A tracker of turns and phases, each level inside the one before.

    It goes through the levels `before` once, and from then on through the others.
    """
    if not levels:
        raise UsageError("a turn tracker needs a level")
    shown = show or ", ".join(f"$level{i}$" for i in range(1, len(levels) + 1))
    made = root.add(
        TurnTracker,
        {
            "buttonText": name,
            "hotkey": "84,715",
            "icon": icon,
            "length": "-1",
            "lengthStyle": "Maximum",
            "name": name,
            "nexthotkey": "78,715",
            "prevhotkey": "",
            "reportFormat": "$PlayerName$: $newTurn$ (after $oldTurn$)",
            "turnFormat": shown,
        },
    )
    for chain in (before, levels):
        inner: Component = made
        for level in chain:
            inner = level.into(inner)
    return made


def turn_hotkey(tracker: TurnTracker, where: str, key: KeyStroke) -> TurnGlobalHotkey:
    """A hot key that the tracker presses whenever it comes to where the expression is true."""
    return tracker.add(
        TurnGlobalHotkey,
        {"hotkey": key.text, "match": where, "name": where, "reportFormat": ""},
    )
