"""T-A7.3 to T-A8.3: first, subsequent first and residual fire, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from asl_trial import morale, moving
from asl_trial.board import (
    COVER,
    FINAL_FIRE,
    FIRST_FIRE,
    POSSESSES,
    able,
    data,
    distance,
    ground,
    is_of,
    other,
    printed,
    sees,
)
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.secrecy.concealment import CONCEALS, reveal
from hexmarshal.rules.state.effects import AddMarker, ChangeUnit
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Strength, Verdict, Violation

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.ledger import Ledger
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

HALF = Fraction(1, 2)


def check(position: Position, action: Action) -> Verdict:
    """T-A8.1, T-A8.3."""
    return Verdict.of(_no_shot(position, action))


def _no_shot(position: Position, action: Action) -> Iterator[Violation]:
    frame = position.frame("first_fire")
    if frame is None:
        return  # the kernel has told that it is out of turn
    cell = frame.text("cell")
    unit = position.unit(action.text("unit"))
    if unit.side != action.side or not is_of(unit, "squad"):
        yield Violation("T-A8.1", f"{unit.id} does not fire for you", units=(unit.id,))
        return
    here = position.cell_of(unit)
    if not here or not able(unit) or FINAL_FIRE in unit.flags:
        yield Violation("T-A8.1", f"{unit.id} cannot fire", units=(unit.id,))
        return
    far = distance(here, cell)
    if _firepower(position, unit, cell, again=False).counted == 0:
        yield Violation("T-A7.3", f"{cell} is out of range of {unit.id}", units=(unit.id,))
    if FIRST_FIRE in unit.flags:
        if far > printed(unit, "range"):
            yield Violation("T-A8.3", f"{cell} is beyond its range", units=(unit.id,))
        nearest = min(distance(here, u.cell) for u in position.of_side(other(unit.side)) if u.cell)
        if far > nearest:
            yield Violation("T-A8.3", "an enemy is nearer", units=(unit.id,))
    leader = action.text("leader")
    if leader:
        led = position.unit(leader)
        same = is_of(led, "leader") and led.side == unit.side and position.cell_of(led) == here
        if not same or not able(led):
            yield Violation("T-A7.3", f"{leader} does not direct {unit.id}", units=(leader,))
    if not sees(here, cell):
        yield Violation("T-A6.11", f"{here} does not see {cell}", cells=(here, cell), by_sight=True)


def _firepower(position: Position, unit: Unit, cell: str, *, again: bool) -> Strength:
    """T-A7.3: the squad and the weapons that it possesses, each by its own range."""
    far = distance(position.cell_of(unit), cell)
    weapons = position.bonded(unit.id, POSSESSES)
    total = Fraction(0)
    for one in (unit, *weapons):
        reach = printed(one, "range")
        own = Fraction(printed(one, "fp"))
        if far <= 1:
            total += 2 * own
        elif far <= reach:
            total += own
        elif far <= 2 * reach:
            total += own * HALF
    if again:
        total *= HALF  # T-A8.3
    plain = sum(printed(one, "fp") for one in (unit, *weapons))
    return Strength(unit.id, plain, total, ("T-A7.3",), (unit.id, *(w.id for w in weapons)))


def fire(ledger: Ledger, action: Action) -> None:
    """T-A8.1, T-A8.3: who fires is marked and seen; then he may fire on, or lets the stack go."""
    frame = ledger.position.frame("first_fire")
    assert frame is not None
    cell, unit = frame.text("cell"), ledger.position.unit(action.text("unit"))
    here = ledger.position.cell_of(unit)
    again = FIRST_FIRE in unit.flags
    ledger.do(ChangeUnit(unit.id, flags=frozenset({FINAL_FIRE if again else FIRST_FIRE})))
    for counter in unit.by(CONCEALS.key):
        reveal(ledger, counter)  # T-A12: with all that lie there
    unit = ledger.position.unit(unit.id)
    if sees(here, cell):
        power = _firepower(ledger.position, unit, cell, again=again)
        modifiers = [*_led(ledger.position, action), *_of_target(cell, moving_target=True)]
        if attack(ledger, cell, other(unit.side), power, modifiers):
            _leave_residual(ledger, cell, power.counted, unit.side)
    else:
        lost = Step(f"{here} does not see {cell}", "T-A6.11")
        ledger.decide(Resolution("fire", "no sight", steps=(lost,)))
    moving.go_on(ledger)
    if ledger.position.frame("moving") is None:
        ledger.answered("first_fire")


def _led(position: Position, action: Action) -> Iterator[Modifier]:
    if leader := action.text("leader"):
        amount = printed(position.unit(leader), "leadership")
        yield Modifier("leadership", amount, "T-A7.3")


def _of_target(cell: str, *, moving_target: bool) -> Iterator[Modifier]:
    kind = ground(cell)
    if tem := data()["terrain"][kind]["tem"]:
        yield Modifier(kind, tem, "T-A7.3")
    if moving_target:
        yield Modifier("moves", -1, "T-A8.1")
        if kind == "open":
            yield Modifier("moves in the open", -1, "T-A8.1")


def attack(
    ledger: Ledger, cell: str, side: str, power: Strength, modifiers: list[Modifier]
) -> bool:
    """T-A7.3: one roll for all targets; True if it has a result."""
    hit = moving.targets(ledger.position, cell, side)
    frame = ledger.position.frame("moving")
    names = () if frame is None else frame.texts("units")
    covered = any(is_of(ledger.position.unit(name), COVER) for name in names)
    steps = []
    counted = power.counted
    if covered:
        counted *= HALF
        steps.append(Step(f"concealed: {counted}", "T-A12"))
    columns = data()["columns"]
    index = max((i for i, column in enumerate(columns) if column <= counted), default=-1)
    if index < 0:
        ledger.decide(Resolution("fire", "-", (power,), steps=tuple(steps)))
        return False
    found = tally(modifiers)
    dice = ledger.dice.throw("fire", 6, 6, side=other(side), colours=("coloured", "white"))
    total = sum(dice) + int(found.total())
    result = data()["results"][min(15, max(0, total))][index]
    rolls = tuple(
        Roll(6, value, "fire", side=other(side), colour=colour)
        for value, colour in zip(dice, ("coloured", "white"), strict=True)
    )
    ledger.decide(
        Resolution(
            "fire",
            result,
            (power,),
            column=str(columns[index]),
            modifiers=found.modifiers,
            dice=rolls,
            steps=tuple(steps),
        )
    )
    if result == "-":
        return False
    moving.lose_concealment(ledger)  # T-A12: a dummy too
    morale.suffer(ledger, [unit.id for unit in hit], result, side)
    return True


def _leave_residual(ledger: Ledger, cell: str, power: object, side: str) -> None:
    """T-A8.2: half the firepower, by the columns, at most 12."""
    assert isinstance(power, Fraction)
    half = min(Fraction(12), power * HALF)
    left = max((column for column in data()["columns"] if column <= half), default=0)
    name = f"residual {cell}"
    old = ledger.position.markers.get(name)
    if left and (old is None or int(str(old.values["fp"])) < left):
        values = FrozenMap({"fp": left})
        ledger.do(AddMarker(name, Marker(name, "residual", side, cell=cell, values=values)))


def residual(ledger: Ledger, cell: str) -> None:
    """T-A8.2: whoever enters is attacked by what is left there, before anybody fires."""
    marker = ledger.position.markers.get(f"residual {cell}")
    if marker is None or ledger.position.frame("moving") is None:
        return
    fp = Fraction(int(str(marker.values["fp"])))
    power = Strength("residual", fp, fp, ("T-A8.2",))
    attack(ledger, cell, other(marker.side), power, list(_of_target(cell, moving_target=True)))


def hold_fire(ledger: Ledger, action: Action) -> None:
    """T-A8.1: the stack goes on."""
    del action
    ledger.answered("first_fire")
