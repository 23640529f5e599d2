"""What a table that was laid out does not show: the position is read back from it and compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading import TableReader
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["unshown"]


def unshown(table: TableReader, state: GameState, position: Position) -> Iterator[str]:
    """In words: what somebody who has nothing but the table and the scenario does not know."""
    known = {scenario.key for scenario in table.plugin.scenarios()}
    if position.scenario not in known:
        return
    base = engine.start(table.plugin, position.scenario, position.options.plain())
    read = table.read(state, base).position
    if (read.state, read.active) != (position.state, position.active):
        what = position.state or "nothing"
        yield f"nothing on the table shows what is decided now: {what}, by {_all(position.active)}"
    elif read.frames != position.frames:
        yield f"nothing on the table shows how far {position.state or position.phase} is"
    for name in sorted({*read.extras, *position.extras}):
        if read.extras.get(name) != position.extras.get(name):
            yield f"nothing on the table shows {name}"


def _all(sides: tuple[str, ...]) -> str:
    return " and ".join(sides) or "nobody"
