"""Random games end without a finding, and replay; the secrets of a turn stay secrets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tow_ground import game

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.pieces import Pile


@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_random_game_ends_without_a_finding(seed: str) -> None:
    played = play_game(game(), seed, scenario="exercise")
    assert played.findings == []
    assert played.winners is not None


@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_the_scenarios_of_the_book_begin(scenario: str) -> None:
    """The first actions; whole games take the better part of a minute and are played by hand."""
    played = play_game(game(), "begin", scenario=scenario, max_actions=25)
    assert [finding.kind for finding in played.findings] == ["no end"]


OTHER_READINGS = {
    option.param.name: option.param.choices[-1]
    if option.param.choices
    else 40
    if option.param.name == "bid"
    else not option.default
    for option in game().game.options
    if option.param.name != "book_only"
}


def test_every_switch_can_be_played() -> None:
    played = play_game(game(), "c", scenario="exercise", options=OTHER_READINGS)
    assert played.findings == []
    assert played.winners is not None


def test_by_the_book_alone_the_game_stops_at_the_first_missing_table() -> None:
    played = play_game(game(), "d", scenario="exercise", options={"book_only": True})
    (finding,) = played.findings
    assert "the table is not in the book: Luftwaffe reorganisation" in finding.text


def test_the_soviets_cannot_tell_which_tokens_and_markers_the_axis_holds() -> None:
    start = engine.start(game(), "race", seed=1)
    views = []
    for hand, drawn in (
        (("okh-1", "a6"), ("offensive-1", "defensive-1")),
        (("pza1", "a8"), ("defensive-1", "defensive-2")),
    ):
        tokens = ("pza1", "pza4", "a6", "a8", "okh-1", "okh-2")
        pool = tuple(t for t in tokens if t not in hand)
        box = tuple(m for m in game().tables.air_markers if m not in drawn)
        position = replace(
            start.with_pile(
                Pile("axis-hand", hand, "axis", frozenset({"axis"})),
                Pile("axis-pool", pool, "axis", frozenset({"axis"})),
                Pile("luftwaffe-drawn", drawn, "axis", frozenset({"axis"})),
                Pile("luftwaffe", box, known_to=frozenset()),
            ),
            turn=2,
            phase="action",
        )
        views.append(engine.view(game(), position, "soviet").to_json())
    assert views[0] == views[1]


def test_the_axis_is_asked_about_an_interrupt_whatever_he_holds() -> None:
    """A window that opened for OKH tokens alone would give them away."""
    blank = game().blank()
    seen = []
    for held in ("okh-1", "a6"):
        position = replace(
            blank.with_pile(
                Pile("axis-hand", (held,), "axis", frozenset({"axis"})),
                Pile("turn-track", tuple(t for t in ("okh-1", "okh-2") if t != held)),
                Pile("axis-pool", tuple(t for t in ("pza1", "a6") if t != held), "axis"),
                Pile("cup", ("stavka",), known_to=frozenset()),
            ),
            turn=2,
            generator=None,
        )

        draw = game().game.actions.make("draw", "axis")
        after = engine.perform(game(), position, draw, Dice(picks=[1])).position
        seen.append((after.state, engine.view(game(), after, "soviet").active))
    assert seen[0] == seen[1] == ("interrupt", ("axis",))
