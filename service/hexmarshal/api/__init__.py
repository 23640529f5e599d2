"""The front door: the names that most programs need, each loaded when it is first used.

`from hexmarshal import api`, then `api.play("kharkov")`, `api.Module.open("game.vmod")`,
`api.check_log("game.vlog")`. Everything here is also where it belongs: the table below tells where.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexmarshal.api.files import check_log, read_position, read_scenario
    from hexmarshal.api.playthrough import LegalActions, Playthrough, play
    from hexmarshal.client import AsyncClient, Client, InMatch
    from hexmarshal.errors import HexMarshalError, NotFoundError, Place, RulesError
    from hexmarshal.geometry.lattice.hexes import Hex, Hexside, Vertex
    from hexmarshal.geometry.terrain.terrain_file import load as load_map
    from hexmarshal.geometry.terrain.terrain_map import TerrainMap
    from hexmarshal.rules import (
        Action,
        Answer,
        Applied,
        Dice,
        Distribution,
        Game,
        GamePlugin,
        Marker,
        Outcome,
        Position,
        Resolution,
        Rule,
        Rulebook,
        Unit,
        Verdict,
        Violation,
    )
    from hexmarshal.rules.notation import AmbiguousActionError
    from hexmarshal.rules.playing.record import GameRecord
    from hexmarshal.rules.plugins.registry import default as games
    from hexmarshal.rules.verdict import IllegalActionError
    from hexmarshal.scenario import Scenario
    from hexmarshal.vassal.builder import ModuleBuilder
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.saves.log import GameLog
    from hexmarshal.vassal.saves.savegame import SavedGame

_FROM = {
    "hexmarshal.api.files": "check_log read_position read_scenario",
    "hexmarshal.api.playthrough": "LegalActions Playthrough play",
    "hexmarshal.client": "AsyncClient Client InMatch",
    "hexmarshal.errors": "HexMarshalError NotFoundError Place RulesError",
    "hexmarshal.geometry.lattice.hexes": "Hex Hexside Vertex",
    "hexmarshal.geometry.terrain.terrain_file": "load=load_map",
    "hexmarshal.geometry.terrain.terrain_map": "TerrainMap",
    "hexmarshal.rules": (
        "Action Answer Applied Dice Distribution Game GamePlugin Marker Outcome Position "
        "Resolution Rule Rulebook Unit Verdict Violation"
    ),
    "hexmarshal.rules.notation": "AmbiguousActionError",
    "hexmarshal.rules.playing.record": "GameRecord",
    "hexmarshal.rules.plugins.registry": "default=games",
    "hexmarshal.rules.verdict": "IllegalActionError",
    "hexmarshal.scenario": "Scenario",
    "hexmarshal.vassal.builder": "ModuleBuilder",
    "hexmarshal.vassal.module": "Module",
    "hexmarshal.vassal.pieces.piece": "Piece",
    "hexmarshal.vassal.saves.log": "GameLog",
    "hexmarshal.vassal.saves.savegame": "SavedGame",
}
_WHERE = {
    name.rpartition("=")[2]: (module, name.partition("=")[0])
    for module, names in _FROM.items()
    for name in names.split()
}

__all__ = [
    "Action",
    "AmbiguousActionError",
    "Answer",
    "Applied",
    "AsyncClient",
    "Client",
    "Dice",
    "Distribution",
    "Game",
    "GameLog",
    "GamePlugin",
    "GameRecord",
    "Hex",
    "HexMarshalError",
    "Hexside",
    "IllegalActionError",
    "InMatch",
    "LegalActions",
    "Marker",
    "Module",
    "ModuleBuilder",
    "NotFoundError",
    "Outcome",
    "Piece",
    "Place",
    "Playthrough",
    "Position",
    "Resolution",
    "Rule",
    "Rulebook",
    "RulesError",
    "SavedGame",
    "Scenario",
    "TerrainMap",
    "Unit",
    "Verdict",
    "Vertex",
    "Violation",
    "check_log",
    "games",
    "load_map",
    "play",
    "read_position",
    "read_scenario",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"hexmarshal.api has no {name!r}")
    module, original = _WHERE[name]
    found = globals()[name] = getattr(import_module(module), original)
    return found


def __dir__() -> list[str]:
    return __all__
