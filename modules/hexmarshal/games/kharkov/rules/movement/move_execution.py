"""Movement carried out: hex by hex, until an enemy zone, an alarm or the path ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import disengagement, movement, rail, reserves
from hexmarshal.games.kharkov.rules.movement.moving_group import Hand, hold, let_go
from hexmarshal.games.kharkov.rules.turn import reinforcements
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, halves, other
from hexmarshal.rules.state.effects import ChangeUnit, SetTrack
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["disengage", "enter", "move", "pursue", "ride"]


def _start(play: Play, units: Sequence[Unit], began: str) -> None:
    """They leave a hex for the first time this phase; a strongpoint is given up (KHA-15.23)."""
    for unit in units:
        if unit.value("began") is None:
            play.do(ChangeUnit(unit.id, values=FrozenMap({"began": began})))
    play.unflag((u.id for u in units), "strongpoint")


def _stop(play: Play, ids: Sequence[str], cell: str) -> None:
    """Where the group stands now; an Axis unit in an enemy zone goes no further (KHA-6.23)."""
    play.settle(cell)
    now = play.now
    side = play.unit(ids[0]).side
    lasting = now.option("zoc_stop") == "turn"
    if side == AXIS and lasting and now.zoc(other(side)) & now.board.bit[cell]:
        play.flag(ids, "stopped")


def move(play: Play, units: Sequence[Unit], path: Sequence[str]) -> None:
    """The group moves; an alarmed reserve (KHA-6.75) interrupts it where it is."""
    now = play.now
    hand = movement.hand_of(now, units)
    _start(play, units, hand.began)
    ids = tuple(u.id for u in units)
    spent = {unit_id: hand.spent.get(unit_id, 0) for unit_id in ids}
    here, side = units[0].cell, units[0].side
    alarms: tuple[str, ...] = ()
    for cell in path:
        for unit in units:
            parts = movement.price(now, now.moves_as(unit), here, cell)
            spent[unit.id] += sum(halves(p.amount) for p in parts)
        play.enter(ids, cell)
        alarms = reserves.alarmed(play.now, side, here, cell)
        here = cell
        if alarms:
            break
    hold(play, Hand(ids, hand.began, spent))
    _stop(play, ids, here)
    play.decide(Resolution("move", f"{', '.join(ids)} to {here}"))
    reserves.ring(play, alarms)


def ride(play: Play, unit: Unit, path: Sequence[str]) -> None:
    """By rail; the unit has finished then, unless an alarm (KHA-6.75) stops the train."""
    ridden = rail.ridden(play.now, unit)
    if not ridden:
        let_go(play)
        _start(play, (unit,), unit.cell)
    _by_rail(play, unit, path, ridden)


def _by_rail(play: Play, unit: Unit, path: Sequence[str], ridden: int = 0) -> None:
    if rail.counts(unit) and not ridden:
        play.do(SetTrack("rail-used", play.now.position.track("rail-used") + 1))
    ids, here = (unit.id,), unit.cell
    alarms: tuple[str, ...] = ()
    for cell in path:
        play.enter(ids, cell)
        ridden += 1
        alarms = reserves.alarmed(play.now, unit.side, here, cell)
        here = cell
        if alarms:
            break
    began = str(play.unit(unit.id).value("began") or path[0])
    hold(play, Hand(ids, began, ridden=ridden))
    if not alarms:
        let_go(play)
    play.settle(here)
    play.decide(Resolution("rail", f"{unit.id} to {here}"))
    reserves.ring(play, alarms)


def enter(play: Play, units: Sequence[Unit], path: Sequence[str], *, train: bool) -> None:
    """Reinforcements come onto the map; this turn they are supplied (KHA-16.0)."""
    ids = tuple(u.id for u in units)
    now = play.now
    for unit in units:
        gone = FrozenMap(dict.fromkeys(("turn", "entry")))
        play.do(ChangeUnit(unit.id, flags=frozenset({"arrived"}), values=gone))
    if train:
        let_go(play)
        _by_rail(play, play.unit(ids[0]), path)
        return
    play.enter(ids, path[0])
    for unit_id in ids:
        play.do(ChangeUnit(unit_id, values=FrozenMap({"began": path[0]})))
    spent = {u.id: halves(reinforcements.entry_cost(now, u, path[0]).amount) for u in units}
    hold(play, Hand(ids, path[0], spent))
    play.decide(Resolution("reinforcements", f"{', '.join(ids)} enter in {path[0]}"))
    alarms = reserves.alarmed(play.now, units[0].side, "", path[0])
    if not alarms and len(path) > 1:
        move(play, [play.unit(u) for u in ids], path[1:])
        return
    _stop(play, ids, path[0])
    reserves.ring(play, alarms)


def disengage(play: Play, units: Sequence[Unit], to: str) -> None:
    """Out of the zone; whoever stands beside the hex left empty may follow (KHA-6.62)."""
    now = play.now
    origin = units[0].cell
    ids = tuple(u.id for u in units)
    spent = {u.id: halves(disengagement.cost(now, u, to)) for u in units}
    _start(play, units, origin)
    play.enter(ids, to)
    hold(play, Hand(ids, origin, spent))
    play.settle(to)
    play.decide(Resolution("disengagement", f"{', '.join(ids)} to {to}"))
    reserves.ring(play, reserves.alarmed(play.now, AXIS, origin, to))
    if disengagement.pursuers(play.now, origin):
        # Asked last, so it is answered first: pursuit comes before anything else happens.
        play.ask("pursuit", SOVIET, about={"cell": origin})


def pursue(play: Play, unit: Unit) -> None:
    """One unit follows; as long as others may, the choice stays open."""
    cell = disengagement.vacated(play.now)
    play.enter((unit.id,), cell)
    play.decide(Resolution("pursuit", f"{unit.id} to {cell}"))
    if not _more_pursuers(play, cell):
        end_pursuit(play)


def _more_pursuers(play: Play, cell: str) -> bool:
    return bool(disengagement.pursuers(play.now, cell))


def end_pursuit(play: Play) -> None:
    """Back to the Axis player."""
    play.answered("pursuit")
