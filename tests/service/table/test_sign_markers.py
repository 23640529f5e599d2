"""Markers that say something about the unit below them, in place of a sign on its counter."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import stranger_ruins
from stranger_ruins import PLUGIN, binding, module

from hexmarshal.errors import RulesError
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.table.placing import write_save
from hexmarshal.table.reading import TableReader

START = engine.start(PLUGIN, "drill")


def activated(*units: str) -> Position:
    known = (START.units[unit] for unit in units)
    return START.with_unit(*(replace(one, flags=one.flags | {"activated"}) for one in known))


def test_they_are_laid_on_the_units_that_they_fit_and_read_from_them() -> None:
    saved, notes = write_save(module(), binding(), PLUGIN, activated("r3", "g2"))
    assert not [note for note in notes if "activated" in note.text]
    state = saved.state()
    names = [piece.name for piece in state.pieces.values() if piece.map is not None]
    assert names.count("Attivato") == 2
    read = TableReader(module(), binding(), PLUGIN, state).read(state, START).position
    assert {u.id for u in read.units.values() if u.has("activated")} == {"r3", "g2"}


def test_they_go_with_their_unit_and_off_it_while_a_log_is_written() -> None:
    log = Recorder(module(), binding(), PLUGIN, START)

    def marked() -> dict[str, str]:
        units = log.placer.table.units(log.log.state)
        return {u: seen.where.cell for u, seen in units.items() if seen.bears("activated")}

    log.show(activated("r3"))
    assert marked() == {"r3": "0306"}
    log.drag(["r3"], ["0407"])
    assert marked() == {"r3": "0407"}
    log.show(START.with_unit(replace(START.units["r3"], cell="0407")))
    assert marked() == {}


def test_one_that_nothing_asks_for_is_told() -> None:
    log = Recorder(module(), binding(), PLUGIN, START)
    log.say("[order] r3 -> 1", "russian")
    log.show(activated("g4"))
    log.say("and on", "german")
    report = stranger_ruins.checked(log)
    wrong = [e for e in report.entries if e.status is not Status.LEGAL]
    assert any("g4" in e.units and "activated" in e.what for e in wrong)


def test_what_it_may_show_is_checked() -> None:
    with pytest.raises(RulesError) as caught:
        stranger_ruins.bound(stranger_ruins.BINDING.replace("{flags: [activated]}", "{steps: 1}"))
    assert "markers" in str(caught.value)
