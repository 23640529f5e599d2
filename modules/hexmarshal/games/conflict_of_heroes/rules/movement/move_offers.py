"""The legal moves, pivots and group moves of a side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import move_costs, moves
from hexmarshal.games.conflict_of_heroes.rules.movement.reach import ways
from hexmarshal.games.conflict_of_heroes.rules.offer_lists import FACINGS, Lister, Params
from hexmarshal.games.conflict_of_heroes.rules.turn import solitaire
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Leg
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record
    from hexmarshal.rules.verdict import Verdict

__all__ = ["MoveOffers"]


class MoveOffers(Lister):
    """Ways are planned once and then offered with every facing and every way to pay."""

    def _planned(self, unit: Unit, mode: str, *, rapid: bool) -> list[Leg]:
        key = (unit.id, mode, rapid)
        if key not in self.legs:
            self.legs[key] = ways(self.now, unit, mode, rapid=rapid)
        return self.legs[key]

    def modes(self, unit: Unit) -> tuple[str, ...]:
        """How a unit may move at all."""
        modes = ["normal"]
        if self.now.hidden(unit):
            modes.append("hidden")
        if self.now.option("cautious_movement") and self.now.counter(unit).foot:
            modes.append("cautious")
        return tuple(modes)

    def moves_offers(self, unit: Unit) -> Iterator[Offer]:
        """Every way of one unit."""
        for pay in self.ways("move", (unit,)):
            for mode in self.modes(unit):
                for leg in self._planned(unit, mode, rapid=pay.get("card") == "05"):
                    yield from self._move(leg, mode, pay)

    def pivots_offers(self, unit: Unit) -> Iterator[Offer]:
        """Every other facing of one unit."""
        turned = [f for f in FACINGS if f != unit.facing]
        for pay in self.ways("pivot", (unit,)):
            if not unit.carrier:
                yield from self.faced("pivot", {"unit": unit.id, **pay}, turned)

    def _move(self, leg: Leg, mode: str, pay: Params) -> Iterator[Offer]:
        params: Params = {"unit": leg.unit.id, "path": leg.path, **pay}
        if mode != "normal":
            params["mode"] = mode
        verdict = self._judged_move(leg, params)
        if not verdict.legal:
            return
        if mode == "hidden":
            yield Offer(Action("move", self.side, FrozenMap(params)), verdict)
            return
        for facing in FACINGS:
            faced = FrozenMap({**params, "facing": facing})
            yield Offer(Action("move", self.side, faced), verdict)
        rolls = moves.rolls_of([leg])
        inside = [spelled for _, spelled in self.inside(leg, rapid=pay.get("card") == "05")]
        for occupy in ({}, *inside):
            for points in self.points(rolls):
                for more in self.lucky(points, rolls):
                    if more or occupy:
                        yield from self.faced("move", {**params, **occupy, **more}, FACINGS)

    def inside(self, leg: Leg, *, rapid: bool) -> Iterator[tuple[Leg, Params]]:
        """The same way into each trench or bunker at its end that takes the unit."""
        for spelled in self.occupying(leg.path[-1]):
            fort = str(spelled.get("fort", ""))
            way = move_costs.plan(
                self.now,
                leg.unit,
                leg.path,
                leg.facing,
                leg.mode,
                occupy=True,
                fort=fort,
                rapid=rapid,
            )
            if not way.violations:
                yield way, spelled

    def _judged_move(self, leg: Leg, params: Params) -> Verdict:
        """The check's verdict, from a way that is planned already."""
        action = Action("move", self.side, FrozenMap(params))
        return self._doctrine(action, moves.verdict_of(self.now, action, [leg]))

    def _doctrine(self, action: Action, verdict: Verdict) -> Verdict:
        if self.position.option("solo"):
            return solitaire.with_doctrine(self.now, action, verdict)
        return verdict

    def entries(self, unit: Unit, way: str, *, rapid: bool) -> Iterator[Record]:
        """What one unit may do in a group move: every way and facing that is paid for, or to stay.

        The dearest way is what the group pays.
        """
        for mode in self.modes(unit):
            legs = self._planned(unit, mode, rapid=rapid)
            for leg in (one for one in legs if self.affords({"by": way}, one.cost)):
                spelled: Params = {} if mode == "normal" else {"mode": mode}
                base: Params = {"unit": unit.id, "path": leg.path, **spelled}
                if mode == "hidden":
                    yield FrozenMap(base)
                    continue
                yield from self._turned(base)
                for _, inside in self.inside(leg, rapid=rapid):
                    yield from self._turned({**base, **inside})
        if not rapid and self.now.cell(unit):
            yield from self.stays(unit)

    def step_entries(self, unit: Unit, mode: str, cell: str) -> Iterator[Record]:
        """One step of a group's member, with every facing and into every fort."""
        base: Params = {"unit": unit.id, "path": (cell,)}
        if mode != "normal":
            base["mode"] = mode
        if mode == "hidden":
            yield FrozenMap(base)
            return
        yield from self._turned(base)
        for inside in self.occupying(cell):
            yield from self._turned({**base, **inside})

    def _turned(self, base: Params) -> Iterator[Record]:
        return (FrozenMap({**base, "facing": facing}) for facing in FACINGS)

    def stays(self, unit: Unit) -> Iterator[Record]:
        """It stays where it is while others move, and may turn, if it can."""
        stays: Params = {"unit": unit.id, "path": ()}
        if self.now.hidden(unit) or unit.facing is None:
            yield FrozenMap(stays)
            return
        turned = move_costs.plan(self.now, unit, (), (unit.facing + 1) % 6)
        if turned.violations:
            yield FrozenMap({**stays, "facing": unit.facing})
        else:
            yield from self._turned(stays)
