"""Units of the other side, dragged in the middle of a fight, do not tell that it is over."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from kharkov_table import checked, game, start

from hexmarshal.rules.values import FrozenMap

TANKS = ("tnk-01", "tnk-02", "tnk-03")


def test_who_is_dragged_as_no_phase_lets_him_has_not_begun_the_next_one() -> None:
    here = start("soviet_combat", "soviet")
    for unit in TANKS:
        shown = FrozenMap({**here.units[unit].values, "ladder": ("5-5-11",)})
        here = here.with_unit(replace(here.units[unit], values=shown))
    log = game(here)
    log.say("[soviet: attack] tnk-01 tnk-02 tnk-03 -> 0715 air=no", side="soviet")
    log.say("[axis: air_defence] no", side="axis")
    log.roll(6, 1, side="soviet")
    log.roll(6, 1, side="soviet")
    log.drag(["sec-454"], ["0816"])
    log.drag(["tnk-01"], ["0715"])
    # The first would be early, and the second may not go there in his own phase either.
    log.drag(["pz-6-3"], ["1014"])
    log.drag(["inf-79"], ["0414", "0413"])
    log.drag(["tnk-02"], ["0715"])
    entries = checked(log).entries
    assert [entry.units for entry in entries if entry.kind == "advance"] == [
        ("tnk-01",),
        ("tnk-02",),
    ]
