"""The sight calls: the game's own queries, with what they have in common as fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.params import ParamType
from hexmarshal.rules.values import FrozenMap
from hexmarshal.service.calls import statuses
from hexmarshal.service.rulings.rules_calls import ask
from hexmarshal.v1 import sight_service_pb2 as pb
from hexmarshal.v1.value_pb2 import Rational, Record
from hexmarshal.wire.values import decode_value, encode_value
from hexmarshal.wire.verdicts import encode_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from hexmarshal.rules.params import Param
    from hexmarshal.rules.values import Value
    from hexmarshal.service.rulings.case_reading import Case

__all__ = ["find_path", "line_of_sight", "reach", "trace_supply", "visible_cells"]


def _asked(case: Case, query: str, request: Any) -> Record:  # noqa: ANN401 - any of the requests
    """The parameters of a query, with cells and units under the names that the game gives them."""
    params = Record()
    params.CopyFrom(request.params)
    for field in ("from", "to", "units"):
        given = getattr(request, field, None)
        if not given:
            continue
        if field in params.fields:
            raise statuses.invalid(field, "stands in params, too")
        value = tuple(given) if field == "units" else given
        params.fields[field].CopyFrom(encode_value(value))
    kind = case.plugin.game.queries.get(query)
    if kind is None:
        return params
    for said in ("from", "to", "unit", "units"):
        if said in params.fields and said not in kind.by_name:
            meant = _meant(kind.params, said)
            if not meant or meant in params.fields:
                raise statuses.invalid(said, f"the query {query!r} of this game has no such thing")
            _fit(params, said, meant, many=kind.by_name[meant].type is ParamType.UNITS)
    return params


def _meant(declared: Sequence[Param], said: str) -> str:
    """What a game calls the cell to look from or to, or the units concerned."""
    types = (ParamType.UNIT, ParamType.UNITS) if said.startswith("unit") else (ParamType.CELL,)
    names = [param.name for param in declared if param.type in types]
    return "" if not names else names[-1] if said == "to" else names[0]


def _fit(params: Record, said: str, meant: str, *, many: bool) -> None:
    """Put what was said under the name that is meant, one unit or several as it has to be."""
    value = decode_value(params.fields[said])
    if many and isinstance(value, str):
        value = (value,)
    elif not many and isinstance(value, tuple):
        if len(value) != 1:
            raise statuses.invalid(said, f"is one here, not {len(value)}")
        value = value[0]
    del params.fields[said]
    params.fields[meant].CopyFrom(encode_value(value))


def _amount(value: Value) -> Rational | None:
    """A number as such; a fraction travels as text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Rational(numerator=value, denominator=1)
    spelt = re.fullmatch(r"(-?\d{1,18})/([1-9]\d{0,17})", value) if isinstance(value, str) else None
    if spelt is None:
        return None
    return Rational(numerator=int(spelt[1]), denominator=int(spelt[2]))


def _texts(value: Value) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else []


def line_of_sight(case: Case, request: pb.LineOfSightRequest) -> Message:
    """LineOfSight: the query `sight`."""
    answer = ask(case, "sight", _asked(case, "sight", request))
    values = answer.values
    return pb.LineOfSightResponse(
        visible=values.get("visible") is True,
        trace=_texts(values.get("trace")),
        blocked_by=encode_value(values["blocked_by"]) if "blocked_by" in values else None,
        answer=encode_answer(answer),
    )


def visible_cells(case: Case, request: pb.VisibleCellsRequest) -> Message:
    """VisibleCells: the query `visible`."""
    answer = ask(case, "visible", _asked(case, "visible", request))
    cells = answer.values.get("cells")
    return pb.VisibleCellsResponse(cells=_texts(cells), answer=encode_answer(answer))


def reach(case: Case, request: pb.ReachRequest) -> Message:
    """Reach: the query `reach`."""
    answer = ask(case, "reach", _asked(case, "reach", request))
    cells = answer.values.get("cells")
    costs = cells.items() if isinstance(cells, FrozenMap) else ()
    return pb.ReachResponse(
        cells=[
            pb.ReachableCell(cell=cell, cost=encode_value(cost), amount=_amount(cost))
            for cell, cost in costs
        ],
        answer=encode_answer(answer),
    )


def find_path(case: Case, request: pb.FindPathRequest) -> Message:
    """FindPath: the query `path`."""
    answer = ask(case, "path", _asked(case, "path", request))
    path = _texts(answer.values.get("path"))
    return pb.FindPathResponse(
        found=bool(path),
        path=path,
        cost=encode_value(answer.values["cost"]) if "cost" in answer.values else None,
        amount=_amount(answer.values.get("cost")),
        answer=encode_answer(answer),
    )


def trace_supply(case: Case, request: pb.TraceSupplyRequest) -> Message:
    """TraceSupply: the query `supply`."""
    answer = ask(case, "supply", _asked(case, "supply", request))
    return pb.TraceSupplyResponse(
        supplied=answer.values.get("supplied") is True,
        path=_texts(answer.values.get("path")),
        answer=encode_answer(answer),
    )
