"""What players do around the table, for asyncio: every call is awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.client import lobby
from hexmarshal.client.asynchronous_transport import AsyncTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from hexmarshal.v1 import match_service_pb2 as pb
    from hexmarshal.v1 import match_terms_pb2 as terms

__all__ = ["AsyncLobby"]


class AsyncLobby(AsyncTransport):
    """The calls of the lobby."""

    async def open_matches(self, game: str = "") -> AsyncIterator[pb.Match]:
        """The matches with a seat that anybody may take, newest first."""
        token = ""
        while True:
            found, token = await self.call(lobby.open_matches(game, token))
            for match in found:
                yield match
            if not token:
                return

    async def join(self, match: str = "", side: str = "", *, invitation: str = "") -> pb.Match:
        """Take a seat: the one named, the one an invitation is for, or the first that is open."""
        return await self.call(lobby.join(match, side, invitation))

    async def leave(self, match: str, side: str = "") -> None:
        """Give a seat up, before the first action."""
        await self.call(lobby.leave(match, side))

    async def invite(self, match: str, side: str = "") -> str:
        """An invitation to a seat, to be handed to whoever shall have it."""
        return await self.call(lobby.invite(match, side))

    async def propose(
        self, match: str, proposal: terms.Proposal.ValueType, side: str = ""
    ) -> pb.Event:
        """Propose a draw, a take-back, to adjourn or to go on."""
        return await self.call(lobby.propose(match, proposal, side))

    async def answer(
        self, match: str, proposal: terms.Proposal.ValueType, *, accept: bool, side: str = ""
    ) -> pb.Event:
        """Answer what was proposed."""
        return await self.call(lobby.answer(match, proposal, side, accept=accept))

    async def resign(self, match: str, side: str = "") -> pb.Event:
        """Give a match up."""
        return await self.call(lobby.resign(match, side))

    async def claim_time(self, match: str, side: str = "") -> pb.Event:
        """End a match in which another side's time is up."""
        return await self.call(lobby.claim_time(match, side))
