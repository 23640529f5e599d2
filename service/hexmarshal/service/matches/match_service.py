"""MatchService: creates, shows, plays, watches and removes matches."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.secrecy.telling import telling
from hexmarshal.rules.state.disclosure import changes
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.values import thaw
from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import page_size
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.matches.begun_action import at_version, begun_by, must_go_on
from hexmarshal.service.matches.idempotency import (
    check_key,
    other_use,
    repeated,
    same_action,
    same_match,
)
from hexmarshal.service.matches.match import Done
from hexmarshal.service.matches.match_cache import Shelf, timestamp
from hexmarshal.service.matches.match_export import export_lines
from hexmarshal.service.matches.undoing import undoable, without
from hexmarshal.service.rulings import rules_calls
from hexmarshal.service.store import MatchRow, VersionConflictError
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.wire.effects import encode_effect
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record
from hexmarshal.wire.verdicts import (
    encode_outcome,
    encode_resolution,
    encode_roll,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from hexmarshal.rules.state.position import Position
    from hexmarshal.service.auth import Caller
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.matches.match import Happening, HeldMatch
    from hexmarshal.service.rulings.routing import Rulings
    from hexmarshal.service.store import Store

__all__ = ["MatchService"]

LONGEST_TITLE = 200
CHUNK = 64 << 10


class MatchService:
    """Matches in a store, the ones in use also in memory."""

    def __init__(self, store: Store, rulings: Rulings, max_matches_per_player: int) -> None:
        self._most = max_matches_per_player
        self._store = store
        self._rulings = rulings
        self._shelf = Shelf(store, rulings.registry)
        self.watchers = 0

    def begin(self) -> None:
        """Hear from now on what other servers do."""
        self._shelf.news.begin()

    def close(self) -> None:
        """Let all watchers go."""
        self._shelf.close()

    @property
    def held(self) -> int:
        """How many matches are in memory."""
        return len(self._shelf)

    # What a caller may see

    def seat(self, call: Call, row: MatchRow, side: str, field: str = "side") -> str:
        """The side from which the caller sees the match; '' for the whole truth."""
        sides = [name for name, _ in row.seats]
        if side and side not in sides:
            raise statuses.invalid(field, f"no side {side!r}; the sides are: {', '.join(sides)}")
        if call.caller.may(Role.DIRECTOR):
            return side
        own = call.caller.sides(row)
        if side:
            if side not in own:
                raise statuses.denied(f"you have no seat for {side!r} in this match")
            return side
        if not own:
            raise statuses.denied("you have no seat in this match")
        if len(own) > 1:
            raise statuses.invalid(field, f"you hold several seats, say which: {', '.join(own)}")
        return own[0]

    async def view(self, call: Call, id: str, side: str) -> tuple[Position, str]:
        """The position of a match from the caller's seat, for the rules calls."""
        held = await self._shelf.current(id)
        side = self.seat(call, held.row, side, "match.side")
        if not side:
            return held.position, ""
        return engine.view(held.plugin, held.position, side), side

    def _message(self, row: MatchRow, version: int) -> pb.Match:
        return pb.Match(
            id=row.id,
            game=row.game,
            scenario=row.scenario,
            title=row.title,
            seats=[pb.Seat(side=side, player=player) for side, player in row.seats],
            undo=pb.UndoPolicy.Name(row.undo),  # type: ignore[arg-type]
            version=version,
            create_time=timestamp(row.created_at),
        )

    def _whole_message(self, held: HeldMatch, side: str) -> pb.Match:
        position = engine.view(held.plugin, held.position, side) if side else held.position
        message = self._message(held.row, held.versions.newest(side))
        message.position.CopyFrom(encode_position(position))
        message.digest = position.digest
        ended = engine.outcome(held.plugin, held.position)
        if ended is not None:
            message.outcome.CopyFrom(encode_outcome(ended))
        return message

    # Creating, showing, removing

    async def create_match(
        self, call: Call, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse:
        """CreateMatch."""
        call.caller.require(Role.PLAYER)
        await self._require_room(call.caller)
        plugin = rules_calls.plugin_of(self._rulings.registry, request.game, "game")
        check_key(request.idempotency_key)
        if len(request.title) > LONGEST_TITLE:
            raise statuses.invalid("title", f"is longer than {LONGEST_TITLE} characters")
        if request.undo not in pb.UndoPolicy.values():
            raise statuses.invalid("undo", "no such policy")
        options = decode_record(request.options)
        given = {name: thaw(value) for name, value in options.items()}
        seed = None if request.own_dice else request.seed or secrets.token_urlsafe(24)
        try:
            opening = engine.start(plugin, request.scenario, given, seed)
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                raise
            raise refusal from None
        row = MatchRow(
            id=uuid.uuid4().hex,
            game=request.game,
            scenario=request.scenario or opening.scenario,
            title=request.title,
            seats=_seats(request, opening),
            undo=request.undo or pb.UNDO_POLICY_OWN_LAST,
            options=json.dumps(given, ensure_ascii=False),
            seed=seed,
            opening=encode_position(opening).SerializeToString(),
            created_at=time.time_ns() // 1000,
            created_by=call.caller.name,
            key=request.idempotency_key,
        )
        made = await self._store.create_match(row)
        if made.id != row.id:
            same_match(made, row, seed=request.seed)
        held = await self._shelf.current(made.id)
        own = call.caller.sides(made)
        if call.caller.may(Role.DIRECTOR):
            return pb.CreateMatchResponse(match=self._whole_message(held, ""))
        if len(own) == 1:
            return pb.CreateMatchResponse(match=self._whole_message(held, own[0]))
        return pb.CreateMatchResponse(match=self._message(made, 0))

    async def _require_room(self, caller: Caller) -> None:
        """Refuse a player who has too many matches already; a director may have any number."""
        most = self._most
        if not caller.may(Role.DIRECTOR) and await self._store.made_by(caller.name) >= most:
            raise statuses.exhausted("matches_per_player", f"you have {most} matches: remove some")

    async def get_match(self, call: Call, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        """GetMatch."""
        held = await self._shelf.current(request.match)
        side = self.seat(call, held.row, request.side)
        return pb.GetMatchResponse(match=self._whole_message(held, side))

    async def list_matches(
        self, call: Call, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        """ListMatches."""
        size = page_size(request.page_size)
        caller = call.caller
        # One's token is nobody else's: it would tell of a match.
        listed = f"matches of {caller.name}"
        last = self._rulings.tokens.last(listed, request.page_token)
        if last and await self._store.head(last) is None:
            raise statuses.invalid("page_token", "the match that it goes on from is gone")
        rows = await self._store.matches(
            player=None if caller.may(Role.DIRECTOR) else caller.name,
            ids=sorted({match for match, _ in caller.seats}),
            game=request.game,
            after=last,
            limit=size + 1,
        )
        more = len(rows) > size
        return pb.ListMatchesResponse(
            matches=[self._message(row, _counted(caller, row)) for row in rows[:size]],
            next_page_token=self._rulings.tokens.name(listed, rows[size - 1].id) if more else "",
        )

    async def delete_match(
        self, call: Call, request: pb.DeleteMatchRequest
    ) -> pb.DeleteMatchResponse:
        """DeleteMatch: by its creator, or by a director."""
        held = await self._shelf.current(request.match)
        if not call.caller.may(Role.DIRECTOR) and held.row.created_by != call.caller.name:
            raise statuses.denied("only who created a match may remove it", reason="NOT_CREATOR")
        await self._shelf.forget(request.match)
        return pb.DeleteMatchResponse()

    # Playing

    async def submit_action(
        self, call: Call, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """SubmitAction."""
        check_key(request.idempotency_key)
        side = request.action.side
        if not side:
            raise statuses.invalid("action.side", "is missing")
        seat = _counting(call, side, whole=request.whole)
        again = (side, request.idempotency_key)
        held = await self._shelf.at(request.match, seat, request.version, again)
        if side not in held.sides:
            raise statuses.invalid("action.side", f"no side {side!r}")
        if side not in call.caller.sides(held.row):
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        async with held.lock:
            while True:
                held = await self._shelf.at(request.match, seat, request.version, again)
                if (before := repeated(held, *again)) is not None:
                    return self._submitted(held, same_action(before, request), seat)
                held.versions.require_current(request.match, seat, request.version)
                try:
                    happening = await self._perform(call, held, request, seat)
                except VersionConflictError:  # another server was faster: look anew
                    continue
                return self._submitted(held, happening, seat)

    async def _perform(
        self, call: Call, held: HeldMatch, request: pb.SubmitActionRequest, seat: str
    ) -> Happening:
        if held.position.generator is not None and request.HasField("dice"):
            raise statuses.invalid("dice", "the dice of this match are rolled by the service")
        action = rules_calls.declared_action(held.plugin, request.action)
        must_go_on(held, request)
        try:
            applied = await self._rulings.perform(
                call, held.plugin, held.position, action, request.dice
            )
        except Refusal as refusal:
            if (begun := begun_by(call.caller.name, request, refusal)) is not None:
                kept = await self._shelf.append(held, begun, held.position, "")
                version = held.versions.number(seat, kept.event.version)
                raise at_version(refusal, version) from None
            raise
        done = Done(action, applied.effects, applied.resolutions, applied.rolls)
        event = pb.Event(
            player=call.caller.name,
            side=action.side,
            action_done=pb.ActionDone(
                action=request.action,
                resolutions=[encode_resolution(r) for r in applied.resolutions],
                rolls=[encode_roll(roll) for roll in applied.rolls],
            ),
            effects=[encode_effect(effect) for effect in applied.effects],
        )
        # The effects are the record; where they do not tell all, the position is kept too.
        before, after = held.position, applied.position
        led = apply_effects(before, applied.effects)
        if led.generator != after.generator:
            led = replace(led, generator=after.generator)
        rolled = bool(applied.rolls)
        return await self._shelf.append(
            held,
            event,
            after,
            request.idempotency_key,
            done=done,
            whole=led != after,
            told=telling(held.plugin, action.kind, action.side, before, after, rolled=rolled),
        )

    def _submitted(
        self, held: HeldMatch, happening: Happening, side: str
    ) -> pb.SubmitActionResponse:
        response = pb.SubmitActionResponse(event=held.seen(happening, side))
        ended = engine.outcome(held.plugin, happening.after)
        if ended is not None:
            response.outcome.CopyFrom(encode_outcome(ended))
        return response

    async def undo_action(self, call: Call, request: pb.UndoActionRequest) -> pb.UndoActionResponse:
        """UndoAction."""
        check_key(request.idempotency_key)
        held = await self._shelf.current(request.match)
        side = request.side or self._undoing(call, held)
        if side not in call.caller.sides(held.row):
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        seat = _counting(call, side, whole=request.whole)
        async with held.lock:
            while True:
                held = await self._shelf.current(request.match)
                if (before := repeated(held, side, request.idempotency_key)) is not None:
                    if not before.event.HasField("action_undone"):
                        raise other_use()
                    return pb.UndoActionResponse(event=held.seen(before, seat))
                held.versions.require_current(request.match, seat, request.version)
                try:
                    happening = await self._undo(call, held, side, request.idempotency_key)
                except VersionConflictError:  # another server was faster: look anew
                    continue
                return pb.UndoActionResponse(event=held.seen(happening, seat))

    async def _undo(self, call: Call, held: HeldMatch, side: str, key: str) -> Happening:
        last = undoable(held, side)
        now, after = held.position, without(held, last)
        event = pb.Event(
            player=call.caller.name,
            side=side,
            action_undone=pb.ActionUndone(undone_version=last.event.version),
            effects=[encode_effect(effect) for effect in changes(now, after)],
        )
        kind = last.event.action_done.action.kind
        return await self._shelf.append(
            held,
            event,
            after,
            key,
            whole=after is not last.before,
            told=telling(held.plugin, kind, last.event.side, now, after),
        )

    def _undoing(self, call: Call, held: HeldMatch) -> str:
        """The seat that undoes, where the caller does not say: the one that did the last action."""
        own = call.caller.sides(held.row)
        if len(own) == 1:
            return own[0]
        if held.standing and (done := held.event(held.standing[-1]).event.side) in own:
            return done
        return self.seat(call, held.row, "") or (own[0] if own else "")

    # Watching and exporting

    async def watch_match(self, call: Call, request: pb.WatchMatchRequest) -> AsyncIterator[bytes]:
        """WatchMatch: what was missed, then what happens; ends with the match."""
        held = await self._shelf.current(request.match)
        side = self.seat(call, held.row, request.side)
        newest, after = held.versions.newest(side), request.after_version
        if after < -1 or after > newest:
            raise statuses.invalid("after_version", f"the match is at version {newest}")
        seen = held.version if after == -1 else held.versions.stored(side, after)
        self.watchers += 1
        try:
            while not self._shelf.closing:
                bell = self._shelf.news.bell(request.match)
                held = await self._shelf.current(request.match)
                bell.version = max(bell.version, held.version)
                for told in await held.told_to(side).after(seen):
                    seen = told.version
                    yield told.data
                    if told.last:
                        return
                if engine.outcome(held.plugin, held.position) is not None:
                    return
                # Nothing of the match is kept for who only waits.
                del held
                await asyncio.wait_for(bell.wait(), call.seconds_left)
            raise statuses.unavailable("the server is going down; watch again elsewhere")
        finally:
            self.watchers -= 1

    async def export_match(
        self, call: Call, request: pb.ExportMatchRequest
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """ExportMatch."""
        held = await self._shelf.current(request.match)
        side = self.seat(call, held.row, request.side)
        if request.format not in pb.ExportFormat.values():
            raise statuses.invalid("format", "no such format")
        chunk = b""
        for line in export_lines(held, side, request.format):
            chunk += line.encode() + b"\n"
            if len(chunk) >= CHUNK:
                yield pb.ExportMatchResponse(chunk=chunk)
                chunk = b""
                await asyncio.sleep(0)
        if chunk:
            yield pb.ExportMatchResponse(chunk=chunk)


def _seats(request: pb.CreateMatchRequest, opening: Position) -> tuple[tuple[str, str], ...]:
    players = dict.fromkeys(opening.sides, "")
    for i, seat in enumerate(request.seats):
        if seat.side not in players:
            known = ", ".join(players)
            raise statuses.invalid(f"seats[{i}].side", f"no side {seat.side!r}; there are: {known}")
        if players[seat.side]:
            raise statuses.invalid(f"seats[{i}].side", f"{seat.side!r} is there twice")
        players[seat.side] = seat.player
    return tuple(players.items())


def _counted(caller: Caller, row: MatchRow) -> int:
    """The version of a match in a list: as the caller's seat counts, that which was told least."""
    own = () if caller.may(Role.DIRECTOR) else caller.sides(row)
    missed = dict(row.behind)
    return row.version - max((missed.get(side, 0) for side in own), default=0)


def _counting(call: Call, side: str, *, whole: bool) -> str:
    """The seat whose versions a caller counts; '' for all of them."""
    if whole:
        call.caller.require(Role.DIRECTOR)
    return "" if whole else side
