"""The legal shots and close combats of a side."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import aiming, fire_lines, firers
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.games.conflict_of_heroes.rules.offer_lists import FACINGS, Lister, Params
from hexmarshal.games.conflict_of_heroes.rules.turn import payment, solitaire
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.state.pieces import Unit

__all__ = ["FireOffers"]


class FireOffers(Lister):
    """Each attack is checked once, and then offered with every number of points for its rolls."""

    @cached_property
    def shooters(self) -> list[Unit]:
        """Who has something to attack with."""
        return [unit for unit in self.units if unit.cell and self._armed(unit)]

    def _armed(self, unit: Unit) -> bool:
        own = self.now.counter(unit).fire is not None
        return own or aiming.weapon_of(self.now, unit) is not None

    def _payers(self) -> Iterator[Unit]:
        """Those of them who can act at all: a group needs more than one alone, never less."""
        for unit in self.shooters:
            armed: Params = {"weapon": bool(unit.values.get("weapon"))}
            if next(self._pays("fire", (unit,), armed), None) is not None:
                yield unit

    def _enemy_hexes(self) -> list[str]:
        units = self.position.units.values()
        cells = (self.now.cell(u) for u in units if self.now.hostile(self.side, u))
        return sorted({cell for cell in cells if cell})

    def fire_at_enemies_offers(self) -> Iterator[Offer]:
        """Shots at hexes with enemies that are seen there."""
        shooters = list(self._payers())
        for cell in self._enemy_hexes():
            for unit in shooters:
                yield from self._shots(unit, cell)

    def fire_elsewhere_offers(self) -> Iterator[Offer]:
        """At hexes that seem empty, and smoke anywhere."""
        enemies = set(self._enemy_hexes())
        for unit in self._payers():
            for cell in self._hexes_before(unit):
                if cell not in enemies:
                    yield from self._shots(unit, cell)
                yield from self._smoke(unit, cell)

    def _hexes_before(self, unit: Unit) -> list[str]:
        """The hexes that the unit could aim at; all others fail by range, arc or sight alone."""
        now, here = self.now, self.now.cell(unit)
        directed = now.counter(unit).indirect is not None
        return [c for c in self.hexes_in_range(unit) if directed or now.sees(here, c)]

    def hexes_in_range(self, unit: Unit) -> tuple[str, ...]:
        """The hexes in range and arc, in sight or not."""
        now, here = self.now, self.now.cell(unit)
        counter, card = now.counter(unit), aiming.weapon_of(self.now, unit)
        reach = max(2 * reach_of(now, unit), card.reach if card else 0, 1)
        fort = now.fort(unit)
        free = now.hidden(unit) or counter.turret or (fort is not None and fort.kind == "trench")
        return now.board.in_front(here, None if free else now.facing(unit), reach)

    def _arms(self, unit: Unit) -> Iterator[Params]:
        counter = self.now.counter(unit)
        if counter.fire is not None:
            yield {}
            if counter.flame:
                yield {"mode": "flame"}
        if aiming.weapon_of(self.now, unit) is not None:
            yield {"weapon": True}

    def observers(self, unit: Unit) -> tuple[str, ...]:
        """COH-12.0b: the hexes from which somebody could direct the fire of a mortar."""
        now, here = self.now, self.now.cell(unit)
        if now.counter(unit).indirect is None:
            return ()
        if here not in self.spots:
            near = now.board.within(here, fire_lines.OBSERVER_REACH)
            seen = (cell for cell in near if cell == here or now.sees(here, cell))
            self.spots[here] = tuple(c for c in seen if not now.enemies_at(c, self.side))
        return self.spots[here]

    def _faced(self, unit: Unit, base: Params) -> Iterator[Params]:
        """As it is; who is hidden may choose where he looks when he comes to light."""
        yield base
        if self.now.hidden(unit):
            for facing in FACINGS:
                yield {**base, "facing": facing}

    def _bands(self, mates: Sequence[Unit]) -> Iterator[tuple[tuple[Unit, ...], Params]]:
        """Every set of supporters, each with or without his weapon card."""
        yield (), {}
        for size in range(1, len(mates) + 1):
            for band in combinations(mates, size):
                named: Params = {"supporters": tuple(u.id for u in band)}
                armed = [u.id for u in band if aiming.weapon_of(self.now, u) is not None]
                for count in range(len(armed) + 1):
                    for thrown in combinations(armed, count):
                        yield band, {**named, "thrown": thrown} if thrown else named

    def _pays(self, kind: str, units: Sequence[Unit], base: Params) -> Iterator[Params]:
        """The ways to pay; a weapon card that costs nothing needs no point in the pool."""
        yield from self.ways(kind, units)
        if not self.cap and base.get("weapon"):
            yield {"by": "command"}

    def bought(self, rolls: Sequence[str]) -> Iterator[Params]:
        """Points for rolls that help: up against enemies, down against friends in the way."""
        units = self.position.units
        friends = [r for r in rolls if r in units and not self.now.hostile(self.side, units[r])]
        if not friends:
            yield from self.points(rolls)
            return
        steps = [(0, -1, -2) if roll in friends else (0, 1, 2) for roll in rolls]
        for given in product(*steps):
            points = {name: n for name, n in zip(rolls, given, strict=True) if n}
            if sum(map(abs, given)) <= self.cap:
                yield {"cap": FrozenMap(points)} if points else {}

    def _shots(self, unit: Unit, cell: str) -> Iterator[Offer]:
        here = self.now.cell(unit)
        if here == cell:
            return
        kinds = list(self._arms(unit))
        kinds += [{"mode": "indirect", "observer": spot} for spot in self.observers(unit)]
        for arm in kinds:
            for base in self._faced(unit, {"unit": unit.id, "cell": cell, **arm}):
                if self._aimed_right(base) and self._worth(base):
                    yield from self._paid_shots(unit, base)

    def _aimed_right(self, base: Params) -> bool:
        """Whether the hex is in arc, range and sight: a cheap test that most hexes fail."""
        fire = aiming.fire_of(self.now, Action("fire", self.side, FrozenMap(base)))
        return next(fire_lines.place_objections(self.now, fire), None) is None

    def _worth(self, base: Params) -> bool:
        """Whether anything but the price speaks against it: asked once for all ways to pay."""
        probe = Action("fire", self.side, FrozenMap({**base, "by": "opportunity"}))
        verdict = self.judge(probe)
        return all(v.rule == "COH-3.1a" for v in verdict.violations)

    def _paid_shots(self, unit: Unit, base: Params) -> Iterator[Offer]:
        others = (u for u in self.shooters if u.id != unit.id)
        near = [u for u in others if self.beside(unit, u)]
        probe = Action("fire", self.side, FrozenMap(base))
        fire = aiming.fire_of(self.now, probe)
        rolls = aiming.rolls_of(self.now, fire, self.side)
        price = payment.due(aiming.fire_cost(self.now, fire))
        for band, more in self._bands(near):
            for pay in self._pays("fire", (unit, *band), base):
                if self.affords(pay, price):
                    params = {**base, **more, **pay}
                    yield from self._variants("fire", params, rolls)

    def _variants(self, kind: str, params: Params, rolls: Sequence[str]) -> Iterator[Offer]:
        """An attack as it is, and with points and bonus cards, which change the pool alone."""
        plain = Action(kind, self.side, FrozenMap(params))
        verdict = self.judge(plain)
        if not verdict.legal:
            return
        spare = self.cap - payment.command_due(self.now, plain, verdict.cost)
        by_die = solitaire.is_ai(self.now, self.side)
        for cap in self.bought(rolls):
            if cap and (by_die or _sum_of(cap, rolls) > spare):
                continue
            for lucky in self.lucky({**params, **cap}, rolls):
                yield Offer(Action(kind, self.side, FrozenMap(lucky)), verdict)
                if "09" in self.hand:
                    aimed = FrozenMap({**lucky, "aimed": True})
                    yield Offer(Action(kind, self.side, aimed), verdict)

    def beside(self, one: Unit, other: Unit) -> bool:
        """Whether the one stands in the other's hex or the next."""
        return self.now.board.distance(self.now.cell(one), self.now.cell(other)) <= 1

    def _smoke(self, unit: Unit, cell: str) -> Iterator[Offer]:
        if not firers.may_smoke(self.now, unit):
            return
        plain: Params = {"unit": unit.id, "cell": cell, "mode": "smoke"}
        spots = [{**plain, "observer": spot} for spot in self.observers(unit)]
        for smoke in (plain, *spots):
            for base in self._faced(unit, smoke):
                if self._aimed_right(base):
                    for pay in self.ways("fire", (unit,)):
                        yield from self.attempt("fire", {**base, **pay})

    def close_offers(self) -> Iterator[Offer]:
        """Attacks in the same hex."""
        for unit in self.shooters:
            here = self.now.cell(unit)
            targets: list[Params] = [{"target": e.id} for e in self.now.enemies_at(here, self.side)]
            targets += [{"work": m.id} for m, _ in self.now.works(here)]
            others = (u for u in self.shooters if u.id != unit.id)
            bands = list(self._bands([u for u in others if u.cell == here]))
            for target, arm, (band, more) in product(targets, list(self._arms(unit)), bands):
                base: Params = {"unit": unit.id, **target, **arm, **more}
                rolls = [str(next(iter(target.values())))]
                for pay in self._pays("close_combat", (unit, *band), base):
                    params = {**base, **pay}
                    yield from self._variants("close_combat", params, rolls)


def _sum_of(cap: Params, rolls: Sequence[str]) -> int:
    points = cap["cap"]
    if isinstance(points, FrozenMap):
        return sum(abs(n) for n in points.values() if isinstance(n, int))
    return abs(points) * max(1, len(rolls)) if isinstance(points, int) else 0
