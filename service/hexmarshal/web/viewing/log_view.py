"""A log or a save as a page: its maps, its steps, and what the rules say of them."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hexmarshal.errors import HexMarshalError, NotFoundError
from hexmarshal.referee.dice.dice_words import dice_patterns
from hexmarshal.rules.plugins import registry
from hexmarshal.table.module_readers import boards_of, cells_of
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.web.drawing.cells import board_cells, laid_cells
from hexmarshal.web.drawing.grounds import board_sheet
from hexmarshal.web.drawing.module_art import ModuleArt
from hexmarshal.web.drawing.sheets import GroundPart, Sheet
from hexmarshal.web.viewing.log_tables import LogTables, TableTeller

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from starlette.requests import Request

    from hexmarshal.table.module_finder import Means
    from hexmarshal.vassal.render.board_picture import BoardPicture
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["LogView", "checked"]

_FOREVER = {"cache-control": "private, max-age=3600"}
_EMPTY = 200


def checked(path: Path, means: Means, plugins: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the referee says of a file, with the words of the rules; for a process of its own."""
    from hexmarshal.referee.check.check_inputs import check_path

    known = registry.default()
    for spec in plugins:
        known.load(spec)
    report = check_path(path, means, known)
    document = report.to_json()
    rules: dict[str, Any] = {}
    if report.bound and report.game:
        book = known.get(report.game).rulebook
        for name in report.by_rule():
            try:
                rule = book.rule(name)
            except NotFoundError:
                continue
            rules[name] = {"title": rule.title, "text": rule.text, "section": rule.section}
    entries = [entry.to_json() for entry in report.entries]
    cells = [[cell for v in entry.violations for cell in v.cells] for entry in report.entries]
    return {**document, "entries": entries, "cells": cells, "rules": rules}


class LogView:
    """Serves one save or log."""

    first = "view.html"

    def __init__(
        self,
        path: Path,
        saved: SavedGame,
        means: Means,
        gallery: Gallery,
        *,
        reveal: bool = False,
        plugins: tuple[str, ...] = (),
    ) -> None:
        self._path, self._saved, self._means, self._plugins = path, saved, means, plugins
        self._gallery = gallery
        known = registry.default()
        self._module = means.find_module(path, saved, known)
        means.demand_own(saved, self._module, "shows")
        self._binding = means.find_binding(self._module)
        start = saved.state()
        self._notes: list[str] = []
        self._boards = self._find_boards(start)
        self._art: ModuleArt | None = None
        self._locator: ModuleLocator | None = None
        if self._module is not None:
            self._art = ModuleArt(self._module, gallery, other_forms=self._boards is not None)
            self._locator = ModuleLocator.for_game(self._module, start)
        log = GameLog(saved, self._locator, dice_patterns(self._binding, self._module))
        names = dict.fromkeys(self._boards.also, self._boards.map) if self._boards else {}
        hide = redactor_of(saved.root)
        teller = TableTeller(self._module, self._art, reveal=reveal, names=names, hide=hide)
        replay = log.replay() if saved.is_log else iter(())
        self.tables = LogTables(replay, start, teller)
        self._sheets = self._all_sheets(start)
        self._reading = False
        self._pool: ProcessPoolExecutor | None = None
        self._verdicts: Future[dict[str, Any]] | None = None

    @property
    def title(self) -> str:
        """What the page is called."""
        return self._path.name

    @property
    def _named(self) -> str:
        """The module's name: its own, or as the file has it."""
        if self._module is not None:
            return self._module.name
        wanted = self._saved.module_metadata
        return wanted.name if wanted is not None else ""

    def _find_boards(self, start: GameState) -> BoardPicture | None:
        """The boards that lie outside of the module; without them the page tells what it lacks."""
        means = self._means
        try:
            found = boards_of(self._named, start, self._path, means.module, means.boards)
        except HexMarshalError as error:
            self._notes.append(f"No boards: {error.message}. {error.hint}".rstrip(". ") + ".")
            return None
        self._notes += found.notes if found is not None else ()
        return found

    def begin(self) -> None:
        """The ground, which the page asks for first; all else that takes long comes after it."""
        loop = asyncio.get_running_loop()
        loop.run_in_executor(None, self._gallery.prepare, self._first_ground())

    def _first_ground(self) -> tuple[str, ...]:
        parts = self._sheets[0].ground if self._sheets else ()
        return tuple({part.src: None for part in parts if part.src})

    def _read(self) -> None:
        """Replay in the background, once."""
        if not self._reading:
            self._reading = True
            asyncio.get_running_loop().run_in_executor(None, self.tables.read_all)

    def _judge(self) -> Future[dict[str, Any]]:
        """Have the rules checked by another process, once."""
        if self._verdicts is None:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"))
            self._verdicts = self._pool.submit(checked, self._path, self._means, self._plugins)
        return self._verdicts

    def close(self) -> None:
        """Let the other process go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def routes(self) -> Iterator[Route]:
        """What the page asks for."""
        yield Route("/file", self._file, methods=["GET"])
        yield Route("/tables/{number:int}", self._table, methods=["GET"])
        yield Route("/faces", self._faces, methods=["GET"])
        yield Route("/steps", self._steps, methods=["GET"])
        yield Route("/changes", self._changes, methods=["GET"])
        yield Route("/verdicts", self._check, methods=["GET"])
        yield Route("/cells/{number:int}", self._cells, methods=["GET"])

    def ahead(self) -> Iterator[str]:
        """The page's script, the table at the start, its counters and the ground under them."""
        yield from ("/viewing/log_page.js", "/file", "/faces")
        yield from self._first_ground()

    async def _file(self, _request: Request) -> Response:
        """What the file is, with the table at its start: the first picture wants both."""
        module = self._module
        metadata = self._saved.module_metadata
        told = {
            "kind": "log" if self._saved.is_log else "save",
            "name": self._path.name,
            "module": module.name if module is not None else "",
            "wanted": metadata.name if metadata is not None else "",
            "maps": [sheet.to_json() for sheet in self._sheets],
            "notes": self._notes,
            "game": self._binding.game if self._binding is not None else "",
        }
        table = self.tables.at(0) or ""
        text = f"{json.dumps(told, ensure_ascii=False)[:-1]},{table[1:]}"
        return Response(text, media_type="application/json")

    async def _table(self, request: Request) -> Response:
        number = request.path_params["number"]
        if number:
            self._read()
        told = await asyncio.to_thread(self.tables.at, number)
        if told is None:
            return JSONResponse({"message": f"there is no step {number}"}, 404)
        return Response(told, media_type="application/json", headers=_FOREVER)

    async def _faces(self, _request: Request) -> Response:
        """The counters on the table at the start, all at once, for the first picture."""

        def bundle() -> dict[str, str]:
            told = json.loads(self.tables.at(0) or '{"pieces": []}')
            return self._gallery.bundle({p["face"][0] for p in told["pieces"] if p.get("face")})

        return JSONResponse(await asyncio.to_thread(bundle))

    async def _steps(self, _request: Request) -> Response:
        self._read()
        told = await asyncio.to_thread(self.tables.told, 0)
        return JSONResponse({"steps": told})

    async def _changes(self, _request: Request) -> Response:
        self._read()
        told = await asyncio.to_thread(self.tables.changes)
        return Response(told, media_type="application/json", headers=_FOREVER)

    async def _check(self, _request: Request) -> Response:
        running = self._judge()
        if not running.done():
            return JSONResponse({"state": "running"})
        try:
            found = running.result()
        except HexMarshalError as error:
            return JSONResponse({"state": "failed", "message": f"{error.message} {error.hint}"})
        return Response(
            json.dumps({"state": "done", **found}, ensure_ascii=False),
            media_type="application/json",
        )

    async def _cells(self, request: Request) -> Response:
        number = request.path_params["number"]
        if self._boards is not None and number == 0:
            found = await asyncio.to_thread(self._board_cells)
            return JSONResponse(found, headers=_FOREVER)
        if self._locator is None or not 0 <= number < len(self._sheets):
            return JSONResponse({"shapes": [], "cells": []})
        name = self._sheets[number].name
        shown = self._binding.map if self._binding is not None else None
        name_of = shown.cell if shown is not None and shown.name == name else str
        boards = self._locator.on(name).boards
        found = await asyncio.to_thread(board_cells, boards, name_of)
        return JSONResponse(found, headers=_FOREVER)

    def _board_cells(self) -> dict[str, Any]:
        means, start = self._means, self._saved.state()
        return laid_cells(cells_of(self._named, start, self._path, means.module, means.boards))

    def _all_sheets(self, start: GameState) -> list[Sheet]:
        found: list[Sheet] = []
        if self._art is not None and self._locator is not None:
            found = self._art.sheets(self._locator)
        if self._boards is not None:
            own = replace(board_sheet(self._boards, self._gallery), cells="/cells/0")
            return [own, *(sheet for sheet in found if not self._boards.names(sheet.name))]
        named = [replace(sheet, cells=f"/cells/{i}") for i, sheet in enumerate(found)]
        used = {item.map for item in start.table.items.values() if item.map}
        if used.isdisjoint(sheet.name for sheet in named):
            return [*bare_sheets(start), *named]
        return named


def bare_sheets(state: GameState) -> Iterator[Sheet]:
    """Maps of which nothing is known but where things lie."""
    spread: dict[str, tuple[int, int]] = {}
    for item in state.table.items.values():
        if item.map:
            width, height = spread.get(item.map, (_EMPTY, _EMPTY))
            spread[item.map] = max(width, item.x + _EMPTY), max(height, item.y + _EMPTY)
    for name, (width, height) in spread.items():
        ground = GroundPart("", 0, 0, width, height, colour="#e9e2cf")
        yield Sheet(name, width, height, (ground,))
