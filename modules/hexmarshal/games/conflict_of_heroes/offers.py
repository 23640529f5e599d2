"""Every legal action of a side: first a choice of each kind, then all the rest, each once.

Whoever reads only the beginning of the list still finds every kind of action in it. An action is
listed with its facing spelled out, with as few command points to complete it as it needs, and for
rolls with every number of points that the side can pay.
"""

from __future__ import annotations

from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import artillery, cardplay, source
from hexmarshal.games.conflict_of_heroes.fire_offers import FireOffers
from hexmarshal.games.conflict_of_heroes.lister import FACINGS, Params
from hexmarshal.games.conflict_of_heroes.move_offers import MoveOffers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin, Offer
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["all_offers"]

_MOVES = ("move", "pivot", "leave")


def all_offers(
    plugin: GamePlugin, position: Position, side: str, kinds: Collection[str] = ()
) -> Iterator[Offer]:
    """Lazily, always in the same order; of some kinds only, if any are named."""
    offers = _Offers(plugin, position, side, kinds)
    seen: set[Action] = set()
    for offer in chain(offers.first(), offers.rest()):
        if offer.action not in seen and (not kinds or offer.action.kind in kinds):
            seen.add(offer.action)
            yield offer


class _Offers(MoveOffers, FireOffers):
    """The whole list, or the parts of it that may hold an action of the kinds asked for."""

    def __init__(
        self, plugin: GamePlugin, position: Position, side: str, kinds: Collection[str]
    ) -> None:
        super().__init__(plugin, position, side)
        self._kinds = kinds

    def _wants(self, *kinds: str) -> bool:
        return not self._kinds or any(kind in self._kinds for kind in kinds)

    def first(self) -> Iterator[Offer]:
        """A choice of every kind."""
        match self.position.state:
            case "":
                pass
            case state:
                yield from self._decision(state)
                return
        yield from self._turns()
        if self._wants("close_combat"):
            yield from self.close_offers(groups=False)
        if self._wants("fire"):
            yield from self.fire_at_enemies_offers(points=False)
        if self._wants("rally"):
            yield from self._rallies(groups=False)
        if self._wants("play"):
            yield from self._cards()
        if self._wants(*_MOVES):
            for unit in self.units:
                yield from self.moves_offers(unit, every_facing=False)
        yield from self._transport()
        yield from self._works()

    def rest(self) -> Iterator[Offer]:
        """Everything."""
        if self.position.state:
            return
        if self._wants("close_combat"):
            yield from self.close_offers(groups=True)
        if self._wants("rally"):
            yield from self._rallies(groups=True)
        if self._wants(*_MOVES):
            for unit in self.units:
                yield from self.moves_offers(unit, every_facing=True)
        if self._wants("fire"):
            yield from self.fire_at_enemies_offers(points=True)
        if self._wants("dig_in"):
            yield from self._group_digging()
        if self._wants("hide"):
            yield from self._hiding()
        if self._wants("fire"):
            yield from self.fire_elsewhere_offers()
        if self._wants("group_move"):
            yield from self.group_moves_offers()

    def _decision(self, state: str) -> Iterator[Offer]:
        match state:
            case "start":
                yield from self.attempt("begin_turn", {})
            case "bid":
                for bid in range(3):
                    for params in self.lucky({"cap": bid}, ["initiative"]):
                        yield from self.attempt("bid", params)
            case "face":
                for facing in FACINGS:
                    yield from self.attempt("face", {"facing": facing})
            case "mines":
                for points in self.points(["mines"]):
                    for params in self.lucky(points, ["mines"]):
                        yield from self.attempt("mines", params)
            case "obstacle":
                yield from self.attempt("obstacle", {"pay": True})
                yield from self.attempt("obstacle", {"pay": False})
            case "barrage":
                rolls = artillery.rolls_of(self.scene, self.side)
                for points in self.points(rolls):
                    for params in self.lucky(points, rolls):
                        yield from self.attempt("barrage", params)
            case "plot":
                yield from self.attempt("plot", {})
                for card in self.position.pile(f"artillery-{self.side}").cards:
                    for cell in self.scene.board.hexes:
                        for smoke in (False, True):
                            target: Params = {"card": card, "cell": cell, "smoke": smoke}
                            yield from self.attempt("plot", target)

    def _turns(self) -> Iterator[Offer]:
        yield from self.attempt("pass", {})
        yield from self.attempt("stall", {"by": "ap"})
        yield from self.attempt("stall", {"by": "command"})
        yield from self.attempt("finish", {})
        for unit in self.units:
            rolls = ["action points"] if self.scene.option("variable_ap") else []
            for points in self.points(rolls):
                for params in self.lucky({"unit": unit.id, **points}, rolls):
                    yield from self.attempt("activate", params)
        if "10" in self.hand:
            yield from self.attempt("quick_action", {})

    def _rallies(self, *, groups: bool) -> Iterator[Offer]:
        hit = [u for u in self.units if self.scene.hit_marker(u) is not None]
        sets: list[tuple[Unit, ...]] = list(self.groups(hit)) if groups else []
        for group in [*((u,) for u in hit), *sets]:
            ids = tuple(u.id for u in group)
            for pay in self.ways("rally", group):
                rolls = () if pay.get("card") == "03" else ids
                for cap in self.points(rolls):
                    for params in self.lucky({"units": ids, **pay, **cap}, rolls):
                        yield from self.attempt("rally", params)

    def _works(self) -> Iterator[Offer]:
        for unit in self.units:
            if unit.carrier:
                continue
            for pay in self.ways("dig_in", (unit,)):
                yield from self.attempt("dig_in", {"units": (unit.id,), **pay})
            if not unit.cell or not any(w.fortification for _, w in self.scene.works(unit.cell)):
                continue
            for pay in self.ways("shift", (unit,)):
                for fort in self._doors(unit):
                    yield from self.faced("shift", {"unit": unit.id, **fort, **pay}, FACINGS)

    def _doors(self, unit: Unit) -> Iterator[Params]:
        """Out of where the unit is; from outside into each that there is."""
        if self.scene.fort(unit) is not None:
            yield {}
            return
        for spelled in self.occupying(unit.cell):
            yield {name: value for name, value in spelled.items() if name == "fort"}

    def _group_digging(self) -> Iterator[Offer]:
        for group in self.groups([u for u in self.units if u.cell]):
            ids = tuple(u.id for u in group)
            for pay in self.ways("dig_in", group):
                yield from self.attempt("dig_in", {"units": ids, **pay})

    def _hiding(self) -> Iterator[Offer]:
        light = [u for u in self.units if u.cell and self.scene.counter(u).light]
        light = [u for u in light if not self.scene.hidden(u)]
        light = [u for u in light if self.scene.hit_marker(u) is None]
        near = {c for u in light for c in self.scene.board.within(u.cell, 1)}
        dark = {c for c in near if not self.scene.watched(c, self.side)}
        light = [u for u in light if u.cell in dark]
        price = source.number("costs", "hide")
        for group in [*((u,) for u in light), *self.groups(light)]:
            ids = tuple(u.id for u in group)
            places = [[c for c in self.scene.board.within(u.cell, 1) if c in dark] for u in group]
            for pay in self.ways("hide", group):
                if not self.affords(pay, price):
                    continue
                for cells in product(*places):
                    yield from self.attempt("hide", {"units": ids, "cells": cells, **pay})

    def _transport(self) -> Iterator[Offer]:
        for vehicle in self.units:
            if not vehicle.cell or not self.scene.counter(vehicle).vehicle:
                continue
            aboard = self.scene.passengers(vehicle)
            for group in _subsets(aboard):
                ids = tuple(u.id for u in group)
                for pay in self.ways("unload", (vehicle,)):
                    params: Params = {"vehicle": vehicle.id, "units": ids, **pay}
                    yield from self.faced("unload", params, FACINGS)
            beside = [u for u in self.units if u.cell == vehicle.cell and u.id != vehicle.id]
            for group in _subsets(beside, most=2):
                ids = tuple(u.id for u in group)
                for pay in self.ways("load", (vehicle, *group)):
                    yield from self.attempt("load", {"vehicle": vehicle.id, "units": ids, **pay})

    def _cards(self) -> Iterator[Offer]:
        given = [(u, str(u.values.get("weapon"))) for u in self.units if u.values.get("weapon")]
        for key in self.hand:
            if key in cardplay.PLAYABLE:
                for params in self._card_choices(key):
                    yield from self.attempt("play", params)
        for unit, key in given:
            if key in cardplay.PLAYABLE and unit.cell:
                for cell in self.scene.board.within(unit.cell, 1):
                    base: Params = {"card": key, "unit": unit.id, "cell": cell}
                    for params in self.card_ways(key, base):
                        yield from self.attempt("play", params)

    def _card_choices(self, key: str) -> Iterator[Params]:
        base: Params = {"card": key}
        match key:
            case "06" | "20":
                choices = [{"unit": u.id} for u in self.position.units.values()]
            case "30":
                choices = [{"unit": u.id} for u in self.units]
            case "40":
                choices = [
                    {"unit": u.id, "cell": cell}
                    for u in self.units
                    if self.scene.cell(u)
                    for cell in self.scene.board.within(self.scene.cell(u), 1)
                ]
            case "41":
                choices = [
                    {"unit": u.id, "marker": m.id}
                    for u in self.units
                    if u.cell
                    for m in self.position.markers_at(u.cell)
                ]
            case "13":
                victims = self.scene.others(self.side)
                choices = [{"against": v} for v in victims] if len(victims) > 1 else [{}]
            case _:
                choices = [{}]
        rolls = [key] if key in cardplay.ROLLING else []
        for choice in choices:
            for cap in self.points(rolls):
                for lucky in self.lucky({**base, **choice, **cap}, rolls):
                    yield from self.card_ways(key, lucky)


def _subsets(units: Sequence[Unit], most: int = 3) -> Iterator[tuple[Unit, ...]]:
    for size in range(1, min(most, len(units)) + 1):
        yield from combinations(units, size)
