"""Pages of lists: how many entries, and where the next one begins."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import TYPE_CHECKING

from hexmarshal.rules.values import FieldError, freeze, thaw
from hexmarshal.service.calls import statuses

if TYPE_CHECKING:
    from hexmarshal.rules.choosing.walk import Spot

__all__ = ["PageTokens", "page_size"]

PAGE = 200
LARGEST_PAGE = 1000
# A place in the list of actions takes no more than this; a longer token was never given out.
LONGEST_TOKEN = 100_000
_TAG = 16
_BLOCK = 32


def page_size(asked: int) -> int:
    """How many entries a page has."""
    if asked < 0:
        raise statuses.invalid("page_size", "must not be negative")
    return min(asked or PAGE, LARGEST_PAGE)


class PageTokens:
    """Where pages begin, as text that tells nothing and that nobody else can make.

    The same place gives the same token, on every server of a store. The tag authenticates what is
    inside, and is what the key stream begins with.
    """

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._tagging = hashlib.blake2b(b"tag", key=secret).digest()
        self._hiding = hashlib.blake2b(b"hide", key=secret).digest()

    def number(self, listed: str, start: int) -> str:
        """The token of a place in a list of this name."""
        return self._seal(listed, str(start))

    def start(self, listed: str, token: str) -> int:
        """The place of a token; the first without one."""
        return int(self._open(listed, token)) if token else 0

    def name(self, listed: str, last: str) -> str:
        """The token of the page after the entry of this name."""
        return self._seal(listed, last)

    def last(self, listed: str, token: str) -> str:
        """The last entry of the page before; none without a token."""
        return self._open(listed, token) if token else ""

    def spot(self, spot: Spot) -> str:
        """The token of a place in a list of actions."""
        text = json.dumps(thaw(spot), ensure_ascii=False, separators=(",", ":"))
        return self._seal("actions", text)

    def spot_of(self, token: str) -> Spot:
        """The place in a list of actions from which a page goes on."""
        if not token:
            return ()
        try:
            spot = freeze(json.loads(self._open("actions", token)))
        except (ValueError, RecursionError, FieldError):
            raise _unknown() from None
        if not isinstance(spot, tuple) or not spot:
            raise _unknown()
        return spot

    def _tag(self, listed: str, padded: bytes) -> bytes:
        head = listed.encode() + b"\0"
        return hashlib.blake2b(head + padded, key=self._tagging, digest_size=_TAG).digest()

    def _stream(self, tag: bytes, data: bytes) -> bytes:
        keys = hashlib.shake_256(self._hiding + tag).digest(len(data))
        return bytes(a ^ b for a, b in zip(data, keys, strict=True))

    def _seal(self, listed: str, text: str) -> str:
        data = text.encode()
        # Filled up, so that not even its length tells.
        padded = data + b"\x80" + b"\0" * (-(len(data) + 1) % _BLOCK)
        tag = self._tag(listed, padded)
        return base64.urlsafe_b64encode(tag + self._stream(tag, padded)).decode()

    def _open(self, listed: str, token: str) -> str:
        try:
            if len(token) > LONGEST_TOKEN:
                raise _unknown()
            data = base64.urlsafe_b64decode(token.encode())
        except ValueError:
            raise _unknown() from None
        tag, hidden = data[:_TAG], data[_TAG:]
        padded = self._stream(tag, hidden)
        if not hmac.compare_digest(tag, self._tag(listed, padded)):
            raise _unknown()
        return padded.rstrip(b"\0")[:-1].decode()


def _unknown() -> statuses.Refusal:
    return statuses.invalid("page_token", "not a token of an earlier answer")
