"""What comes of the attacks in a close combat: losses, captures, and weapons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import reveal
from hexmarshal.games.asl.rules.morale.casualties import eliminate, lose_weapon, reduce
from hexmarshal.games.asl.rules.prisoners.capture import capture, split_off, swap_sides
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["CAPTURED", "ELIMINATED", "HALF_CAPTURED", "Loss", "REDUCED", "take_losses"]

ELIMINATED = "eliminated"
REDUCED = "reduced"
CAPTURED = "captured"
HALF_CAPTURED = "half captured"


@dataclass(frozen=True, slots=True)
class Loss:
    """What befalls one unit, by whom; for its weapons the coloured die and the kill number."""

    unit: str
    fate: str
    by: tuple[str, ...]
    die: int
    number: int


def take_losses(play: Play, place: Location, losses: Sequence[Loss]) -> None:
    """ASL-CC-3, ASL-CC-5, ASL-PRIS-3, ASL-PRIS-4: all losses of attacks that count at once."""
    worst: dict[str, Loss] = {}
    order = (ELIMINATED, CAPTURED, HALF_CAPTURED, REDUCED)
    for loss in losses:
        known = worst.get(loss.unit)
        if known is None or order.index(loss.fate) < order.index(known.fate):
            worst[loss.unit] = loss
    gone = {name for name, loss in worst.items() if loss.fate in (ELIMINATED, CAPTURED)}
    lost = {side: all(unit.id in gone for unit in play.now.people(place, side)) for side in SIDES}
    rearmed: list[tuple[Unit, Sequence[str]]] = []
    for loss in worst.values():
        unit = play.position.units.get(loss.unit)
        if unit is None:
            continue
        if loss.fate == ELIMINATED:
            rearmed.append((unit, loss.by))
            _kill(play, unit, loss)
        elif loss.fate == REDUCED:
            if play.now.is_hidden(unit):
                reveal(play, unit.id, "it suffers losses", "ASL-CC-8")
            reduce(play, unit.id)
    taken = [loss for loss in worst.values() if loss.fate in (CAPTURED, HALF_CAPTURED)]
    if taken and all(lost.values()):  # ASL-PRIS-4
        swap_sides(play, [loss.unit for loss in taken])
        return
    for loss in taken:
        unit = play.position.units.get(loss.unit)
        if unit is None:
            continue
        if lost[other(unit.side)]:
            text = f"{unit.id} stays what it was: nobody is left to guard it"
            play.decide(Resolution("capture", "none", steps=(Step(text, "ASL-PRIS-4"),)))
            continue
        rearmed.append((unit, loss.by))
        name = split_off(play, unit.id) if loss.fate == HALF_CAPTURED else unit.id
        capture(play, name, [one for one in loss.by if one not in gone], place)
    _arm(play, rearmed)


def _arm(play: Play, lost: Iterable[tuple[Unit, Sequence[str]]]) -> None:
    """ASL-A20.54c: who has escaped takes up the arms of an enemy of his size."""
    from hexmarshal.games.asl.rules.prisoners.rearming import arm_from

    for victim, by in lost:
        arm_from(play, victim, by)


def _kill(play: Play, unit: Unit, loss: Loss) -> None:
    """ASL-CC-5: a coloured 1 takes the weapons too; else a die for each, not above the number."""
    for weapon in play.now.weapons(unit):
        if loss.die == 1:
            step = Step(f"{weapon.id} is lost with {unit.id}: a coloured 1", "ASL-CC-5")
            play.decide(Resolution("weapon", "eliminated", steps=(step,)))
            lose_weapon(play, weapon.id)
            continue
        value, roll = play.roll_one(f"loss of {weapon.id}", other(unit.side))
        gone = value <= loss.number
        told = f"{weapon.id}: {value} against {loss.number}: " + ("lost" if gone else "it stays")
        play.decide(
            Resolution(
                "weapon",
                "eliminated" if gone else "none",
                dice=(roll,),
                steps=(Step(told, "ASL-CC-5"),),
            )
        )
        if gone:
            lose_weapon(play, weapon.id)
    if unit.id in play.position.units:
        eliminate(play, unit.id)


def harmed(losses: Iterable[Loss]) -> frozenset[str]:
    """Who of them is reduced, captured or lost (ASL-A11.21a)."""
    return frozenset(loss.unit for loss in losses)


def may_slip(play: Play, name: str, losses: Iterable[Loss]) -> bool:
    """ASL-A11.21b: infantry that is neither lost, nor captured, nor pinned."""
    unit = play.position.units.get(name)
    if unit is None or unit.flags & {marks.PINNED, marks.BERSERK, marks.TI}:
        return False
    if not play.now.is_personnel(unit) or unit.carrier:
        return False
    return not any(loss.unit == name and loss.fate in (ELIMINATED, CAPTURED) for loss in losses)
