"""Cards that are played without a word: piles, dice and points tell which, and for whom."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import PLUGIN, by_one, hand_over, pay, table, untouched

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules.state.position import Position


def with_card(here: Position, side: str, card: str) -> Position:
    """A side has a card of the deck in its hand."""
    deck, hand = list(here.pile("deck").cards), here.pile(f"hand-{side}")
    if card not in hand.cards:
        deck.remove(card)
        hand = replace(hand, cards=(*hand.cards, card))
    piles = here.piles.set(hand.name, hand)
    return replace(here, piles=piles.set("deck", replace(here.pile("deck"), cards=tuple(deck))))


def game(side: str, card: str) -> Recorder:
    begun = untouched() if side == "german" else table(rolled=(1, 1, 6, 6), begins=side)
    start = with_card(begun.position, side, card)
    return Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)


def play(log: Recorder, side: str, card: str) -> None:
    """Lay a card out of a hand onto the pile of those that are done with."""
    here = log.position
    hand, done = here.pile(f"hand-{side}"), here.pile("discard")
    cards = list(hand.cards)
    cards.remove(card)
    piles = here.piles.set(hand.name, replace(hand, cards=tuple(cards)))
    log.show(replace(here, piles=piles.set("discard", replace(done, cards=(card, *done.cards)))))


def test_less_than_a_card_costs_an_enemy_is_told_by_the_rule_of_the_card() -> None:
    log = game("soviet", "13")
    hand_over(log, "german")
    hand_over(log, "soviet")
    play(log, "soviet", "13")
    log.roll(6, 5, side="german")
    pay(log, "cap-german", 1)
    hand_over(log, "german")
    log.drag(["g3"], ["1-F11"])
    log.show(log.position.with_track("ap-german", 6))
    (entry,) = by_one(log).violations
    assert [broken.rule for broken in entry.violations] == ["COH-C13"]


def test_a_card_is_explained_by_its_own_go_after_dice_that_nothing_explains() -> None:
    log = game("german", "06")
    hand_over(log, "soviet")
    log.roll(6, 4, 4, side="german")
    log.show(log.position.with_unit(replace(log.position.units["s3"], flags=frozenset({"spent"}))))
    hand_over(log, "german")
    play(log, "german", "06")
    pay(log, "cap-german", 2)
    log.show(log.position.with_unit(replace(log.position.units["s2"], flags=frozenset({"spent"}))))
    hand_over(log, "soviet")
    hand_over(log, "german")
    played = [entry for entry in by_one(log).entries if entry.kind == "play"]
    assert [(one.units, one.action["card"]) for one in played] == [(("s2",), "06")]
