"""How the module's pieces show what the rules know: the binding that the module carries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS
from hexmarshal.games.conflict_of_heroes.module.maps import MAP, board_name, hand_name
from hexmarshal.games.conflict_of_heroes.module.pieces import DECKS
from hexmarshal.games.conflict_of_heroes.module.tracks import track_key
from hexmarshal.kit.module.binding_facts import dumped
from hexmarshal.table.binding import FORMAT

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
    from hexmarshal.games.conflict_of_heroes.state.tables import Tables

__all__ = ["DRAGS", "PHASES", "binding"]

PHASES: Final = {"Pre-turn": "prep", "Actions": "play"}
"""The phases as the turn tracker shows them, with the rules' own names."""
DRAGS: Final = ("move",)
_FLAGS: Final = {
    "spent": "Status",
    "hasty": "Hasty",
    "stuck": "Stuck",
    "bogged": "Bogged",
}
_ACTIVE: Final = "Active"
_FORTS: Final = "trench|bunker"


def binding(name: str, plugin: ConflictOfHeroes) -> bytes:
    """The binding of the module of this name, as YAML."""
    return dumped(_facts(name, plugin))


def _facts(name: str, plugin: ConflictOfHeroes) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": "conflict_of_heroes",
        "module": name,
        "scenario": {"property": "Firefight"},
        "map": {
            "name": MAP,
            "cells": "[0-9]+-[A-Z][0-9]{2}",
            "boards": {board_name(key): key for key in plugin.boards.keys},
        },
        "boxes": _boxes(),
        "units": [
            {
                "match": {"property": {"UnitType": ".+"}},
                "id": "{UnitId}",
                "type": "{UnitType}",
                "side": "{UnitSide}",
            }
        ],
        "signs": _signs(plugin.tables),
        "ties": [
            {"of": {"property": {"Aboard_Level": "2"}}, "carrier": "below"},
            {"of": {"property": {"Works_Level": "2"}}, "value": "fort", "marker": _FORTS},
        ],
        "markers": _markers(plugin.tables),
        "tracks": _tracks(),
        "piles": _piles(),
        "turn": {
            "tracker": "Turn",
            "turn": "Turn",
            "levels": ["Phase"],
            "phases": {shown: {"phase": key} for shown, key in PHASES.items()},
            "marker": _at("turn", "Turn (?P<n>[0-9]+)"),
            "advance": "pass",
        },
        "active": _at("go", "(?P<seat>.+) to act"),
        "sides": {seat: side for side, seat in SEATS.items()},
        "dice": [{"button": f"{count}d6", "sides": 6} for count in (1, 2, 3)],
        "drags": list(DRAGS),
    }


def _boxes() -> list[dict[str, Any]]:
    found = [{"map": MAP, "at": f"({'|'.join(SEATS.values())}) reinforcements"}]
    found[0]["box"] = "reinforcements"
    for side, seat in SEATS.items():
        found.append({"map": MAP, "at": f"{seat} losses", "box": f"destroyed-{side}"})
    return [*found, {"map": MAP, "at": "Exited", "box": "exited"}]


def _signs(tables: Tables) -> list[dict[str, Any]]:
    flags = [
        {"property": f"{layer}_Level", "cases": {"2": {"flags": [flag]}}}
        for flag, layer in _FLAGS.items()
    ]
    spent = f"{_FLAGS['spent']}_Level"
    # Who is spent is active no more, whatever sign was left on the counter.
    fresh_side, spent_side = ({"property": {spent: level}} for level in "12")
    active = {
        "property": f"{_ACTIVE}_Level",
        "cases": {"2": {"flags": ["active"]}},
        "of": fresh_side,
        # COH-9.0a: who shares the activation of another seldom bears the sign as well.
        "shared": True,
    }
    not_active = {"property": spent, "cases": {"1": {"flags": ["active"]}}, "of": spent_side}
    # Who is hidden, aboard or off the map looks nowhere; the arrow then means nothing.
    seen = {"property": {"Invisible": "false", "Aboard_Level": "1"}}
    return [
        {"property": "Invisible", "cases": {"true": {"seen_by": "own"}}},
        active,
        *flags,
        not_active,
        {"property": "Facing_Facing", "facing": 1, "of": seen, "on_map": True},
        {"property": "Facing_Facing", "facing": 1, "of": {"property": {"MarkerKind": "bunker"}}},
        {"property": "Weapon", "value": "weapon"},
        {"property": "Arrives", "value": "arrives"},
        {"property": "Entry", "value": "entry", "list": True},
        {"property": "StuckIn", "value": "stuck_in"},
        {
            "property": "Obscured",
            "of": {"property": {"MarkerKind": _any(tables.hits)}},
            "cases": {"true": {"known_to": "own", "face": "hit"}, "false": {}},
        },
        {
            "property": "Smoke_Level",
            "cases": {"1": {"values": {"points": 2}}, "2": {"values": {"points": 1}}},
        },
        {
            "property": "Load_Level",
            "cases": {"1": {"values": {"smoke": False}}, "2": {"values": {"smoke": True}}},
        },
        {"property": "Battery", "value": "card"},
        {"property": "Falls", "value": "turn"},
    ]


def _any(keys: Any) -> str:  # noqa: ANN401 - whatever has keys
    return "|".join(keys)


def _markers(tables: Tables) -> list[dict[str, Any]]:
    lying = _any((*tables.works, "smoke", "barrage", "coin"))
    flags = {"1": "", "2": "german", "3": "soviet"}
    return [
        {
            "match": {"property": {"MarkerKind": _any(tables.hits)}},
            "kind": "{MarkerKind}",
            "on": "unit",
            "id": "hit-{unit}",
            "side": "{unit side}",
        },
        {
            "match": {"property": {"MarkerKind": "smoke"}},
            "kind": "smoke",
            "id": "{MarkerId}",
        },
        {
            "match": {"property": {"MarkerKind": lying}},
            "kind": "{MarkerKind}",
            "id": "{MarkerId}",
            "side": "{MarkerSide}",
        },
        *(
            {
                "match": {"property": {"MarkerKind": "control", "Control_Level": level}},
                "cell": {"control": side},
            }
            for level, side in flags.items()
        ),
        {
            "match": {"property": {"MarkerKind": "turn|go|(ap|cap|cap-start|vp)-.+"}},
            "nothing": True,
        },
        {"match": {"property": {"Card": ".+"}}, "nothing": True},
    ]


def _at(kind: str, places: str) -> dict[str, Any]:
    return {"match": {"property": {"MarkerKind": kind}}, "map": MAP, "at": places}


def _tracks() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for side, seat in SEATS.items():
        for kind, row in (("ap", "AP"), ("cap", "CAP"), ("start", "CAP"), ("vp", "VP")):
            name = track_key(kind, side)
            found.append({"track": name, "digits": [_at(name, f"{seat} {row} (?P<n>[0-9]+)")]})
        lost = {"property": {"UnitSide": side, "Worth": "command"}}
        where = {"match": lost, "map": MAP, "at": f"{seat} losses"}
        found.append({"track": f"losses-{side}", "count": where})
    return found


def _piles() -> list[dict[str, Any]]:
    found = [
        {"pile": f"hits-{pool}", "deck": DECKS[pool], "card": "{MarkerKind}", "mixed": True}
        for pool in ("foot", "vehicle")
    ]
    found.append({"pile": "deck", "deck": DECKS["cards"], "card": "{Card}", "mixed": True})
    found.append({"pile": "discard", "deck": DECKS["out"], "card": "{Card}"})
    for side in SEATS:
        for pile, place in (("hand", "Hand"), ("artillery", "Battery")):
            at = f"{place} (?P<n>[0-9]+)"
            on = {"map": hand_name(side), "at": at, "card": "{Card}", "mixed": True}
            found.append({"pile": f"{pile}-{side}", **on})
    return found
