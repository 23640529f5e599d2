"""T-A7.8, T-A10.1: casualties, morale checks, pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_trial.board import BROKEN, PINNED, able, is_of, printed
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.rolling.selection import select
from hexmarshal.rules.state.effects import ChangeUnit, RemoveUnit
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.rules.state.ledger import Ledger


def suffer(ledger: Ledger, units: list[str], result: str, side: str) -> None:
    """What a result of the fire table does to those who were fired at."""
    if not units:
        return
    units = sorted(units, key=lambda name: not is_of(ledger.position.unit(name), "leader"))
    if result.endswith("KIA"):
        number = int(result.removesuffix("KIA"))
        gone = units[:]
        while len(gone) > number:
            chosen = select(ledger.dice, gone, label="who is hit", ties="again", side=side).chosen
            gone.remove(chosen[0])
        for name in gone:
            _remove(ledger, name)
        for name in units:
            if name not in gone:
                _mark(ledger, name, BROKEN)
    elif result.startswith("K/"):
        for name in select(ledger.dice, units, label="who is hit", side=side).chosen:
            _reduce(ledger, name)
        _check_all(ledger, units, int(result.removeprefix("K/")), side)
    elif result == "PTC":
        _check_all(ledger, units, 0, side, pin=True)
    else:
        _check_all(ledger, units, int(result.removesuffix("MC").replace("N", "0")), side)


def _check_all(
    ledger: Ledger, units: list[str], worse: int, side: str, *, pin: bool = False
) -> None:
    """The leader first; he helps the others while he is unbroken."""
    for name in units:
        if name not in ledger.position.units:
            continue
        unit = ledger.position.unit(name)
        if pin and (PINNED in unit.flags or not able(unit)):
            continue
        helped = min(
            (
                printed(other, "leadership")
                for other in (ledger.position.units.get(one) for one in units)
                if other is not None and other.id != name and able(other)
            ),
            default=0,
        )
        dice = ledger.dice.throw("pin check" if pin else "morale check", 6, 6, side=side)
        total, morale = sum(dice) + worse + helped, printed(unit, "morale")
        result = _verdict(total, morale, pin=pin)
        step = Step(
            f"{name}: {sum(dice)} {worse:+} {helped:+} against {morale}: {result}", "T-A10.1"
        )
        rolls = tuple(Roll(6, value, "morale", side=side) for value in dice)
        ledger.decide(Resolution("morale", result, dice=rolls, steps=(step,)))
        if result == "pinned":
            _mark(ledger, name, PINNED)
        elif result == "broken" and not able(unit):
            _reduce(ledger, name)
        elif result == "broken":
            _mark(ledger, name, BROKEN)


def _verdict(total: int, morale: int, *, pin: bool) -> str:
    if pin:
        return "pinned" if total > morale else "passed"
    if total > morale:
        return "broken"
    return "pinned" if total == morale else "passed"


def _mark(ledger: Ledger, name: str, flag: str) -> None:
    ledger.do(ChangeUnit(name, flags=frozenset({flag})))


def _reduce(ledger: Ledger, name: str) -> None:
    """A squad loses half its men; half a squad and a leader are gone."""
    unit = ledger.position.unit(name)
    if unit.steps > 1:
        ledger.do(ChangeUnit(name, steps=unit.steps - 1))
    else:
        _remove(ledger, name)


def _remove(ledger: Ledger, name: str) -> None:
    """What it possessed stays in the hex: here it is lost with it."""
    for weapon in ledger.position.bonded(name, "possesses"):
        ledger.do(RemoveUnit(weapon.id))
    ledger.do(RemoveUnit(name))
