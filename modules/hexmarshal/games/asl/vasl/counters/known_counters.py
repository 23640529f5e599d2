"""How many counters of a VASL module are known, by class, and which are not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.vasl.counters.counter_faces import (
    BLANK,
    EQUIPMENT,
    MEN,
    UNKNOWN,
    WEAPON,
    face_of,
)
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.table.module_readers import KnownCounters
from hexmarshal.vassal.pieces.piece import parse_add

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.asl.state.tables import Counter as RulesCounter
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module

__all__ = ["known_counters"]

_MEN_PALETTES: Final = frozenset({"SQ", "HS"})
_WEAPON_PALETTE: Final = "SW"


def known_counters(module: Module, counters: Mapping[str, RulesCounter]) -> KnownCounters:
    """Look at every counter of the module; `counters` are those of the rules."""
    names = own_names()
    counts: Counter[str] = Counter()
    details: Counter[str] = Counter()
    unknown: list[str] = []
    for slot in module.slots():
        try:
            face = face_of(parse_add(slot.text.strip()), names, slot.gpid)
        except HexMarshalError as why:
            unknown.append(f"{_told(slot)}: {why.message}")
            continue
        if _is_foreign(slot, face.cls) or face.cls == UNKNOWN:
            counts[UNKNOWN] += 1
            unknown.append(_told(slot))
            continue
        counts[face.cls] += 1
        if face.men is not None:
            details["with strength"] += 1
        if face.counter in counters:
            details["ruled"] += 1
        if face.mark is not None:
            details["markers with a meaning"] += 1
    counts.pop(UNKNOWN, None)
    ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return KnownCounters(ordered, dict(details), tuple(unknown))


def _is_foreign(slot: PieceSlot, cls: str) -> bool:
    """Whether a counter in a palette of men or of weapons is neither."""
    if not slot.name.strip():
        return False
    above = {one.name for one in slot.ancestors()}
    if above & _MEN_PALETTES:
        return cls not in MEN and cls != BLANK
    return _WEAPON_PALETTE in above and cls not in {WEAPON, EQUIPMENT, BLANK, "vehicle", "gun"}


def _told(slot: PieceSlot) -> str:
    above = [one.name for one in slot.ancestors() if one.name]
    where = "/".join(reversed(above[:3]))
    return f"{slot.name or 'without a name'} ({slot.gpid}) in {where}"
