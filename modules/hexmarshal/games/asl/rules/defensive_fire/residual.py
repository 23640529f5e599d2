"""Residual firepower: what a hit leaves in a location for whoever comes there next."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.attack import resolve
from hexmarshal.games.asl.rules.fire.modifiers import common_modifiers, terrain_modifier
from hexmarshal.games.asl.rules.fire.shot import Shot
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.state.effects import AddMarker, ChangeFrame
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap, as_fraction, show_number
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.games.asl.rules.fire.attack import Hit
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.tables import FireTable
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = [
    "attack_by_residual", "check_forgo", "forgo_candidates", "forgo_listed", "give_up_rate",
    "leave_residual", "offered", "residual_of",
]  # fmt: skip

_SPENT = frozenset({marks.FIRST_FIRE, marks.FINAL_FIRE, marks.MALFUNCTION})

_OUTSIDE = frozenset({"ASL-CX-2", "ASL-ENC-2", "ASL-STACK-4", "ASL-FD-1", "ASL-WALL-1", "ASL-MG-1"})


def residual_of(
    table: FireTable, power: Fraction, cowered: int, worse: int
) -> tuple[int, tuple[Step, ...]]:
    """ASL-RFP-1, ASL-RFP-3: what firepower leaves, and how it comes to that."""
    column = table.column(power) - cowered
    if column < 0:
        return 0, ()
    left = table.residual[table.columns[column]]
    steps = [Step(f"half of column {table.columns[column]}: {left}", "ASL-RFP-1")]
    for _ in range(worse):
        left = max((c for c in table.counters if c < left), default=0)
    if worse:
        steps.append(Step(f"{worse} column(s) less for what is outside of it: {left}", "ASL-RFP-3"))
    return left, tuple(steps)


def _outside(modifier: Modifier) -> bool:
    """ASL-RFP-3: of causes outside of the target's hex; height and low visibility do not count."""
    if modifier.label == "overstacked target":
        return False
    return modifier.rule in _OUTSIDE or modifier.label == "hindrance"


def leave_residual(
    play: Play, before: Situation, shot: Shot, hit: Hit, broken: tuple[str, ...]
) -> None:
    """ASL-RFP-1, ASL-RFP-4, ASL-RFP-5: what an attack leaves, and what its weapons still could.

    A weapon that keeps its rate of fire leaves nothing, unless its side gives the rate up at once.
    """
    if shot.snap is not None:
        snapped = tuple(member.unit.id for member in shot.members if member.is_weapon)
        if snapped:
            last: FrozenMap[Value] = FrozenMap({"snapped": snapped})
            play.do(ChangeFrame("first_fire", FrozenMap({"offer": last})))
        return
    if not hit.scored or hit.column < 0:
        return
    worse = sum(
        int(m.amount) for m in common_modifiers(before, shot) if m.amount > 0 and _outside(m)
    )
    kept: dict[str, Value] = {}
    power = Fraction(0)
    for member in shot.members:
        name = member.unit.id
        if name in broken:
            continue
        unit = play.position.units.get(name)
        if member.is_weapon and unit is not None and not unit.flags & _SPENT:
            kept[name] = show_number(member.counted)
        else:
            power += member.counted
    left, steps = residual_of(play.tables.fire, power, hit.cowered, worse)
    _put(play, shot.target, shot.side, left, steps)
    if kept:
        told: FrozenMap[Value] = FrozenMap(
            {
                "power": show_number(power),
                "cowered": hit.cowered,
                "worse": worse,
                "weapons": FrozenMap(kept),
            }
        )
        play.do(ChangeFrame("first_fire", FrozenMap({"offer": told})))


def offered(now: Situation) -> Mapping[str, Value]:
    """ASL-RFP-5: the weapons that may give up the rate that they have just kept."""
    frame = now.position.frame("first_fire")
    offer = None if frame is None else frame.value("offer")
    weapons = offer.get("weapons") if isinstance(offer, FrozenMap) else None
    if not isinstance(weapons, FrozenMap):
        return {}
    units = now.position.units
    return {n: v for n, v in weapons.items() if n in units and not units[n].flags & _SPENT}


def check_forgo(now: Situation, action: Action) -> Verdict:
    """ASL-RFP-5: right after the attack in which the weapon kept its rate; ASL-RFP-4: working."""
    return Verdict.of(_forgo_faults(now, action))


def _forgo_faults(now: Situation, action: Action) -> Iterator[Violation]:
    may = offered(now)
    for name in action.so_far("weapons"):
        if name in may:
            continue
        yield Violation("ASL-RFP-5", f"{name} has not just kept a rate of fire", units=(name,))
        unit = now.unit(name)
        if unit.side == action.side and unit.has(marks.MALFUNCTION):
            text = f"{name} does not work, and leaves no residual fire"
            yield Violation("ASL-RFP-4", text, units=(name,))
        if name in _snapped(now):
            text = f"{name} has fired a snap shot, which leaves no residual fire"
            yield Violation("ASL-RFP-4", text, units=(name,))


def _snapped(now: Situation) -> tuple[Value, ...]:
    """The weapons of the snap shot that was fired last."""
    frame = now.position.frame("first_fire")
    offer = None if frame is None else frame.value("offer")
    names = offer.get("snapped") if isinstance(offer, FrozenMap) else None
    return names if isinstance(names, tuple) else ()


def forgo_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The weapons that have just kept their rate."""
    chosen = action.so_far("weapons")
    return tuple(n for n in offered(now) if n not in chosen) if slot == "weapons" else None


def forgo_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: all of them."""
    found = tuple(forgo_candidates(now, action, slot) or ())
    return (found,) if found else ()


def give_up_rate(play: Play, side: str, weapons: Sequence[str]) -> None:
    """ASL-RFP-5: the weapons end their first fire, and what they fired counts as residual fire."""
    frame = play.position.frame("first_fire")
    assert frame is not None
    offer = frame.value("offer")
    assert isinstance(offer, FrozenMap)
    may = offered(play.now)
    power = as_fraction(offer.get("power", 0))
    for name in weapons:
        power += as_fraction(may[name])
        play.mark(name, marks.FIRST_FIRE)
    play.do(ChangeFrame("first_fire", FrozenMap({"offer": None})))
    cowered, worse = offer.get("cowered", 0), offer.get("worse", 0)
    assert isinstance(cowered, int)
    assert isinstance(worse, int)
    left, steps = residual_of(play.tables.fire, power, cowered, worse)
    level = frame.value("level", 0)
    place = Location(frame.text("cell"), level if isinstance(level, int) else 0)
    _put(play, place, side, left, (*steps, Step("the rate is given up", "ASL-RFP-5")))


def _put(play: Play, place: Location, side: str, left: int, steps: tuple[Step, ...]) -> None:
    """ASL-RFP-4: the higher counter stays; one a location."""
    name = f"residual {place}"
    old = play.position.markers.get(name)
    if not left or (old is not None and _firepower(old) >= left):
        return
    play.decide(Resolution("residual", str(left), steps=steps))
    values: FrozenMap[Value] = FrozenMap({"fp": left})
    marker = Marker(name, "residual", side, cell=place.cell, level=place.level, values=values)
    play.do(AddMarker(name, marker))


def _firepower(marker: Marker) -> int:
    value = marker.values.get("fp")
    return value if isinstance(value, int) else 0


def markers_against(now: Situation, place: Location, side: str) -> list[Marker]:
    """The residual counters that attack who enters a location, not who leaves it (ASL-RFP-7)."""
    anywhere = now.option("residual_in_all_locations") is True
    found = [
        marker
        for marker in now.position.markers_at(place.cell)
        if marker.kind == "residual"
        and marker.side == other(side)
        and (anywhere or marker.level == place.level)
    ]
    return sorted(found, key=_firepower)


def attack_by_residual(play: Play, place: Location, moving: tuple[str, ...], side: str) -> None:
    """ASL-RFP-2: who enters or spends there is attacked first, once unless it rises or changes."""
    for marker in markers_against(play.now, place, side):
        fresh = []
        for name in moving:
            unit = play.position.units.get(name)
            if unit is not None and unit.values.get("residual_met") != _met(play, marker, name):
                fresh.append(name)
        if not fresh:
            continue
        for name in fresh:
            play.note(name, residual_met=_met(play, marker, name))
        fp = _firepower(marker)
        shot = Shot(other(side), (), (), place, tuple(fresh))
        now = play.now
        modifiers = []
        inside = terrain_modifier(now, place, place, residual=True)
        if inside is not None:
            modifiers.append(inside)
        if smoke := _smoke_in(now, place):
            modifiers.append(Modifier("hindrance", smoke, "ASL-RFP-2"))
        resolve(play, _with_power(shot, fp), "residual fire", residual=modifiers)


def _met(play: Play, marker: Marker, name: str) -> str:
    """What a unit was attacked with: counter, firepower, and what would change its modifiers."""
    unit = play.position.unit(name)
    frame = play.position.frame("moving")
    how = "assault" if frame is not None and frame.value("assault") is True else "open"
    state = ",".join(sorted(unit.flags & {"pinned", "broken", "hazardous"}))
    return f"{marker.id}:{_firepower(marker)}:{how}:{state}:{unit.place}"


def _smoke_in(now: Situation, place: Location) -> int:
    values = [
        marker.values.get("hindrance")
        for marker in now.position.markers_at(place.cell)
        if marker.kind in ("smoke", "shelling")
    ]
    return max((value for value in values if isinstance(value, int)), default=0)


def _with_power(shot: Shot, fp: int) -> Shot:
    from dataclasses import replace

    from hexmarshal.games.asl.rules.fire.shot import Member
    from hexmarshal.rules.state.pieces import Unit

    counter = Unit("residual", "residual", shot.side)
    member = Member(counter, counter, shot.target, "residual", fp, ())
    return replace(shot, members=(member,))
