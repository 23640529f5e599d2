"""The rules kernel: positions, actions, verdicts, dice, rulebooks, and what a rules plugin is."""

from hexmarshal.rules.action import (
    Action,
    ActionTable,
    ActionType,
    Param,
    ParamType,
    QueryTable,
    QueryType,
)
from hexmarshal.rules.dice import Dice, Generator, Roll
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.plugin import Game, GamePlugin, Offer, ScenarioInfo
from hexmarshal.rules.rulebook import Rule, Rulebook, Status
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.state.whereabouts import BondRole, PlaceKind
from hexmarshal.rules.values import EMPTY, FrozenMap, Record, Value
from hexmarshal.rules.verdict import (
    Answer,
    Applied,
    Cost,
    CostPart,
    Modifier,
    Outcome,
    Resolution,
    Step,
    Strength,
    Verdict,
    Violation,
)

__all__ = [
    "EMPTY",
    "Action",
    "ActionTable",
    "ActionType",
    "Answer",
    "Applied",
    "BondRole",
    "Cost",
    "CostPart",
    "Dice",
    "Distribution",
    "FrozenMap",
    "Game",
    "GamePlugin",
    "Generator",
    "Marker",
    "Modifier",
    "Offer",
    "Outcome",
    "Param",
    "ParamType",
    "Pile",
    "PlaceKind",
    "Position",
    "QueryTable",
    "QueryType",
    "Record",
    "Resolution",
    "Roll",
    "Rule",
    "Rulebook",
    "ScenarioInfo",
    "Status",
    "Step",
    "Strength",
    "Unit",
    "Value",
    "Verdict",
    "Violation",
]
