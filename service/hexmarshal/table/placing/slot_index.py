"""What stands in the slots of a module and what the rules call it: for equal slots worked out once.

A build lays every scenario onto the same table, and a referee's samples begin on it over and over.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import VassalFormatError
from hexmarshal.table.binding.patterns import PieceLook
from hexmarshal.vassal.state.at_start import moved_copy, placed_copy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.table.binding import Binding
    from hexmarshal.table.reading.piece_reader import Identity, PieceReader
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["InSlot", "in_slots"]

_KEPT: Final = 4


class InSlot(NamedTuple):
    """A piece as it is taken from its slot, how it looks, and what it is to the rules."""

    piece: Piece
    look: PieceLook
    known: Identity | None


_Key = tuple[int, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
_known: OrderedDict[_Key, tuple[Binding, tuple[InSlot | None, ...]]] = OrderedDict()
_lock = Lock()


def in_slots(
    slots: Sequence[PieceSlot], definitions: Mapping[str, str], reader: PieceReader
) -> tuple[InSlot | None, ...]:
    """What each slot holds; None for one that cannot be read."""
    texts = tuple((slot.gpid, slot.text) for slot in slots)
    # The binding is kept with what is found by it, so that no other can have its number.
    key = (id(reader.binding), texts, tuple(definitions.items()))
    with _lock:
        if key in _known:
            _known.move_to_end(key)
            return _known[key][1]
    found = tuple(_in_slot(slot, definitions, reader) for slot in slots)
    with _lock:
        _known[key] = (reader.binding, found)
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return found


def _in_slot(slot: PieceSlot, definitions: Mapping[str, str], reader: PieceReader) -> InSlot | None:
    try:
        piece = placed_copy(slot, definitions, "", (0, 0))
        taken = moved_copy(piece, "", (0, 0))
        look = PieceLook(taken, gpid=slot.gpid, prototypes=reader.prototypes_of(slot.gpid))
        return InSlot(piece, look, reader.identify(look))
    except VassalFormatError:
        return None
