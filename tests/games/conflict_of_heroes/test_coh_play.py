"""Random games end, replay alike, keep every invariant, and betray no secret to the other seat."""

from __future__ import annotations

import json

import pytest
from coh_player import play

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.cases.coverage import coverage_of
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.disclosure import shown
from hexmarshal.rules.state.effect_shapes import effect_to_json
from hexmarshal.rules.state.effects import apply_effects

COH = ConflictOfHeroes()


@pytest.mark.parametrize("seed", range(1, 13))
def test_a_random_drill_ends_without_findings(seed: int) -> None:
    played = play_game(COH, f"{seed}", scenario="drill")
    assert not played.findings
    assert played.winners is not None


@pytest.mark.parametrize("scenario", ["four_hands", "first_steps", "the_crossing"])
def test_random_games_of_the_others_begin_without_findings(scenario: str) -> None:
    played = play_game(COH, "5", scenario=scenario, max_actions=8)
    assert all(f.kind == "no end" for f in played.findings), played.findings


@pytest.mark.parametrize(
    "options",
    [
        {"variable_ap": True, "fog_of_war": True},
        {"cautious_movement": True},
        {"solo": "soviet"},
        {"balance": {"soviet": 1}},
    ],
    ids=str,
)
def test_every_switch_can_be_played(options: dict[str, object]) -> None:
    played = play_game(COH, "3", scenario="drill", options=options)
    assert not played.findings


def test_every_rule_is_cited_and_tested() -> None:
    assert coverage_of(COH).problems() == []


@pytest.mark.parametrize("scenario", ["drill", "first_steps", "the_crossing"])
def test_no_view_or_account_betrays_a_secret(scenario: str) -> None:
    """Play at random; whatever one side may not know never appears in what it is shown."""
    position = engine.start(COH, scenario, None, 11)
    choices = Generator(f"secrets of {scenario}")
    for _ in range(40):
        if COH.outcome(position) is not None:
            break
        side = position.active[0]
        offered = []
        for offer in engine.offers(COH, position, side):
            offered.append(offer.action)
            if len(offered) == 120:
                break
        index, choices = choices.below(len(offered))
        views = {s: engine.view(COH, position, s) for s in position.sides}
        applied = engine.perform(COH, position, offered[index])
        after = applied.position
        assert apply_effects(position, applied.effects).units == after.units
        for seat in after.sides:
            seen = engine.view(COH, after, seat)
            told = shown(
                offered[index],
                applied.effects,
                applied.resolutions,
                applied.rolls,
                views[seat],
                seen,
            )
            text = json.dumps(
                [
                    seen.to_json(),
                    told.action.to_json(),
                    [effect_to_json(effect) for effect in told.effects],
                    [resolution.to_json() for resolution in told.resolutions],
                ]
            )
            for unit in after.units.values():
                if unit.seen_by is not None and seat not in unit.seen_by:
                    assert unit.id not in seen.units
                    about = [
                        effect
                        for effect in (effect_to_json(e) for e in told.effects)
                        if unit.id in (effect.get("unit"), effect.get("id"))
                    ]
                    # Who goes into hiding is seen to be gone, but not where to.
                    assert not about or unit.id in views[seat].units
                    assert not any("cell" in effect for effect in about)
            for marker in after.markers.values():
                if marker.known_to is not None and seat not in marker.known_to:
                    assert seen.markers[marker.id].kind == "hit"
            for pile in after.piles.values():
                if pile.known_to is not None and seat not in pile.known_to:
                    assert set(seen.pile(pile.name).cards) <= {"?"}
            for marker in after.markers.values():
                if marker.seen_by is not None and seat not in marker.seen_by:
                    assert marker.id not in seen.markers
                    assert f'"{marker.id}"' not in text.replace(f'"kind": "{marker.kind}"', "")
        position = after


def test_the_random_player_activates_units_and_spends_their_points() -> None:
    games = [
        play_game(COH, f"points {seed}", scenario="first_steps", check_replay=False)
        for seed in range(4)
    ]
    events = [event for game in games for event in game.record.events]
    activated = sum(game.kinds.get("activate", 0) for game in games)
    paid = sum(event.action.get("by") == "ap" for event in events)
    # Once it was 13 of 795: what there are a hundred of left nothing to what there is one of.
    assert activated * 33 > len(events)
    assert paid * 40 > len(events)


def test_a_shot_at_a_hidden_unit_that_misses_looks_like_a_shot_at_nothing() -> None:
    start = engine.start(COH, "drill", None, 4)
    document = start.to_json() | {"phase": "play", "active": ["german"]}
    document.pop("state")
    with_unit = type(start).from_json(document)
    units = {k: v for k, v in document["units"].items() if k != "s2"}  # type: ignore[attr-defined]
    without = type(start).from_json({**document, "units": units})
    action = COH.game.actions.make("fire", "german", unit="g2", cell="9-D05", by="opportunity")
    told = []
    for position in (with_unit, without):
        assert engine.check(COH, position, action) == engine.check(COH, with_unit, action)
        from hexmarshal.rules.dice import Dice

        applied = engine.perform(COH, position, action, Dice(given=[2, 2]))
        before, after = (engine.view(COH, p, "german") for p in (position, applied.position))
        account = (applied.effects, applied.resolutions, applied.rolls)
        told.append((shown(action, *account, before, after), after.to_json()))
    assert told[0] == told[1]


def test_naming_a_hidden_unit_is_the_same_error_as_naming_none() -> None:
    start = engine.start(COH, "drill", None, 4)
    from hexmarshal.errors import RulesError

    errors = []
    for name in ("s2", "nobody"):
        action = COH.game.actions.make("close_combat", "german", unit="g1", target=name)
        with pytest.raises(RulesError) as caught:
            engine.check(COH, start, action)
        errors.append((caught.value.code, caught.value.place, str(caught.value).replace(name, "X")))
    assert errors[0] == errors[1]


def test_both_training_firefights_have_four_to_six_units_a_side() -> None:
    training = [k for k, card in COH.cards.items() if card.data.get("training", True)]
    assert training == ["first_steps", "the_crossing"]
    for key in training:
        for force in COH.cards[key].data["forces"].values():
            assert 4 <= len(force["units"]) <= 6


@pytest.mark.parametrize("scenario", ["first_steps", "the_crossing"])
def test_a_player_with_a_plan_comes_to_an_end_too(scenario: str) -> None:
    """A random player never repeats what costs nothing; one who plans to may do so for ever."""
    position, actions = play(scenario, "even 0")
    assert COH.outcome(position) is not None
    assert actions > 40
