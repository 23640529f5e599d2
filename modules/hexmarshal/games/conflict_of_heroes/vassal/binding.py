"""What a program needs to read a game of this module: which property says what."""

from __future__ import annotations

from typing import Any, Final

import yaml

from hexmarshal.games.conflict_of_heroes.art.sheet import BOXES, TRACKS
from hexmarshal.games.conflict_of_heroes.source import firefight, firefights
from hexmarshal.games.conflict_of_heroes.vassal.pieces import DECKS
from hexmarshal.games.conflict_of_heroes.vassal.table import MAP

__all__ = ["ENTRY", "binding"]

ENTRY: Final = "hexmarshal/binding.yaml"


def binding() -> bytes:
    """The binding as the module carries it."""
    facts: dict[str, Any] = {
        "format": "hexmarshal-binding/1",
        "game": "conflict_of_heroes",
        "map": MAP,
        "sides": {"German": "german", "Soviet": "soviet"},
        "scenario": {"property": "Firefight"},
        "setups": {
            firefight(key)["title"]: key for key in firefights() if firefight(key)["training"]
        },
        "turn": {"property": "Turn"},
        "phase": {"property": "Phase"},
        "kind": {"property": "Kind"},
        "units": {
            "kind": "unit",
            "id": {"property": "Unit"},
            "type": {"property": "Type"},
            "side": {"property": "Side"},
            "facing": {"property": "Facing_Facing", "first": 1},
            "flags": {
                "spent": {"property": "Status_Level", "equals": 2},
                "active": {"property": "Active_Level", "equals": 2},
                "hasty": {"property": "Hasty_Level", "equals": 2},
                "stuck": {"property": "Stuck_Level", "equals": 2},
            },
            "aboard": {"property": "Aboard_Level", "equals": 2, "of": "the vehicle below it"},
            "in_works": {"property": "Works_Level", "equals": 2, "of": "the works in its hex"},
            "hidden": "invisible to others",
        },
        "hits": {"kind": "hit", "type": {"property": "Type"}, "of": "the unit below it"},
        "markers": {
            "trench": {},
            "bunker": {"facing": {"property": "Facing_Facing", "first": 1}},
            "wire": {},
            "roadblock": {},
            "mines": {"hidden": "invisible to others"},
            "smoke": {"points": {"property": "Smoke_Level", "values": {1: 2, 2: 1}}},
            "barrage": {
                "side": {"property": "Side"},
                "smoke": {"property": "Load_Level", "equals": 2},
                "hidden": "invisible to others",
            },
            "control": {
                "side": {"property": "Control_Level", "values": {2: "german", 3: "soviet"}}
            },
        },
        "tracks": {
            _track(kind, track.side): {
                "piece": {"Kind": "track", "Type": kind, "Side": track.side},
                "boxes": f"{track.name} $value$",
            }
            for track in TRACKS
            for kind in _kinds(track.name)
        },
        "piles": {
            "hits-foot": {"deck": DECKS["foot"]},
            "hits-vehicle": {"deck": DECKS["vehicle"]},
            "deck": {"deck": DECKS["cards"]},
            "discard": {"deck": DECKS["out"]},
            "hand-german": {"map": "German hand"},
            "hand-soviet": {"map": "Soviet hand"},
        },
        "boxes": {
            **{box.name: box.name.lower().replace(" ", "-") for box in BOXES},
            "German CAP": "destroyed-german",
            "Soviet CAP": "destroyed-soviet",
        },
    }
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=100).encode()


def _kinds(name: str) -> tuple[str, ...]:
    kind = name.rpartition(" ")[2].lower()
    return ("cap", "start") if kind == "cap" else (kind,)


def _track(kind: str, side: str) -> str:
    if not side:
        return kind
    return f"cap-start-{side}" if kind == "start" else f"{kind}-{side}"
