"""What the module has: the board, counters, a sheet with the turn track and the losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.drawing import markers
from hexmarshal.kit.drawing.boxes import Box, Row, Track, laid_out
from hexmarshal.kit.ground.painting import painted_svg
from hexmarshal.kit.module import Lies, Plan, State, TableSheet, UnitPiece, board_of
from hexmarshal.kit.pages.guide import page
from mygame.art.counters import COLOURS, faces
from mygame.art.ground import BRUSHES

if TYPE_CHECKING:
    from mygame.state.tables import Tables

__all__ = ["plan"]

FOUGHT = State("Fought", markers.badge("F", "#8c2f6b"), "F", "fought", menu="Has fought")


def plan(tables: Tables) -> Plan:
    """The module; what is not said here comes from the plugin's declaration."""
    turns = tables.numbers["turns"]
    return Plan(
        boards=(board_of(tables.map, svg=painted_svg(tables.map, BRUSHES)),),
        units=tuple(
            UnitPiece(
                type=kind,
                side=side,
                name=f"{side.title()} {row['title'].lower()}",
                faces=faces(side, row),
                states=(FOUGHT,),
            )
            for side in COLOURS
            for kind, row in tables.types.items()
        ),
        sheet=TableSheet(
            sheet=laid_out(
                "Turns and losses",
                720,
                (
                    Track("Turn", 1, turns, box=(80, 80)),
                    Row(
                        170,
                        tuple(
                            Box(f"{side.title()} losses", title=f"{side.title()} losses")
                            for side in COLOURS
                        ),
                    ),
                ),
            ),
            boxes={
                f"{side.title()} losses": Lies("eliminated", side, losses=True) for side in COLOURS
            },
            turn="Turn",
            turn_svg=markers.words("#2c4a6e", "GAME", "TURN"),
        ),
        last_turn=turns,
        pages={
            "How to play": page(
                "How to play",
                "Choose a set-up from the File menu. Blue moves and fights, then Red.",
                "Whoever stands in the village after the last turn wins.",
            )
        },
    )
