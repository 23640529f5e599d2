"""What can still be read of a save or log that was cut short on its way."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands.game import SetTurn
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, MovePiece
from hexmarshal.vassal.commands.registry import Broken, decode
from hexmarshal.vassal.commands.tree import ESC
from hexmarshal.vassal.container.limits import Limits
from hexmarshal.vassal.container.obfuscation import reveal
from hexmarshal.vassal.saves.savegame import SAVED_GAME, SavedGame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.commands.codec import Command

__all__ = ["Salvaged", "breaks_off", "salvage"]

_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_SIGNATURE: Final = b"PK\x03\x04"
_STORED, _DEFLATED = 0, 8
# So much is inflated at once.
_PIECE: Final = 1 << 16
# A flag of entries whose checksum stands behind them, and what it begins with there.
_TOLD_BEHIND, _BEHIND = 8, b"PK\x07\x08"
# What the directory at the end of a file ends with, and how far before its end that may be.
_DIRECTORY, _TAIL = b"PK\x05\x06", 1024
_END: Final = f"{ESC}end_save"
_LOGGED: Final = "LOG\t"
_TOKENS: Final = re.compile(r"[;,|\t\\]+")
# What commands begin with whose end shows.
_STARTS: Final = {SetTurn: "TURN", AddPiece: "+/", ChangePiece: "D/", MovePiece: "M/"}


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The part that is whole; `has_start`: the position at the start is in it."""

    saved: SavedGame
    has_start: bool


def salvage(
    path: Path | str, limits: Limits | None = None, *, to_the_end: bool = True
) -> Salvaged | None:
    """The whole commands of a file that is cut short; None if not even its beginning is there.

    Nor is anything taken from a file that is damaged in its middle: what is right in it nobody can
    tell. Where the game is whole its last command is kept, unless it is not wanted `to_the_end`.
    """
    limits = limits or Limits.from_environment()
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    most = min(limits.entry_size, max(limits.ratio_floor, len(data) * limits.ratio))
    found = {name: (content, whole) for name, content, whole in _entries(data, most)}
    game, whole_game = found.pop(SAVED_GAME, (b"", False))
    if not whole_game and _DIRECTORY in data[-_TAIL:]:
        return None
    # Half a game can be replayed; of what the file says about itself half is worth nothing.
    entries = {name: content for name, (content, whole) in found.items() if whole}
    text = _text(game, limits, whole=True) if whole_game and to_the_end else None
    # What was cut before it was packed is whole to the zip alone.
    text = text if text is not None else _whole_commands(game, limits)
    if text is None:
        return None
    try:
        saved = SavedGame.from_text(text, entries=entries)
    except VassalFormatError:
        return None
    return Salvaged(saved, _END in text)


def _entries(data: bytes, most: int) -> Iterator[tuple[str, bytes, bool]]:
    """Every entry whose local header is there, inflated as far as it goes; whether that is all.

    All of them together become no more bytes than `most`.
    """
    at, view = data.find(_SIGNATURE), memoryview(data)
    while 0 <= at <= len(data) - _LOCAL.size and most > 0:
        fields = _LOCAL.unpack_from(data, at)
        method, packed, name_length, extra_length = fields[3], fields[7], *fields[9:]
        start = at + _LOCAL.size + name_length + extra_length
        name = data[at + _LOCAL.size : at + _LOCAL.size + name_length].decode("utf-8", "replace")
        if method == _DEFLATED:
            content, end = _inflated(view[start:], most)
            most -= len(content)
            rest = data[start + end : start + end + len(_BEHIND) + 4] if end else b""
            wrong = bool(end) and _is_wrong(content, fields, rest)
            yield name, b"" if wrong or most <= 0 else content, bool(end) and not wrong
            start += end
        elif method == _STORED:
            content = data[start : start + packed] if packed else data[start:]
            most -= len(content)
            yield name, content, 0 < packed == len(content)
            start += packed
        at = data.find(_SIGNATURE, start)


def _inflated(packed: memoryview, most: int) -> tuple[bytes, int]:
    """What is packed as far as it goes, `most` bytes of it, and where it ends; 0 if it does not."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    found = bytearray()
    for at in range(0, len(packed), _PIECE):
        try:
            found += unpacker.decompress(packed[at : at + _PIECE], most - len(found))
        except zlib.error:
            return b"", 0
        if unpacker.eof:
            return bytes(found), min(at + _PIECE, len(packed)) - len(unpacker.unused_data)
        if len(found) >= most:
            break
    return bytes(found), 0


def _is_wrong(content: bytes, header: tuple[int, ...], rest: bytes) -> bool:
    """Whether the checksum, in the header or behind the packed data, is another's."""
    told = header[6].to_bytes(4, "little")
    if header[2] & _TOLD_BEHIND:
        told = rest.removeprefix(_BEHIND)[:4]
    return len(told) == 4 and told != zlib.crc32(content).to_bytes(4, "little")


def _text(game: bytes, limits: Limits, *, whole: bool) -> str | None:
    try:
        return reveal(game, limits, whole=whole)[0]
    except VassalFormatError:
        return None


def _whole_commands(game: bytes, limits: Limits) -> str | None:
    """The text up to the last separator of commands that is not inside one."""
    text = _text(game, limits, whole=False) or ""
    at = len(text)
    while (at := text.rfind(ESC, 0, at)) > 0:
        if text[at - 1] != "\\":
            return text[:at]
    return None


def breaks_off(saved: SavedGame) -> bool:
    """Whether the last command of a log ends in its middle, as far as that shows.

    Commands have no mark at their end: so it is held against all others of its kind. A line of
    chat may end anywhere.
    """
    last = saved.root
    while last.children:
        last = last.children[-1]
    if not last.text.startswith(_LOGGED):
        return False
    own = decode(last.text.removeprefix(_LOGGED))
    start = _STARTS.get(type(own))
    if start is None:
        return isinstance(own, Broken)
    texts = (node.text.removeprefix(_LOGGED) for node in saved.root.walk() if node is not last)
    others = {_shape(decode(text)) for text in texts if text.startswith(start)}
    return bool(others) and _shape(own) not in others


def _shape(command: Command) -> object:
    """What commands of a kind have in common that are whole."""
    match command:
        case SetTurn():
            return command.tracker, *map(_sort, _TOKENS.split(command.state))
        case AddPiece():
            return command.type.count("\t") == command.state.count("\t")
        case ChangePiece():
            old = command.old_state
            return None if old is None else old.count("\t") == command.state.count("\t")
        case MovePiece():
            return command.user is not None
    return None


def _sort(token: str) -> str:
    if token in ("true", "false"):
        return "flag"
    return "number" if token.lstrip("-").isdigit() else "text"
