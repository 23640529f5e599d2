"""A module as a game declares it; what is left out comes from the plugin's own declaration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.kit.drawing.charts import ChartLook
from hexmarshal.kit.module.pieces.announcement_menus import Speech

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexmarshal.kit.module.boards import Board
    from hexmarshal.kit.module.pieces.declared import MarkerPiece, UnitPiece
    from hexmarshal.kit.module.pieces.piles import Hand, Pile, Spread
    from hexmarshal.kit.module.pieces.tiles import TilePiece
    from hexmarshal.kit.module.sheets import TableSheet
    from hexmarshal.rules.plugin import ScenarioInfo
    from hexmarshal.vassal.values import KeyStroke

__all__ = ["Plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A module: its boards, counters, sheet, piles, dice and pages.

    `phases` are what the tracker shows, with the rules' names of them (empty: none to the rules);
    left out, they are the plugin's, once a side where several sides act in a phase. `drags` are the
    actions that dragging a piece can be, the likeliest first; left out, all that take a unit and a
    way or a cell.
    """

    boards: tuple[Board, ...]
    units: tuple[UnitPiece, ...]
    markers: tuple[MarkerPiece, ...] = ()
    tiles: tuple[TilePiece, ...] = ()
    sheet: TableSheet | None = None
    piles: tuple[Pile, ...] = ()
    hands: tuple[Hand, ...] = ()
    spreads: tuple[Spread, ...] = ()
    title: str = ""
    version: str = "1.0"
    description: str = ""
    dice: tuple[tuple[int, int], ...] = ((1, 6),)
    """Buttons: how many dice, of how many sides."""
    charts: ChartLook = field(default_factory=ChartLook)
    pages: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[str, str] | None = None
    before: tuple[str, ...] = ()
    """The phases that come once, before those of the first turn: setting up."""
    by_side: bool | None = None
    last_turn: int = 0
    advance: str = "end_phase"
    drags: tuple[str, ...] | None = None
    laid: tuple[str, ...] = ()
    """The actions that players do by laying tokens, markers or cards without a word."""
    silence: Mapping[str, str] = field(default_factory=dict)
    """What saying nothing means at the table, where the game means something else or nothing."""
    speech: Speech = field(default_factory=Speech)
    """Which pieces have an announcement in their menus, and who is meant by it."""
    tones: Mapping[str, str] = field(default_factory=dict)
    """The colours in which sides speak in the chat, where not those of their order."""
    cleared: Mapping[str, Mapping[str, KeyStroke]] = field(default_factory=dict)
    """What goes at once by a button: `{"orders": {'MarkerKind == "order"': ctrl("D")}}`."""
    cleared_in: Mapping[str, Mapping[str, KeyStroke]] = field(default_factory=dict)
    """The same by itself, as the tracker comes to a phase of the rules."""
    scenarios: tuple[str, ...] | None = None
    notes: Callable[[ScenarioInfo], Iterable[str]] | None = None
    """What players must know of a scenario and the board does not show: how it is won."""
    sight: bool = False
    """A button that draws a line between two cells."""
