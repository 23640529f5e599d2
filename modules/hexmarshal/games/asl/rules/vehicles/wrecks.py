"""A vehicle is destroyed or immobilized: what becomes of it, and of those in and on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import aboard
from hexmarshal.rules.state.effects import AddMarker, RemoveMarker, RemoveUnit
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.rules.values import Value

__all__ = ["harm"]


def harm(play: Play, name: str, result: str) -> None:
    """ASL-CCV-1, ASL-STAR-1: `burning` and `eliminated` leave a wreck, `immobilized` stays."""
    if result == "immobilized":
        play.mark(name, marks.IMMOBILE)
        play.unmark(name, marks.IN_MOTION)
    elif result in ("burning", "eliminated"):
        _wreck(play, name, burning=result == "burning")


def _wreck(play: Play, name: str, *, burning: bool) -> None:
    """ASL-CCV-1b: those whom it carries are lost with it."""
    unit = play.position.unit(name)
    for man in aboard(play.now, unit):
        eliminate(play, man.id)
    for marker in play.position.markers_on(name):
        play.do(RemoveMarker(marker.id))
    place = play.now.at(unit)
    play.do(RemoveUnit(name))
    if place.cell:
        values: FrozenMap[Value] = FrozenMap({"burning": True} if burning else {})
        wreck = f"wreck of {name}"
        play.do(AddMarker(wreck, Marker(wreck, "wreck", cell=place.cell, values=values)))
