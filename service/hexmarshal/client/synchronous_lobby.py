# Made from asynchronous_lobby.py by `make proto`; change it there.
"""What players do around the table, for threads: every call waits for its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.client import lobby
from hexmarshal.client.synchronous_transport import Transport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.v1 import match_service_pb2 as pb
    from hexmarshal.v1 import match_terms_pb2 as terms

__all__ = ["Lobby"]


class Lobby(Transport):
    """The calls of the lobby."""

    def open_matches(self, game: str = "") -> Iterator[pb.Match]:
        """The matches with a seat that anybody may take, newest first."""
        token = ""
        while True:
            found, token = self.call(lobby.open_matches(game, token))
            yield from found
            if not token:
                return

    def join(self, match: str = "", side: str = "", *, invitation: str = "") -> pb.Match:
        """Take a seat: the one named, the one an invitation is for, or the first that is open."""
        return self.call(lobby.join(match, side, invitation))

    def leave(self, match: str, side: str = "") -> None:
        """Give a seat up, before the first action."""
        self.call(lobby.leave(match, side))

    def invite(self, match: str, side: str = "") -> str:
        """An invitation to a seat, to be handed to whoever shall have it."""
        return self.call(lobby.invite(match, side))

    def propose(self, match: str, proposal: terms.Proposal.ValueType, side: str = "") -> pb.Event:
        """Propose a draw, a take-back, to adjourn or to go on."""
        return self.call(lobby.propose(match, proposal, side))

    def answer(
        self, match: str, proposal: terms.Proposal.ValueType, *, accept: bool, side: str = ""
    ) -> pb.Event:
        """Answer what was proposed."""
        return self.call(lobby.answer(match, proposal, side, accept=accept))

    def resign(self, match: str, side: str = "") -> pb.Event:
        """Give a match up."""
        return self.call(lobby.resign(match, side))

    def claim_time(self, match: str, side: str = "") -> pb.Event:
        """End a match in which another side's time is up."""
        return self.call(lobby.claim_time(match, side))
