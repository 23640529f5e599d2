"""Heroes of Stalingrad played without a word: what is wrong is told by its own rule, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

from game_table import table

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice

_TABLE = table("heroes_of_stalingrad")
_ORDERS = {"russian": ("r3", "r4", "r1"), "german": ("g2", "g3")}


def _begun() -> Recorder:
    """Tokens are laid, and the tracker shows that units are activated."""
    log, make = _TABLE.game("drill"), _TABLE.plugin.game.actions.make
    for side, units in _ORDERS.items():
        for token, unit in enumerate(units, 1):
            order = make("order", side, unit=unit, token=str(token))
            log.show(engine.perform(_TABLE.plugin, log.position, order, Dice(None)).position)
        over = make("end_orders", side)
        log.show(engine.perform(_TABLE.plugin, log.position, over, Dice(None)).position)
    return log


def _told(log: Recorder) -> list[tuple[tuple[str, ...], str]]:
    found = _TABLE.checked(log).violations
    return [(entry.units, v.rule) for entry in found for v in entry.violations]


def test_who_moves_without_a_token_takes_nobody_his_go() -> None:
    log = _begun()
    log.drag(["r3"], ["0407"])
    log.drag(["g1"], ["1203"])
    log.drag(["g2"], ["1104", "1003", "0902", "0801", "0701"])
    log.drag(["r4"], ["0308"])
    assert _told(log)[:2] == [(("g1",), "HOS-2.20"), (("g2",), "HOS-2.30")]


def test_who_is_taken_off_after_a_miss_was_not_hit() -> None:
    log = _begun()
    log.drag(["r3"], ["0406", "0506"])
    log.drag(["g2"], ["1105", "1005"])
    log.roll(6, 1, side="russian")
    known = log.position.units["g3"]
    log.show(log.position.with_unit(replace(known, steps=1)))
    log.drag(["r1"], ["0405"])
    assert _told(log) == [(("g3", "r4"), "HOS-2.87")]
