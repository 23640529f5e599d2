"""What the kernel adds to a position of 170 units: reading it, checking on it, changing it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ratio import Ratio, compare

from hexmarshal.rules import FrozenMap, Position, Unit, engine
from hexmarshal.rules.state.effects import MoveUnit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def crowd() -> Position:
    """The tutorial's set-up with 170 units; most wait off the map, as reinforcements do."""
    from tutorial import Crossroads

    start = engine.start(Crossroads(), seed=1)
    waiting = {
        f"w{i:03}": Unit(
            f"w{i:03}",
            "infantry",
            "red" if i % 2 else "blue",
            steps=2,
            facing=i % 6,
            flags=frozenset({"moved"}),
            values=FrozenMap({"strength": 4, "move": i % 7}),
        )
        for i in range(164)
    }
    return replace(start, units=FrozenMap({**start.units, **waiting}))


def bonded(position: Position) -> Position:
    """The same with 100 of the waiting units tied to others: carried, possessed, towed."""
    ids = [name for name in position.units if name.startswith("w")]
    changed = []
    for i, (name, holder) in enumerate(zip(ids[:100], ids[64:], strict=True)):
        unit = position.unit(name)
        if i % 2:
            changed.append(replace(unit, carrier=holder))
        else:
            changed.append(replace(unit, bonds=FrozenMap({"tows": (holder,)})))
    return position.with_unit(*changed)


def measure() -> Iterable[Ratio]:
    from tutorial import Crossroads

    plugin = Crossroads()
    position = crowd()
    text = json.dumps(position.to_json())
    action = plugin.game.actions.make("move", "blue", unit="b1", path=["B2", "B3"])

    def decode() -> None:
        for _ in range(20):
            Position.from_json(json.loads(text))

    def bare() -> None:
        for _ in range(20):
            json.loads(text)

    def check() -> None:
        for _ in range(20):
            # A fresh position, as each call of a client brings one: nothing is remembered.
            engine.check(plugin, replace(position), action)

    def change() -> None:
        here = position
        for i in range(200):
            here = MoveUnit("b1", "B2" if i % 2 else "B3").on(here)

    plain = dict(position.units)

    def copies() -> None:
        for _ in range(200):
            plain.copy()

    tied = bonded(position)

    def tied_change() -> None:
        here = tied
        for i in range(200):
            here = MoveUnit("b1", "B2" if i % 2 else "B3").on(here)

    yield compare("read a position of 170 units / json.loads alone", decode, bare, 10)
    yield compare("check a move on it / reading it", check, decode, 1)
    yield compare("move one of 170 units / copying a dict of 170", change, copies, 60)
    yield compare("move one unit with 100 bonds / with none", tied_change, change, 1.5)
