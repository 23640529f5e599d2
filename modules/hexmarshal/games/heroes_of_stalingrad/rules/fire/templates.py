"""HOS-5.13 to HOS-5.16, HOS-5.26, HOS-5.27, HOS-8.8, HOS-8.10: fire with templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire import blast
from hexmarshal.games.heroes_of_stalingrad.rules.fire.context import (
    begin_fire,
    firers,
    firing_faults,
    moving_malus,
    opportunity_target,
    weapon_faults,
    weapon_of,
)
from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import (
    ammo_choices,
    ammo_faults,
    bonus_of,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import best, spots
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import arc_holds, corner_range
from hexmarshal.games.heroes_of_stalingrad.state.army import entries, spend, take
from hexmarshal.games.heroes_of_stalingrad.state.kinds import FAMILIES
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.geometry.terrain.points import Point
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "bombard",
    "bombard_candidates",
    "candidates",
    "check_bombard",
    "check_flame",
    "check_shell",
    "dispersion",
    "fall",
    "flame",
    "flamed",
    "hold_artillery",
    "inside_building",
    "near_opening",
    "off_board",
    "shell",
    "values_of",
]


def off_board(now: Situation, corner: str) -> Iterator[Violation]:
    """HOS-3.1: templates are laid on intercells of the board."""
    if now.ground.corner(corner) is None:
        text = f"{corner} is no intercell of the board: the corner of four cells, such as 0304@SE"
        yield Violation("HOS-3.1", text, field="corner")


def values_of(row: Any) -> dict[str, int]:  # noqa: ANN401 - an ability of the data
    """The values by family that an ability prints; an X is left out."""
    return {f: row[f] for f in FAMILIES if isinstance(row.get(f), int)} if row else {}


def _ability(now: Situation, unit: Unit, weapon: Weapon, name: str) -> Any:  # noqa: ANN401
    return weapon.abilities.get(name) or now.ability(unit, name)


def inside_building(now: Situation, corner: Point) -> bool:
    """Whether an intercell lies inside a building: all cells around it do."""
    around = [n for s, n in now.ground.names.items() if corner in s.corners()]
    houses = {now.ground.house(name) for name in around}
    return len(houses) == 1 and "" not in houses


def dispersion(now: Situation, side: str, corner: Point, printed: int) -> int:
    """HOS-5.16: one intercell less with an observer that sees the aimed intercell clearly."""
    for unit in now.live(side):
        if now.has(unit, "observer") and any(
            line.clear for line in blast.line_to(now, unit, corner)
        ):
            return max(0, printed - 1)
    return printed


# Shells: direct and indirect fire


def check_shell(now: Situation, action: Action) -> Verdict:
    """HOS-5.26, HOS-5.27: all that is wrong with a shell aimed at an intercell."""
    return Verdict.of(_shell_faults(now, action))


def _shell_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    yield from firing_faults(now, action, unit)
    if not now.is_live(unit):
        return
    weapon = weapon_of(now, action, unit)
    yield from weapon_faults(now, unit, weapon, action.text("weapon"))
    if weapon is None:
        return
    indirect = action.flag("indirect")
    direct_row, indirect_row = (_ability(now, unit, weapon, n) for n in ("direct", "indirect"))
    if indirect and not indirect_row:
        yield Violation("HOS-5.27", f"{unit.id} has no Indirect fire", units=mine)
    elif not indirect and not (direct_row or indirect_row):
        yield Violation("HOS-5.26", f"{unit.id} has no Direct fire", units=mine)
    if indirect and now.house(unit):
        text = f"{unit.id} is inside a building: no Indirect fire from there"
        yield Violation("HOS-5.27", text, units=mine)
    name = action.text("corner")
    corner = now.ground.corner(name)
    yield from off_board(now, name)
    if corner is None:
        return
    if inside_building(now, corner):
        text = f"{name} is inside a building"
        yield Violation("HOS-5.26", text, units=mine, field="corner")
    yield from _lines(now, unit, weapon, corner, name, indirect=indirect)
    yield from _opportunity(now, unit, blast.under_blast(now, corner))
    yield from ammo_faults(now, action, unit)


def _lines(
    now: Situation, unit: Unit, weapon: Weapon, corner: Point, name: str, *, indirect: bool
) -> Iterator[Violation]:
    mine = (unit.id,)
    found = blast.line_to(now, unit, corner)
    line = best(found)
    if not indirect and (line is None or not line.visible) and not weapon.has("over_obstacles"):
        yield Violation("HOS-5.26", f"the line to {name} is blocked", units=mine)
    if indirect and line is not None and line.clear:
        text = f"the line to {name} is clear: that is Direct fire"
        yield Violation("HOS-5.27", text, units=mine)
    if not unit.carrier and not any(
        arc_holds(unit.facing, weapon.arc, one.start.point, corner) for one in found
    ):
        yield Violation("HOS-2.82", f"{name} is outside the arc of {unit.id}", units=mine)
    limit = weapon.number("limited_range")
    if limit and weapon.abilities.get("range_unit") == "intercells":
        far = corner_range(now, unit, corner)
        if far > limit:
            text = f"{name} is {far} intercells away, and the range is {limit}"
            yield Violation("HOS-5.18", text, units=mine)


def _opportunity(now: Situation, unit: Unit, hit: Iterable[Unit]) -> Iterator[Violation]:
    """HOS-5.28: a template at an opportunity must touch the unit that it is about."""
    target = opportunity_target(now)
    if now.position.state == "opportunity" and target not in [one.id for one in hit]:
        text = f"the opportunity is to fire at {target}"
        yield Violation("HOS-5.28", text, units=(unit.id, target))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Firers, weapons, intercells."""
    if slot == "unit":
        names = ("direct", "indirect", "flamethrower")
        return [n for n in firers(now, action.side) if _any(now, now.unit(n), names)]
    unit = now.position.units.get(str(action.given("unit", "")))
    if unit is None:
        return None
    if slot == "weapon":
        return [w.name for w in now.weapons(unit) if w.name] or (None,)
    if slot == "corner":
        return tuple(now.ground.corners)
    if slot == "ammo":
        return ammo_choices(now, unit)
    if slot == "into":
        return (None, *_beyond_openings(now, unit))
    if slot == "direction":
        return (None, *range(8))
    return None


def _any(now: Situation, unit: Unit, names: tuple[str, ...]) -> bool:
    return any(now.has(unit, n) or any(w.has(n) for w in now.weapons(unit)) for n in names)


def shell(play: Play, action: Action) -> None:
    """A shell is fired at an intercell; an indirect one may scatter."""
    now, unit = play.now, play.unit(action.text("unit"))
    weapon = weapon_of(now, action, unit)
    assert weapon is not None
    indirect, name = action.flag("indirect"), action.text("corner")
    corner = now.ground.corner(name)
    assert corner is not None
    direct_row, indirect_row = (_ability(now, unit, weapon, n) for n in ("direct", "indirect"))
    row = indirect_row if indirect else direct_row or indirect_row
    ammo = action.number("ammo")
    entry: dict[str, object] = {
        "unit": unit.id,
        "side": unit.side,
        "corner": now.ground.corner_name(corner),
        "combat": values_of(row),
        "bonus": ammo + bonus_of(now, unit.side, "fire") or None,
        "destruction": weapon.number("destruction") or None,
    }
    line = best(blast.line_to(now, unit, corner))
    if not indirect and line is not None and not weapon.has("over_obstacles"):
        entry["malus"] = line.malus or None
    if ammo:
        spend(play, unit, "ammo", ammo)
    after = begin_fire(play, unit, weapon.name)
    play.first(after)
    if indirect:
        far = dispersion(play.now, unit.side, corner, int(row.get("dispersion", 0)))
        throw(play, "scatter", 1, unit, {**entry, "kind": "scatter_rolled", "count": far or None})
    else:
        play.first({**entry, "kind": "explode"})
    go_on(play)


# The flamethrower


def _beyond_openings(now: Situation, unit: Unit) -> Iterator[str]:
    """HOS-5.15, HOS-8.8: the cells inside a building next to an opening beside a unit."""
    for mine in now.cells(unit):
        if not now.ground.has(mine):
            continue
        for cell in now.ground.near[mine]:
            if now.ground.house(cell) and now.ground.passage(mine, cell) in ("door", "window"):
                yield cell


def near_opening(now: Situation, unit: Unit, cell: str) -> bool:
    """Whether a unit stands right before an opening to a cell inside a building."""
    return cell in set(_beyond_openings(now, unit))


def check_flame(now: Situation, action: Action) -> Verdict:
    """HOS-5.13, HOS-5.15: all that is wrong with a flame."""
    return Verdict.of(_flame_faults(now, action))


def _flame_faults(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    yield from firing_faults(now, action, unit)
    if not now.is_live(unit):
        return
    weapon = weapon_of(now, action, unit)
    if weapon is None or not _ability(now, unit, weapon, "flamethrower"):
        yield Violation("HOS-5.13", f"{unit.id} has no flamethrower", units=mine)
        return
    yield from weapon_faults(now, unit, weapon, action.text("weapon"), flame=True)
    yield from ammo_faults(now, action, unit)
    into = action.text("into")
    if into:
        if not near_opening(now, unit, into):
            text = f"{unit.id} is not right before an opening to {into}"
            yield Violation("HOS-5.15", text, cells=(into,), units=mine)
        elif not unit.carrier and not _arc_into(now, unit, weapon.arc, into):
            yield Violation("HOS-2.82", "the flame would leave the arc", units=mine)
        yield from _opportunity(now, unit, blast.touched(now, tuple(blast.room(now, into))))
        return
    if action.params.get("direction") is None:
        yield Violation("HOS-5.13", "a flame needs a direction", field="direction")
        return
    direction = action.number("direction")
    if not unit.carrier and not _arc_of_flame(unit, weapon.arc, direction):
        yield Violation("HOS-2.82", "the flame would leave the arc", units=mine)
    yield from _opportunity(now, unit, flamed(now, unit, direction))


def _arc_of_flame(unit: Unit, arc: int, direction: int) -> bool:
    from hexmarshal.geometry.lattice.squares import STEPS
    from hexmarshal.geometry.terrain.points import Point

    return arc_holds(unit.facing, arc, Point.of(0, 0), Point.of(*STEPS[direction % 8]))


def _arc_into(now: Situation, unit: Unit, arc: int, into: str) -> bool:
    aim = now.ground.square(into).middle
    return any(arc_holds(unit.facing, arc, start.point, aim) for start in spots(now, unit))


def flamed(now: Situation, unit: Unit, direction: int) -> list[Unit]:
    """HOS-5.13: the units that a flame in the open touches, the firer apart."""
    start = spots(now, unit)[0]
    cells = blast.flame_cells(now, unit, start, direction)
    return [u for u in blast.touched(now, cells) if u.id != unit.id and not now.house(u)]


def flame(play: Play, action: Action) -> None:
    """A flamethrower fires."""
    now, unit = play.now, play.unit(action.text("unit"))
    weapon = weapon_of(now, action, unit)
    assert weapon is not None
    row = _ability(now, unit, weapon, "flamethrower")
    malus = moving_malus(now, unit, weapon, True)
    ammo, into = action.number("ammo"), action.text("into")
    if into:
        hit = [u for u in blast.touched(now, tuple(blast.room(now, into))) if u.id != unit.id]
    else:
        hit = flamed(now, unit, action.number("direction"))
    entry: dict[str, object] = {
        "kind": "flame",
        "unit": unit.id,
        "side": unit.side,
        "units": [u.id for u in hit],
        "combat": {f: v - malus for f, v in values_of(row).items()},
        "bonus": ammo + bonus_of(now, unit.side, "fire") or None,
        "bare": bool(into) or None,
    }
    if ammo:
        spend(play, unit, "ammo", ammo)
    play.tell("flame", ", ".join(u.id for u in hit) or "nobody", ("the template", "HOS-5.13"))
    after = begin_fire(play, unit, weapon.name)
    play.first(entry, after)
    go_on(play)


# Artillery


def check_bombard(now: Situation, action: Action) -> Verdict:
    """HOS-8.10: artillery fires anywhere on the board."""
    return Verdict.of(_bombard_faults(now, action))


def _bombard_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("artillery")
    if frame is None:
        return
    entry = entries(now, action.side).get(frame.text("entry"))
    if entry is None or entry.left("artillery") < 1:
        yield Violation("HOS-8.10", "there is no artillery marker left")
    name = action.text("corner")
    yield from off_board(now, name)
    corner = now.ground.corner(name)
    if corner is not None and inside_building(now, corner):
        yield Violation("HOS-5.26", f"{name} is inside a building", field="corner")


def bombard_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Every intercell."""
    del action
    return tuple(now.ground.corners) if slot == "corner" else None


def bombard(play: Play, action: Action) -> None:
    """HOS-8.10: one marker is used, and the template scatters."""
    frame = play.answered("artillery")
    entry = entries(play.now, action.side).get(frame.text("entry"))
    assert entry is not None
    take(play, entry, "artillery")
    fall(play, action.side, action.text("corner"))
    play.last({"kind": "end_activation"})
    go_on(play)


def fall(play: Play, side: str, name: str) -> None:
    """A shell of the artillery comes down on an intercell, or beside it."""
    row = play.now.tables.limits["artillery"]
    corner = play.now.ground.corner(name)
    assert corner is not None
    far = dispersion(play.now, side, corner, int(row["dispersion"]))
    combat = {f: v for f, v in play.now.tables.combat_of("artillery").items() if v is not None}
    entry: dict[str, object] = {
        "kind": "scatter_rolled",
        "side": side,
        "corner": play.now.ground.corner_name(corner),
        "combat": combat,
        "count": far or None,
    }
    throw(play, "scatter", 1, side, entry)


def hold_artillery(play: Play, action: Action) -> None:
    """The artillery is silent."""
    del action
    play.answered("artillery")
    play.first({"kind": "end_activation"})
    go_on(play)
