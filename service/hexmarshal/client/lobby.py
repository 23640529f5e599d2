"""The calls of LobbyService as data: seats, invitations, proposals, endings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.client.requests import Request
from hexmarshal.v1 import lobby_service_pb2 as pb
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import match_terms_pb2 as terms

if TYPE_CHECKING:
    from google.protobuf.message import Message

__all__ = ["answer", "claim_time", "invite", "join", "leave", "open_matches", "propose", "resign"]


def open_matches(game: str, token: str) -> Request[tuple[list[matches.Match], str]]:
    """A page of matches with an open seat, and where the next one begins."""
    request = pb.ListOpenMatchesRequest(game=game, page_token=token)
    return Request(
        "LobbyService/ListOpenMatches",
        request,
        pb.ListOpenMatchesResponse,
        lambda r: (list(r.matches), r.next_page_token),
    )


def join(match: str, side: str, invitation: str) -> Request[matches.Match]:
    """Take a seat."""
    request = pb.JoinMatchRequest(match=match, side=side, invitation=invitation)
    return Request("LobbyService/JoinMatch", request, pb.JoinMatchResponse, lambda r: r.match)


def leave(match: str, side: str) -> Request[None]:
    """Give a seat up."""
    request = pb.LeaveMatchRequest(match=match, side=side)
    return Request("LobbyService/LeaveMatch", request, pb.LeaveMatchResponse, lambda _: None)


def invite(match: str, side: str) -> Request[str]:
    """An invitation."""
    request = pb.InviteToMatchRequest(match=match, side=side)
    return Request(
        "LobbyService/InviteToMatch", request, pb.InviteToMatchResponse, lambda r: r.invitation
    )


def _event(method: str, request: Message, answered: type[Message]) -> Request[matches.Event]:
    def read(response: Any) -> matches.Event:  # noqa: ANN401 - any response with an event
        event: matches.Event = response.event
        return event

    return Request(method, request, answered, read)


def propose(match: str, proposal: terms.Proposal.ValueType, side: str) -> Request[matches.Event]:
    """Propose something."""
    request = pb.ProposeRequest(match=match, side=side, proposal=proposal)
    return _event("LobbyService/Propose", request, pb.ProposeResponse)


def answer(
    match: str, proposal: terms.Proposal.ValueType, side: str, *, accept: bool
) -> Request[matches.Event]:
    """Answer what was proposed."""
    request = pb.AnswerProposalRequest(match=match, side=side, proposal=proposal, accept=accept)
    return _event("LobbyService/AnswerProposal", request, pb.AnswerProposalResponse)


def resign(match: str, side: str) -> Request[matches.Event]:
    """Give a match up."""
    request = pb.ResignRequest(match=match, side=side)
    return _event("LobbyService/Resign", request, pb.ResignResponse)


def claim_time(match: str, side: str) -> Request[matches.Event]:
    """Claim that another side's time is up."""
    request = pb.ClaimTimeRequest(match=match, side=side)
    return _event("LobbyService/ClaimTime", request, pb.ClaimTimeResponse)
