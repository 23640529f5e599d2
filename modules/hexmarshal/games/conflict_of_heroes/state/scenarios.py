"""A firefight as its file has it, and whether all that it names is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.kit.game import ScenarioCard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.conflict_of_heroes.state.situation import Situation

__all__ = ["Firefight"]

Fault = tuple[str, tuple[str | int, ...]]


class Firefight(ScenarioCard):
    """One firefight: its board, the forces of two to four players, and its own rules."""

    @property
    def training(self) -> bool:
        """Whether it is one to play; the others only try out the rules."""
        return bool(self.data.get("training", True))

    @property
    def forces(self) -> Mapping[str, Any]:
        """The forces by player."""
        forces: Mapping[str, Any] = self.data["forces"]
        return forces

    def check(self, ground: Situation) -> None:
        """An error with its place for the first thing that is named and not there."""
        for text, at in self._faults(ground):
            raise self.fail(text, *at)

    def _faults(self, ground: Situation) -> Iterator[Fault]:
        seen: dict[str, str] = {}
        for side, force in self.forces.items():
            for key, row in force["units"].items():
                at = ("forces", side, "units", key)
                if key in seen:
                    yield f"{key} is a unit of {seen[key]} already", at
                seen[key] = side
                yield from self._of_unit(ground, key, row, force["units"], at)
            for n, card in enumerate(force.get("artillery", ())):
                known = ground.tables.cards.get(card)
                if known is None or not known.artillery:
                    yield f"there is no battery {card}", ("forces", side, "artillery", n)
            for n, unit in enumerate(force.get("observers", ())):
                if unit not in force["units"]:
                    yield f"there is no unit {unit}", ("forces", side, "observers", n)
        for card in self.data.get("deck", {}):
            if card not in ground.tables.cards:
                yield f"there is no card {card}", ("deck", card)
        yield from self._of_places(ground)

    def _of_unit(
        self,
        ground: Situation,
        key: str,
        row: Mapping[str, Any],
        force: Mapping[str, Any],
        at: tuple[str, ...],
    ) -> Iterator[Fault]:
        if row["type"] not in ground.tables.counters:
            yield f"there is no counter {row['type']}", (*at, "type")
        if not any(name in row for name in ("cell", "carrier", "arrives")):
            yield f"{key} is nowhere: it needs a cell, a carrier, or a turn on which it arrives", at
        for name in ("cell", "decoy"):
            if name in row and row[name] not in ground.board.hexes:
                yield f"the board has no hex {row[name]}", (*at, name)
        for n, cell in enumerate(row.get("entry", ())):
            if cell not in ground.board.hexes:
                yield f"the board has no hex {cell}", (*at, "entry", n)
        if "carrier" in row and (row["carrier"] not in force or row["carrier"] == key):
            yield f"there is no unit {row['carrier']} to carry it", (*at, "carrier")
        if "fort" in row and row["fort"] not in self.data.get("markers", {}):
            yield f"there is no marker {row['fort']}", (*at, "fort")
        card = ground.tables.cards.get(row.get("weapon", ""))
        if "weapon" in row and (card is None or card.kind != "weapon" or card.artillery):
            yield f"there is no weapon card {row['weapon']}", (*at, "weapon")

    def _of_places(self, ground: Situation) -> Iterator[Fault]:
        hexes = ground.board.hexes
        for key, row in self.data.get("markers", {}).items():
            if row["cell"] not in hexes:
                yield f"the board has no hex {row['cell']}", ("markers", key, "cell")
        for cell in self.data.get("objectives", {}):
            if cell not in hexes:
                yield f"the board has no hex {cell}", ("objectives", cell)
        for side, cells in self.data.get("rules", {}).get("exits", {}).items():
            for n, cell in enumerate(cells):
                if cell not in hexes:
                    yield f"the board has no hex {cell}", ("rules", "exits", side, n)
