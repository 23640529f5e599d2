"""The legal moves, pivots and group moves of a side."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import moves, solo
from hexmarshal.games.conflict_of_heroes.lister import FACINGS, Lister, Params
from hexmarshal.games.conflict_of_heroes.reach import cheapest, ways
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.movement import Leg
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.verdict import Verdict

__all__ = ["MoveOffers"]


class MoveOffers(Lister):
    """Ways are planned once and then offered with every facing and every way to pay."""

    def _planned(self, unit: Unit, mode: str, *, rapid: bool) -> list[Leg]:
        key = (unit.id, mode, rapid)
        if key not in self.legs:
            self.legs[key] = ways(self.scene, unit, mode, rapid=rapid)
        return self.legs[key]

    def _modes(self, unit: Unit) -> tuple[str, ...]:
        modes = ["normal"]
        if self.scene.hidden(unit):
            modes.append("hidden")
        if self.scene.option("cautious_movement") and self.scene.counter(unit).foot:
            modes.append("cautious")
        return tuple(modes)

    def moves_offers(self, unit: Unit, *, every_facing: bool) -> Iterator[Offer]:
        """Every way of one unit, and its pivots."""
        for pay in self.ways("move", (unit,)):
            rapid = pay.get("card") == "05"
            for mode in self._modes(unit):
                legs = self._planned(unit, mode, rapid=rapid)
                for leg in legs if every_facing else cheapest(legs):
                    yield from self._move(leg, mode, pay, every_facing=every_facing)
            if rapid or unit.carrier:
                continue
            turned = [f for f in FACINGS if f != unit.facing]
            turned = turned if every_facing else turned[:2]
            yield from self.faced("pivot", {"unit": unit.id, **pay}, turned)
            if every_facing:
                yield from self.attempt("leave", {"unit": unit.id, **pay})

    def _move(self, leg: Leg, mode: str, pay: Params, *, every_facing: bool) -> Iterator[Offer]:
        unit, path = leg.unit, leg.path
        params: Params = {"unit": unit.id, "path": path, **pay}
        if mode != "normal":
            params["mode"] = mode
        verdict = self._judged_move(leg, params)
        if not verdict.legal:
            return
        if mode == "hidden":
            yield Offer(Action("move", self.side, FrozenMap(params)), verdict)
            return
        last = path[-1]
        before = path[-2] if len(path) > 1 else self.scene.cell(unit)
        ahead = self.scene.board.direction(before, last) if before else 0
        facings = FACINGS if every_facing else (ahead or 0,)
        for facing in facings:
            faced = FrozenMap({**params, "facing": facing})
            yield Offer(Action("move", self.side, faced), verdict)
        if not every_facing:
            return
        if any(work.fortification for _, work in self.scene.works(last)):
            yield from self.faced("move", {**params, "occupy": True}, facings)
        rolls = moves.rolls_of(self.scene, [leg])
        for points in self.points(rolls):
            for more in self.lucky(points, rolls):
                if more:
                    yield from self.faced("move", {**params, **more}, facings)

    def _judged_move(self, leg: Leg, params: Params) -> Verdict:
        """The check's verdict, from a way that is planned already."""
        action = Action("move", self.side, FrozenMap(params))
        verdict = moves.verdict_of(self.scene, action, [leg])
        if self.position.option("solo"):
            return solo.with_doctrine(self.scene, action, verdict)
        return verdict

    def group_moves_offers(self) -> Iterator[Offer]:
        """Every combination of ways of every group."""
        movers = [u for u in self.units if not u.carrier]
        for group in self.groups(movers):
            for pay in self.ways("group_move", group):
                rapid = pay.get("card") == "05"
                choices = [self._group_choices(u, rapid=rapid) for u in group]
                yield from self._combined(choices, pay)

    def _combined(self, choices: list[list[FrozenMap[Value]]], pay: Params) -> Iterator[Offer]:
        if not all(choices):
            return
        for together in product(*choices):
            if any("path" in entry for entry in together) or len(together) > 1:
                yield from self.attempt("group_move", {"moves": tuple(together), **pay})

    def _group_choices(self, unit: Unit, *, rapid: bool) -> list[FrozenMap[Value]]:
        found: list[FrozenMap[Value]] = []
        for mode in self._modes(unit):
            for leg in self._planned(unit, mode, rapid=rapid):
                base: Params = {"unit": unit.id, "path": leg.path}
                if mode != "normal":
                    base["mode"] = mode
                if mode == "hidden":
                    found.append(FrozenMap(base))
                else:
                    found += [FrozenMap({**base, "facing": f}) for f in FACINGS]
        if not rapid and self.scene.cell(unit) and unit.facing is not None:
            found += [FrozenMap({"unit": unit.id, "path": (), "facing": f}) for f in FACINGS]
        return found
