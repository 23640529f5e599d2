"""A scenario, or a position, as a page: its table, its units, its words."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hexmarshal.table.module_finder import own_module
from hexmarshal.table.scenarios import check_scenario, position_of
from hexmarshal.web.drawing.position_art import PositionArt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from hexmarshal.table.scenarios import Loaded
    from hexmarshal.vassal.module import Module
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["ScenarioView"]

_FOREVER = {"cache-control": "private, max-age=3600"}


class ScenarioView:
    """Serves one scenario."""

    first = "view.html"

    def __init__(self, name: str, loaded: Loaded, module: Module | None, gallery: Gallery) -> None:
        self._name, self._loaded, self._gallery = name, loaded, gallery
        self._module = module
        self._art: PositionArt | None = None
        self._position = loaded.position or position_of(loaded.plugin, loaded.scenario)
        self._lock = asyncio.Lock()

    @property
    def title(self) -> str:
        """What the page is called."""
        return self._loaded.scenario.title or self._name

    def begin(self) -> None:
        """Nothing goes on in the background."""

    def close(self) -> None:
        """Nothing is held."""

    def ahead(self) -> Iterator[str]:
        """The page's script, and what the file is."""
        yield from ("/viewing/scenario_page.js", "/file")

    def routes(self) -> Iterator[Route]:
        """What the page asks for."""
        yield Route("/file", self._file, methods=["GET"])
        yield Route("/tables/0", self._table, methods=["GET"])
        yield Route("/cells/{key}/{number:int}", self._cells, methods=["GET"])

    async def _drawn(self) -> PositionArt:
        async with self._lock:
            if self._art is None:
                self._art = await asyncio.to_thread(self._made)
        return self._art

    def _made(self) -> PositionArt:
        plugin = self._loaded.plugin
        return PositionArt(plugin, self._module or own_module(plugin), self._gallery)

    async def _file(self, _request: Request) -> Response:
        loaded, scenario = self._loaded, self._loaded.scenario
        wrong = await asyncio.to_thread(_wrong, loaded)
        told = {
            "kind": "scenario",
            "name": self._name,
            "title": scenario.title,
            "game": loaded.plugin.game.title,
            "notes": list(loaded.notes),
            "wrong": wrong,
            "sides": {side.key: side.title for side in loaded.plugin.game.sides},
        }
        return JSONResponse(told)

    async def _table(self, _request: Request) -> Response:
        art = await self._drawn()

        def cells(key: str, number: int) -> str:
            return f"/cells/{key}/{number}"

        return JSONResponse(await asyncio.to_thread(art.table, self._position, cells))

    async def _cells(self, request: Request) -> Response:
        path = request.path_params
        art = await self._drawn()
        found = await asyncio.to_thread(art.cells, path["key"], path["number"])
        if found is None:
            return JSONResponse({"shapes": [], "cells": []}, 404)
        return JSONResponse(found, headers=_FOREVER)


def _wrong(loaded: Loaded) -> list[dict[str, Any]]:
    """What the rules have against it."""
    return [
        {"text": found.text, "place": str(found.place), "hint": found.hint}
        for found in check_scenario(loaded)
    ]
