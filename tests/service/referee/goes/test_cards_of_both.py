"""Cards that both sides draw without a word, where one of them is carried out at once."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

import coh_table
from coh_goes import MAKE, PLUGIN
from muted_log import muted

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine


def test_a_card_that_is_carried_out_when_it_is_drawn_tells_who_drew_it() -> None:
    start = engine.start(PLUGIN, "the_crossing", seed="d")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]))
    assert log.position.track("vp-soviet") != start.track("vp-soviet")
    log.perform(MAKE("plot", "german", card="oba_german", cell="1-F09"))
    report = coh_table.checked(muted(log.finish()))
    assert [entry.kind for entry in report.entries] == ["begin_turn", "plot"]
    assert list(report.violations) == []
