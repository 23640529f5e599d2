"""What reading every trait and state of a game's pieces costs beside unpacking the text itself."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable

from ratio import Ratio, compare

from hexmarshal.vassal import traits as t
from hexmarshal.vassal.pieces.embedded import with_marker
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add, piece_type
from hexmarshal.vassal.sequence import decode, join
from hexmarshal.vassal.traits import decode_trait
from hexmarshal.vassal.values import Expression, FormattedText, KeyStroke

PIECES = 3000
KEY = 0x5A
# As long as such texts are in large modules.
CONDITION = (
    '{{(CurrentMap == "Main") && (LocationName != OldLocationName) && (Moves{0} > 0) && '
    '((CurrentZone == "") || GetProperty("Supply").contains(Side)) && (Kind != "{1}")}}'
)
REPORT = (
    "<b>$newPieceName$</b> moves from $OldLocationName$ ($OldZone$, $OldMap$) to $LocationName$ "
    "($CurrentZone$, $CurrentMap$) and has $Moves1$ of $MovesAtStart$ movement points left."
)
TABLE = bytes(i ^ KEY for i in range(256))


def army(rng: random.Random, number: int) -> Piece:
    """A unit as a large module has it: shared prototypes' traits and some of its own."""
    kind = number % 60
    shared: list[t.Trait] = []
    for i in range(4):
        shared += [
            t.TriggerAction(
                name=f"Turn {i}",
                key=KeyStroke.named(f"turn{i}-{kind % 12}"),
                expression=Expression(CONDITION.format(i, kind % 12)),
            ),
            t.SendToLocation(command=f"Send {i}", key=KeyStroke.of(70 + i, 130)),
            t.DynamicProperty(name=f"Moves{i}"),
            t.ReportState(format=FormattedText(REPORT), description=f"report {kind % 20}"),
            t.Marker(names=("Side", f"Type{i}")),
        ]
    marker = Piece.of([t.Delete(), t.BasicPiece(image="smoke.png", name="Smoke")])
    own: list[t.Trait] = [
        t.Layer(images=(f"u{number}a.png", f"u{number}b.png"), name="Step", version=1),
        t.Labeler(description=f"label of {kind}"),
        with_marker(t.PlaceMarker(command="Smoke", gpid=str(kind)), marker),
        t.Hideable(),
        t.BasicPiece(image=f"u{number}.png", name=f"{number}th Division"),
    ]
    chain = [*shared, *own]
    states: list[t.State | str] = [
        {"DynamicProperty": str(rng.randrange(9)), "Marker": f"Red,{kind}"}.get(
            type(trait).__name__, trait.state_type().encode()
        )
        for trait in chain[:-1]
    ]
    place = t.PieceState(map="Main", x=rng.randrange(4000), y=rng.randrange(4000), gpid=str(number))
    return Piece.of(chain, [*states, place], id=str(1_600_000_000_000 + number))


def saved_game() -> bytes:
    rng = random.Random(7)
    text = join((format_add(army(rng, i)) for i in range(PIECES)), "\x1b").encode()
    return zlib.compress(b"!VCSK5a" + text.translate(TABLE).hex().encode())


def measure() -> Iterable[Ratio]:
    packed = saved_game()

    def bare() -> bytes:
        return bytes.fromhex(zlib.decompress(packed)[7:].decode("ascii")).translate(TABLE)

    def forget() -> None:
        piece_type.cache_clear()
        decode_trait.cache_clear()

    def typed() -> list[tuple[t.State, ...]]:
        forget()
        return [parse_add(text).states for text in decode(bare().decode(), "\x1b")]

    def lazy() -> list[tuple[str, str, object]]:
        forget()
        pieces = map(parse_add, decode(bare().decode(), "\x1b"))
        return [(piece.id, piece.name, piece.basic_state) for piece in pieces]

    size = f"{len(bare()) / 1e6:.0f} MB of pieces"
    yield compare(f"{size}: all traits and states typed / unpacking", typed, bare, 8, rounds=12)
    yield compare(f"{size}: ids, places, names / unpacking", lazy, bare, 3, rounds=25)
