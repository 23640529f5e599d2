"""Modules of games with blank pictures, which cost nothing to draw: what is clicked is the same."""

from __future__ import annotations

import re
import struct
import zlib
from contextlib import contextmanager

import pytest

from hexmarshal.kit.module import pictures, setups
from hexmarshal.table.module_finder import own_module


def blank(svg: str, *, zoom: float = 1) -> bytes:
    """A grey picture of the same size: boards take their measures from it."""
    found = re.search(r'<svg[^>]*\bwidth="([0-9.]+)"[^>]*\bheight="([0-9.]+)"', svg)
    assert found is not None
    width, height = (round(float(size) * zoom) for size in found.groups())

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\xb0" * width) * height
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows, 1)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@contextmanager
def blank_pictures():
    own_module.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        # Most of the work is set-ups, which only VASSAL opens.
        patch.setattr(setups, "lay_set_up", lambda *_all: ())
        patch.setattr(setups, "turn_view", lambda *_all, **_more: None)
        yield
    own_module.cache_clear()
