"""HOS-2.90, HOS-2.91, HOS-5.14, HOS-5.24: step losses, destroyed units, Suppressed markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import hand
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.activation import lose_token
from hexmarshal.games.heroes_of_stalingrad.state.kinds import DAMAGE, DESTROYED, HEAVY, INFANTRY
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["destroy", "loss", "remove", "suppress"]


def loss(play: Play, entry: Record) -> None:
    """HOS-2.90: a step loss, by the symbol on the counter."""
    unit = play.unit(str(entry["unit"]))
    now = play.now
    if not now.is_live(unit):
        return
    family, face = now.family(unit), now.face(unit)
    kept = {**dict(entry)}
    if family == HEAVY:
        play.first({**kept, "kind": "location"})
    elif family == INFANTRY and _flips(now, unit, entry):
        play.do(ChangeUnit(unit.id, steps=1))
        play.tell("loss", f"{unit.id} is flipped", ("its symbol shows a step", "HOS-2.90"))
    else:
        rule = "HOS-2.90" if face.loss == "destroyed" or family != INFANTRY else "HOS-5.14"
        play.tell("loss", f"{unit.id} is destroyed", ("by the loss", rule))
        play.first({**kept, "kind": "destroy"})


def _flips(now: Situation, unit: Unit, entry: Record) -> bool:
    """Whether a loss turns the counter over instead of destroying it."""
    face = now.face(unit)
    if unit.steps < 2 or len(now.counter(unit).faces) < 2:
        return False
    if face.has("flamethrower"):
        # HOS-5.14: removed by a lost assault, flipped by fire.
        return entry.get("cause") != "assault"
    return face.loss == "flip"


def destroy(play: Play, entry: Record) -> None:
    """HOS-2.91, HOS-2.95: a unit is destroyed; a card may still save its order."""
    unit = play.unit(str(entry["unit"]))
    now = play.now
    if not now.is_live(unit):
        return
    if (
        entry.get("double") is True
        and entry.get("cause") == "fire"
        and now.face(unit).has("flamethrower")
        and unit.steps > 1
        and now.family(unit) == INFANTRY
    ):
        play.do(ChangeUnit(unit.id, steps=1))
        play.tell("loss", f"{unit.id} is flipped", ("destroyed by fire", "HOS-5.14"))
        return
    token = now.token_on(unit)
    waits = token is not None and token.known_to is not None
    play.first({**dict(entry), "kind": "remove"})
    if waits and play.position.phase == "activation" and hand(play.common_situation, unit.side):
        # HOS-6.5: Reactive may be played before a destroyed unit is removed.
        play.react("last_moment", unit.side, about={"unit": unit.id})


def remove(play: Play, entry: Record) -> None:
    """The counter comes off the board, or becomes a wreck; who was inside gets out."""
    name = str(entry["unit"])
    unit, now = play.unit(name), play.now
    if not now.is_live(unit):
        return
    aboard = [(one.id, now.is_crew(one)) for one in now.passengers(unit)]
    lose_token(play, name)
    counter = now.counter(unit)
    wrecked = now.is_vehicle(unit) and any(face.wreck for face in counter.faces)
    flags = frozenset((*DAMAGE.values(), "activated"))
    gone: dict[str, None] = {"suppressed": None}
    if wrecked:
        play.do(ChangeUnit(name, steps=1, unflags=flags, values=FrozenMap(gone)))
        play.tell("destroyed", f"{name} is a wreck", ("it stays as terrain", "HOS-2.91"))
    else:
        play.do(ChangeUnit(name, unflags=flags, values=FrozenMap(gone)))
        known = unit.known_to is not None
        if known:
            play.do(ChangeUnit(name, known_to=("*",)))
        play.do(MoveUnit(name, box=DESTROYED))
        play.tell("destroyed", f"{name} is removed", ("it is destroyed", "HOS-2.91"))
    # HOS-5.94, HOS-5.5: they get out beside the wreck, or without one where the vehicle stood.
    stood = None if wrecked else unit.cells
    entries: list[dict[str, object]] = [
        {"kind": "eject", "unit": one, "vehicle": name, "crew": crew or None, "cells": stood}
        for one, crew in aboard
    ]
    if not wrecked:
        for one, _ in aboard:
            play.do(MoveUnit(one, unit.cell))
    play.first(*entries, {"kind": "break", "unit": name})


def suppress(play: Play, entry: Record) -> None:
    """HOS-5.24, HOS-7.1: Suppressed markers; there is no maximum."""
    unit = play.unit(str(entry["unit"]))
    if not play.now.is_live(unit):
        return
    count = entry.get("count", 1)
    total = play.now.suppressed(unit) + (count if isinstance(count, int) else 1)
    play.mark(unit.id, suppressed=total)
    play.tell("suppressed", f"{unit.id}: {total}", (f"{count} Suppressed", "HOS-7.1"))
