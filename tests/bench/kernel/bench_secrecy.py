"""What windows for reactions cost that standing orders close: a march of eight squares."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ratio import Ratio, compare

from hexmarshal.rules import FrozenMap, Unit, engine
from hexmarshal.rules.state.effects import MoveUnit, SetKnowledge, apply_effects
from hexmarshal.rules.state.ledger import Ledger

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

PATH = ("0202", "0203", "0204", "0203", "0202", "0103", "0203", "0304")


def measure() -> Iterable[Ratio]:
    from tutorial2 import Picket, marching

    plugin = Picket()
    make = plugin.game.actions.make
    start = engine.start(plugin, seed=1)
    waiting = {
        f"w{i:03}": Unit(f"w{i:03}", "patrol", "red" if i % 2 else "blue") for i in range(164)
    }
    start = replace(start, units=FrozenMap({**start.units, **waiting}))
    orders = FrozenMap({"orders": FrozenMap({"b1": PATH})})
    start = apply_effects(start, [SetKnowledge("blue", orders)])
    passing = make("standing_order", "red", decision="reaction", order="pass_phase")
    for action in (passing, make("ready", "red")):
        start = engine.perform(plugin, start, action).position
    ready = make("ready", "blue")

    def march() -> None:
        for _ in range(20):
            done = engine.perform(plugin, replace(start), ready)
            assert (done.position.turn, done.position.unit("b1").cell) == (2, PATH[-1])

    def plain_step(ledger: Ledger, name: str, cell: str) -> bool:
        ledger.do(MoveUnit(name, cell))
        marching._come_out(ledger)
        return False

    def without_windows() -> None:
        step, marching._step = marching._step, plain_step
        try:
            march()
        finally:
            marching._step = step

    yield compare(
        "a march of eight squares with windows closed / without windows",
        march,
        without_windows,
        2.0,
    )
