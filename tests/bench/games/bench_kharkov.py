"""Kharkov's full set-up: what a check, the odds and the first offers cost against reading it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from ratio import Ratio, compare

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.rules import Position, engine
from hexmarshal.rules.values import FrozenMap


def measure() -> Iterable[Ratio]:
    plugin = Kharkov()
    make = plugin.game.actions.make
    start = engine.start(plugin, "campaign", seed=1)
    text = json.dumps(start.to_json())
    far = (
        offer.action
        for offer in engine.offers(plugin, start, "soviet", ("move",))
        if len(offer.action.texts("path")) >= 4
    )
    # The engine remembers what it said of the last action: so that it cannot, two take turns.
    moves = (next(far), next(far))
    move = moves[0]
    combat = engine.perform(plugin, start, make("end_phase", "soviet")).position
    attacks = (o.action for o in engine.offers(plugin, combat, "soviet"))
    attack = max(
        (a for a in attacks if a.kind == "attack"), key=lambda a: len(a.texts("attackers"))
    )
    asked = FrozenMap({name: attack.texts(name) for name in ("attackers", "targets")})

    def decode() -> None:
        for _ in range(10):
            Position.from_json(json.loads(text))

    # A fresh position each time, as each call of a client brings one: nothing is remembered.
    def check_move() -> None:
        for _ in range(10):
            engine.check(plugin, replace(start), move)

    def odds() -> None:
        for _ in range(10):
            engine.ask(plugin, replace(combat), "odds", asked, "soviet")

    def first_offers() -> None:
        for _ in range(10):
            offers = engine.offers(plugin, replace(start), "soviet")
            # The first is the end of the phase, which costs nothing: the second is a real one.
            next(offers)
            next(offers)

    known = engine.view(plugin, start, "soviet")

    def asked_checks() -> None:
        for i in range(100):
            engine.check(plugin, start, moves[i % 2])

    def own_checks() -> None:
        for i in range(100):
            plugin.check(known, moves[i % 2])

    yield compare("kharkov: a check / the plugin's own", asked_checks, own_checks, 1.2)
    yield compare("kharkov: check a move / reading the position", check_move, decode, 3)
    yield compare("kharkov: odds of a large attack / reading the position", odds, decode, 3)
    yield compare("kharkov: the first real offer / checking a move", first_offers, check_move, 5)
