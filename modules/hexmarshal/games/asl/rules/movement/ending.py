"""Ending a move: stopping, splitting a stack, double time on the way, dropping a weapon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.detection import show_bypassed
from hexmarshal.games.asl.rules.heat_of_battle import charge
from hexmarshal.games.asl.rules.morale.casualties import drop
from hexmarshal.games.asl.rules.movement.begin import double_time_faults
from hexmarshal.games.asl.rules.movement.costs import price
from hexmarshal.games.asl.rules.movement.stack import moving, place_of_group
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action

__all__ = [
    "check_drop", "check_hurry", "check_split", "check_stop", "drop_candidates", "drop_weapon",
    "hurry", "next_group", "split", "split_candidates", "split_listed", "stop",
]  # fmt: skip


def check_stop(now: Situation, action: Action) -> Verdict:
    """ASL-BYP-1, ASL-DASH-1: not in bypass, and not in the middle of a dash, if one can go on."""
    return Verdict.of(_stop_faults(now, action))


def _stop_faults(now: Situation, action: Action) -> Iterator[Violation]:
    move = moving(now)
    if move is None or not move.units:
        return
    if move.dash and move.steps == 1 and _can_go_on(now, action.side):
        yield Violation("ASL-DASH-1", f"the dash ends in {move.dash[-1]}", units=move.units)
    if charge.is_charge([now.unit(name) for name in move.units]) and _can_go_on(now, action.side):
        yield Violation("ASL-A15.43a", "a charge goes on as far as it can", units=move.units)
    if now.unit(move.units[0]).place and _can_go_on(now, action.side):
        yield Violation("ASL-BYP-1", "nobody ends his move in bypass", units=move.units)


def _can_go_on(now: Situation, side: str) -> bool:
    from hexmarshal.games.asl.rules.movement import step_check
    from hexmarshal.games.asl.rules.movement.stack import place_of_group
    from hexmarshal.rules.action import Action

    move = moving(now)
    assert move is not None
    start = place_of_group(now, move)
    for cell in (*now.ground.near[start.cell], start.cell):
        for along in (None, *range(6)):
            params: dict[str, Value] = {"to": cell}
            if along is not None:
                params["along"] = along
            if step_check.check(now, Action("step", side, FrozenMap(params))).legal:
                return True
    return False


def stop(play: Play, action: Action) -> None:
    """ASL-MOVE-2: the group has ended its move; those that it left behind go on."""
    del action
    move = moving(play.now)
    assert move is not None
    if move.found:  # ASL-A12.15a: they do not overrun whom they found
        place = place_of_group(play.now, move)
        units = [play.position.unit(name) for name in move.units]
        cost = price(play.now, place, Location(move.found), units)
        play.do(ChangeFrame("moving", FrozenMap({"found": None})))
        from hexmarshal.games.asl.rules.movement.spending import fall_back

        fall_back(play, place, cost.total)
        return
    for name in move.units:
        play.mark(name, marks.MOVED)
        if play.position.unit(name).place:
            show_bypassed(play, play.now.at(play.position.unit(name)))
            from hexmarshal.rules.state.effects import ChangeUnit

            play.do(ChangeUnit(name, place=""))
    next_group(play)


def next_group(play: Play) -> None:
    """ASL-MOVE-3: those who were left behind by the group go before anybody else."""
    frame = play.position.frame("moving")
    assert frame is not None
    agenda = [entry for entry in frame.agenda if _alive(play, entry)]
    if not agenda:
        play.answered("moving")
        return
    group, *rest = agenda
    about = {name: value for name, value in group.items() if name != "kind"}
    units = about["units"]
    assert isinstance(units, tuple)
    about["units"] = tuple(n for n in units if _movable(play, str(n)))
    play.do(ChangeFrame("moving", FrozenMap(about), tuple(rest)))


def _alive(play: Play, entry: object) -> bool:
    units = entry["units"] if isinstance(entry, FrozenMap) else ()
    return isinstance(units, tuple) and any(_movable(play, str(name)) for name in units)


def _movable(play: Play, name: str) -> bool:
    unit = play.position.units.get(name)
    return unit is not None and not unit.flags & {marks.BROKEN, marks.PINNED, marks.MOVED}


def check_split(now: Situation, action: Action) -> Verdict:
    """ASL-MOVE-3: some go on, the others wait where they are."""
    return Verdict.of(_split_faults(now, action))


def _split_faults(now: Situation, action: Action) -> Iterator[Violation]:
    move = moving(now)
    if move is None:
        return
    names = action.so_far("units")
    if not names:
        yield Violation("ASL-MOVE-3", "nobody goes on", cured_by=("units",))
    for name in names:
        if name not in move.units:
            yield Violation("ASL-MOVE-3", f"{name} does not move with this stack", units=(name,))
    if set(names) == set(move.units):
        yield Violation("ASL-MOVE-3", "nobody would be left behind", units=names)
    if move.dash or move.minimum:
        yield Violation("ASL-MOVE-3", "a dash or minimum move is made together", units=names)


def split_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Those of the moving stack."""
    move = moving(now)
    if slot == "units" and move is not None:
        return tuple(name for name in move.units if name not in action.so_far("units"))
    return None


def split_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: each of the stack alone."""
    if slot == "units":
        return tuple((name,) for name in split_candidates(now, action, slot) or ())
    return None


def split(play: Play, action: Action) -> None:
    """ASL-MOVE-3: the others are next, with what they have spent."""
    frame = play.position.frame("moving")
    assert frame is not None
    names = action.texts("units")
    rest = tuple(name for name in frame.texts("units") if name not in names)
    waiting = FrozenMap({**frame.about, "kind": "group", "units": rest})
    about = FrozenMap[Value]({"units": names})
    play.do(ChangeFrame("moving", about, (waiting, *frame.agenda)))


def check_hurry(now: Situation, action: Action) -> Verdict:
    """ASL-CX-1: double time that is declared on the way brings one factor."""
    del action
    return Verdict.of(_hurry_faults(now))


def _hurry_faults(now: Situation) -> Iterator[Violation]:
    move = moving(now)
    if move is None:
        return
    if move.double_time:
        yield Violation("ASL-CX-1", "double time is declared already", units=move.units)
    if move.assault or move.minimum:
        yield Violation("ASL-AM-3", "not in assault movement or a minimum move", units=move.units)
    if not move.steps:
        text = "before its first step a stack declares double time when it begins its move"
        yield Violation("ASL-CX-1", text, units=move.units)
    yield from double_time_faults(now, move.units)


def hurry(play: Play, action: Action) -> None:
    """ASL-CX-1, ASL-CX-2."""
    del action
    move = moving(play.now)
    assert move is not None
    for name in move.units:
        play.mark(name, marks.CX)
    play.do(ChangeFrame("moving", FrozenMap({"double_time": 1})))


def check_drop(now: Situation, action: Action) -> Verdict:
    """ASL-SW-5: an unbroken unit drops a weapon free of charge in its movement, advance or rout."""
    return Verdict.of(_drop_faults(now, action))


def _drop_faults(now: Situation, action: Action) -> Iterator[Violation]:
    weapon = now.unit(action.text("weapon"))
    holder = now.holder(weapon)
    if weapon.side != action.side or not now.is_weapon(weapon) or holder is None:
        yield Violation(
            "ASL-SW-5", f"{weapon.id} is no weapon that you possess", units=(weapon.id,)
        )
        return
    if holder.has(marks.BROKEN) and holder.has(marks.ROUTED):
        yield Violation("ASL-SW-5", f"{holder.id} has begun to rout", units=(holder.id,))
    if not holder.cell:
        yield Violation("ASL-SW-5", f"{holder.id} is not on the map", units=(holder.id,))
    if now.position.phase == "movement":
        move = moving(now)
        if move is not None and holder.id not in move.units:
            yield Violation("ASL-SW-5", f"{holder.id} is not moving", units=(holder.id,))


def drop_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The weapons that one possesses."""
    if slot == "weapon":
        move = moving(now)
        return tuple(
            weapon.id
            for unit in now.on_map(action.side)
            if move is None or unit.id in move.units
            for weapon in now.weapons(unit)
        )
    return None


def drop_weapon(play: Play, action: Action) -> None:
    """ASL-SW-5, ASL-SWT-2."""
    weapon = play.position.unit(action.text("weapon"))
    holder = play.now.holder(weapon)
    assert holder is not None
    drop(play, holder, weapon)
