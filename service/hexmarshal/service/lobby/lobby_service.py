"""LobbyService: taking seats, inviting, proposing, giving up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.lobby.invitations import invitation, invited_to
from hexmarshal.service.matches.seeing import own_seat
from hexmarshal.service.store import VersionConflictError
from hexmarshal.v1 import lobby_service_pb2 as pb
from hexmarshal.v1 import match_service_pb2 as matches_pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.lobby.table_state import Offer
    from hexmarshal.service.matches.match import Happening, HeldMatch
    from hexmarshal.service.matches.match_service import MatchService
    from hexmarshal.service.rulings.routing import Rulings

__all__ = ["LobbyService"]

T = TypeVar("T")


class LobbyService:
    """What players do around the table; each of it is an event of the match."""

    def __init__(self, matches: MatchService, rulings: Rulings) -> None:
        self._matches = matches
        self._rulings = rulings

    async def list_open_matches(self, call: Call, request: pb.ListOpenMatchesRequest) -> bytes:
        """ListOpenMatches."""
        return await self._matches.page(call, request, pb.ListOpenMatchesResponse)

    # Seats

    async def join_match(self, call: Call, request: pb.JoinMatchRequest) -> bytes:
        """JoinMatch; who has the seat already is answered the same again."""
        call.caller.require(Role.PLAYER)
        name, match, side = call.caller.name, request.match, request.side
        invited = ""
        if request.invitation:
            to, invited = invited_to(self._rulings.tokens, request.invitation)
            if (match and match != to) or (side and side != invited):
                raise statuses.invalid("invitation", "is for another seat")
            match, side = to, invited

        async def sit(held: HeldMatch) -> str:
            seat = _free_seat(held, side, name, invited=bool(invited))
            # Where nobody has a name, everybody plays every seat as it is.
            if name and dict(held.row.seats)[seat] != name:
                _require_going(held)
                if held.table.known_sides(name) - {seat}:
                    text = "you have seen what another side of this match knows"
                    raise statuses.precondition("SEAT_KNOWN", text)
                event = matches_pb.Event(
                    player=name, side=seat, seat_taken=terms_pb.SeatTaken(player=name)
                )
                await self._matches.playing.around_table(held, event)
            return seat

        held, seat = await self._at_table(match, sit)
        return await self._matches.said(
            held, seat, lambda match: pb.JoinMatchResponse(match=match, side=seat)
        )

    async def leave_match(self, call: Call, request: pb.LeaveMatchRequest) -> pb.LeaveMatchResponse:
        """LeaveMatch."""

        async def leave(held: HeldMatch) -> None:
            side = own_seat(call.caller, held, request.side)
            _require_going(held)
            # What others did under a seal, who leaves must not learn.
            if held.begun_for(side):
                raise statuses.precondition("MATCH_BEGUN", "the match has begun: resign instead")
            who = dict(held.row.seats)[side]
            if not who:
                raise statuses.precondition("SEAT_OPEN", "nobody has this seat")
            if held.table.known_sides(who) - {side}:
                text = "you know what another side knows: whoever came after you would be betrayed"
                raise statuses.precondition("SEAT_KNOWN", text)
            event = matches_pb.Event(
                player=call.caller.name, side=side, seat_left=terms_pb.SeatLeft(player=who)
            )
            await self._matches.playing.around_table(held, event)

        await self._at_table(request.match, leave)
        return pb.LeaveMatchResponse()

    async def invite_to_match(
        self, call: Call, request: pb.InviteToMatchRequest
    ) -> pb.InviteToMatchResponse:
        """InviteToMatch."""
        held = await self._matches.shelf.current(request.match)
        caller = call.caller
        host = caller.may(Role.DIRECTOR) or held.row.created_by == caller.name
        if not host and not caller.sides(held.row):
            raise statuses.denied("only who made a match or plays it may invite to it")
        _require_going(held)
        side = _free_seat(held, request.side, "", invited=True)
        text, until = invitation(self._rulings.tokens, held.row.id, side)
        return pb.InviteToMatchResponse(
            invitation=text, side=side, expire_time=Timestamp(seconds=until)
        )

    # Agreeing and ending

    async def propose(self, call: Call, request: pb.ProposeRequest) -> pb.ProposeResponse:
        """Propose."""
        kind = request.proposal
        if kind not in terms_pb.Proposal.values() or not kind:
            raise statuses.invalid("proposal", "say what is proposed")

        async def do(held: HeldMatch, side: str) -> Happening:
            offer = held.table.offered(kind, side)
            await self._require_sense(held, offer)
            if not offer.waiting:
                return await self._agreed(call, held, side, offer)
            if held.table.offer is not None:
                raise statuses.precondition("PROPOSAL_OPEN", "answer what is proposed first")
            event = matches_pb.Event(
                player=call.caller.name, side=side, proposed=terms_pb.Proposed(proposal=kind)
            )
            return await self._matches.playing.around_table(held, event)

        return pb.ProposeResponse(event=await self._done(call, request, do))

    async def answer_proposal(
        self, call: Call, request: pb.AnswerProposalRequest
    ) -> pb.AnswerProposalResponse:
        """AnswerProposal."""

        async def do(held: HeldMatch, side: str) -> Happening:
            offer = held.table.offer
            if offer is None or offer.proposal != request.proposal or side not in offer.waiting:
                raise statuses.precondition("NO_PROPOSAL", "nobody proposes this to you")
            if request.accept and offer.waiting == (side,):
                return await self._agreed(call, held, side, offer)
            answered = terms_pb.Answered(proposal=offer.proposal, accepted=request.accept)
            event = matches_pb.Event(player=call.caller.name, side=side, answered=answered)
            return await self._matches.playing.around_table(held, event)

        return pb.AnswerProposalResponse(event=await self._done(call, request, do))

    async def _agreed(self, call: Call, held: HeldMatch, side: str, offer: Offer) -> Happening:
        """Do what all agree on."""
        playing, name, kind = self._matches.playing, call.caller.name, offer.proposal
        await self._require_sense(held, offer)
        if kind == terms_pb.PROPOSAL_DRAW:
            return await playing.end(held, side, terms_pb.ENDING_DRAW, name)
        if kind == terms_pb.PROPOSAL_TAKE_BACK:
            until = offer.version
            return await playing.take_back(held, offer.side, name, agreed=True, until=until)
        event = matches_pb.Event(player=name, side=side)
        if kind == terms_pb.PROPOSAL_ADJOURN:
            event.adjourned.SetInParent()
        else:
            event.resumed.SetInParent()
        return await playing.around_table(held, event)

    async def _require_sense(self, held: HeldMatch, offer: Offer) -> None:
        """Refuse what cannot be agreed on now."""
        kind = offer.proposal
        if kind == terms_pb.PROPOSAL_TAKE_BACK:
            await self._matches.playing.may_take_back(held, offer.side, offer.version)
        elif kind == terms_pb.PROPOSAL_ADJOURN and held.table.adjourned:
            raise statuses.precondition("ADJOURNED", "the match rests already")
        elif kind == terms_pb.PROPOSAL_RESUME and not held.table.adjourned:
            raise statuses.precondition("NOT_ADJOURNED", "the match does not rest")

    async def resign(self, call: Call, request: pb.ResignRequest) -> pb.ResignResponse:
        """Resign."""

        async def do(held: HeldMatch, side: str) -> Happening:
            return await self._matches.playing.end(
                held, side, terms_pb.ENDING_RESIGNED, call.caller.name
            )

        return pb.ResignResponse(event=await self._done(call, request, do))

    async def claim_time(self, call: Call, request: pb.ClaimTimeRequest) -> pb.ClaimTimeResponse:
        """ClaimTime."""

        async def do(held: HeldMatch, side: str) -> Happening:
            clocks = held.table.clocks
            late = [] if clocks is None else clocks.late(time.time_ns() // 1000)
            loser = next((one for one in late if one != side), None)
            if loser is None:
                raise statuses.precondition("TIME_LEFT", "nobody else's time is up")
            return await self._matches.playing.end(held, loser, terms_pb.ENDING_TIME)

        return pb.ClaimTimeResponse(event=await self._done(call, request, do))

    async def _done(
        self,
        call: Call,
        request: pb.ProposeRequest
        | pb.AnswerProposalRequest
        | pb.ResignRequest
        | pb.ClaimTimeRequest,
        do: Callable[[HeldMatch, str], Awaitable[Happening]],
    ) -> matches_pb.Event:
        """What a player does while the match goes on, as his own seat sees it, whosever it is."""

        async def as_seen(held: HeldMatch) -> matches_pb.Event:
            side = own_seat(call.caller, held, request.side)
            _require_going(held)
            done = await do(held, side)
            return held.seen(done, side)

        _, event = await self._at_table(request.match, as_seen)
        return event

    async def _at_table(
        self, match: str, do: Callable[[HeldMatch], Awaitable[T]]
    ) -> tuple[HeldMatch, T]:
        """Do it with the match as it is now, again if another server was faster."""
        shelf = self._matches.shelf
        held = await shelf.current(match)
        async with held.lock:
            while True:
                held = await shelf.current(match)
                try:
                    return held, await do(held)
                except VersionConflictError:
                    continue


def _free_seat(held: HeldMatch, side: str, name: str, *, invited: bool) -> str:
    """The seat to take: the one named, one's own, or the first that is free."""
    seats = dict(held.row.seats)
    if side and side not in seats:
        known = ", ".join(seats)
        raise statuses.invalid("side", f"no side {side!r}; the sides are: {known}")
    if not side and name:
        side = next((s for s, player in seats.items() if player == name), "")
    side = side or next((s for s, player in seats.items() if not player), "")
    if not side or (seats[side] and seats[side] != name):
        what = f"the seat of {side}" if side else "every seat"
        raise statuses.precondition("SEAT_TAKEN", f"{what} is taken")
    if not seats[side] and not invited and held.table.terms.access != terms_pb.ACCESS_OPEN:
        raise statuses.denied("an invitation is needed for this seat", reason="NOT_INVITED")
    return side


def _require_going(held: HeldMatch) -> None:
    if held.outcome is not None:
        raise statuses.precondition("MATCH_OVER", "the match is over")
