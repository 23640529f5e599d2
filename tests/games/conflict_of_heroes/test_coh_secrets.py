"""What one seat may not know never reaches it: not in views, events, lists, verdicts or answers.

The proof is by twins: two truths that differ only in the enemy's secrets must look the same from
the seat, whatever it asks for and whatever it tries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.state.disclosure import shown
from hexmarshal.rules.state.effect_shapes import effect_to_json
from hexmarshal.rules.state.pieces import Marker, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Applied

COH = ConflictOfHeroes()
NEAR = ("9-C05", "9-D03", "9-D04", "9-D05", "9-E04", "9-E05", "9-F05")
QUERIES: tuple[tuple[str, dict[str, str]], ...] = (
    ("view", {"cell": "9-E05"}),
    ("sight", {"cell": "9-E02", "target": "9-D05"}),
    ("hex", {"cell": "9-D05"}),
    ("reach", {"unit": "g1"}),
    ("odds", {"unit": "g2", "cell": "9-D05"}),
    ("odds", {"unit": "g2", "cell": "9-E06"}),
    ("values", {"unit": "g1"}),
    ("control", {}),
    ("score", {}),
)


def twins(position: Position, seat: str) -> Position:
    """The same for this seat: hidden things gone, cards and markers others, dice others."""
    units = {k: u for k, u in position.units.items() if u.seen_by is None or seat in u.seen_by}
    markers = {}
    for key, marker in position.markers.items():
        if marker.seen_by is not None and seat not in marker.seen_by:
            continue
        if marker.unit and marker.unit not in units:
            continue
        if marker.known_to is not None and seat not in marker.known_to:
            pool = marker.kind.partition("-")[0]
            marker = replace(marker, kind=f"{pool}-suppressed")
        markers[key] = marker
    piles = {
        k: pile
        if pile.known_to is None or seat in pile.known_to
        else replace(pile, cards=tuple(reversed(pile.cards)))
        for k, pile in position.piles.items()
    }
    own = position.knowledge.get(seat)
    return replace(
        position,
        units=FrozenMap(units),
        markers=FrozenMap(markers),
        piles=FrozenMap(piles),
        knowledge=FrozenMap({seat: own} if own is not None else {}),
        generator=Generator("another seed"),
    )


def walk(scenario: str, seed: int, steps: int) -> Iterator[tuple[Position, Action, Applied]]:
    """A random game: each position with the action done there and its account."""
    position = engine.start(COH, scenario, None, seed)
    choices = Generator(f"walk {scenario} {seed}")
    for _ in range(steps):
        if COH.outcome(position) is not None:
            return
        offers = engine.offers(COH, position, position.active[0])
        offered = [offer.action for offer in islice(offers, 90)]
        index, choices = choices.below(len(offered))
        applied = engine.perform(COH, position, offered[index])
        yield position, offered[index], applied
        position = applied.position


def answers(position: Position, seat: str) -> Iterator[object]:
    """All that a seat can get to know of a position."""
    yield engine.view(COH, position, seat)
    for name, params in QUERIES:
        try:
            yield engine.ask(COH, position, name, FrozenMap(params), seat)
        except HexMarshalError as error:
            yield type(error), str(error), error.place


@pytest.mark.parametrize("seed", range(3))
def test_twin_truths_look_the_same_from_the_seat(seed: int) -> None:
    differed = 0
    for position, _, _ in walk("drill", seed, 22):
        for seat in position.sides:
            twin = twins(position, seat)
            differed += twin.units != position.units
            assert list(answers(position, seat)) == list(answers(twin, seat))
            ours = list(islice(engine.offers(COH, position, seat), 60))
            assert ours == list(islice(engine.offers(COH, twin, seat), 60))
    assert differed, "nobody ever hid"


@pytest.mark.parametrize("seed", range(2))
def test_every_hex_may_be_tried_without_learning_what_hides_there(seed: int) -> None:
    """Moves into and shots at every hex near: the verdict is that on an empty hex."""
    document = engine.start(COH, "drill", None, seed).to_json()
    document |= {"phase": "play", "active": ["german"], "tracks": {"cap-german": 7}}
    document.pop("state")
    truth = Position.from_json(document)
    twin = twins(truth, "german")
    assert truth.units != twin.units
    for unit in ("g1", "g2"):
        for cell in NEAR:
            for kind, where in (
                ("move", {"path": [cell]}),
                ("fire", {"cell": cell}),
                ("fire", {"cell": cell, "mode": "smoke"}),
                ("hide", {"units": [unit], "cells": [cell]}),
            ):
                params = where if kind == "hide" else {"unit": unit, **where}
                for by in ("opportunity", "command"):
                    action = COH.game.actions.make(kind, "german", by=by, **params)
                    verdict = engine.check(COH, truth, action)
                    assert verdict == engine.check(COH, twin, action)
                    assert "s2" not in json.dumps(verdict.to_json())


@pytest.mark.parametrize("scenario", ["drill", "the_crossing", "first_steps"])
def test_no_account_names_what_the_seat_may_not_know(scenario: str) -> None:
    for position, action, applied in walk(scenario, 7, 30):
        after = applied.position
        for seat in after.sides:
            before_seen = engine.view(COH, position, seat)
            after_seen = engine.view(COH, after, seat)
            event = shown(
                action, applied.effects, applied.resolutions, applied.rolls, before_seen, after_seen
            )
            text = json.dumps(
                [
                    event.action.to_json(),
                    [effect_to_json(e) for e in event.effects],
                    [r.to_json() for r in event.resolutions],
                ]
            )
            things: list[Unit | Marker] = [*after.units.values(), *after.markers.values()]
            for thing in things:
                secret = thing.seen_by is not None and seat not in thing.seen_by
                known = thing.id in before_seen.units or thing.id in before_seen.markers
                if secret and not known:
                    assert not re.search(rf'"[^"]*\b{re.escape(thing.id)}\b', text), (action, seat)
            for marker in after.markers.values():
                unknown = marker.known_to is not None and seat not in marker.known_to
                if unknown and marker.id not in str(before_seen.knowledge):
                    assert marker.kind not in text


def hidden_mover(**more: object) -> Position:
    document: dict[str, object] = COH.blank().to_json()
    document["options"] = dict(engine.complete_options(COH, {}))
    document |= {
        "active": ["soviet"],
        "tracks": {"ap-soviet": 7, "cap-german": 2},
        "units": {
            "g": {"type": "german_rifles_41", "side": "german", "cell": "9-A01", "facing": 2},
            "lurker": {
                "type": "soviet_rifles_41",
                "side": "soviet",
                "cell": "9-D05",
                "seen_by": ["soviet"],
                "flags": ["active"],
            },
        },
        **more,
    }
    return Position.from_json(document)


def seen_by_german(
    position: Position, action: Action, dice: list[int], picks: list[int] | None = None
) -> tuple[str, Position]:
    applied = engine.perform(COH, position, action, Dice(given=dice, picks=picks))
    before, after = (engine.view(COH, p, "german") for p in (position, applied.position))
    event = shown(action, applied.effects, applied.resolutions, applied.rolls, before, after)
    text = json.dumps(
        [
            after.to_json(),
            event.action.to_json(),
            [effect_to_json(e) for e in event.effects],
            [r.to_json() for r in event.resolutions],
        ]
    )
    return text, applied.position


def test_a_hidden_move_tells_its_price_and_nothing_else() -> None:
    move = COH.game.actions.make(
        "move", "soviet", unit="lurker", path=["9-C06"], mode="hidden", by="ap"
    )
    text, after = seen_by_german(hidden_mover(), move, [])
    assert after.track("ap-soviet") == 0
    assert "lurker" not in text
    assert "9-C06" not in text


def test_mines_that_are_laid_do_not_tell_how_many_others_are_hidden() -> None:
    layer = {"type": "soviet_rifles_41", "side": "soviet", "cell": "9-I11", "facing": 0}
    hand = {"hand-soviet": {"cards": ["40"], "side": "soviet", "known_to": ["soviet"]}}
    lay = COH.game.actions.make("play", "soviet", card="40", unit="layer", cell="9-I11")
    mines = {"m": {"kind": "mines", "cell": "9-A06", "side": "german", "seen_by": ["german"]}}
    views = []
    for hidden in ({}, mines):
        own = {"units": {"layer": layer}, "piles": hand, "tracks": {"cap-soviet": 7}}
        position = hidden_mover(markers=hidden, **own)
        after = engine.perform(COH, position, lay).position
        views.append(engine.view(COH, after, "soviet"))
    assert views[0] == views[1]
    assert len(views[0].markers) == 1


def test_hidden_men_in_mines_are_not_named_before_they_are_hit() -> None:
    mines = {"m": {"kind": "mines", "cell": "9-C06", "side": "german"}}
    move = COH.game.actions.make(
        "move", "soviet", unit="lurker", path=["9-C06"], mode="hidden", by="ap"
    )
    text, asked = seen_by_german(hidden_mover(markers=mines), move, [])
    assert asked.state == "mines"
    assert "lurker" not in text
    roll = COH.game.actions.make("mines", "german")
    missed, _ = seen_by_german(asked, roll, [1, 2])
    assert "lurker" not in missed
    hit, _ = seen_by_german(asked, roll, [6, 6], [3])
    assert "lurker is revealed in 9-C06" in hit


def test_engineers_who_find_a_way_through_mines_stay_hidden() -> None:
    position = hidden_mover(markers={"m": {"kind": "mines", "cell": "9-C06", "side": "german"}})
    sapper = replace(position.unit("lurker"), type="german_engineers")
    position = replace(position, units=position.units.set("lurker", sapper))
    move = COH.game.actions.make(
        "move", "soviet", unit="lurker", path=["9-C06"], mode="hidden", by="ap"
    )
    text, _ = seen_by_german(position, move, [])
    assert "lurker" not in text


def test_where_the_hidden_ones_of_a_group_go_is_not_told_while_the_wire_is_paid_for() -> None:
    start = hidden_mover()
    seen = Unit("t", "soviet_rifles_41", "soviet", cell="9-D06", facing=1)
    wire = Marker("w", "wire", cell="9-D07")
    position = replace(
        start, units=start.units.set("t", seen), markers=start.markers.set("w", wire)
    )
    moves = [
        {"unit": "lurker", "path": ["9-C06"], "mode": "hidden"},
        {"unit": "t", "path": ["9-D07"]},
    ]
    action = COH.game.actions.make("group_move", "soviet", moves=moves, by="ap")
    text, asked = seen_by_german(position, action, [3])
    assert asked.state == "obstacle"
    assert "lurker" not in text
    assert "9-C06" not in text
    paid, after = seen_by_german(asked, COH.game.actions.make("obstacle", "soviet", pay=True), [])
    assert after.unit("lurker").cell == "9-C06"
    assert "lurker" not in paid


def test_who_goes_into_hiding_is_seen_to_go_but_not_where() -> None:
    start = hidden_mover(active=["german"])
    hide = COH.game.actions.make("hide", "german", units=["g"], cells=["9-B01"], by="opportunity")
    applied = engine.perform(COH, start, hide)
    before, after = (engine.view(COH, p, "soviet") for p in (start, applied.position))
    event = shown(hide, applied.effects, applied.resolutions, applied.rolls, before, after)
    text = json.dumps([event.action.to_json(), [effect_to_json(e) for e in event.effects]])
    assert "g" not in after.units
    assert "9-B01" not in text


def rolled_points(rolled: list[int], *, fog: bool) -> list[str]:
    """What each side is told of a roll for action points."""
    options = {"variable_ap": True, "fog_of_war": fog}
    start = hidden_mover(active=["german"], options=dict(engine.complete_options(COH, options)))
    action = COH.game.actions.make("activate", "german", unit="g")
    applied = engine.perform(COH, start, action, Dice(given=rolled))
    told = []
    for side in ("german", "soviet"):
        before, after = (engine.view(COH, p, side) for p in (start, applied.position))
        event = shown(action, applied.effects, applied.resolutions, applied.rolls, before, after)
        dice = str([roll.value for roll in event.rolls])
        told.append(json.dumps([after.to_json(), [r.to_json() for r in event.resolutions]]) + dice)
    return told


@pytest.mark.parametrize("rolled", [[6, 1, 1], [3, 3, 3]])
def test_in_the_fog_of_war_the_roll_is_told_to_its_owner_alone(rolled: list[int]) -> None:
    points = f"{max(rolled) + min(rolled)} AP"
    owner, enemy = rolled_points(rolled, fog=True)
    assert points in owner
    assert points not in enemy
    assert str(rolled) not in enemy


def test_without_the_fog_everybody_sees_the_roll() -> None:
    for told in rolled_points([6, 1, 1], fog=False):
        assert "7 AP" in told
        assert "[6, 1, 1]" in told
