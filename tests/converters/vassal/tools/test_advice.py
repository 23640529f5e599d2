"""Advice: what a module lacks, and recipes that really add it."""

from __future__ import annotations

import pytest

from hexmarshal.errors import BadInputError
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.advice import HABITS, suggestions
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.lint import ModuleSubject, check_module
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.recipes import Recipe, edit_module
from tests.converters.vassal.small_modules import picture, sound_module


def plain_module(pieces: int = 60) -> Module:
    """A module that has pieces and nothing else."""
    made = b.ModuleBuilder("Plain", version="1.0")
    made.sides("Red", "Blue")
    made.image("red.svg", picture())
    made.map("Main Map", main=True).board("Field", size=(600, 480))
    units = made.palette("Counters").list("Units")
    for number in range(pieces):
        units.counter(b.Counter(f"Unit {number}", "red.svg", (b.can_delete(),)))
    module = Module.from_archive(Archive.from_bytes(made.to_bytes()))
    for component in [*module.walk()]:
        if component.short_name in {"CounterDetailViewer", "NotesWindow", "Inventory"}:
            component.remove()
    return module


def lacking(module: Module) -> dict[str, str]:
    return {each.id: each.recipe for each in suggestions(ModuleSubject(module))}


def test_recipes_reach_a_module_that_an_old_vassal_wrote():
    module = plain_module()
    module.root.element.tag = "VASSAL.launch.BasicModule"
    old = Module.from_archive(Archive.from_bytes(module.to_bytes()))
    assert old.root.short_name == "BasicModule"
    for recipe in lacking(old).values():
        edit_module(old, Recipe.parse(recipe))
    assert not lacking(old)


def test_a_module_with_nothing_but_pieces_lacks_everything():
    assert [*lacking(plain_module())] == [habit.id for habit in HABITS]


def test_a_small_module_is_not_missed_for_lacking_anything():
    assert not lacking(plain_module(3))


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.id)
def test_the_recipe_adds_what_is_missing_and_lint_is_content(habit):
    module = plain_module()
    before = {f.message for f in check_module(ModuleSubject(module))}
    done = edit_module(module, Recipe.parse(lacking(module)[habit.id]))
    assert done.changes
    assert not done.problems
    again = Module.from_archive(Archive.from_bytes(module.to_bytes()))
    assert habit.id not in lacking(again)
    assert {f.message for f in check_module(ModuleSubject(again))} <= before
    assert not edit_module(again, Recipe.parse(lacking(plain_module())[habit.id])).changes


def test_the_report_names_the_keys_that_menus_offer():
    assert "keys: ['Ctrl+D']" in lacking(plain_module())["report-traits"]


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("{class: Nowhere}", "no component 'Nowhere'"),
        ("{class: NotesWindow, set: {colour: red}}", "no attribute 'colour'"),
        ("{class: Map, set: {edgeWidth: wide}}", "'wide' is not a whole number"),
        ("{set: {a: b}}", "class"),
    ],
)
def test_a_component_that_cannot_be_is_refused_with_its_line(added, said):
    text = f"recipe: 1\nsteps:\n  - components: GameModule\n    do:\n      - add: {added}\n"
    with pytest.raises(BadInputError, match=said) as caught:
        edit_module(sound_module(), Recipe.parse(text))
    assert caught.value.place is not None
    assert caught.value.place.line == 5
