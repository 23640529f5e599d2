"""Concealment lost: by what a unit does in sight of the enemy, and by what befalls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import observers, place_hidden, reveal
from hexmarshal.games.asl.rules.movement.stacking import overstack
from hexmarshal.games.asl.rules.rout.interdiction import is_open_to
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["expose", "expose_by_fire", "expose_by_move", "expose_by_result", "sweep"]

_ENDS = frozenset({marks.BROKEN, marks.BERSERK})


def expose(play: Play, names: Iterable[str], what: str, rule: str, *, shows: bool = False) -> None:
    """ASL-CONL-2, ASL-CONL-3: who does this in sight and within 16 hexes loses its "?".

    With `shows` a hidden unit is put under one even if nobody sees it: its fire does.
    """
    for name in names:
        unit = play.position.units.get(name)
        if unit is None or not play.now.is_hidden(unit):
            continue
        if shows:
            place_hidden(play, name, what)  # ASL-HIP-1a
        seen = observers(play.now, play.position.unit(name))
        if seen:
            _show_no_dummy(play, seen)
            reveal(play, name, f"{what} in sight of {seen[0].id}", rule)


def _show_no_dummy(play: Play, seen: list[Unit]) -> None:
    """ASL-CONL-5: a concealed observer shows for a moment that he is no dummy."""
    if seen[0].has(marks.CONCEALED):
        text = f"{seen[0].id} shows that it is no dummy, and is concealed again"
        play.decide(Resolution("concealment", "kept", steps=(Step(text, "ASL-CONL-5"),)))


def expose_by_fire(play: Play, names: Iterable[str]) -> None:
    """ASL-CONL-2: who fires or directs fire."""
    expose(play, names, "fires or directs fire", "ASL-CONL-2", shows=True)


def expose_by_move(play: Play, names: Iterable[str], *, quiet: bool) -> None:
    """ASL-CONL-2, ASL-CONL-4: by any move but assault movement, and into the open by any at all."""
    for name in names:
        unit = play.position.units.get(name)
        if unit is None or not play.now.is_hidden(unit):
            continue
        if not quiet:
            expose(play, (name,), "moves", "ASL-CONL-2")
        elif any(into_open(play.now, unit, enemy) for enemy in observers(play.now, unit)):
            expose(play, (name,), "enters Open Ground", "ASL-CONL-2")


def into_open(now: Situation, unit: Unit, enemy: Unit) -> bool:
    """Whether the ground of a unit is open to an enemy's sight."""
    return is_open_to(now, now.at(unit), enemy)


def expose_by_result(play: Play, names: Iterable[str]) -> None:
    """An attack that brings at least a PTC takes the "?" away, if an enemy in good order sees it.

    Letters A and E of the concealment table; out of sight only breaking, loss and wounds do.
    """
    for name in tuple(names):
        unit = play.position.units.get(name)
        if unit is None or not play.now.is_hidden(unit):
            continue
        place_hidden(play, name, "it is hit")
        unit = play.position.unit(name)
        if play.now.is_dummy(unit) or observers(play.now, unit, within=None):
            reveal(play, name, "it is hit", "ASL-A12.122a")


def sweep(play: Play) -> None:
    """ASL-CONL-1: who breaks, goes berserk or is overstacked is concealed no longer."""
    for unit in tuple(play.position.units.values()):
        if unit.flags.isdisjoint(marks.UNSEEN) or not unit.cell:
            continue
        if not play.now.is_personnel(unit):
            continue  # vehicles, guns and fortifications are swept by themselves
        if unit.flags & _ENDS:
            reveal(play, unit.id, "it is broken or berserk", "ASL-CONL-1")
        elif not play.now.is_dummy(unit) and overstack(play.now, play.now.at(unit), unit.side):
            reveal(play, unit.id, "the location is overstacked", "ASL-CONL-1")
