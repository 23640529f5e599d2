"""What holds in every position that play can reach."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import aiming
from hexmarshal.games.conflict_of_heroes.rules.movement.transport import fits
from hexmarshal.games.conflict_of_heroes.rules.turn.solitaire import DECOY
from hexmarshal.games.conflict_of_heroes.state import hitpool
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.state.pieces import UNKNOWN
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["problems"]


def problems(now: Situation) -> Iterator[Violation]:
    """Broken rules of a position as it stands, not of an action."""
    position = now.position
    for unit in position.units.values():
        yield from _of_unit(now, unit)
    yield from _works(now)
    yield from _smoke(position)
    yield from _pools(now)
    yield from _cards(now)
    yield from _mined(position)
    yield from _obstructed(position)
    yield from _objectives(position)
    if position.turn < 1:
        yield Violation("COH-1.0a", f"no turn {position.turn}: turns begin with 1", field="turn")
    if len({camp(side) for side in position.sides}) < 2:
        yield Violation("COH-1.0a", "a firefight has two camps", field="sides")
    for name, value in position.tracks.items():
        if value < 0 and not name.startswith("vp-"):
            yield Violation("COH-7.4b", f"{name} is below 0", field=f"tracks.{name}")


def _mined(position: Position) -> Iterator[Violation]:
    """COH-18.3.3a: mines attack somebody on the map; of a hidden unit not all may know who."""
    for i, frame in enumerate(position.frames):
        masked = position.viewer and frame.known_to is not None
        if frame.kind != "mines" or masked:
            continue
        unit = position.units.get(frame.text("unit"))
        if unit is None or not unit.cell:
            field = f"frames[{i}].about.unit"
            yield Violation("COH-18.3.3a", "nobody is in the mines", field=field)


def _obstructed(position: Position) -> Iterator[Violation]:
    """COH-18.3.1a: what waits at an obstacle is a move."""
    for i, frame in enumerate(position.frames):
        kept = frame.value("action")
        kind = kept.get("kind") if isinstance(kept, FrozenMap) else None
        if frame.kind == "obstacle" and kept is not None and kind not in ("move", "group_move"):
            text = f"{kind} waits at an obstacle, and only moves do"
            yield Violation("COH-18.3.1a", text, field=f"frames[{i}].about.action.kind")


def _objectives(position: Position) -> Iterator[Violation]:
    """COH-2.5.2a: objectives are worth whole points."""
    for cell, values in position.cells.items():
        points = values.get("vp")
        if points is not None and type(points) is not int:
            text = f"{cell} is worth {points!r}"
            yield Violation("COH-2.5.2a", text, cells=(cell,), field=f"cells.{cell}.vp")


def _of_unit(now: Situation, unit: Unit) -> Iterator[Violation]:
    at, me = f"units.{unit.id}", (unit.id,)
    if unit.facing is not None and not 0 <= unit.facing <= 5:
        text = f"{unit.id} faces {unit.facing}: 0 to 5"
        yield Violation("COH-5.1a", text, units=me, field=f"{at}.facing")
    if {"active", "spent"} <= unit.flags:
        yield Violation("COH-3.0c", f"{unit.id} is active and spent", units=me, field=at)
    hits = [
        m
        for m in now.position.markers_on(unit.id)
        if m.kind in now.tables.hits or m.face == "hit" or m.kind == UNKNOWN
    ]
    if len(hits) > 1:
        yield Violation("COH-7.4a", f"{unit.id} carries two hits", units=me, field=at)
    yield from _of_hit(now, unit)
    yield from _of_weapon(now, unit)
    cargo = now.passengers(unit)
    if cargo and not fits(cargo):
        yield Violation("COH-17.0a", f"{unit.id} carries too much", units=me, field=at)
    fort = unit.values.get("fort")
    if fort is not None:
        marker = now.fort(unit)
        work = now.tables.works.get(marker.kind) if marker is not None else None
        if marker is None or marker.cell != unit.cell or work is None or not work.fortification:
            text = f"{unit.id} is in no such trench or bunker"
            yield Violation("COH-18.2a", text, units=me, field=f"{at}.values.fort")


def _of_hit(now: Situation, unit: Unit) -> Iterator[Violation]:
    """COH-7.5a: men and vehicles draw from pools of their own."""
    hit, pool = now.hit(unit), hitpool.pool_of(now, unit)
    marker = now.hit_marker(unit)
    if hit is not None and marker is not None and hit.key not in now.tables.full_pools[pool]:
        text = f"{unit.id} carries {marker.kind}, which is not of the {pool} pool"
        field = f"markers.{marker.id}.kind"
        yield Violation("COH-7.5a", text, units=(unit.id,), field=field)


def _of_weapon(now: Situation, unit: Unit) -> Iterator[Violation]:
    """COH-8.4a: a weapon card is given to a foot unit of its own side."""
    named = unit.values.get("weapon")
    if named is None:
        return
    card = aiming.weapon_of(now, unit)
    if card is None or not now.counter(unit).foot or camp(unit.side) != card.side:
        text = f"{unit.id} cannot have the weapon card {named}"
        field = f"units.{unit.id}.values.weapon"
        yield Violation("COH-8.4a", text, units=(unit.id,), field=field)


def _smoke(position: Position) -> Iterator[Violation]:
    """COH-13.0a: smoke is counted in whole points."""
    for marker in position.markers.values():
        points = marker.values.get("points", 2)
        if marker.kind == "smoke" and (type(points) is not int or points < 1):
            text = f"{marker.id} has {points!r} points of smoke"
            yield Violation("COH-13.0a", text, field=f"markers.{marker.id}.values.points")


def _works(now: Situation) -> Iterator[Violation]:
    """COH-18.0a: one fortification or obstacle of each kind in a hex."""
    found = Counter(
        (m.cell, m.kind)
        for m in now.position.markers.values()
        if m.kind in now.tables.works and m.cell
    )
    for (cell, kind), count in found.items():
        if count > 1:
            yield Violation("COH-18.0a", f"{count} of {kind} in {cell}", cells=(cell,))


def _pools(now: Situation) -> Iterator[Violation]:
    """COH-7.5d: no marker is ever lost or doubled; only the whole truth can tell."""
    position = now.position
    if position.viewer:
        return
    for pool in ("foot", "vehicle"):
        pile = position.piles.get(f"hits-{pool}")
        if pile is None or UNKNOWN in pile.cards:
            continue
        prefix = f"{pool}-"
        out = [m.kind for m in position.markers.values() if m.kind.startswith(prefix)]
        full = Counter(now.tables.full_pools[pool])
        for kind, count in (Counter(pile.cards) + Counter(out)).items():
            if count > full[kind]:
                text = f"{count} markers {kind}, and there are {full[kind]}"
                yield Violation("COH-7.5d", text, field=f"piles.hits-{pool}")


def _cards(now: Situation) -> Iterator[Violation]:
    """COH-8.0a: cards, batteries and markers that the game has."""
    position = now.position
    for pile in position.piles.values():
        known: Container[str]
        if pile.name.startswith("hits-"):
            known = now.tables.hits
        elif pile.name == "cup":
            known = (*position.units, DECOY)
        else:
            known = now.tables.cards
        for card in pile.cards:
            if card != UNKNOWN and card not in known:
                field = f"piles.{pile.name}"
                yield Violation("COH-8.0a", f"there is no card {card!r}", field=field)
    for marker in position.markers.values():
        battery = now.tables.cards.get(str(marker.values.get("card")))
        if marker.kind == "barrage" and (battery is None or not battery.artillery):
            text = f"{marker.id} is of no battery"
            yield Violation("COH-12.3a", text, field=f"markers.{marker.id}.values.card")
        if marker.kind == "barrage" and not marker.cell:
            text = f"{marker.id} falls nowhere"
            yield Violation("COH-12.3a", text, field=f"markers.{marker.id}.cell")
        if marker.kind == "coin" and not marker.cell:
            text = f"{marker.id} lies nowhere"
            yield Violation("COH-20.3a", text, field=f"markers.{marker.id}.cell")
