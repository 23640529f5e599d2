"""What players leave on the table otherwise than the rules: told once, and they go on from it."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import coh_table

from hexmarshal.referee.check.findings import Certainty, Entry
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice
from hexmarshal.table.placing.piece_states import show
from hexmarshal.vassal.state.placed import PlacedPiece

PLUGIN = coh_table.PLUGIN
MAKE = PLUGIN.game.actions.make


def first(log: Recorder, kind: str, fits: Callable[[Action], bool] = lambda _: True) -> Action:
    """The first action of a kind that may be done and fits."""
    side = log.position.active[0]
    offers = (offer.action for offer in engine.offers(PLUGIN, log.position, side, (kind,)))
    return next(action for action in islice(offers, 300) if fits(action))


def table(seed: str = "a") -> Recorder:
    """A game in its first Actions phase."""
    start = engine.start(PLUGIN, "first_steps", seed=seed)
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    while log.position.phase != "play":
        kind = "bid" if log.position.state == "bid" else "begin_turn"
        log.perform(first(log, kind))
    return log


def paid(way: str) -> Callable[[Action], bool]:
    return lambda action: action.params.get("by") == way


def wrong(log: Recorder) -> list[Entry]:
    return list(coh_table.checked(log.finish()).violations)


def spend(log: Recorder, most: int) -> None:
    """The active unit turns until so many action points are left."""
    side = log.position.active[0]
    while log.position.track(f"ap-{side}") > most:
        log.perform(first(log, "pivot", paid("ap")))
        log.perform(MAKE("pass", log.position.active[0]))


def test_who_goes_on_with_points_that_he_did_not_pay_is_told_of_the_price_alone() -> None:
    log = table()
    log.perform(first(log, "activate"))
    spend(log, 3)
    side = log.position.active[0]
    had = log.position.track(f"ap-{side}")
    step = log.steps + 1
    log.perform(
        first(log, "pivot", paid("ap")), slip=lambda after: after.with_track(f"ap-{side}", had)
    )
    log.perform(MAKE("pass", log.position.active[0]))
    spend(log, 0)
    (entry,) = wrong(log)
    assert (entry.first, entry.kind, entry.certainty) == (step, "pivot", Certainty.LIKELY)
    assert "Action points" in entry.violations[0].text


def test_points_that_come_back_for_nothing_are_told_when_the_track_is_set_anew() -> None:
    log = table()
    log.perform(first(log, "activate"))
    spend(log, 4)
    side, track = log.position.active[0], f"ap-{log.position.active[0]}"
    log.show(log.position.with_track(track, log.position.track(track) + 2))
    log.perform(first(log, "pivot", paid("ap")))
    log.perform(MAKE("pass", log.position.active[0]))
    log.perform(first(log, "activate"))
    log.perform(first(log, "pivot", paid("ap")))
    (entry,) = wrong(log)
    assert (entry.kind, entry.certainty) == ("change", Certainty.LIKELY)
    assert entry.what.startswith(f"Action points of {side}")


def test_a_sign_that_is_forgotten_is_never_certain() -> None:
    log = table()
    acted = first(log, "pivot", paid("opportunity"))
    unit = str(acted.params["unit"])
    log.perform(
        acted,
        slip=lambda after: after.with_unit(replace(after.units[unit], flags=frozenset())),
    )
    log.perform(MAKE("pass", log.position.active[0]))
    (entry,) = wrong(log)
    assert (entry.kind, entry.certainty) == ("pivot", Certainty.LIKELY)


def test_a_spent_unit_turned_back_and_used_again_is_told_once() -> None:
    log = table()
    acted = first(log, "pivot", paid("opportunity"))
    unit = str(acted.params["unit"])
    log.perform(acted)
    log.perform(MAKE("pass", log.position.active[0]))
    log.show(log.position.with_unit(replace(log.position.units[unit], flags=frozenset())))
    opportunity = paid("opportunity")
    log.perform(first(log, "pivot", lambda one: opportunity(one) and one.params["unit"] == unit))
    log.perform(MAKE("pass", log.position.active[0]))
    (entry,) = wrong(log)
    assert (entry.kind, entry.units) == ("change", (unit,))


def test_a_card_too_many_is_told_and_not_that_it_is_played() -> None:
    log = table("e")
    side = log.position.active[0]
    here = log.position
    deck, hand = here.pile("deck"), here.pile(f"hand-{side}")
    card = "02"
    assert card in deck.cards
    assert card not in hand.cards
    rest = list(deck.cards)
    rest.remove(card)
    piles = here.piles.set("deck", replace(deck, cards=tuple(rest)))
    piles = piles.set(f"hand-{side}", replace(hand, cards=(*hand.cards, card)))
    log.show(replace(here, piles=piles))
    log.perform(first(log, "pivot", lambda action: action.params.get("card") == card))
    (entry,) = wrong(log)
    assert (entry.kind, entry.certainty) == ("change", Certainty.LIKELY)
    assert (
        entry.what == f"card {card} is in the deck Cards by the rules, and lies in the German hand"
    )


def test_the_sign_of_the_active_left_on_a_spent_counter_says_nothing() -> None:
    log = table()
    log.perform(first(log, "activate"))
    side = log.position.active[0]
    unit = next(u.id for u in log.position.of_side(side) if "active" in u.flags)
    finish = MAKE("finish", side)
    after = engine.perform(PLUGIN, log.position, finish).position
    log.announce(finish)
    item = log.log.state.table.items[log.placer.unit_pieces[unit]]
    assert isinstance(item, PlacedPiece)
    spent = show(item.piece, "Status_Level", "2", lambda _: "")
    assert spent is not None
    with log.log.step() as step:
        step.change(item.id, spent.state_text)
    log.position = after
    log.perform(first(log, "activate"))
    log.perform(first(log, "pivot", paid("ap")))
    assert wrong(log) == []


def test_who_drew_what_is_told_by_what_lies_on_whom() -> None:
    start = table().position
    shooter = next(u for u in start.of_side(start.active[0]) if u.cell)
    aims = (
        offer.action
        for offer in engine.offers(PLUGIN, start, shooter.side, ("fire",))
        if paid("opportunity")(offer.action) and "supporters" not in offer.action.params
    )
    fire = next(aims)
    (target,) = (u for u in start.at(str(fire.params["cell"])))
    other = next(u for u in start.of_side(target.side) if u.cell and u.id != target.id)
    start = start.with_unit(replace(other, cell=target.cell, facing=target.facing))
    for picks in ([9, 2], [2, 9]):
        log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
        log.perform(fire, Dice(None, given=[6] * 4, picks=picks))
        assert len(log.position.markers) - len(start.markers) == 2
        log.perform(MAKE("pass", log.position.active[0]))
        assert wrong(log) == []


def test_a_unit_that_nobody_marked_has_had_its_action_all_the_same() -> None:
    log = table()
    opportunity = paid("opportunity")
    acted = first(log, "pivot", opportunity)
    unit = str(acted.params["unit"])
    log.perform(
        acted,
        slip=lambda after: after.with_unit(replace(after.units[unit], flags=frozenset())),
    )
    log.perform(MAKE("pass", log.position.active[0]))
    log.perform(first(log, "pivot", lambda one: opportunity(one) and one.params["unit"] == unit))
    log.perform(MAKE("pass", log.position.active[0]))
    forgotten, again = wrong(log)
    assert forgotten.violations[0].text.endswith("shows not spent")
    assert [violation.rule for violation in again.violations] == ["COH-3.1a"]
    assert again.certainty is Certainty.LIKELY


def test_who_is_carried_lies_where_his_carrier_does_and_bears_no_sign() -> None:
    start = engine.start(PLUGIN, "the_crossing", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    while log.position.phase != "play":
        offers = engine.offers(PLUGIN, log.position, log.position.active[0])
        log.perform(next(iter(offers)).action)
    if log.position.active[0] != "german":
        log.perform(MAKE("pass", log.position.active[0]))
    carrier = log.position.units["g3"].carrier
    assert carrier == "g2"
    log.perform(MAKE("activate", "german", unit=carrier))
    move = MAKE("move", "german", unit=carrier, path=["1-F08"], by="ap")
    fresh = log.position.units["g3"].flags
    log.perform(move, slip=lambda after: after.with_unit(replace(after.units["g3"], flags=fresh)))
    log.perform(MAKE("pass", log.position.active[0]))
    assert wrong(log) == []
