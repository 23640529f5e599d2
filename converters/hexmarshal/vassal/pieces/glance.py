r"""A piece at a glance: its id, place and name, read from the ends of its texts.

Type and state list the outermost trait first, so the basic piece, which holds name and place, is
what follows the last tab. Only where a text is unusual is the whole chain decoded.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands.codec import CommandError
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.pieces.chain import decode_chain

__all__ = ["Glance", "Shape", "glance", "glance_at_command", "glances_of"]

STACK: Final = "stack"
DECK: Final = "deck;"
PIECE: Final = "piece;"
_NAMED: Final = "basicName;"
_DECK_NAME_FIELD: Final = 13
# Deeper chains are decoded in full.
_DEEPEST: Final = 200


class Shape(Enum):
    """What has an id in a game."""

    PIECE = "piece"
    STACK = "stack"
    DECK = "deck"


class Glance(NamedTuple):
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
    name, levels = _glance_at_type(type)
    last = state.rfind("\t")
    alike = levels and state.count("\t") + 1 == levels and state[-1:] != "'"
    if alike and (levels == 1 or _backslashes(state, 0, last) == levels - 2):
        return _glance(id, Shape.PIECE, name, state[last + 1 :])
    try:
        types = decode_chain(type, "\t")
        own = decode_chain(state, "\t", len(types))[-1]
    except VassalFormatError as why:
        return Glance(id, Shape.PIECE, None, 0, 0, "", problem=why.message)
    if not types[-1].startswith(PIECE):
        return Glance(id, Shape.PIECE, None, 0, 0, "", problem="there is no basic piece in it")
    name = name or _given_name(type, 0, len(type)) or _basic_name(types[-1])
    return _glance(id, Shape.PIECE, name, own)


# Units of one kind share their type.
@lru_cache(maxsize=1 << 12)
def _glance_at_type(type: str) -> tuple[str, int]:
    """A piece's name, and its levels if each tab parts two of them; 0 if the chain is unusual."""
    last = type.rfind("\t")
    basic = type[last + 1 :]
    levels = type.count("\t") + 1
    plain = levels == 1 or _backslashes(type, 0, last) == levels - 2 < _DEEPEST
    if not plain or not basic.startswith(PIECE) or basic.endswith("'"):
        return "", 0
    return _given_name(type, 0, len(type)) or _basic_name(basic), levels


def glances_of(text: str) -> list[Glance] | None:
    """Glances at all `+/` commands of a whole tree, or None if only parsing can find them."""
    found: list[Glance] = []
    for part in text.split("\x1b"):
        if part.startswith("+/"):
            # What stands before a separator are its escapes.
            found.append(glance_at_command(part.rstrip("\\")))
        elif part.startswith("'"):
            return None
    if text.endswith("\\"):
        return None
    return found


def glance_at_command(text: str) -> Glance:
    """The same from the text of a `+/` command, without splitting it."""
    id_end = text.find("/", 2)
    type_end = _unescaped_slash(text, id_end + 1)
    if id_end > 2 and type_end > 0 and _unescaped_slash(text, type_end + 1) < 0:
        if text.startswith("stack/", id_end + 1) and text[-1] != "'":
            place = text[type_end + 1 :].replace("\\/", "/")
            return _glance(text[2:id_end], Shape.STACK, "", place)
        ends = _ends_of_chains(text, id_end + 1, type_end, text, type_end + 1, len(text))
        if ends is not None and ends[0].startswith(PIECE):
            given = _given_name(text, id_end + 1, type_end)
            name = (given or _basic_name(ends[0])).replace("\\/", "/")
            return _glance(text[2:id_end], Shape.PIECE, name, ends[1].replace("\\/", "/"))
    try:
        command = AddPiece.decode(text)
    except CommandError as why:
        return Glance("", Shape.PIECE, None, 0, 0, "", problem=str(why))
    return glance(command.id or "", command.type, command.state)


def _unescaped_slash(text: str, start: int) -> int:
    at = text.find("/", start)
    while at > 0 and text[at - 1] == "\\":
        at = text.find("/", at + 1)
    return at


def _ends_of_chains(
    type: str, type_start: int, type_end: int, state: str, state_start: int, state_end: int
) -> tuple[str, str] | None:
    """The innermost type and state, or None if only decoding can tell which they are."""
    if type_end > type_start and type[type_end - 1] == "'":
        return None
    if state_end > state_start and state[state_end - 1] == "'":
        return None
    type_tab = type.rfind("\t", type_start, type_end)
    state_tab = state.rfind("\t", state_start, state_end)
    if type_tab < 0 or state_tab < 0:
        alone = type_tab == state_tab
        return (type[type_start:type_end], state[state_start:state_end]) if alone else None
    # The last tab of both chains carries one backslash less than there are levels above it.
    depth = _backslashes(type, type_start, type_tab)
    if depth >= _DEEPEST or depth != _backslashes(state, state_start, state_tab):
        return None
    basic = type[type_tab + 1 : type_end]
    return (basic, state[state_tab + 1 : state_end]) if basic.startswith(PIECE) else None


def _backslashes(text: str, start: int, end: int) -> int:
    before = text[max(start, end - _DEEPEST) : max(end, 0)]
    return len(before) - len(before.rstrip("\\"))


def _given_name(text: str, start: int, end: int) -> str:
    """The name that a trait gives in place of the basic piece's own; the outermost counts."""
    at = text.find(_NAMED, start, end)
    if at < 0:
        return ""
    levels = text.count("\t", start, at)
    stop = text.find("\t", at, end)
    own = levels == 0 if at == start else _backslashes(text, start, at - 1) == levels - 1
    if own and (at == start or text[at - 1] == "\t") and _backslashes(text, at, stop) == levels:
        given = text[at : stop - levels]
    else:
        # Inside another trait, or behind one that holds tabs itself.
        try:
            traits = decode_chain(text[start:end], "\t")
        except VassalFormatError:
            return ""
        given = next((trait for trait in traits if trait.startswith(_NAMED)), "")
    return sequence.decode(given, ";", len(_NAMED))[0] if given else ""


def _basic_name(type: str) -> str:
    fields = sequence.decode(type, ";")
    return fields[4] if len(fields) > 4 else ""


def _glance(id: str, shape: Shape, name: str, state: str) -> Glance:
    # A stack's member ids and a piece's properties follow; only the front is needed.
    plain = "\\" not in state and "'" not in state
    fields = state.split(";", 4) if plain else sequence.decode(state, ";")
    x = _pixel(fields[1]) if len(fields) > 1 else 0
    y = _pixel(fields[2]) if len(fields) > 2 else 0
    gpid = fields[3] if shape is Shape.PIECE and len(fields) > 3 else ""
    on_map = None if fields[0] == "null" else fields[0]
    return Glance(id, shape, on_map, x, y, name, gpid)


def _pixel(text: str) -> int:
    if len(text) < 10 and text.isascii() and text.isdigit():
        return int(text)
    return sequence.java_int(text) or 0
