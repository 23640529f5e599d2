"""Playing a match: actions done and taken back, each written down before anybody hears of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.rules.secrecy.telling import Telling, telling
from hexmarshal.rules.state.disclosure import changes
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.service.auth import Role
from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.matches.begun_action import at_version, begun_by, must_go_on
from hexmarshal.service.matches.idempotency import check_key, other_use, repeated, same_action
from hexmarshal.service.matches.match import Done
from hexmarshal.service.matches.match_cache import timestamp
from hexmarshal.service.matches.undoing import undoable, without
from hexmarshal.service.rulings import case_reading
from hexmarshal.service.store import VersionConflictError
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.v1 import match_terms_pb2 as terms_pb
from hexmarshal.wire.effects import encode_effect
from hexmarshal.wire.verdicts import encode_outcome, encode_resolution, encode_roll

if TYPE_CHECKING:
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied
    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.matches.match import Happening, HeldMatch
    from hexmarshal.service.matches.match_cache import Shelf
    from hexmarshal.service.rulings.routing import Rulings
    from hexmarshal.service.store import Store
    from hexmarshal.v1 import verdict_pb2

__all__ = ["Playing"]

# So many refused actions of a match are kept; who tries more shows nothing new.
KEPT_REFUSALS = 1000


@dataclass(slots=True)
class Playing:
    """What changes the positions of matches."""

    store: Store
    shelf: Shelf
    rulings: Rulings

    async def submit(self, call: Call, request: pb.SubmitActionRequest) -> bytes:
        """SubmitAction."""
        check_key(request.idempotency_key)
        side = request.action.side
        if not side:
            raise statuses.invalid("action.side", "is missing")
        seat = _counting(call, side, whole=request.whole)
        again = (side, request.idempotency_key)
        held = await self.shelf.at(request.match, seat, request.version, again)
        if side not in held.sides:
            raise statuses.invalid("action.side", f"no side {side!r}")
        if side not in call.caller.sides(held.row):
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        async with held.lock:
            while True:
                held = await self.shelf.at(request.match, seat, request.version, again)
                if held.version_of(*again) is not None:
                    before = await self.rulings.here.apart(partial(repeated, held, *again))
                    return await self._submitted(held, same_action(before, request), seat)
                held.versions.require_current(request.match, seat, request.version)
                try:
                    await self.require_play(held, side)
                    happening = await self._perform(call, held, request, seat)
                except VersionConflictError:  # another server was faster: look anew
                    continue
                return await self._submitted(held, happening, seat)

    async def _submitted(self, held: HeldMatch, happening: Happening, seat: str) -> bytes:
        kind = happening.event.action_done.action.kind
        key = (held.row.game, "submitted", kind if kind in held.plugin.game.actions else "")
        return await self.rulings.here.said(key, partial(_submitted, held, happening, seat))

    async def require_play(self, held: HeldMatch, side: str) -> None:
        """Refuse what cannot be done because the match is over, or rests, or the time is up.

        That it is over by the rules is for the rules to say.
        """
        table = held.table
        if table.adjourned:
            raise statuses.precondition("ADJOURNED", "the match rests: agree to go on first")
        if table.called_off:
            raise _over()
        now = time.time_ns() // 1000
        if table.clocks is not None and side in table.clocks.late(now):
            await self.end(held, side, terms_pb.ENDING_TIME)
            raise statuses.precondition("TIME_UP", f"the time of {side} is up")

    async def end(
        self, held: HeldMatch, side: str, how: terms_pb.Ending.ValueType, player: str = ""
    ) -> Happening:
        """End a match otherwise than by its rules."""
        event = pb.Event(player=player, side=side, ended=terms_pb.Ended(ending=how))
        return await self.around_table(held, event)

    async def around_table(self, held: HeldMatch, event: pb.Event) -> Happening:
        """Write down what happens around the table: all are told, and may decide as before."""
        told = Telling(aside=(*held.sides, NOBODY))
        return await self.shelf.append(held, event, held.position, "", told=told)

    async def _perform(
        self, call: Call, held: HeldMatch, request: pb.SubmitActionRequest, seat: str
    ) -> Happening:
        if held.position.generator is not None and request.HasField("dice"):
            raise statuses.invalid("dice", "the dice of this match are rolled by the service")
        action = case_reading.declared_action(held.plugin, request.action)
        must_go_on(held, request)
        # While it is worked out, what another server did may come in.
        version, position = held.version, held.position
        try:
            applied = await self.rulings.perform(call, held.plugin, position, action, request.dice)
        except Refusal as refusal:
            if (begun := begun_by(call.caller.name, request, refusal)) is not None:
                kept = await self.shelf.append(held, begun, position, "", upon=version)
                number = held.versions.number(seat, kept.event.version)
                raise at_version(refusal, number) from None
            await self._keep(call, held, request, refusal)
            raise
        event, whole, told = await self.rulings.here.do(
            (held.row.game, "recorded", action.kind),
            partial(_recorded, held.plugin, position, action, applied, request.action),
        )
        event.player = call.caller.name
        return await self.shelf.append(
            held,
            event,
            applied.position,
            request.idempotency_key,
            done=Done(action, applied.effects, applied.resolutions, applied.rolls),
            whole=whole,
            told=told,
            upon=version,
        )

    async def _keep(
        self, call: Call, held: HeldMatch, request: pb.SubmitActionRequest, refusal: Refusal
    ) -> None:
        """Keep an action that the rules refused: whoever checks the match later sees it."""
        if refusal.reason != statuses.ILLEGAL:
            return
        refused = terms_pb.ActionRefused(
            version=held.version,
            time=timestamp(time.time_ns() // 1000),
            player=call.caller.name,
            action=request.action,
            rules=refusal.rules,
        )
        data = refused.SerializeToString()
        self.shelf.require_room(held, len(data))
        await self.store.refuse(held.row.id, data, KEPT_REFUSALS)

    async def undo(self, call: Call, request: pb.UndoActionRequest) -> pb.UndoActionResponse:
        """UndoAction."""
        check_key(request.idempotency_key)
        held = await self.shelf.current(request.match)
        side = request.side or _undoing(call, held)
        if side not in call.caller.sides(held.row):
            raise statuses.denied(f"you have no seat for {side!r} in this match")
        seat = _counting(call, side, whole=request.whole)
        async with held.lock:
            while True:
                held = await self.shelf.current(request.match)
                key = request.idempotency_key
                if held.version_of(side, key) is not None:
                    before = await self.rulings.here.apart(partial(repeated, held, side, key))
                    if not before.event.HasField("action_undone"):
                        raise other_use()
                    return pb.UndoActionResponse(event=held.seen(before, seat))
                held.versions.require_current(request.match, seat, request.version)
                try:
                    await self.require_play(held, side)
                    happening = await self.take_back(held, side, call.caller.name, key)
                except VersionConflictError:  # another server was faster: look anew
                    continue
                return pb.UndoActionResponse(event=held.seen(happening, seat))

    async def may_take_back(self, held: HeldMatch, side: str, until: int = 0) -> None:
        """Refuse what cannot be taken back, whoever agrees."""
        await self.rulings.here.apart(partial(undoable, held, side, agreed=True, until=until))

    async def take_back(
        self,
        held: HeldMatch,
        side: str,
        player: str,
        key: str = "",
        *,
        agreed: bool = False,
        until: int = 0,
    ) -> Happening:
        """Take an action back, with what was done upon it left on top."""
        version = held.version
        event, after, whole, told = await self.rulings.here.apart(
            partial(_taken_back, held, side, agreed=agreed, until=until)
        )
        event.player = player
        return await self.shelf.append(
            held, event, after, key, whole=whole, told=told, upon=version
        )


def _recorded(
    plugin: GamePlugin,
    before: Position,
    action: Action,
    applied: Applied,
    asked: verdict_pb2.Action,
) -> tuple[pb.Event, bool, Telling]:
    """What is written down of an action: the event, whether it needs the position, who is told."""
    event = pb.Event(
        side=action.side,
        action_done=pb.ActionDone(
            action=asked,
            resolutions=[encode_resolution(r) for r in applied.resolutions],
            rolls=[encode_roll(roll) for roll in applied.rolls],
        ),
        effects=[encode_effect(effect) for effect in applied.effects],
    )
    # The effects are the record; where they do not tell all, the position is kept too.
    after = applied.position
    led = apply_effects(before, applied.effects)
    if led.generator != after.generator:
        led = replace(led, generator=after.generator)
    told = telling(
        plugin,
        action.kind,
        action.side,
        before,
        after,
        rolled=bool(applied.rolls),
        onlookers=True,
    )
    return event, led != after, told


def _taken_back(
    held: HeldMatch, side: str, *, agreed: bool, until: int
) -> tuple[pb.Event, Position, bool, Telling]:
    """What is written down of an action that is taken back, and the position after it."""
    last = undoable(held, side, agreed=agreed, until=until)
    now, after = held.position, without(held, last)
    undone = pb.ActionUndone(undone_version=last.event.version, agreed=agreed)
    effects = [encode_effect(effect) for effect in changes(now, after)]
    event = pb.Event(side=side, action_undone=undone, effects=effects)
    kind = last.event.action_done.action.kind
    told = telling(held.plugin, kind, last.event.side, now, after, onlookers=True)
    return event, after, after is not last.before, told


def _over() -> Refusal:
    return statuses.precondition("MATCH_OVER", "the match is over")


def _submitted(held: HeldMatch, happening: Happening, side: str) -> pb.SubmitActionResponse:
    response = pb.SubmitActionResponse(event=held.seen(happening, side))
    if (ended := held.outcome_at(happening)) is not None:
        response.outcome.CopyFrom(encode_outcome(ended))
    return response


def _undoing(call: Call, held: HeldMatch) -> str:
    """The seat that undoes, where the caller does not say: the one that did the last action."""
    own = call.caller.sides(held.row)
    if len(own) == 1:
        return own[0]
    if held.standing and (done := held.recorded(held.standing[-1]).side) in own:
        return done
    if not own:
        raise statuses.denied("you have no seat in this match")
    if call.caller.may(Role.DIRECTOR):
        return own[0]
    raise statuses.invalid("side", f"you hold several seats, say which: {', '.join(own)}")


def _counting(call: Call, side: str, *, whole: bool) -> str:
    """The seat whose versions a caller counts; '' for all of them."""
    if whole:
        call.caller.require(Role.DIRECTOR)
    return "" if whole else side
