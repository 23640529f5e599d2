"""A scenario as its designer thinks of it: who fights where, what comes later, what counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

__all__ = [
    "FORMAT",
    "Area",
    "Deck",
    "Facts",
    "MarkerEntry",
    "Objective",
    "Reinforcement",
    "Scenario",
    "Setup",
    "SpecialRule",
    "Start",
    "UnitEntry",
    "Value",
    "default_ranks",
]

FORMAT: Final = "hexmarshal-scenario/1"

# Plain JSON without fractions of a binary kind: one half is the text "1/2".
Value: TypeAlias = "bool | int | str | list[Value] | dict[str, Value] | None"
Facts: TypeAlias = Mapping[str, Value]
Stacks: TypeAlias = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """A line of the order of battle.

    `rank` is its place in a stack where the order of the stack's list does not tell it;
    `seen_by` and `known_to` name sides, None stands for all; `place` is where within its cell it
    is, `bonds` name by role the units that hold it.
    """

    id: str
    side: str
    type: str
    steps: int = 1
    facing: int | None = None
    level: int = 0
    rank: int | None = None
    flags: tuple[str, ...] = ()
    footprint: tuple[str, ...] = ()
    values: Facts = field(default_factory=dict)
    seen_by: tuple[str, ...] | None = None
    known_to: tuple[str, ...] | None = None
    face: str = ""
    place: str = ""
    bonds: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MarkerEntry:
    """What is not a unit: a trench, a mine, an order; on a cell, on a unit or in a box."""

    id: str
    kind: str
    side: str = ""
    cell: str = ""
    level: int = 0
    unit: str = ""
    box: str = ""
    facing: int | None = None
    values: Facts = field(default_factory=dict)
    seen_by: tuple[str, ...] | None = None
    known_to: tuple[str, ...] | None = None
    face: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards or chits in order, the top first."""

    name: str
    cards: tuple[str, ...] = ()
    side: str = ""
    known_to: tuple[str, ...] | None = None
    seen_by: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """Cells with a name: where a force may set up, what has to be held."""

    key: str
    cells: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """Where units begin, each list from the bottom of the stack up.

    A unit has one place: a cell, a box or a carrier. A unit of `areas` is set up by its player, or,
    where it has a cell too, has been, and the cell must be in the area.
    """

    cells: Stacks = field(default_factory=dict)
    areas: Stacks = field(default_factory=dict)
    boxes: Stacks = field(default_factory=dict)
    carried: Stacks = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """Units that arrive together; `entry` says where, in the game's own words."""

    turn: int
    units: tuple[str, ...]
    entry: Value = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    """What is fought for: a cell or an area, facts that the rules know, words for people."""

    cell: str = ""
    area: str = ""
    facts: Facts = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """A rule of this scenario alone; `rules` are ids of the game's rules that it changes."""

    text: str
    title: str = ""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """When play begins; what is None is as the game, or the scenario based on, begins."""

    turn: int | None = None
    phase: str | None = None
    state: str | None = None
    active: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole scenario.

    `based_on` is the game's own scenario whose schedule applies. None stands for what that one has,
    or the game by default; an option that is None is left unsaid. `cells`, `tracks`, `knowledge`
    and `extras` are what the rules keep of single cells, on tracks, for one side, and besides.
    """

    game: str
    version: str | None = None
    title: str = ""
    summary: str = ""
    author: str = ""
    source: str = ""
    licence: str = ""
    based_on: str = ""
    map: str | None = None
    turns: int | None = None
    options: Facts = field(default_factory=dict)
    sides: tuple[str, ...] | None = None
    briefings: Mapping[str, str] = field(default_factory=dict)
    victory: str = ""
    special_rules: tuple[SpecialRule, ...] = ()
    start: Start = field(default_factory=Start)
    areas: Mapping[str, Area] = field(default_factory=dict)
    units: Mapping[str, UnitEntry] = field(default_factory=dict)
    setup: Setup = field(default_factory=Setup)
    reinforcements: tuple[Reinforcement, ...] = ()
    objectives: tuple[Objective, ...] = ()
    markers: Mapping[str, MarkerEntry] = field(default_factory=dict)
    decks: Mapping[str, Deck] | None = None
    cells: Mapping[str, Facts] = field(default_factory=dict)
    tracks: Mapping[str, int] | None = None
    knowledge: Mapping[str, Facts] = field(default_factory=dict)
    extras: Facts | None = None


def default_ranks(stack: tuple[str, ...]) -> tuple[int, ...]:
    """The ranks that a list alone tells: none where ids are in order anyway, else counted up.

    Stacks whose order does not matter come out sorted by id; so written, they stay without ranks.
    """
    if list(stack) == sorted(stack):
        return (0,) * len(stack)
    return tuple(range(len(stack)))
