"""An action being carried out: the ledger with its map, and what follows from entering a hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.rules.movement import southern_sector
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, Situation
from hexmarshal.kit.game import Execution
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, SetCell, SetTrack
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.games.kharkov.state.board import Board
    from hexmarshal.games.kharkov.state.roster import Scenario
    from hexmarshal.games.kharkov.state.tables import Tables
    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.position import Position

__all__ = ["Play"]


class Play(Execution[Situation]):
    """What `apply` works with: every change goes through here."""

    __slots__ = ("scenario",)

    def __init__(
        self,
        position: Position,
        dice: Dice,
        lifetimes: Sequence[Lifetime],
        situation_of: Callable[[Position], Situation],
        scenario: Scenario | None,
    ) -> None:
        super().__init__(position, dice, lifetimes, situation_of)
        self.scenario = scenario

    @property
    def board(self) -> Board:
        """The map in use."""
        return self.now.board

    @property
    def tables(self) -> Tables:
        """The tables of the book."""
        return self.now.tables

    def note(self, kind: str, text: str, rule: str) -> None:
        """Write down something that happened without dice."""
        self.decide(Resolution(kind, text, steps=(Step(text, rule),)))

    def flag(self, ids: Iterable[str], *flags: str) -> None:
        """Set flags on units."""
        wanted, find = frozenset(flags), self.position.unit
        once = dict.fromkeys(ids)
        self.do(*(ChangeUnit(i, flags=wanted) for i in once if not find(i).flags >= wanted))

    def unflag(self, ids: Iterable[str], *flags: str) -> None:
        """Take flags off units."""
        gone, find = frozenset(flags), self.position.unit
        once = dict.fromkeys(ids)
        self.do(*(ChangeUnit(i, unflags=gone) for i in once if find(i).flags & gone))

    # Entering hexes

    def enter(self, ids: Iterable[str], cell: str) -> None:
        """Units come into a hex, to stop there or to pass: what that sets off."""
        group = tuple(ids)
        side = self.unit(group[0]).side
        if side == AXIS:
            self._push_aside(cell)
        for unit_id in group:
            self.do(MoveUnit(unit_id, cell))
        if self.board.terrain.get(cell) == "city":
            self._enter_city(cell, side)
        if side == SOVIET:
            southern_sector.trespass(self, cell)

    def _push_aside(self, cell: str) -> None:
        """A reserve marker that gives way goes where a headquarters would (KHA-10.17)."""
        for marker in self.now.at(cell, SOVIET):
            nearest = headquarters.nearest(self.now, marker)
            self.do(MoveUnit(marker.id, nearest[0]))
            self.note("reserve", f"{marker.id} gives way to {nearest[0]}", "KHA-6.71")

    def _enter_city(self, cell: str, side: str) -> None:
        known = self.position.cells.get(cell)
        if known is None or known.get("holder") != side:
            self.do(SetCell(cell, FrozenMap({"holder": side})))
        if side == SOVIET and not (known and known.get("soviet")):
            # KHA-17.21 and KHA-17.22: once for each city hex, ever.
            points = self.tables.victory["city_hex"]
            total = self.position.track("vp-soviet") + points
            self.do(SetCell(cell, FrozenMap({"soviet": True})), SetTrack("vp-soviet", total))
            self.note("victory points", f"{points} for entering {cell}", "KHA-17.21")

    def settle(self, cell: str) -> None:
        """Units have stopped in a hex: a strongpoint that is joined is lost (KHA-15.23)."""
        stack = self.now.at(cell, AXIS)
        if len(stack) > 1:
            self.unflag((u.id for u in stack), "strongpoint")
