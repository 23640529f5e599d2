"""How a rules program reads this module's pieces: written into the module as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from hexmarshal.games.kharkov.art.boxes import BOXES, TURNS
from hexmarshal.games.kharkov.vassal import orders

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.vassal.catalogue import Catalogue

__all__ = ["BINDING", "MAIN_MAP", "PHASES", "binding"]

BINDING = "hexmarshal/binding.yaml"
MAIN_MAP = "Kharkov"
# The phases of KHA-4.2 as the turn tracker shows them, with the rules' own names; the removal of
# disruption and the tally are no phases to the rules, they just happen.
PHASES: dict[str, str] = {
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


def binding(catalogue: Catalogue, board: str) -> bytes:
    """The facts, as YAML."""
    text = yaml.safe_dump(_facts(catalogue, board), sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def _facts(catalogue: Catalogue, board: str) -> dict[str, Any]:
    layered = {"disrupted": "Disrupted", "unsupplied": "Unsupplied", "displaced": "Displaced"}
    flags: dict[str, Any] = {
        flag: {"property": f"{layer}_Level", "is": 2}
        for flag, layer in {**layered, "strongpoint": "Strongpoint"}.items()
    }
    return {
        "format": "hexmarshal-binding/1",
        "game": "kharkov",
        "board": {"map": MAIN_MAP, "board": board, "cells": "location"},
        "units": {"id": "UnitId", "type": "UnitType", "side": "UnitSide"},
        # A unit has lost as many steps as its layer stands above the first level.
        "steps": {"property": "Step_Level", "first": 1},
        "flags": {
            "moved": {"property": "Moved", "is": "true"},
            "inactive": {"property": "Active_Level", "is": 1},
            **flags,
        },
        "values": {
            "ladder": {
                "regiment": {"property": "Strength_Level", "1": ["2-8"], "2": ["1-8"]},
                **{pool: _faces(catalogue, pool) for pool in catalogue.pools},
            }
        },
        "hidden": {pool: {"property": "Face", "is": 0} for pool in catalogue.pools},
        "piles": {
            **{f"pool-{p}": _pile(orders.deck_name(p)) for p in catalogue.pools},
            "replacements": _pile(orders.deck_name("replacements")),
        },
        "boxes": {"map": orders.BOXES_MAP, "zones": _zones()},
        "markers": {
            "kind": "MarkerKind",
            "tracks": {
                "air-axis": {"count": "air-axis", "in": "Axis air"},
                "air-soviet": {"count": "air-soviet", "in": "Soviet air"},
                "vp-axis": {"tens": "vp-axis-10", "ones": "vp-axis-1", "zones": "Points"},
                "vp-soviet": {"tens": "vp-soviet-10", "ones": "vp-soviet-1", "zones": "Points"},
            },
            "cells": {
                "garrison-destroyed": {"garrison": 0},
                "held-axis": {"holder": "axis"},
                "held-soviet": {"holder": "soviet", "soviet": True},
                "air-supply": {"marker": "air_supply"},
            },
        },
        "turn": {
            "tracker": "Turn",
            "turn": "Turn",
            "phase": "Phase",
            "phases": {shown: key for shown, key in PHASES.items() if key},
        },
        "sides": {"Axis": "axis", "Soviet": "soviet"},
        "dice": {"1d6": "1d6"},
    }


def _faces(catalogue: Catalogue, pool: str) -> dict[str, Any]:
    """A drawn face, by its number: what it is worth, and its type where that is not the pool's."""
    listed: dict[str, Any] = {"property": "Face"}
    for number, value in enumerate((*catalogue.values(pool), *catalogue.second_steps), 1):
        kind, _, printed = value.rpartition(" ")
        listed[str(number)] = {"type": kind, "ladder": [printed]} if kind else [printed]
    return listed


def _pile(deck: str) -> dict[str, str]:
    return {"deck": deck, "property": "Value"}


def _zones() -> dict[str, Any]:
    zones: dict[str, Any] = {
        f"Reserve {army}": f"reserve-{army}" for army in ("28", "6", "57", "9")
    }
    for turn in range(1, TURNS + 1):
        for side in ("Axis", "Soviet"):
            zones[f"{side} arrivals {turn}"] = {"box": "arrivals", "values": {"turn": turn}}
    zones |= {
        "Regiments": "regiments",
        "Broken down": "broken-down",
        "Axis losses": "eliminated",
        "Soviet losses": "eliminated",
    }
    return {zone: zones[zone] for zone in BOXES if zone in zones}
