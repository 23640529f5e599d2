"""Units that are out of the game by a marker laid on them; the counter is taken off later."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, activate, hand_over, pay, spend, table, untouched

from hexmarshal.referee.check.findings import CheckReport, Entry
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.state.pieces import Marker

KILLED = "foot-kia"


def told(report: CheckReport) -> list[tuple[str, str]]:
    return [(entry.what, entry.violations[0].text) for entry in report.violations]


def shot_at_s5(log: Recorder | None = None) -> Recorder:
    """One that hits, and not by as much as destroys at once."""
    log = log or untouched()
    activate(log, "g5")
    log.announce(MAKE("fire", "german", unit="g5", cell="1-E09"))
    log.roll(6, 6, 4, side="german")
    pay(log, "ap-german", 2)
    return log


def mark(log: Recorder) -> None:
    """Draw the Killed marker, and lay it on the unit."""
    pile = log.position.pile("hits-foot")
    left = [card for card in pile.cards if card != KILLED]
    assert len(left) == len(pile.cards) - 1
    marker = Marker("hit-s5", KILLED, "soviet", unit="s5")
    log.show(log.position.with_pile(replace(pile, cards=tuple(left))).with_marker(marker))


def clear(log: Recorder) -> None:
    """Take the marker away, and then the counter."""
    pile, here = log.position.pile("hits-foot"), log.position
    back = replace(pile, cards=tuple(sorted((*pile.cards, KILLED))))
    log.show(replace(here, markers=here.markers.without("hit-s5")).with_pile(back))
    lost = replace(log.position.units["s5"], cell="", box="destroyed-soviet", facing=None)
    log.show(log.position.with_unit(lost))


def book(log: Recorder) -> None:
    """What the loss costs its side, and brings the other."""
    gone = {"cap-soviet": -1, "losses-soviet": 1, "vp-german": 1}
    here = log.position
    for track, by in gone.items():
        here = here.with_track(track, here.track(track) + by)
    log.show(here)


def goes(log: Recorder) -> None:
    """Two goes of one hex each, by units that are spent with that."""
    for unit, cell in (("s2", "1-D09"), ("g3", "1-F11")):
        hand_over(log, log.position.units[unit].side)
        log.drag([unit], [cell])
        spend(log, unit)


def end(log: Recorder) -> None:
    """Both sides pass, and the turn is over."""
    log.announce(MAKE("pass", "soviet"))
    log.announce(MAKE("pass", "german"))
    log.show(replace(log.position, turn=2, phase="prep", active=("german", "soviet")))


def shots(report: CheckReport) -> list[Entry]:
    return [entry for entry in report.entries if entry.kind == "fire"]


def test_who_lies_under_such_a_marker_is_gone_until_the_counter_is_taken_off() -> None:
    log = shot_at_s5()
    mark(log)
    goes(log)
    clear(log)
    book(log)
    report = coh_table.checked(log)
    assert told(report) == []
    (shot,) = shots(report)
    assert "s5 is destroyed" in shot.result


def test_the_marker_may_be_drawn_after_the_next_go() -> None:
    log = shot_at_s5()
    goes(log)
    mark(log)
    clear(log)
    book(log)
    report = coh_table.checked(log)
    assert told(report) == []
    (shot,) = shots(report)
    assert "s5 is destroyed" in shot.result


def test_who_fell_and_was_left_on_the_map_is_told_when_the_phase_is_over() -> None:
    log = shot_at_s5()
    mark(log)
    book(log)
    goes(log)
    end(log)
    found = [e for e in coh_table.checked(log).violations if "s5" in e.units]
    assert [(e.kind, e.violations[0].rule) for e in found] == [("fire", "COH-7.0b")]
    assert "left on the map" in found[0].violations[0].text


def test_of_a_loss_that_was_told_as_not_carried_out_nothing_is_booked() -> None:
    pinned = Marker("hit-s5", "foot-pinned", "soviet", unit="s5")
    start = table().position.with_marker(pinned)
    left = list(start.pile("hits-foot").cards)
    left.remove(pinned.kind)
    start = start.with_pile(replace(start.pile("hits-foot"), cards=tuple(left)))
    log = shot_at_s5(Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start))
    goes(log)
    end(log)
    (entry,) = coh_table.checked(log).violations
    text = "; ".join(broken.text for broken in entry.violations)
    assert "s5 is destroyed by the rules, and lies on 1-E09" in text
    assert "Command points" not in text
    assert "Units lost" not in text
