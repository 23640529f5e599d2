"""How the module's pieces show what the rules know: the binding that the module carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.kharkov.module import orders
from hexmarshal.kit.module.binding_facts import dumped, kind
from hexmarshal.table.binding import FORMAT

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.module.pieces import Catalogue

__all__ = ["DRAGS", "MAIN_MAP", "PHASES", "SPOKEN", "binding"]

MAIN_MAP: Final = "Kharkov"
# The phases (KHA-4.2.A1 to KHA-4.2.B5) as the turn tracker shows them, with the rules' own names;
# the removal of disruption and the tally are no phases to the rules, they just happen.
PHASES: Final = {
    "A1 Soviet reserve commitment": "reserve_commitment",
    "A2 Soviet movement": "soviet_movement",
    "A3 Soviet combat": "soviet_combat",
    "A4 Soviet disruption": "",
    "B1 Axis initial movement": "axis_movement",
    "B2 Axis combat": "axis_combat",
    "B3 Axis mechanised movement": "mechanised_movement",
    "B4 Axis disruption": "",
    "B5 Axis air support": "air_support",
    "C End of turn": "",
}
_BOXES: Final = {
    "Reserve (?P<army>[0-9]+)": "reserve-{army}",
    "Regiments": "regiments",
    "Broken down": "broken-down",
    "(Axis|Soviet) losses": "eliminated",
}
DRAGS: Final = (
    "move", "enter", "rail", "disengage", "overrun", "retreat", "advance", "commit", "displace",
    "deploy",
)  # fmt: skip
SPOKEN: Final = {"overrun", "disengage"}
"""Drags that look like others: they can be said, too."""


def binding(catalogue: Catalogue, board: str, key: str) -> bytes:
    """The binding, as YAML; `board` is called `key` by the rules."""
    return dumped(_facts(catalogue, board, key))


def _facts(catalogue: Catalogue, board: str, key: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": "kharkov",
        "module": board,
        "map": {"name": MAIN_MAP, "cells": "[0-9]{4}", "boards": {board: key}},
        "boxes": _boxes(),
        "units": [
            {
                "match": {"property": {"UnitId": ".+"}},
                "id": "{UnitId}",
                "type": "{UnitType}",
                "side": "{UnitSide}",
            }
        ],
        "signs": [*_signs(), *(_faces(catalogue, pool) for pool in catalogue.pools)],
        "markers": _markers(),
        "tracks": _tracks(),
        "piles": [
            {"pile": pile, "deck": orders.deck_name(pool), "card": "{Value}"}
            for pile, pool in (
                *((f"pool-{pool}", pool) for pool in catalogue.pools),
                ("replacements", "replacements"),
            )
        ],
        "turn": {
            "tracker": "Turn",
            "turn": "Turn",
            "levels": ["Phase"],
            "phases": {shown: {"phase": key} if key else None for shown, key in PHASES.items()},
            "marker": {**kind("game-turn"), "map": orders.BOXES_MAP, "at": "Turn (?P<n>[0-9]+)"},
        },
        "sides": {"Axis": "axis", "Soviet": "soviet"},
        "dice": [{"button": "1d6", "sides": 6}],
        "drags": list(DRAGS),
    }


def _boxes() -> list[dict[str, Any]]:
    arrivals: dict[str, Any] = {
        "at": "(Axis|Soviet) arrivals (?P<turn>[0-9]+)",
        "box": "arrivals",
        "values": {"turn": "{turn}"},
    }
    rows = [arrivals, *({"at": at, "box": box} for at, box in _BOXES.items())]
    return [{"map": orders.BOXES_MAP, **row} for row in rows]


def _signs() -> list[dict[str, Any]]:
    def flag(layer: str, name: str, level: str = "2", **more: Any) -> dict[str, Any]:  # noqa: ANN401
        return {"property": f"{layer}_Level", "cases": {level: {"flags": [name]}}, **more}

    return [
        {"property": "Step_Level", "steps": "down"},
        {
            "property": "Strength_Level",
            # A regiment in its box has no strength yet; its counter shows the better one.
            "cases": {
                "1": [{"values": {"ladder": ["2-8"]}}, {}],
                "2": {"values": {"ladder": ["1-8"]}},
            },
        },
        flag("Active", "inactive", "1", aid=True),
        flag("Displaced", "displaced"),
        flag("Disrupted", "disrupted"),
        flag("Strongpoint", "strongpoint"),
        flag("Unsupplied", "unsupplied", aid=True),
        {"property": "Moved", "cases": {"true": {"flags": ["moved"]}}, "aid": True},
    ]


def _faces(catalogue: Catalogue, pool: str) -> dict[str, Any]:
    """What a drawn face tells, by its number; face 0 is not drawn yet, and nobody sees it."""
    cases: dict[str, Any] = {"0": {"also": {"Obscured": "true"}}}
    own = catalogue.values(pool)
    for number, value in enumerate((*own, *catalogue.second_steps), 1):
        kind, _, printed = value.rpartition(" ")
        strong = number <= len(own) and int(printed.split("-")[1]) >= catalogue.strong
        meaning: dict[str, Any] = {
            "steps": 2 if strong else 1,
            "values": {"ladder": [printed]},
            "also": {"Obscured": "false"},
        }
        cases[str(number)] = {"type": kind, **meaning} if kind else meaning
    return {"property": "Face", "of": {"property": {"UnitType": pool}}, "cases": cases}


def _markers() -> list[dict[str, Any]]:
    return [
        {**kind("garrison-destroyed"), "cell": {"garrison": 0}},
        # It was theirs before, unless the other marker lies there.
        {**kind("held-axis"), "cell": {"holder": "axis"}, "aid": True},
        {**kind("held-soviet"), "cell": {"holder": "soviet", "soviet": True}},
        {**kind("air-supply"), "kind": "air_supply", "side": "axis"},
        {
            "match": {"property": {"MarkerKind": "game-turn|south-active|air-.+|vp-.+"}},
            "nothing": True,
        },
    ]


def _tracks() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for side in ("axis", "soviet"):
        at = {"map": orders.BOXES_MAP, "at": f"{side.capitalize()} air (?P<n>[0-9])"}
        found.append({"track": f"air-{side}", "digits": [{**kind(f"air-{side}"), **at}]})
        where = {"map": orders.BOXES_MAP, "at": "Points (?P<n>[0-9])"}
        digits = [{**kind(f"vp-{side}-{worth}"), **where} for worth in (10, 1)]
        found.append({"track": f"vp-{side}", "digits": digits})
    return found
