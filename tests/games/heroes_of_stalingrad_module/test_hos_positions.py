"""Positions of random games go onto the table of the module and come back from it alone."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.rules import engine
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.values import FrozenMap, thaw
from hexmarshal.table.binding import Binding
from hexmarshal.table.placing import Placer, write_save
from hexmarshal.table.placing.piece_states import show
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = HeroesOfStalingrad()
EVERY = 11
FORGOTTEN = {"ended"}
"""How a game ended is no marker: a save says so where it is written."""


@pytest.fixture(scope="module")
def binding(module):
    return Binding.inside(module)


@cache
def record(scenario, actions):
    return play_game(PLUGIN, "1", scenario=scenario, max_actions=actions, check_replay=False).record


def positions(scenario, actions):
    """Some of the positions of a random game, with markers of armies used up at random."""
    game, chance = record(scenario, actions), Random(scenario)
    position = engine.start(PLUGIN, scenario, seed=game.opening.seed)
    for number, event in enumerate(game.events):
        if number % EVERY == 0:
            yield spent(position, chance)
        action = PLUGIN.game.actions.decode(thaw(event.action))
        position = engine.perform(PLUGIN, position, action).position
    yield spent(position, chance)


def spent(position, chance):
    """The position with some markers of its armies gone, and with cards in force."""
    army = {
        side: FrozenMap({name: used(record, chance) for name, record in mine.items()})
        for side, mine in position.extras["army"].items()
    }
    live = sorted(unit.id for unit in position.units.values() if unit.cell)
    cards = {
        "fury": tuple(chance.sample(SIDES, chance.randint(1, 2))),
        "bonus": FrozenMap({chance.choice(SIDES): chance.choice(("fire", "any", "movement"))}),
        "windows": FrozenMap(
            {unit: chance.randint(1, 3) for unit in chance.sample(live, min(2, len(live)))}
        ),
    }
    cards["fury"] = tuple(side for side in SIDES if side in cards["fury"])
    in_force = {key: card for key, card in cards.items() if card and chance.random() < 0.7}
    extras = position.extras.merged({"army": FrozenMap(army), **in_force})
    return replace(position, extras=extras)


def used(record, chance):
    tables = PLUGIN.tables
    rows, key = (
        (tables.recruitment_options, "option")
        if "option" in record
        else (tables.recruitment_tiles, "tile")
    )
    full = rows[record[key]].get("markers") or {}
    left = {m: n for m, count in full.items() if (n := chance.randint(0, count)) < count}
    return record.set("left", FrozenMap(left)) if left else record.without("left")


def looked_at(position):
    """A position without what means nothing: zeros, stacks' order, facings of who is off the map.

    The name of a token whose bearer is gone is that of the bearer, and no rule asks for it.
    """
    units = {
        unit.id: replace(
            unit,
            rank=0,
            facing=(unit.facing or 0) if unit.cell else None,
            values=FrozenMap({k: v for k, v in unit.values.items() if v != 0}),
        )
        for unit in position.units.values()
    }
    spent = sorted(
        (m.side, str(m.values["token"]), m.known_to or frozenset())
        for m in position.markers.values()
        if m.box == "spent"
    )
    windows = {k: v for k, v in position.extras.get("windows", {}).items() if v}
    extras = {k: v for k, v in position.extras.items() if k not in {*FORGOTTEN, "windows"}}
    return {
        "moment": (position.turn, position.phase, position.board, position.scenario),
        "options": position.options,
        "units": units,
        "markers": {k: m for k, m in position.markers.items() if m.box != "spent"},
        "spent": spent,
        "cells": position.cells,
        "tracks": {k: v for k, v in position.tracks.items() if v},
        "piles": {k: sorted(pile.cards) for k, pile in position.piles.items()},
        "extras": extras,
        "windows": windows,
    }


@pytest.mark.parametrize(
    ("scenario", "actions"),
    [("drill", 40), ("tractor_works", 40), ("railway", 40), ("free_battle", 100)],
)
def test_all_that_lies_on_a_table_comes_back_from_it(module, binding, scenario, actions):
    """Armies with what is left of their markers, cards in force, tokens, damage, ruins, hands."""
    placer = Placer(module, binding, PLUGIN, engine.start(PLUGIN, scenario))
    for position in positions(scenario, actions):
        state = placer.place(position)
        assert placer.notes == []
        reading = TableReader(module, binding, PLUGIN, state).read(state, None)
        assert reading.notes == ()
        assert looked_at(reading.position) == looked_at(position)


def test_a_save_of_a_game_in_progress_holds_it_and_says_what_its_table_does_not(module, binding):
    position = next(
        p for p in positions("tractor_works", 40) if p.state and p.phase == "activation"
    )
    saved, notes = write_save(module, binding, PLUGIN, position)
    assert [note.text.partition(":")[0] for note in notes] == [
        "nothing on the table shows what is decided now"
    ]
    again = SavedGame.from_archive(Archive.from_bytes(saved.to_bytes())).state()
    found = TableReader(module, binding, PLUGIN, again).read(again, position).position
    assert looked_at(found) == looked_at(position)
    assert (found.state, found.frames) == (position.state, position.frames)


def test_how_a_game_ended_is_told_as_what_no_table_shows(module, binding):
    start = engine.start(PLUGIN, "drill")
    ended = FrozenMap({"winners": ("german",), "text": "by points", "rule": "HOS-2.2"})
    over = replace(start, extras=start.extras.set("ended", ended))
    _, notes = write_save(module, binding, PLUGIN, over)
    assert [note.text for note in notes] == ["nothing on the table shows ended"]


def test_players_use_a_marker_up_on_its_option(module, binding):
    """A key on the piece of the option counts down; the position has one marker less."""
    start = engine.start(PLUGIN, "tractor_works")
    placer = Placer(module, binding, PLUGIN, start)
    state = placer.place(start)
    pieces = {
        properties_of(p.piece).get("Entry"): p
        for p in state.pieces.values()
        if properties_of(p.piece).get("MarkerSide") == "russian"
    }
    ammo = pieces["ammo"]
    fewer = show(ammo.piece, "AmmoLeft", "2", lambda _: "")
    state.table.change(ammo.id, fewer.state_text, None)
    found = TableReader(module, binding, PLUGIN, state).read(state, None).position
    assert found.extras["army"]["russian"]["ammo"]["left"] == FrozenMap({"ammo": 2})


@pytest.mark.parametrize(
    ("written", "found", "told"),
    [
        (
            {"AmmoLeft": "many"},
            {"option": "ammo", "of": "v", "slot": 1, "left": {"ammo": "many"}},
            "left",
        ),
        ({"Slot": "x", "Of": ""}, {"option": "ammo", "of": "", "slot": "x"}, "slot"),
    ],
)
def test_nonsense_on_a_piece_is_told_and_breaks_nothing(module, binding, written, found, told):
    start = engine.start(PLUGIN, "tractor_works")
    state = Placer(module, binding, PLUGIN, start).place(start)
    ammo = next(
        p for p in state.pieces.values() if properties_of(p.piece).get("MarkerOption") == "ammo"
    )
    piece = ammo.piece
    for name, text in written.items():
        piece = show(piece, name, text, lambda _: "")
    state.table.change(ammo.id, piece.state_text, None)
    position = TableReader(module, binding, PLUGIN, state).read(state, None).position
    assert thaw(position.extras["army"]["russian"]["ammo"]) == found
    wrong = [violation.field for violation in PLUGIN.invariants(position)]
    assert [field.rpartition(".")[2] for field in wrong] == [told]
    side = position.active[0]
    assert next(iter(engine.offers(PLUGIN, position, side)), None) is not None


def test_two_options_of_one_name_are_both_kept(module, binding):
    start = engine.start(PLUGIN, "tractor_works")
    state = Placer(module, binding, PLUGIN, start).place(start)
    for placed in list(state.pieces.values()):
        if properties_of(placed.piece).get("MarkerOption") in ("ammo", "veteran"):
            piece = show(placed.piece, "Entry", "mine", lambda _: "")
            state.table.change(placed.id, piece.state_text, None)
    army = TableReader(module, binding, PLUGIN, state).read(state, None).position.extras["army"]
    assert {army["russian"][name]["option"] for name in ("mine", "mine-2")} == {"ammo", "veteran"}


def test_a_token_beside_the_only_artillery_is_for_it(module, binding):
    start = engine.start(PLUGIN, "tractor_works")
    order = PLUGIN.game.actions.make("order_artillery", "german", entry="art", token="2")
    position = engine.perform(PLUGIN, start, order).position
    bare = replace(
        position,
        markers=FrozenMap(
            {k: replace(m, values=m.values.without("entry")) for k, m in position.markers.items()}
        ),
    )
    state = Placer(module, binding, PLUGIN, bare).place(bare)
    found = TableReader(module, binding, PLUGIN, state).read(state, None).position
    assert found.markers["order-german-art"].values["entry"] == "art"
