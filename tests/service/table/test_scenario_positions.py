"""A scenario becomes a position and a position a scenario, in every form, and nothing is lost."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from crossroads_module import binding, module
from hypothesis import given
from hypothesis import strategies as st
from tutorial import Crossroads

from hexmarshal.errors import RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.plugin import ScenarioTerms
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.validate import problems
from hexmarshal.rules.values import INT_MAX, INT_MIN, FrozenMap, freeze
from hexmarshal.scenario import losses, read_scenario, scenario_document, to_yaml
from hexmarshal.scenario.model import (
    Area,
    Objective,
    Reinforcement,
    Scenario,
    SpecialRule,
    Start,
)
from hexmarshal.table.module_finder import Means
from hexmarshal.table.scenarios import Form, position_of, scenario_of, write_scenario


class Waiting(Crossroads):
    """The tutorial game with reinforcements, objectives and a length of its own."""

    @property
    def game(self):
        terms = ScenarioTerms("late", "turn", "entry", "deploy", ("points",), "turns")
        return replace(super().game, terms=terms)


PLAIN, WAITING = Crossroads(), Waiting()

names = st.sampled_from(["b1", "b2", "0108", "a.b", "ö x", "=1", "-2"])
texts = st.sampled_from(["", "x", "0108", "yes", "a\nb", "'", "json:1"])
numbers = st.integers(-3, 9) | st.sampled_from([INT_MIN, INT_MAX])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
words = ["points", "turn", "entry", "turns", "x"]
records = st.dictionaries(st.sampled_from(words), values, max_size=3).map(
    lambda found: FrozenMap({name: freeze(value) for name, value in found.items()})
)
sides = st.sampled_from(["blue", "red"])
secrets = st.none() | st.frozensets(sides)


@st.composite
def units(draw, unit: str) -> Unit:
    places = [{}, {"cell": "A1"}, {"cell": "0216"}, {"box": "late"}, {"box": "x"}]
    return Unit(
        unit,
        draw(texts),
        draw(sides),
        level=draw(numbers),
        footprint=tuple(draw(st.lists(texts, max_size=2))),
        rank=draw(st.integers(0, 3)),
        facing=draw(st.none() | numbers),
        steps=draw(numbers),
        flags=frozenset(draw(st.frozensets(texts, max_size=2))),
        values=draw(records),
        seen_by=draw(secrets),
        known_to=draw(secrets),
        face=draw(texts),
        place=draw(texts),
        bonds=FrozenMap(draw(st.dictionaries(names, st.lists(names).map(tuple), max_size=1))),
        **draw(st.sampled_from([*places, {"carrier": "b1"}])),
    )


@st.composite
def markers(draw, name: str) -> Marker:
    return Marker(
        name,
        draw(texts),
        draw(st.sampled_from(["", "blue"])),
        draw(st.sampled_from(["", "A1"])),
        draw(numbers),
        facing=draw(st.none() | numbers),
        values=draw(records),
        seen_by=draw(secrets),
        known_to=draw(secrets),
        face=draw(texts),
    )


@st.composite
def positions(draw) -> Position:
    def keyed(make):
        return FrozenMap({k: draw(make(k)) for k in draw(st.lists(names, unique=True, max_size=4))})

    def sound(unit: Unit, known) -> Unit:
        return replace(unit, carrier=unit.carrier if unit.carrier in known else "")

    force = keyed(units)
    piles = st.lists(texts, max_size=3).map(tuple)
    return replace(
        PLAIN.blank(),
        version=draw(texts),
        scenario=draw(st.sampled_from(["", "meeting", "gone"])),
        board=draw(texts),
        options=draw(
            st.sampled_from([FrozenMap(), FrozenMap({"deep_woods": True})])
            | st.just(FrozenMap({"deep_woods": False}))
        ),
        turn=draw(numbers),
        phase=draw(st.sampled_from(["move", "combat", ""])),
        state=draw(texts),
        active=tuple(draw(st.lists(sides, max_size=2))),
        units=FrozenMap({key: sound(unit, force) for key, unit in force.items()}),
        markers=keyed(markers),
        piles=keyed(lambda name: st.builds(Pile, st.just(name), piles, st.just(""), secrets)),
        cells=FrozenMap(draw(st.dictionaries(names, records, max_size=2))),
        tracks=FrozenMap(draw(st.dictionaries(names, numbers, max_size=2))),
        knowledge=FrozenMap(draw(st.dictionaries(sides, records, max_size=1))),
        extras=draw(records),
    )


@given(positions(), st.sampled_from([PLAIN, WAITING]))
def test_a_position_comes_back_from_the_text_of_a_scenario(position, plugin) -> None:
    scenario = scenario_of(plugin, position)
    again = position_of(plugin, read_scenario(to_yaml(scenario).encode(), "s.yaml"))
    assert again == position
    assert again.digest == position.digest


@given(
    positions(), st.sampled_from([PLAIN, WAITING]), st.sampled_from([Form.POSITION, Form.MESSAGE])
)
def test_what_came_from_a_position_goes_back_without_a_loss(position, plugin, form) -> None:
    scenario = scenario_of(plugin, position)
    assert write_scenario(scenario, form, plugin, Means()).losses == ()


@pytest.mark.parametrize("game", ["kharkov", "conflict_of_heroes", "traces_of_war"])
def test_every_scenario_of_the_games_is_held_by_text_and_position(game: str) -> None:
    plugin = registry.default().get(game)
    for info in plugin.scenarios():
        position = engine.start(plugin, info.key)
        scenario = scenario_of(plugin, position)
        assert (scenario.title, scenario.turns) == (info.title, info.turns)
        assert position_of(plugin, read_scenario(to_yaml(scenario).encode())) == position
        for form in (Form.YAML, Form.JSON, Form.POSITION, Form.MESSAGE):
            assert write_scenario(scenario, form, plugin, Means()).losses == ()


def test_a_decision_of_the_middle_of_a_game_is_no_part_of_a_scenario() -> None:
    plugin = registry.default().get("traces_of_war")
    position = engine.start(plugin, "race", seed="s")
    begun = position.frames
    while position.frames == begun or not position.frames:
        offer = next(iter(engine.offers(plugin, position, position.active[0])))
        position = engine.perform(plugin, position, offer.action).position
    again = position_of(plugin, scenario_of(plugin, position))
    base = position.frames[0].resume
    bare = replace(again, frames=(), state=base.state, active=base.active)
    assert again.frames != position.frames
    # What only decisions let go on begins with its first.
    assert (again.phase, again) == (position.phase, bare if base.active else plugin.opened(bare))
    assert problems(plugin, again) == ()


def test_reinforcements_objectives_and_the_length_are_told_in_the_words_of_the_game() -> None:
    plugin = registry.default().get("conflict_of_heroes")
    scenario = scenario_of(plugin, engine.start(plugin, "first_steps"))
    assert scenario.reinforcements == (Reinforcement(2, ("g6",), ["1-E17"]),)
    assert [one.cell for one in scenario.objectives] == ["1-C08", "1-D08"]
    assert scenario.turns == 4
    assert "turns" not in scenario.extras
    assert scenario.units["g6"].values == {}


def test_units_of_an_area_wait_where_the_game_lets_units_wait() -> None:
    scenario = read_scenario(
        b"format: hexmarshal-scenario/1\ngame: tutorial\nareas: {west: {cells: [A1]}}\n"
        b"units: {blue: {b1: {type: tank}, b2: {type: tank}}}\n"
        b"setup: {areas: {west: [b1, b2]}, cells: {A1: [b2]}}\n"
    )
    assert position_of(WAITING, scenario).unit("b1").box == "deploy"
    assert position_of(WAITING, scenario).unit("b2").cell == "A1"
    assert position_of(PLAIN, scenario).unit("b1").box == ""


def test_what_a_scenario_leaves_out_is_as_the_game_begins() -> None:
    scenario = Scenario("tutorial")
    assert position_of(PLAIN, scenario) == replace(
        PLAIN.blank(), options=FrozenMap({"advance": False, "deep_woods": False})
    )


FULL = Scenario(
    "tutorial",
    title="At the ford",
    source="a diary",
    licence="CC-BY-4.0",
    briefings={"blue": "Hold."},
    victory="Blue holds A1.",
    special_rules=(SpecialRule("No retreat."),),
    areas={"west": Area("west", ("A1", "A2"))},
    objectives=(Objective("A1", text="the ford"), Objective(area="west", text="the bank")),
)


def test_what_a_position_cannot_hold_is_told_exactly() -> None:
    lost = write_scenario(FULL, Form.POSITION, PLAIN, Means()).losses
    assert [loss.path for loss in lost] == [
        "title",
        "source",
        "licence",
        "briefings",
        "victory",
        "special_rules",
        "areas",
        "objectives",
    ]


@pytest.mark.parametrize("form", [Form.YAML, Form.JSON])
def test_the_format_itself_holds_everything(form: Form) -> None:
    assert write_scenario(FULL, form, PLAIN, Means()).losses == ()


def test_losses_are_told_down_to_the_part() -> None:
    before = scenario_document(FULL)
    after = json.loads(json.dumps(before))
    after["objectives"][0]["text"] = "a ford"
    del after["areas"]["west"]
    after["version"] = "1"
    assert [str(loss) for loss in losses(before, after)] == [
        "areas.west",
        'objectives[0].text ("the ford" becomes "a ford")',
    ]


def test_a_view_is_no_scenario_and_dice_are_no_part_of_one() -> None:
    position = engine.start(PLAIN, "meeting", seed="s")
    assert position.generator == Generator("s")
    assert position_of(PLAIN, scenario_of(PLAIN, position)).generator is None
    with pytest.raises(RulesError, match="whole truth"):
        scenario_of(PLAIN, engine.view(PLAIN, position, "red"))


def test_a_unit_in_two_places_is_no_scenario() -> None:
    unit = Unit("b1", "tank", "blue", "A1", box="x")
    with pytest.raises(RulesError, match="one place"):
        scenario_of(PLAIN, PLAIN.blank().with_unit(unit))


def test_a_scenario_of_another_game_is_refused() -> None:
    with pytest.raises(RulesError, match="a scenario of 'chess'"):
        position_of(PLAIN, Scenario("chess"))
    with pytest.raises(RulesError, match="no such option"):
        position_of(PLAIN, Scenario("tutorial", options={"deep_snow": True}))


def test_a_save_carries_words_and_shows_places(tmp_path) -> None:
    from hexmarshal.table.scenarios.saves import load_save
    from hexmarshal.vassal.saves.savegame import SavedGame

    path = tmp_path / "crossroads.vmod"
    module().save(path)
    assert binding().game == "tutorial"
    means = Means(module=path)
    position = engine.start(PLAIN, "meeting")
    scenario = replace(
        scenario_of(PLAIN, position), title="At the ford", areas=FULL.areas, victory="Hold A1."
    )
    written = write_scenario(scenario, Form.SAVE, PLAIN, means)
    assert written.losses == ()
    save = tmp_path / "ford.vsav"
    save.write_bytes(written.data)
    games = registry.default()
    games.add(PLAIN)
    assert load_save(save, means, games).scenario == scenario
    # A piece is moved by hand: the table is believed, the words stay.
    saved = SavedGame.open(save)
    state = saved.state()
    piece = next(p for p in state.pieces.values() if p.name == "infantry b1")
    state.table.remove(piece.id)
    entries = {
        name: data
        for name in ("hexmarshal/scenario.yaml", "hexmarshal/position.json")
        if (data := saved.entry(name)) is not None
    }
    moved = SavedGame.from_state(state, key=0, entries=entries)
    save.write_bytes(moved.to_bytes())
    loaded = load_save(save, means, games)
    assert loaded.scenario.title == "At the ford"
    assert "b1" not in loaded.scenario.units
    assert any("another position" in note for note in loaded.notes)


def test_a_phase_in_which_only_decisions_let_anybody_act_begins_with_its_own() -> None:
    plugin = registry.default().get("heroes_of_stalingrad")
    start = scenario_of(plugin, engine.start(plugin, "drill"))
    later = replace(start, start=Start(turn=2, phase="reserve", state="", active=()))
    assert position_of(plugin, later).active != ()
