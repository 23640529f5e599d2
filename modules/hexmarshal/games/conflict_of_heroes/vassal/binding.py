"""How a rules program reads this module's pieces: written into the module as data."""

from __future__ import annotations

from typing import Any, Final

import yaml

from hexmarshal.games.conflict_of_heroes.art.sheet import BOXES, TRACKS, Track
from hexmarshal.games.conflict_of_heroes.source import firefight, firefights
from hexmarshal.games.conflict_of_heroes.vassal.pieces import DECKS, track_key
from hexmarshal.games.conflict_of_heroes.vassal.table import MAP

__all__ = ["ENTRY", "PHASES", "binding"]

ENTRY: Final = "hexmarshal/binding.yaml"
PHASES: Final = {"Pre-turn": "prep", "Actions": "play"}
"""The phases as the turn tracker shows them, with the rules' own names."""
_FACING: Final = {"property": "Facing_Facing", "first": 1}


def binding() -> bytes:
    """The facts, as YAML."""
    text = yaml.safe_dump(_facts(), sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


def _facts() -> dict[str, Any]:
    layered = {"spent": "Status", "active": "Active", "hasty": "Hasty", "stuck": "Stuck"}
    return {
        "format": "hexmarshal-binding/1",
        "game": "conflict_of_heroes",
        # The name of a hex begins with the key of its board.
        "board": {"map": MAP, "cells": "location"},
        "scenario": {"property": "Firefight", "titles": _titles()},
        "units": {"id": "UnitId", "type": "UnitType", "side": "UnitSide", "facing": dict(_FACING)},
        "flags": {flag: {"property": f"{layer}_Level", "is": 2} for flag, layer in layered.items()},
        "carried": {"property": "Aboard_Level", "is": 2, "by": "the vehicle below"},
        "in_works": {"property": "Works_Level", "is": 2, "of": "the works in the hex"},
        "hidden": {"trait": "invisible"},
        "markers": {
            "id": "MarkerId",
            "kind": "MarkerKind",
            "side": "MarkerSide",
            "facing": dict(_FACING),
            "hits": {"of": "the unit below", "known_to": "the side that masked it"},
            "smoke": {"points": {"property": "Smoke_Level", "1": 2, "2": 1}},
            "barrage": {"smoke": {"property": "Load_Level", "is": 2}},
            "cells": {"control": {"property": "Control_Level", "2": "german", "3": "soviet"}},
            "tracks": {
                track_key(kind, track.side): {"boxes": f"{track.name} *"}
                for track in TRACKS
                for kind in _kinds(track)
            },
        },
        "piles": {
            "hits-foot": {"deck": DECKS["foot"], "property": "MarkerKind"},
            "hits-vehicle": {"deck": DECKS["vehicle"], "property": "MarkerKind"},
            "deck": {"deck": DECKS["cards"], "property": "Card"},
            "discard": {"deck": DECKS["out"], "property": "Card"},
            "hand-german": {"map": "German hand", "property": "Card"},
            "hand-soviet": {"map": "Soviet hand", "property": "Card"},
        },
        "boxes": {"map": MAP, "zones": _zones()},
        "turn": {"tracker": "Turn", "turn": "Turn", "phase": "Phase", "phases": dict(PHASES)},
        "sides": {"German": "german", "Soviet": "soviet"},
        "dice": {"2d6": "2d6", "1d6": "1d6", "3d6": "3d6"},
    }


def _titles() -> dict[str, str]:
    return {firefight(k)["title"]: k for k in firefights() if firefight(k)["training"]}


def _kinds(track: Track) -> tuple[str, ...]:
    kind = track.name.rpartition(" ")[2].lower()
    return ("cap", "start") if kind == "cap" else (kind,)


def _zones() -> dict[str, str]:
    """Where units lie that are not on a board; the dead lie on the track of command points."""
    waiting = {b.name: "reinforcements" for b in BOXES if b.name.endswith("reinforcements")}
    dead = {f"{side.capitalize()} CAP": f"destroyed-{side}" for side in ("german", "soviet")}
    return {**waiting, **dead, "Exited": "exited"}
