r"""A piece at a glance: its id, place and name, read from the ends of its texts.

Type and state list the outermost trait first, so the basic piece, which holds name and place, is
what follows the last tab. Only where a text is unusual is the whole chain decoded.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.chain import decode_chain
from hexmarshal.vassal.commands.codec import CommandError
from hexmarshal.vassal.commands.piece import AddPiece

__all__ = ["Glance", "Shape", "glance", "glance_at_command"]

STACK: Final = "stack"
DECK: Final = "deck;"
PIECE: Final = "piece;"
_DECK_NAME_FIELD: Final = 13
_SEPARATORS: Final = 3


class Shape(Enum):
    """What has an id in a game."""

    PIECE = "piece"
    STACK = "stack"
    DECK = "deck"


@dataclass(frozen=True, slots=True)
class Glance:
    """Who and where a piece is; `problem` says why the rest could not be read."""

    id: str
    shape: Shape
    map: str | None
    x: int
    y: int
    name: str
    gpid: str = ""
    problem: str = ""


def glance(id: str, type: str, state: str) -> Glance:
    """What a piece's texts say about its place and name; never an error."""
    if type == STACK:
        return _glance(id, Shape.STACK, "", state)
    if type.startswith(DECK):
        fields = sequence.decode(type, ";")
        name = fields[_DECK_NAME_FIELD] if len(fields) > _DECK_NAME_FIELD else ""
        return _glance(id, Shape.DECK, name, state)
    basic_type = _last_of_chain(type, 0, len(type))
    basic_state = _last_of_chain(state, 0, len(state))
    if basic_type is None or basic_state is None:
        try:
            types = decode_chain(type, "\t")
            basic_type, basic_state = types[-1], decode_chain(state, "\t", len(types))[-1]
        except VassalFormatError as why:
            return Glance(id, Shape.PIECE, None, 0, 0, "", problem=why.message)
    return _glance(id, Shape.PIECE, _basic_name(basic_type), basic_state)


def glance_at_command(text: str) -> Glance:
    """The same from the text of a `+/` command, without splitting it."""
    id_end = text.find("/", 2)
    state_from = text.rfind("/")
    while state_from > id_end and text[state_from - 1] == "\\":
        state_from = text.rfind("/", 0, state_from)
    if 2 < id_end < state_from and text.count("/") - text.count("\\/") == _SEPARATORS:
        basic_type = _last_of_chain(text, id_end + 1, state_from)
        if basic_type is not None and basic_type.startswith(PIECE):
            basic_state = _last_of_chain(text, state_from + 1, len(text))
            if basic_state is not None:
                name = _basic_name(basic_type.replace("\\/", "/"))
                place = basic_state.replace("\\/", "/")
                return _glance(text[2:id_end], Shape.PIECE, name, place)
    try:
        command = AddPiece.decode(text)
    except CommandError as why:
        return Glance("", Shape.PIECE, None, 0, 0, "", problem=str(why))
    return glance(command.id or "", command.type, command.state)


def _last_of_chain(text: str, start: int, end: int) -> str | None:
    """The innermost text of a chain, or None if only decoding can tell."""
    tabs = text.count("\t", start, end)
    if end > start and text[end - 1] == "'":
        return None
    if not tabs:
        return text[start:end]
    # With one tab a level the last one carries exactly tabs - 1 backslashes.
    last = text.rfind("\t", start, end)
    before = last - tabs + 1
    if before < start or text[before:last] != "\\" * (tabs - 1):
        return None
    if before > start and text[before - 1] in "\\'":
        return None
    return text[last + 1 : end]


def _basic_name(type: str) -> str:
    fields = sequence.decode(type, ";")
    return fields[4] if type.startswith(PIECE) and len(fields) > 4 else ""


def _glance(id: str, shape: Shape, name: str, state: str) -> Glance:
    # A stack's member ids and a piece's properties follow; only the front is needed.
    plain = "\\" not in state and "'" not in state
    fields = state.split(";", 4) if plain else sequence.decode(state, ";")
    x = sequence.java_int(fields[1]) if len(fields) > 1 else None
    y = sequence.java_int(fields[2]) if len(fields) > 2 else None
    gpid = fields[3] if shape is Shape.PIECE and len(fields) > 3 else ""
    on_map = None if fields[0] == "null" else fields[0]
    return Glance(id, shape, on_map, x or 0, y or 0, name, gpid)
