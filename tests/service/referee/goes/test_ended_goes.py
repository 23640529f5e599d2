"""Whose go it is: the button tells who ended his, wherever the marker was put."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, ROLLED, without_a_word

from hexmarshal.referee.check.ended_goes import EndedGoes
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.vassal.commands.table import Chat
from hexmarshal.vassal.saves.log import GameLog

SEATS = {side: seat for seat, side in coh_table.binding().sides.items()}


class Pressing(Recorder):
    """Players who end their goes by the button, and have the marker with the wrong side."""

    def end_go(self, side: str) -> None:
        wrong = replace(self.position, active=(side,))
        with self.log.step() as step:
            step.command(Chat(f"* Egon ({SEATS[side]}) has acted"))
            self._show_pieces(step, wrong)
        self.position = wrong

    def pay(self, side: str) -> None:
        track = f"ap-{side}"
        self.show(self.position.with_track(track, self.position.track(track) - 1))


def pressing() -> Pressing:
    """A game in its first Actions phase."""
    start = engine.start(PLUGIN, "first_steps", seed="a")
    log = Pressing(coh_table.module(), coh_table.binding(), PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]))
    log.perform(MAKE("bid", "soviet", cap=0))
    log.perform(MAKE("bid", "german", cap=0), Dice(None, given=list(ROLLED)))
    return log


MOVES = (("german", "g4", "1-E12"), ("soviet", "s2", "1-D09"), ("german", "g4", "1-E11"))


def play(log: Pressing) -> None:
    """Each side moves its active unit, pays for it and ends its go."""
    for side, unit, cell in MOVES:
        known = log.position.units[unit]
        if "active" not in known.flags:
            active = replace(known, flags=frozenset({"active"}))
            log.show(log.position.with_unit(active).with_track(f"ap-{side}", 7))
        log.drag([unit], [cell])
        log.pay(side)
        log.end_go(side)


def test_a_marker_that_goes_to_the_wrong_side_each_time_is_not_believed() -> None:
    log = pressing()
    play(log)
    report = without_a_word(log)
    assert list(report.violations) == []
    assert not [entry for entry in report.entries if entry.kind == "pass"]


def test_who_acts_before_the_other_has_ended_his_go_acts_out_of_turn() -> None:
    log = pressing()
    play(log)
    log.drag(["g4"], ["1-D11"])
    log.pay("german")
    log.end_go("german")
    (entry,) = without_a_word(log).violations
    assert (entry.units, entry.path) == (("g4",), ("1-D11",))


@pytest.mark.parametrize("sides", [("german",), ("german", "soviet")])
def test_only_who_sits_on_a_seat_of_his_own_tells_by_it_whose_go_is_over(
    sides: tuple[str, ...],
) -> None:
    log = pressing()
    log.perform(MAKE("activate", "german", unit="g4"))
    for side in sides:
        log.end_go(side)
    saved = log.finish()
    goes = EndedGoes(saved, coh_table.binding().sides, {"german", "soviet"}, "pass")
    told = [found for step in GameLog(saved).steps() if (found := goes.next_after(step))]
    assert told == ([] if len(sides) == 1 else ["soviet", "german"])
