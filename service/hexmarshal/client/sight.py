"""The calls of SightService as data, and what they answer: sight, reach, paths and supply."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.client.requests import Request, params, source
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.v1 import sight_service_pb2 as pb
from hexmarshal.wire.values import decode_value
from hexmarshal.wire.verdicts import decode_answer

if TYPE_CHECKING:
    from hexmarshal.client.requests import Params, Source
    from hexmarshal.rules.verdict import Answer
    from hexmarshal.v1 import value_pb2

__all__ = ["FoundPath", "LineOfSight", "ReachableCells", "Supply", "VisibleCells"]


@dataclass(frozen=True, slots=True)
class LineOfSight:
    """Whether a line is clear, the cells along it, and what blocks it as the game tells it."""

    visible: bool
    trace: tuple[str, ...]
    blocked_by: Value
    answer: Answer


@dataclass(frozen=True, slots=True)
class VisibleCells:
    """The cells that can be seen."""

    cells: tuple[str, ...]
    answer: Answer


@dataclass(frozen=True, slots=True)
class ReachableCells:
    """The cells that can be reached, with the cost of each: a number, or what the game counts."""

    costs: FrozenMap[Value | Fraction]
    answer: Answer


@dataclass(frozen=True, slots=True)
class FoundPath:
    """The cheapest path, if there is one, and what it costs."""

    found: bool
    cells: tuple[str, ...]
    cost: Value | Fraction
    answer: Answer


@dataclass(frozen=True, slots=True)
class Supply:
    """Whether a unit is supplied, and the cells of its line of supply."""

    supplied: bool
    path: tuple[str, ...]
    answer: Answer


def _exact(cost: value_pb2.Value) -> Value | Fraction:
    """A cost that is a fraction travels as text; here it can be reckoned with again."""
    value = decode_value(cost)
    spelt = re.fullmatch(r"(-?\d+)/([1-9]\d*)", value) if isinstance(value, str) else None
    return value if spelt is None else Fraction(int(spelt[1]), int(spelt[2]))


def line_of_sight(where: Source, values: Params) -> Request[LineOfSight]:
    """Whether one cell can be seen from another."""
    request = pb.LineOfSightRequest(**source(where), params=params(values))

    def read(found: pb.LineOfSightResponse) -> LineOfSight:
        blocked_by = decode_value(found.blocked_by)
        return LineOfSight(
            found.visible, tuple(found.trace), blocked_by, decode_answer(found.answer)
        )

    return Request("SightService/LineOfSight", request, pb.LineOfSightResponse, read)


def visible_cells(where: Source, values: Params) -> Request[VisibleCells]:
    """What can be seen."""
    request = pb.VisibleCellsRequest(**source(where), params=params(values))

    def read(found: pb.VisibleCellsResponse) -> VisibleCells:
        return VisibleCells(tuple(found.cells), decode_answer(found.answer))

    return Request("SightService/VisibleCells", request, pb.VisibleCellsResponse, read)


def reach(where: Source, values: Params) -> Request[ReachableCells]:
    """Where units can go."""
    request = pb.ReachRequest(**source(where), params=params(values))

    def read(found: pb.ReachResponse) -> ReachableCells:
        costs = FrozenMap({one.cell: _exact(one.cost) for one in found.cells})
        return ReachableCells(costs, decode_answer(found.answer))

    return Request("SightService/Reach", request, pb.ReachResponse, read)


def find_path(where: Source, values: Params) -> Request[FoundPath]:
    """The cheapest path of a unit."""
    request = pb.FindPathRequest(**source(where), params=params(values))

    def read(found: pb.FindPathResponse) -> FoundPath:
        cost = _exact(found.cost)
        return FoundPath(found.found, tuple(found.path), cost, decode_answer(found.answer))

    return Request("SightService/FindPath", request, pb.FindPathResponse, read)


def trace_supply(where: Source, values: Params) -> Request[Supply]:
    """Whether a unit is supplied."""
    request = pb.TraceSupplyRequest(**source(where), params=params(values))

    def read(found: pb.TraceSupplyResponse) -> Supply:
        return Supply(found.supplied, tuple(found.path), decode_answer(found.answer))

    return Request("SightService/TraceSupply", request, pb.TraceSupplyResponse, read)
