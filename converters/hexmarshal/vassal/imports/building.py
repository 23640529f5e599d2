"""A module made of a game box: maps with boards, palettes, dice, and a set-up for each layout."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal import builder as b
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.traits import FacingState, Layer, LayerState, RotateFixed

if TYPE_CHECKING:
    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.imports.model import BoxLayout, BoxPiece, GameBox, LaidPiece
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Built", "build_box"]

_FACINGS: Final = 24
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_KINDS: Final = {b"\x89PNG": ".png", b"GIF8": ".gif", b"\xff\xd8": ".jpg"}


@dataclass(slots=True)
class Built:
    """The module, and how much of the box is in it."""

    module: ModuleBuilder
    maps: int = 0
    pieces: int = 0
    setups: int = 0
    notes: list[str] = field(default_factory=list)


def build_box(box: GameBox, *, version: str = "1.0") -> Built:
    """A module with what every game needs to be played by hand."""
    module = b.ModuleBuilder(box.name, version=version, description=box.description[:200])
    module.sides("Player 1", "Player 2")
    done = Built(module, notes=[*box.notes])
    turns = any(laid.turned for layout in box.layouts for laid in layout.pieces)
    common = [b.can_delete(), *([b.facings(_FACINGS)] if turns else [])]
    module.prototype(b.Counter("Piece", traits=tuple(common)), "What every piece can do")
    maps: dict[str, MapBuilder] = {}
    for number, of_box in enumerate(box.maps):
        name = _own(of_box.name, set(maps))
        made = module.map(name, main=not number).conveniences()
        if of_box.picture:
            image = module.image(_file(f"map {name}", of_box.picture, module), of_box.picture)
            made.board(name, image=image, grid=of_box.grid)
        else:
            size = of_box.size if min(of_box.size) > 0 else (1000, 800)
            made.board(name, size=size, grid=of_box.grid)
        maps[name] = made
        done.maps += 1
    if not maps:
        maps["Table"] = module.map("Table", main=True).conveniences()
        maps["Table"].board("Table", size=(2000, 1500), color="90,120,90")
        done.notes.append("the box has no map: an empty table takes its place")
    slots = _palettes(box, module, done)
    for count, faces in box.dice:
        module.dice(f"{count}d{faces}", count=count, sides=faces)
    module.notes()
    for layout in box.layouts:
        if layout.pieces:
            _set_up(layout, module, maps, slots)
            done.setups += 1
    return done


def _palettes(box: GameBox, module: ModuleBuilder, done: Built) -> dict[tuple[int, int], PieceSlot]:
    slots: dict[tuple[int, int], PieceSlot] = {}
    if not any(tray.pieces for tray in box.trays):
        return slots
    tabs = module.palette("Counters").tabs("Trays")
    names: set[str] = set()
    for number, tray in enumerate(box.trays):
        if not tray.pieces:
            continue
        shelf = tabs.list(_own(tray.name, names))
        for at, piece in enumerate(tray.pieces):
            slots[number, at] = shelf.counter(_counter(piece, module))
            done.pieces += 1
    return slots


def _counter(piece: BoxPiece, module: ModuleBuilder) -> b.Counter:
    images = [
        module.image(_file(f"{piece.name} {at}" if at else piece.name, data, module), data)
        for at, data in enumerate(piece.sides)
    ]
    traits = [b.prototype("Piece")]
    if len(images) > 1:
        traits.append(b.layer("Side", images, key="F", next_command="Flip"))
    return b.Counter(piece.name, images[0], tuple(traits))


def _set_up(
    layout: BoxLayout,
    module: ModuleBuilder,
    maps: dict[str, MapBuilder],
    slots: dict[tuple[int, int], PieceSlot],
) -> None:
    start = module.setup(layout.name or "Start")
    for laid in layout.pieces:
        on = maps.get(laid.map)
        slot = slots.get((laid.tray, laid.piece))
        if on is not None and slot is not None:
            start.place(slot, on, (laid.x, laid.y), change=partial(_dressed, laid=laid))
    start.save()


def _dressed(piece: Piece, laid: LaidPiece) -> Piece:
    side = piece.first(Layer)
    if side is not None and laid.side:
        piece = piece.with_state(side.index, LayerState(level=laid.side + 1))
    turned = piece.first(RotateFixed)
    if turned is not None and laid.turned:
        facing = round(laid.turned * _FACINGS / 360) % _FACINGS
        piece = piece.with_state(turned.index, FacingState(facing=facing))
    return piece


def _own(name: str, taken: set[str]) -> str:
    """A name that nothing else has."""
    base = name.strip() or "Untitled"
    found, number = base, 2
    while found in taken:
        found, number = f"{base} {number}", number + 1
    taken.add(found)
    return found


def _file(name: str, data: bytes, module: ModuleBuilder) -> str:
    suffix = next((s for head, s in _KINDS.items() if data.startswith(head)), "")
    if not suffix:
        suffix = ".svg" if image_size(data) else ".png"
    stem = _UNSAFE.sub("_", name).strip("_") or "picture"
    found, number = f"{stem}{suffix}", 2
    while module.has_file(f"images/{found}", other_than=data):
        found, number = f"{stem}-{number}{suffix}", number + 1
    return found
