"""What looking for a name in a module costs beside reading its build file and every trait of it.

The module is made in the proportions of VASL's: thousands of counters of few traits, most with
pictures of their own, as many pictures, some of them named nowhere, and two megabytes of code.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from bench_vassal_saves import ACTIVATE, FLIP, pieces
from ratio import Ratio, compare

from hexmarshal.vassal.components import ListWidget, PieceSlot, PieceWindow
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.search.find import find_in_module
from hexmarshal.vassal.search.loose_ends import undefined, unused
from hexmarshal.vassal.search.sought import Sought

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COUNTERS, UNITS = 6000, 300
UNUSED, CLASSES, WORDS_IN_CLASS = 550, 550, 320
BOUND = 2
SOUGHT = (
    Sought("prototype", "Infantry"),
    Sought("key", "Ctrl+F"),
    Sought("image", "ge/ge17"),
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


def module() -> Module:
    """Counters as real modules have them, the pictures that they name, and others; code."""
    made = Module.create("Bench")
    home = made.root.add(PieceWindow, {"name": "Units"}).add(ListWidget, {"entryName": "All"})
    for number, text in enumerate(definitions()):
        slot = home.add(PieceSlot, {"entryName": f"Unit {number}", "gpid": str(number)})
        slot.text = text
    named = [f"ge/ge{number}{side}" for number in range(COUNTERS) for side in ("", "b")]
    lost = [f"ge/lost{number}" for number in range(UNUSED)]
    made.changes |= {f"images/{name}.gif": b"GIF89a" for name in (*named, *lost)}
    made.changes |= {f"bench/Code{n}.class": data for n, data in enumerate(code(Random(7)))}
    return made


def definitions() -> Iterator[str]:
    """A few counters of many traits, and many of few."""
    for _, command in zip(range(UNITS), pieces(Random(5)), strict=False):
        yield format_add(Piece.parse(command.type, command.state))
    for number in range(COUNTERS):
        flipped = f"emb2;{ACTIVATE};ge/ge{number}b;broken;true;Flip;;;" + FLIP
        place = f"replace;Replace;82,130;Units/Unit {number + 1};null;0;0;true;;;{number};0"
        basic = f"piece;;;ge/ge{number};Squad {number}"
        chain = (flipped, place, f"conceal;C;{number % 9}", f"prototype;P{number % 40}", basic)
        text = "".join(part + "\\" * level + "\t" for level, part in enumerate(chain))
        state = "".join(part + "\\" * level + "\t" for level, part in enumerate(("1", "", "", "")))
        yield format_add(Piece.parse(text.rstrip("\t").rstrip("\\"), state + "null;0;0;;0"))


def code(random: Random) -> Iterator[bytes]:
    """Class files: constants with their lengths, most of them in many classes, and instructions."""
    words = [f"{random.choice('abcdefgh')}{random.randrange(9000)}/Name" for _ in range(12000)]
    for _ in range(CLASSES):
        chosen = [
            words[int(random.random() ** 2 * len(words))].encode() for _ in range(WORDS_IN_CLASS)
        ]
        constants = b"".join(b"\x01\x00" + bytes([len(word)]) + word for word in chosen)
        yield b"\xca\xfe\xba\xbe" + constants + random.randbytes(1200)


def parsed(path: Path) -> int:
    """Every component, and every piece with every field of its traits."""
    return sum(
        len([*trait.items()])
        for slot in Module.open(path).slots()
        for trait in parse_add(slot.text.strip()).traits
    )


def found(path: Path, sought: Sought) -> int:
    """The module opened, and looked through."""
    return len(find_in_module(Module.open(path), sought))


def measure() -> Iterable[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.vmod"
        module().save(path)
        what = f"in {COUNTERS + UNITS} pieces / reading them"
        for sought in (*SOUGHT, *EVERYWHERE, *WORDS):
            name = f"find --{sought.kind} '{sought.text}' {what}"
            yield compare(name, lambda s=sought: found(path, s), lambda: parsed(path), BOUND)
        for loose in (unused, undefined):
            name = f"find --{loose.__name__} {what}"
            yield compare(
                name, lambda f=loose: [*f([Module.open(path)])], lambda: parsed(path), BOUND
            )
