"""Section 13: air points in combat, and as supply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.situation import AXIS
from hexmarshal.rules.state.effects import AddMarker, RemoveMarker, SetTrack
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.position import Position

__all__ = [
    "available",
    "check_supply",
    "dated",
    "drop",
    "expired",
    "renewed",
    "spend",
    "violations",
]


def track(side: str) -> str:
    """The track of a side's points left this turn."""
    return f"air-{side}"


def available(now: Situation, side: str) -> int:
    """Air points left this turn."""
    return now.position.track(track(side))


def violations(now: Situation, side: str) -> Iterator[Violation]:
    """One point per side and combat (KHA-13.13): the side needs one."""
    if available(now, side) < 1:
        yield Violation("KHA-13.0-G", f"{side.capitalize()} has no air point left", field="air")


def spend(play: Play, side: str) -> None:
    """One point is used; who has none, and was allowed to, is left with none."""
    play.do(SetTrack(track(side), max(0, available(play.now, side) - 1)))


def renewed(play: Play) -> Iterator[Effect]:
    """The points of the new turn; what was left is gone (KHA-13.0-G)."""
    turn = play.now.turn
    for side in play.now.position.sides:
        points = play.scenario.air(side, turn) if play.scenario else 0
        yield SetTrack(track(side), points)


# Supply by air (KHA-13.2)


def check_supply(now: Situation, cell: str) -> Verdict:
    """Points that no combat used may supply a hex for the whole next turn (KHA-4.2.B5)."""
    found = list(violations(now, AXIS))
    if any(
        m.kind == "air_supply" and m.values.get("turn") == now.turn + 1
        for m in now.position.markers_at(cell)
    ):
        found.append(Violation("KHA-13.2", f"{cell} is supplied already", cells=(cell,)))
    if not now.at(cell, AXIS):
        found.append(Violation("KHA-13.2", f"no Axis unit is in {cell}", cells=(cell,)))
    return Verdict(tuple(found))


def drop(play: Play, cell: str) -> None:
    """A marker on the hex tells the turn that it supplies."""
    turn = play.now.turn + 1
    marker = Marker("", "air_supply", AXIS, cell, values=FrozenMap({"turn": turn}))
    play.do(AddMarker(f"air-{turn}-{cell}", marker))
    spend(play, AXIS)


def dated(position: Position) -> FrozenMap[Marker]:
    """The markers, where a table does not tell: in their phase they are for the turn that follows.

    They lie until the end of the turn that they supply.
    """
    markers = position.markers
    turn = position.turn + (position.phase == "air_support")
    for marker in markers.values():
        if marker.kind == "air_supply" and "turn" not in marker.values:
            values = marker.values.set("turn", turn)
            markers = markers.set(marker.id, replace(marker, values=values))
    return markers


def expired(now: Situation) -> Iterator[Effect]:
    """Markers whose turn is over come off."""
    for marker in now.position.markers.values():
        turn = marker.values.get("turn", 0)
        if marker.kind == "air_supply" and isinstance(turn, int) and turn <= now.turn:
            yield RemoveMarker(marker.id)
