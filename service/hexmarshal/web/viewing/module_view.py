"""A module as a page: its maps and set-ups, its components, its counters, what lint finds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.components import PredefinedSetup
from hexmarshal.vassal.lint.run import check_module
from hexmarshal.vassal.lint.subject import ModuleSubject
from hexmarshal.vassal.privacy.scrubbing import redactor_of_modules
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game, placed_copy
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.web.drawing.cells import board_cells
from hexmarshal.web.drawing.module_art import ModuleArt
from hexmarshal.web.viewing.log_tables import TableTeller, as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.requests import Request

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.web.drawing.gallery import Gallery
    from hexmarshal.web.drawing.sheets import Sheet

__all__ = ["ModuleView"]

_FOREVER = {"cache-control": "private, max-age=3600"}
_MOST_COUNTERS = 5000


class ModuleView:
    """Serves one module."""

    first = "view.html"

    def __init__(self, path: Path, module: Module, gallery: Gallery) -> None:
        self._path, self._module = path, module
        self._art = ModuleArt(module, gallery)
        self._setups = [s for s in module.each(PredefinedSetup) if s.get("file")]
        self._teller = TableTeller(module, self._art, reveal=False)
        self._held: dict[int, tuple[ModuleLocator, list[Sheet], str]] = {}
        self._lock = asyncio.Lock()

    @property
    def title(self) -> str:
        """What the page is called."""
        return self._module.name or self._path.name

    def begin(self) -> None:
        """Nothing goes on in the background."""

    def close(self) -> None:
        """Nothing is held."""

    def ahead(self) -> Iterator[str]:
        """The page's script, and what the file is."""
        yield from ("/viewing/module_page.js", "/file")

    def routes(self) -> Iterator[Route]:
        """What the page asks for."""
        yield Route("/file", self._file, methods=["GET"])
        yield Route("/setups/{number:int}", self._setup, methods=["GET"])
        yield Route("/cells/{setup:int}/{number:int}", self._cells, methods=["GET"])
        yield Route("/components", self._components, methods=["GET"])
        yield Route("/counters", self._counters, methods=["GET"])
        yield Route("/lint", self._lint, methods=["GET"])

    async def _file(self, _request: Request) -> Response:
        module = self._module
        told = {
            "kind": "module",
            "name": self._path.name,
            "module": module.name,
            "version": module.version,
            "setups": ["a new game", *(setup.name for setup in self._setups)],
        }
        return JSONResponse(told)

    async def _setup(self, request: Request) -> Response:
        number = request.path_params["number"]
        async with self._lock:
            found = await asyncio.to_thread(self._laid, number)
        if found is None:
            return JSONResponse({"message": f"there is no set-up {number}"}, 404)
        _, sheets, pieces = found
        maps = [
            {**sheet.to_json(), "cells": f"/cells/{number}/{i}"} for i, sheet in enumerate(sheets)
        ]
        text = JSONResponse({"maps": maps}).body.decode()[:-1]  # type: ignore[union-attr]
        return Response(f"{text},{pieces[1:]}", media_type="application/json", headers=_FOREVER)

    def _laid(self, number: int) -> tuple[ModuleLocator, list[Sheet], str] | None:
        if number not in self._held:
            found = self._state(number)
            if found is None:
                return None
            state, self._teller.hide = found
            locator = ModuleLocator.for_game(self._module, state)
            pieces = as_json(self._teller.whole(state))
            self._held[number] = locator, self._art.sheets(locator), pieces
        return self._held[number]

    def _state(self, number: int) -> tuple[GameState, Callable[[str], str]] | None:
        """A set-up, and what takes players' passwords out of its words."""
        module = self._module
        if number == 0:
            return new_game(module), redactor_of_modules(module)
        if number > len(self._setups):
            return None
        entry = self._setups[number - 1].get("file")
        if module.archive is None or not module.archive.has(entry):
            return None
        try:
            saved = SavedGame.from_archive(module.archive.nested(entry))
            return saved.state(), redactor_of(saved.root)
        except HexMarshalError:
            return None

    async def _cells(self, request: Request) -> Response:
        held = self._held.get(request.path_params["setup"])
        number = request.path_params["number"]
        if held is None or not 0 <= number < len(held[1]):
            return JSONResponse({"shapes": [], "cells": []}, 404)
        boards = held[0].on(held[1][number].name).boards
        found = await asyncio.to_thread(board_cells, boards, str)
        return JSONResponse(found, headers=_FOREVER)

    # For makers

    async def _components(self, _request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(_tree, self._module.root))

    async def _counters(self, _request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(self._sheet))

    def _sheet(self) -> list[dict[str, Any]]:
        found = []
        definitions = {name: each.text for name, each in self._module.prototypes().items()}
        for number, slot in enumerate(self._module.slots()):
            if number >= _MOST_COUNTERS:
                break
            face = None
            try:
                piece = placed_copy(slot, definitions, "", (0, 0))
                face = self._art.face_of(piece, f"slot {number}")
            except HexMarshalError:
                pass
            place = self._module.place_of(slot)
            found.append(
                {
                    "name": slot.name,
                    "gpid": slot.gpid,
                    "line": place.line,
                    "face": face.to_json() if face is not None else None,
                }
            )
        return found

    async def _lint(self, _request: Request) -> Response:
        findings = await asyncio.to_thread(check_module, ModuleSubject(self._module, None))
        return JSONResponse([finding.as_dict() for finding in findings])


def _tree(component: Component) -> dict[str, Any]:
    told: dict[str, Any] = {"class": component.short_name, "name": component.name}
    attributes = {str(k): str(v)[:200] for k, v in component.element.attrib.items() if v}
    if attributes:
        told["attributes"] = attributes
    children = [_tree(child) for child in component.children()]
    if children:
        told["children"] = children
    return told
