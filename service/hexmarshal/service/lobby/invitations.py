"""Invitations: sealed by a secret of the store, so that none need be kept."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.statuses import Refusal

if TYPE_CHECKING:
    from hexmarshal.service.calls.paging import PageTokens

__all__ = ["GOOD_SECONDS", "invitation", "invited_to"]

GOOD_SECONDS = 30 * 86_400
_LISTED = "invitation"


def invitation(seals: PageTokens, match: str, side: str) -> tuple[str, int]:
    """An invitation to a seat, and until when it is good, in seconds since 1970."""
    until = int(time.time()) + GOOD_SECONDS
    return seals.name(_LISTED, f"{match} {until} {side}"), until


def invited_to(seals: PageTokens, text: str) -> tuple[str, str]:
    """The match and the side that an invitation is for."""
    try:
        match, until, side = seals.last(_LISTED, text).split(" ", 2)
    except Refusal:
        raise statuses.invalid("invitation", "is not one of this service") from None
    if int(until) < time.time():
        raise statuses.invalid("invitation", "is no longer good: ask for another")
    return match, side
