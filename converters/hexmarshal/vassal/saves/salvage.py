"""What can still be read of a save or log that was cut short on its way."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands.tree import ESC
from hexmarshal.vassal.container.limits import Limits
from hexmarshal.vassal.container.obfuscation import reveal
from hexmarshal.vassal.saves.savegame import SAVED_GAME, SavedGame

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Salvaged", "salvage"]

_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_SIGNATURE: Final = b"PK\x03\x04"
_STORED, _DEFLATED = 0, 8
_END: Final = f"{ESC}end_save"


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The part that is whole; `has_start`: the position at the start is in it."""

    saved: SavedGame
    has_start: bool


def salvage(path: Path | str, limits: Limits | None = None) -> Salvaged | None:
    """The whole commands of a file that is cut short; None if not even its beginning is there."""
    limits = limits or Limits.from_environment()
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    found = {name: (content, whole) for name, content, whole in _entries(data, limits.entry_size)}
    game, _ = found.pop(SAVED_GAME, (b"", False))
    # Half a game can be replayed; of what the file says about itself half is worth nothing.
    entries = {name: content for name, (content, whole) in found.items() if whole}
    text = _whole_commands(game, limits)
    if text is None:
        return None
    try:
        saved = SavedGame.from_text(text, entries=entries)
    except VassalFormatError:
        return None
    return Salvaged(saved, _END in text)


def _entries(data: bytes, most: int) -> Iterator[tuple[str, bytes, bool]]:
    """Every entry whose local header is there, inflated as far as it goes; whether that is all."""
    at = data.find(_SIGNATURE)
    while 0 <= at <= len(data) - _LOCAL.size:
        fields = _LOCAL.unpack_from(data, at)
        method, packed, name_length, extra_length = fields[3], fields[7], *fields[9:]
        start = at + _LOCAL.size + name_length + extra_length
        name = data[at + _LOCAL.size : at + _LOCAL.size + name_length].decode("utf-8", "replace")
        if method == _DEFLATED:
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                content = unpacker.decompress(data[start:], most)
            except zlib.error:
                content = b""
            yield name, content, unpacker.eof
            start = len(data) - len(unpacker.unused_data) if unpacker.eof else start
        elif method == _STORED:
            content = data[start : start + packed] if packed else data[start:]
            yield name, content, 0 < packed == len(content)
            start += packed
        at = data.find(_SIGNATURE, start)


def _whole_commands(game: bytes, limits: Limits) -> str | None:
    """The text up to the last separator of commands that is not inside one."""
    try:
        text, _ = reveal(game, limits, whole=False)
    except VassalFormatError:
        return None
    at = len(text)
    while (at := text.rfind(ESC, 0, at)) > 0:
        if text[at - 1] != "\\":
            return text[:at]
    return None
