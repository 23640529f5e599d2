"""Conflict of Heroes as a stranger would have made it: columns first, and next to nothing to tell.

The grid is numbered 1304 where the rules say 1-D13; counters are known by their names; hits are a
layer of the unit's own counter; there is no turn tracker, no track for action points, no card and
no marker for whose go it is.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from game_table import OthersTable, blank

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.kit.ground.land import Land
from hexmarshal.kit.module import pictures
from hexmarshal.vassal.builder import Counter, ModuleBuilder, facings, hex_grid, layer, zoned

PLUGIN = ConflictOfHeroes()
NAMES: Final = (
    "Schütze 1", "Schütze 2", "Schütze 3", "MG34 leicht", "MG34 schwer", "Pioniere",
    "Strelki 1", "Strelki 2", "Maxim", "PPSh", "Strelki 5",
)  # fmt: skip
HITS: Final = (
    "suppressed", "pinned", "panicked", "stunned", "weakened", "cowering", "berserk", "kia"
)  # fmt: skip
HIT: Final = """\
  - match: {{property: {{Treffer_Level: "{level}"}}}}
    kind: foot-{kind}
    "on": itself
    id: "hit-{{unit}}"
    side: "{{unit side}}"
"""
TEMPLATE: Final = """\
format: hexmarshal-binding/1
game: conflict_of_heroes
module: Storms of Steel
map:
  name: Schlachtfeld
  boards: {Plan 1: "1"}
  same: {"0101": 1-A01, "1501": 1-A15, "0108": 1-H01}
boxes:
  - {map: Ablage, at: Tote Deutsche, box: destroyed-german}
  - {map: Ablage, at: Tote Russen, box: destroyed-soviet}
  - {map: Ablage, at: Reserve, box: reinforcements}
units:
  - {match: {name: "Schütze (?P<n>[0-9])"}, id: "g{n}", type: german_rifles_41, side: german}
  - {match: {name: "MG34 leicht"}, id: g4, type: german_lmg_34, side: german}
  - {match: {name: "MG34 schwer"}, id: g5, type: german_hmg_34, side: german}
  - {match: {name: "Pioniere"}, id: g6, type: german_engineers, side: german}
  - {match: {name: "Strelki (?P<n>[0-9])"}, id: "s{n}", type: soviet_rifles_41, side: soviet}
  - {match: {name: "Maxim"}, id: s3, type: soviet_maxim, side: soviet}
  - {match: {name: "PPSh"}, id: s4, type: soviet_smg, side: soviet}
signs:
  - {property: Blick_Facing, facing: 1, on_map: true}
  - {property: Benutzt_Level, cases: {"2": {flags: [spent]}}}
markers:
  - {match: {name: Graben}, kind: trench, id: trench, side: soviet}
HITS
sides: {Wehrmacht: german, RKKA: soviet}
dice:
  - {button: 2W6, sides: 6}
drags: [move]
advance: pass
"""
BINDING: Final = TEMPLATE.replace(
    "HITS\n", "".join(HIT.format(level=n, kind=kind) for n, kind in enumerate(HITS, 2))
)


def _sheet(wide: int, high: int) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"/>'


@cache
def builder() -> ModuleBuilder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "pixels", blank)
        made = ModuleBuilder("Storms of Steel", version="0.9")
        made.sides("Wehrmacht", "RKKA")
        drawn = pictures.Pictures(made)
        size = Land(PLUGIN.boards["1"].map).size
        grid = hex_grid(
            width=62.35,
            height=72,
            origin=(42, 36),
            numbering={"hOff": "1", "vOff": "1"},
        )
        plan = drawn.add("plan", _sheet(*map(round, size)))
        made.map("Schlachtfeld", main=True).board("Plan 1", image=plan, grid=grid)
        names = ("Tote Deutsche", "Tote Russen", "Reserve")
        zones = [
            (n, [(0, 80 * i), (600, 80 * i), (600, 80 * i + 78), (0, 80 * i + 78)], None)
            for i, n in enumerate(names)
        ]
        made.map("Ablage").board("Ablage", size=(600, 400), grid=zoned(zones))
        for image in ("stein", "benutzt", "graben", *HITS):
            drawn.add(image, _sheet(48, 48))
        shelf = made.palette("Steine").list("Alle")
        used = layer("Benutzt", ["", "benutzt.png"], next_command="Benutzt", key="U")
        hits = layer(
            "Treffer", ["", *(f"{hit}.png" for hit in HITS)], next_command="Treffer", key="H"
        )
        for name in NAMES:
            shelf.counter(Counter(name, "stein.png", (facings(6, name="Blick"), used, hits)))
        shelf.counter(Counter("Graben", "graben.png"))
        made.dice("2W6", count=2, sides=6, report="$PlayerName$ wirft $result$")
        return made


_TABLE = OthersTable(builder, PLUGIN, "first_steps", (BINDING, "steel.yaml"))
module, binding = _TABLE.module, _TABLE.binding
bound, checked = _TABLE.bound, _TABLE.checked
