"""Kharkov as a stranger would have made it: German names, no marks for programs, no turn tracker.

Nothing of it is as in our own module: a map under another name with `Hex` before each number,
counters that are known by their names alone, losses as turned counters, boxes elsewhere, dice
worded in German. The binding is what its owner writes after `hexmarshal binding new`.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from game_table import OthersTable
from kharkov_table import blank

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.kit.module import pictures
from hexmarshal.kit.module.boards import grid_of
from hexmarshal.vassal.builder import Counter, ModuleBuilder, layer, prototype, zoned
from hexmarshal.vassal.components import HexGridNumbering

PLUGIN = Kharkov()
AXIS: Final = {
    "inf-79": "79. ID", "inf-294": "294. ID", "inf-297": "297. ID", "inf-71": "71. ID",
    "sec-454": "Sicherung 454", "light-108": "108. le.Div",
    "pz-201-23": "Pz 201/23", "pz-126-23": "Pz 126/23", "pz-128-23": "Pz 128/23",
    "pz-6-3": "Pz 6/3",
}  # fmt: skip
SOVIET: Final = {
    "hq-28": "Stab 28. Armee", "grd-1": "Garde 1", "cav-01": "Kavallerie 01",
    **{f"rif-0{n}": f"Schützen 0{n}" for n in range(1, 6)},
    **{f"tnk-0{n}": f"Panzerbrigade 0{n}" for n in range(1, 5)},
}  # fmt: skip
_BINDING: Final = """\
format: hexmarshal-binding/1
game: kharkov
module: Charkow 42
map:
  name: Karte
  cells: "Hex (?P<cell>[0-9]{4})"
  names: "Hex {cell}"
  boards: {Ostfront: kharkov}
boxes:
  - {map: Friedhof, at: "(Deutsche|Rote) Verluste", box: eliminated}
  - {map: Friedhof, at: "Verst.rkung (?P<turn>[0-9])", box: arrivals, values: {turn: "{turn}"}}
units:
  - {match: {name: "(?P<n>[0-9]+)\\\\. ID"}, id: "inf-{n}", type: infantry, side: axis}
  - {match: {name: "Sicherung (?P<n>[0-9]+)"}, id: "sec-{n}", type: security, side: axis}
  - {match: {name: "(?P<n>[0-9]+)\\\\. le.Div"}, id: "light-{n}", type: light, side: axis}
  - match: {name: "Pz (?P<a>[0-9]+)/(?P<b>[0-9]+)"}
    id: "pz-{a}-{b}"
    type: panzer
    side: axis
  - {match: {name: "Stab (?P<n>[0-9]+)\\\\..*"}, id: "hq-{n}", type: hq, side: soviet}
  - {match: {name: "Garde (?P<n>[0-9])"}, id: "grd-{n}", type: guards, side: soviet}
  - {match: {name: "Kavallerie (?P<n>[0-9]+)"}, id: "cav-{n}", type: cavalry, side: soviet}
  - {match: {name: "Sch.tzen (?P<n>[0-9]+)"}, id: "rif-{n}", type: rifle, side: soviet}
  - {match: {name: "Panzerbrigade (?P<n>[0-9]+)"}, id: "tnk-{n}", type: tank, side: soviet}
signs:
  - {property: Verluste_Level, steps: down}
markers:
  - {match: {name: "Rote Fahne"}, cell: {holder: soviet, soviet: true}}
sides: {Wehrmacht: axis, Rote Armee: soviet}
dice:
  - {pattern: "\\\\* (?P<player>.+) würfelt (?P<result>[0-9]+)", sides: 6}
drags: [move, enter, rail, disengage, overrun, retreat, advance, commit, displace, deploy]
silence: {air_defence: "[air_defence] no"}
"""


@cache
def builder() -> ModuleBuilder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        made = ModuleBuilder("Charkow 42", version="2.3")
        made.sides("Wehrmacht", "Rote Armee")
        drawn = pictures.Pictures(made)
        land = PLUGIN.boards["kharkov"].map
        grid = grid_of(land)
        numbering = grid.child(HexGridNumbering)
        assert numbering is not None
        numbering.set("locationFormat", "Hex $gridLocation$")
        wide, high = 2400, 2400
        made.map("Karte", main=True).board(
            "Ostfront", image=drawn.add("ostfront", _sheet(wide, high)), grid=grid
        )
        made.map("Friedhof").board("Friedhof", size=(600, 400), grid=zoned(_zones()))
        for image in ("feld", "verlust", "fahne"):
            drawn.add(image, _sheet(56, 56))
        for side in ("Deutsche", "Rote"):
            made.prototype(Counter(side, traits=()))
        shelf = made.palette("Steine").list("Alle")
        for names, side in ((AXIS, "Deutsche"), (SOVIET, "Rote")):
            for name in names.values():
                faces = ["feld.png", *["verlust.png"] * 3]
                turned = layer("Verluste", faces, next_command="Verlust")
                shelf.counter(Counter(name, "feld.png", (turned, prototype(side))))
        shelf.counter(Counter("Rote Fahne", "fahne.png"))
        made.dice("W6", count=1, sides=6, report="$PlayerName$ würfelt $result$")
        return made


def _sheet(wide: int, high: int) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"/>'


def _zones() -> list[tuple[str, list[tuple[int, int]], None]]:
    names = ["Deutsche Verluste", "Rote Verluste", *(f"Verstärkung {n}" for n in range(1, 4))]
    return [
        (name, [(0, 80 * i), (600, 80 * i), (600, 80 * i + 78), (0, 80 * i + 78)], None)
        for i, name in enumerate(names)
    ]


_TABLE = OthersTable(builder, PLUGIN, "training", (_BINDING, "charkow.yaml"))
module, binding, checked = _TABLE.module, _TABLE.binding, _TABLE.checked
