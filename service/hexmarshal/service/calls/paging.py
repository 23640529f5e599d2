"""Pages of lists: how many entries, and where the next one begins."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from hexmarshal.rules.values import FieldError, freeze, thaw
from hexmarshal.service.calls import statuses

if TYPE_CHECKING:
    from hexmarshal.rules.choosing.walk import Spot

__all__ = ["page_size", "page_start", "page_token", "spot_of", "spot_token"]

PAGE = 200
LARGEST_PAGE = 1000
# A place in the list of actions takes no more than this; a longer token was never given out.
LONGEST_TOKEN = 100_000


def page_size(asked: int) -> int:
    """How many entries a page has."""
    if asked < 0:
        raise statuses.invalid("page_size", "must not be negative")
    return min(asked or PAGE, LARGEST_PAGE)


def page_token(start: int) -> str:
    """Where the next page begins; opaque to the client."""
    return base64.urlsafe_b64encode(f"n{start}".encode()).decode()


def page_start(token: str) -> int:
    """Where a page begins."""
    if not token:
        return 0
    try:
        text = base64.urlsafe_b64decode(token.encode()).decode()
        if text[0] == "n" and text[1:].isascii() and text[1:].isdigit() and len(text) < 20:
            return int(text[1:])
    except (ValueError, IndexError):
        pass
    raise _unknown()


def spot_token(spot: Spot) -> str:
    """Where the next page of a list of actions begins."""
    text = json.dumps(thaw(spot), ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode()


def spot_of(token: str) -> Spot:
    """The place in a list of actions from which a page goes on."""
    if not token:
        return ()
    try:
        if len(token) <= LONGEST_TOKEN:
            spot = freeze(json.loads(base64.urlsafe_b64decode(token.encode())))
            if isinstance(spot, tuple) and spot:
                return spot
    except (ValueError, RecursionError, FieldError):
        pass
    raise _unknown()


def _unknown() -> statuses.Refusal:
    return statuses.invalid("page_token", "not a token of an earlier answer")
