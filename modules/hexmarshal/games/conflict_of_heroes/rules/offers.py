"""Every legal action of a side, kind by kind: faster than to walk slot by slot.

An action is listed with its facing spelled out, with as few command points to complete it as it
needs, and for rolls with every number of points that the side can pay.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay
from hexmarshal.games.conflict_of_heroes.rules.fire import artillery
from hexmarshal.games.conflict_of_heroes.rules.fire.fire_offers import FireOffers
from hexmarshal.games.conflict_of_heroes.rules.movement.move_offers import MoveOffers
from hexmarshal.games.conflict_of_heroes.rules.offer_lists import FACINGS, Params
from hexmarshal.games.conflict_of_heroes.state.situation import Situation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.choosing.chooser import Chooser
    from hexmarshal.rules.plugin import Offer
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["of_kind"]


def of_kind(kind: str) -> Callable[[Chooser], Iterator[Offer]]:
    """The list of one kind: a choice of it first, then all the rest, each once."""

    def listed(chooser: Chooser) -> Iterator[Offer]:
        made = chooser.known.remember(
            f"offers of {chooser.side}",
            lambda: _Offers(chooser.plugin, _situation(chooser), chooser.side),
        )
        seen: set[Action] = set()
        for offer in made.all(kind):
            if offer.action not in seen:
                seen.add(offer.action)
                yield offer

    return listed


def _situation(chooser: Chooser) -> Situation:
    now = chooser.situation
    assert isinstance(now, Situation)
    return now


class _Offers(MoveOffers, FireOffers):
    """The lists of all kinds but group moves, of which there are too many."""

    def all(self, kind: str) -> Iterator[Offer]:
        """The offers of one kind, some of them perhaps twice."""
        if self.position.state:
            yield from self._decision(self.position.state)
            return
        match kind:
            case "close_combat":
                yield from self.close_offers()
            case "fire":
                yield from self.fire_at_enemies_offers()
                yield from self.fire_elsewhere_offers()
            case "rally":
                yield from self._rallies()
            case "move":
                for unit in self.units:
                    yield from self.moves_offers(unit)
            case "pivot":
                for unit in self.units:
                    yield from self.pivots_offers(unit)
            case "leave":
                for unit in self.units:
                    for pay in self.ways("leave", (unit,)):
                        yield from self.attempt("leave", {"unit": unit.id, **pay})
            case "dig_in":
                yield from self._digging()
            case "hide":
                yield from self._hiding()
            case "shift":
                yield from self._shifts()
            case "load":
                yield from self._loads()
            case "unload":
                yield from self._unloads()
            case "play":
                yield from self._cards()
            case _:
                yield from self._turn(kind)

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
                rolls = artillery.rolls_of(self.now, self.side)
                for points in self.points(rolls):
                    for params in self.lucky(points, rolls):
                        yield from self.attempt("barrage", params)
            case "plot":
                yield from self.attempt("plot", {})
                for card in self.position.pile(f"artillery-{self.side}").cards:
                    for cell in self.now.board.hexes:
                        for smoke in (False, True):
                            target: Params = {"card": card, "cell": cell, "smoke": smoke}
                            yield from self.attempt("plot", target)

    def _turn(self, kind: str) -> Iterator[Offer]:
        match kind:
            case "stall":
                yield from self.attempt("stall", {"by": "ap"})
                yield from self.attempt("stall", {"by": "command"})
            case "activate":
                rolls = ["action points"] if self.now.option("variable_ap") else []
                for unit in self.units:
                    for points in self.points(rolls):
                        for params in self.lucky({"unit": unit.id, **points}, rolls):
                            yield from self.attempt("activate", params)
            case "quick_action" if "10" not in self.hand:
                return
            case _:
                yield from self.attempt(kind, {})

    def _rallies(self) -> Iterator[Offer]:
        hit = [u for u in self.units if self.now.hit_marker(u) is not None]
        for group in [*((u,) for u in hit), *self.groups(hit)]:
            ids = tuple(u.id for u in group)
            for pay in self.ways("rally", group):
                rolls = () if pay.get("card") == "03" else ids
                for cap in self.points(rolls):
                    for params in self.lucky({"units": ids, **pay, **cap}, rolls):
                        yield from self.attempt("rally", params)

    def _digging(self) -> Iterator[Offer]:
        single = [(u,) for u in self.units if not u.carrier]
        for group in [*single, *self.groups([u for u in self.units if u.cell])]:
            ids = tuple(u.id for u in group)
            for pay in self.ways("dig_in", group):
                yield from self.attempt("dig_in", {"units": ids, **pay})

    def _shifts(self) -> Iterator[Offer]:
        for unit in self.units:
            if unit.carrier or not unit.cell:
                continue
            if not any(work.fortification for _, work in self.now.works(unit.cell)):
                continue
            for pay in self.ways("shift", (unit,)):
                for fort in self._doors(unit):
                    yield from self.faced("shift", {"unit": unit.id, **fort, **pay}, FACINGS)

    def _doors(self, unit: Unit) -> Iterator[Params]:
        """Out of where the unit is; from outside into each that there is."""
        if self.now.fort(unit) is not None:
            yield {}
            return
        for spelled in self.occupying(unit.cell):
            yield {name: value for name, value in spelled.items() if name == "fort"}

    def _hiding(self) -> Iterator[Offer]:
        light = [u for u in self.units if u.cell and self.now.counter(u).light]
        light = [u for u in light if not self.now.hidden(u)]
        light = [u for u in light if self.now.hit_marker(u) is None]
        near = {c for u in light for c in self.now.board.within(u.cell, 1)}
        dark = {c for c in near if not self.now.watched(c, self.side)}
        light = [u for u in light if u.cell in dark]
        price = self.now.tables.number("costs", "hide")
        for group in [*((u,) for u in light), *self.groups(light)]:
            ids = tuple(u.id for u in group)
            places = [[c for c in self.now.board.within(u.cell, 1) if c in dark] for u in group]
            for pay in self.ways("hide", group):
                if not self.affords(pay, price):
                    continue
                for cells in product(*places):
                    yield from self.attempt("hide", {"units": ids, "cells": cells, **pay})

    def _vehicles(self) -> Iterator[Unit]:
        return (u for u in self.units if u.cell and self.now.counter(u).vehicle)

    def _unloads(self) -> Iterator[Offer]:
        for vehicle in self._vehicles():
            for group in _subsets(self.now.passengers(vehicle)):
                ids = tuple(u.id for u in group)
                for pay in self.ways("unload", (vehicle,)):
                    params: Params = {"vehicle": vehicle.id, "units": ids, **pay}
                    yield from self.faced("unload", params, FACINGS)

    def _loads(self) -> Iterator[Offer]:
        for vehicle in self._vehicles():
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
                for cell in self.now.board.within(unit.cell, 1):
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
                    if self.now.cell(u)
                    for cell in self.now.board.within(self.now.cell(u), 1)
                ]
            case "41":
                choices = [
                    {"unit": u.id, "marker": m.id}
                    for u in self.units
                    if u.cell
                    for m in self.position.markers_at(u.cell)
                ]
            case "13":
                victims = self.now.others(self.side)
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
