"""Residual firepower: what a hit leaves in a location for whoever comes there next."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.attack import resolve
from hexmarshal.games.asl.rules.fire.modifiers import common_modifiers, terrain_modifier
from hexmarshal.games.asl.rules.fire.shot import Mode, Shot, weapon_values
from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.state.effects import AddMarker
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.rules.fire.attack import Hit
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.play import Play
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["attack_by_residual", "leave_residual", "residual_of"]

_OUTSIDE = frozenset({"ASL-CX-2", "ASL-ENC-2", "ASL-STACK-4", "ASL-FD-1", "ASL-WALL-1", "ASL-MG-1"})


def residual_of(
    now: Situation, shot: Shot, hit: Hit, broken: tuple[str, ...]
) -> tuple[int, tuple[Step, ...]]:
    """ASL-RFP-1, ASL-RFP-3, ASL-RFP-5: what an attack leaves, and how it comes to that."""
    table = now.tables.fire
    leaving = [
        member
        for member in shot.members
        if member.unit.id not in broken  # ASL-RFP-4
        and not (
            member.is_weapon
            and member.mode == Mode.FIRST
            and not member.user.flags & {"pinned"}
            and hit.dice[0] <= weapon_values(now, member.unit)[2]
        )
    ]
    if not hit.scored or shot.snap is not None or not leaving or hit.column < 0:
        return 0, ()
    power = sum((member.counted for member in leaving), start=Fraction(0))
    column = table.column(power) - hit.cowered
    if column < 0:
        return 0, ()
    left = table.residual[table.columns[column]]
    steps = [Step(f"half of column {table.columns[column]}: {left}", "ASL-RFP-1")]
    worse = sum(int(m.amount) for m in common_modifiers(now, shot) if m.amount > 0 and _outside(m))
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
    """ASL-RFP-1, ASL-RFP-4: the higher counter stays; one a location."""
    left, steps = residual_of(before, shot, hit, broken)
    if not left:
        return
    target = shot.target
    name = f"residual {target}"
    old = play.position.markers.get(name)
    if old is not None and _firepower(old) >= left:
        return
    play.decide(Resolution("residual", str(left), steps=steps))
    marker = Marker(
        name,
        "residual",
        shot.side,
        cell=target.cell,
        level=target.level,
        values=FrozenMap({"fp": left}),
    )
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
