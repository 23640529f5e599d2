"""A terrain file as a page: what a cell is, sees and reaches; terrain set by clicks, and saved."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse
from starlette.routing import Route

from hexmarshal.errors import BadInputError, GeometryError, HexMarshalError
from hexmarshal.geometry.lattice.hexes import Hexside
from hexmarshal.geometry.movement.costs import in_lowest_terms
from hexmarshal.geometry.movement.terrain_costs import TerrainCosts, movement
from hexmarshal.geometry.sight.line_of_sight import line_of_sight
from hexmarshal.web.connect.calls import read_body
from hexmarshal.web.drawing.cells import terrain_cells
from hexmarshal.web.drawing.grounds import drawn_sheet
from hexmarshal.web.viewing.terrain_desk import Change, ChangedMeanwhileError, TerrainDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["TerrainView"]

_KEPT = 8
"""So many pictures of drafts are kept, for pages that are a few changes behind."""
_MOST_BYTES = 16_384
_MOST_CELLS = 4000
"""So many lines of sight are drawn for one field of view, where they are drawn one by one."""


class TerrainView:
    """Serves one terrain file."""

    first = "view.html"

    def __init__(self, path: Path, gallery: Gallery) -> None:
        self._path, self._gallery = path, gallery
        self._desk = TerrainDesk(path)
        self._shown: deque[str] = deque(maxlen=_KEPT)
        self._drawn = -1
        self._draw()

    @property
    def _terrain(self) -> TerrainMap:
        return self._desk.terrain

    def _draw(self) -> None:
        """The map as the draft has it now; pictures of drafts that are long gone go."""
        if self._drawn == self._desk.version:
            return
        self._drawn = self._desk.version
        self._sheet, corner = drawn_sheet(self._terrain, self._gallery)
        self._cells = terrain_cells(self._terrain, corner)
        src = self._sheet.ground[0].src
        if src in self._shown:
            self._shown.remove(src)
        elif len(self._shown) == _KEPT:
            self._gallery.drop(self._shown[0])
        self._shown.append(src)

    @property
    def title(self) -> str:
        """What the page is called."""
        return self._terrain.name_of_map or self._path.name

    def begin(self) -> None:
        """Nothing goes on in the background."""

    def close(self) -> None:
        """Nothing is held."""

    def ahead(self) -> Iterator[str]:
        """The page's script, and what the file is."""
        yield from ("/viewing/terrain_page.js", "/file")

    def routes(self) -> Iterator[Route]:
        """What the page asks for."""
        asked: dict[str, Callable[[Request], dict[str, Any]]] = {
            "/file": self._file,
            "/cells": lambda _request: self._cells,
            "/cell": self._cell,
            "/sight": self._sight,
            "/field": self._field,
            "/reach": self._reach,
        }
        for path, answer in asked.items():
            yield Route(path, _answering(answer), methods=["GET"])
        deeds: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "/change": self._change,
            "/undo": lambda asked: self._draft(self._desk.undo, asked),
            "/redo": lambda asked: self._draft(self._desk.redo, asked),
            "/save": lambda asked: self._draft(self._desk.save, asked),
            "/take-in": self._take_in,
        }
        for path, deed in deeds.items():
            yield Route(path, _doing(deed), methods=["POST"])

    # The draft

    def _draft(self, deed: Callable[[object], None], asked: dict[str, Any]) -> dict[str, Any]:
        deed(asked.get("version"))
        return self._now()

    def _change(self, asked: dict[str, Any]) -> dict[str, Any]:
        change = Change.of(asked)
        self._desk.change(asked.get("version"), change, declare=asked.get("declare") is True)
        return self._now()

    def _take_in(self, _asked: dict[str, Any]) -> dict[str, Any]:
        left = self._desk.take_in()
        return {**self._now(), "left": left}

    def _now(self) -> dict[str, Any]:
        self._draw()
        return {**self._desk.state(), **self._map()}

    def _file(self, _request: Request) -> dict[str, Any]:
        terrain = self._terrain
        modes = sorted({mode for kind in terrain.types.values() for mode, _ in kind.cost})
        return {
            "kind": "terrain",
            "name": self._path.name,
            "title": terrain.name_of_map,
            "modes": modes or ["foot"],
            **self._now(),
        }

    def _map(self) -> dict[str, Any]:
        terrain = self._terrain
        return {
            "maps": [{**self._sheet.to_json(), "cells": "/cells"}],
            "types": {
                name: {
                    "sight": kind.sight.value,
                    "height": str(kind.height),
                    "cost": {mode: str(cost) for mode, cost in kind.cost},
                    "colour": kind.colour or "",
                }
                for name, kind in terrain.types.items()
            },
        }

    def _named(self, request: Request, field: str) -> tuple[str, Hashable]:
        name = request.query_params.get(field, "")
        return name, self._terrain.cell(name)

    def _cell(self, request: Request) -> dict[str, Any]:
        name, cell = self._named(request, "at")
        terrain = self._terrain
        sides = {
            terrain.describe(side): list(kinds)
            for side, kinds in terrain.side_terrain.items()
            if cell in _cells_of(side)
        }
        return {
            "cell": name,
            "level": str(terrain.level(cell)),
            "terrain": list(terrain.cell_terrain.get(cell, ())),
            "sides": sides,
            "paths": [path.terrain for path in terrain.paths if cell in path.cells],
            "neighbours": {
                terrain.name(near): list(
                    terrain.side_terrain.get(terrain.tiling.side(cell, near), ())
                )
                for near in terrain.neighbours(cell) or ()
            },
        }

    def _sight(self, request: Request) -> dict[str, Any]:
        (start, a), (end, b) = self._named(request, "from"), self._named(request, "to")
        sight = line_of_sight(self._terrain, a, b)
        return {
            "from": start,
            "to": end,
            "visible": sight.visible,
            "range": sight.range,
            "hindrance": sight.hindrance,
            "reasons": list(sight.reasons),
            "blocked": [sight.place(found) for found in sight.obstacles],
        }

    def _field(self, request: Request) -> dict[str, Any]:
        start, viewer = self._named(request, "from")
        terrain = self._terrain
        if terrain.tiling.repeats:
            from hexmarshal.geometry.sight.fields import visible_from

            cells, visible, _ = visible_from(terrain, viewer)
            seen = [cell for cell, clear in zip(cells, visible, strict=True) if clear]
        else:
            others = list(terrain.cells())[:_MOST_CELLS]
            seen = [cell for cell in others if line_of_sight(terrain, viewer, cell).visible]
        return {"from": start, "seen": [terrain.name(cell) for cell in seen]}

    def _reach(self, request: Request) -> dict[str, Any]:
        start, origin = self._named(request, "from")
        mode = request.query_params.get("mode", "foot")
        text = request.query_params.get("allowance", "4")
        try:
            allowance = Fraction(text[:12])
        except (ValueError, ZeroDivisionError):
            raise GeometryError(f"the allowance is {text!r}, which is no number") from None
        rule = TerrainCosts(self._terrain, mode=mode)
        found = movement(self._terrain, rule).reach(origin, allowance=max(allowance, Fraction(0)))
        costs = {self._terrain.name(cell): cost for cell, cost in found.costs.items()}
        return {
            "from": start,
            "costs": {name: str(in_lowest_terms(cost)) for name, cost in costs.items()},
        }


def _cells_of(side: Hashable) -> tuple[Hashable, ...]:
    if isinstance(side, frozenset):
        return tuple(side)
    return side.hexes if isinstance(side, Hexside) else ()


def _doing(deed: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Request], Any]:
    """A deed that a page of ours asks for; the origin of the request has been checked."""

    async def route(request: Request) -> Response:
        kind = request.headers.get("content-type", "").partition(";")[0].strip()
        if kind != "application/json":
            return _told(BadInputError("JSON is wanted"), 415)
        try:
            asked = json.loads(await read_body(request, _MOST_BYTES))
        except (ValueError, RecursionError):
            return _told(BadInputError("not JSON"), 400)
        if not isinstance(asked, dict):
            return _told(BadInputError("a JSON object is wanted"), 400)
        try:
            return JSONResponse(await asyncio.to_thread(deed, asked))
        except ChangedMeanwhileError as error:
            return _told(error, 409)
        except HexMarshalError as error:
            return _told(error, 400)

    return route


def _told(error: HexMarshalError, status: int) -> Response:
    hint = f" ({error.hint})" if error.hint else ""
    return JSONResponse({"code": error.code, "message": f"{error.message}{hint}"}, status)


def _answering(answer: Callable[[Request], dict[str, Any]]) -> Callable[[Request], Any]:
    async def route(request: Request) -> Response:
        try:
            return JSONResponse(await asyncio.to_thread(answer, request))
        except HexMarshalError as error:
            return _told(error, 400)

    return route
