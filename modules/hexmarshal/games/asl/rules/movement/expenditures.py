"""What else movement factors are spent on: smoke grenades, and recovering a weapon."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.cover import reveal
from hexmarshal.games.asl.rules.concealment.loss import expose
from hexmarshal.games.asl.rules.fire.modifiers import terrain_modifier
from hexmarshal.games.asl.rules.morale.checks import Test
from hexmarshal.games.asl.rules.morale.results import check_morale
from hexmarshal.games.asl.rules.movement.spending import spend
from hexmarshal.games.asl.rules.movement.stack import left_of, moving, place_of_group
from hexmarshal.games.asl.rules.weapons.possession import recover_faults, try_to_recover
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import AddMarker
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Cost, CostPart, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "check_recover", "check_smoke", "recover", "recover_candidates", "smoke", "smoke_candidates",
]  # fmt: skip

_ENDS = 6
HINDRANCE = 2
PHOSPHORUS = 1
LEVELS = 2


def exponent(now: Situation, unit: Unit) -> int:
    """ASL-A24.1a: the smoke exponent, one less when CX, two more for assault engineers."""
    counter = now.counter(unit)
    value = counter.smoke
    if not value:
        return 0
    if now.option("assault_engineers") is True:
        value += 2
    return value - unit.has(marks.CX)


def has_phosphorus(now: Situation, unit: Unit) -> bool:
    """ASL-A24.1b: Americans, the British by option (from 1944 on), Japanese elite."""
    counter = now.counter(unit)
    if counter.nation == "japanese":
        return counter.quality == "elite"
    return counter.nation == "american" or (
        counter.nation == "british" and now.option("british_phosphorus") is True
    )


def check_smoke(now: Situation, action: Action) -> Verdict:
    """ASL-A24.1a: one's own hex for 1 MF, an adjacent one for 2."""
    move = moving(now)
    if move is None:
        return Verdict()
    start = place_of_group(now, move)
    amount = 1 if action.given("to") in (None, start.cell) else 2
    cost = Cost((CostPart(amount, "smoke grenades", "ASL-A24.1a", start.cell),), "MF")
    return Verdict.of(_smoke_faults(now, action), cost)


def _smoke_faults(now: Situation, action: Action) -> Iterator[Violation]:
    move = moving(now)
    assert move is not None
    unit = now.unit(action.text("unit"))
    if unit.id not in move.units:
        yield Violation("ASL-A24.1a", f"{unit.id} is not moving", units=(unit.id,))
        return
    if now.is_weapon(unit) or not now.counter(unit).smoke:
        yield Violation("ASL-A24.1a", f"{unit.id} has no smoke exponent", units=(unit.id,))
    elif action.given("phosphorus") is True and not has_phosphorus(now, unit):
        text = f"{now.nation(unit)} units like {unit.id} have no white phosphorus"
        yield Violation("ASL-A24.1b", text, units=(unit.id,))
    if move.dash and move.steps:
        yield Violation("ASL-DASH-1", "nothing else is done during a dash", units=(unit.id,))
    if move.minimum:
        yield Violation(
            "ASL-A4.134a", "a minimum move is one hex and nothing else", units=(unit.id,)
        )
    start = place_of_group(now, move)
    to = action.text("to")
    if not start.cell:
        yield Violation("ASL-A24.1a", f"{unit.id} is not on the map", units=(unit.id,))
        return
    if to != start.cell and now.ground.side_to(start.cell, to) is None:
        yield Violation("ASL-A24.1a", f"{to} is not adjacent to {start.cell}", cells=(to,))
    elif to != start.cell and not now.adjacent(start, Location(to)):
        yield Violation("ASL-A24.1a", f"{to} is not ADJACENT to {start}", cells=(to,))
    if now.ground.beneath(to).water:
        yield Violation("ASL-A24.1a", f"there is no smoke on the water of {to}", cells=(to,))
    amount = 1 if to == start.cell else 2
    left = left_of(now, move)
    if amount > left or (move.assault and amount >= left):
        text = f"smoke into {to} costs {amount} MF, and {left} are left"
        yield Violation("ASL-A24.1a", text, cells=(to,), units=(unit.id,))


def smoke_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who has smoke, and where it can be thrown."""
    del action
    move = moving(now)
    if move is None or not move.units:
        return ()
    start = place_of_group(now, move)
    if slot == "unit":
        return tuple(n for n in move.units if now.counter(now.unit(n)).smoke)
    if slot == "to":
        return (start.cell, *now.ground.near[start.cell]) if start.cell else ()
    return None


def smoke(play: Play, action: Action) -> None:
    """ASL-A24.1a: a die not above the exponent; a 6 ends the unit's move."""
    now = play.now
    move = moving(now)
    assert move is not None
    unit = now.unit(action.text("unit"))
    start = place_of_group(now, move)
    to = action.text("to")
    expose(play, (unit.id,), "throws smoke", "ASL-CONL-3")
    rolled, roll = play.roll_one("smoke grenades", unit.side)
    white = action.flag("phosphorus")
    number = exponent(now, unit) - white
    placed = rolled <= number
    told = f"{now.named(unit)}: {rolled} against {number}: " + ("smoke" if placed else "no smoke")
    step = Step(told, "ASL-A24.1a")
    play.decide(Resolution("smoke", "placed" if placed else "none", dice=(roll,), steps=(step,)))
    if placed:
        name = f"grenades {to}"
        values = FrozenMap[Value](
            {
                "hindrance": PHOSPHORUS if white else HINDRANCE,
                "rises": 2 * LEVELS if white else LEVELS,
                "grenades": True,
            }
        )
        level = start.level if to == start.cell else 0
        play.do(
            AddMarker(name, Marker(name, "smoke", unit.side, cell=to, level=level, values=values))
        )
    if placed and white:
        _burn(play, Location(to, start.level if to == start.cell else 0))
    if rolled == _ENDS:
        from hexmarshal.rules.state.effects import ChangeFrame

        play.mark(unit.id, marks.MOVED)
        rest = tuple(n for n in move.units if n != unit.id)
        if rest:
            play.do(ChangeFrame("moving", FrozenMap({"units": rest})))
    amount = Fraction(1 if to == start.cell else 2)
    _spend_together(play, move.units, amount, start)


def _burn(play: Play, place: Location) -> None:
    """ASL-A24.1b: all there check, helped by the terrain, hindered on a coloured 6."""
    inside = terrain_modifier(play.now, place, place, residual=True)
    tem = int(inside.amount) if inside is not None else 0
    for unit in play.now.people(place):
        if unit.id not in play.position.units:
            continue
        reveal(play, unit.id, "phosphorus", "ASL-A24.1b")
        if unit.id not in play.position.units:
            continue
        here = [one.id for one in play.now.people(place, unit.side)]
        test = Test("NMC for phosphorus", -tem, "ASL-A24.1b", critical=2 * tem)
        check_morale(play, unit.id, test, here)


def _spend_together(play: Play, units: tuple[str, ...], amount: Fraction, place: Location) -> None:
    """ASL-DF-3: the expenditure exposes all who are moving, even one whose move it ended."""
    from hexmarshal.rules.state.effects import ChangeFrame

    now_moving = moving(play.now)
    assert now_moving is not None
    ended = tuple(n for n in units if play.position.unit(n).has(marks.MOVED))
    if now_moving.units != units:
        play.do(ChangeFrame("moving", FrozenMap({"units": units})))
    spend_without(play, amount, place, ended)


def spend_without(play: Play, amount: Fraction, place: Location, ended: tuple[str, ...]) -> None:
    """Spend, and let those go no further whose move has ended."""
    from hexmarshal.games.asl.rules.movement.spending import settle
    from hexmarshal.rules.state.effects import ChangeFrame

    spend(play, amount, place, fresh=False)
    move = moving(play.now)
    if move is None or not ended:
        return
    left = tuple(n for n in move.units if n not in ended)
    if left != move.units:
        play.do(ChangeFrame("moving", FrozenMap({"units": left})))
        if play.position.frame("first_fire") is None:
            settle(play)


def check_recover(now: Situation, action: Action) -> Verdict:
    """ASL-SWR-1, ASL-SWR-2: 1 MF in the weapon's location."""
    cost = Cost((CostPart(1, "recovery", "ASL-SWR-1"),), "MF")
    return Verdict.of(_recover_faults(now, action), cost)


def _recover_faults(now: Situation, action: Action) -> Iterator[Violation]:
    move = moving(now)
    if move is None:
        return
    unit = now.unit(action.text("unit"))
    if unit.id not in move.units:
        yield Violation("ASL-SWR-2", f"{unit.id} is not moving", units=(unit.id,))
        return
    if move.dash or move.minimum:
        yield Violation("ASL-SWR-2", "not in a dash or minimum move", units=(unit.id,))
    yield from recover_faults(now, unit, now.unit(action.text("weapon")), action.side)
    left = left_of(now, move)
    if left < 1 or (move.assault and left <= 1):
        yield Violation("ASL-SWR-1", f"{left} MF are left", units=(unit.id,))


def recover_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who moves, and what lies where they are."""
    del action
    move = moving(now)
    if move is None or not move.units:
        return ()
    if slot == "unit":
        return move.units
    place = place_of_group(now, move)
    here = now.position.at(place.cell) if place.cell else ()
    return tuple(u.id for u in here if now.is_weapon(u) and now.at(u) == place)


def recover(play: Play, action: Action) -> None:
    """ASL-SWR-1."""
    now = play.now
    move = moving(now)
    assert move is not None
    place = place_of_group(now, move)
    weapon = now.unit(action.text("weapon"))
    try_to_recover(play, now.unit(action.text("unit")), weapon)
    if weapon.has(marks.CARRIED):
        play.mark(weapon.id, marks.STAYS)  # ASL-SW-3
    spend(play, Fraction(1), place, fresh=False)
