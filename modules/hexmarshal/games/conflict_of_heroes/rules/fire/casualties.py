"""Hits and losses: markers drawn from secret pools, shown, returned; units destroyed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.state import hitpool
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
    from hexmarshal.games.conflict_of_heroes.state.tables import Hit
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["apply_hits", "clear_hit", "destroy", "hit_id", "show", "show_for_move"]


def hit_id(unit: str) -> str:
    """The id of a unit's hit marker, which tells nothing about it."""
    return f"hit-{unit}"


def apply_hits(play: Play, unit: str, hits: int, by: str) -> str:
    """Let a unit suffer hits; says what became of it.

    COH-7.4a: two hits at once, a hit on a unit with a marker, and some markers destroy it.
    """
    target = play.unit(unit)
    if hits > 1 or play.now.hit_marker(target) is not None:
        destroy(play, unit, by)
        return "destroyed"
    return _draw(play, target, by)


def _draw(play: Play, unit: Unit, by: str) -> str:
    """COH-7.5a: a random marker, without replacement, that its owner alone looks at."""
    pool = hitpool.pool_of(play.now, unit)
    name, cards = f"hits-{pool}", hitpool.left(play.now, pool)
    index = play.dice.pick(len(cards), "hit marker")
    drawn = cards[index]
    hit = play.now.tables.hits[drawn]
    if hit.eliminated:
        # COH-7.5M3, COH-15.2M1: shown at once, and the marker goes back.
        play.do(SetPile(name, Pile(name, cards, "", frozenset())))
        play.tell("hit", f"{unit.id} draws {hit.title}: eliminated", hit.rule)
        destroy(play, unit.id, by)
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
    play.do(
        SetPile(name, Pile(name, left, "", frozenset())),
        AddMarker(marker.id, marker),
    )
    only = frozenset({unit.side})
    text = f"{unit.id} draws {hit.title}"
    play.decide(Resolution("draw", hit.title, steps=(Step(text, hit.rule),), known_to=only))
    return "hit"


def show(play: Play, unit: Unit) -> Hit | None:
    """COH-7.5c: the marker is shown because it counts now, then lies face down again.

    The other sides remember what they were shown.
    """
    hit = play.now.hit(unit)
    if hit is None:
        return None
    marker = play.now.hit_marker(unit)
    assert marker is not None
    new = False
    for side in play.position.sides:
        if side == unit.side:
            continue
        seen = mapped(play.position.knowledge.get(side, FrozenMap()).get("shown"))
        if seen.get(marker.id) != hit.key:
            play.know(side, shown=FrozenMap({**seen, marker.id: hit.key}))
            new = True
    if new:
        play.tell("shown", f"{unit.id} is {hit.title.lower()}", "COH-7.5c")
    return hit


def show_for_move(play: Play, action: Action, unit: str) -> None:
    """COH-7.5c: a marker that makes a move dearer is shown when that move is paid for."""
    hit = play.now.hit(play.unit(unit))
    if hit is not None and hit.move and payment.way(action) in ("ap", "command"):
        show(play, play.unit(unit))


def clear_hit(play: Play, unit: str) -> None:
    """COH-7.5d: the marker goes back into its pool; everybody has seen it."""
    owner = play.unit(unit)
    marker = play.now.hit_marker(owner)
    if marker is None:
        return
    name = f"hits-{hitpool.pool_of(play.now, owner)}"
    play.do(RemoveMarker(marker.id))
    if name in play.position.piles:
        cards = (*play.position.piles[name].cards, marker.kind)
        play.do(SetPile(name, Pile(name, tuple(sorted(cards)), "", frozenset())))
    for side in play.position.sides:
        seen = mapped(play.position.knowledge.get(side, FrozenMap()).get("shown"))
        if marker.id in seen:
            rest = {k: v for k, v in seen.items() if k != marker.id}
            play.know(side, shown=FrozenMap(rest) if rest else None)


def destroy(play: Play, unit: str, by: str) -> None:
    """A unit is lost: points for its enemies, and a box of its side's command track."""
    lost = play.unit(unit)
    counter = play.now.counter(lost)
    cell = play.now.cell(lost)
    facing = play.now.facing(lost)
    hit = play.now.hit(lost)
    if hit is not None:
        play.tell("shown", f"{unit} was {hit.title.lower()}", "COH-7.5c")
    clear_hit(play, unit)
    for passenger in play.position.carried_by(unit):
        # COH-17.1a: who survives stands where the vehicle stood.
        play.do(MoveUnit(passenger.id, cell, facing=facing))
    for marker in play.position.markers_on(unit):
        play.do(RemoveMarker(marker.id))
    play.do(
        MoveUnit(unit, box=f"destroyed-{lost.side}"),
        ChangeUnit(
            unit,
            unflags=lost.flags,
            seen_by=("*",),
            values=FrozenMap({"fort": None, "stuck_in": None}) if lost.values else lost.values,
        ),
    )
    play.drop(unit)
    _score(play, lost, counter.vp, by)
    if not counter.transport:  # COH-7.4d
        _lose_command(play, lost.side)


def _score(play: Play, lost: Unit, points: int, by: str) -> None:
    """COH-2.5.1a: at once, to the enemy of its owner, whoever destroyed it."""
    enemies = play.now.others(lost.side)
    if not enemies:
        return
    scorer = by if by in enemies else enemies[0]
    track = f"vp-{scorer}"
    play.do(SetTrack(track, play.position.track(track) + points))
    play.tell("loss", f"{lost.id} is destroyed: {points} VP for {camp(scorer)}", "COH-2.5.1a")


def _lose_command(play: Play, side: str) -> None:
    """COH-7.4b, COH-7.4c: the lost unit covers a box of the track, from the starting value down."""
    losses = play.position.track(f"losses-{side}")
    box = play.position.track(f"cap-start-{side}") - losses
    held = play.position.track(f"cap-{side}")
    play.do(SetTrack(f"losses-{side}", losses + 1))
    if held == box and held > 0:
        play.do(SetTrack(f"cap-{side}", held - 1))
