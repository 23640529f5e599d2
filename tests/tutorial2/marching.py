"""PIC-3 to PIC-5: orders are carried out step by step, under fire, and hidden units come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hexmarshal.rules.dice import Roll
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, Proceed, RemoveUnit
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation
from tutorial2.board import SIDES, around, data, distance, is_of, other, sees

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

FIRED = frozenset({"fired"})
STOPPED = frozenset({"stopped"})


def carry_on(ledger: Ledger) -> None:
    """PIC-3: the next steps, until somebody is asked whether he fires, or all is done."""
    while (frame := ledger.position.frame("march")) is not None and frame.agenda:
        step, *rest = frame.agenda
        ledger.keep("march", {}, rest)
        if _step(ledger, str(step["unit"]), str(step["cell"])):
            return
    _end_turn(ledger)


def _step(ledger: Ledger, name: str, cell: str) -> bool:
    """One step; True if somebody is asked about it."""
    unit = ledger.position.unit(name)
    if unit.flags & STOPPED:
        return False
    if ledger.position.at(cell):
        ledger.do(ChangeUnit(name, flags=STOPPED))
        return False
    ledger.do(MoveUnit(name, cell))
    _come_out(ledger)
    # PIC-4: the window opens by what all see, whether or not anybody can use it.
    if name not in ledger.common.units:
        return False
    return ledger.react("reaction", other(unit.side), near=around(cell), about={"target": name})


def _come_out(ledger: Ledger) -> None:
    """PIC-5."""
    for unit in ledger.position.units.values():
        if unit.seen_by is not None and (
            not is_of(unit.cell, "wood") or any(_enemies(ledger.position, unit))
        ):
            _show(ledger, unit)


def _enemies(position: Position, unit: Unit) -> Iterator[Unit]:
    for cell in around(unit.cell):
        yield from (near for near in position.at(cell) if near.side != unit.side)


def _show(ledger: Ledger, unit: Unit) -> None:
    if unit.seen_by is not None:
        ledger.do(ChangeUnit(unit.id, seen_by=("*",)))


def check_fire(position: Position, action: Action) -> Verdict:
    """PIC-4."""
    return Verdict.of(_no_shot(position, action))


def _no_shot(position: Position, action: Action) -> Iterator[Violation]:
    frame = position.frame("reaction")
    if frame is None:
        return  # the kernel has told that it is out of turn
    unit, target = position.unit(action.text("unit")), position.unit(frame.text("target"))
    if unit.side != action.side:
        yield Violation("PIC-4", f"{unit.id} is not yours", units=(unit.id,))
    if unit.flags & FIRED:
        yield Violation("PIC-4", f"{unit.id} has fired in this turn", units=(unit.id,))
    if distance(unit.cell, target.cell) > data()["range"]:
        yield Violation("PIC-4", f"{target.id} is out of range", units=(unit.id, target.id))
    if not sees(unit.cell, target.cell):
        text = f"{unit.cell} does not see {target.cell}"
        yield Violation("PIC-6", text, cells=(unit.cell, target.cell), by_sight=True)


def fire(ledger: Ledger, action: Action) -> None:
    """PIC-4, PIC-5: who fires is seen; without sight the shot is lost (PIC-6)."""
    target = ledger.position.unit(ledger.answered("reaction").text("target"))
    unit = ledger.position.unit(action.text("unit"))
    ledger.do(ChangeUnit(unit.id, flags=FIRED))
    _show(ledger, unit)
    if sees(unit.cell, target.cell):
        _shoot(ledger, unit, target)
    else:
        lost = Step(f"{unit.cell} does not see {target.cell}", "PIC-6")
        ledger.decide(Resolution("fire", "lost", steps=(lost,)))
    carry_on(ledger)


def _shoot(ledger: Ledger, unit: Unit, target: Unit) -> None:
    hits = data()["hits"]
    near = distance(unit.cell, target.cell) == 1
    needed = hits["near" if near else "far"]
    steps = [Step(f"{'next to it' if near else 'further away'}: {needed} or less", "PIC-4")]
    if is_of(target.cell, "wood"):
        needed -= hits["wood"]
        steps.append(Step(f"in a wood: {needed} or less", "PIC-4"))
    (die,) = ledger.dice.throw("fire", 6, side=unit.side)
    effects = (RemoveUnit(target.id),) if die <= needed else ()
    ledger.decide(
        Resolution(
            "fire",
            "hit" if effects else "missed",
            steps=tuple(steps),
            dice=(Roll(6, die, "fire", side=unit.side),),
            effects=effects,
        )
    )
    frame = ledger.position.frame("march")
    if effects and frame is not None:
        ledger.keep("march", {}, [step for step in frame.agenda if step["unit"] != target.id])


def hold_fire(ledger: Ledger, action: Action) -> None:
    """PIC-4: nobody fires."""
    del action
    ledger.answered("reaction")
    carry_on(ledger)


def _end_turn(ledger: Ledger) -> None:
    """PIC-1."""
    ledger.answered("march")
    for unit in ledger.position.units.values():
        if unit.flags:
            ledger.do(ChangeUnit(unit.id, unflags=unit.flags))
    ledger.do(Proceed(turn=ledger.position.turn + 1))
    ledger.ask("orders", *SIDES, sealed=True)
