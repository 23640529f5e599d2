"""The module of the tutorial's game, made with all that the kit has."""

from __future__ import annotations

from dataclasses import replace

from tutorial import Crossroads, board

from hexmarshal.geometry.lattice.layout import Layout
from hexmarshal.geometry.terrain.terrain_map import TerrainMap, TerrainType
from hexmarshal.kit.drawing import markers
from hexmarshal.kit.drawing.boxes import Box, Row, Track, laid_out
from hexmarshal.kit.drawing.counters import Face
from hexmarshal.kit.module import (
    Card,
    Count,
    Hand,
    Lies,
    MarkerPiece,
    Pile,
    Plan,
    Shown,
    Sides,
    State,
    TableSheet,
    UnitPiece,
    board_of,
)
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.state.pieces import Pile as RulesPile
from hexmarshal.rules.values import FrozenMap

COLOURS = {"blue": "#4d7fb8", "red": "#c8503f"}
ARMS = {"infantry": "infantry", "tank": "armour", "scout": "recon"}
TOKENS = ("bold", "bold", "timid")
DUG = markers.band("DUG IN", "#6b5427")
STANCES = {
    "infantry": Sides("Stance", ("", DUG), ({}, {"flags": ["dug"]}), "G"),
    "scout": Sides("Stance", ("", DUG), ({}, {"values": {"stance": "prone"}}), "G"),
}
ATTACKED = State("Attacked", markers.badge("A", "#8c2f6b"), "A", "attacked")


class Crowded(Crossroads):
    """Crossroads with a unit in a box, tracks, a cup of tokens and markers."""

    def setup(self, scenario, options, generator):
        start = super().setup(scenario, options, generator)
        lost = replace(start.units["b2"], cell="", box="eliminated", steps=1)
        tired = replace(start.units["b1"], steps=1, flags=frozenset({"attacked", "dug"}))
        prone = replace(start.units["r3"], values=FrozenMap({"stance": "prone"}))
        armed = replace(start.units["b3"], facing=4, values=FrozenMap({"ammo": 3}))
        return replace(
            start,
            units=start.units.merged({"b1": tired, "b2": lost, "b3": armed, "r3": prone}),
            tracks=FrozenMap({"morale": 7, "points": 23}),
            piles=FrozenMap(
                {
                    "cup": RulesPile("cup", TOKENS[1:], ""),
                    "hand-red": RulesPile("hand-red", TOKENS[:1], "red"),
                }
            ),
            markers=FrozenMap(
                {
                    "smoke-1": Marker(
                        "smoke-1", "smoke", cell="C3", values=FrozenMap({"thick": 1})
                    ),
                    "hit-b1": Marker("hit-b1", "hit", side="blue", unit="b1"),
                }
            ),
            cells=FrozenMap({"D3": FrozenMap({"holder": "red"})}),
        )


def terrain() -> TerrainMap:
    return TerrainMap(
        {cell: name for name, cell in board.hexes().items()},
        types={kind: TerrainType(kind) for kind in ("wood", "crossroads")},
        cell_terrain={
            cell: (board.terrain(name),)
            for name, cell in board.hexes().items()
            if board.terrain(name) != "clear"
        },
        layout=Layout.regular(side=56),
        name_of_map="Crossroads",
    )


def units() -> tuple[UnitPiece, ...]:
    found = []
    for side, ground in COLOURS.items():
        for kind, row in board.data()["types"].items():
            faces = tuple(
                Face(
                    ground,
                    symbol=ARMS[kind],
                    echelon="battalion",
                    strength=f"{row['strength'] // (1 + lost)}-{row['move']}",
                    reduced=bool(lost),
                ).svg()
                for lost in range(row["steps"])
            )
            found.append(
                UnitPiece(
                    type=kind,
                    side=side,
                    name=f"{side.title()} {kind}",
                    faces=faces,
                    states=(ATTACKED,),
                    sides=(STANCES[kind],) if kind in STANCES else (),
                    known={"Nation": side.title()},
                    hides=kind == "scout",
                    facings=6 if kind == "tank" else 0,
                    counts=(Count("Ammo", "ammo", up="Y", down="Z"),) if kind == "tank" else (),
                )
            )
    return tuple(found)


def plan() -> Plan:
    sheet = laid_out(
        "Tracks",
        700,
        (
            Track("Turn", 1, 4, box=(80, 80)),
            Track("Morale", 0, 9),
            Track("Points", 0, 9),
            Row(
                150,
                (
                    Box("Blue losses", title="Blue losses", ground="#cdd9e8"),
                    Box("Red losses", title="Red losses", ground="#e8d0cd"),
                    Box("Cup", title="Cup", wide=90, dashed=True),
                    Box("Used", title="Used", wide=90, dashed=True),
                ),
            ),
        ),
    )
    points = markers.disc("VP", "#d3c9ab")
    return Plan(
        boards=(board_of(terrain()),),
        units=units(),
        markers=(
            MarkerPiece(
                kind="smoke",
                name="Smoke",
                faces=(markers.words("#888888", "THICK"), markers.words("#aaaaaa", "THIN")),
                values=({"thick": 2}, {"thick": 1}),
            ),
            MarkerPiece(
                kind="hit", name="Hit", faces=(markers.words("#a8312c", "HIT"),), on_unit=True
            ),
            *(
                MarkerPiece(
                    kind=f"held-{side}",
                    name=f"Held by {side}",
                    faces=(markers.flag(ground),),
                    cell={"holder": side},
                    stacks=False,
                )
                for side, ground in COLOURS.items()
            ),
        ),
        sheet=TableSheet(
            sheet=sheet,
            boxes={
                "Blue losses": Lies("eliminated", "blue", losses=True),
                "Red losses": Lies("eliminated", "red", losses=True),
            },
            tracks=(
                Shown("morale", "Morale", markers.disc("M", "#d3c9ab")),
                Shown("points", "Points", points),
                Shown("points", "Points", points, worth=10),
            ),
            turn="Turn",
            turn_svg=markers.words("#2c4a6e", "GAME", "TURN"),
        ),
        piles=(
            Pile(
                pile="cup",
                box="Cup",
                cards=(
                    Card("bold", "Bold", markers.coin("B", "#cda96a"), 2),
                    Card("timid", "Timid", markers.coin("T", "#cda96a")),
                ),
                back=markers.coin("?", "#93886a"),
                size=(44, 44),
                out="Used",
                thing="a token",
            ),
            Pile(pile="used", box="Used", open=True, size=(44, 44), reshuffles="Cup"),
        ),
        hands=(Hand(side="red", pile="hand-red", places=3, size=(44, 44)),),
        last_turn=4,
    )
