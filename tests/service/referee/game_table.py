"""A game's module with blank pictures, which cost nothing to draw, and logs of its games."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib import import_module

import pytest

from hexmarshal.cli.vassal.make.offers import offer
from hexmarshal.errors import Place
from hexmarshal.geometry.terrain.terrain_map import TerrainMap
from hexmarshal.kit.ground.land import Land
from hexmarshal.kit.module import pictures
from hexmarshal.referee.chat.announcements import read_call
from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins.registry import default
from hexmarshal.rules.state.position import Position
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.builder import ModuleBuilder
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame

# Games whose boards take long even to describe.
_DRAWN = {"conflict_of_heroes": "hexmarshal.games.conflict_of_heroes.module.pictures"}


def blank(svg: str, *, zoom: float = 1) -> bytes:
    """An empty picture of the same size: boards take their measures from it."""
    found = re.search(r'<svg[^>]*\bwidth="([0-9.]+)"[^>]*\bheight="([0-9.]+)"', svg)
    assert found is not None
    width, height = (round(float(size) * zoom) for size in found.groups())

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = (b"\0" * (1 + (width + 7) // 8)) * height
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows, 1)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _outline(terrain: TerrainMap) -> str:
    wide, high = Land(terrain).size
    return f'<svg width="{wide}" height="{high}"/>'


def again(saved: SavedGame) -> SavedGame:
    """Read from its bytes."""
    return SavedGame.from_archive(Archive.from_bytes(saved.to_bytes()))


class GameTable:
    """One game: its rules, its module and what a referee says of its logs."""

    def __init__(self, game: str) -> None:
        self.name = game
        self.plugin: GamePlugin = default().get(game)

    @cached_property
    def _builder(self) -> ModuleBuilder:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pictures, "pixels", blank)
            if self.name in _DRAWN:
                patch.setattr(import_module(_DRAWN[self.name]), "board_svg", _outline)
            return offer(self.name)(None)

    @cached_property
    def _module(self) -> Module:
        return Module.from_archive(self._builder.archive())

    @cached_property
    def _binding(self) -> Binding:
        found = Binding.inside(self._module)
        assert found is not None
        return found

    def builder(self) -> ModuleBuilder:
        return self._builder

    def module(self) -> Module:
        return self._module

    def binding(self) -> Binding:
        return self._binding

    def start(self, scenario: str, seed: str = "referee") -> Position:
        return engine.start(self.plugin, scenario, seed=seed)

    def game(self, start: Position | str) -> Recorder:
        """A log in the making, from a scenario or from a position."""
        begun = self.start(start) if isinstance(start, str) else start
        return Recorder(self._module, self._binding, self.plugin, begun)

    def said(self, lines: str) -> Iterator[Action]:
        """Actions as they are announced, one in a line."""
        for line in lines.strip().splitlines():
            call = read_call(line, self.plugin.game.actions)
            assert call is not None
            yield call.action(self.plugin.game.actions, "")

    def checked(self, log: Recorder | SavedGame) -> CheckReport:
        saved = log.finish() if isinstance(log, Recorder) else log
        return check_file(again(saved), self._module, self._binding, self.plugin)


class OthersTable:
    """A module that others made, with its binding, and what is said of its logs."""

    def __init__(
        self,
        builder: Callable[[], ModuleBuilder],
        plugin: GamePlugin,
        scenario: str,
        binding: tuple[str, str],
    ) -> None:
        """The `binding` is its text and the name of its file."""
        self._builder, self._plugin, self._scenario = builder, plugin, scenario
        self._text, self._file = binding

    @cached_property
    def _module(self) -> Module:
        return Module.from_archive(self._builder().archive())

    @cached_property
    def _binding(self) -> Binding:
        return self.bound(self._text)

    def module(self) -> Module:
        return self._module

    def binding(self) -> Binding:
        return self._binding

    def bound(self, text: str) -> Binding:
        """The binding that a text is."""
        return Binding.parse(text.encode(), Place(file=self._file))

    def checked(self, log: Recorder | SavedGame) -> CheckReport:
        saved = log.finish() if isinstance(log, Recorder) else log
        return check_file(
            again(saved), self._module, self._binding, self._plugin, scenario=self._scenario
        )


@cache
def table(game: str) -> GameTable:
    """The table of a game, made once."""
    return GameTable(game)
