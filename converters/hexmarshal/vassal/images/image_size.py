"""The size of a picture from its first bytes, so that no picture library is needed for it."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["image_size"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_LENGTH: Final = rb"\s*=\s*[\"']\s*([0-9.]+)\s*(?:px)?\s*[\"']"
_SVG_ROOT: Final = re.compile(rb"<(?:\w+:)?svg\b[^>]*>", re.DOTALL)
_VIEW_BOX: Final = re.compile(
    rb"viewBox\s*=\s*[\"']\s*[-0-9.]+[\s,]+[-0-9.]+[\s,]+([0-9.]+)[\s,]+([0-9.]+)"
)
_SVG_HEAD: Final = 1 << 16


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, GIF, JPEG or SVG, or None if it is none of these."""
    size = None
    if data.startswith(_PNG):
        size = _big(data, 16, 4), _big(data, 20, 4)
    elif data[:6] in (b"GIF87a", b"GIF89a"):
        size = int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    elif data.startswith(_JPEG):
        size = _jpeg(data)
    else:
        size = _svg(data[:_SVG_HEAD])
    return size if size and size[0] > 0 and size[1] > 0 else None


def _big(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(data[at : at + count], "big")


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(data, at + 7, 2), _big(data, at + 5, 2)
        else:
            at += 2 + _big(data, at + 2, 2)
    return None


def _svg(head: bytes) -> tuple[int, int] | None:
    root = _SVG_ROOT.search(head)
    if not root:
        return None
    width = re.search(rb"\bwidth" + _LENGTH, root[0])
    height = re.search(rb"\bheight" + _LENGTH, root[0])
    box = _VIEW_BOX.search(root[0])
    try:
        if width and height:
            return round(float(width[1])), round(float(height[1]))
        return (round(float(box[1])), round(float(box[2]))) if box else None
    except ValueError:
        return None
