"""HOS-5.16, HOS-5.26, HOS-5.27, HOS-8.8: templates: what lies under them, hit by hit."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import cover, defence_value
from hexmarshal.games.heroes_of_stalingrad.rules.fire.shooting import dice_of, judged
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import Line, Spot, spots, trace
from hexmarshal.geometry.lattice.squares import STEPS
from hexmarshal.geometry.lattice.templates import Blast, Template
from hexmarshal.geometry.terrain.outlines import Polygon
from hexmarshal.geometry.terrain.points import Point
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = [
    "blast_at",
    "burnt",
    "explode",
    "flame_cells",
    "hit",
    "line_to",
    "room",
    "scattered",
    "touched",
    "touched_cells",
    "under_blast",
]

ON_TARGET = 5


def touched_cells(now: Situation, corner: Point, *, grenade: bool = False) -> tuple[str, ...]:
    """The cells of which the explosion template, or the smaller one of grenades, covers a part."""
    blast = Blast(now.tables.grenade_radius if grenade else now.tables.blast_radius)
    names = now.ground.names
    return tuple(names[square] for square in blast.squares(names, corner))


def touched(now: Situation, cells: tuple[str, ...]) -> Iterator[Unit]:
    """The units in some cells, each once, in the order of their ids."""
    wanted = set(cells)
    for unit in now.live():
        if unit.cell and not wanted.isdisjoint(unit.cells):
            yield unit


def under_blast(now: Situation, corner: Point, *, grenade: bool = False) -> Iterator[Unit]:
    """HOS-5.26: who is hit by an explosion in the open.

    Not units inside buildings, nor those in ambush (HOS-5.2), nor passengers (HOS-5.93).
    """
    for unit in touched(now, touched_cells(now, corner, grenade=grenade)):
        if not now.house(unit) and not now.ambushed(unit):
            yield unit


def room(now: Situation, cell: str) -> frozenset[str]:
    """HOS-5.15, HOS-8.8: the room of a building that a cell belongs to, bounded by red marks."""
    element = now.element(cell)
    if element is None:
        return frozenset()
    found, waiting = {cell}, [cell]
    while waiting:
        here = waiting.pop()
        for near in now.ground.near[here]:
            if near not in element.cells or near in found:
                continue
            if now.ground.passage(here, near) == "open":
                found.add(near)
                waiting.append(near)
    return frozenset(found)


# The flame


def flame_template(now: Situation) -> Template:
    """HOS-5.13: the flame, narrow at the firer and wide at its end (its measures are ours)."""
    row = now.tables.limits["flame"]
    long, wide = Fraction(str(row["length"])), Fraction(str(row["width"]))
    near, far = Fraction(1, 4), wide / 2
    straight = Polygon.of([(-near, 0), (near, 0), (far, -long), (-far, -long)])
    # Seven tenths stand for the half of the root of two: no exact turn by an eighth exists.
    tilt = Fraction(7, 10)

    def turned(x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
        return tilt * (x - y), tilt * (x + y)

    points = [(-near, Fraction(0)), (near, Fraction(0)), (far, -long), (-far, -long)]
    return Template(straight, Polygon.of([turned(*p) for p in points]))


def flame_cells(now: Situation, unit: Unit, start: Spot, direction: int) -> tuple[str, ...]:
    """The cells that a flame reaches: stopped by what blocks, and behind the first vehicle."""
    template = flame_template(now)
    ground = now.ground
    covered = template.squares(list(ground.names), start.point, direction)
    found = []
    for square in covered:
        name = ground.name(square)
        if name in start.cells:
            continue
        line = trace(
            now, start, Spot(square.middle, (name,)), ignoring=frozenset((unit.id, unit.carrier))
        )
        if line.visible:
            found.append(name)
    return tuple(found)


# Resolution


def scattered(play: Play, entry: Record) -> None:
    """HOS-5.27: the scatter die: 1 to 4 a direction, 5 and 6 on target."""
    now = play.now
    die = dice_of(entry)[0]
    aimed = now.ground.corner(str(entry["corner"]))
    assert aimed is not None
    distance = entry.get("count", 0)
    far = distance if isinstance(distance, int) else 0
    name = str(entry["corner"])
    if die < ON_TARGET and far:
        direction = int(now.tables.limits["scatter"]["directions"][die - 1])
        dx, dy = STEPS[direction % 8]
        name = now.ground.corner_name(Point(aimed.x + dx * far, aimed.y + dy * far))
    text = f"die {die}: {'on target' if die >= ON_TARGET or not far else f'{far} intercells off'}"
    play.decide(
        Resolution(
            "scatter",
            name or "off the board",
            dice=(Roll(6, die, "scatter"),),
            steps=(Step(text, "HOS-5.27"),),
            values=FrozenMap({"corner": name}),
        )
    )
    if name:
        kept = {k: v for k, v in entry.items() if k not in ("dice", "count")}
        play.first({**kept, "kind": "explode", "corner": name})


def explode(play: Play, entry: Record) -> None:
    """HOS-5.26: every unit and structure under the template is hit, each by itself."""
    now = play.now
    inside = str(entry.get("cell", ""))
    if inside:
        cells = tuple(sorted(room(now, inside)))
        units = [u for u in touched(now, cells) if not now.ambushed(u)]
    else:
        corner = now.ground.corner(str(entry["corner"]))
        assert corner is not None
        grenade = entry.get("grenade") is True
        cells = touched_cells(now, corner, grenade=grenade)
        units = list(under_blast(now, corner, grenade=grenade))
    play.tell(
        "explosion",
        inside or str(entry["corner"]),
        (f"touched: {', '.join(u.id for u in units) or 'nobody'}", "HOS-5.26"),
    )
    kept = {k: v for k, v in entry.items() if k not in ("kind", "corner", "cell")}
    entries: list[dict[str, object]] = [
        {**kept, "kind": "blast_at", "target": u.id, "bare": bool(inside) or None} for u in units
    ]
    dice = entry.get("destruction", 0)
    if isinstance(dice, int) and dice:
        entries.append(
            {
                "kind": "demolish",
                "cells": cells,
                "count": dice,
                "by": entry.get("unit"),
                "all": True,
            }
        )
    play.first(*entries)


def blast_at(play: Play, entry: Record) -> None:
    """The die for one unit under a template."""
    now, target = play.now, play.unit(str(entry["target"]))
    if not now.is_live(target):
        return
    combat = entry.get("combat")
    value = combat.get(now.family(target)) if isinstance(combat, FrozenMap) else None
    if not isinstance(value, int):
        play.tell("explosion", f"{target.id} cannot be harmed", ("an X", "HOS-2.71"))
        if entry.get("flame") is True:
            play.first({"kind": "suppress", "unit": target.id, "count": 1})
        return
    firer = str(entry.get("unit", ""))
    roller = play.unit(firer) if firer else str(entry["side"])
    throw(play, "explosion", 1, roller, {**dict(entry), "kind": "blast_rolled"}, target=target.id)


def hit(play: Play, entry: Record) -> None:
    """HOS-5.26, HOS-5.13: die and value of the template against the unit's defence."""
    now, target = play.now, play.unit(str(entry["target"]))
    combat = entry["combat"]
    assert isinstance(combat, FrozenMap)
    value = combat.get(now.family(target), 0)
    assert isinstance(value, int)
    die = dice_of(entry)[0]
    parts = [Modifier("template", value, "HOS-5.26", "value")]
    for name, rule, sign in (("bonus", "HOS-6.4", 1), ("malus", "HOS-2.75", -1)):
        amount = entry.get(name, 0)
        if isinstance(amount, int) and amount:
            parts.append(Modifier(name, sign * amount, rule, "result"))
    firer = str(entry.get("unit", ""))
    if firer and (count := now.suppressed(play.unit(firer))):
        amount = -int(now.tables.limits["suppressed"]) * count
        parts.append(Modifier("Suppressed", amount, "HOS-2.89", "result"))
    bonus = 0 if entry.get("bare") is True else cover(now, target)[0]
    # HOS-5.26: heavy vehicles with the defence of their side.
    defence = defence_value(now, target, "side" if now.is_heavy(target) else "front") + bonus
    total = die + sum(int(part.amount) for part in parts)
    result, _ = judged(total, defence, suppression=False)
    flame = entry.get("flame") is True
    play.decide(
        Resolution(
            "flame" if flame else "blast",
            result,
            modifiers=tuple(parts),
            dice=(Roll(6, die, "explosion"),),
            steps=(Step(f"{total} against a defence of {defence}", "HOS-2.87"),),
            values=FrozenMap({"target": target.id, "attack": total, "defence": defence}),
        )
    )
    about = {"unit": target.id, "by": firer, "cause": "fire"}
    entries: list[dict[str, object]] = []
    if result == "hit":
        entries.append({"kind": "loss", **about})
    elif result == "double hit":
        entries.append({"kind": "destroy", **about, "double": True})
    if flame:
        entries.append({"kind": "suppress", "unit": target.id, "count": 1})
    play.first(*entries)


def burnt(play: Play, entry: Record) -> None:
    """HOS-5.13: the flame reaches these units, one after the other."""
    names = entry.get("units", ())
    kept = {k: v for k, v in entry.items() if k not in ("kind", "units")}
    play.first(
        *(
            {**kept, "kind": "blast_at", "target": str(name), "flame": True}
            for name in (names if isinstance(names, tuple) else ())
        )
    )


def line_to(now: Situation, unit: Unit, corner: Point) -> list[Line]:
    """The lines from a unit to an intercell."""
    ignoring = frozenset((unit.id, unit.carrier))
    return [trace(now, start, Spot(corner), ignoring=ignoring) for start in spots(now, unit)]
