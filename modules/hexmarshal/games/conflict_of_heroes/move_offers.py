"""The legal moves, pivots and group moves of a side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import movement, moves, payment, solo
from hexmarshal.games.conflict_of_heroes.lister import FACINGS, Lister, Params
from hexmarshal.games.conflict_of_heroes.reach import cheapest, ways
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.movement import Leg
    from hexmarshal.rules.state.pieces import Unit
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
        rolls = moves.rolls_of([leg])
        inside = [spelled for _, spelled in self._inside(leg, rapid=pay.get("card") == "05")]
        for occupy in ({}, *inside):
            for points in self.points(rolls):
                for more in self.lucky(points, rolls):
                    if more or occupy:
                        yield from self.faced("move", {**params, **occupy, **more}, facings)

    def _inside(self, leg: Leg, *, rapid: bool) -> Iterator[tuple[Leg, Params]]:
        """The same way into each trench or bunker at its end that takes the unit."""
        for spelled in self.occupying(leg.path[-1]):
            fort = str(spelled.get("fort", ""))
            way = movement.plan(
                self.scene,
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
        return self._doctrine(action, moves.verdict_of(self.scene, action, [leg]))

    def _doctrine(self, action: Action, verdict: Verdict) -> Verdict:
        if self.position.option("solo"):
            return solo.with_doctrine(self.scene, action, verdict)
        return verdict

    def group_moves_offers(self) -> Iterator[Offer]:
        """Every combination of ways of every group, with every facing at their ends."""
        movers = [u for u in self.units if not u.carrier]
        for group in self.groups(movers):
            for pay in self.ways("group_move", group):
                choices = [self._affordable(u, pay) for u in group]
                if all(choices) and self._payable(group, choices, pay):
                    for together in product(*choices):
                        yield from self._combined(together, pay)

    def _affordable(self, unit: Unit, pay: Params) -> list[_Choice]:
        """What the unit can do in a group that pays so; who moves nowhere adds nothing."""
        return [
            choice
            for choice in self._group_choices(unit, rapid=pay.get("card") == "05")
            if not choice.leg.violations
            and (not choice.leg.path or self.affords(pay, choice.leg.cost))
        ]

    def _payable(self, group: Sequence[Unit], choices: list[list[_Choice]], pay: Params) -> bool:
        """Whether the cheapest that the group could do is paid for: else all is tried in vain."""
        least = min((c.leg for options in choices for c in options), key=lambda leg: leg.cost)
        bare = Action("group_move", self.side, FrozenMap(pay))
        cost = movement.group_cost([least])
        return next(payment.objections(self.scene, bare, group, cost), None) is None

    def _group_choices(self, unit: Unit, *, rapid: bool) -> Iterator[_Choice]:
        for mode in self._modes(unit):
            for leg in self._planned(unit, mode, rapid=rapid):
                spelled: Params = {} if mode == "normal" else {"mode": mode}
                base: Params = {"unit": unit.id, "path": leg.path, **spelled}
                yield _Choice(leg, base, (None,) if mode == "hidden" else FACINGS)
                for inside, spelled in () if mode == "hidden" else self._inside(leg, rapid=rapid):
                    yield _Choice(inside, {**base, **spelled}, FACINGS)
        if rapid or not self.scene.cell(unit):
            return
        stays: Params = {"unit": unit.id, "path": ()}
        if self.scene.hidden(unit) or unit.facing is None:
            yield _Choice(movement.plan(self.scene, unit, (), unit.facing), stays, (None,))
        else:
            turned = movement.plan(self.scene, unit, (), (unit.facing + 1) % 6)
            facings = (unit.facing,) if turned.violations else FACINGS
            yield _Choice(movement.plan(self.scene, unit, (), unit.facing), stays, facings)

    def _combined(self, together: tuple[_Choice, ...], pay: Params) -> Iterator[Offer]:
        """One check for all facings: where they point has no price."""
        moved = any(choice.leg.path for choice in together)
        # With a turn in it, pivots alone are a group move too.
        legs = [c.leg if moved else c.turned() for c in together]
        entries = tuple(c.entry(leg.facing) for c, leg in zip(together, legs, strict=True))
        plain = Action("group_move", self.side, FrozenMap({"moves": entries, **pay}))
        verdict = self._doctrine(plain, moves.verdict_of(self.scene, plain, legs))
        if not verdict.legal:
            return
        rolls = moves.rolls_of(legs)
        for facings in product(*(choice.facings for choice in together)):
            pairs = list(zip(together, facings, strict=True))
            if not moved and all(f == c.leg.unit.facing for c, f in pairs):
                continue
            entries = tuple(choice.entry(facing) for choice, facing in pairs)
            for points in self.points(rolls):
                for more in self.lucky(points, rolls):
                    params: Params = {"moves": entries, **pay, **more}
                    if more:
                        yield from self.attempt("group_move", params)
                    else:
                        yield Offer(Action("group_move", self.side, FrozenMap(params)), verdict)


@dataclass(frozen=True, slots=True)
class _Choice:
    """What one unit of a group may do: a way, how it is spelled, and the facings after it."""

    leg: Leg
    base: Params
    facings: tuple[int | None, ...]

    def entry(self, facing: int | None) -> FrozenMap[Value]:
        """This part of the group move."""
        return FrozenMap(self.base if facing is None else {**self.base, "facing": facing})

    def turned(self) -> Leg:
        """The same, with another facing if it may take one."""
        other = next((f for f in self.facings if f != self.leg.unit.facing), self.leg.facing)
        return replace(self.leg, facing=other)
