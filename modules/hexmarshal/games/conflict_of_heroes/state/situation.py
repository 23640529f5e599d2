"""A position with the game's eyes: whose a unit is, what state it is in, what it can see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.games.conflict_of_heroes.state.tables import UNKNOWN_COUNTER
from hexmarshal.rules.copying import quick
from hexmarshal.rules.state.pieces import UNKNOWN
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.games.conflict_of_heroes.state.tables import (
        Counter,
        Hit,
        Tables,
        TerrainKind,
        Works,
    )
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["CAMPS", "Situation", "camp"]

# So many lines of sight are kept for a board.
MOST_LINES = 1 << 17
# COH-20.0a: each player has a force of his own; two forces may be of one camp.
CAMPS: Mapping[str, str] = {
    "german": "german",
    "german2": "german",
    "soviet": "soviet",
    "soviet2": "soviet",
}


def camp(side: str) -> str:
    """The camp that a force belongs to."""
    return CAMPS.get(side, side)


@quick
@dataclass(frozen=True, slots=True)
class Situation:
    """A position, its board and the tables; what is asked is about what the position shows."""

    position: Position
    board: Board
    tables: Tables

    # Units

    def counter(self, unit: Unit) -> Counter:
        """What is printed on a unit's counter; a masked one shows no values."""
        return self.tables.counters.get(unit.type, UNKNOWN_COUNTER)

    def cell(self, unit: Unit) -> str:
        """Where the unit is, its carrier's hex if it is carried; '' if off the map."""
        return unit.cell or self.position.cell_of(unit)

    def at(self, cell: str) -> tuple[Unit, ...]:
        """The units in a hex, carried ones too."""
        return self.position.at(cell)

    def hostile(self, side: str, unit: Unit) -> bool:
        """Whether the unit is of the other camp."""
        return CAMPS.get(unit.side) != CAMPS.get(side)

    def enemies_at(self, cell: str, side: str) -> list[Unit]:
        """The enemies of this side in a hex."""
        mine = CAMPS.get(side)
        return [u for u in self.position.at(cell) if CAMPS.get(u.side) != mine]

    def friends_at(self, cell: str, side: str) -> list[Unit]:
        """The units of this side's camp in a hex."""
        mine = CAMPS.get(side)
        return [u for u in self.position.at(cell) if CAMPS.get(u.side) == mine]

    def hidden(self, unit: Unit) -> bool:
        """Whether its enemies do not know that the unit is there; aboard it is as its carrier."""
        if unit.seen_by is not None:
            return True
        carrier = self.position.units.get(unit.carrier) if unit.carrier else None
        return carrier is not None and self.hidden(carrier)

    def fresh(self, unit: Unit) -> bool:
        """Neither active nor spent."""
        return "spent" not in unit.flags and "active" not in unit.flags

    def sharers(self, side: str) -> list[Unit]:
        """The units that share this side's activation."""
        return [u for u in self.position.of_side(side) if "active" in u.flags]

    def on_map(self, unit: Unit) -> bool:
        """Whether the unit is in a hex, or aboard one that is."""
        return bool(self.cell(unit))

    def passengers(self, unit: Unit) -> tuple[Unit, ...]:
        """What the vehicle carries or tows."""
        return self.position.carried_by(unit.id)

    # Hits

    def hit_marker(self, unit: Unit) -> Marker | None:
        """The hit marker under a unit."""
        for marker in self.position.markers_on(unit.id):
            if marker.kind in self.tables.hits or marker.face == "hit" or marker.kind == UNKNOWN:
                return marker
        return None

    def hit(self, unit: Unit) -> Hit | None:
        """What the hit marker under a unit does, as far as this position tells.

        In one side's view an enemy's marker lies face down; what the side was shown of it counts.
        """
        marker = self.hit_marker(unit)
        if marker is None:
            return None
        known = self.tables.hits.get(marker.kind)
        if known is None and self.position.viewer:
            shown = self.position.knowledge.get(self.position.viewer, FrozenMap()).get("shown")
            if isinstance(shown, Mapping):
                known = self.tables.hits.get(str(shown.get(marker.id, "")))
        return known

    def immobile(self, unit: Unit) -> bool:
        """COH-14.5b: stuck in terrain, bogged down by a card, or immobilised by a hit."""
        hit = self.hit(unit)
        return bool(unit.flags & {"stuck", "bogged"}) or (hit is not None and hit.no_move)

    # Places

    def kind(self, cell: str) -> TerrainKind:
        """The terrain of a hex."""
        return self.board.kinds[cell]

    def smoke(self, cell: str) -> int:
        """The points of smoke in a hex."""
        return sight.smoke_of(self.position, self.board).get(self.board.hexes[cell], 0)

    def works(self, cell: str) -> Iterator[tuple[Marker, Works]]:
        """The fortifications and obstacles in a hex."""
        known = self.tables.works
        for marker in self.position.markers_at(cell):
            if marker.kind in known:
                yield marker, known[marker.kind]

    def work(self, cell: str, kind: str) -> Marker | None:
        """The fortification or obstacle of one kind in a hex."""
        for marker in self.position.markers_at(cell):
            if marker.kind == kind:
                return marker
        return None

    def fort(self, unit: Unit) -> Marker | None:
        """The trench or bunker that the unit occupies."""
        inside = unit.values.get("fort")
        return self.position.markers.get(inside) if isinstance(inside, str) else None

    def facing(self, unit: Unit) -> int | None:
        """Where a unit looks: aboard as its carrier, in a bunker as the bunker."""
        if unit.carrier and unit.carrier in self.position.units:
            return self.facing(self.position.units[unit.carrier])
        fort = self.fort(unit)
        # COH-18.1.2a
        if fort is not None and fort.kind == "bunker":
            return fort.facing
        return unit.facing

    # Sight

    def judged(self, start: str, end: str) -> sight.Judged:
        """Whether a line is blocked, and the smoke on it."""
        smoke = sight.smoke_of(self.position, self.board)
        board = self.board
        if smoke:
            return sight.judge(board, smoke, board.hexes[start], board.hexes[end])
        found = board.lines.get((start, end))
        if found is None:
            if len(board.lines) >= MOST_LINES:
                board.lines.clear()
            found = sight.judge(board, {}, board.hexes[start], board.hexes[end])
            board.lines[start, end] = found
        return found

    def sees(self, start: str, end: str) -> bool:
        """Whether there is a line of sight between two hexes."""
        return not self.judged(start, end).blocked

    def watchers(self, side: str) -> Iterator[Unit]:
        """Units of the side's enemies that look around: not those in close combat (COH-7.7.3f)."""
        for unit in self.position.units.values():
            cell = self.cell(unit) if self.hostile(side, unit) else ""
            if cell and not self.enemies_at(cell, unit.side):
                yield unit

    def watched(self, cell: str, side: str) -> bool:
        """Whether a hex is in the line of sight of any enemy of this side."""
        # Who fights in the hex looks at nothing else, but at that.
        posts = self.position.remember(
            f"watched from, {side}", lambda: {self.cell(unit) for unit in self.watchers(side)}
        )
        return any(self.sees(post, cell) for post in posts) or bool(self.enemies_at(cell, side))

    # Points

    def cap(self, side: str) -> int:
        """COH-3.2a: the command points that the side has left this turn."""
        return self.position.track(f"cap-{side}")

    def ap(self, side: str) -> int:
        """The action points left to the side's activation.

        COH-3.0.1b: in the fog of war the track counts those spent, and only the owner knows of how
        many.
        """
        track = self.position.track(f"ap-{side}")
        if self.option("fog_of_war"):
            rolled = self.position.knowledge.get(side, FrozenMap()).get("activation")
            return (rolled if isinstance(rolled, int) else 0) - track
        return track

    def option(self, name: str) -> bool:
        """Whether a switch is on."""
        return self.position.option(name) is True

    def hand(self, side: str) -> tuple[str, ...]:
        """The cards in a side's hand."""
        return self.position.pile(f"hand-{side}").cards

    def others(self, side: str) -> list[str]:
        """The forces of the other camp."""
        return [s for s in self.position.sides if camp(s) != camp(side)]
