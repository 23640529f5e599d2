"""The pieces of a module as a sheet: a row each, a column for all that any of them has."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components import CardSlot
from hexmarshal.vassal.countersheet.facets import (
    IMAGE,
    KINDS,
    NAME,
    PROTOTYPES,
    facets_of,
    inherited_name,
)
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.traits import BasicName
from hexmarshal.vassal.xml.component_paths import spoken
from hexmarshal.vassal.xml.component_query import Query
from hexmarshal.workbook import NewSheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module

__all__ = [
    "ID",
    "KIND",
    "NOT_SHOWN",
    "TEMPLATE",
    "WHERE",
    "cells_of",
    "counter_sheet",
    "naming_prototypes",
    "slots_by_id",
]

ID: Final = "id"
KIND: Final = "kind"
WHERE: Final = "where"
TEMPLATE: Final = "template"
NOT_SHOWN: Final = "(not shown)"
"""Stands for a text that no sheet can hold; it stays as it is."""
_FIRST: Final = (ID, NAME, KIND, WHERE, TEMPLATE, IMAGE, PROTOTYPES)
_LONGEST: Final = 32_000


def slots_by_id(module: Module, inside: str = "") -> dict[str, PieceSlot]:
    """The slots by their gpid; those without one of their own by their number in the file.

    `inside` is a query for a component around them, such as `PieceWindow[name=Counters]`.
    """
    every = list(module.slots())
    if inside:
        around = set(Query.parse(inside).find(module.root))
        chosen = [s for s in every if around & {s, *s.ancestors()}]
    else:
        chosen = every
    counts = Counter(slot.gpid for slot in every)
    number = {slot: at for at, slot in enumerate(every, 1)}
    return {
        slot.gpid if slot.gpid and counts[slot.gpid] == 1 else f"#{number[slot]}": slot
        for slot in chosen
    }


def naming_prototypes(module: Module) -> dict[str, str]:
    """The definitions of all prototypes by name if one of them names pieces, else none."""
    texts = {name: found.text for name, found in module.prototypes().items()}
    return texts if any(BasicName.prefix in text for text in texts.values()) else {}


def cells_of(slot: PieceSlot, prototypes: Mapping[str, str]) -> dict[str, str]:
    """What the sheet says of a piece; one that cannot be read has a name and a place only."""
    parent = slot.parent
    found = {
        KIND: "card" if isinstance(slot, CardSlot) else "piece",
        WHERE: "" if parent is None else spoken(parent),
        NAME: slot.name,
    }
    with suppress(VassalFormatError):
        piece = parse_add(slot.text.strip())
        found |= facets_of(piece)
        name = inherited_name(piece, prototypes) if prototypes else None
        if name is not None:
            found[NAME] = name
    return {column: _showable(text) for column, text in found.items()}


def counter_sheet(module: Module, inside: str = "") -> NewSheet:
    """A sheet with every piece, or with those inside some component."""
    prototypes = naming_prototypes(module)
    chosen = slots_by_id(module, inside)
    rows = {key: cells_of(slot, prototypes) for key, slot in chosen.items()}
    found = dict.fromkeys(column for cells in rows.values() for column in cells)
    named = [c for c in found if c not in _FIRST]
    named.sort(key=lambda column: (KINDS.index(column.partition(": ")[0]), column))
    columns = [*_FIRST, *named]
    table: list[list[str | None]] = [[*columns]]
    for key, cells in rows.items():
        told = {ID: key, **cells}
        table.append([told.get(column) or None for column in columns])
    return NewSheet("Counters", table)


def _showable(text: str) -> str:
    odd = any(ord(letter) < 32 and letter not in "\n\t" for letter in text)
    return NOT_SHOWN if odd or len(text) > _LONGEST else text
