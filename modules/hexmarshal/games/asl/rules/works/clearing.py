"""Clearance: infantry takes wire and roadblocks away, by a roll when the close combat is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.concealment.loss import expose
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.works import ROADBLOCK, WIRE, is_work, work_of
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.state.effects import RemoveUnit
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check", "clear", "clear_modifiers", "finish_clearing", "listed"]

RULE: Final = "ASL-A15.2e"
_CLEARED: Final = frozenset({WIRE, ROADBLOCK})
_BUSY: Final = (
    (marks.PINNED, "is pinned"),
    (marks.TI, "is TI"),
    (marks.MOVED, "has moved"),
    (marks.PREP_FIRE, "has fired"),
    (marks.OPPORTUNITY, "waits for opportunity fire"),
)


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A15.2e: infantry in good order that has neither moved nor fired, with an MMC."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    if action.side != now.phasing:
        yield Violation(RULE, "the ATTACKER clears in this phase")
        return
    work = now.unit(action.text("work"))
    if not is_work(work) or work_of(work) not in _CLEARED or now.is_hidden(work):
        text = f"{work.id} is neither wire nor a roadblock that is known"
        yield Violation(RULE, text, units=(work.id,))
        return
    units = [now.unit(name) for name in action.so_far("units")]
    for unit in units:
        yield from _unit_faults(now, unit, work, action.side)
    if not any(now.is_mmc(unit) for unit in units):
        yield Violation(RULE, f"an MMC is needed to clear {work.id}", cured_by=("units",))


def _unit_faults(now: Situation, unit: Unit, work: Unit, side: str) -> Iterator[Violation]:
    name = unit.id
    if unit.id not in {one.id for one in now.people(now.at(work), side)} or now.is_dummy(unit):
        yield Violation(RULE, f"{name} is none of yours in {work.cell}", units=(name,))
        return
    if not now.good_order(unit) or unit.flags & {marks.BERSERK, marks.UNARMED}:
        yield Violation(RULE, f"{name} is not in good order", units=(name,))
    for flag, words in _BUSY:
        if unit.has(flag):
            yield Violation(RULE, f"{name} {words}", units=(name,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Known wire and roadblocks, and who is there."""
    if slot == "work":
        return tuple(
            unit.id
            for unit in now.position.units.values()
            if is_work(unit)
            and work_of(unit) in _CLEARED
            and unit.cell
            and not now.is_hidden(unit)
            and now.people(now.at(unit), action.side)
        )
    work = now.position.units.get(str(action.given("work", "")))
    if slot == "units" and work is not None and work.cell:
        return tuple(
            unit.id
            for unit in now.people(now.at(work), action.side)
            if next(_unit_faults(now, unit, work, action.side), None) is None
        )
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: all who can."""
    if slot != "units":
        return None
    names = tuple(candidates(now, action, slot) or ())
    return (names,) if names else ()


def clear(play: Play, action: Action) -> None:
    """ASL-A15.2e, ASL-CONL-3: they are TI, and seen at it; the roll comes later."""
    names = action.texts("units")
    for name in names:
        play.mark(name, marks.TI)
        play.note(name, clears=action.text("work"))
    expose(play, names, "clears", "ASL-CONL-3")


def clear_modifiers(now: Situation, units: Sequence[Unit], work: Unit) -> tuple[Modifier, ...]:
    """ASL-A15.2e: who works, who leads them, and how long they have been at it."""
    amount = now.tables.clearance["modifiers"]
    men = sorted((u for u in units if now.is_mmc(u)), key=lambda one: -now.size(one))
    squads = sum(now.counter(unit).kind == "squad" for unit in men)
    more = sum(now.counter(unit).kind == "squad" for unit in men[1:])
    leaders = [now.leadership(unit) for unit in units if now.is_leader(unit)]
    heroes = sum(now.is_hero(unit) for unit in units) if work_of(work) == WIRE else 0
    rows = (
        ("labor", labor_of(work) * amount["labor"]),
        ("leadership", min(leaders, default=0)),
        ("squad", amount["squad"] if squads else 0),
        ("more half-squads", (len(men) - 1 - more) * amount["more_half_squads"]),
        ("more squads", more * amount["more_squads"]),
        ("heroic", heroes * amount["hero"]),
        ("CX", amount["cx"] if any(unit.has(marks.CX) for unit in units) else 0),
    )
    return tuple(Modifier(label, value, RULE) for label, value in rows if value)


def labor_of(work: Unit) -> int:
    """How often clearing it was tried in vain, as far as that helps."""
    value = work.values.get("labor")
    return value if isinstance(value, int) else 0


def finish_clearing(play: Play) -> None:
    """ASL-A15.2e: a roll for each, when the close combat phase of the player turn ends."""
    at_work: dict[str, list[str]] = {}
    for unit in tuple(play.position.units.values()):
        named = unit.values.get("clears")
        if isinstance(named, str):
            play.note(unit.id, clears=None)
            able = play.now.good_order(unit) and not unit.has(marks.PINNED)
            work = play.position.units.get(named)
            if able and work is not None and play.now.at(work) == play.now.at(unit):
                at_work.setdefault(named, []).append(unit.id)
    for name, men in at_work.items():
        _roll(play, name, men)


def _roll(play: Play, name: str, men: Sequence[str]) -> None:
    now = play.now
    units = [now.unit(one) for one in men]
    if not any(now.is_mmc(unit) for unit in units):
        return
    work = now.unit(name)
    table = now.tables.clearance
    found = tally(clear_modifiers(now, units, work))
    dice, rolls = play.roll_two(f"clearance of {name}", units[0].side)
    total = sum(dice) + int(found.total())
    gone = total <= table["needed"]
    told = f"{sum(dice)}" + "".join(f" {m.amount:+} {m.label}" for m in found.counted)
    play.decide(
        Resolution(
            "clearance",
            "cleared" if gone else "none",
            modifiers=found.modifiers,
            dice=rolls,
            steps=(Step(f"{name}: {told} = {total}, {table['needed']} needed", RULE),),
        )
    )
    if gone:
        play.do(RemoveUnit(name))
    else:
        play.note(name, labor=min(table["labor_most"], labor_of(work) + 1))
