"""Hits and losses: markers drawn from secret pools, shown, returned; units destroyed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.state import hitpool, source
from hexmarshal.games.conflict_of_heroes.state.execution import mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.state.effects import (
    AddMarker,
    ChangeUnit,
    MoveUnit,
    RemoveMarker,
    SetPile,
    SetTrack,
)
from hexmarshal.rules.state.pieces import Marker, Pile
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.source import Hit
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_hits", "clear_hit", "destroy", "hit_id", "show", "show_for_move"]


def hit_id(unit: str) -> str:
    """The id of a unit's hit marker, which tells nothing about it."""
    return f"hit-{unit}"


def apply_hits(table: Play, unit: str, hits: int, by: str) -> str:
    """Let a unit suffer hits; says what became of it.

    COH-7.4a: two hits at once, a hit on a unit with a marker, and some markers destroy it.
    """
    target = table.unit(unit)
    if hits > 1 or table.scene.hit_marker(target) is not None:
        destroy(table, unit, by)
        return "destroyed"
    return _draw(table, target, by)


def _draw(table: Play, unit: Unit, by: str) -> str:
    """COH-7.5a: a random marker, without replacement, that its owner alone looks at."""
    pool = hitpool.pool_of(table.scene, unit)
    name, cards = f"hits-{pool}", hitpool.left(table.scene, pool)
    index = table.dice.pick(len(cards), "hit marker")
    drawn = cards[index]
    hit = source.hits()[drawn]
    if hit.eliminated:
        # COH-7.5M3, COH-15.2M1: shown at once, and the marker goes back.
        table.do(SetPile(name, Pile(name, cards, "", frozenset())))
        table.tell("hit", f"{unit.id} draws {hit.title}: eliminated", hit.rule)
        destroy(table, unit.id, by)
        return "destroyed"
    left = (*cards[:index], *cards[index + 1 :])
    marker = Marker(
        hit_id(unit.id),
        drawn,
        side=unit.side,
        unit=unit.id,
        known_to=frozenset({unit.side}),
        face="hit",
    )
    table.do(
        SetPile(name, Pile(name, left, "", frozenset())),
        AddMarker(marker.id, marker),
    )
    only = frozenset({unit.side})
    text = f"{unit.id} draws {hit.title}"
    table.decide(Resolution("draw", hit.title, steps=(Step(text, hit.rule),), known_to=only))
    return "hit"


def show(table: Play, unit: Unit) -> Hit | None:
    """COH-7.5c: the marker is shown because it counts now, then lies face down again.

    The other sides remember what they were shown.
    """
    hit = table.scene.hit(unit)
    if hit is None:
        return None
    marker = table.scene.hit_marker(unit)
    assert marker is not None
    for side in table.position.sides:
        if side == unit.side:
            continue
        seen = mapped(table.position.knowledge.get(side, FrozenMap()).get("shown"))
        if seen.get(marker.id) != hit.key:
            table.know(side, shown=FrozenMap({**seen, marker.id: hit.key}))
            table.tell("shown", f"{unit.id} is {hit.title.lower()}", "COH-7.5c")
    return hit


def show_for_move(table: Play, action: Action, unit: str) -> None:
    """COH-7.5c: a marker that makes a move dearer is shown when that move is paid for."""
    hit = table.scene.hit(table.unit(unit))
    if hit is not None and hit.move and payment.way(action) in ("ap", "command"):
        show(table, table.unit(unit))


def clear_hit(table: Play, unit: str) -> None:
    """COH-7.5d: the marker goes back into its pool; everybody has seen it."""
    owner = table.unit(unit)
    marker = table.scene.hit_marker(owner)
    if marker is None:
        return
    name = f"hits-{hitpool.pool_of(table.scene, owner)}"
    table.do(RemoveMarker(marker.id))
    if name in table.position.piles:
        cards = (*table.position.piles[name].cards, marker.kind)
        table.do(SetPile(name, Pile(name, tuple(sorted(cards)), "", frozenset())))
    for side in table.position.sides:
        seen = mapped(table.position.knowledge.get(side, FrozenMap()).get("shown"))
        if marker.id in seen:
            rest = {k: v for k, v in seen.items() if k != marker.id}
            table.know(side, shown=FrozenMap(rest) if rest else None)


def destroy(table: Play, unit: str, by: str) -> None:
    """A unit is lost: points for its enemies, and a box of its side's command track."""
    lost = table.unit(unit)
    counter = table.scene.counter(lost)
    cell = table.scene.cell(lost)
    facing = table.scene.facing(lost)
    hit = table.scene.hit(lost)
    if hit is not None:
        table.tell("shown", f"{unit} was {hit.title.lower()}", "COH-7.5c")
    clear_hit(table, unit)
    for passenger in table.position.carried_by(unit):
        # COH-17.1a: who survives stands where the vehicle stood.
        table.do(MoveUnit(passenger.id, cell, facing=facing))
    for marker in table.position.markers_on(unit):
        table.do(RemoveMarker(marker.id))
    table.do(
        MoveUnit(unit, box=f"destroyed-{lost.side}"),
        ChangeUnit(
            unit,
            unflags=lost.flags,
            seen_by=("*",),
            values=FrozenMap({"fort": None, "stuck_in": None}) if lost.values else lost.values,
        ),
    )
    table.drop(unit)
    _score(table, lost, counter.vp, by)
    if not counter.transport:  # COH-7.4d
        _lose_command(table, lost.side)


def _score(table: Play, lost: Unit, points: int, by: str) -> None:
    """COH-2.5.1a: at once, to the enemy of its owner, whoever destroyed it."""
    enemies = table.scene.others(lost.side)
    if not enemies:
        return
    scorer = by if by in enemies else enemies[0]
    track = f"vp-{scorer}"
    table.do(SetTrack(track, table.position.track(track) + points))
    table.tell("loss", f"{lost.id} is destroyed: {points} VP for {camp(scorer)}", "COH-2.5.1a")


def _lose_command(table: Play, side: str) -> None:
    """COH-7.4b, COH-7.4c: the lost unit covers a box of the track, from the starting value down."""
    losses = table.position.track(f"losses-{side}")
    box = table.position.track(f"cap-start-{side}") - losses
    now = table.position.track(f"cap-{side}")
    table.do(SetTrack(f"losses-{side}", losses + 1))
    if now == box and now > 0:
        table.do(SetTrack(f"cap-{side}", now - 1))
