"""The rules calls by name, and how one of them is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError

from hexmarshal.rules.values import FieldError
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.rulings import case_reading, choosing_calls, rules_calls, sight_calls
from hexmarshal.service.rulings.position_cache import OversizeError, PositionReader
from hexmarshal.v1 import rules_service_pb2, sight_service_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from google.protobuf.message import Message

    from hexmarshal.rules.state.position import Position

__all__ = ["METHODS", "Method", "judged", "read_position"]


@dataclass(frozen=True, slots=True)
class Method:
    """One rules call: its function and its request.

    A `heavy` one is done in a worker; a `faulty` one is about positions that may have faults.
    """

    work: Callable[[case_reading.Case, Any], Message]
    request: type[Message]
    heavy: bool = False
    faulty: bool = False


_rules, _sight = rules_service_pb2, sight_service_pb2
METHODS: Mapping[str, Method] = {
    "CheckMove": Method(rules_calls.check_move, _rules.CheckMoveRequest),
    "CheckAction": Method(rules_calls.check_action, _rules.CheckActionRequest),
    "CheckActions": Method(rules_calls.check_actions, _rules.CheckActionsRequest),
    "BatchCheckActions": Method(rules_calls.batch_check_actions, _rules.BatchCheckActionsRequest),
    "ListActions": Method(choosing_calls.list_actions, _rules.ListActionsRequest, heavy=True),
    "NextChoices": Method(choosing_calls.next_choices, _rules.NextChoicesRequest),
    "ResolveCombat": Method(rules_calls.resolve_combat, _rules.ResolveCombatRequest),
    "ResolveAction": Method(rules_calls.resolve_action, _rules.ResolveActionRequest),
    "GetOdds": Method(rules_calls.get_odds, _rules.GetOddsRequest, heavy=True),
    "Query": Method(rules_calls.query, _rules.QueryRequest, heavy=True),
    "ValidatePosition": Method(
        rules_calls.validate_position, _rules.ValidatePositionRequest, faulty=True
    ),
    "LineOfSight": Method(sight_calls.line_of_sight, _sight.LineOfSightRequest),
    "VisibleCells": Method(sight_calls.visible_cells, _sight.VisibleCellsRequest, heavy=True),
    "Reach": Method(sight_calls.reach, _sight.ReachRequest, heavy=True),
    "FindPath": Method(sight_calls.find_path, _sight.FindPathRequest, heavy=True),
    "TraceSupply": Method(sight_calls.trace_supply, _sight.TraceSupplyRequest, heavy=True),
}


def read_position(reader: PositionReader, data: bytes) -> Position:
    """A client's position, or a refusal."""
    try:
        return reader.read(data)
    except OversizeError as error:
        raise statuses.exhausted(f"position_{error.what}", str(error)) from None
    except FieldError as error:
        refusal = refusal_of(error, lambda field: f"position.{field}")
        assert refusal is not None
        raise refusal from None
    except (DecodeError, RecursionError) as error:
        raise statuses.invalid(
            "position", f"cannot be read: {error}", reason="UNREADABLE"
        ) from None


def judged(method: Method, case: case_reading.Case, request: Message) -> bytes:
    """Do the work of a call; what the rules refuse is a Refusal, what is a bug stays one."""
    if not case.side and not method.faulty:
        case_reading.admitted(case.plugin, case.position)
    try:
        return method.work(case, request).SerializeToString()
    except Refusal:
        raise
    except FieldError as error:  # something that cannot be sent
        refusal = refusal_of(error)
        assert refusal is not None
        raise refusal from None
