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
from hexmarshal.rules.disclosure import changes, learnt
from hexmarshal.rules.effects import apply_effects
from hexmarshal.rules.values import thaw
from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.paging import page_size
from hexmarshal.service.calls.statuses import Refusal, refusal_of
from hexmarshal.service.matches.begun_action import at_version, begun_by, must_go_on
from hexmarshal.service.matches.match import Done
from hexmarshal.service.matches.match_cache import Shelf, timestamp
from hexmarshal.service.matches.match_export import export_lines
from hexmarshal.service.rulings import rules_calls
from hexmarshal.service.store import MatchRow
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.wire.effects import encode_effect
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.values import decode_record
from hexmarshal.wire.verdicts import (
    decode_action,
    encode_outcome,
    encode_resolution,
    encode_roll,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from hexmarshal.rules.position import Position
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.matches.match import Happening, HeldMatch
    from hexmarshal.service.rulings.workers import Rulings
    from hexmarshal.service.store import Store

__all__ = ["MatchService"]

LONGEST_KEY = 128
LONGEST_TITLE = 200
CHUNK = 64 << 10


class MatchService:
    """Matches in a store, the ones in use also in memory."""

    def __init__(self, store: Store, rulings: Rulings) -> None:
        self._store = store
        self._rulings = rulings
        self._shelf = Shelf(store, rulings.registry)
        self.watchers = 0

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
        message = self._message(held.row, held.version)
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
        plugin = rules_calls.plugin_of(self._rulings.registry, request.game, "game")
        _check_key(request.idempotency_key)
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
        held = await self._shelf.current(made.id)
        own = call.caller.sides(made)
        if call.caller.may(Role.DIRECTOR):
            return pb.CreateMatchResponse(match=self._whole_message(held, ""))
        if len(own) == 1:
            return pb.CreateMatchResponse(match=self._whole_message(held, own[0]))
        return pb.CreateMatchResponse(match=self._message(made, held.version))

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
        token = request.page_token
        if token and await self._store.head(token) is None:
            raise statuses.invalid("page_token", "not a token of an earlier answer")
        rows = await self._store.matches(
            player=None if caller.may(Role.DIRECTOR) else caller.name,
            ids=sorted({match for match, _ in caller.seats}),
            game=request.game,
            after=token,
            limit=size + 1,
        )
        more = len(rows) > size
        return pb.ListMatchesResponse(
            matches=[self._message(row, row.version) for row in rows[:size]],
            next_page_token=rows[size - 1].id if more else "",
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
        _check_key(request.idempotency_key)
        key = request.idempotency_key
        held = await self._shelf.at(request.match, request.version, key)
        side = request.action.side
        if not side:
            raise statuses.invalid("action.side", "is missing")
        if side not in [name for name, _ in held.row.seats]:
            raise statuses.invalid("action.side", f"no side {side!r}")
        if side not in call.caller.sides(held.row):
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        async with held.lock:
            held = await self._shelf.at(request.match, request.version, key)
            if (before := _repeated(held, key)) is not None:
                return self._submitted(held, _same_action(before, request), side)
            if request.version != held.version:
                raise statuses.aborted(request.match, held.version, request.version)
            if held.position.generator is not None and request.HasField("dice"):
                raise statuses.invalid("dice", "the dice of this match are rolled by the service")
            action = rules_calls.declared_action(held.plugin, request.action)
            must_go_on(held, request)
            try:
                applied = await self._rulings.perform(
                    held.plugin, held.position, action, request.dice, call.deadline
                )
            except Refusal as refusal:
                if (begun := begun_by(call.caller.name, request, refusal)) is not None:
                    kept = await self._shelf.append(held, begun, held.position, "")
                    raise at_version(refusal, kept.event.version) from None
                raise
            done = Done(action, applied.effects, applied.resolutions, applied.rolls)
            event = pb.Event(
                player=call.caller.name,
                side=side,
                action_done=pb.ActionDone(
                    action=request.action,
                    resolutions=[encode_resolution(r) for r in applied.resolutions],
                    rolls=[encode_roll(roll) for roll in applied.rolls],
                ),
                effects=[encode_effect(effect) for effect in applied.effects],
            )
            # The effects are the record; where they do not tell all, the position is kept too.
            after = applied.position
            told = apply_effects(held.position, applied.effects)
            if told.generator != after.generator:
                told = replace(told, generator=after.generator)
            happening = await self._shelf.append(
                held, event, after, key, done=done, whole=told != after
            )
            if happening.event is not event:  # the same call got through on another server
                _same_action(happening, request)
        return self._submitted(held, happening, side)

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
        _check_key(request.idempotency_key)
        held = await self._shelf.current(request.match)
        side = request.side or self._undoing(call, held)
        if side not in call.caller.sides(held.row):
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        async with held.lock:
            held = await self._shelf.current(request.match)
            if (before := _repeated(held, request.idempotency_key)) is not None:
                if not before.event.HasField("action_undone"):
                    raise _other_use()
                return pb.UndoActionResponse(event=held.seen(before, side))
            if request.version != held.version:
                raise statuses.aborted(request.match, held.version, request.version)
            last = self._undoable(held, side)
            event = pb.Event(
                player=call.caller.name,
                side=side,
                action_undone=pb.ActionUndone(undone_version=last.event.version),
                effects=[encode_effect(effect) for effect in changes(last.after, last.before)],
            )
            happening = await self._shelf.append(held, event, last.before, request.idempotency_key)
        return pb.UndoActionResponse(event=held.seen(happening, side))

    def _undoing(self, call: Call, held: HeldMatch) -> str:
        """The seat that undoes, where the caller does not say: the one that did the last action."""
        own = call.caller.sides(held.row)
        if held.standing and (done := held.event(held.standing[-1]).event.side) in own:
            return done
        return self.seat(call, held.row, "") or (own[0] if own else "")

    def _undoable(self, held: HeldMatch, side: str) -> Happening:
        if held.row.undo == pb.UNDO_POLICY_NEVER:
            raise statuses.precondition("UNDO_NEVER", "in this match nothing is taken back")
        if not held.standing:
            raise statuses.precondition("UNDO_NOTHING", "there is nothing to take back")
        last = held.event(held.standing[-1])
        if held.row.undo == pb.UNDO_POLICY_FREE:
            return last
        if last.event.side != side:
            raise statuses.precondition("UNDO_NOT_YOURS", "the last action was not yours")
        if last.event.action_done.rolls or last.event.HasField("action_begun"):
            raise statuses.precondition("UNDO_DICE", "dice were rolled, or something was drawn")
        if learnt(last.before, last.after):
            raise statuses.precondition("UNDO_LEARNT", "somebody learnt something by it")
        return last

    # Watching and exporting

    async def watch_match(
        self, call: Call, request: pb.WatchMatchRequest
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """WatchMatch: what was missed, then what happens; ends with the match."""
        held = await self._shelf.current(request.match)
        side = self.seat(call, held.row, request.side)
        if request.after_version < -1 or request.after_version > held.version:
            raise statuses.invalid("after_version", f"the match is at version {held.version}")
        seen = held.version if request.after_version == -1 else request.after_version
        self.watchers += 1
        try:
            while not self._shelf.closing:
                news = self._shelf.news(request.match)
                held = await self._shelf.current(request.match)
                for happening in held.since(seen):
                    seen = happening.event.version
                    response = pb.WatchMatchResponse(event=held.seen(happening, side))
                    ended = engine.outcome(held.plugin, happening.after)
                    if ended is not None:
                        response.outcome.CopyFrom(encode_outcome(ended))
                    yield response
                if engine.outcome(held.plugin, held.position) is not None:
                    return
                await self._shelf.wait(news)
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


def _check_key(key: str) -> None:
    if len(key) > LONGEST_KEY:
        raise statuses.invalid("idempotency_key", f"is longer than {LONGEST_KEY} characters")


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


def _repeated(held: HeldMatch, key: str) -> Happening | None:
    version = held.version_of(key) if key else None
    return None if version is None else held.event(version)


def _other_use() -> statuses.Refusal:
    return statuses.invalid(
        "idempotency_key", "was used for something else in this match", reason="KEY_REUSED"
    )


def _same_action(happening: Happening, request: pb.SubmitActionRequest) -> Happening:
    done = happening.event
    if not done.HasField("action_done"):
        raise _other_use()
    if decode_action(done.action_done.action) != decode_action(request.action):
        raise _other_use()
    return happening
