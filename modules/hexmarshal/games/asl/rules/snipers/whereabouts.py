"""Where a sniper is and may be put, and what it can do at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.state.situation import other
from hexmarshal.rules.state.effects import AddMarker, RemoveMarker, SetExtra
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action

__all__ = [
    "LEAST", "candidates", "check_place", "listed", "lose", "place", "places_for", "put", "san_of",
    "sniper_of",
]  # fmt: skip

LEAST: Final = 2
"""The lowest number that a sniper acts on (ASL-SAN-2)."""
_WIDEST: Final = 6
_LISTED: Final = 8


def san_of(now: Situation, side: str) -> int:
    """ASL-SAN-2: the number that calls a side's sniper; 0 if it has none."""
    san = now.position.extras.get(f"{side}_san", 0)
    return san if isinstance(san, int) and san >= LEAST else 0


def sniper_of(now: Situation, side: str) -> Marker | None:
    """The counter of a side's sniper."""
    for marker in now.position.markers.values():
        if marker.kind == "sniper" and marker.side == side:
            return marker
    return None


def put(play: Play, side: str, cell: str, *, pinned: bool = False) -> None:
    """The counter is in this hex now."""
    old = sniper_of(play.now, side)
    name = f"sniper {side}" if old is None else old.id
    if old is not None:
        play.do(RemoveMarker(old.id))
    values = FrozenMap[Value]({"pinned": True} if pinned else {})
    play.do(AddMarker(name, Marker(name, "sniper", side, cell=cell, values=values)))


def lose(play: Play, side: str, rule: str) -> None:
    """ASL-SAN-8: a sniper is eliminated: one SAN less, and none at all below 2."""
    before = san_of(play.now, side)
    left = before - 1
    play.do(SetExtra(f"{side}_san", left))
    told = f"the sniper of {side} is eliminated: its SAN is {left}"
    play.decide(Resolution("sniper", "eliminated", steps=(Step(told, rule),)))
    marker = sniper_of(play.now, side)
    if left < LEAST and marker is not None:
        play.do(RemoveMarker(marker.id))


def places_for(now: Situation, side: str) -> tuple[str, ...]:
    """ASL-SAN-1: unoccupied hexes within six of six hexes of the enemy's, or five of five..."""

    def find() -> tuple[str, ...]:
        ground = now.ground
        enemies = {unit.cell for unit in now.on_map(other(side))}
        free = [cell for cell in ground.names if not any(now.position.at(cell))]
        for number in range(_WIDEST, 0, -1):
            found = tuple(
                cell
                for cell in free
                if sum(ground.distance(cell, enemy) <= number for enemy in enemies) >= number
            )
            if found:
                return found
        return ()

    return now.remember(f"sniper places {side}", find)


def check_place(now: Situation, action: Action) -> Verdict:
    """ASL-SAN-1: a sniper that is not on the map, or one that may be moved."""
    faults = []
    asked = now.position.frame("place_sniper") is not None
    if not asked:
        if not san_of(now, action.side):
            faults.append(Violation("ASL-SAN-2", f"{action.side} has no sniper"))
        elif sniper_of(now, action.side) is not None:
            text = f"the sniper of {action.side} is on the map"
            faults.append(Violation("ASL-SAN-1", text))
    cell = action.text("to")
    if not faults and cell not in places_for(now, action.side):
        text = f"{cell} is occupied, or not near enough to the enemy's hexes"
        faults.append(Violation("ASL-SAN-1", text, cells=(cell,), cured_by=("to",)))
    return Verdict(tuple(faults))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Where it may be put."""
    asked = now.position.frame("place_sniper") is not None
    if slot != "to" or (not asked and sniper_of(now, action.side) is not None):
        return ()
    return places_for(now, action.side) if san_of(now, action.side) else ()


def listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: some of these hexes."""
    found = tuple(candidates(now, action, slot) or ())
    step = max(1, len(found) // _LISTED)
    return found[::step]


def place(play: Play, action: Action) -> None:
    """ASL-SAN-1."""
    if play.position.frame("place_sniper") is not None:
        play.answered("place_sniper")
    put(play, action.side, action.text("to"))
