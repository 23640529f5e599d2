"""Images that come with the engine itself, so that modules name them without bringing them."""

from __future__ import annotations

from typing import Final

__all__ = ["engine_has", "engine_has_image"]

# As of 3.7: what lies in the engine's own folder `images`.
_IMAGES: Final = frozenset({
    "DoorClose.au", "DoorOpen.au", "Edit16.gif", "Help16.gif", "Save16.gif", "SaveAs16.gif",
    "Splash.gif", "Splash.png", "StepForward16.gif", "Undo16.gif", "VASSAL-256x256.png",
    "black.jpg", "camera.gif", "chart.gif", "chess_clock.png", "connect.gif", "counter.gif",
    "die.gif", "disconnect.gif", "getMessages.gif", "globe_selected.gif",
    "globe_unselected.gif", "inventory.gif", "keyCommand.gif", "lockedRoom.gif", "map.gif",
    "mm-extension-active.png", "mm-extension-inactive.png", "mm-file.png",
    "mm-gamefolder-closed.png", "mm-gamefolder-open.png", "mm-module.png", "moved.gif",
    "notes.gif", "overview.gif", "phone1.wav", "playerAway.gif", "playerLooking.gif",
    "postMessage.gif", "recenter.gif", "status.gif", "thread.gif", "unmoved.gif",
    "zoom.png", "zoomIn.gif", "zoomIn.png", "zoomOut.gif", "zoomOut.png",
})  # fmt: skip
_OTHER_FOLDERS: Final = ("icons/", "help/", "VASSAL/")


def engine_has_image(name: str) -> bool:
    """Whether the engine finds an image reference among its own resources.

    A name that starts with a slash is looked for only there; others after the module's own.
    """
    path = name.removeprefix("/") if name.startswith("/") else f"images/{name}"
    return engine_has(path) or engine_has(f"{path}.gif")


def engine_has(path: str) -> bool:
    """Whether there is a resource at just this path in the engine."""
    found = path.removeprefix("images/")
    return path.startswith(_OTHER_FOLDERS) or (path != found and found in _IMAGES)
