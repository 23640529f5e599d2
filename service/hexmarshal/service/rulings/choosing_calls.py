"""The calls that say what may be done: the list of legal actions, and the next choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.choosing import pages
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import page_size
from hexmarshal.service.rulings.case_reading import judged
from hexmarshal.v1 import rules_service_pb2 as pb
from hexmarshal.wire.choices import encode_choices
from hexmarshal.wire.values import decode_record
from hexmarshal.wire.verdicts import encode_action, encode_cost, encode_violation

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from hexmarshal.rules.plugin import Offer
    from hexmarshal.service.rulings.case_reading import Case

__all__ = ["list_actions", "next_choices"]


def list_actions(case: Case, request: pb.ListActionsRequest) -> Message:
    """ListActions: lazily, a page at a time."""
    side = request.side or case.side or _only_active(case)
    size = page_size(request.page_size)
    after = case.tokens.spot_of(request.page_token)
    kinds, units = set(request.kinds), set(request.units)

    def wanted(offer: Offer) -> bool:
        return not units or _names(offer, units)

    def work() -> Message:
        listing = engine.listing(case.plugin, case.position, side, kinds)
        found = pages.page(listing, after, size, wanted, case.in_time)
        response = pb.ListActionsResponse(offers=[_offer(offer) for offer in found.offers])
        if found.after is not None:
            response.next_page_token = case.tokens.spot(found.after)
        for place, reason in found.cut.items():
            kind, _, slot = place.partition(".")
            response.unlisted.add(kind=kind, slot=slot, reason=reason)
        return response

    return judged(work, lambda field: field or "side")  # type: ignore[no-any-return]


def next_choices(case: Case, request: pb.NextChoicesRequest) -> Message:
    """NextChoices."""
    side = request.side or case.side or _only_active(case)

    def work() -> Message:
        params = decode_record(request.params)
        begun = Begun.read(case.plugin.game.actions, request.kind or None, params, request.slot)
        case.in_time()
        found = engine.next_choices(
            case.plugin, case.position, side, begun, reasons=request.reasons
        )
        return encode_choices(found)

    return judged(work, _choice_field)  # type: ignore[no-any-return]


def _choice_field(field: str) -> str:
    """Where in the request stands what the kernel names."""
    first = field.partition(".")[0].partition("[")[0]
    if first in {"game", "viewer"}:
        return f"position.{field}"
    if first in {"kind", "side", "slot"}:
        return field
    return f"params.{field}" if field else "params"


def _only_active(case: Case) -> str:
    active = case.position.active
    if len(active) != 1:
        raise statuses.invalid("side", f"say which side: {', '.join(active) or 'nobody'} may act")
    return active[0]


def _names(offer: Offer, units: set[str]) -> bool:
    return any(
        value in units
        if isinstance(value, str)
        else isinstance(value, tuple)
        and any(item in units for item in value if isinstance(item, str))
        for value in offer.action.params.values()
    )


def _offer(offer: Offer) -> pb.Offer:
    return pb.Offer(
        action=encode_action(offer.action),
        cost=encode_cost(offer.verdict.cost),
        notes=[encode_violation(note) for note in offer.verdict.notes],
    )
