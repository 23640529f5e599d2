"""Drafts of bindings: what a module tells is filled in, the rest asked, and all of it is valid."""

from __future__ import annotations

from types import ModuleType

import pytest

pytest.importorskip("resvg_py")

import stranger_front
import stranger_ruins
from crossroads_module import builder, module
from tutorial import Crossroads

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import record_log
from hexmarshal.rules import engine
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.table.binding import Binding
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.binding.draft import draft_binding
from hexmarshal.vassal.builder import (
    Counter,
    ModuleBuilder,
    counts,
    hex_grid,
    layer,
    lists,
    prototype,
)
from hexmarshal.vassal.module import Module

PLUGIN = Crossroads()


def drafted(made: ModuleBuilder | Module) -> tuple[str, Binding]:
    opened = made if isinstance(made, Module) else Module.from_archive(made.archive())
    text = draft_binding(opened, PLUGIN.game)
    return text, Binding.parse(text.encode(), Place(file="draft"))


def asked(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("# ?")]


def foreign() -> ModuleBuilder:
    """A module that nobody made for us: counters by name, a hand, hexes, a tracker."""
    made = ModuleBuilder("Old Crossroads", version="3")
    made.sides("The Blue Army", "The Red Army", "Umpire")
    made.map("Chart")
    grid = hex_grid(width=60, height=60, origin=(30, 30))
    made.map("Battlefield", main=True).board("North", size=(600, 600), grid=grid)
    palette = made.palette("Counters").panel("All")
    for name in ("Blue infantry", "Blue infantry 2", "Red tank", "Smoke"):
        palette.counter(Counter(name))
    made.turn_tracker("Time", counts("Turn"), lists("Step", "Blue move", "Red combat", "Tea"))
    made.dice("Die", count=2, sides=6)
    return made


def test_a_draft_for_a_marked_module_can_be_used_at_once() -> None:
    text, bound = drafted(module())
    found = coverage(module(), bound, PLUGIN)
    assert (found.counts()["unknown"], found.problems) == (0, ())
    played = play_game(PLUGIN, "draft", check_replay=False)
    own = Binding.inside(module())
    assert own is not None
    log = record_log(module(), own, PLUGIN, played.record)
    report = check_file(log, module(), bound, PLUGIN)
    assert report.bound
    # The layer of fights is the draft's question, not its guess; all else it knows.
    assert any("Fought_Level" in line for line in text.splitlines())
    assert {entry.status for entry in report.entries} == {Status.LEGAL}


def test_what_names_tell_is_filled_in() -> None:
    _, bound = drafted(foreign())
    assert bound.map.name == "Battlefield"
    assert [(rule.id, rule.type, rule.side) for rule in bound.units] == [
        ("{name}", "infantry", "blue"),
        ("{name}", "tank", "red"),
    ]
    assert [len(rule.match.gpids) for rule in bound.units] == [2, 1]
    assert bound.sides == {"The Blue Army": "blue", "The Red Army": "red"}
    assert [(rule.button, rule.sides) for rule in bound.dice] == [("Die", 6)]
    assert bound.turn is not None
    assert (bound.turn.tracker, bound.turn.turn, bound.turn.levels) == ("Time", "Turn", ("Step",))
    shown = bound.turn.phases
    assert shown["Blue move"] is not None
    assert (shown["Blue move"].phase, shown["Blue move"].active) == ("move", ("blue",))
    assert shown["Tea"] is None


def test_what_cannot_be_told_is_asked() -> None:
    text, _ = drafted(foreign())
    questions = "\n".join(asked(text))
    for words in (
        "boards: North",
        "narrow it",
        "other maps: Chart",
        "ids must be those of the scenario",
        "1 counter is neither",
        "no phase to the rules: Tea",
        "seats that are no side by their name: Umpire",
    ):
        assert words in questions
    assert ": Smoke" in text


def test_a_module_that_tells_nothing_still_gives_a_valid_draft() -> None:
    made = ModuleBuilder("Bare", version="1")
    made.map("Main", main=True)
    text, bound = drafted(made)
    assert bound.map.name == "Main"
    assert any("no board of it has a grid" in line for line in asked(text))
    assert any("no piece could be told by its name" in line for line in asked(text))
    assert any("no turn tracker" in line for line in asked(text))


def test_a_grid_without_numbers_is_asked_about() -> None:
    text, _ = drafted(builder(numbered=False))
    assert any("no numbering" in line for line in asked(text))


def test_odd_names_do_not_break_out_of_their_comment() -> None:
    made = foreign()
    made.palette("More").panel("Odd").counter(Counter("two\nlines: [not yaml"))
    text, bound = drafted(made)
    assert bound.game == "tutorial"
    assert "two lines: [not yaml" in text


def test_a_module_without_a_map_is_refused() -> None:
    with pytest.raises(NotFoundError, match="no map"):
        drafted(ModuleBuilder("Empty", version="1"))


def test_a_number_in_a_name_tells_nothing_and_sides_are_known_in_other_languages() -> None:
    heroes = ConflictOfHeroes().game
    made = ModuleBuilder("Fremd", version="1")
    made.sides("Wehrmacht", "РККА", "Rote Armee")
    made.map("Karte", main=True)
    for side in ("Deutsche", "Russen"):
        made.prototype(Counter(side, traits=()))
    shelf = made.palette("Steine").panel("Alle")
    hits = layer("Treffer", ["", ""], names=["", "Verwundet"])
    shelf.counter(Counter("Trupp 251"))
    shelf.counter(Counter("Wagon", traits=(prototype("Deutsche"), hits)))
    shelf.counter(Counter("Wagon", traits=(prototype("Russen"), hits)))
    text = draft_binding(Module.from_archive(made.archive()), heroes)
    bound = Binding.parse(text.encode(), Place(file="draft"))
    assert [(rule.type, rule.side) for rule in bound.units] == [
        ("german_wagon", "german"),
        ("soviet_wagon", "soviet"),
    ]
    assert ": Trupp 251" in text
    assert bound.sides == {"Wehrmacht": "german", "Rote Armee": "soviet"}
    assert "Treffer_Level: 2 levels on 2 counters (2 Verwundet)" in text
    assert (bound.drags, bound.ends_phase) == (("move",), "pass")


def test_a_draft_lists_the_names_that_the_rules_use() -> None:
    text = draft_binding(Module.from_archive(foreign().archive()), ConflictOfHeroes().game)
    listed = " ".join(line.strip("# ") for line in text.splitlines() if line.startswith("#"))
    for words in ("unit types: german_rifles_41", "kinds of markers:", "trench", "ap-german"):
        assert words in listed
    assert all(len(line) <= 100 for line in text.splitlines()[:30])


def drafted_with(own: ModuleType) -> tuple[str, Binding]:
    """The draft of a stranger's module, with what the game's scenarios tell."""
    plugin = own.PLUGIN
    starts = [engine.start(plugin, scenario.key) for scenario in plugin.scenarios()]
    text = draft_binding(own.module(), plugin.game, starts)
    return text, Binding.parse(text.encode(), Place(file="draft"))


def test_units_of_the_scenarios_are_found_by_the_numbers_on_their_counters() -> None:
    text, bound = drafted_with(stranger_front)
    known = stranger_front.START.units
    found = [rule.id for rule in bound.units if rule.id in known]
    assert len(found) > 0.9 * len(known)
    for rule in bound.units:
        unit = known.get(rule.id)
        assert unit is None or (rule.type, rule.side) == (unit.type, unit.side)
    names = {rule.match.name.pattern for rule in bound.units if rule.match.name is not None}
    assert r"Panzer 3PZ \(d\)" in names
    assert any("counters are units by name and number" in line for line in asked(text))
    assert "Infanterie 57 (s) (perhaps de-57, su-57)" in text
    assert bound.advance == "pass"


def test_a_kind_of_which_no_number_tells_who_is_who_is_any_of_them() -> None:
    text, bound = drafted_with(stranger_ruins)
    assert [(rule.id, rule.type, rule.side) for rule in bound.units] == [
        ("{any}", "boris", "russian"),
        ("{any}", "maxim", "russian"),
        ("{any}", "mg34", "german"),
    ]
    assert any("`{any}`" in line for line in asked(text))
    assert bound.advance in stranger_ruins.PLUGIN.game.actions
    assert "[end_phase]" not in text


def test_a_draft_says_what_nothing_shows_so_far() -> None:
    text, _ = drafted_with(stranger_ruins)
    told = text.partition("not known so far")[2]
    for line in (
        "turn and phase: no turn tracker",
        "units: steps lost",
        "flags of units: activated, ",
        "markers: order, tile, destruction",
        "piles: german-deck",
    ):
        assert f"#   {line}" in told


def test_what_a_finished_binding_leaves_unknown_is_told_and_is_no_fault() -> None:
    plugin = stranger_ruins.PLUGIN
    found = coverage(stranger_ruins.module(), stranger_ruins.binding(), plugin)
    assert found.problems == ()
    assert "turn and phase: no turn tracker" in found.not_known
    assert "markers: tile, destruction" in found.not_known
    assert "boxes: waiting, absent, spent, artillery, army" in found.not_known
    assert not any(line.startswith("units:") for line in found.not_known)
    assert found.to_json()["not_known"] == list(found.not_known)
