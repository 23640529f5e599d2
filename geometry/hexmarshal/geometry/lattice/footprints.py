"""Units of two squares with a facing: which squares they cover, how they drive and turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.errors import GeometryError, Place

if TYPE_CHECKING:
    from hexmarshal.geometry.lattice.squares import Square

__all__ = ["Footprint"]


class Footprint(NamedTuple):
    """A vehicle by the square of its front and the direction that it looks in, one of eight.

    Its rear is the square behind the front; looking at a corner, it covers two squares that meet
    at that corner, and no others.
    """

    front: Square
    facing: int

    @classmethod
    def of(cls, front: Square, rear: Square) -> Footprint:
        """The footprint over two neighbouring squares."""
        if max(front.apart(rear)) != 1:
            raise GeometryError(
                f"{front} and {rear} are not neighbours", place=Place(cell=str(rear))
            )
        return cls(front, rear.direction_to(front))

    @property
    def rear(self) -> Square:
        """The square behind the front."""
        return self.front.neighbour(self.facing + 4)

    @property
    def squares(self) -> tuple[Square, Square]:
        """The front and the rear."""
        return self.front, self.rear

    def driven(self, squares: int) -> Footprint:
        """So many squares ahead; back, if the number is negative."""
        return Footprint(self.front.neighbour(self.facing, squares), self.facing % 8)

    def turned(self, eighths: int, *, about_rear: bool = False) -> Footprint:
        """Turned clockwise by so many eighths of a circle, about its front or its rear."""
        facing = (self.facing + eighths) % 8
        front = self.rear.neighbour(facing) if about_rear else self.front
        return Footprint(front, facing)

    def distance(self, other: Square) -> int:
        """How far the nearer of its two squares is."""
        return min(square.distance(other) for square in self.squares)
