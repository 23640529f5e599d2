"""Section 6.5: the southern sector sleeps until something wakes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.state.effects import ChangeUnit, SetExtra
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["activate", "awake", "dormant", "front_given_up", "trespass", "violations"]


def awake(now: Situation) -> bool:
    """Whether the southern sector has been activated."""
    return now.position.extras.get("south") is not None


def dormant(now: Situation, unit: Unit) -> bool:
    """KHA-6.51: an Axis unit south of the green line before the activation.

    By the switch only one that began there, and then wherever it stands.
    """
    if unit.side != AXIS or not unit.cell or awake(now):
        return False
    if now.option("sleepers") == "began":
        return unit.has("southern")
    return now.board.south(unit.cell)


def violations(now: Situation, unit: Unit) -> Iterator[Violation]:
    """Neither moves nor attacks."""
    if dormant(now, unit):
        text = f"{unit.id} is of the southern sector, which is not active yet"
        yield Violation("KHA-6.51", text, units=(unit.id,), cells=(unit.cell,))


def activate(play: Play, rule: str, text: str) -> None:
    """All southern units become active; for this turn they count as supplied (KHA-6.57)."""
    now = play.now
    if awake(now):
        return
    play.do(SetExtra("south", now.turn))
    for unit in tuple(now.on_map(AXIS)):
        if not now.board.south(unit.cell):
            continue
        # The book never says when the Romanian headquarters wakes: with its sector.
        wakes = unit.type == "hq" and now.option("romanian_hq") == "south"
        asleep = frozenset({"inactive", "unsupplied"} if wakes else {"unsupplied"})
        play.do(ChangeUnit(unit.id, flags=frozenset({"activated"}), unflags=asleep))
    play.note("southern sector", text, rule)


def attacked(play: Play, cells: tuple[str, ...], *, overrun: bool = False) -> None:
    """KHA-6.52: a southern Axis unit is attacked."""
    now = play.now
    if overrun and not now.option("overrun_activates"):
        return
    for cell in cells:
        if now.board.south(cell) and now.at(cell, AXIS):
            activate(play, "KHA-6.52", f"the Axis is attacked in {cell}")
            return


def trespass(play: Play, cell: str) -> None:
    """KHA-6.53: a Soviet unit enters the southern sector beyond the line of 12 May."""
    board = play.board
    if board.south(cell) and not board.bit[cell] & board.soviet:
        activate(play, "KHA-6.53", f"Soviet units enter {cell}")


def front_given_up(now: Situation) -> tuple[str, ...]:
    """KHA-6.54: southern hexes of the Soviet line that no Soviet unit holds or controls."""
    held = now.held(SOVIET) | (now.zoc(SOVIET) & ~now.occupied(AXIS))
    line = now.board.front(SOVIET)
    return tuple(c for c in line if now.board.south(c) and not held & now.board.bit[c])
