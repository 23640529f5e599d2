"""Properties that VASSAL itself gives to pieces, maps, decks, reports and the module."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["known_to_engine"]

_NAMES: Final = frozenset({
    "AttachCount", "AttachList", "AttachName", "BasicName", "BoardOfCommand", "ClickedX",
    "ClickedY", "CurrentBoard", "CurrentLanguage", "CurrentLanguageName", "CurrentMap",
    "CurrentMat", "CurrentMatBasicName", "CurrentMatBoard", "CurrentMatID",
    "CurrentMatLocationName", "CurrentMatMap", "CurrentMatOffsetX", "CurrentMatOffsetY",
    "CurrentMatPieceName", "CurrentMatX", "CurrentMatY", "CurrentMatZone", "CurrentX", "CurrentY",
    "CurrentZone", "DeckName", "DeckPosition", "DrawingMouseover", "DrawingMouseoverIndex",
    "IgnoreGrid", "Immobile", "Inner", "Invisible", "InvisibleDisableAutoReportMoves",
    "InvisibleToMe", "InvisibleToOthers", "IsCargo", "KeyCommands", "LocalizedBasicName",
    "LocalizedPieceName", "LocationName", "LocationOfCommand", "MapOfCommand", "MatContents",
    "MatID", "MatName", "MatNumCargo", "MaybeMoved", "ModuleDescription", "ModuleGameFileName",
    "ModuleName", "ModuleVersion", "Moved", "NoStack", "Obscured", "ObscuredPreDraw",
    "ObscuredToMe", "ObscuredToOthers", "OldBoard", "OldDeckName", "OldLocationName", "OldMap",
    "OldMat", "OldMatBasicName", "OldMatID", "OldMatOffsetX", "OldMatOffsetY", "OldMatPieceName",
    "OldX", "OldY", "OldZone", "Outer", "PieceId", "PieceName", "PieceUID", "PlayerId",
    "PlayerName", "PlayerSide", "RealName", "Restricted", "RestrictedMovement", "SecretName",
    "Selected", "StackPos", "StackSize", "UiPieceCount", "UiPieceIndex", "UniqueID",
    "VassalVersionCreated", "VassalVersionRunning", "XOfCommand", "YOfCommand", "ZoneOfCommand",
    "cannotMove", "description", "gridLocation", "hiddenBy", "label", "location", "mapName",
    "markMoved", "menuCommand", "moduleName", "name", "newPieceName", "newValue", "obsPlayerName",
    "oldLocation", "oldMapName", "oldPieceName", "oldValue", "pieceName", "playerId", "playerName",
    "playerSide", "previousLocation", "previousMap", "snapshot", "transparency",
    "useUnrotatedShape", "visibleState",
})  # fmt: skip
_MADE: Final = re.compile(
    r".+_(?:numPieces|isVisible|result|total|keep|roll|Facing|Degrees|command|value)"
    r"|(?:GlobalCommand|Decision|Random).*|result[0-9]*|.*_(?:Level|Name|Active|Image)"
)


def known_to_engine(name: str) -> bool:
    """Whether the engine gives the property, or makes its name from that of something else."""
    # Reports know what a piece was before the command: `oldLocationName`.
    before = name.removeprefix("old")
    return name in _NAMES or before in _NAMES or _MADE.fullmatch(name) is not None
