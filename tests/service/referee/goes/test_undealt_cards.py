"""Cards that players do not deal: nobody owes them, and the referee names none that it made up."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, ROLLED

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice


def undealt() -> Recorder:
    """A game in its first Actions phase, of players who have left the cards in their deck."""
    start = engine.start(PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]), slip=lambda p: replace(p, piles=start.piles))
    for side, dice in (("soviet", ()), ("german", ROLLED)):
        log.perform(MAKE("bid", side, cap=0), Dice(None, given=list(dice)))
    return log


def drawn(count: int) -> CheckReport:
    """What is told if the Germans take so many cards in the middle of the phase."""
    log = undealt()
    log.perform(MAKE("activate", "german", unit="g5"))
    deck, hand = log.position.pile("deck"), log.position.pile("hand-german")
    piles = log.position.piles.set("deck", replace(deck, cards=deck.cards[count:]))
    taken = replace(hand, cards=deck.cards[:count])
    log.show(replace(log.position, piles=piles.set("hand-german", taken)))
    log.perform(MAKE("fire", "german", unit="g5", cell="1-E09"), Dice(None, given=[1, 1]))
    log.perform(MAKE("activate", "soviet", unit="s5"))
    return coh_table.checked(log)


def test_the_marker_of_the_turns_is_no_card_that_was_moved() -> None:
    log = undealt()
    log.perform(MAKE("pass", "german"))
    log.perform(MAKE("pass", "soviet"))
    assert log.position.turn > 1
    assert list(coh_table.checked(log).violations) == []


@pytest.mark.parametrize("count", [1, 2])
def test_who_takes_no_more_cards_than_he_is_dealt_deals_them_late(count: int) -> None:
    assert list(drawn(count).violations) == []


def test_of_more_cards_than_that_only_those_are_told_that_were_taken() -> None:
    (entry,) = drawn(3).violations
    assert [broken.rule for broken in entry.violations] == ["COH-8.0a"]
    told = entry.what.split("; ")
    assert told
    assert all(
        line.endswith("in the deck Cards by the rules, and lies in the German hand")
        for line in told
    )
