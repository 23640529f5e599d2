"""Where a turn tracker stands, in words: `Turn: 3, Fire`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands.turn import ListLevel, TurnState
from hexmarshal.vassal.components import ListTurnLevel, TurnTracker
from hexmarshal.vassal.components.turns import TurnLevel as LevelComponent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.vassal.commands.game import SetTurn
    from hexmarshal.vassal.commands.turn import TurnLevel
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["turns_in_words"]


def turns_in_words(turns: Mapping[str, SetTurn], module: Module | None) -> dict[str, str]:
    """Each tracker's name with its current values; the module names the entries of lists."""
    trackers = {} if module is None else dict(enumerate(module.each(TurnTracker)))
    known = {f"TurnTracker{number}": tracker for number, tracker in trackers.items()}
    told: dict[str, str] = {}
    for key, turn in turns.items():
        tracker = known.get(key)
        name = key if tracker is None else tracker.name or key
        told[name] = _words(turn.state, tracker)
    return told


def _words(text: str, tracker: TurnTracker | None) -> str:
    try:
        turn = TurnState.decode(text)
    except VassalFormatError:
        return text
    return ", ".join(_values(turn.levels, turn.current, tracker))


def _values(
    levels: Sequence[TurnLevel], current: int, component: Component | None
) -> Iterator[str]:
    if not 0 <= current < len(levels):
        return
    parts = [] if component is None else [*component.each(LevelComponent, deep=False)]
    level, part = levels[current], parts[current] if current < len(parts) else None
    entries = part.entries if isinstance(part, ListTurnLevel) else ()
    if isinstance(level, ListLevel) and 0 <= level.current < len(entries):
        yield entries[level.current]
    else:
        yield str(level.current)
    yield from _values(level.levels, level.sublevel, part)
