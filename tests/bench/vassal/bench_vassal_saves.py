"""What reading a big save costs beside inflating, hex-decoding and XOR-ing its bytes."""

from __future__ import annotations

import binascii
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from random import Random

from ratio import Ratio, compare

from hexmarshal.vassal.commands import CommandNode, tree
from hexmarshal.vassal.commands.game import BeginSave, EndSave, StacksPlaced, TakeSeat
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.pieces.chain import encode_chain
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits.base import Known

MIB = 1 << 20
SIZE = 27 * MIB
SMALL = 40
ROUNDS = 15
MEMORY = 300.0
ACTIVATE = "Activate;128;A;;128;;;128;;;;1;false;0;0"
FLIP = "false;;1;1;true;;70,130;"
STYLE = "10;191,226,251;0,0,0;t;0;c;0;b;c"
LOOP = "67\\,130;false;;;counted;;;;false;;1;1"


def traits(random: Random, kind: int) -> list[tuple[str, str]]:
    """The traits of one sort of counter, as modules have them: type, and a state to start from."""
    side = random.choice(["Red", "Blue", "Green"])
    found = [
        ("report;71\\,130;Prep Fire in $location$ *;;;", "-1"),
        (f"hide;72,130;Hide {kind};;player:;0.30000001192092896", "null"),
        ("submenu;Move;Moved,Motion,dir1,dir2,dir3,dir4,dir5,dir6", ""),
        *((f"translate;dir{i};{97 + i},130;{56 * i};32;true;0;0;0;0;", "") for i in range(6)),
        ("footprint;84,130;Trail;true;true;10;0,51,204;102,204,255;100;50;20;30;3.0", "FOOT"),
        (f"obs;77,130;{side}/mask{kind}.png;Mask;I;?;player:;Peek", "null;"),
        ("markmoved;moved;24;-24;Mark Moved;77,130", "false"),
        (f"label;76,130;Label;{STYLE};$pieceName$;Dialog;0;0;L{kind};", "TEXT"),
        (f"emb2;{ACTIVATE};f{kind}.png,b{kind}.png;+ a,+ b;true;Steps;;;" + FLIP, "LEVEL"),
        ("rotate;6;88,130;90,130;Turn right;Turn left;;;;", "FACING"),
        (f"PROP;Strength;false,0,100,false;Set:77\\,650:P\\,{kind}", "NUMBER"),
        ("delete;Delete;68,130;", ""),
        ("clone;Clone;67,130;", ""),
        (f"mark;Side,Type{kind}", f"{side},unit"),
    ]
    found += (
        (f"macro;t{i};;{65 + i},130;{{Strength > {i}}};{66 + i}\\,130;" + LOOP, "")
        for i in range(random.randrange(4, 14))
    )
    return [*found, (f"piece;;;u{kind}.png;Unit {kind} of {side}", "PLACE")]


def pieces(random: Random) -> Iterator[AddPiece]:
    kinds = [traits(random, kind) for kind in range(300)]
    types = [encode_chain([text for text, _ in kind], "\t") for kind in kinds]
    for number in range(1_600_000_000_000, 1_600_001_000_000):
        which = random.randrange(len(kinds))
        x, y = random.randrange(4000), random.randrange(3000)
        live = {
            "FOOT": f"false;Map0;2;{x},{y};{x + 9},{y}",
            "TEXT": f"note {number}; see below" if number % 7 == 0 else "",
            "LEVEL": random.choice(["1", "2", "-1"]),
            "FACING": str(random.randrange(6)),
            "NUMBER": str(random.randrange(20)),
            "PLACE": f"Main Map;{x};{y};{which};0",
        }
        states = [live.get(state, state) for _, state in kinds[which]]
        yield AddPiece(str(number), types[which], encode_chain(states, "\t"))


def big_save(size: int = SIZE, seed: int = 27) -> SavedGame:
    """A save of about this many bytes of text."""
    made: list[CommandNode] = []
    left = size
    for piece in pieces(Random(seed)):
        made.append(tree(piece))
        left -= len(made[-1].text) + 2
        if len(made) % 3 == 0:
            stack = AddPiece(f"{piece.id}9", "stack", f"Main Map;1;2;{piece.id};@@0")
            made.append(tree(stack))
        if left < 0:
            break
    rest = [tree(c) for c in (TakeSeat("user", "Ann", "Red"), StacksPlaced(), EndSave())]
    root = tree(BeginSave(), [CommandNode(""), CommandNode("", tuple(made)), *rest])
    return SavedGame.from_text(root.encode())


def bare(path: Path) -> bytes:
    """The least that any reader of the file must do."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read("savedGame")
    key = int(data[5:7], 16)
    raw = binascii.unhexlify(memoryview(data)[7:])
    return raw.translate(bytes(byte ^ key for byte in range(256)))


def typed(path: Path) -> int:
    """Every command typed, and every piece with every trait and its state.

    Of a trait that means its class: its fields are read when the first of them is asked for.
    """
    count = 0
    for node in SavedGame.open(path).root.walk():
        command = node.command
        if isinstance(command, AddPiece):
            piece = Piece.parse(command.type, command.state)
            count += len(piece.traits) + len(piece.states)
        count += 1
    return count


def every_field(path: Path) -> int:
    """The same, and every field of every trait and state asked for."""
    count = 0
    for command in SavedGame.open(path).pieces():
        piece = Piece.parse(command.type, command.state)
        count += sum(1 for trait in (*piece.traits, *piece.states) for _ in trait.items())
    return count


def lazily(path: Path) -> int:
    """Ids, places and names only."""
    return sum(1 for seen in SavedGame.open(path).glances() if seen.id)


def peak_memory(path: Path) -> float:
    """Megabytes at most in use by a process that types the whole save."""
    code = f"import bench_vassal_saves as b; b.show_peak({str(path)!r})"
    room = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=room,
        env=os.environ | {"PYTHONPATH": str(room.parent)},
    )
    return float(done.stdout)


def show_peak(path: str) -> None:
    typed(Path(path))
    try:
        # On Linux ru_maxrss also remembers the process that started this one.
        status = Path("/proc/self/status").read_text(encoding="ascii")
        print(int(status.partition("VmHWM:")[2].split()[0]) / 1024)
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(peak / (MIB if sys.platform == "darwin" else 1024))


def small_saves(folder: Path) -> Iterable[Ratio]:
    """Saves of a few counters, each read as if it were the first that the process ever saw."""
    paths = [folder / f"small{number}.vsav" for number in range(SMALL)]
    for number, path in enumerate(paths):
        big_save(60_000, seed=number).save(path)
    remembered = [
        *(kept.clear for kept in gc.get_objects() if isinstance(kept, Known)),
        *(
            kept.cache_clear
            for kept in gc.get_objects()
            if isinstance(kept, _lru_cache_wrapper)
            and str(kept.__module__).startswith("hexmarshal.")
        ),
    ]

    def cold(read: Callable[[Path], object], path: Path) -> float:
        for forget in remembered:
            forget()
        began = time.process_time()
        read(path)
        return time.process_time() - began

    ways = (bare, lazily, typed, every_field)
    took = [0.0] * len(ways)
    for path in paths:
        # By turns, as `compare` does it; the shortest counts, as noise only adds.
        rounds = [[cold(read, path) for read in ways] for _ in range(ROUNDS)]
        took = [sofar + min(turns) for sofar, *turns in zip(took, *rounds, strict=True)]
    for ours, what, bound in (
        (took[1], "ids, places, names", 3),
        (took[2], "all pieces, traits typed", 4),
        (took[3], "every field of every trait", 20),
    ):
        yield Ratio(f"{SMALL} small saves, each cold: {what} / bare", ours, took[0], bound)


def measure() -> Iterable[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.vsav"
        big_save().save(path)
        yield compare(
            "save to typed commands and pieces / bare decoding",
            lambda: typed(path),
            lambda: bare(path),
            8,
        )
        yield compare(
            "save to ids, places and names / bare decoding",
            lambda: lazily(path),
            lambda: bare(path),
            3,
        )
        yield from small_saves(Path(folder))
        yield Ratio(
            "peak memory for 27 MB of text / 300 MB", peak_memory(path), MEMORY, 1, unit="MB"
        )
