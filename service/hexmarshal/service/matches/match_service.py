"""MatchService: creates, shows, plays, watches and removes matches."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from hexmarshal.rules.state.view import NOBODY
from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import page_size
from hexmarshal.service.matches.creating import Asked, new_match, opened
from hexmarshal.service.matches.idempotency import same_match
from hexmarshal.service.matches.match_cache import Shelf
from hexmarshal.service.matches.match_export import export_lines
from hexmarshal.service.matches.playing import Playing
from hexmarshal.service.matches.seeing import listed, seat_of, seen_position, whole_message
from hexmarshal.service.rulings.game_service import declared_scenario
from hexmarshal.v1 import lobby_service_pb2 as lobby_pb
from hexmarshal.v1 import match_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from google.protobuf.message import Message

    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.auth import Caller
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.matches.match import HeldMatch
    from hexmarshal.service.matches.told_events import Told
    from hexmarshal.service.rulings.here import Key
    from hexmarshal.service.rulings.routing import Rulings
    from hexmarshal.service.settings import Settings
    from hexmarshal.service.store import Store

__all__ = ["MatchService"]

P = ParamSpec("P")
T = TypeVar("T")
CHUNK = 64 << 10
# A page of events ends when it holds this much, however few they are.
PAGE_BYTES = 1 << 20


class MatchService:
    """Matches in a store, the ones in use also in memory."""

    def __init__(self, store: Store, rulings: Rulings, settings: Settings) -> None:
        self._settings = settings
        self._store = store
        self._rulings = rulings
        self.shelf = Shelf(store, rulings, settings)
        self.playing = Playing(store, self.shelf, rulings)
        self.watchers = 0

    def begin(self) -> None:
        """Hear from now on what other servers do."""
        self.shelf.news.begin()

    def close(self) -> None:
        """Let all watchers go."""
        self.shelf.close()

    async def ended(self) -> None:
        """Wait until nothing is asked of the store any more."""
        await self.shelf.news.ended()

    @property
    def held(self) -> int:
        """How many matches are in memory."""
        return len(self.shelf)

    async def view(self, call: Call, id: str, side: str) -> tuple[Position, str]:
        """The position of a match from the caller's seat, for the rules calls."""
        held = await self.shelf.current(id)
        side = seat_of(call.caller, held, side, "match.side")
        return await self._here((held.row.game, "see", ""), seen_position, held, side), side

    async def _here(self, key: Key, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do it where it holds up nobody."""
        return await self._rulings.here.do(key, partial(work, *args, **more))

    async def said(
        self, held: HeldMatch, side: str, answer: Callable[[pb.Match], Message]
    ) -> bytes:
        """An answer with a match as it is seen from a seat."""
        key = (held.row.game, "GetMatch", "")
        return await self._rulings.here.said(key, lambda: answer(whole_message(held, side)))

    # Creating, showing, removing

    async def create_match(
        self, call: Call, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse | bytes:
        """CreateMatch."""
        call.caller.require(Role.PLAYER)
        await self._require_room(call.caller)
        plugin = await self._rulings.plugin(request.game, "game")
        asked = Asked.of(request)
        key = (request.game, "CreateMatch", declared_scenario(plugin, request.scenario))
        opening = await self._rulings.anywhere(call, key, partial(opened, asked))
        row = new_match(asked, request, opening, call.caller.name)
        made = await self._store.create_match(row)
        if made.id != row.id:
            same_match(made, row, seed=request.seed)
        held = await self.shelf.current(made.id)
        own = [""] if call.caller.may(Role.DIRECTOR) else call.caller.sides(made)
        if len(own) == 1:
            return await self.said(held, own[0], lambda match: pb.CreateMatchResponse(match=match))
        return pb.CreateMatchResponse(match=listed(call.caller, made))

    async def _require_room(self, caller: Caller) -> None:
        """Refuse a player who has too much already; a director may have any number."""
        if caller.may(Role.DIRECTOR):
            return
        found = await self._store.made_by(caller.name)
        if found.matches >= (most := self._settings.max_matches_per_player):
            raise statuses.exhausted("matches_per_player", f"you have {most} matches: remove some")
        if found.bytes >= (most := self._settings.max_bytes_per_player):
            text = f"your matches take more than {most} bytes: remove some"
            raise statuses.exhausted("bytes_per_player", text)

    async def get_match(self, call: Call, request: pb.GetMatchRequest) -> bytes:
        """GetMatch."""
        held = await self.shelf.current(request.match)
        side = seat_of(call.caller, held, request.side, whole=request.whole)
        return await self.said(held, side, lambda match: pb.GetMatchResponse(match=match))

    async def list_matches(self, call: Call, request: pb.ListMatchesRequest) -> bytes:
        """ListMatches."""
        return await self.page(call, request, pb.ListMatchesResponse)

    async def page(
        self,
        call: Call,
        request: pb.ListMatchesRequest | lobby_pb.ListOpenMatchesRequest,
        answer: type[pb.ListMatchesResponse | lobby_pb.ListOpenMatchesResponse],
    ) -> bytes:
        """A page of the caller's matches, or of those with an open seat, and where to go on."""
        most, token = page_size(request.page_size), request.page_token
        to_join = answer is lobby_pb.ListOpenMatchesResponse
        caller = call.caller
        # One's token is nobody else's: it would tell of a match.
        kind = "open matches" if to_join else "matches"
        name = f"{kind} of {caller.name}"
        last = self._rulings.tokens.last(name, token)
        if last and await self._store.head(last) is None:
            raise statuses.invalid("page_token", "the match that it goes on from is gone")
        rows = await self._store.matches(
            player=None if caller.may(Role.DIRECTOR) else caller.name,
            ids=sorted({match for match, _ in caller.seats}),
            game=request.game,
            after=last,
            limit=most + 1,
            open=to_join,
        )
        more = len(rows) > most
        following = self._rulings.tokens.name(name, rows[most - 1].id) if more else ""
        shown = rows[:most]
        return await self._rulings.here.said(
            ("", "ListMatches", str(len(shown).bit_length())),
            lambda: answer(
                matches=[listed(caller, row) for row in shown], next_page_token=following
            ),
        )

    async def delete_match(
        self, call: Call, request: pb.DeleteMatchRequest
    ) -> pb.DeleteMatchResponse:
        """DeleteMatch: by its creator as long as nobody else plays it, or by a director."""
        held = await self.shelf.current(request.match)
        if not call.caller.may(Role.DIRECTOR):
            name = call.caller.name
            if held.row.created_by != name:
                text = "only who created a match may remove it"
                raise statuses.denied(text, reason="NOT_CREATOR")
            others = any(player not in {"", name} for _, player in held.row.seats)
            # What others did under a seal, who made the match must not learn.
            own = call.caller.sides(held.row) or [NOBODY]
            if others and held.begun_for(*own) and held.outcome is None:
                raise statuses.precondition("MATCH_GOES_ON", "others play it: resign first")
        await self.shelf.forget(request.match)
        return pb.DeleteMatchResponse()

    # Playing

    async def submit_action(self, call: Call, request: pb.SubmitActionRequest) -> bytes:
        """SubmitAction."""
        return await self.playing.submit(call, request)

    async def undo_action(self, call: Call, request: pb.UndoActionRequest) -> pb.UndoActionResponse:
        """UndoAction."""
        return await self.playing.undo(call, request)

    # Watching and exporting

    async def watch_match(self, call: Call, request: pb.WatchMatchRequest) -> AsyncIterator[bytes]:
        """WatchMatch: what was missed, then what happens; ends with the match."""
        held = await self.shelf.current(request.match)
        side = seat_of(call.caller, held, request.side)
        newest, after = held.versions.newest(side), request.after_version
        if after < -1 or after > newest:
            raise statuses.invalid("after_version", f"the match is at version {newest}")
        seen = held.version if after == -1 else held.versions.stored(side, after)
        self.watchers += 1
        try:
            bell = self.shelf.news.bell(request.match)
            held = await self.shelf.current(request.match)
            while not self.shelf.closing:
                bell.version = max(bell.version, held.version)
                for told in await held.told_to(side).after(seen, self._rulings.here):
                    seen = told.version
                    yield told.data
                    if told.last:
                        return
                if held.outcome is not None:
                    return
                # Nothing of the match is kept for who only waits.
                del held
                async with asyncio.timeout(call.seconds_left):
                    await bell.wait()
                rung, bell = bell.heard()
                held = await self.shelf.known(request.match, rung)
            raise statuses.unavailable("the server is going down; watch again elsewhere")
        finally:
            self.watchers -= 1

    async def list_events(self, call: Call, request: pb.ListEventsRequest) -> bytes:
        """ListEvents."""
        most = page_size(request.page_size)
        held = await self.shelf.current(request.match)
        side = seat_of(call.caller, held, request.side)
        newest, after = held.versions.newest(side), request.after_version
        if not 0 <= after <= newest:
            raise statuses.invalid("after_version", f"the match is at version {newest}")
        name = f"events of {request.match} from {side!r}"
        last = self._rulings.tokens.start(name, request.page_token)
        first = max(last, held.versions.stored(side, after))
        listed = await held.told_to(side).after(first, self._rulings.here)
        size, shown = 0, 0
        while shown < len(listed) and shown < most and size <= PAGE_BYTES:
            size += len(listed[shown].data)
            shown += 1
        more = shown < len(listed)
        following = self._rulings.tokens.number(name, listed[shown - 1].version) if more else ""
        key = (held.row.game, "ListEvents", str(size.bit_length()))
        return await self._rulings.here.said(key, partial(_events, listed[:shown], following))

    async def export_match(
        self, call: Call, request: pb.ExportMatchRequest
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """ExportMatch."""
        held = await self.shelf.current(request.match)
        side = seat_of(call.caller, held, request.side, whole=request.whole)
        if request.format not in pb.ExportFormat.values():
            raise statuses.invalid("format", "no such format")
        refused = [] if side else await self._store.refusals(request.match)
        lines = export_lines(held, side, request.format, refused)
        while chunk := await self._rulings.here.apart(partial(_chunk, lines)):
            yield pb.ExportMatchResponse(chunk=chunk)


def _events(listed: Sequence[Told], following: str) -> pb.ListEventsResponse:
    events = [pb.WatchMatchResponse.FromString(told.data).event for told in listed]
    return pb.ListEventsResponse(events=events, next_page_token=following)


def _chunk(lines: Iterator[str]) -> bytes:
    """The next lines, as many as go into one message; nothing at the end."""
    chunk = b""
    for line in lines:
        chunk += line.encode() + b"\n"
        if len(chunk) >= CHUNK:
            break
    return chunk
