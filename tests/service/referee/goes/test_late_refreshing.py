"""A turn that begins in silence: units are fresh by the rules, and turned over when they act."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from coh_goes import activate, pay, spend, untouched, without_a_word

from hexmarshal.referee.samples.log_recorder import Recorder


def second_turn() -> Recorder:
    """Both sides have a spent unit, and the tracker goes to the Actions of the next turn."""
    log = untouched()
    for unit, cell in (("g4", "1-E12"), ("s2", "1-D09")):
        side = log.position.units[unit].side
        activate(log, unit)
        log.drag([unit], [cell])
        pay(log, f"ap-{side}", 1)
        spend(log, unit)
    log.show(replace(log.position, turn=2, phase="prep"))
    log.show(replace(log.position, phase="play"))
    for side, dice in (("german", (6, 6)), ("soviet", (1, 2))):
        log.roll(6, *dice, side=side)
    return log


def test_who_is_not_turned_over_yet_is_fresh_in_the_next_turn() -> None:
    log = second_turn()
    both = frozenset({"active", "spent"})
    log.show(log.position.with_unit(replace(log.position.units["g4"], flags=both)))
    log.show(log.position.with_track("ap-german", 7))
    log.drag(["g4"], ["1-E11"])
    pay(log, "ap-german", 1)
    log.show(log.position.with_unit(replace(log.position.units["s2"], flags=frozenset())))
    assert list(without_a_word(log).violations) == []


def test_units_may_be_turned_over_after_the_first_has_acted() -> None:
    log = second_turn()
    activate(log, "g3")
    log.drag(["g3"], ["1-F11"])
    pay(log, "ap-german", 1)
    for unit in ("s2", "g4"):
        log.show(log.position.with_unit(replace(log.position.units[unit], flags=frozenset())))
    activate(log, "s2")
    log.drag(["s2"], ["1-D10"])
    pay(log, "ap-soviet", 1)
    assert list(without_a_word(log).violations) == []
