"""The Conflict of Heroes module, built once for the tests of logs, with plain boards in it."""

from __future__ import annotations

from functools import cache

import pytest
from kharkov_table import blank

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.games.conflict_of_heroes.module import build_module
from hexmarshal.games.conflict_of_heroes.module import pictures as drawn
from hexmarshal.geometry.terrain.terrain_map import TerrainMap
from hexmarshal.kit.ground.land import Land
from hexmarshal.kit.module import pictures
from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.table.binding import Binding
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = ConflictOfHeroes()


def _outline(terrain: TerrainMap) -> str:
    wide, high = Land(terrain).size
    return f'<svg width="{wide}" height="{high}"/>'


@cache
def module() -> Module:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        patch.setattr(drawn, "board_svg", _outline)
        return Module.from_archive(build_module().archive())


@cache
def binding() -> Binding:
    found = Binding.inside(module())
    assert found is not None
    return found


def again(saved: SavedGame) -> SavedGame:
    """Read from its bytes."""
    return SavedGame.from_archive(Archive.from_bytes(saved.to_bytes()))


def checked(saved: SavedGame) -> CheckReport:
    return check_file(again(saved), module(), binding(), PLUGIN)
