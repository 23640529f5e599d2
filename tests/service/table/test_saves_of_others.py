"""Saves that VASSAL itself has written, with nothing of ours beside the table: read, and again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import game_table
import pytest

from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.scenario import Scenario
from hexmarshal.table.module_finder import Means
from hexmarshal.table.reading import POSITION_ENTRY
from hexmarshal.table.scenarios import Form, Reader, write_scenario
from hexmarshal.table.scenarios.from_position import scenario_of
from hexmarshal.table.scenarios.saves import SCENARIO_ENTRY
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.saves.savegame import SavedGame

HEROES = game_table.table("heroes_of_stalingrad")


@pytest.fixture(scope="module")
def means(tmp_path_factory: pytest.TempPathFactory) -> Means:
    path = tmp_path_factory.mktemp("module") / "heroes.vmod"
    return Means(module=HEROES.builder().save(path), scenario="drill")


def bare(data: bytes) -> bytes:
    """A save without what only ours carry."""
    saved = SavedGame.from_archive(Archive.from_bytes(data))
    kept = [name for name in saved.entry_names() if name not in (POSITION_ENTRY, SCENARIO_ENTRY)]
    entries = {name: saved.entry(name) or b"" for name in kept if name.endswith("data")}
    return SavedGame.from_state(saved.state(), key=0, entries=entries).to_bytes()


def through(scenario: Scenario, means: Means, folder: Path) -> Scenario:
    """Laid out, saved by VASSAL, and read."""
    written = write_scenario(scenario, Form.SAVE, HEROES.plugin, means)
    assert written.losses == ()
    (folder / "s.vsav").write_bytes(bare(written.data))
    return Reader(registry.default(), means).read(str(folder / "s.vsav")).scenario


def spent(*tokens: str) -> Position:
    """Orders in the box for those that were carried out."""
    start = HEROES.start("drill")
    made = (
        Marker(
            f"order-{n}",
            "order",
            "german",
            box="spent",
            values=FrozenMap({"token": token}),
            face="order",
        )
        for n, token in enumerate(tokens)
    )
    markers = FrozenMap({**start.markers, **{marker.id: marker for marker in made}})
    return replace(start, markers=markers, generator=None)


def test_markers_are_called_after_their_places_and_keep_those_names(
    means: Means, tmp_path: Path
) -> None:
    first = through(scenario_of(HEROES.plugin, spent("3", "1")), means, tmp_path)
    orders = {key: m.values["token"] for key, m in first.markers.items() if m.kind == "order"}
    assert orders == {"order@spent": "1", "order@spent#1": "3"}
    assert through(first, means, tmp_path) == first


def test_decks_keep_the_order_in_which_their_cards_lie(means: Means, tmp_path: Path) -> None:
    start = replace(HEROES.start("drill"), generator=None)
    deck = start.pile("german-deck")
    turned = replace(deck, cards=deck.cards[::-1])
    position = replace(start, piles=start.piles.set("german-deck", turned))
    read = through(scenario_of(HEROES.plugin, position), means, tmp_path)
    assert read.decks is not None
    assert read.decks["german-deck"].cards == turned.cards
