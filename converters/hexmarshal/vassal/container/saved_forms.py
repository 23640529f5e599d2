"""Every form in which VASSAL has kept the text of a saved game, and which engine reads it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from hexmarshal.errors import UsageError

__all__ = ["XZ_MAGIC", "Form", "Layout", "Packing", "engine_for", "form_of", "form_of_engine"]

XZ_MAGIC: Final = b"\xfd7zXZ\x00"


class Packing(Enum):
    """What a form does to the bytes of the text before it hides them."""

    NONE = "none"
    XZ = "xz"
    ZLIB = "zlib"
    DEFLATE = "deflate"


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands first, whether a key byte follows, whether all is written in hex digits."""

    header: bytes
    keyed: bool
    hex: bool
    packing: Packing
    told: str


class Form(Enum):
    """A way to keep the text; the value is its name in manifests."""

    PLAIN = "plain"
    HEX = "hex"
    XZ = "xz"
    XOR = "xor"
    XOR_MARKED = "xor-marked"
    XOR_XZ = "xor-xz"
    HEX_ZLIB = "hex-zlib"
    HEX_DEFLATE = "hex-deflate"

    @property
    def layout(self) -> Layout:
        """How it lies in the entry."""
        return _LAYOUTS[self]


_LAYOUTS: Final = {
    Form.PLAIN: Layout(b"", False, False, Packing.NONE, "plain text"),
    Form.HEX: Layout(b"!VCSK", True, True, Packing.NONE, "VASSAL 3.7 and before (!VCSK)"),
    Form.XZ: Layout(b"", False, False, Packing.XZ, "VASSAL 3.8 (XZ)"),
    Form.XOR: Layout(b"VOBS", True, False, Packing.NONE, "a beta of VASSAL 3.8 (VOBS)"),
    Form.XOR_MARKED: Layout(b"!VOBS", True, False, Packing.NONE, "a beta of VASSAL 3.8 (!VOBS)"),
    Form.XOR_XZ: Layout(b"!VOXZ", True, False, Packing.XZ, "a draft of VASSAL 3.8 (!VOXZ)"),
    Form.HEX_ZLIB: Layout(b"!VCSZ", True, True, Packing.ZLIB, "a draft of VASSAL 3.8 (!VCSZ)"),
    Form.HEX_DEFLATE: Layout(
        b"!VCSZ", True, True, Packing.DEFLATE, "a draft of VASSAL 3.8 (!VCSZ)"
    ),
}
_OF_ENGINE: Final = {"3.7": Form.HEX, "3.8": Form.XZ}
_NUMBERS: Final = re.compile(r"(\d+)(?:\.(\d+))?")
_OLD, _NEW = "3.7.0", "3.8.0"
_FIRST_NEW: Final = (3, 8)


def form_of(data: bytes) -> Form:
    """The form of an entry by its first bytes; what has no mark is plain text."""
    if data.startswith(XZ_MAGIC):
        return Form.XZ
    for form, layout in _LAYOUTS.items():
        if layout.header and data.startswith(layout.header):
            return form
    return Form.PLAIN


def form_of_engine(version: str) -> Form:
    """The form that an engine writes: 3.7 or 3.8."""
    found = _OF_ENGINE.get(version)
    if found is None:
        raise UsageError(
            f"no form of saved games is called {version!r}",
            hint=f"choose {' or '.join(_OF_ENGINE)}",
        )
    return found


def engine_for(form: Form, version: str) -> str:
    """The version that is true of a save in this form, if `version` was before.

    An engine older than 3.8 knows only plain text and hex digits; a save that was made readable
    for it again must not warn of a newer engine.
    """
    found = _NUMBERS.match(version)
    numbers = (int(found[1]), int(found[2] or 0)) if found else (0, 0)
    if form in {Form.HEX, Form.PLAIN}:
        return _OLD if numbers >= _FIRST_NEW else version
    return version if numbers >= _FIRST_NEW else _NEW
