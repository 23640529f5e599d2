"""The counters and markers of the module, and what each of them shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.traces_of_war.art import counters, tokens
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, SOVIET
from hexmarshal.games.traces_of_war.state.situation import (
    BRIDGEHEAD,
    ISOLATED,
    ORDER,
    OUT_OF_SUPPLY,
)
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.kit.module import MarkerPiece, Sides, UnitPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.traces_of_war.plugin import TracesOfWar

__all__ = ["markers", "units"]

_SUPPLY: Final = Sides(
    "Supply",
    ("", tokens.OUT_OF_SUPPLY, tokens.ISOLATED),
    ({}, {"flags": [OUT_OF_SUPPLY]}, {"flags": [ISOLATED]}),
    key="S",
    menu="Supplied, out of supply, isolated",
    words=("supplied", "out of supply", "isolated"),
)
_PANELS: Final = {
    "PR": "Axis reinforcements",
    "IR": "Axis reinforcements",
    "AR": "Axis reinforcements",
}


def units(plugin: TracesOfWar) -> tuple[UnitPiece, ...]:
    """Every counter of the data, with both sides of it."""
    rows = plugin.data.read("counters.yaml", "counters")["counters"]
    for scenario in plugin.data.names("scenarios/*.yaml"):
        rows = {**rows, **plugin.data.read(scenario, "scenario").get("counters", {})}
    return tuple(_unit(name, row) for name, row in rows.items())


def _unit(name: str, row: Mapping[str, Any]) -> UnitPiece:
    side = SOVIET if row["nation"] in ("soviet", "guards") else AXIS
    # A number alone, such as stands on most counters, tells nobody what it is.
    kind = "" if row["type"] == HQ else f" {row['type'].replace('_', ' ')}"
    return UnitPiece(
        type=row["type"],
        side=side,
        id=name,
        name=f"{row.get('title') or row['name']}{kind}",
        faces=counters.faces(row),
        sides=tuple(_sides(row)),
        panel=_panel(side, row),
        kind_name="Headquarters" if row["type"] == HQ else "",
        known={"Nation": str(row["nation"]).capitalize()},
    )


def _panel(side: str, row: Mapping[str, Any]) -> str:
    if "arrival" in row:
        return "Soviet reinforcements"
    if "category" in row:
        return _PANELS[row["category"]]
    return "Headquarters" if row["type"] == HQ else "Soviet" if side == SOVIET else "Axis"


def _sides(row: Mapping[str, Any]) -> Iterator[Sides]:
    if row["type"] != HQ:
        yield _SUPPLY
    elif "ukrainian" in row:
        other = row["ukrainian"]
        kept = {key: other[key] for key in ("name", "ladder", "radius") if key in other}
        own = {key: row[key] for key in kept}
        means = ({"values": {**own, "ukrainian": kept}}, {"values": {**kept, "ukrainian": None}})
        # The cases of each headquarters are its own, and so is the property.
        name = f"Front{row['name']}"
        svgs = ("", counters.ukrainian(row))
        words = (str(row.get("title") or row["name"]), str(other.get("title") or other["name"]))
        menu = "Front or Ukrainian Front"
        yield Sides(name, svgs, means, key="F", menu=menu, words=words)


def markers() -> tuple[MarkerPiece, ...]:
    """The markers of the map."""
    return (
        # They are of a hex, whoever comes and goes there.
        MarkerPiece(
            kind=ORDER,
            name="Supreme Command order",
            faces=(tokens.ORDER,),
            lies="over",
            offset=(0, (tokens.ORDER_HIGH - SIZE) // 2),
        ),
        MarkerPiece(
            kind=BRIDGEHEAD,
            name="Airborne bridgehead",
            faces=(tokens.bridgehead(),),
            side=SOVIET,
            lies="under",
        ),
        *(
            MarkerPiece(
                kind=f"held-{side}",
                name=f"{side.capitalize()} control",
                faces=(tokens.CONTROL[side],),
                cell={"control": side},
                lies="under",
                size=40,
            )
            for side in (SOVIET, AXIS)
        ),
        MarkerPiece(
            kind="crossed",
            name="Soviet crossing point",
            faces=(tokens.CROSSING,),
            cell={"crossing": SOVIET},
            lies="under",
            size=40,
        ),
    )
