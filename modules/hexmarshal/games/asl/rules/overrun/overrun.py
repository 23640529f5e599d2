"""Infantry overrun: the check, the double cost, what the single man may do, and the combat."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.blow import Blow
from hexmarshal.games.asl.rules.close_combat.outcomes import take_losses
from hexmarshal.games.asl.rules.close_combat.single import roll_for
from hexmarshal.games.asl.rules.concealment.detection import uncover_for_overrun
from hexmarshal.games.asl.rules.fire.modifiers import terrain_modifier
from hexmarshal.games.asl.rules.morale.checks import Test, modifiers_of
from hexmarshal.games.asl.rules.movement.costs import Price, price
from hexmarshal.games.asl.rules.movement.spending import fall_back, settle, spend
from hexmarshal.games.asl.rules.movement.stack import left_of, moving, place_of_group
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import ChangeFrame, MoveUnit, SetExtra
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import CostPart, Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "candidates", "check", "check_expel", "expel", "expel_candidates", "leave", "overrun", "stand",
    "strike",
]  # fmt: skip


def victim(now: Situation, place: Location, side: str) -> Unit | None:
    """ASL-A4.15a: the one known enemy SMC of a location; None if it is anybody else."""
    known = [unit for unit in now.people(place, other(side)) if not now.is_hidden(unit)]
    if len(known) == 1 and now.is_smc(known[0]) and not _unfound(now, place, side):
        return known[0]
    return None


def _unfound(now: Situation, place: Location, side: str) -> bool:
    """ASL-A4.15e, ASL-A12.15d: whether "?" lie there that nobody has found out by entering.

    Who is hidden altogether is no reason to refuse: he shows himself when the overrun is tried.
    """
    move = moving(now)
    if move is not None and move.found == place.cell:
        return False
    return any(unit.has(marks.CONCEALED) for unit in now.people(place, other(side)))


def _price(now: Situation, group: list[Unit], start: Location, end: Location) -> Price:
    """ASL-A4.15a: double the cost of the location."""
    cost = price(now, start, end, group)
    parts = [*cost.parts, CostPart(cost.total, "overrun", "ASL-A4.15a", end.cell)]
    return Price(parts, barred=cost.barred, all_mf=cost.all_mf, minimum=cost.minimum)


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A4.15a: MMC, a single known SMC, and the factors for it."""
    found: list[Price] = []
    verdict = Verdict.of(_faults(now, action, found))
    return Verdict(verdict.violations, found[0].cost()) if found else verdict


def _faults(now: Situation, action: Action, found: list[Price]) -> Iterator[Violation]:
    move = moving(now)
    if move is None:
        return
    end = Location(action.text("to"))
    group = [now.unit(name) for name in move.units]
    if not any(now.is_mmc(unit) for unit in group):
        yield Violation("ASL-A4.15a", "only an MMC overruns", units=move.units)
        return
    if victim(now, end, action.side) is None:
        text = f"{end} does not hold a single known enemy SMC"
        yield Violation("ASL-A4.15a", text, cells=(end.cell,))
        if _unfound(now, end, action.side):
            text = f"{end} holds concealed units, which are found by entering it"
            yield Violation("ASL-A4.15e", text, cells=(end.cell,))
        return
    if move.assault or move.minimum or move.dash:
        text = "not by assault movement, a dash or a minimum move"
        yield Violation("ASL-A4.15a", text, units=move.units)
    start = place_of_group(now, move)
    cost = _price(now, group, start, end)
    found.append(cost)
    if cost.barred or cost.all_mf or cost.minimum:
        why = cost.barred or "it costs all factors"
        yield Violation("ASL-A4.15a", f"{end} cannot be overrun: {why}", cells=(end.cell,))
    elif cost.total > left_of(now, move):
        text = f"the overrun costs {cost.total} MF, and {left_of(now, move)} are left"
        yield Violation("ASL-A4.15a", text, cells=(end.cell,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Hexes with a single man of the enemy's."""
    move = moving(now)
    if slot != "to" or move is None or not move.units:
        return ()
    start = place_of_group(now, move)
    near = now.ground.near.get(start.cell, ())
    return tuple(c for c in near if victim(now, Location(c), action.side) is not None)


def overrun(play: Play, action: Action) -> None:
    """ASL-A4.15b: the leader alone checks for all, or each MMC for itself; who fails stays."""
    now = play.now
    move = moving(now)
    assert move is not None
    start, end = place_of_group(now, move), Location(action.text("to"))
    if uncover_for_overrun(play, end):  # ASL-A12.15d: he is not alone
        fall_back(play, start, price(now, start, end, [now.unit(n) for n in move.units]).total)
        return
    play.do(ChangeFrame("moving", FrozenMap({"found": None})))
    now = play.now
    group = [now.unit(name) for name in move.units]
    leaders = [u for u in group if now.is_leader(u) and not u.has(marks.BERSERK)]
    best = sorted(leaders, key=lambda u: -now.morale(u))[:1]
    testing = best or [unit for unit in group if now.is_mmc(unit)]
    passed = [unit.id for unit in testing if _passes(play, unit, start, end)]
    if leaders:
        going = move.units if passed else ()
    else:
        going = tuple(n for n in move.units if n in passed)
    for name in move.units:
        if name not in going:
            play.mark(name, marks.MOVED)
    play.do(ChangeFrame("moving", FrozenMap({"units": going})))
    if not going:
        settle(play)
        return
    man = victim(play.now, end, action.side)
    assert man is not None
    cost = _price(play.now, [play.position.unit(n) for n in going], start, end)
    about = FrozenMap[Value]({"left": start.cell, "steps": move.steps + 1, "overrun": man.id})
    play.do(ChangeFrame("moving", about), SetExtra("attacks"))
    for name in going:
        play.do(MoveUnit(name, end.cell, end.level))
    if may_leave(play.now, man):
        play.ask(
            "overrun",
            man.side,
            about={"unit": man.id, "cost": -(-cost.total.numerator // cost.total.denominator)},
        )
    else:
        spend(play, cost.total, end, fresh=True)


def _passes(play: Play, unit: Unit, start: Location, end: Location) -> bool:
    """ASL-A4.15b: a task check, worse by the terrain and smoke about the SMC."""
    now = play.now
    if unit.has(marks.BERSERK):
        return True
    modifiers = [*modifiers_of(now, unit, Test("NTC", rule="ASL-A4.15b"))]
    terrain = terrain_modifier(now, start, end)
    if terrain is not None:
        modifiers.append(Modifier(terrain.label, terrain.amount, "ASL-A4.15b"))
    smoke = [m for m in now.position.markers_at(end.cell) if m.kind == "smoke"]
    for marker in smoke[:1]:
        value = marker.values.get("hindrance")
        modifiers.append(Modifier("smoke", value if isinstance(value, int) else 0, "ASL-A4.15b"))
    found = tally(modifiers)
    dice, rolls = play.roll_two(f"NTC of {unit.id}", unit.side, calls=True)
    total = sum(dice) + int(found.total())
    passed = total <= now.morale(unit)
    told = f"{now.named(unit)}: {total} against {now.morale(unit)}"
    play.decide(
        Resolution(
            "overrun",
            "passed" if passed else "failed",
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(told, "ASL-A4.15b"),),
        )
    )
    return passed


def may_leave(now: Situation, man: Unit) -> bool:
    """ASL-A4.15c: in good order, not pinned or TI, with a hex to go to."""
    bar = {marks.PINNED, marks.TI, marks.MELEE, marks.BROKEN}
    return not man.flags & bar and not man.carrier and bool(ways_out(now, man))


def ways_out(now: Situation, man: Unit) -> tuple[str, ...]:
    """ASL-A4.15c: hexes without the enemy; not the open if there are others."""
    place = now.at(man)
    near = [
        cell
        for cell in now.ground.near[place.cell]
        if now.accessible(place, Location(cell)) and not now.people(Location(cell), other(man.side))
    ]
    covered = [cell for cell in near if not now.ground.terrain(cell).open]
    return tuple(covered or near)


def stand(play: Play, action: Action) -> None:
    """ASL-A4.15c: he stays, and everybody may fire before the combat."""
    del action
    frame = play.answered("overrun")
    _go_on(play, frame.value("cost", 0))


def leave(play: Play, action: Action) -> None:
    """ASL-A4.15c: the ATTACKER says where he goes."""
    del action
    frame = play.answered("overrun")
    play.ask(
        "expel",
        play.now.phasing,
        about={"unit": frame.text("unit"), "cost": frame.value("cost", 0)},
    )


def check_expel(now: Situation, action: Action) -> Verdict:
    """ASL-A4.15c: not into the open if there is another hex."""
    return Verdict.of(_expel_faults(now, action))


def _expel_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("expel")
    if frame is None:
        return
    man = now.unit(frame.text("unit"))
    cell = action.text("to")
    if cell not in ways_out(now, man):
        text = f"{man.id} goes to one of {', '.join(ways_out(now, man))}"
        yield Violation("ASL-A4.15c", text, cells=(cell,), units=(man.id,))


def expel_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Where the single man may be sent."""
    del action
    frame = now.position.frame("expel")
    if slot != "to" or frame is None:
        return ()
    return ways_out(now, now.unit(frame.text("unit")))


def expel(play: Play, action: Action) -> None:
    """ASL-A4.15c: he is gone, and the move goes on."""
    frame = play.answered("expel")
    play.do(MoveUnit(frame.text("unit"), action.text("to")))
    play.do(ChangeFrame("moving", FrozenMap({"overrun": None})))
    _go_on(play, frame.value("cost", 0))


def _go_on(play: Play, cost: Value) -> None:
    move = moving(play.now)
    assert move is not None
    place = place_of_group(play.now, move)
    spend(play, Fraction(cost if isinstance(cost, int) else 0), place, fresh=True)


def strike(play: Play) -> None:
    """ASL-A4.15d: when all fire is done, close combat with who has stayed."""
    frame = play.position.frame("moving")
    if frame is None or not frame.text("overrun"):
        return
    man = play.position.units.get(frame.text("overrun"))
    play.do(ChangeFrame("moving", FrozenMap({"overrun": None})))
    group = [play.position.unit(n) for n in frame.texts("units") if n in play.position.units]
    if man is None or not group or play.now.at(man) != play.now.at(group[0]):
        return
    _fight(play, group, man)
    left = []
    for unit in group:
        after = play.position.units.get(unit.id)
        if after is None:
            continue
        if after.has(marks.MELEE):
            play.mark(unit.id, marks.MOVED)
        else:
            left.append(unit.id)
    play.do(ChangeFrame("moving", FrozenMap({"units": tuple(left)})))


def _fight(play: Play, attackers: Sequence[Unit], defender: Unit) -> None:
    """ASL-A4.15d: both sides roll, and losses count for both; who is left is in melee."""
    place = play.now.at(defender)
    rule = "ASL-A4.15d"
    losses = roll_for(play, Blow(attackers[0].side, tuple(attackers), (defender,)), rule)
    if play.now.good_order(defender):
        losses += roll_for(play, Blow(defender.side, (defender,), tuple(attackers)), rule)
    take_losses(play, place, losses)
    left = [u.id for u in attackers if u.id in play.position.units]
    if defender.id in play.position.units and left:
        for name in (*left, defender.id):
            play.mark(name, marks.MELEE)
