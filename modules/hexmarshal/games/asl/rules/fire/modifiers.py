"""Modifiers of fire: terrain, hindrance, leaders, the state of firers and of targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.movement.bypass import along_of
from hexmarshal.games.asl.rules.movement.stacking import overstack
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Modifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["common_modifiers", "leadership_of", "target_modifiers", "terrain_modifier"]

FFMO, FFNAM = "FFMO", "FFNAM"


def terrain_modifier(
    now: Situation,
    firer: Location,
    target: Location,
    *,
    residual: bool = False,
    climbed_from: str = "",
) -> Modifier | None:
    """The TEM of a location for fire from another; the best one of hex, hexside and height counts.

    Residual fire comes from nowhere: no hexside and no height (ASL-RFP-2). Who has just climbed
    out of a hex has no height for fire that comes through the same hexside (ASL-HILL-3).
    """
    inside = terrain_inside(now, target)
    if residual:
        return inside
    best = inside
    across = _hexside(now, firer, target)
    if across is not None and (best is None or across.amount > best.amount):
        best = across
    if (
        (best is None or best.amount <= 0)
        and _is_higher(now, firer, target)
        and not _climbs_in_view(now, firer, target, climbed_from)
    ):
        return Modifier("height advantage", 1, "ASL-HILL-3")
    return best


def _climbs_in_view(now: Situation, firer: Location, target: Location, left: str) -> bool:
    """ASL-HILL-3: whether a line comes through the crest hexside that was just climbed."""
    ground = now.ground
    if not left or ground.base(left) >= ground.base(target.cell):
        return False
    return ground.side_to(target.cell, left) in ground.entered_by(target.cell, firer.cell)


def terrain_inside(now: Situation, target: Location) -> Modifier | None:
    """The TEM of what is in the hex itself."""
    kind = now.ground.kind_of(target)
    if kind in ("rooftop", "bridge"):
        return None
    row = now.ground.terrain(target.cell)
    return Modifier(row.key.replace("_", " "), row.tem, "ASL-IFT-1") if row.tem else None


def _hexside(now: Situation, firer: Location, target: Location) -> Modifier | None:
    """ASL-WALL-1: a wall or hedge of the target's hex that the line crosses.

    ASL-WALL-3: less by a level for each that the firer is higher than he is far away.
    """
    if firer.cell == target.cell or target.level > 0:
        return None
    ground = now.ground
    found = [
        hexside
        for side in ground.entered_by(target.cell, firer.cell)
        if (hexside := ground.hexside(target.cell, side)) is not None and hexside.tem
    ]
    if not found:
        return None
    # Through a vertex both hexsides would have to be behind a wall; the lesser one counts.
    sides = len(ground.entered_by(target.cell, firer.cell))
    if len(found) < sides:
        return None
    hexside = min(found, key=lambda one: one.tem)
    excess = (
        ground.height(firer) - ground.base(target.cell) - ground.distance(firer.cell, target.cell)
    )
    amount = hexside.tem - max(0, excess) * (hexside.key != "bocage")
    return Modifier(hexside.key.replace("_", " "), amount, "ASL-WALL-1") if amount > 0 else None


def _is_higher(now: Situation, firer: Location, target: Location) -> bool:
    """ASL-HILL-3: the target stands higher, and not for being upstairs."""
    return firer.cell != target.cell and now.ground.base(target.cell) > now.ground.height(firer)


def leadership_of(now: Situation, shot: Shot) -> int | None:
    """ASL-FD-2: the least favourable of the directing leaders; None if nobody directs."""
    if not shot.leaders:
        return None
    return max(
        now.leadership(leader, member.user)
        for leader in shot.leaders
        for member in shot.members
        if member.place == now.at(leader)
    )


def common_modifiers(now: Situation, shot: Shot) -> Iterator[Modifier]:
    """What counts for all targets of a shot: the worst of its members (ASL-FG-3)."""
    places = list(dict.fromkeys(member.place for member in shot.members))
    amount = leadership_of(now, shot)
    if amount:
        yield Modifier("leadership", amount, "ASL-FD-1")
    yield from _firers(now, shot, places)
    hindrance = max((hindrance_from(now, place, shot) for place in places), default=0)
    if hindrance:
        yield Modifier("hindrance", hindrance, "ASL-IFT-1")
    if shot.snap is None:
        left = _left_by(now, shot)
        found = [terrain_modifier(now, place, shot.target, climbed_from=left) for place in places]
        worst = max((one.amount if one else 0 for one in found), default=0)
        chosen = next((one for one in found if one is not None and one.amount == worst), None)
        if chosen is not None:
            yield chosen
    else:
        one = _snap_hexside(now, shot)
        if one is not None:
            yield one
    excess = overstack(now, shot.target, _enemy(shot.side))
    if excess:
        yield Modifier("overstacked target", -excess, "ASL-STACK-4")


def _left_by(now: Situation, shot: Shot) -> str:
    """The hex that moving targets have just left."""
    frame = now.position.frame("moving") if shot.moving is not None else None
    return "" if frame is None else str(frame.value("left") or "")


def _firers(now: Situation, shot: Shot, places: list[Location]) -> Iterator[Modifier]:
    users = [member.user for member in shot.members]
    if any(user.has(marks.CX) for user in users):
        yield Modifier("CX firer", 1, "ASL-CX-2")
    if any(now.encircled(user) for user in users):
        yield Modifier("encircled firer", 1, "ASL-ENC-2")
    excess = max((overstack(now, place, shot.side) for place in places), default=0)
    if excess:
        yield Modifier("overstacked firer", excess, "ASL-STACK-4")
    heroes = {user.id: user for user in users if now.is_hero(user)}
    if heroes:
        yield Modifier("heroic", -len(heroes), "ASL-MG-1")
    for member in shot.members:
        if (
            member.is_weapon
            and member.user.id in heroes
            and now.counter(member.unit).is_machine_gun
        ):
            yield Modifier(f"{member.user.id} alone at {member.unit.id}", 1, "ASL-MG-1")


def hindrance_from(now: Situation, place: Location, shot: Shot) -> int:
    """What hinders the line of a member; ASL-SMOKE-2, ASL-SMOKESUM-1: and one more from smoke."""
    if place == shot.target:
        smoke = [m for m in now.position.markers_at(place.cell) if m.kind == "smoke"]
        return max((_smoke_value(m.values.get("hindrance")) for m in smoke), default=0)
    lines = [
        now.line_to(place, now.unit(name))
        for name in shot.moving or ()
        if name in now.position.units and now.at(now.unit(name)) == shot.target
    ] or [now.line(place, shot.target)]
    smoky = any(marker.kind == "smoke" for marker in now.position.markers_at(place.cell))
    return min(line.hindrance for line in lines) + smoky


def _smoke_value(value: object) -> int:
    return value if isinstance(value, int) else 0


def _snap_hexside(now: Situation, shot: Shot) -> Modifier | None:
    """ASL-SNAP-2: only what stands on the hexside itself."""
    assert shot.snap is not None
    side = now.ground.side_to(*shot.snap)
    hexside = None if side is None else now.ground.hexside(shot.snap[0], side)
    if hexside is None or not hexside.tem:
        return None
    return Modifier(hexside.key, hexside.tem, "ASL-SNAP-2")


def target_modifiers(
    now: Situation, shot: Shot, unit: Unit, common: list[Modifier], *, residual: bool = False
) -> Iterator[Modifier]:
    """What counts for one target: how and where it moved (ASL-FFMO-1, ASL-FFNAM-1)."""
    if unit.has(marks.HAZARDOUS) and not unit.has(marks.PINNED):
        yield Modifier("hazardous movement", -2, "ASL-HAZ-1", excludes=(FFMO, FFNAM))
    if shot.moving is None or unit.id not in shot.moving or shot.snap is not None:
        return
    if unit.has(marks.PINNED):
        return  # ASL-PIN-6
    frame = now.position.frame("moving")
    if frame is None:
        return
    assault = frame.value("assault") is True and not unit.has(marks.BROKEN)
    if not assault:  # ASL-AM-2, ASL-AM-4
        yield Modifier(FFNAM, -1, "ASL-FFNAM-1")
    if in_open(now, unit, common, residual=residual):
        yield Modifier(FFMO, -1, "ASL-FFMO-1")


def in_open(now: Situation, unit: Unit, common: list[Modifier], *, residual: bool = False) -> bool:
    """ASL-FFMO-1, ASL-OG-2: in Open Ground, nothing on the line and no terrain to its advantage."""
    if any(m.label == "hindrance" or (m.amount > 0 and is_terrain(m)) for m in common):
        return False
    if unit.place.startswith("bypass:"):
        return not residual and not _beside_wall(now, unit)  # ASL-BYP-7
    place = now.at(unit)
    if place.level and now.ground.kind_of(place) != "bridge":
        return False
    row = now.ground.terrain(place.cell)
    return row.open or by_road(now, unit)


def _beside_wall(now: Situation, unit: Unit) -> bool:
    """ASL-BYP-4: whether a bypassing unit goes between the obstacle and a wall or hedge."""
    side = along_of(unit)
    hexside = None if side is None else now.ground.hexside(unit.cell, side)
    return hexside is not None and hexside.tem > 0


def by_road(now: Situation, unit: Unit) -> bool:
    """Whether a moving unit came into its hex at the road rate."""
    frame = now.position.frame("moving")
    return frame is not None and unit.id in frame.texts("units") and frame.value("road") is True


def is_terrain(modifier: Modifier) -> bool:
    """Whether a modifier is a TEM."""
    return modifier.rule in ("ASL-IFT-1", "ASL-WALL-1", "ASL-HILL-3", "ASL-SNAP-2")


def _enemy(side: str) -> str:
    from hexmarshal.games.asl.state.situation import other

    return other(side)
