"""Whether a human wave may go: forward, or where the enemy is, for what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.human_wave.grain import range_to
from hexmarshal.games.asl.rules.movement.allowance import BERSERK_FACTORS, WOUNDED_FACTORS
from hexmarshal.games.asl.rules.movement.costs import Price, price
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.action import Action
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "Wave",
    "can_go",
    "candidates",
    "check_end",
    "check_step",
    "factors",
    "known_in",
    "listed",
    "wave_of",
]


@dataclass(frozen=True, slots=True)
class Wave:
    """The frame of a wave, read."""

    units: tuple[str, ...]
    grain: tuple[str, ...]
    spent: Fraction
    impulse: Fraction
    """What the dearest step of this impulse has cost."""
    moved: tuple[str, ...]
    waiting: tuple[str, ...]
    """Locations at which the DEFENDER has not fired yet in this impulse."""

    @classmethod
    def of(cls, frame: Frame) -> Wave:
        """From the frame."""
        return cls(
            frame.texts("units"),
            frame.texts("grain"),
            _fraction(frame.value("spent", 0)),
            _fraction(frame.value("impulse", 0)),
            frame.texts("moved"),
            frame.texts("waiting"),
        )


def _fraction(value: object) -> Fraction:
    return Fraction(value) if isinstance(value, (int, str)) else Fraction(0)


def wave_of(now: Situation) -> Wave | None:
    """The wave that goes on."""
    frame = now.position.frame("wave")
    return None if frame is None else Wave.of(frame)


def factors(unit: Unit) -> int:
    """ASL-A25.23b: eight, three for the wounded, and never more."""
    return WOUNDED_FACTORS if unit.has(marks.WOUNDED) else BERSERK_FACTORS


def known_in(now: Situation, place: Location, side: str) -> list[Unit]:
    """ASL-A25.23d: known, armed enemies in a location that are not disrupted."""
    return [
        one
        for one in now.people(place, other(side))
        if now.is_armed(one) and not one.flags & {*marks.UNSEEN, marks.DISRUPTED, marks.CAPTURED}
    ]


def check_step(now: Situation, action: Action) -> Verdict:
    """ASL-A25.23c, ASL-A25.23d."""
    found: list[Price] = []
    verdict = Verdict.of(_faults(now, action, found))
    return Verdict(verdict.violations, found[0].cost()) if found else verdict


def _faults(now: Situation, action: Action, found: list[Price]) -> Iterator[Violation]:
    wave = wave_of(now)
    if wave is None:
        return
    names = action.so_far("units")
    for name in names:
        if name not in wave.units:
            yield Violation("ASL-A25.23c", f"{name} is not of the wave", units=(name,))
            return
        if name in wave.moved:
            text = f"{name} has moved in this impulse"
            yield Violation("ASL-A25.23c", text, units=(name,), cured_by=("units",))
    if not names:
        yield Violation("ASL-A25.23c", "nobody goes", cured_by=("units",))
        return
    group = [now.unit(name) for name in names]
    start = now.at(group[0])
    if any(now.at(unit) != start for unit in group):
        yield Violation("ASL-A25.23c", "a stack goes from one location", units=names)
        return
    end = Location(action.text("to"), action.number("level"))
    if end.level not in now.ground.levels(end.cell):
        yield Violation("ASL-MOVE-5", f"{end.cell} has no level {end.level}", cells=(end.cell,))
        return
    cost = price(now, start, end, group)
    found.append(cost)
    if cost.barred or cost.minimum:
        why = cost.barred or "only a minimum move crosses the hexside"
        yield Violation("ASL-MOVE-5", f"{end} cannot be entered: {why}", cells=(end.cell,))
        return
    yield from _way_faults(now, wave, group, start, end)
    yield from _factor_faults(wave, group, cost)


def _way_faults(
    now: Situation, wave: Wave, group: list[Unit], start: Location, end: Location
) -> Iterator[Violation]:
    """ASL-A25.23c, ASL-A25.23d: forward, or where the enemy is, and never back."""
    side = group[0].side
    names = tuple(unit.id for unit in group)
    if start.cell == end.cell:
        if abs(end.level) >= abs(start.level) and not known_in(now, end, side):
            text = f"{end} is nearer neither to the ground nor to an enemy"
            yield Violation("ASL-A25.23c", text, cells=(end.cell,), units=names)
    else:
        before, after = (range_to(now.ground, one.cell, wave.grain) for one in (start, end))
        sideways = after == before and known_in(now, end, side)
        if after >= before and not sideways:
            text = f"{end.cell} is {after} hexes from the grain, and {start.cell} {before}"
            yield Violation("ASL-A25.23c", text, cells=(end.cell,), units=names)
    for unit in group:
        left = unit.values.get("wave_left", ())
        if not isinstance(left, tuple):
            continue
        if end.cell in left:
            text = f"{unit.id} has been in {end.cell}"
            yield Violation("ASL-A25.23c", text, cells=(end.cell,), units=(unit.id,))
        elif any(now.ground.distance(end.cell, str(one)) <= 1 for one in left):
            text = f"{end} is next to where {unit.id} has been"
            yield Violation("ASL-A25.23c", text, cells=(end.cell,), units=(unit.id,))
    if not known_in(now, end, side):
        for place in _ahead(now, wave, start, side):
            text = f"the enemy in {place} is ahead and must be met"
            yield Violation("ASL-A25.23d", text, cells=(place.cell,), units=names)
            break


def _ahead(now: Situation, wave: Wave, start: Location, side: str) -> Iterator[Location]:
    """ASL-A25.23d: Forward locations with an enemy that no friend has entered yet."""
    here = range_to(now.ground, start.cell, wave.grain)
    for cell in now.ground.near[start.cell]:
        place = Location(cell)
        if range_to(now.ground, cell, wave.grain) >= here or not now.accessible(start, place):
            continue
        if known_in(now, place, side) and not now.people(place, side):
            yield place


def _factor_faults(wave: Wave, group: list[Unit], cost: Price) -> Iterator[Violation]:
    """ASL-A25.23b: all pay what the dearest step costs."""
    total = max(wave.impulse, cost.total)
    for unit in group:
        left = factors(unit) - wave.spent
        if cost.all_mf and wave.spent:
            text = f"that costs all factors, and {wave.spent} are spent"
            yield Violation("ASL-A25.23b", text, units=(unit.id,))
        elif total > left and not cost.all_mf:
            text = f"the impulse costs {total} MF, and {unit.id} has {left} left"
            yield Violation("ASL-A25.23b", text, units=(unit.id,))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Those who have not moved in this impulse, and where they could go."""
    wave = wave_of(now)
    if wave is None:
        return ()
    if slot == "units":
        chosen = action.so_far("units")
        first = now.at(now.unit(chosen[0])) if chosen else None
        return tuple(
            name
            for name in wave.units
            if name not in wave.moved
            and name not in chosen
            and (first is None or now.at(now.unit(name)) == first)
        )
    names = action.so_far("units")
    if not names:
        return ()
    start = now.at(now.unit(names[0]))
    if slot == "to":
        return (*now.ground.near[start.cell], start.cell)
    if slot == "level":
        cell = str(action.given("to", ""))
        if cell == start.cell:
            return tuple(n for n in now.ground.levels(cell) if n != start.level) or (None,)
        levels = tuple(n for n in now.ground.levels(cell) if n) if start.level else ()
        return (None, *levels)
    return None


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: whole stacks, and each unit alone."""
    if slot != "units":
        return None
    by_place: dict[Location, list[str]] = {}
    for name in candidates(now, action, slot) or ():
        by_place.setdefault(now.at(now.unit(str(name))), []).append(str(name))
    alone = [(name,) for group in by_place.values() for name in group]
    return (*alone, *(tuple(group) for group in by_place.values() if len(group) > 1))


def can_go(now: Situation, name: str) -> bool:
    """Whether a unit has any step in this impulse."""
    unit = now.unit(name)
    if known_in(now, now.at(unit), unit.side):
        return False
    here = now.at(unit)
    tries: list[dict[str, Value]] = [
        {"units": (name,), "to": cell} for cell in now.ground.near[here.cell]
    ]
    tries += [
        {"units": (name,), "to": here.cell, "level": level}
        for level in now.ground.levels(here.cell)
        if level != here.level
    ]
    return any(
        check_step(now, Action("wave_step", unit.side, FrozenMap(params))).legal for params in tries
    )


def check_end(now: Situation, action: Action) -> Verdict:
    """ASL-A25.23c: whoever can go has to."""
    del action
    wave = wave_of(now)
    if wave is None:
        return Verdict()
    late = [name for name in wave.units if name not in wave.moved and can_go(now, name)]
    if late:
        text = f"{', '.join(late)} must go forward in this impulse"
        return Verdict((Violation("ASL-A25.23c", text, units=tuple(late)),))
    return Verdict()
