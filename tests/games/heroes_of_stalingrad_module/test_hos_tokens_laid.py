"""Tokens laid by both sides at once, one too many, and exchanged: each told once, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_hos_silent_turn import (
    ORDERS,
    PLUGIN,
    action,
    checked,
    drag_from_under,
    turn_up,
)

from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.binding import Binding

RUSSIAN = [("russian", unit, str(token)) for token, unit in enumerate(ORDERS["russian"], 1)]
GERMAN = [("german", unit, str(token)) for token, unit in enumerate(ORDERS["german"], 1)]


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


def token(side, unit, number):
    return Marker(
        f"order-{unit}",
        "order",
        side,
        unit=unit,
        values=FrozenMap({"token": number}),
        known_to=frozenset((side,)),
        face="order",
    )


def put(recorder, *tokens, gone=()):
    """Lay tokens, whether they may lie there or not."""
    markers = recorder.position.markers.without(*gone)
    for one in tokens:
        markers = markers.set(one.id, one)
    recorder.show(replace(recorder.position, markers=markers))


def played(module, binding, laid, *turned):
    """What is laid and said in the Order Phase; then tokens are turned up, and r1 moves."""
    recorder = Recorder(module, binding, PLUGIN, engine.start(PLUGIN, "drill"))
    for one in laid:
        if callable(one):
            one(recorder)
        elif isinstance(one, str):
            recorder.announce(action("end_orders", one))
        else:
            put(recorder, token(*one))
    after = replace(recorder.position, phase="activation", state="reveal", active=("russian",))
    recorder.show(after)
    for unit in turned or ("r3", "g2", "r4", "g3", "r1"):
        turn_up(recorder, unit)
    drag_from_under(recorder, "r1", ("0405",))
    return checked(module, binding, recorder.finish())


def told(report):
    return [(e.first, e.units, [v.rule for v in e.violations]) for e in report.violations]


@pytest.mark.parametrize(
    "laid",
    [
        (*GERMAN, "german", *RUSSIAN, "russian"),
        (*GERMAN, *RUSSIAN, "russian", "german"),
        (RUSSIAN[0], GERMAN[0], RUSSIAN[1], GERMAN[1], "german", RUSSIAN[2], "russian"),
    ],
)
def test_both_sides_may_lay_their_tokens_at_once(module, binding, laid):
    """HOS-2.9: they may agree to; nobody says so in the chat."""
    assert told(played(module, binding, laid)) == []


@pytest.mark.parametrize("number", ["2", "4", "special"])
@pytest.mark.parametrize("ends", [("russian", "german"), ()])
def test_one_token_too_many_is_told_once_by_its_rule(module, binding, number, ends):
    """Whether a side says that it has laid all, or the tracker shows it."""
    extra = ("russian", "r2", number)
    laid = (*RUSSIAN, extra, *ends[:1], *GERMAN, *ends[1:])
    rule = "HOS-2.12" if number == "special" else "HOS-2.5"
    assert told(played(module, binding, laid)) == [(4, ("r2",), [rule])]


@pytest.mark.parametrize("first", [True, False])
def test_of_two_tokens_alike_nobody_waits_for_the_one_that_lies_face_down(module, binding, first):
    """Whichever of them was laid first."""
    extra = ("russian", "r2", "2")
    laid = (extra, *RUSSIAN) if first else (*RUSSIAN, extra)
    found = told(played(module, binding, (*laid, "russian", *GERMAN, "german")))
    assert [rules for _, _, rules in found] == [["HOS-2.5"]]


def test_a_token_that_was_refused_and_laid_all_the_same_is_told_once(module, binding):
    def twice(recorder):
        recorder.announce(action("order", "russian", unit="r4", token="1"))
        put(recorder, token("russian", "r4", "1"))

    laid = (RUSSIAN[0], twice, ("russian", "r1", "2"), "russian", *GERMAN, "german")
    found = told(played(module, binding, laid, "r3", "g2", "r1"))
    assert [rules for _, units, rules in found if "r4" in units] == [["HOS-2.5"]]
    assert not [units for _, units, _ in found if "r1" in units]


def exchange(recorder):
    """Tokens 2 and 3 change places."""
    put(recorder, token("russian", "r1", "2"), token("russian", "r4", "3"))


def move_on(recorder):
    """Token 2 goes from r4 to r2."""
    put(recorder, token("russian", "r2", "2"), gone=("order-r4",))


@pytest.mark.parametrize(
    ("change", "units", "turned"),
    [
        (exchange, ("r4", "r1"), ("r3", "g2", "r1")),
        (move_on, ("r4", "r2"), ("r3", "g2", "r2", "g3", "r1")),
    ],
)
def test_tokens_exchanged_after_all_are_placed_are_told_once(
    module, binding, change, units, turned
):
    """And whoever bears a token then acts by it."""
    laid = (*RUSSIAN, "russian", *GERMAN, "german", change)
    ((_, concerned, rules),) = told(played(module, binding, laid, *turned))
    assert ({*concerned}, rules) == ({*units}, ["HOS-2.9"])


@pytest.mark.parametrize(
    ("change", "turned"),
    [(exchange, ("r3", "g2", "r1")), (move_on, ("r3", "g2", "r2", "g3", "r1"))],
)
def test_who_may_still_lay_tokens_may_exchange_them(module, binding, change, turned):
    laid = (*RUSSIAN, *GERMAN, "german", change, "russian")
    assert told(played(module, binding, laid, *turned)) == []
