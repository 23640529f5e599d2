"""The seats of a module, and among them that of a player who plays all sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import GlobalOptions
from hexmarshal.vassal.values import PieceAccess

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["NOT_MINE", "SOLITAIRE", "add_seats", "seen_from"]

SOLITAIRE: Final = "Solitaire"
"""The seat of who plays all sides, by the name that VASSAL knows."""
NOT_MINE: Final = f'Obscured == true && PlayerSide != "{SOLITAIRE}"'
"""Of a piece that is masked: that the player must neither look at it nor turn it up."""


def add_seats(
    module: ModuleBuilder, seats: Iterable[str], icon: str, *, masked: bool = False
) -> None:
    """The seats of the sides, and that of who plays alone.

    If pieces are `masked`, the engine lets all players turn them up: their menus, which leave that
    out for whom they are `NOT_MINE`, decide.
    """
    module.sides(*seats, SOLITAIRE, icon=icon)
    if masked:
        for options in module.root.each(GlobalOptions):
            options.set("nonOwnerUnmaskable", "Always")


def seen_from(*seats: str) -> PieceAccess:
    """What is hidden is seen from these seats, and from that of who plays all sides."""
    return PieceAccess(":".join(("sides", *seats, SOLITAIRE)))
