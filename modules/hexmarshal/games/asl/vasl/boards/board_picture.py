"""The boards of a VASL game as pictures: cropped, turned and laid out as VASL lays them out.

The sizes are those of the pictures, as in VASL; so old boards without sight data are drawn, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, RulesError, VassalFormatError
from hexmarshal.games.asl.maps.boards import board_path
from hexmarshal.games.asl.vasl.boards.board_command import boards_in
from hexmarshal.games.asl.vasl.boards.map_geometry import (
    MARGIN,
    board_places,
    check_layout,
    whole_crop,
    zoomed,
)
from hexmarshal.games.asl.vasl.table_reader import MAIN_MAPS
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.images.picture_decoding import decoded_picture
from hexmarshal.vassal.render.board_picture import BoardPart, BoardPicture
from hexmarshal.vassal.vasl import metadata
from hexmarshal.vassal.vasl.board import read_board
from hexmarshal.vassal.vasl.board_colours import BoardColours
from hexmarshal.vassal.vasl.overlays import overlay_of, own_overlay, own_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PIL.Image import Image

    from hexmarshal.games.asl.vasl.boards.board_command import BoardChoice
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.vasl.overlays import LaidPicture

__all__ = ["board_picture", "picture_of_boards"]

_MOST_PIXELS: Final = 400_000_000
_MOST_NOTES: Final = 40


def board_picture(state: GameState, folder: Path | None) -> BoardPicture | None:
    """The boards of a game, from the archives in a folder; None if no boards were chosen."""
    boards = boards_in(state.others)
    return picture_of_boards(boards, folder) if boards else None


def picture_of_boards(boards: Sequence[BoardChoice], folder: Path | None) -> BoardPicture:
    """The boards of a command, laid out."""
    check_layout(boards)
    notes: list[str] = []
    pictures = [
        _turned(choice, _cropped(choice, _read(choice, folder, notes))) for choice in boards
    ]
    places = board_places(boards, [picture.size for picture in pictures])
    parts = tuple(
        BoardPart(choice.file, *place, picture)
        for choice, place, picture in zip(boards, places, pictures, strict=True)
    )
    width = MARGIN + max(part.x + part.size[0] for part in parts)
    height = MARGIN + max(part.y + part.size[1] for part in parts)
    if width * height > _MOST_PIXELS:
        raise RulesError(f"a map of {width} x {height} pixels is too large to be drawn")
    return BoardPicture(MAIN_MAPS[0], width, height, parts, MAIN_MAPS[1:], tuple(notes))


def _read(choice: BoardChoice, folder: Path | None, notes: list[str]) -> Image:
    """The picture of a whole board, as the scenario has it."""
    if folder is None:
        raise NotFoundError(
            f"the game is played on the board {choice.file}, and no folder of boards is known",
            hint="--board-dir or HEXMARSHAL_ASL_BOARDS names the folder where VASL keeps them",
        )
    try:
        path = board_path(folder, choice.file)
        archive = Archive.open(path)
        picture = _decoded(archive.read(_image_name(archive, choice)))
    except NotFoundError:
        raise NotFoundError(
            f"the board file {choice.file[:60]} is missing, or has no picture",
            place=Place(field="boards"),
            hint="VASL downloads it when the board is chosen there",
        ) from None
    except HexMarshalError as error:
        # Whoever sent the save may be far from the folder: its path is not told.
        raise type(error)(error.message, place=Place(entry=choice.file), hint=error.hint) from error
    return _changed(choice, picture, archive, path, notes) if choice.changes else picture


def _changed(
    choice: BoardChoice, picture: Image, archive: Archive, path: Path, notes: list[str]
) -> Image:
    """The picture with the scenario's overlays and colours, as far as they are known."""
    import numpy as np
    import PIL.Image

    laid: list[LaidPicture] = []
    colours = BoardColours(path.parent, archive)
    for overlay in choice.overlays[:_MOST_NOTES]:
        try:
            if len(overlay) < 3:
                raise NotFoundError("an overlay without hexes")
            laid.append(overlay_of(path.parent, read_board(path), *overlay[:3]))
        except HexMarshalError as error:
            notes.append(f"{choice.file}: not drawn: {' '.join(overlay)[:80]} ({error.message})")
    own = own_rules(archive)
    for rule in dict.fromkeys(choice.rules):
        picture_of_rule = own_overlay(archive, rule) if rule in own else None
        if picture_of_rule is not None:
            laid.append(picture_of_rule)
        elif not colours.knows(rule) and len(notes) < _MOST_NOTES:
            notes.append(f"{choice.file}: not drawn: {rule[:80]}")
    for one in laid:
        on_top = PIL.Image.fromarray(one.pixels)
        picture.paste(on_top, (one.x, one.y), on_top)
    return PIL.Image.fromarray(colours.changed(np.asarray(picture), choice.rules))


def _image_name(archive: Archive, choice: BoardChoice) -> str:
    """The entry of the picture: as the board says or, of old boards, as they all are named."""
    if archive.has(metadata.ENTRY):
        named = metadata.read_metadata(archive.read(metadata.ENTRY), archive.place).image
        if archive.has(named):
            return named
    return f"{choice.file}.gif"


def _decoded(data: bytes) -> Image:
    try:
        return decoded_picture(data, "RGB", most_pixels=_MOST_PIXELS)
    except VassalFormatError as why:
        raise RulesError(f"of its board {why.message}") from why


def _cropped(choice: BoardChoice, picture: Image) -> Image:
    left, top, wide, high = whole_crop(choice, picture.size)
    if (left, top, wide, high) != (0, 0, *picture.size):
        picture = picture.crop((left, top, left + wide, top + high))
    size = zoomed(choice, (wide, high))
    return picture if size == (wide, high) else picture.resize(size)


def _turned(choice: BoardChoice, picture: Image) -> Image:
    import PIL.Image

    if not choice.reversed:
        return picture
    return picture.transpose(PIL.Image.Transpose.ROTATE_180)
