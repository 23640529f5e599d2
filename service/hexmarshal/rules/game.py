"""What a plugin declares about its game: sides, phases, actions, counters, switches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.rules.frames.declared import FrameTable
from hexmarshal.rules.values import EMPTY, Record, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.action import ActionTable, Param, QueryTable
    from hexmarshal.rules.state.lifetimes import Lifetime
    from hexmarshal.rules.state.whereabouts import BondRole, PlaceKind

__all__ = [
    "Game",
    "MarkerType",
    "Named",
    "Option",
    "Phase",
    "ScenarioInfo",
    "ScenarioTerms",
    "UnitType",
]


@dataclass(frozen=True, slots=True)
class Named:
    """A side, a terrain, a marker kind, a board or an off-map box: a key, a title, its values.

    Of a flag, `doc` says which units bear it, and the value `rule` by which rule; of a track, what
    it pays for; of a box, what a unit in it is, if it is out of the game: destroyed. Of a marker
    by which its unit is lost at once, the value `gone` is the box of such units, with `{side}`.
    """

    key: str
    title: str
    doc: str = ""
    values: Record = EMPTY


@dataclass(frozen=True, slots=True)
class MarkerType(Named):
    """A kind of marker that says which values its markers have."""

    params: tuple[Param, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitType:
    """One type of counter and the values that every unit of it has unless it says otherwise.

    `arm` is what pictures show it as: infantry, cavalry, armour, mechanised, artillery, hq, supply.
    """

    key: str
    title: str
    side: str = ""
    values: Record = EMPTY
    doc: str = ""
    arm: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of the sequence of play, or one state within it; `sides` act in it.

    `rule` says what is done in it, where that is another than the game's `turn_rule`.
    """

    key: str
    title: str
    sides: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    doc: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A switch: an optional rule, or another reading of an ambiguous one.

    `tacit` is what players at a table may have agreed on without a word: their logs are judged so,
    unless somebody chose otherwise. None: nobody does without saying so.
    """

    param: Param
    default: Value
    rules: tuple[str, ...] = ()
    tacit: Value = None


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    """One scenario that the plugin can set up."""

    key: str
    title: str
    doc: str = ""
    turns: int = 0
    values: Record = EMPTY


@dataclass(frozen=True, slots=True)
class ScenarioTerms:
    """Where a game's positions keep what every scenario sheet speaks of.

    Reinforcements wait in the box `arrivals`, with the values `arrival_turn` and `arrival_entry`;
    units that are not set up yet are in the box `deployment`; a cell with one of the facts
    `objectives` is an objective; the extra `length` is the number of turns. Empty: not kept.
    """

    arrivals: str = ""
    arrival_turn: str = ""
    arrival_entry: str = ""
    deployment: str = ""
    objectives: tuple[str, ...] = ()
    length: str = ""


@dataclass(frozen=True, slots=True)
class Game:
    """What a plugin declares about its game.

    `attributes` describe the values that units carry and `flags` what marks them (None: not said,
    and not checked); a marker whose kind is a `MarkerType` has the values that it declares.
    `places` are where within a cell units can be,
    `bonds` in which roles one can hold another, besides carrying it; `frames` are the decisions
    that play may wait for, `extras` what its positions keep besides and `knowledge` what they
    keep for one side alone (None: not said, and not checked). `lifetimes` are those of flags and
    markers that end by themselves. `turn_rule` is the rule that an action out of turn, phase or
    state breaks: the game's sequence of play; `timing_rules` say when a unit may act, and tell more
    than that it is not the turn for it. `unmasked` names the flags and values of units that
    all see even where they do not know what the unit is, "facing" among them if it is so.
    `free_sight` names the option, true or false, that says whether players may check lines of sight
    before they declare; empty: they may. `overruled` names flags that no unit has together with
    another, each with that other one: a sign of it that was left on a counter means nothing.
    A flag with the value `aid` follows from the rules: a sign of it helps to remember, no more.
    `result_rules` tell for each part of a combat result by which rule it is carried out, as
    {"De": "9.55", "D": "9.56"} do for De and D2; in "D1/A1" the last part is the attacker's.
    `headings` are what players call the facings, from 0 on.
    `formations` name the values of units by which they belong to a larger one, which players name
    by its number.
    """

    key: str
    title: str
    version: str
    sides: tuple[Named, ...]
    phases: tuple[Phase, ...]
    actions: ActionTable
    queries: QueryTable
    unit_types: tuple[UnitType, ...] = ()
    attributes: tuple[Param, ...] = ()
    terrain: tuple[Named, ...] = ()
    states: tuple[Phase, ...] = ()
    markers: tuple[Named, ...] = ()
    boards: tuple[Named, ...] = ()
    boxes: tuple[Named, ...] = ()
    tracks: tuple[Named, ...] = ()
    options: tuple[Option, ...] = ()
    frames: FrameTable = field(default_factory=lambda: FrameTable(()))
    extras: tuple[Param, ...] | None = None
    knowledge: tuple[Param, ...] | None = None
    lifetimes: tuple[Lifetime, ...] = ()
    turn_rule: str = "HM-turn"
    timing_rules: frozenset[str] = frozenset()
    terms: ScenarioTerms = ScenarioTerms()
    doc: str = ""
    places: tuple[PlaceKind, ...] = ()
    bonds: tuple[BondRole, ...] = ()
    unmasked: frozenset[str] = frozenset()
    free_sight: str = ""
    flags: tuple[Named, ...] | None = None
    overruled: Mapping[str, str] = field(default_factory=dict)
    result_rules: Mapping[str, str] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    formations: tuple[str, ...] = ()

    @property
    def aids(self) -> frozenset[str]:
        """The flags whose signs only help players to remember what the rules know."""
        return frozenset(flag.key for flag in self.flags or () if flag.values.get("aid"))

    def __repr__(self) -> str:
        return f"<Game {self.key}: {self.title}, {len(self.actions)} kinds of actions>"
