"""The forms in which a scenario comes and goes, told by the name of the file."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place, UsageError
from hexmarshal.rules.params import NESTED, ParamType
from hexmarshal.scenario.sheets import ColumnKind
from hexmarshal.scenario.sheets.columns import ENTRY

if TYPE_CHECKING:
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["Form", "form_of", "game_named", "sheet_kinds"]


class Form(Enum):
    """How a scenario is written down."""

    YAML = "yaml"
    JSON = "json"
    POSITION = "position"
    MESSAGE = "message"
    SHEET = "sheet"
    SAVE = "save"
    GAME = "game"


_ENDINGS: Final = {
    ".position.json": Form.POSITION,
    ".message.json": Form.MESSAGE,
    ".yaml": Form.YAML,
    ".yml": Form.YAML,
    ".json": Form.JSON,
    ".csv": Form.SHEET,
    ".tsv": Form.SHEET,
    ".txt": Form.SHEET,
    ".xlsx": Form.SHEET,
    ".xlsm": Form.SHEET,
    ".ods": Form.SHEET,
    ".vsav": Form.SAVE,
    ".vlog": Form.SAVE,
}
_GAME: Final = re.compile(r"(?P<game>[A-Za-z0-9_-]{2,}):(?P<scenario>[A-Za-z0-9_.-]*)")


def game_named(name: str) -> tuple[str, str] | None:
    """The game and its scenario, if the name is that of a scenario and not that of a file."""
    found = _GAME.fullmatch(name)
    if found is None or Path(name).exists():
        return None
    return found["game"], found["scenario"]


def form_of(name: str) -> Form:
    """The form that a file of this name has."""
    if game_named(name) is not None:
        return Form.GAME
    for ending, form in _ENDINGS.items():
        if name.lower().endswith(ending):
            return form
    raise UsageError(
        "the name does not tell the form",
        place=Place(file=name),
        hint=f"let it end in one of {' '.join(_ENDINGS)}, or write GAME:SCENARIO",
    )


_KINDS: Final = {
    ParamType.INT: ColumnKind.WHOLE,
    ParamType.FACING: ColumnKind.WHOLE,
    ParamType.BOOL: ColumnKind.TRUTH,
    ParamType.UNITS: ColumnKind.LIST,
    ParamType.CELLS: ColumnKind.LIST,
    ParamType.PATH: ColumnKind.LIST,
    ParamType.CARDS: ColumnKind.LIST,
    ParamType.VALUE: ColumnKind.ANY,
    ParamType.NUMBER: ColumnKind.ANY,
    **dict.fromkeys(NESTED, ColumnKind.ANY),
}


def sheet_kinds(plugin: GamePlugin | None) -> dict[str, ColumnKind]:
    """What the columns of a sheet hold, as the game declares the values of its counters."""
    if plugin is None:
        return {}
    kinds = {p.name: _kind(p) for p in plugin.game.attributes}
    entry = kinds.get(plugin.game.terms.arrival_entry, ColumnKind.ANY)
    return {**kinds, ENTRY: entry}


def _kind(param: Param) -> ColumnKind:
    if param.type is ParamType.LIST and param.items is not None:
        return (
            ColumnKind.LIST
            if _KINDS.get(param.items.type, ColumnKind.TEXT) is ColumnKind.TEXT
            else ColumnKind.ANY
        )
    return _KINDS.get(param.type, ColumnKind.TEXT)
