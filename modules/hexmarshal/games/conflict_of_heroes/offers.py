"""Every legal action of a side: first a choice of each kind, then all the rest, each once.

Whoever reads only the beginning of the list still finds every kind of action in it. An action is
listed with its facing spelled out, with as few command points to complete it as it needs, and for
rolls with every number of points that the side can pay.
"""

from __future__ import annotations

from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import (
    cardplay,
    movement,
    moves,
    payment,
    shooting,
    solo,
    source,
)
from hexmarshal.games.conflict_of_heroes.reach import cheapest, ways
from hexmarshal.games.conflict_of_heroes.scene import Scene
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.movement import Leg
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.verdict import Verdict

__all__ = ["all_offers"]

Params = dict[str, Value]
FACINGS = tuple(range(6))


def all_offers(plugin: GamePlugin, position: Position, side: str) -> Iterator[Offer]:
    """Lazily, always in the same order."""
    lister = _Lister(plugin, position, side)
    seen: set[Action] = set()
    for offer in chain(lister.first(), lister.rest()):
        if offer.action not in seen:
            seen.add(offer.action)
            yield offer


class _Lister:
    """Makes candidates and keeps those that the check lets pass."""

    def __init__(self, plugin: GamePlugin, position: Position, side: str) -> None:
        self.plugin, self.position, self.side = plugin, position, side
        self.scene = Scene.of(position)
        self.units = [u for u in position.of_side(side) if self._in_play(u)]
        self.hand = tuple(dict.fromkeys(self.scene.hand(side)))
        self.cap = self.scene.cap(side)
        self.sharing = bool(self.scene.sharers(side))
        self.legs: dict[tuple[str, str, bool], list[Leg]] = {}

    def _in_play(self, unit: Unit) -> bool:
        return bool(self.scene.cell(unit)) or unit.box == "reinforcements"

    # Plumbing

    def _try(self, kind: str, params: Params) -> Iterator[Offer]:
        action = Action(kind, self.side, FrozenMap(params))
        verdict = self.plugin.check(self.position, action)
        if verdict.legal:
            yield Offer(action, verdict)

    def _faced(self, kind: str, params: Params, facings: Iterable[int]) -> Iterator[Offer]:
        """The same action with several facings: checked once."""
        verdict = None
        for facing in facings:
            action = Action(kind, self.side, FrozenMap({**params, "facing": facing}))
            if verdict is None:
                verdict = self.plugin.check(self.position, action)
                if not verdict.legal:
                    return
            yield Offer(action, verdict)

    def _ways(self, kind: str, units: Sequence[Unit]) -> Iterator[Params]:
        """The ways to pay that these units have at all."""
        if self.sharing and not any(u.has("spent") for u in units):
            yield {"by": "ap"}
        if all(self.scene.fresh(u) for u in units):
            yield {"by": "opportunity"}
        if self.cap:
            yield {"by": "command"}
        for key in payment.FOR_KIND.get(kind, ("02",)):
            if key in self.hand:
                yield from self._card_ways(key, {"by": "card", "card": key})

    def _card_ways(self, key: str, params: Params) -> Iterator[Params]:
        card = source.cards()[key]
        yield params
        if card.cost and card.pay == "either":
            yield {**params, "pay_card": "ap"}

    def _points(self, rolls: Sequence[str]) -> Iterator[Params]:
        """Command points for rolls: none first."""
        yield {}
        if not rolls or not self.cap:
            return
        if len(rolls) == 1:
            for n in range(1, min(2, self.cap) + 1):
                yield {"cap": n}
            return
        for given in product(range(3), repeat=len(rolls)):
            if 0 < sum(given) <= self.cap:
                bought = {name: n for name, n in zip(rolls, given, strict=True) if n}
                yield {"cap": FrozenMap(bought)}

    def _lucky(self, params: Params, rolls: Sequence[str]) -> Iterator[Params]:
        yield params
        if rolls and "12" in self.hand:
            yield {**params, "luck": True}

    # The list

    def first(self) -> Iterator[Offer]:
        """A choice of every kind."""
        match self.position.state:
            case "":
                pass
            case state:
                yield from self._decision(state)
                return
        yield from self._turns()
        yield from self._close(groups=False)
        yield from self._fire_at_enemies(points=False)
        yield from self._rallies(groups=False)
        yield from self._cards()
        for unit in self.units:
            yield from self._moves(unit, every_facing=False)
        yield from self._transport()
        yield from self._works()

    def rest(self) -> Iterator[Offer]:
        """Everything."""
        if self.position.state:
            return
        yield from self._close(groups=True)
        yield from self._rallies(groups=True)
        for unit in self.units:
            yield from self._moves(unit, every_facing=True)
        yield from self._fire_at_enemies(points=True)
        yield from self._group_digging()
        yield from self._hiding()
        yield from self._fire_elsewhere()
        yield from self._group_moves()

    def _decision(self, state: str) -> Iterator[Offer]:
        match state:
            case "start":
                yield from self._try("begin_turn", {})
            case "bid":
                for bid in range(3):
                    yield from self._try("bid", {"cap": bid})
            case "face":
                for facing in FACINGS:
                    yield from self._try("face", {"facing": facing})
            case "mines":
                for points in self._points(["mines"]):
                    for params in self._lucky(points, ["mines"]):
                        yield from self._try("mines", params)
            case "obstacle":
                yield from self._try("obstacle", {"pay": True})
                yield from self._try("obstacle", {"pay": False})
            case "barrage":
                yield from self._try("barrage", {})
                yield from self._try("barrage", {"luck": True})
            case "plot":
                yield from self._try("plot", {})
                for card in self.position.pile(f"artillery-{self.side}").cards:
                    for cell in self.scene.board.hexes:
                        for smoke in (False, True):
                            target: Params = {"card": card, "cell": cell, "smoke": smoke}
                            yield from self._try("plot", target)

    def _turns(self) -> Iterator[Offer]:
        yield from self._try("pass", {})
        yield from self._try("stall", {"by": "ap"})
        yield from self._try("stall", {"by": "command"})
        yield from self._try("finish", {})
        for unit in self.units:
            yield from self._try("activate", {"unit": unit.id})
            if self.scene.option("variable_ap"):
                for points in range(1, min(2, self.cap) + 1):
                    yield from self._try("activate", {"unit": unit.id, "cap": points})
        if "10" in self.hand:
            yield from self._try("quick_action", {})

    # Moves

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

    def _moves(self, unit: Unit, *, every_facing: bool) -> Iterator[Offer]:
        for pay in self._ways("move", (unit,)):
            rapid = pay.get("card") == "05"
            for mode in self._modes(unit):
                legs = self._planned(unit, mode, rapid=rapid)
                for leg in legs if every_facing else cheapest(legs):
                    yield from self._move(leg, mode, pay, every_facing=every_facing)
            if rapid or unit.carrier:
                continue
            turned = [f for f in FACINGS if f != unit.facing]
            turned = turned if every_facing else turned[:2]
            yield from self._faced("pivot", {"unit": unit.id, **pay}, turned)
            if every_facing:
                yield from self._try("leave", {"unit": unit.id, **pay})

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
            yield from self._faced("move", {**params, "occupy": True}, facings)
        rolls = moves.rolls_of(self.scene, [leg])
        for points in self._points(rolls):
            for more in self._lucky(points, rolls):
                if more:
                    yield from self._faced("move", {**params, **more}, facings)

    def _judged_move(self, leg: Leg, params: Params) -> Verdict:
        """The check's verdict, from a way that is planned already."""
        action = Action("move", self.side, FrozenMap(params))
        verdict = moves.verdict_of(self.scene, action, [leg])
        if self.position.option("solo"):
            return solo.with_doctrine(self.scene, action, verdict)
        return verdict

    def _groups(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
        for size in range(2, len(units) + 1):
            for group in combinations(units, size):
                if movement.connected(self.scene, group):
                    yield group

    def _group_moves(self) -> Iterator[Offer]:
        movers = [u for u in self.units if not u.carrier]
        for group in self._groups(movers):
            for pay in self._ways("group_move", group):
                rapid = pay.get("card") == "05"
                choices = [self._group_choices(u, rapid=rapid) for u in group]
                yield from self._combined(choices, pay)

    def _combined(self, choices: list[list[FrozenMap[Value]]], pay: Params) -> Iterator[Offer]:
        if not all(choices):
            return
        for together in product(*choices):
            if any("path" in entry for entry in together) or len(together) > 1:
                yield from self._try("group_move", {"moves": tuple(together), **pay})

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

    # Fire

    def _shooters(self) -> Iterator[Unit]:
        for unit in self.units:
            if unit.cell and (
                self.scene.counter(unit).fire is not None or unit.values.get("weapon")
            ):
                yield unit

    def _enemy_hexes(self) -> list[str]:
        units = self.position.units.values()
        cells = (self.scene.cell(u) for u in units if self.scene.hostile(self.side, u))
        return sorted({cell for cell in cells if cell})

    def _fire_at_enemies(self, *, points: bool) -> Iterator[Offer]:
        for cell in self._enemy_hexes():
            for unit in self._shooters():
                yield from self._shots(unit, cell, points=points)

    def _fire_elsewhere(self) -> Iterator[Offer]:
        """At hexes that seem empty, and smoke anywhere."""
        enemies = set(self._enemy_hexes())
        for unit in self._shooters():
            for cell in self.scene.board.hexes:
                if cell not in enemies:
                    yield from self._shots(unit, cell, points=True)
                yield from self._smoke(unit, cell)

    def _arms(self, unit: Unit) -> Iterator[Params]:
        counter = self.scene.counter(unit)
        if counter.fire is not None:
            yield {}
            if counter.flame:
                yield {"mode": "flame"}
        if unit.values.get("weapon") in source.cards():
            yield {"weapon": True}

    def _shots(self, unit: Unit, cell: str, *, points: bool) -> Iterator[Offer]:
        here = self.scene.cell(unit)
        if here == cell:
            return
        kinds = list(self._arms(unit))
        if self.scene.counter(unit).indirect is not None:
            spots = self.scene.board.within(here, shooting.OBSERVER_REACH)
            kinds += [{"mode": "indirect", "observer": spot} for spot in spots]
        for arm in kinds:
            base: Params = {"unit": unit.id, "cell": cell, **arm}
            if not self._worth(base):
                continue
            yield from self._paid_shots(unit, base, points=points)

    def _worth(self, base: Params) -> bool:
        """Whether anything but the price speaks against it: asked once for all ways to pay."""
        probe = Action("fire", self.side, FrozenMap({**base, "by": "opportunity"}))
        verdict = self.plugin.check(self.position, probe)
        return all(v.rule == "COH-3.1a" for v in verdict.violations)

    def _paid_shots(self, unit: Unit, base: Params, *, points: bool) -> Iterator[Offer]:
        groups: list[tuple[Unit, ...]] = [()]
        if points:
            others = [u for u in self._shooters() if u.id != unit.id]
            near = [u for u in others if self._beside(unit, u)]
            for size in range(1, len(near) + 1):
                groups += combinations(near, size)
        probe = Action("fire", self.side, FrozenMap(base))
        fire = shooting.fire_of(self.scene, probe)
        rolls = shooting.rolls_of(self.scene, fire, self.side)
        for group in groups:
            more: Params = {"supporters": tuple(u.id for u in group)} if group else {}
            for pay in self._ways("fire", (unit, *group)):
                options = self._points(rolls) if points else iter([{}])
                for cap in options:
                    yield from self._with_bonus(
                        "fire", {**base, **more, **pay, **cap}, rolls, points=points
                    )

    def _with_bonus(
        self, kind: str, params: Params, rolls: Sequence[str], *, points: bool
    ) -> Iterator[Offer]:
        for lucky in self._lucky(params, rolls) if points else (params,):
            yield from self._try(kind, lucky)
            if points and "09" in self.hand:
                yield from self._try(kind, {**lucky, "aimed": True})

    def _beside(self, one: Unit, other: Unit) -> bool:
        return self.scene.board.distance(self.scene.cell(one), self.scene.cell(other)) <= 1

    def _smoke(self, unit: Unit, cell: str) -> Iterator[Offer]:
        if not shooting.may_smoke(self.scene, unit):
            return
        for pay in self._ways("fire", (unit,)):
            params: Params = {"unit": unit.id, "cell": cell, "mode": "smoke", **pay}
            yield from self._try("fire", params)

    def _close(self, *, groups: bool) -> Iterator[Offer]:
        for unit in self._shooters():
            here = self.scene.cell(unit)
            targets: list[Params] = [
                {"target": e.id} for e in self.scene.enemies_at(here, self.side)
            ]
            targets += [{"work": m.id} for m, _ in self.scene.works(here)]
            mates = [u for u in self._shooters() if u.cell == here and u.id != unit.id]
            bands: list[tuple[Unit, ...]] = [()]
            if groups:
                for size in range(1, len(mates) + 1):
                    bands += combinations(mates, size)
            for target, arm, band in product(targets, list(self._arms(unit)), bands):
                base: Params = {"unit": unit.id, **target, **arm}
                if band:
                    base["supporters"] = tuple(u.id for u in band)
                rolls = [str(next(iter(target.values())))]
                for pay in self._ways("close_combat", (unit, *band)):
                    for cap in self._points(rolls) if groups else iter([{}]):
                        params = {**base, **pay, **cap}
                        yield from self._with_bonus("close_combat", params, rolls, points=groups)

    # Everything else

    def _rallies(self, *, groups: bool) -> Iterator[Offer]:
        hit = [u for u in self.units if self.scene.hit_marker(u) is not None]
        sets: list[tuple[Unit, ...]] = list(self._groups(hit)) if groups else []
        for group in [*((u,) for u in hit), *sets]:
            ids = tuple(u.id for u in group)
            for pay in self._ways("rally", group):
                rolls = () if pay.get("card") == "03" else ids
                for cap in self._points(rolls):
                    for params in self._lucky({"units": ids, **pay, **cap}, rolls):
                        yield from self._try("rally", params)

    def _works(self) -> Iterator[Offer]:
        for unit in self.units:
            if unit.carrier:
                continue
            for pay in self._ways("dig_in", (unit,)):
                yield from self._try("dig_in", {"units": (unit.id,), **pay})
            if not unit.cell or not any(w.fortification for _, w in self.scene.works(unit.cell)):
                continue
            for pay in self._ways("shift", (unit,)):
                yield from self._faced("shift", {"unit": unit.id, **pay}, FACINGS)

    def _group_digging(self) -> Iterator[Offer]:
        for group in self._groups([u for u in self.units if u.cell]):
            ids = tuple(u.id for u in group)
            for pay in self._ways("dig_in", group):
                yield from self._try("dig_in", {"units": ids, **pay})

    def _hiding(self) -> Iterator[Offer]:
        light = [u for u in self.units if u.cell and self.scene.counter(u).light]
        light = [u for u in light if not self.scene.hidden(u)]
        light = [u for u in light if not self.scene.watched(u.cell, self.side)]
        for group in [*((u,) for u in light), *self._groups(light)]:
            ids = tuple(u.id for u in group)
            places = [self.scene.board.within(u.cell, 1) for u in group]
            for pay in self._ways("hide", group):
                for cells in product(*places):
                    yield from self._try("hide", {"units": ids, "cells": cells, **pay})

    def _transport(self) -> Iterator[Offer]:
        for vehicle in self.units:
            if not vehicle.cell or not self.scene.counter(vehicle).vehicle:
                continue
            aboard = self.scene.passengers(vehicle)
            for group in _subsets(aboard):
                ids = tuple(u.id for u in group)
                for pay in self._ways("unload", (vehicle,)):
                    params: Params = {"vehicle": vehicle.id, "units": ids, **pay}
                    yield from self._faced("unload", params, FACINGS)
            beside = [u for u in self.units if u.cell == vehicle.cell and u.id != vehicle.id]
            for group in _subsets(beside, most=2):
                ids = tuple(u.id for u in group)
                for pay in self._ways("load", (vehicle, *group)):
                    yield from self._try("load", {"vehicle": vehicle.id, "units": ids, **pay})

    def _cards(self) -> Iterator[Offer]:
        given = [(u, str(u.values.get("weapon"))) for u in self.units if u.values.get("weapon")]
        for key in self.hand:
            if key in cardplay.PLAYABLE:
                for params in self._card_choices(key):
                    yield from self._try("play", params)
        for unit, key in given:
            if key in cardplay.PLAYABLE and unit.cell:
                for cell in self.scene.board.within(unit.cell, 1):
                    yield from self._try("play", {"card": key, "unit": unit.id, "cell": cell})

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
            case _:
                choices = [{}]
        rolls = [key] if key in cardplay.ROLLING else []
        for choice in choices:
            for cap in self._points(rolls):
                yield from self._card_ways(key, {**base, **choice, **cap})


def _subsets(units: Sequence[Unit], most: int = 3) -> Iterator[tuple[Unit, ...]]:
    for size in range(1, min(most, len(units)) + 1):
        yield from combinations(units, size)
