"""The Kharkov module with blank pictures, which cost nothing to draw, and logs of its games."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from functools import cache

import pytest

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.games.kharkov.module import build_module
from hexmarshal.kit.module import pictures
from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.interpret.announcements import read_call
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.builder import ModuleBuilder
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = Kharkov()
MAKE = PLUGIN.game.actions.make


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


@cache
def builder() -> ModuleBuilder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        return build_module()


@cache
def module() -> Module:
    return Module.from_archive(builder().archive())


@cache
def binding() -> Binding:
    found = Binding.inside(module())
    assert found is not None
    return found


def game(start: Position | str = "training") -> Recorder:
    """A log in the making, from a scenario or from a position."""
    if isinstance(start, str):
        start = engine.start(PLUGIN, start, seed="referee")
    return Recorder(module(), binding(), PLUGIN, start)


def said(lines: str) -> Iterator[Action]:
    """Actions as they are announced, one in a line."""
    for line in lines.strip().splitlines():
        call = read_call(line, PLUGIN.game.actions)
        assert call is not None
        yield call.action(PLUGIN.game.actions, "")


def checked(log: Recorder | SavedGame) -> CheckReport:
    saved = log.finish() if isinstance(log, Recorder) else log
    again = SavedGame.from_archive(Archive.from_bytes(saved.to_bytes()))
    return check_file(again, module(), binding(), PLUGIN)
