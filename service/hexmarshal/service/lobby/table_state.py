"""What a match is besides its position: who sits where, what is proposed, whether it rests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.rules.verdict import Outcome
from hexmarshal.service.lobby.clocks import Clocks
from hexmarshal.service.lobby.terms import Terms
from hexmarshal.v1 import match_terms_pb2 as terms_pb

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.service.store import MatchRow
    from hexmarshal.v1 import match_service_pb2 as pb

__all__ = ["TABLE_EVENTS", "Offer", "TableState", "micros"]

# Events that are not about the position.
TABLE_EVENTS = frozenset(
    {"seat_taken", "seat_left", "proposed", "answered", "adjourned", "resumed", "ended"}
)
Seats = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """What a side proposes, and the sides that still have to answer; after which event."""

    proposal: terms_pb.Proposal.ValueType
    side: str
    waiting: tuple[str, ...]
    version: int = 0

    def message(self) -> terms_pb.OpenProposal:
        """As a message."""
        return terms_pb.OpenProposal(
            proposal=self.proposal, side=self.side, waiting=list(self.waiting)
        )


class TableState:
    """Brought up to date event by event."""

    def __init__(self, row: MatchRow, active: Callable[[], tuple[str, ...]]) -> None:
        self.terms = Terms.of(row)
        self.seats: Seats = row.seats
        self.adjourned = False
        self.offer: Offer | None = None
        self.ended: Outcome | None = None
        # Whether it ended otherwise than by the rules.
        self.called_off = False
        # Who gave up which seats: they know what those sides know.
        self.left: set[tuple[str, str]] = set()
        self._begun = self.terms.seated
        self.clocks: Clocks | None = None
        if self.terms.main:
            self.clocks = Clocks(self.terms, (side for side, _ in row.seats))
            if self._begun:
                self.clocks.run(active(), row.created_at)

    def add(
        self,
        event: pb.Event,
        active: Callable[[], tuple[str, ...]],
        outcome: Outcome | None,
        *,
        silent: bool = False,
    ) -> None:
        """One event more, after which these sides may act, as far as all can see.

        A silent one changes nothing here that others see: what is offered stays, and no time is
        given back for it.
        """
        what = event.WhichOneof("what") or ""
        match what:
            case "seat_taken":
                self.seats = self._with(event.side, event.seat_taken.player)
            case "seat_left":
                self.seats = self._with(event.side, "")
                self.left.add((event.seat_left.player, event.side))
            case "proposed":
                offer = self.offered(event.proposed.proposal, event.side)
                self.offer = replace(offer, version=event.version)
            case "answered":
                self.offer = self._answered(event.side, accepted=event.answered.accepted)
            case "adjourned" | "resumed":
                self.adjourned = what == "adjourned"
                self.offer = None
            case "ended":
                self.ended = self._outcome(event)
                self.called_off = True
            case _ if not silent:
                self.offer = None
                self._begun = True
        if what not in TABLE_EVENTS:
            self.ended = outcome
        self._begun = self._begun or all(player for _, player in self.seats)
        if self.clocks is not None:
            now = micros(event)
            if what == "action_done" and not silent:
                self.clocks.acted(event.side, now)
            stopped = self.adjourned or self.ended is not None or not self._begun
            self.clocks.run(() if stopped else active(), now)

    def _with(self, side: str, player: str) -> Seats:
        return tuple((name, player if name == side else who) for name, who in self.seats)

    def offered(self, proposal: terms_pb.Proposal.ValueType, side: str) -> Offer:
        """A proposal of a side, and whom it has to be put to: not to who proposes it."""
        own = dict(self.seats).get(side, "")
        others = tuple(
            name for name, who in self.seats if name != side and not (own and who == own)
        )
        return Offer(proposal, side, others)

    def _answered(self, side: str, *, accepted: bool) -> Offer | None:
        if self.offer is None or not accepted:
            return None
        return replace(self.offer, waiting=tuple(s for s in self.offer.waiting if s != side))

    def _outcome(self, event: pb.Event) -> Outcome:
        others = tuple(side for side, _ in self.seats if side != event.side)
        match event.ended.ending:
            case terms_pb.ENDING_DRAW:
                return Outcome((), "a draw was agreed on")
            case terms_pb.ENDING_TIME:
                return Outcome(others, f"the time of {event.side} is up")
            case _:
                return Outcome(others, f"{event.side} resigned")

    def known_sides(self, player: str) -> set[str]:
        """The sides whose secrets a player has seen."""
        return {side for side, who in self.seats if who == player} | {
            side for who, side in self.left if who == player
        }

    @property
    def state(self) -> terms_pb.MatchState.ValueType:
        """Where the match stands."""
        if self.ended is not None:
            return terms_pb.MATCH_STATE_ENDED
        if self.adjourned:
            return terms_pb.MATCH_STATE_ADJOURNED
        return terms_pb.MATCH_STATE_PLAYING if self._begun else terms_pb.MATCH_STATE_SEATING


def micros(event: pb.Event) -> int:
    """When an event was, in microseconds since 1970."""
    return event.time.seconds * 1_000_000 + event.time.nanos // 1000
