"""The pictures that pages show, each at an address that nobody can guess.

An address is given only to whoever may see what it shows; that is why pictures are served without
a token, which a browser does not send along for them.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PIL.Image import Image

__all__ = ["PNG", "Gallery", "Stored", "kind_of", "png_of"]

PNG: Final = "image/png"
_SMALL: Final = 32_768
_KINDS: Final = (
    (b"\x89PNG", PNG),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
    (b"BM", "image/bmp"),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A picture as it is sent."""

    data: bytes
    kind: str


class Gallery:
    """Pictures by address; each is made when it is first asked for, and once."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)
        self._made: dict[str, Stored] = {}
        self._making: dict[str, Callable[[], Stored]] = {}

    def add(self, look: str, make: Callable[[], Stored]) -> str:
        """The address of the picture that `make` makes; the same for the same look."""
        name = hashlib.blake2b(look.encode(), key=self._key, digest_size=16).hexdigest()
        if name not in self._made:
            self._making.setdefault(name, make)
        return f"/pictures/{name}"

    def drop(self, address: str) -> None:
        """Let go of a picture that no page shows any more."""
        name = address.rpartition("/")[2]
        self._made.pop(name, None)
        self._making.pop(name, None)

    async def read(self, name: str) -> Stored | None:
        """A picture by the last part of its address."""
        if name in self._made or name not in self._making:
            return self._made.get(name)
        return await asyncio.to_thread(self._stored, name)

    def prepare(self, addresses: Iterable[str]) -> None:
        """Make pictures that will be asked for in a moment."""
        for address in addresses:
            self._stored(address.rpartition("/")[2])

    def _stored(self, name: str) -> Stored | None:
        make = self._making.get(name)
        if make is not None and name not in self._made:
            try:
                self._made[name] = make()
            except HexMarshalError:  # a picture that its archive cannot give any more
                return None
            self._making.pop(name, None)
        return self._made.get(name)

    def bundle(self, addresses: Iterable[str]) -> dict[str, str]:
        """Small pictures as addresses that hold them: a request each would take far longer."""
        found = {address: self._stored(address.rpartition("/")[2]) for address in addresses}
        return {
            address: f"data:{stored.kind};base64,{base64.b64encode(stored.data).decode()}"
            for address, stored in found.items()
            if stored is not None and len(stored.data) <= _SMALL
        }


def png_of(image: Image) -> Stored:
    """A picture that was drawn here; quickly made rather than small."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return Stored(out.getvalue(), PNG)


def kind_of(data: bytes) -> str | None:
    """The type of a picture's file, as browsers name it; None if they do not know it."""
    for head, kind in _KINDS:
        if data.startswith(head):
            return kind
    head = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "image/svg+xml" if head.startswith(b"<") and b"<svg" in data[:4096] else None
