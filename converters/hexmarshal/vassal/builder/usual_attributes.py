"""What the parts of a new module say unless the builder is told otherwise."""

from typing import Final

__all__ = ["INVENTORY", "NOTES", "OPTIONS", "ROSTER"]

ROSTER: Final = {
    "buttonIcon": "",
    "buttonKeyStroke": "",
    "buttonText": "Retire",
    "buttonToolTip": "Change sides or become an observer",
}
NOTES: Final = {
    "buttonText": "Notes",
    "hotkey": "",
    "icon": "/images/notes.gif",
    "tooltip": "Notes",
}
OPTIONS: Final = {
    "autoReport": "Always",
    "chatterHTMLSupport": "Always",
    "hotKeysOnClosedWindows": "Never",
    "inventoryForAll": "Always",
    "nonOwnerUnmaskable": "Never",
    "playerIdFormat": "$PlayerName$",
    "promptString": "Opponents can unmask my pieces",
    "sendToLocationMoveTrails": "Never",
}
INVENTORY: Final = {
    "centerOnPiece": "true",
    "drawPieces": "true",
    "foldersOnly": "false",
    "forwardKeystroke": "true",
    "hotkey": "",
    "icon": "/images/inventory.gif",
    "include": "{true}",
    "launchFunction": "functionHide",
    "leafFormat": "$PieceName$ ($LocationName$)",
    "name": "Inventory",
    "nonLeafFormat": "$PropertyValue$",
    "pieceZoom": "0.25",
    "pieceZoom2": "0.33",
    "pieceZoom3": "0.4",
    "refreshHotkey": "",
    "showMenu": "true",
    "sides": "",
    "sortFormat": "$PieceName$",
    "sortPieces": "true",
    "sorting": "alpha",
    "text": "Inventory",
    "tooltip": "All pieces",
    "zoomOn": "false",
}
