"""Fire lanes: a machine gun covers a row of hexes for the rest of the movement phase."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.fire.attack import resolve
from hexmarshal.games.asl.rules.fire.modifiers import terrain_modifier
from hexmarshal.games.asl.rules.fire.shot import Member, Mode, Shot, weapon_values
from hexmarshal.games.asl.rules.weapons.breakdown import break_down
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.traits import short_of_ammunition
from hexmarshal.rules.state.effects import AddMarker, RemoveMarker
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.asl.rules.fire.attack import Hit
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["attack_by_lanes", "hex_row", "lane_faults", "lay_lane", "rows"]


def hex_row(now: Situation, start: str, through: str, end: str) -> tuple[str, ...]:
    """ASL-DEF-6: the hexes of a hex grain from one through another to a third; or none."""
    for side in range(6):
        row = []
        for cell in rows(now, start, side):
            row.append(cell)
            if cell == end:
                return tuple(row) if through in row else ()
    return ()


def rows(now: Situation, start: str, side: int) -> Iterator[str]:
    """The hexes of the hex grain that leaves a hex over one of its sides."""
    cell = start
    while (cell := now.ground.across(cell, side)) != "":
        yield cell


def lane_faults(
    now: Situation, members: Sequence[Member], place: Location, end: str
) -> Iterator[Violation]:
    """ASL-A9.22: a machine gun alone, unpinned, at first fire, at its level and normal range."""
    guns = [m for m in members if m.is_weapon and now.counter(m.unit).is_machine_gun]
    if len(guns) != 1 or len(members) != 1:
        text = "a fire lane is laid by one machine gun that fires alone"
        yield Violation("ASL-A9.22", text, cured_by=("firers",))
        return
    (gun,) = guns
    name = gun.unit.id
    if short_of_ammunition(now, gun.user.side):
        text = f"{name} is short of ammunition and lays no fire lane"
        yield Violation("ASL-AMMO-1", text, units=(name,))
    if (
        gun.mode != Mode.FIRST
        or gun.user.flags & {marks.PINNED, marks.BROKEN}
        or not now.is_mmc(gun.user)
    ):
        yield Violation("ASL-A9.22", f"{name} cannot lay a fire lane now", units=(name,))
    if any(
        m.kind == "fire_lane" and m.values.get("weapon") == name
        for m in now.position.markers.values()
    ):
        yield Violation("ASL-A9.222", f"{name} has laid a fire lane", units=(name,))
    if gun.place == place:
        yield Violation("ASL-A9.22", "not at an enemy in one's own location", units=(name,))
        return
    row = hex_row(now, gun.place.cell, place.cell, end)
    if not row:
        text = f"{gun.place.cell}, {place.cell} and {end} are not on one hex grain"
        yield Violation("ASL-A9.22", text, cells=(place.cell, end))
        return
    if len(row) > weapon_values(now, gun.unit)[1]:
        yield Violation("ASL-A9.22", f"{end} is beyond the normal range", cells=(end,))
    if now.ground.height(gun.place) != now.ground.height(place):
        yield Violation("ASL-A9.22", f"{place} is not on the level of {name}", cells=(place.cell,))


def lay_lane(play: Play, shot: Shot, hit: Hit, end: str) -> None:
    """ASL-A9.22: the column left of its firepower, unless its crew cowers or it fails."""
    gun = shot.members[0]
    if hit.cowered or gun.unit.id not in play.position.units:
        return
    if play.position.unit(gun.unit.id).has(marks.MALFUNCTION):
        return
    table = play.tables.fire
    printed = weapon_values(play.now, gun.unit)[0]
    from fractions import Fraction

    column = table.column(Fraction(printed)) - 1
    if column < 0:
        return
    cells = hex_row(play.now, gun.place.cell, shot.target.cell, end)
    name = f"lane {gun.unit.id}"
    values = FrozenMap[Value]({"fp": table.columns[column], "weapon": gun.unit.id, "cells": cells})
    marker = Marker(name, "fire_lane", shot.side, cell=end, level=gun.place.level, values=values)
    play.do(AddMarker(name, marker))
    play.mark(gun.unit.id, marks.FIRST_FIRE)


def lanes_over(now: Situation, place: Location, side: str) -> list[Marker]:
    """ASL-A9.222: the lanes that cover a location; their weapons and crews are still at it."""
    found = []
    for marker in now.position.markers.values():
        if marker.kind != "fire_lane" or marker.side != other(side):
            continue
        weapon = now.position.units.get(str(marker.values.get("weapon")))
        cells = marker.values.get("cells", ())
        if weapon is None or not isinstance(cells, tuple) or place.cell not in cells:
            continue
        crew = now.holder(weapon)
        if (
            crew is None
            or crew.flags & {marks.BROKEN, marks.PINNED}
            or weapon.has(marks.MALFUNCTION)
        ):
            continue
        here = now.at(crew)
        if now.ground.height(here) != now.ground.height(place):
            continue
        # Smoke and the like neither block nor hinder a lane.
        from hexmarshal.games.asl.sight.view import Spot

        line = now.ground.sight.answer(Spot(here.cell, here.level), Spot(place.cell, place.level))
        if not line.blocked:
            found.append(marker)
    return found


def attack_by_lanes(play: Play, place: Location, moving: tuple[str, ...], side: str) -> None:
    """ASL-A9.22, ASL-A9.222: after the residual fire; point blank doubles it in the next hex."""
    for marker in lanes_over(play.now, place, side):
        fresh = tuple(n for n in moving if n in play.position.units)
        if not fresh:
            return
        now = play.now
        weapon = now.unit(str(marker.values["weapon"]))
        crew = now.holder(weapon)
        assert crew is not None
        from fractions import Fraction

        value = marker.values.get("fp")
        near = now.ground.distance(crew.cell, place.cell) == 1
        factors = (("point blank", Fraction(2), "ASL-A9.22"),) if near else ()
        member = Member(
            weapon, crew, now.at(crew), "fire lane", value if isinstance(value, int) else 0, factors
        )
        shot = Shot(other(side), (member,), (), place, fresh)
        terrain = terrain_modifier(now, now.at(crew), place)
        hit = resolve(play, shot, "fire lane", residual=[terrain] if terrain else [])
        failed = break_down(play, [replace(member, mode=Mode.FIRST)], sum(hit.dice))
        if failed and marker.id in play.position.markers:
            play.do(RemoveMarker(marker.id))
