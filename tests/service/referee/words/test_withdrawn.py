"""What players announced or dragged by mistake, and took back some time later."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, activate, pay, table, untouched

from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.samples.log_recorder import Recorder

BLOCKED = MAKE("fire", "german", unit="g5", cell="1-E05")
OPEN = MAKE("fire", "german", unit="g5", cell="1-E09")


def fired(log: Recorder) -> None:
    """A shot that misses, with its price."""
    log.announce(OPEN)
    log.roll(6, 1, 1, side="german")
    pay(log, "ap-german", 2)


def test_a_shot_without_dice_that_another_replaces_was_not_made() -> None:
    log = untouched()
    activate(log, "g5")
    log.announce(BLOCKED)
    fired(log)
    report = coh_table.checked(log)
    assert list(report.violations) == []
    taken = [entry.what for entry in report.entries if entry.status is Status.TAKEN_BACK]
    assert taken == ["[german: fire] g5 -> 1-E05"]


def test_a_shot_without_dice_that_was_called_a_mistake_was_not_made() -> None:
    log = untouched()
    activate(log, "g5")
    log.announce(BLOCKED)
    log.say("oops, no line there", "german")
    log.drag(["g5"], ["1-E11"])
    pay(log, "ap-german", 2)
    assert list(coh_table.checked(log).violations) == []


def test_a_shot_is_made_whatever_is_said_before_its_dice() -> None:
    log = untouched()
    activate(log, "g5")
    log.announce(BLOCKED)
    log.say("no cover there", "german")
    log.roll(6, 1, 1, side="german")
    pay(log, "ap-german", 2)
    (entry,) = coh_table.checked(log).violations
    assert (entry.kind, entry.violations[0].rule) == ("fire", "COH-6.0a")


def test_a_shot_without_dice_is_not_certain_if_others_shoot_instead() -> None:
    log = table()
    log.perform(MAKE("activate", "german", unit="g5"))
    log.announce(BLOCKED)
    log.announce(MAKE("fire", "german", unit="g4", cell="1-E09"))
    log.roll(6, 1, 1, side="german")
    entry, *_ = coh_table.checked(log).violations
    assert (entry.kind, entry.certainty) == ("fire", Certainty.LIKELY)


def test_a_unit_dragged_wrongly_may_be_put_back_after_a_shot() -> None:
    log = untouched()
    activate(log, "g5")
    log.drag(["g3"], ["1-F10"])
    fired(log)
    log.drag(["g3"], ["1-F12"])
    report = coh_table.checked(log)
    assert list(report.violations) == []
    assert [e.kind for e in report.entries if e.status is Status.LEGAL][-1] == "fire"


def test_who_names_a_card_and_then_does_what_it_is_for_has_played_it() -> None:
    log = table()
    hand = log.position.pile("hand-german")
    card = "02"
    held = replace(hand, cards=(card, *hand.cards[1:]))
    deck = log.position.pile("deck")
    left = replace(deck, cards=(*(c for c in deck.cards if c != card), hand.cards[0]))
    piles = log.position.piles.set("hand-german", held).set("deck", left)
    start = replace(log.position, piles=piles)
    log = Recorder(coh_table.module(), coh_table.binding(), coh_table.PLUGIN, start)
    log.say(f"[play] {card}", "german")
    log.drag(["g2"], ["1-D12"])
    gone = replace(held, cards=held.cards[1:])
    discard = replace(log.position.pile("discard"), cards=(card,))
    log.show(
        replace(
            log.position,
            piles=log.position.piles.set("hand-german", gone).set("discard", discard),
        )
    )
    log.show(replace(log.position, active=("soviet",)))
    report = coh_table.checked(log)
    assert list(report.violations) == []
    assert [e.kind for e in report.entries if e.status is Status.TAKEN_BACK] == ["play"]
