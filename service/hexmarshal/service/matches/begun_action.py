"""An action of which dice are known while more are needed: it can no longer be withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.rpc.error_details_pb2 import ErrorInfo

from hexmarshal.service.calls import statuses
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1.verdict_pb2 import RollRequest
from hexmarshal.wire.verdicts import decode_action

if TYPE_CHECKING:
    from hexmarshal.service.calls.statuses import Refusal
    from hexmarshal.service.matches.match import HeldMatch
    from hexmarshal.v1.verdict_pb2 import GivenDice

__all__ = ["at_version", "begun_by", "must_go_on"]


def begun_by(player: str, request: pb.SubmitActionRequest, refusal: Refusal) -> pb.Event | None:
    """The event that keeps the dice known so far; None if there are none, or nothing is asked."""
    if refusal.reason != statuses.NEEDS_DICE or not any(_values(request.dice).values()):
        return None
    needs = next(detail for detail in refusal.details if isinstance(detail, RollRequest))
    begun = pb.ActionBegun(action=request.action, dice=request.dice, needs=needs)
    return pb.Event(player=player, side=request.action.side, action_begun=begun)


def at_version(refusal: Refusal, version: int) -> Refusal:
    """The same refusal, with the version of the match with which to go on."""
    for detail in refusal.details:
        if isinstance(detail, ErrorInfo):
            detail.metadata["version"] = str(version)
    return refusal


def must_go_on(held: HeldMatch, request: pb.SubmitActionRequest) -> None:
    """Refuse whatever is not the action that was begun, with the dice that are known first."""
    if held.begun is None:
        return
    _, event = held.begun
    begun = event.action_begun
    given = _values(request.dice)
    same = decode_action(begun.action) == decode_action(request.action)
    if not same or any(
        given[pick][: len(values)] != values for pick, values in _values(begun.dice).items()
    ):
        raise statuses.precondition(
            "DICE_KNOWN",
            f"{begun.action.kind} of {event.side} was begun and dice of it are known: "
            "go on with it, the same dice first",
        )


def _values(dice: GivenDice) -> dict[bool, list[int]]:
    """The values given: of dice (False) and of draws (True)."""
    found = {False: list(dice.dice.values), True: list(dice.picks.values)}
    for roll in dice.rolls:
        found[roll.pick] += roll.values
    return found
