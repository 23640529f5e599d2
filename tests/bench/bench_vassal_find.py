"""What looking for a name in a module costs beside reading its build file and every piece."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from bench_vassal_saves import pieces
from ratio import Ratio, compare

from hexmarshal.vassal.components import ListWidget, PieceSlot, PieceWindow
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.search.find import find_in_module
from hexmarshal.vassal.search.loose_ends import undefined, unused
from hexmarshal.vassal.search.sought import Sought

if TYPE_CHECKING:
    from collections.abc import Iterable

PIECES = 3000
SOUGHT = (
    Sought("prototype", "Infantry"),
    Sought("key", "Ctrl+F"),
    Sought("image", "u17.png"),
    Sought("property", "Type12"),
    Sought("text", "Unit 7 of"),
    Sought("expression", "Strength > 12"),
)
# What is nearly everywhere: there the places have to be told, not only looked through.
EVERYWHERE = (
    Sought("prototype", "*"),
    Sought("key", "*"),
    Sought("image", "*"),
    Sought("property", "*"),
    Sought("gpid", "*"),
    Sought("map", "*"),
)
# Words stand in fields that reading does not look into, and here in nearly every one.
WORDS = (Sought("text", "a"), Sought("expression", "e"))


def build_file() -> bytes:
    """A module with counters as real ones have them."""
    module = Module.create("Bench")
    home = module.root.add(PieceWindow, {"name": "Units"}).add(ListWidget, {"entryName": "All"})
    for number, command in zip(range(PIECES), pieces(Random(5)), strict=False):
        slot = home.add(PieceSlot, {"entryName": f"Unit {number}", "gpid": str(number)})
        slot.text = format_add(Piece.parse(command.type, command.state))
    return module.document.to_bytes()


def parsed(path: Path) -> int:
    """Every component, and every piece with its traits."""
    module = Module.open(path)
    return sum(len(parse_add(slot.text.strip()).traits) for slot in module.slots())


def found(path: Path, sought: Sought) -> int:
    """The module opened, and looked through."""
    return len(find_in_module(Module.open(path), sought))


def measure() -> Iterable[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "buildFile.xml"
        path.write_bytes(build_file())
        for sought in SOUGHT:
            name = f"find --{sought.kind} in {PIECES} pieces / reading them"
            yield compare(name, lambda s=sought: found(path, s), lambda: parsed(path), 2)
        for sought in (*EVERYWHERE, *WORDS):
            name = f"find --{sought.kind} '{sought.text}' in {PIECES} pieces / reading them"
            bound = 3.5 if sought in WORDS else 2
            yield compare(name, lambda s=sought: found(path, s), lambda: parsed(path), bound)
        for loose in (unused, undefined):
            name = f"find --{loose.__name__} in {PIECES} pieces / reading them"
            yield compare(
                name, lambda f=loose: [*f([Module.open(path)])], lambda: parsed(path), 3.5
            )
