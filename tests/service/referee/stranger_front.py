"""Traces of War as a stranger would have made it: German, and tokens that lie where he likes.

The hexes are numbered from the other corner; units are known by their names alone, and turned over
for a loss; the chits of both sides lie in one box each, and are drawn out of a bag; supply is a
layer with its levels the other way round; there is no turn tracker, no track and no air marker.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import pytest
from game_table import OthersTable, blank

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.kit.module import pictures
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.vassal.builder import Counter, ModuleBuilder, hex_grid, layer, prototype, zoned

PLUGIN = TracesOfWar()
SCENARIO: Final = "exercise"
START: Final = engine.start(PLUGIN, SCENARIO)
_ARMS: Final = {
    "infantry": "Infanterie", "tank": "Panzer", "mechanized_infantry": "Mech", "hq": "Stab",
    "mountain": "Gebirgsjäger", "cavalry": "Reiter", "airborne": "Fallschirm",
    "security": "Sicherung",
}  # fmt: skip
_BINDING: Final = """\
format: hexmarshal-binding/1
game: traces_of_war
module: Ostwall 1943
map:
  name: Lage
  boards: {Ukraine 43: ukraine}
  same: {"0000": "3401", "3300": "0101", "0043": "3444"}
boxes:
  - {map: Ablage, at: "(Deutsche|Rote) Verluste", box: eliminated}
  - {map: Ablage, at: Sicherungen, box: deploy}
  - {map: Ablage, at: Fallschirmjäger, box: airborne}
  - {map: Ablage, at: "Reserve (?P<k>PR|IR|AR)", box: reserve, values: {category: "{k}"}}
  - {map: Ablage, at: "Ankunft (?P<n>[0-9])", box: arrivals, values: {arrival: "{n}"}}
units:
UNITS
signs:
  - {property: Gewendet_Level, steps: down}
  - property: Lage_Level
    cases: {"1": {flags: [isolated]}, "2": {flags: [out_of_supply]}, "3": {}}
markers:
  - {match: {name: Haltebefehl}, kind: order}
  - {match: {prototype: Marke}, nothing: true}
piles:
  - {pile: cup, deck: Beutel, card: "{name}", mixed: true}
  - {pile: played, map: Ablage, at: Gespielt, card: "{name}", mixed: true}
  - {pile: drawn, map: Ablage, at: Gezogen, card: "{name}", mixed: true}
  - {pile: turn-track, map: Ablage, at: Später, card: "{name}", mixed: true}
  - {pile: soviet-pool, map: Ablage, at: Rote Marken, card: "{name}", mixed: true}
  - {pile: axis-pool, map: Ablage, at: Deutsche Marken, card: "{name}", mixed: true}
  - {pile: axis-hand, map: Ablage, at: Deutsche Hand, card: "{name}", mixed: true}
sides: {Rote Armee: soviet, Wehrmacht: axis}
dice:
  - {button: Würfel, sides: 6}
drags: [move, advance, retreat, deploy, place, relocate]
laid: [draw, choose_tokens, throw_in, interrupt]
advance: end_segment
"""
_PILES: Final = ("Gespielt", "Gezogen", "Später", "Rote Marken", "Deutsche Marken", "Deutsche Hand")


def name_of(unit: Unit) -> str:
    """What the stranger calls a unit: its arm, and what stands on it, with its land."""
    lands = {"de": "d", "hu": "u", "ro": "r", "su": "s", "hq": "d" if unit.side == "axis" else "s"}
    land = lands[unit.id.partition("-")[0]]
    return f"{_ARMS[unit.type]} {unit.id.partition('-')[2].upper()} ({land})"


def _rules() -> str:
    rule = '  - {{match: {{name: "{name}"}}, id: {id}, type: {type}, side: {side}}}'
    return "\n".join(
        rule.format(
            name=re.escape(name_of(u)).replace("\\", "\\\\"), id=u.id, type=u.type, side=u.side
        )
        for u in START.units.values()
    )


BINDING: Final = _BINDING.replace("UNITS", _rules())


def _sheet(wide: int, high: int) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"/>'


@cache
def builder() -> ModuleBuilder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        made = ModuleBuilder("Ostwall 1943", version="3")
        made.sides("Rote Armee", "Wehrmacht")
        drawn = pictures.Pictures(made)
        numbering = {"hOff": "0", "vOff": "0"}
        grid = hex_grid(width=64, height=74, origin=(36, 36), sideways=True, numbering=numbering)
        board = drawn.add("ukraine", _sheet(3365, 2184))
        made.map("Lage", main=True).board("Ukraine 43", image=board, grid=grid)
        store = made.map("Ablage")
        table = store.board("Ablage", size=(1300, 900), grid=zoned(_zones()))
        for image in ("voll", "halb", "ohne", "weg", "marke", "befehl"):
            drawn.add(image, _sheet(48, 48))
        made.prototype(Counter("Marke", traits=()))
        shelf = made.palette("Steine").list("Alle")
        for unit in START.units.values():
            turned = layer(
                "Gewendet", ["voll.png", "halb.png"][: unit.steps], next_command="Wenden"
            )
            state = layer(
                "Lage", ["weg.png", "ohne.png", ""], next_command="Lage", key="L", start=3
            )
            shelf.counter(Counter(name_of(unit), "voll.png", (turned, state)))
        shelf.counter(Counter("Haltebefehl", "befehl.png"))
        for pile in START.piles.values():
            for card in pile.cards if pile.name != "luftwaffe" else ():
                shelf.counter(Counter(card, "marke.png", (prototype("Marke"),)))
        store.deck("Beutel", table, (1200, 800), [])
        made.dice("Würfel", count=1, sides=6, report="$PlayerName$ würfelt $result$")
        return made


def _zones() -> list[tuple[str, list[tuple[int, int]], None]]:
    names = (
        "Deutsche Verluste", "Rote Verluste", "Sicherungen", "Fallschirmjäger",
        *(f"Reserve {kind}" for kind in ("PR", "IR", "AR")),
        *(f"Ankunft {n}" for n in range(1, 10)), *_PILES,
    )  # fmt: skip
    found = []
    for i, name in enumerate(names):
        x, y = 260 * (i % 4), 150 * (i // 4)
        corners = [(x, y), (x + 250, y), (x + 250, y + 140), (x, y + 140)]
        found.append((name, corners, None))
    return found


_TABLE = OthersTable(builder, PLUGIN, SCENARIO, (BINDING, "ostwall.yaml"))
module, binding = _TABLE.module, _TABLE.binding
bound, checked = _TABLE.bound, _TABLE.checked
