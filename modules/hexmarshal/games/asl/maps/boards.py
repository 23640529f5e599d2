"""Boards ready to be looked at, from their archives or from the cache."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.games.asl.maps.board_cache import Cache, cache_folder, key_of
from hexmarshal.games.asl.sight.answer_table import AnswerTable
from hexmarshal.games.asl.sight.ground.ground_tables import Ground, Prepared
from hexmarshal.games.asl.sight.view import Sight
from hexmarshal.vassal.vasl.board import Board, read_board
from hexmarshal.vassal.vasl.catalogue import SHARED_METADATA, catalogue_from, known_terrain
from hexmarshal.vassal.vasl.grid import HexGrid
from hexmarshal.vassal.vasl.hexes import HexFacts, Pixels
from hexmarshal.vassal.vasl.outlines.polygons import Outlines, Regions, regions_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.catalogue import Catalogue
    from hexmarshal.vassal.vasl.painting import Painting

__all__ = ["ReadyBoard", "board_path", "load", "ready_painting"]

_LONGEST = 60
"""So much of a name that is no board is told again."""
_SIZES = ("scale", "width", "height", "hex_width", "hex_height")
_PLACES = ("column", "half_row", "x", "y")


@dataclass(frozen=True)
class ReadyBoard:
    """A board with its sight and its polygons."""

    board: Board
    sight: Sight
    _stored: dict[str, Any]

    @cached_property
    def regions(self) -> Regions:
        """Terrain and elevation as polygons."""
        stored = self._stored
        if not stored:
            return regions_of(self.board)
        outlines = Outlines(stored["points"], stored["rings"], stored["polygons"])
        return Regions(outlines, stored["region_terrain"], stored["region_elevation"])


def board_path(folder: Path, name: str) -> Path:
    """The archive of a board by its name, with or without the letters `bd` before it."""
    for candidate in (folder / name, folder / f"bd{name}"):
        try:
            if candidate.is_file():
                return candidate
        except (OSError, ValueError):
            # A name that no file can have.
            break
    name = name[:_LONGEST]
    raise NotFoundError(
        f"there is no board {name}",
        place=Place(file=str(folder)),
        hint=f"put VASL's archive of it, a file named {name}, into the folder of boards",
    )


def load(
    path: Path | str, catalogue: Path | str | None = None, cache: Cache | None = None
) -> ReadyBoard:
    """Make a board ready, or take it from the cache if it was made ready before."""
    path = Path(path)
    store = Cache(cache_folder()) if cache is None else cache
    beside = path.parent / SHARED_METADATA
    source = Path(catalogue) if catalogue is not None else beside if beside.is_file() else None
    try:
        parts = [_code(), path.read_bytes(), source.read_bytes() if source else b""]
    except OSError as error:
        raise NotFoundError(f"cannot be read: {error}", place=Place(file=str(path))) from error
    terrain = known_terrain() if source is None else catalogue_from(source)
    key = key_of(parts)
    stored = store.get(key)
    if stored is not None:
        return _restored(path, stored, terrain)
    board = read_board(path, terrain)
    sight = Sight(board)
    sight.decide_all()
    ready = ReadyBoard(board, sight, {})
    store.put(key, _stored(ready))
    return ready


def ready_painting(painting: Painting, cache: Cache | None = None) -> ReadyBoard:
    """Make a board of our own ready, or take it from the cache."""
    store = Cache(cache_folder()) if cache is None else cache
    key = key_of([_code(), *painting.entries().values()])
    stored = store.get(key)
    path = Path(painting.name)
    if stored is not None:
        return _restored(path, stored, painting.catalogue)
    board = painting.board()
    sight = Sight(board)
    sight.decide_all()
    ready = ReadyBoard(board, sight, {})
    store.put(key, _stored(ready))
    return ready


_SIGHT = "hexmarshal.games.asl.sight"
_CODE = (__package__, _SIGHT, f"{_SIGHT}.ground", f"{_SIGHT}.rules", "hexmarshal.vassal.vasl")


@cache
def _code() -> bytes:
    """What makes boards ready, as a digest: what another version made is not used."""
    digest = hashlib.sha256()
    for package in _CODE:
        for entry in sorted(files(package).iterdir(), key=lambda e: e.name):
            if entry.name.endswith((".py", ".csv")):
                digest.update(entry.name.encode() + b"\0" + entry.read_bytes())
    return digest.digest()


def _stored(ready: ReadyBoard) -> dict[str, Any]:
    board, ground = ready.board, ready.sight.ground
    grid, regions = board.grid, ready.regions
    head = {name: getattr(grid, name) for name in _SIZES}
    arrays: dict[str, Any] = {
        "head": np.array(json.dumps({**head, "image": board.image})),
        "names": np.array(grid.names),
        "terrain": board.pixels.terrain,
        "elevation": board.pixels.elevation,
        "owner": _narrow(board.pixels.owner),
        "raster": ground.prepared.raster,
        "key": ground.prepared.key,
        "points": _narrow(regions.outlines.points),
        "rings": regions.outlines.rings,
        "polygons": regions.outlines.polygons,
        "region_terrain": regions.terrain,
        "region_elevation": regions.elevation,
    }
    arrays |= {f"grid_{name}": getattr(grid, name) for name in _PLACES}
    arrays |= {f"facts_{f.name}": getattr(board.facts, f.name) for f in fields(HexFacts)}
    if ready.sight.table is not None:
        arrays["answers"] = ready.sight.table.words
    return arrays


def _narrow(numbers: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """The same whole numbers in two bytes each, where those are enough."""
    fits = int(numbers.max(initial=0)) <= np.iinfo(np.int16).max
    return numbers.astype(np.int16 if fits else np.int32)


def _restored(path: Path, stored: dict[str, Any], catalogue: Catalogue) -> ReadyBoard:
    head = json.loads(str(stored["head"]))
    grid = HexGrid(
        **{name: head[name] for name in _SIZES},
        **{name: stored[f"grid_{name}"] for name in _PLACES},
        names=tuple(stored["names"].tolist()),
    )
    facts = HexFacts(**{f.name: stored[f"facts_{f.name}"] for f in fields(HexFacts)})
    pixels = Pixels(stored["terrain"], stored["elevation"], stored["owner"].astype(np.int32))
    place = Place(file=str(path))
    board = Board(path.name, grid, pixels, facts, catalogue, place, image=head["image"])
    sight = Sight(board, ground=Ground(board, Prepared(stored["raster"], stored["key"])))
    if "answers" in stored:
        sight.table = AnswerTable(board, stored["answers"])
    return ReadyBoard(board, sight, stored)
