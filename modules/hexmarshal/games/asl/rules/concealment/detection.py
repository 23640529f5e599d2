"""Detection: who tries to enter the hex of a concealed enemy finds him, and is thrown back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy, reveal
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location

__all__ = ["detect", "drop_dummies", "show_bypassed", "uncover_for_overrun"]

RULE = "ASL-A12.15a"


def detect(play: Play, place: Location, movers: Sequence[str]) -> bool:
    """ASL-A12.15a, ASL-A12.15c: whether somebody real is found there; dummies of both are gone.

    The berserk go in whatever is there.
    """
    side = other(play.now.phasing)
    for unit in play.now.people(place, side):
        place_hidden(play, unit.id, "an enemy tries to enter", RULE)
    covered = [unit for unit in play.now.people(place, side) if unit.has(marks.CONCEALED)]
    if not covered:
        return False
    _show_mover(play, movers)
    real = [unit.id for unit in covered if not play.now.is_dummy(unit)]
    if not real:
        for unit in covered:
            remove_dummy(play, unit.id, "an enemy enters", "ASL-A12.15c")
        return False
    for name in chosen_by_lot(play, real, 1, "who is revealed", side):
        reveal(play, name, f"an enemy tries to enter {place}", RULE)
    return not all(
        play.position.unit(name).has(marks.BERSERK)
        for name in movers
        if name in play.position.units
    )


def _show_mover(play: Play, movers: Sequence[str]) -> None:
    """ASL-A12.15c: concealed movers show one of theirs and lose their "?"; dummies are gone."""
    hidden = [n for n in movers if play.now.is_hidden(play.position.unit(n))]
    real = [n for n in hidden if not play.now.is_dummy(play.position.unit(n))]
    for name in hidden:
        if name in real:
            reveal(play, name, "it tries to enter the enemy's hex", "ASL-A12.15c")
        elif not real:
            remove_dummy(play, name, "it tries to enter the enemy's hex", "ASL-A12.15c")


def drop_dummies(play: Play, movers: Sequence[str]) -> tuple[str, ...]:
    """Those of the movers that are still there."""
    return tuple(name for name in movers if name in play.position.units)


def uncover_for_overrun(play: Play, place: Location) -> bool:
    """ASL-A12.15d: before an overrun the DEFENDER shows another real unit, if there is one."""
    side = other(play.now.phasing)
    for unit in play.now.people(place, side):
        place_hidden(play, unit.id, "an overrun is tried", "ASL-A12.15d")
    rest = [unit for unit in play.now.people(place, side) if play.now.is_hidden(unit)]
    real = [unit.id for unit in rest if not play.now.is_dummy(unit)]
    for unit in rest:
        if unit.id not in real:
            remove_dummy(play, unit.id, "an overrun is tried", "ASL-A12.15d")
    for name in chosen_by_lot(play, real, 1, "who is revealed", side) if real else ():
        reveal(play, name, "an overrun is tried", "ASL-A12.15d")
    return bool(real)


def show_bypassed(play: Play, place: Location) -> None:
    """ASL-A12.151: who has to end his bypass among concealed enemies takes their "?" away."""
    side = other(play.now.phasing)
    for unit in play.now.people(place, side):
        reveal(play, unit.id, f"an enemy ends his bypass in {place}", "ASL-A12.151")
