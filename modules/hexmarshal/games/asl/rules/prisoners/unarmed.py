"""Unarmed units on their own: looking for arms, and being caught again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.close_combat.blow import Blow
from hexmarshal.games.asl.rules.close_combat.outcomes import take_losses
from hexmarshal.games.asl.rules.close_combat.single import roll_for
from hexmarshal.games.asl.rules.movement.stack import left_of, moving, place_of_group
from hexmarshal.games.asl.rules.prisoners.rearming import arm
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "catch", "catch_candidates", "check_catch", "check_scrounge", "scrounge", "scrounge_candidates",
]  # fmt: skip

FOUND: Final = 2


def check_scrounge(now: Situation, action: Action) -> Verdict:
    """ASL-A20.54c: an unarmed MMC that has spent all its factors, once a hex and phase."""
    return Verdict.of(_scrounge_faults(now, action))


def _scrounge_faults(now: Situation, action: Action) -> Iterator[Violation]:
    rule = "ASL-A20.54c"
    move = moving(now)
    if move is None:
        return
    unit = now.unit(action.text("unit"))
    if unit.id not in move.units or not unit.has(marks.UNARMED) or not now.is_mmc(unit):
        yield Violation(rule, f"{unit.id} is no unarmed MMC on the move", units=(unit.id,))
        return
    if left_of(now, move) > 0:
        text = f"{left_of(now, move)} MF are left: all have to be spent"
        yield Violation(rule, text, units=(unit.id,))
    row = now.ground.beneath(unit.cell)
    if row.marsh or row.water or row.stream or row.ford:
        text = f"no arms are found in the {row.key.replace('_', ' ')} of {unit.cell}"
        yield Violation(rule, text, cells=(unit.cell,))
    done = now.position.extras.get("scrounged", ())
    if isinstance(done, tuple) and unit.cell in done:
        text = f"{unit.cell} was looked through in this phase"
        yield Violation(rule, text, cells=(unit.cell,))


def scrounge_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The unarmed of the moving stack."""
    del action
    move = moving(now)
    if slot != "unit" or move is None:
        return ()
    return tuple(
        n for n in move.units if now.unit(n).has(marks.UNARMED) and now.is_mmc(now.unit(n))
    )


def scrounge(play: Play, action: Action) -> None:
    """ASL-A20.54c: on a 2 it is green or conscript from now on."""
    unit = play.position.unit(action.text("unit"))
    dice, rolls = play.roll_two("scrounging", unit.side)
    found = sum(dice) == FOUND
    step = Step(f"{unit.id}: {sum(dice)}, {FOUND} needed", "ASL-A20.54c")
    play.decide(Resolution("scrounging", "armed" if found else "none", dice=rolls, steps=(step,)))
    done = play.position.extras.get("scrounged", ())
    play.do(SetExtra("scrounged", (*(done if isinstance(done, tuple) else ()), unit.cell)))
    if found:
        arm(play, unit.id, f"with what lay in {unit.cell}")


# Caught again


def unarmed_at(now: Situation, side: str) -> list[Unit]:
    """The unarmed enemies where the moving stack is, if there is nobody else."""
    move = moving(now)
    if move is None or not move.units:
        return []
    here = now.people(place_of_group(now, move), other(side))
    return here if here and all(one.has(marks.UNARMED) for one in here) else []


def check_catch(now: Situation, action: Action) -> Verdict:
    """ASL-A20.54a: infantry that has entered their hex may fight them at once."""
    return Verdict.of(_catch_faults(now, action))


def _catch_faults(now: Situation, action: Action) -> Iterator[Violation]:
    rule = "ASL-A20.54a"
    there = {unit.id for unit in unarmed_at(now, action.side)}
    targets = action.so_far("targets")
    if not targets:
        yield Violation(rule, "nobody is caught", cured_by=("targets",))
    for name in targets:
        if name not in there:
            text = f"{name} is no unarmed enemy, alone with the stack that moves"
            yield Violation(rule, text, units=(name,))
    move = moving(now)
    if move is not None:
        able = [n for n in move.units if can_fight(now, now.unit(n))]
        if not able:
            yield Violation(rule, "nobody of the stack can capture", units=move.units)


def can_fight(now: Situation, unit: Unit) -> bool:
    """Armed, unbroken, not berserk."""
    return now.is_armed(unit) and not unit.flags & {marks.BROKEN, marks.BERSERK}


def catch_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The unarmed in the hex."""
    if slot != "targets":
        return None
    return tuple(unit.id for unit in unarmed_at(now, action.side))


def catch_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists all of them."""
    names = tuple(catch_candidates(now, action, slot) or ())
    return (names,) if names and slot == "targets" else ()


def catch(play: Play, action: Action) -> None:
    """ASL-A20.54a: an attempt to capture; who is not caught is in melee with them."""
    move = moving(play.now)
    assert move is not None
    place = place_of_group(play.now, move)
    units = tuple(play.position.unit(n) for n in move.units)
    able = tuple(unit for unit in units if can_fight(play.now, unit))
    targets = tuple(play.position.unit(n) for n in action.texts("targets"))
    losses = roll_for(play, Blow(action.side, able, targets, capture=True), "ASL-A20.54a")
    take_losses(play, place, losses)
    if not play.now.people(place, other(action.side)):
        return
    for unit in play.now.people(place):
        play.mark(unit.id, marks.MELEE)
    for name in move.units:
        play.mark(name, marks.MOVED)
    play.do(ChangeFrame("moving", FrozenMap({"units": ()})))
    from hexmarshal.games.asl.rules.movement.spending import settle

    settle(play)
