"""The sight calls: the game's own queries, with what they have in common as fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.values import FrozenMap
from hexmarshal.service.rulings.rules_calls import ask
from hexmarshal.v1 import sight_service_pb2 as pb
from hexmarshal.wire.values import encode_value
from hexmarshal.wire.verdicts import encode_answer

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from hexmarshal.rules.values import Value
    from hexmarshal.service.rulings.rules_calls import Case

__all__ = ["find_path", "line_of_sight", "reach", "trace_supply", "visible_cells"]


def _texts(value: Value) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else []


def line_of_sight(case: Case, request: pb.LineOfSightRequest) -> Message:
    """LineOfSight: the query `sight`."""
    answer = ask(case, "sight", request.params)
    values = answer.values
    return pb.LineOfSightResponse(
        visible=values.get("visible") is True,
        trace=_texts(values.get("trace")),
        blocked_by=encode_value(values["blocked_by"]) if "blocked_by" in values else None,
        answer=encode_answer(answer),
    )


def visible_cells(case: Case, request: pb.VisibleCellsRequest) -> Message:
    """VisibleCells: the query `visible`."""
    answer = ask(case, "visible", request.params)
    cells = answer.values.get("cells")
    return pb.VisibleCellsResponse(cells=_texts(cells), answer=encode_answer(answer))


def reach(case: Case, request: pb.ReachRequest) -> Message:
    """Reach: the query `reach`."""
    answer = ask(case, "reach", request.params)
    cells = answer.values.get("cells")
    costs = cells.items() if isinstance(cells, FrozenMap) else ()
    return pb.ReachResponse(
        cells=[pb.ReachableCell(cell=cell, cost=encode_value(cost)) for cell, cost in costs],
        answer=encode_answer(answer),
    )


def find_path(case: Case, request: pb.FindPathRequest) -> Message:
    """FindPath: the query `path`."""
    answer = ask(case, "path", request.params)
    path = _texts(answer.values.get("path"))
    return pb.FindPathResponse(
        found=bool(path),
        path=path,
        cost=encode_value(answer.values["cost"]) if "cost" in answer.values else None,
        answer=encode_answer(answer),
    )


def trace_supply(case: Case, request: pb.TraceSupplyRequest) -> Message:
    """TraceSupply: the query `supply`."""
    answer = ask(case, "supply", request.params)
    return pb.TraceSupplyResponse(
        supplied=answer.values.get("supplied") is True,
        path=_texts(answer.values.get("path")),
        answer=encode_answer(answer),
    )
