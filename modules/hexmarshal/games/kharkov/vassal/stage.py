"""Set-ups: a scenario's units on the map and in the boxes, ready to play."""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.kharkov.art.boxes import BOXES, TURNS
from hexmarshal.games.kharkov.vassal.binding import PHASES
from hexmarshal.vassal.commands.turn import CounterLevel, ListLevel, TurnState
from hexmarshal.vassal.traits import Layer, LayerState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.games.kharkov.vassal.catalogue import Catalogue
    from hexmarshal.vassal.builder import MapBuilder, SetupBuilder
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Stage"]


@dataclass(slots=True)
class Stage:
    """Where a scenario's pieces go."""

    setup: SetupBuilder
    main: MapBuilder
    boxes: MapBuilder
    slots: Mapping[str, PieceSlot]
    catalogue: Catalogue

    def set_up(self, scenario: Mapping[str, Any], file: str) -> None:
        """Place every piece of a scenario and save the set-up into the module."""
        filled: Tally[str] = Tally()
        first = scenario.get("first_turn", 1)
        for unit, where in scenario["units"].items():
            row = where if isinstance(where, dict) else {"cell": where}
            change = _as_it_stands(row, active=self._is_active(unit, row, first))
            self.setup.place(self._slot(unit, file), self.main, row["cell"], change=change)
        for army, row in scenario.get("reserves", {}).items():
            self.setup.place(self._slot(row["marker"], file), self.main, row["hex"])
            for unit in row["units"]:
                self._into(f"Reserve {army}", self._slot(unit, file), filled)
        for row in scenario.get("arrivals", ()):
            side = "Soviet" if row["entry"] == "east_edge" else "Axis"
            for unit in row["units"]:
                self._into(f"{side} arrivals {row['turn']}", self._slot(unit, file), filled)
        for number in range(1, self.catalogue.regiments + 1):
            self._into("Regiments", self._slot(f"reg-{number:02}", file), filled)
        turn = BOXES[f"Turn {first}"]
        self.setup.place(self.slots["game-turn"], self.boxes, turn.corner)
        for marker in ("vp-axis-10", "vp-axis-1", "vp-soviet-10", "vp-soviet-1"):
            self.setup.place(self.slots[marker], self.boxes, BOXES["Points 0"].corner)
        for side in ("axis", "soviet"):
            points = scenario["air"][side]
            for _ in range(points[first - 1] if first <= len(points) else 0):
                self._into(f"{side.capitalize()} air", self.slots[f"air-{side}"], filled)
        self.setup.turn(_begins(first))
        self.setup.save()

    def _is_active(self, unit: str, row: Mapping[str, Any], first: int) -> bool:
        """A headquarters wakes as its turn begins (KHA-10.32), which is before play does."""
        wakes = self.catalogue.counters.get(unit, {}).get("active_from")
        return "inactive" not in row.get("flags", ()) or (wakes is not None and wakes <= first)

    def _slot(self, id: str, file: str) -> PieceSlot:
        if id not in self.slots:
            raise RulesError(f"no counter {id!r}", place=Place(file=file, unit=id))
        return self.slots[id]

    def _into(self, box: str, slot: PieceSlot, filled: Tally[str]) -> None:
        self.setup.place(slot, self.boxes, BOXES[box].place(filled[box]))
        filled[box] += 1


def _begins(turn: int) -> TurnState:
    """The tracker when play begins: on turn 1 there are no reserves to commit (KHA-4.2.A1)."""
    phase = 1 if turn == 1 else 0
    phases = ListLevel(phase, 0, 0, (True,) * len(PHASES))
    return TurnState(0, (CounterLevel(turn, 0, True, TURNS, (phases,)),))


def _as_it_stands(row: Mapping[str, Any], *, active: bool) -> Callable[[Piece], Piece]:
    """A unit with the steps that a scenario leaves it, or a headquarters that is active."""

    def change(piece: Piece) -> Piece:
        for i, trait in enumerate(piece.traits):
            if not isinstance(trait, Layer):
                continue
            if trait.name == "Step" and "steps" in row:
                level = len(trait.images) - row["steps"] + 1
                piece = piece.with_state(i, LayerState(level=level))
            elif trait.name == "Active":
                piece = piece.with_state(i, LayerState(level=2 if active else 1))
        return piece

    return change
