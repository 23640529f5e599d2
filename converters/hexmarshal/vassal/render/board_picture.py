"""Boards that lie in files outside of their module, as pictures with their places on a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["BoardCell", "BoardPart", "BoardPicture"]

_PAPER: Final = (204, 255, 255, 255)


class BoardCell(NamedTuple):
    """A cell of the boards, in pixels of the map."""

    name: str
    """As positions name it."""
    middle: tuple[float, float]
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class BoardPart:
    """One board as it lies: cropped, turned and changed as the game has it."""

    name: str
    x: int
    y: int
    image: Image

    @property
    def size(self) -> tuple[int, int]:
        """How wide and high it is on the map."""
        return self.image.size


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The ground of one map: pieces lie on it by their own pixels, the margin included."""

    map: str
    """The map of the module that the boards lie on."""
    width: int
    height: int
    parts: tuple[BoardPart, ...]
    also: tuple[str, ...] = ()
    """Other names that saves have for the map."""
    notes: tuple[str, ...] = ()
    """What of the game the pictures do not show."""

    def names(self, map_name: str) -> bool:
        """Whether a map of a save is this one."""
        return map_name == self.map or map_name in self.also

    def composed(self, paper: tuple[int, int, int, int] = _PAPER) -> Image:
        """All boards in one picture, on paper of one colour."""
        import PIL.Image

        canvas = PIL.Image.new("RGBA", (self.width, self.height), paper)
        for part in self.parts:
            canvas.paste(part.image, (part.x, part.y))
        return canvas
