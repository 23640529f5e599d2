"""The calls of MatchService as data: matches made, played, watched and taken along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.client.requests import Request, given, params
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.wire.verdicts import encode_action

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.client.requests import Params
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.dice import Given

__all__ = [
    "create_match", "delete_match", "export", "get_match", "list_events", "list_matches",
    "submit", "undo", "watch",
]  # fmt: skip


def create_match(
    game: str,
    scenario: str,
    options: Params,
    seats: Mapping[str, str],
    fields: Mapping[str, Any],
) -> Request[matches.Match]:
    """A new match; `seats` are the players by side."""
    request = matches.CreateMatchRequest(
        game=game,
        scenario=scenario,
        options=params(options),
        seats=[matches.Seat(side=side, player=player) for side, player in seats.items()],
        **fields,
    )
    return Request(
        "MatchService/CreateMatch", request, matches.CreateMatchResponse, lambda r: r.match
    )


def get_match(match: str, side: str, whole: bool) -> Request[matches.Match]:
    """A match from one's seat, or whole."""
    request = matches.GetMatchRequest(match=match, side=side, whole=whole)
    return Request("MatchService/GetMatch", request, matches.GetMatchResponse, lambda r: r.match)


def list_matches(game: str, token: str) -> Request[tuple[list[matches.Match], str]]:
    """A page of matches, and where the next one begins."""
    request = matches.ListMatchesRequest(game=game, page_token=token)
    return Request(
        "MatchService/ListMatches",
        request,
        matches.ListMatchesResponse,
        lambda r: (list(r.matches), r.next_page_token),
    )


def submit(
    match: str,
    version: int,
    action: Action,
    key: str,
    dice: Sequence[int | Given] | None,
    picks: Sequence[int | Given] | None,
    whole: bool,
) -> Request[matches.Event]:
    """Do an action."""
    request = matches.SubmitActionRequest(
        match=match,
        version=version,
        action=encode_action(action),
        idempotency_key=key,
        dice=given(dice, picks),
        whole=whole,
    )
    return Request(
        "MatchService/SubmitAction", request, matches.SubmitActionResponse, lambda r: r.event
    )


def undo(
    match: str,
    version: int,
    side: str,
    key: str,
    whole: bool,
) -> Request[matches.Event]:
    """Take the last action back."""
    request = matches.UndoActionRequest(
        match=match, version=version, side=side, idempotency_key=key, whole=whole
    )
    return Request(
        "MatchService/UndoAction", request, matches.UndoActionResponse, lambda r: r.event
    )


def watch(match: str, after: int, side: str) -> Request[matches.Event]:
    """What happens in a match."""
    request = matches.WatchMatchRequest(match=match, after_version=after, side=side)
    return Request(
        "MatchService/WatchMatch", request, matches.WatchMatchResponse, lambda r: r.event
    )


def list_events(
    match: str, after: int, side: str, token: str
) -> Request[tuple[list[matches.Event], str]]:
    """A page of events, and where the next one begins."""
    request = matches.ListEventsRequest(
        match=match, after_version=after, side=side, page_token=token
    )
    return Request(
        "MatchService/ListEvents",
        request,
        matches.ListEventsResponse,
        lambda r: (list(r.events), r.next_page_token),
    )


def export(match: str, side: str, format: int, whole: bool) -> Request[bytes]:
    """The record of a match."""
    request = matches.ExportMatchRequest(
        match=match,
        side=side,
        format=matches.ExportFormat.Name(format),  # type: ignore[arg-type]
        whole=whole,
    )
    return Request(
        "MatchService/ExportMatch", request, matches.ExportMatchResponse, lambda r: r.chunk
    )


def delete_match(match: str) -> Request[None]:
    """Remove a match."""
    request = matches.DeleteMatchRequest(match=match)
    return Request("MatchService/DeleteMatch", request, matches.DeleteMatchResponse, lambda _: None)
