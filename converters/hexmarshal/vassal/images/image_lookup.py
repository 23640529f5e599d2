"""How the engine finds an image by name: folders, languages, Unicode forms and the old `.gif`."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.vassal.images.engine_resources import engine_has

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ImagePlace", "find_image"]


@dataclass(frozen=True, slots=True)
class ImagePlace:
    """Where an image reference leads: an entry of an archive, or a resource inside the engine."""

    entry: str
    archive: int
    """Which archive: 0 for the module, then extensions in load order; -1 for the engine."""

    @property
    def in_engine(self) -> bool:
        """Whether the image comes with the engine, not with the module."""
        return self.archive < 0


def find_image(
    name: str, archives: Sequence[Callable[[str], bool]], lang: str | None = None
) -> ImagePlace | None:
    """Follow the engine's steps for `name`; None if the image is not there.

    Each of `archives` says whether it has an entry. A name that starts with a slash is the
    engine's own; others are looked for in the engine too, after the archives.
    """
    if name.startswith("/"):
        return ImagePlace(name.lstrip("/"), -1)
    if not name:
        return None
    path = f"images/{name}"
    if lang and any(has(f"images_{lang}/{name}") for has in archives):
        path = f"images_{lang}/{name}"
    # A name without a suffix means a GIF: no other suffix is tried.
    plain = (path,) if path.isascii() else (path, unicodedata.normalize("NFD", path))
    forms = (plain, (f"{path}.gif",))
    for wanted in forms:
        for entry in wanted:
            for index, has in enumerate(archives):
                if has(entry):
                    return ImagePlace(entry, index)
        if engine_has(wanted[0]):
            return ImagePlace(wanted[0], -1)
    return None
