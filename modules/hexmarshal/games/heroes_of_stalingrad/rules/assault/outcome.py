"""HOS-5.52 to HOS-5.58: what comes of an assault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import discard, hand
from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import make_inactive
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import (
    barred,
    entry_faults,
    free,
)
from hexmarshal.games.heroes_of_stalingrad.rules.movement.transport import room_faults
from hexmarshal.games.heroes_of_stalingrad.rules.movement.zones import stays_inside
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INFANTRY, LIGHT
from hexmarshal.rules.state.effects import MoveUnit
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "candidates",
    "check",
    "choose",
    "entries",
    "give_up",
    "retreat",
    "retreat_cells",
    "take_cell",
    "without_defence",
]

Entry = dict[str, object]


def without_defence(now: Situation, attacker: Unit, defender: Unit) -> Iterator[Entry]:
    """HOS-5.49, HOS-5.50: destroyed at once; a heavy vehicle takes an automatic damage."""
    about = {"unit": defender.id, "by": attacker.id, "cause": "assault"}
    if now.is_heavy(defender):
        yield {"kind": "location", **about}
    else:
        yield {"kind": "destroy", **about}
        yield {"kind": "take_cell", "unit": attacker.id, "cell": _contact(now, attacker, defender)}
    yield from _demolition(now, attacker, defender)


def _contact(now: Situation, attacker: Unit, defender: Unit) -> str:
    """The cell of the defender that the attacker enters: one beside it."""
    near = {c for mine in now.cells(attacker) for c in now.ground.near.get(mine, ())}
    front = now.cells(attacker)[:1]
    ahead = {c for mine in front for c in now.ground.near.get(mine, ())}
    cells = defender.cells
    return next((c for c in cells if c in ahead), next((c for c in cells if c in near), cells[0]))


def _demolition(now: Situation, attacker: Unit, defender: Unit) -> Iterator[Entry]:
    """HOS-5.11: Destruction counts in an assault on a unit in a structure too."""
    dice = max((w.number("destruction") for w in now.weapons(attacker)), default=0)
    if dice:
        yield {"kind": "demolish", "cells": defender.cells, "count": dice, "by": attacker.id}


def entries(now: Situation, attacker: Unit, defender: Unit, winner: str) -> Iterator[Entry]:
    """By who won and who they are, what is to be done."""
    cell = _contact(now, attacker, defender)
    family = now.family(defender)
    if winner == "attacker":
        about = {"unit": defender.id, "by": attacker.id, "cause": "assault"}
        take: Entry = {"kind": "take_cell", "unit": attacker.id, "cell": cell}
        if family == INFANTRY:
            start = _start(now, attacker, cell)
            yield {"kind": "loss", **about}
            yield {"kind": "retreat", "unit": defender.id, "by": attacker.id, "cell": start}
            yield take
        elif family == LIGHT:
            yield {"kind": "loss", **about}
            yield take
        else:  # HOS-5.56
            yield {"kind": "location", **about}
    else:
        if winner == "defender":
            about = {"unit": attacker.id, "by": defender.id, "cause": "assault"}
            yield {"kind": "loss", **about}
        if now.is_vehicle(attacker) and family == INFANTRY:
            # HOS-5.57, HOS-5.58: a vehicle takes the cell all the same.
            yield {"kind": "displace", "unit": defender.id, "by": attacker.id, "cause": "repelled"}
            yield {"kind": "take_cell", "unit": attacker.id, "cell": cell, "wreck": True}
    yield from _demolition(now, attacker, defender)


def _start(now: Situation, attacker: Unit, cell: str) -> str:
    """The cell that the assault starts from."""
    near = [c for c in now.cells(attacker) if cell in now.ground.near.get(c, ())]
    return near[0] if near else now.cells(attacker)[0]


# Retreats


def retreat_cells(now: Situation, unit: Unit, start: str) -> Iterator[tuple[str, str]]:
    """HOS-5.52, HOS-5.53: the opposite cells, and how each is entered: '', window, a vehicle."""
    ground = now.ground
    here, from_ = ground.square(unit.cell), ground.square(start)
    dx = (here.column > from_.column) - (here.column < from_.column)
    dy = (here.row > from_.row) - (here.row < from_.row)
    from hexmarshal.geometry.lattice.squares import STEPS

    direction = STEPS.index((dx, dy))
    for turn in (0, -1, 1):
        cell = ground.name(here.neighbour(direction + turn))
        if not cell or cell not in ground.near[unit.cell]:
            continue
        if stays_inside(now, unit.side, unit.cell, cell):
            continue
        vehicle = next(
            (
                one
                for one in now.occupants(cell)
                if one.side == unit.side
                and now.is_vehicle(one)
                and not any(True for _ in room_faults(now, unit, one))
            ),
            None,
        )
        if vehicle is not None:
            yield cell, vehicle.id
            continue
        if not free(now, unit, cell):
            continue
        if not any(True for _ in entry_faults(now, unit, unit.cell, cell)):
            yield cell, ""
        elif not any(True for _ in entry_faults(now, unit, unit.cell, cell, windows=1)):
            yield cell, "window"


def retreat(play: Play, entry: Record) -> None:
    """HOS-5.52: a beaten unit goes back, or is destroyed."""
    name, start = str(entry["unit"]), str(entry["cell"])
    if not play.now.is_live(play.unit(name)):
        return
    make_inactive(play, name)
    unit = play.unit(name)
    ways = dict(retreat_cells(play.now, unit, start))
    if play.now.face(unit).move is None or not play.now.face(unit).move:
        ways = {}
    plain = [cell for cell, how in ways.items() if how != "window"]
    windows = [cell for cell, how in ways.items() if how == "window"]
    asks = bool(windows) and bool(hand(play.common_situation, unit.side))
    if not plain and not asks:
        text = f"{name} cannot retreat and is destroyed"
        play.tell("retreat", text, (text, "HOS-5.52"))
        play.first({"kind": "destroy", "unit": name, "by": entry.get("by"), "cause": "assault"})
    elif len(plain) == 1 and not asks:
        _go(play, name, plain[0], ways[plain[0]])
    else:
        cells = {cell: how for cell, how in ways.items() if how != "window" or asks}
        play.ask("retreat", unit.side, about={"unit": name, "cells": list(cells), "how": cells})


def _go(play: Play, name: str, cell: str, how: str) -> None:
    if how and how != "window":
        play.do(MoveUnit(name, carrier=how))
    else:
        play.do(MoveUnit(name, cell))
    play.tell("retreat", f"{name} goes back to {how or cell}", ("a forced movement", "HOS-5.52"))


def check(now: Situation, action: Action) -> Verdict:
    """Where a beaten unit may go."""
    return Verdict.of(_faults(now, action))


def _how(now: Situation, cell: str) -> str:
    frame = now.position.frame("retreat")
    how = frame.value("how") if frame is not None else None
    return str(how.get(cell, "")) if hasattr(how, "get") else ""  # type: ignore[union-attr]


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("retreat")
    if frame is None:
        return
    cell = action.text("cell")
    if cell not in frame.texts("cells"):
        text = f"{frame.text('unit')} cannot retreat to {cell}"
        yield Violation("HOS-5.52", text, cells=(cell,), units=(frame.text("unit"),))
        return
    card = action.text("card")
    if _how(now, cell) == "window":
        found = now.tables.card(card)
        if card not in hand(now, action.side) or found is None or found.event != "surprise":
            text = f"only a Surprise card leads through the window to {cell}"
            yield Violation("HOS-6.5", text, cells=(cell,), field="card")
    elif card:
        yield Violation("HOS-6.5", "no card is needed for that", field="card")


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The cells to choose from, and the card for a window."""
    frame = now.position.frame("retreat")
    if frame is None:
        return None
    if slot == "cell":
        return frame.texts("cells")
    if slot == "card":
        if _how(now, str(action.given("cell", ""))) != "window":
            return (None,)
        cards = hand(now, action.side)
        return [c for c in cards if (k := now.tables.card(c)) and k.event == "surprise"]
    return None


def choose(play: Play, action: Action) -> None:
    """The owner has chosen."""
    cell = action.text("cell")
    how = _how(play.now, cell)
    frame = play.answered("retreat")
    if action.text("card"):
        discard(play, action.side, action.text("card"))
    _go(play, frame.text("unit"), cell, how)
    go_on(play)


def give_up(play: Play, action: Action) -> None:
    """No way back is taken: the unit is destroyed."""
    del action
    frame = play.answered("retreat")
    play.first({"kind": "destroy", "unit": frame.text("unit"), "cause": "assault"})
    go_on(play)


def take_cell(play: Play, entry: Record) -> None:
    """HOS-5.54, HOS-5.55: the attacker takes the cell if it can, else it stays where it started."""
    name, cell = str(entry["unit"]), str(entry["cell"])
    unit, now = play.unit(name), play.now
    if not unit.cell and not unit.carrier:
        return
    if not now.is_live(unit) and entry.get("wreck") is not True:
        return
    if any(one.id != name for one in now.occupants(cell)) or any(
        True for _ in barred(now, unit, cell)
    ):
        play.tell("assault", f"{name} stays", (f"{cell} cannot be entered", "HOS-5.54"))
        return
    rear = (unit.cell,) if unit.footprint else ()
    if not free(now, unit, cell):
        return
    facing = None
    if unit.footprint:
        facing = now.ground.square(unit.cell).direction_to(now.ground.square(cell))
    play.do(MoveUnit(name, cell, footprint=rear, facing=facing))
    play.tell("assault", f"{name} takes {cell}", ("the attacker takes the place", "HOS-5.54"))
