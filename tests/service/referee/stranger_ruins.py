"""Heroes of Stalingrad as a stranger would have made it: Italian, and hardly anything to tell.

Squares are A1 to P12 where the rules have 0101 to 1612; counters of one kind are all alike, with no
name or number of their own; they are turned over for a loss; a marker is laid on who has been
activated; orders are numbered discs; there is no turn tracker, no track, no deck, and one box for
all that is lost.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from game_table import OthersTable, blank

from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.kit.ground.land import Land
from hexmarshal.kit.module import pictures
from hexmarshal.vassal.builder import Counter, ModuleBuilder, facings, layer, square_grid, zoned

PLUGIN = HeroesOfStalingrad()
NAMES: Final = {
    "Boris": "boris", "Capitano": "kapitan", "Fucilieri": "rifle_group", "Maxim": "maxim",
    "Colonnello": "vollrath", "Gruppo di fuoco": "fire_group", "MG34": "mg34",
}  # fmt: skip
_RUSSIAN: Final = ("boris", "kapitan", "rifle_group", "maxim")
_HEAD: Final = """\
format: hexmarshal-binding/1
game: heroes_of_stalingrad
module: Stalingrado 42
map:
  name: Campo
  boards: {Rovine: field}
  same: {A1: "0101", P1: "1601", A12: "0112"}
boxes:
  - {map: Cimitero, at: Caduti, box: destroyed}
units:
"""
_UNIT: Final = '  - {{match: {{name: "{name}"}}, id: "{{any}}", type: {type}, side: {side}}}\n'
_REST: Final = """\
signs:
  - {property: Perdite_Level, steps: down}
  - {property: Punta_Facing, facing: 1, on_map: true}
  - property: Ordine_Level
    of: {name: "Disco .*"}
    cases: {"1": {values: {token: "1"}}, "2": {values: {token: "2"}}, "3": {values: {token: "3"}}}
markers:
  - {match: {name: Disco rosso}, kind: order, side: russian, "on": unit, id: "order-{unit}"}
  - {match: {name: Disco nero}, kind: order, side: german, "on": unit, id: "order-{unit}"}
  - {match: {name: Attivato}, "on": unit, shows: {flags: [activated]}}
sides: {Armata Rossa: russian, Wehrmacht: german}
dice:
  - {button: Dado, sides: 6}
drags: [move, deploy]
laid: [order, order_artillery]
advance: hold
silence: {orders: "[end_orders]"}
"""
BINDING: Final = (
    _HEAD
    + "".join(
        _UNIT.format(name=name, type=kind, side="russian" if kind in _RUSSIAN else "german")
        for name, kind in NAMES.items()
    )
    + _REST
)


def _sheet(wide: int, high: int) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"/>'


@cache
def builder() -> ModuleBuilder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        made = ModuleBuilder("Stalingrado 42", version="0.4")
        made.sides("Armata Rossa", "Wehrmacht")
        drawn = pictures.Pictures(made)
        size = Land(PLUGIN.boards["field"]).size
        numbering = {"hType": "A", "hOff": "0", "vOff": "1", "hLeading": "0", "vLeading": "0"}
        grid = square_grid(width=60, height=60, origin=(30, 30), numbering=numbering)
        board = drawn.add("rovine", _sheet(*map(round, size)))
        made.map("Campo", main=True).board("Rovine", image=board, grid=grid)
        corners = [(0, 0), (600, 0), (600, 400), (0, 400)]
        yard = zoned([("Caduti", corners, None)])
        made.map("Cimitero").board("Cimitero", size=(600, 400), grid=yard)
        for image in ("intero", "ridotto", "attivato", "disco1", "disco2", "disco3"):
            drawn.add(image, _sheet(48, 48))
        shelf = made.palette("Pedine").list("Tutte")
        for name in NAMES:
            lost = layer("Perdite", ["intero.png", "ridotto.png"], next_command="Gira", key="G")
            turned = facings(8, name="Punta")
            shelf.counter(Counter(name, "intero.png", (lost, turned)))
        shelf.counter(Counter("Attivato", "attivato.png"))
        for colour in ("rosso", "nero"):
            discs = ["disco1.png", "disco2.png", "disco3.png"]
            number = layer("Ordine", discs, next_command="+1", key="N")
            shelf.counter(Counter(f"Disco {colour}", "disco1.png", (number,)))
        made.dice("Dado", count=1, sides=6, report="$PlayerName$ tira $result$")
        return made


_TABLE = OthersTable(builder, PLUGIN, "drill", (BINDING, "stalingrado.yaml"))
module, binding = _TABLE.module, _TABLE.binding
bound, checked = _TABLE.bound, _TABLE.checked
