"""Packed texts of saved games, unpacked no further than the limits of archives allow."""

from __future__ import annotations

import lzma
import zlib
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.container.saved_forms import XZ_MAGIC, Packing

if TYPE_CHECKING:
    from hexmarshal.vassal.container.limits import Limits

__all__ = ["packed", "unpacked"]

# What the engine's own writer chooses.
_PRESET: Final = 3
_LEVEL: Final = 9
_STEP: Final = 1 << 20
# The largest preset needs 65 MiB; a stream that asks for gigabytes is hostile.
_MEMORY: Final = 256 << 20
_DAMAGED: Final = "the file is cut short or damaged"
_WINDOWS: Final = {Packing.ZLIB: zlib.MAX_WBITS, Packing.DEFLATE: -zlib.MAX_WBITS}


def packed(raw: bytes, packing: Packing) -> bytes:
    """The bytes as the form keeps them; the same bytes always give the same."""
    if packing is Packing.NONE:
        return raw
    if packing is Packing.XZ:
        return lzma.compress(raw, lzma.FORMAT_XZ, lzma.CHECK_CRC64, _PRESET)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOWS[packing])
    return packer.compress(raw) + packer.flush()


def unpacked(data: bytes, packing: Packing, limits: Limits, *, whole: bool = True) -> bytes:
    """What was packed; a VassalFormatError if it is damaged or would become too much.

    Unless it shall be `whole`, what stands before the damage is enough.
    """
    if packing is Packing.NONE:
        return data
    if packing is Packing.XZ:
        return _from_xz(data, limits, whole=whole)
    return _inflated(data, packing, limits, whole=whole)


def _from_xz(data: bytes, limits: Limits, *, whole: bool) -> bytes:
    out = bytearray()
    left = data
    while left:
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY)
        feed = left
        try:
            while not unpacker.eof:
                out += unpacker.decompress(feed, _STEP)
                feed = b""
                limits.check_entry(len(out), len(data))
                if unpacker.needs_input and not unpacker.eof:
                    if not whole:
                        return bytes(out)
                    raise VassalFormatError("the XZ stream ends too early", hint=_DAMAGED)
        except lzma.LZMAError as why:
            if not whole:
                return bytes(out)
            text = str(why).strip().rstrip(".")
            raise VassalFormatError(f"a broken XZ stream: {text}", hint=_DAMAGED) from None
        # Streams may follow each other, with zeros between.
        left = unpacker.unused_data.lstrip(b"\0")
        if left and not left.startswith(XZ_MAGIC):
            if not whole:
                break
            raise VassalFormatError(
                f"{counted(len(left), 'byte follows', 'bytes follow')} the end of the XZ stream",
                hint=_DAMAGED,
            )
    return bytes(out)


def _inflated(data: bytes, packing: Packing, limits: Limits, *, whole: bool) -> bytes:
    out = bytearray()
    unpacker = zlib.decompressobj(_WINDOWS[packing])
    feed = data
    try:
        while not unpacker.eof:
            part = unpacker.decompress(feed, _STEP)
            out += part
            feed = unpacker.unconsumed_tail
            limits.check_entry(len(out), len(data))
            if not part and not feed and not unpacker.eof:
                if not whole:
                    break
                raise VassalFormatError("the packed text ends too early", hint=_DAMAGED)
    except zlib.error as why:
        if not whole:
            return bytes(out)
        raise VassalFormatError(f"a broken packed text: {why}", hint=_DAMAGED) from None
    if unpacker.unused_data and whole:
        raise VassalFormatError(
            f"{counted(len(unpacker.unused_data), 'byte follows', 'bytes follow')}"
            " the end of the packed text",
            hint=_DAMAGED,
        )
    return bytes(out)
