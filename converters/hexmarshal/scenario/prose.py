"""What a scenario says to people and no table of counters can hold: titles, briefings, areas."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hexmarshal.scenario.model import Objective, Reinforcement, Scenario

__all__ = ["with_prose"]

_WORDS: Final = ("title", "summary", "author", "source", "licence", "victory")


def with_prose(scenario: Scenario, told: Scenario) -> Scenario:
    """The scenario with what `told` says to people, as far as the two speak of the same things."""
    words = {name: getattr(told, name) or getattr(scenario, name) for name in _WORDS}
    here = scenario.setup
    off_map = {
        u for stacks in (here.boxes, here.carried) for stack in stacks.values() for u in stack
    }
    areas = {
        area: tuple(u for u in stack if u in scenario.units and u not in off_map)
        for area, stack in told.setup.areas.items()
    }
    return replace(
        scenario,
        **words,
        turns=told.turns if told.turns is not None else scenario.turns,
        briefings=told.briefings or scenario.briefings,
        special_rules=told.special_rules or scenario.special_rules,
        areas={**scenario.areas, **told.areas},
        setup=replace(here, areas={**here.areas, **{a: s for a, s in areas.items() if s}}),
        objectives=_objectives(scenario, told),
        reinforcements=_reinforcements(scenario, told),
    )


def _objectives(scenario: Scenario, told: Scenario) -> tuple[Objective, ...]:
    words = {one.cell: one.text for one in told.objectives if one.cell}
    own = tuple(
        replace(one, text=one.text or words.get(one.cell, "")) for one in scenario.objectives
    )
    known = {one.area for one in own}
    return (*own, *(one for one in told.objectives if one.area and one.area not in known))


def _reinforcements(scenario: Scenario, told: Scenario) -> tuple[Reinforcement, ...]:
    notes = {(one.turn, repr(one.entry)): one.note for one in told.reinforcements}
    return tuple(
        replace(one, note=one.note or notes.get((one.turn, repr(one.entry)), ""))
        for one in scenario.reinforcements
    )
