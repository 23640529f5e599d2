"""Rally: broken units come to themselves, with a leader's help or by their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.loss import expose
from hexmarshal.games.asl.rules.heat_of_battle import heat
from hexmarshal.games.asl.rules.morale.casualties import reduce
from hexmarshal.games.asl.rules.morale.results import missed
from hexmarshal.games.asl.rules.quality.commissars import punish
from hexmarshal.games.asl.rules.quality.promotion import promote
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import commissar_with, is_commissar, leads, nation_of
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import ChangeUnit, SetExtra
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check_rally", "check_self_rally", "modifiers_of", "rally", "self_rally"]

_WORST = 12


def leaders_with(now: Situation, unit: Unit) -> list[Unit]:
    """ASL-RALLY-1: leaders in good order in the unit's location; a pinned one gives nothing."""
    return [
        one
        for one in now.people(now.at(unit), unit.side)
        if one.id != unit.id
        and now.is_leader(one)
        and now.good_order(one)
        and not one.has(marks.BERSERK)
        and leads(now, one, unit)
    ]


def modifiers_of(now: Situation, unit: Unit, leader: Unit | None) -> list[Modifier]:
    """ASL-RALLY-1, ASL-A10.63: what is added to the roll."""
    found = []
    urged = leader is not None and is_commissar(now, leader)
    if unit.has(marks.DM) and not urged:
        found.append(Modifier("DM", 4, "ASL-RALLY-1"))
    if leader is None:
        found.append(Modifier("self-rally", 1, "ASL-A10.63"))
    elif urged:
        amount = now.option("commissar_rally")
        found.append(Modifier("commissar", amount if isinstance(amount, int) else 1, "ASL-NAT-COM"))
    elif commissar_with(now, now.at(unit), unit.side) is None and (
        amount := now.leadership(leader, unit)
    ):
        found.append(Modifier(f"leadership of {leader.id}", amount, "ASL-RALLY-1"))
    place = now.at(unit)
    row = now.ground.terrain(place.cell)
    if row.rally:
        found.append(Modifier(row.key.replace("_", " "), row.rally, "ASL-RALLY-1"))
    return found


def _unit_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_personnel(unit) or not unit.cell:
        yield Violation(
            "ASL-RALLY-1", f"{unit.id} is no unit of yours on the map", units=(unit.id,)
        )
        return
    if not unit.has(marks.BROKEN):
        yield Violation("ASL-RALLY-1", f"{unit.id} is not broken", units=(unit.id,))
    if unit.has(marks.MELEE):
        yield Violation("ASL-RALLY-1", f"{unit.id} is in melee", units=(unit.id,))
    if unit.has(marks.RALLIED):
        yield Violation("ASL-RALLY-1", f"{unit.id} has tried in this phase", units=(unit.id,))


def check_rally(now: Situation, action: Action) -> Verdict:
    """ASL-RALLY-1: a leader in good order in the same location."""
    return Verdict.of(_rally_faults(now, action))


def _rally_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _unit_faults(now, action)
    unit = now.unit(action.text("unit"))
    leader = now.unit(action.text("leader"))
    if is_commissar(now, unit):
        yield Violation("ASL-NAT-COM", f"{unit.id} rallies by himself alone", units=(unit.id,))
    if leader.id not in {one.id for one in leaders_with(now, unit)}:
        text = f"{leader.id} is no leader in good order with {unit.id}"
        yield Violation("ASL-RALLY-1", text, units=(leader.id, unit.id))
    elif leader.has(marks.PINNED):
        yield Violation("ASL-PIN-5", f"{leader.id} is pinned", units=(leader.id,))
    elif not is_commissar(now, leader):
        free = [one for one in leaders_with(now, unit) if not one.has(marks.PINNED)]
        best = max(free, key=now.morale)
        if now.morale(best) > now.morale(leader):
            text = f"{best.id} has a higher morale than {leader.id} and is the one who rallies"
            yield Violation("ASL-LDR-1", text, units=(leader.id, best.id), cured_by=("leader",))
    if leader.has(marks.RALLIED) and leader.values.get("deployed") is True:
        yield Violation("ASL-DEP-3", f"{leader.id} has deployed a squad", units=(leader.id,))


def check_self_rally(now: Situation, action: Action) -> Verdict:
    """ASL-A10.63: who can, with no leader there; first one other MMC of the ATTACKER."""
    return Verdict.of(_self_faults(now, action))


def _self_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _unit_faults(now, action)
    unit = now.unit(action.text("unit"))
    if not now.is_personnel(unit):
        return
    if unit.has(marks.DISRUPTED):
        yield Violation("ASL-A19.12", f"{unit.id} is disrupted", units=(unit.id,))
    free = [one for one in leaders_with(now, unit) if not one.has(marks.PINNED)]
    if free and not is_commissar(now, unit):
        text = f"a leader in good order is with {unit.id}"
        yield Violation("ASL-A10.63", text, units=(unit.id,))
        if len(free) == 1 and now.leadership(free[0], unit) > 0:
            text = f"{free[0].id} is a hindrance to {unit.id}, and cannot be declined"
            yield Violation("ASL-LDR-2", text, units=(unit.id, free[0].id))
    if now.self_rallies(unit):
        return
    if not now.is_mmc(unit) or action.side != now.phasing:
        yield Violation("ASL-A10.63", f"{unit.id} does not rally by itself", units=(unit.id,))
    elif now.position.extras.get("rallies_begun") is True:
        text = f"{unit.id} could try before all others alone"
        yield Violation("ASL-A10.63", text, units=(unit.id,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Broken units, and leaders with them."""
    if slot == "unit":
        return tuple(
            u.id
            for u in now.on_map(action.side)
            if u.has(marks.BROKEN) and not u.has(marks.RALLIED)
        )
    if slot == "leader":
        name = action.given("unit")
        unit = now.position.units.get(str(name))
        return () if unit is None else tuple(one.id for one in leaders_with(now, unit))
    return None


def rally(play: Play, action: Action) -> None:
    """ASL-RALLY-1."""
    _try(play, action.text("unit"), play.position.unit(action.text("leader")))


def self_rally(play: Play, action: Action) -> None:
    """ASL-A10.63."""
    _try(play, action.text("unit"), None)


def _is_first_to_try(now: Situation, unit: Unit, leader: Unit | None) -> bool:
    """ASL-A18.11: the first MMC of the ATTACKER to try by itself, not disrupted, with no leader."""
    if leader is not None or not now.is_mmc(unit) or unit.side != now.phasing:
        return False
    if unit.has(marks.DISRUPTED) or nation_of(now, unit).promotion is None:
        return False
    alone = not any(now.is_leader(one) for one in now.people(now.at(unit), unit.side))
    return alone and now.position.extras.get("promotion_tried") is not True


def _try(play: Play, name: str, leader: Unit | None) -> None:
    if leader is not None:
        expose(play, (leader.id,), "rallies others", "ASL-CONL-3")
    now = play.now
    unit = now.unit(name)
    found = tally(modifiers_of(now, unit, leader))
    dice, rolls = play.roll_two(f"rally of {name}", unit.side)
    total = sum(dice) + int(found.total())
    lucky = sum(dice) == heat.LUCKY and _is_first_to_try(now, unit, leader)
    if sum(dice) == _WORST:
        result = "casualties"
    else:
        result = "rallied" if lucky or total <= now.morale(unit) else "still broken"
    told = (
        f"{now.named(unit)}: {dice[0]} + {dice[1]}"
        + "".join(f" {m.amount:+} {m.label}" for m in found.counted)
        + f" = {total} against {now.morale(unit)}: {result}"
    )
    rule = "ASL-RALLY-1" if leader is not None else "ASL-A10.63"
    play.decide(
        Resolution(
            "rally", result, modifiers=found.modifiers, dice=rolls, steps=(Step(told, rule),)
        )
    )
    play.do(SetExtra("rallies_begun", True))
    if leader is None and now.is_mmc(unit):
        play.do(SetExtra("promotion_tried", True))
    if leader is not None:
        play.mark(leader.id, marks.RALLIED)
    if result == "casualties":
        here = [one.id for one in now.people(now.at(unit), unit.side)]
        reduce(play, name)
        if name not in play.position.units:
            if now.is_leader(unit):
                missed(play, unit, here)
            return
    elif result == "rallied":
        gone = frozenset({marks.BROKEN, marks.DM, marks.DISRUPTED})
        play.do(ChangeUnit(name, unflags=gone & unit.flags))
    elif leader is not None and is_commissar(now, leader):
        punish(play, name)
    if lucky:
        promote(play, name, broken=True)
    elif sum(dice) == heat.LUCKY and leader is not None:
        heat.kindle(play, name, broken=True)
    if name in play.position.units:
        play.mark(name, marks.RALLIED)
