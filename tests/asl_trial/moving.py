"""T-A4.1, T-A4.12, T-A12: a stack goes hex by hex; after each hex the defender may fire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from asl_trial import firing
from asl_trial.board import (
    BROKEN,
    COVER,
    MOVED,
    PINNED,
    POSSESSES,
    around,
    cost,
    data,
    ground,
    is_of,
    other,
    people,
    printed,
    sees,
)
from hexmarshal.rules.frames.effects import ChangeFrame
from hexmarshal.rules.secrecy.concealment import CONCEALS, reveal
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, Proceed
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames.frame import Frame
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

STOPS = frozenset({BROKEN, PINNED, MOVED})


def under(position: Position, unit: Unit) -> list[Unit]:
    """What moves with a piece: itself, or what lies under a counter."""
    if not is_of(unit, COVER):
        return [unit]
    return list(position.bonded(unit.id, CONCEALS.key))


def allowance(position: Position, pieces: list[Unit]) -> int:
    """T-A4.12; a dummy goes as far as a squad."""
    units = [one for piece in pieces for one in under(position, piece)]
    led = any(is_of(unit, "leader") and not unit.flags & STOPS for unit in units)
    found = [_own(position, unit, led=led) for unit in units]
    return min(found, default=int(data()["types"]["squad"]["move"]))


def _own(position: Position, unit: Unit, *, led: bool) -> int:
    if is_of(unit, "leader"):
        return printed(unit, "move")
    load = sum(printed(weapon, "pp") for weapon in position.bonded(unit.id, POSSESSES))
    return printed(unit, "move") + 2 * led - max(0, load - printed(unit, "carries"))


def check(position: Position, action: Action) -> Verdict:
    """T-A4.1: the first hex of a stack."""
    return Verdict.of(_cannot_go(position, action))


def _cannot_go(position: Position, action: Action) -> Iterator[Violation]:
    names = action.texts("units")
    if not names:
        yield Violation("T-A4.1", "nobody moves", cured_by=("units",))
        return
    pieces = [position.unit(name) for name in names]
    for piece in pieces:
        if piece.side != action.side or not is_of(piece, "squad", "leader", COVER):
            yield Violation("T-A4.1", f"{piece.id} does not move", units=(piece.id,))
        elif piece.flags & STOPS:
            yield Violation("T-A4.1", f"{piece.id} has moved or cannot", units=(piece.id,))
        elif piece.cell != pieces[0].cell or not piece.cell:
            yield Violation("T-A4.1", "a stack begins in one hex", units=(piece.id,))
    yield from _step_faults(position, pieces, 0, action.text("to"))


def _step_faults(
    position: Position, pieces: list[Unit], spent: int, to: str
) -> Iterator[Violation]:
    here = pieces[0].cell
    if here and (to == here or to not in around(here)):
        yield Violation("T-A4.1", f"{to} is not adjacent to {here}", cells=(to,))
    if any(unit.side != pieces[0].side for unit in position.at(to)):
        yield Violation("T-A4.1", f"{to} is the enemy's", cells=(to,))
    left = allowance(position, pieces) - spent
    if cost(to) > left:
        yield Violation("T-A4.12", f"{to} costs {cost(to)}, and {left} are left", cells=(to,))


def begin(ledger: Ledger, action: Action) -> None:
    """T-A4.1: the mover decides where to go on until he stops."""
    ledger.ask("moving", action.side, about={"units": action.texts("units"), "spent": 0})
    _enter(ledger, action.text("to"))


def check_step(position: Position, action: Action) -> Verdict:
    """T-A4.1."""
    frame = position.frame("moving")
    if frame is None:
        return Verdict()  # the kernel has told that it is out of turn
    pieces = [position.unit(name) for name in frame.texts("units")]
    to = action.text("to")
    price = Cost((CostPart(cost(to), ground(to), "T-A4.1", to),), "MF")
    return Verdict.of(_step_faults(position, pieces, _spent(frame), to), price)


def step(ledger: Ledger, action: Action) -> None:
    """T-A4.1."""
    _enter(ledger, action.text("to"))


def _spent(frame: Frame) -> int:
    spent = frame.value("spent", 0)
    assert isinstance(spent, int)
    return spent


def _enter(ledger: Ledger, to: str) -> None:
    frame = ledger.position.frame("moving")
    assert frame is not None
    names = frame.texts("units")
    spent = FrozenMap({"spent": _spent(frame) + cost(to)})
    ledger.do(ChangeFrame("moving", spent), *(MoveUnit(name, to) for name in names))
    side = ledger.position.unit(names[0]).side
    if ground(to) == "open" and _in_sight(ledger.common, side, to):
        lose_concealment(ledger)
    firing.residual(ledger, to)
    go_on(ledger)
    if ledger.position.frame("moving") is not None:
        # T-A8.1: whoever moved may be fired at, whether or not anybody is there to do it.
        ledger.react("first_fire", other(side), near=around(to), about={"cell": to})


def _in_sight(position: Position, side: str, cell: str) -> bool:
    enemy = other(side)
    return any(
        sees(unit.cell, cell)
        for unit in position.of_side(enemy)
        if unit.cell and BROKEN not in unit.flags
    )


def lose_concealment(ledger: Ledger) -> None:
    """T-A12: what moves is seen; a dummy is gone."""
    frame = ledger.position.frame("moving")
    if frame is None:
        return
    units: list[str] = []
    for name in frame.texts("units"):
        covered = is_of(ledger.position.unit(name), COVER)
        units += reveal(ledger, name) if covered else (name,)
    if tuple(units) != frame.texts("units"):
        ledger.do(ChangeFrame("moving", FrozenMap({"units": tuple(units)})))


def go_on(ledger: Ledger) -> None:
    """T-A7.8, T-A10.1: who is pinned, broken or gone goes no further; the rest may."""
    frame = ledger.position.frame("moving")
    if frame is None:
        return
    left, units = [], ledger.position.units
    for name in frame.texts("units"):
        if name in units and units[name].flags & STOPS:
            ledger.do(ChangeUnit(name, flags=frozenset({MOVED})))
        elif name in units:
            left.append(name)
    if left:
        if tuple(left) != frame.texts("units"):
            ledger.do(ChangeFrame("moving", FrozenMap({"units": tuple(left)})))
    else:
        ledger.answered("moving")


def stop(ledger: Ledger, action: Action) -> None:
    """T-A4.1: the stack stays where it is."""
    del action
    for name in ledger.answered("moving").texts("units"):
        ledger.do(ChangeUnit(name, flags=frozenset({MOVED})))


def end_phase(ledger: Ledger, action: Action) -> None:
    """The other side moves; marks of this phase end with it (Game.lifetimes)."""
    turn = ledger.position.turn + (action.side == "german")
    ledger.do(Proceed(phase=f"move_{other(action.side)}", active=(other(action.side),), turn=turn))


def targets(position: Position, cell: str, side: str) -> list[Unit]:
    """Who is fired at: the people who moved into the hex, under a counter or not."""
    frame = position.frame("moving")
    names = set() if frame is None else set(frame.texts("units"))
    found = [unit for unit in people(position, cell, side) if unit.id in names]
    covers = [position.unit(name) for name in names if name in position.units]
    return found + [u for c in covers if is_of(c, COVER) for u in under(position, c)]
