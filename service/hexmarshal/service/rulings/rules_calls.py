"""The rules calls as pure functions: a position and a request in, a response out.

They run in the server where they are cheap and in worker processes where they are not, so they know
nothing of callers, matches and gRPC contexts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.rules import engine
from hexmarshal.rules.action import Action, ParamType
from hexmarshal.rules.state.validate import problems
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.rulings.case_reading import (
    action_field,
    declared_action,
    given_dice,
    judged,
    named_dice_field,
    params_field,
    read_action,
)
from hexmarshal.v1 import rules_service_pb2 as pb
from hexmarshal.v1 import verdict_pb2
from hexmarshal.wire.effects import fill_effect
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record, encode_distribution, encode_record
from hexmarshal.wire.verdicts import (
    encode_answer,
    encode_outcome,
    encode_resolution,
    encode_roll,
    encode_verdict,
    encode_violation,
    fill_action,
    fill_resolution,
    fill_verdict,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value
    from hexmarshal.rules.verdict import Answer, Applied, Verdict
    from hexmarshal.service.rulings.case_reading import Case
    from hexmarshal.v1.value_pb2 import Record as RecordMessage

__all__ = ["perform"]

# Checking


def check_move(case: Case, request: pb.CheckMoveRequest) -> Message:
    """CheckMove: the move as an action of the game, by the types of its parameters."""

    def work() -> Message:
        action = _move(case, request)
        verdict = engine.check(case.plugin, case.position, action)
        response = pb.CheckMoveResponse()
        fill_verdict(response.verdict, verdict)
        fill_action(response.action, action)
        return response

    return judged(work, action_field)  # type: ignore[no-any-return]


def _move(case: Case, request: pb.CheckMoveRequest) -> Action:
    kind = case.plugin.game.actions.get(request.kind or "move")
    if kind is None:
        known = ", ".join(case.plugin.game.actions)
        raise statuses.invalid("kind", f"{request.kind or 'move'!r} is not one of {known}")
    units = tuple(request.units)
    if not units:
        raise statuses.invalid("units", "is missing")
    mover = case.position.units.get(units[0])
    if mover is None:
        raise statuses.invalid("units[0]", f"no unit {units[0]!r}")
    params: dict[str, Value] = dict(decode_record(request.params))
    for param in kind.params:
        if param.name in params:
            continue
        if param.type is ParamType.UNITS:
            params[param.name] = units
        elif param.type is ParamType.UNIT and len(units) == 1:
            params[param.name] = units[0]
        elif param.type is ParamType.PATH:
            params[param.name] = tuple(request.path)
        elif param.type is ParamType.CELL and param.required and request.path:
            params[param.name] = request.path[-1]
    return Action(kind.name, mover.side, kind.decode(params))


def check_action(case: Case, request: pb.CheckActionRequest) -> Message:
    """CheckAction."""

    def work() -> Message:
        action = read_action(case.plugin, request.action)
        verdict = engine.check(case.plugin, case.position, action)
        return pb.CheckActionResponse(verdict=encode_verdict(verdict))

    return judged(work, action_field)  # type: ignore[no-any-return]


def _check_all(case: Case, response: Any, actions: Sequence[verdict_pb2.Action]) -> None:  # noqa: ANN401
    """One result for each action; a problem with one does not touch the others."""
    if len(actions) > case.max_actions:
        raise statuses.exhausted(
            "actions", f"{len(actions)} actions in one message, {case.max_actions} are allowed"
        )
    plugin, position, add = case.plugin, case.position, response.results.add
    for number, message in enumerate(actions):
        if number & 63 == 0:
            case.in_time()
        try:
            verdict: Verdict = engine.check(plugin, position, read_action(plugin, message))
            fill_verdict(add().verdict, verdict)
        except Exception as error:
            refusal = refusal_of(error, action_field)
            if refusal is None:
                raise
            add(problem=_problem(refusal))


def _problem(refusal: Refusal) -> verdict_pb2.Problem:
    field = refusal.field.removeprefix("action.")
    return verdict_pb2.Problem(code=refusal.code.name, message=refusal.message, field=field)


def check_actions(case: Case, request: pb.CheckActionsRequest) -> Message:
    """CheckActions: one message of the stream."""
    response = pb.CheckActionsResponse()
    _check_all(case, response, request.actions)
    return response


def batch_check_actions(case: Case, request: pb.BatchCheckActionsRequest) -> Message:
    """BatchCheckActions."""
    response = pb.BatchCheckActionsResponse()
    _check_all(case, response, request.actions)
    return response


# Resolving


def perform(
    plugin: GamePlugin, position: Position, action: Action, dice: verdict_pb2.GivenDice
) -> Applied:
    """What an action does."""
    tray = given_dice(position, dice)

    def field(name: str) -> str:
        return named_dice_field(dice, name) if dice.rolls else action_field(name)

    return judged(lambda: engine.perform(plugin, position, action, tray), field)  # type: ignore[no-any-return]


def _performed(case: Case, request: pb.ResolveActionRequest | pb.ResolveCombatRequest) -> Applied:
    if case.side:
        # What it does may depend on what the seat does not know.
        raise statuses.precondition(
            "SEAT_VIEW",
            "what an action does in a match is found out by doing it: SubmitAction; "
            "CheckAction says whether it is legal, GetOdds what may come of it; "
            "to try it out, send a position of your own",
        )
    action = declared_action(case.plugin, request.action)
    return perform(case.plugin, case.position, action, request.dice)


def resolve_combat(case: Case, request: pb.ResolveCombatRequest) -> Message:
    """ResolveCombat."""
    applied = _performed(case, request)
    decided = [r for r in applied.resolutions if r.strengths or r.column]
    if not decided:
        raise statuses.invalid("action.kind", "this action decides no combat")
    combat = decided[0]
    response = pb.ResolveCombatResponse()
    fill_resolution(response.resolution, combat)
    for other in applied.resolutions:
        if other is not combat:
            fill_resolution(response.further.add(), other)
    add = response.effects.add
    for effect in applied.effects:
        fill_effect(add(), effect)
    return response


def resolve_action(case: Case, request: pb.ResolveActionRequest) -> Message:
    """ResolveAction."""
    applied = _performed(case, request)
    ended = engine.outcome(case.plugin, applied.position)
    response = pb.ResolveActionResponse(
        rolls=[encode_roll(roll) for roll in applied.rolls],
        position=None if request.omit_position else encode_position(applied.position),
        outcome=None if ended is None else encode_outcome(ended),
    )
    for resolution in applied.resolutions:
        fill_resolution(response.resolutions.add(), resolution)
    for effect in applied.effects:
        fill_effect(response.effects.add(), effect)
    return response


# Asking


def ask(case: Case, name: str, params: RecordMessage) -> Answer:
    """The answer to a query of the game."""
    kind = case.plugin.game.queries.get(name)
    if kind is None:
        known = ", ".join(case.plugin.game.queries) or "none"
        raise statuses.unimplemented(f"the game has no query {name!r}; it has: {known}")

    def work() -> Answer:
        read = kind.decode(decode_record(params))
        return engine.ask(case.plugin, case.position, name, read, case.side)

    return judged(work, params_field)  # type: ignore[no-any-return]


def query(case: Case, request: pb.QueryRequest) -> Message:
    """Query."""
    if not request.name:
        raise statuses.invalid("name", "is missing")
    return pb.QueryResponse(answer=encode_answer(ask(case, request.name, request.params)))


def get_odds(case: Case, request: pb.GetOddsRequest) -> Message:
    """GetOdds."""
    answer = ask(case, "odds", request.params)
    return pb.GetOddsResponse(
        distribution=None
        if answer.distribution is None
        else encode_distribution(answer.distribution),
        resolution=None if answer.resolution is None else encode_resolution(answer.resolution),
        values=encode_record(answer.values) if answer.values else None,
    )


def validate_position(case: Case, request: pb.ValidatePositionRequest) -> Message:
    """ValidatePosition."""
    del request
    position, plugin = case.position, case.plugin
    found = position.remember("problems", lambda: problems(plugin, position))
    return pb.ValidatePositionResponse(
        valid=not found,
        violations=[encode_violation(v) for v in found[:1000]],
        digest=position.digest,
    )
