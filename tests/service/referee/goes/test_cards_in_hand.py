"""Cards that lie in a hand were not played; which are drawn in a new turn the table tells."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

import coh_table
from coh_goes import MAKE, PLUGIN, activate, by_one, pay, spend, untouched

from hexmarshal.referee.case.mind import Sights
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.referee.traces.table_traces import TableView
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position
from hexmarshal.table.reading.bookkeeping import Books


def with_cards(here: Position) -> Position:
    """Each side has a card with which units act that are spent."""
    deck = list(here.pile("deck").cards)
    piles = here.piles
    for side in ("german", "soviet"):
        deck.remove("02")
        hand = replace(here.pile(f"hand-{side}"), cards=("02",))
        piles = piles.set(hand.name, hand)
    return replace(here, piles=piles.set("deck", replace(here.pile("deck"), cards=tuple(deck))))


def test_a_card_that_lies_in_its_hand_has_paid_for_nothing() -> None:
    here = with_cards(untouched().position)
    fire = MAKE("fire", "german", unit="g5", cell="1-E09", by="card", card="02")
    after = engine.perform(PLUGIN, here, fire, Dice(None, given=[1, 2])).position
    for shown, lies_there in ((here, True), (after, False)):
        piles = {name: pile.cards for name, pile in shown.piles.items()}
        sights = Sights({}, {}, piles=lambda piles=piles: piles)  # type: ignore[misc]
        view = TableView(Books(coh_table.binding(), PLUGIN.game), sights, {})
        assert view.is_in_hand(here, after) == lies_there


def draw(log: Recorder, side: str) -> None:
    """Take the card from the bottom of the deck."""
    here = log.position
    *rest, card = here.pile("deck").cards
    hand = here.pile(f"hand-{side}")
    piles = here.piles.set(hand.name, replace(hand, cards=(*hand.cards, card)))
    log.show(replace(here, piles=piles.set("deck", replace(here.pile("deck"), cards=tuple(rest)))))


def test_the_cards_of_a_new_turn_are_those_that_players_draw() -> None:
    start = engine.start(PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    for side in ("german", "soviet"):
        draw(log, side)
        draw(log, side)
        log.roll(6, *((6, 5) if side == "german" else (1, 2)), side=side)
    log.show(replace(log.position, phase="play"))
    activate(log, "g3")
    log.drag(["g3"], ["1-F11"])
    spend(log, "g3")
    log.show(replace(log.position, turn=2, phase="prep"))
    # With this the turn has begun, and cards were drawn by the rules.
    log.show(log.position.with_unit(replace(log.position.units["g3"], flags=frozenset())))
    for side, dice in (("german", (4, 4)), ("soviet", (1, 3))):
        log.roll(6, *dice, side=side)
    for side in ("german", "soviet"):
        draw(log, side)
    log.show(replace(log.position, phase="play"))
    activate(log, "s2")
    log.drag(["s2"], ["1-D09"])
    pay(log, "ap-soviet", 1)
    told = [entry.what for entry in by_one(log).violations]
    assert not [what for what in told if "card" in what]
