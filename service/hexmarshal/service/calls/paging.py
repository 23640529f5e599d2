"""Pages of lists: how many entries, and where the next one begins."""

from __future__ import annotations

import base64

from hexmarshal.service.calls import statuses

__all__ = ["page_size", "page_start", "page_token"]

PAGE = 200
LARGEST_PAGE = 1000


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
    raise statuses.invalid("page_token", "not a token of an earlier answer")
