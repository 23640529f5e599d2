"""What VASL and its players write into the chat: dice with their kind, the turn track, fire."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "CheckCall",
    "FireCall",
    "PhaseCall",
    "VaslRoll",
    "check_call",
    "fire_call",
    "phase_call",
    "vasl_roll",
]

_ROLL: Final = re.compile(
    r"\*{2,3}\s*\((?P<kind>[^()]*?)\s*(?P<size>DR|dr)\)\s*(?P<dice>\d(?:\s*,\s*\d)*)\s*\*{3}"
    r"\s*<(?P<player>[^<>]*)>.*",
    re.DOTALL,
)
_OTHER: Final = re.compile(
    r"\*{2,3}\s*(?P<kind>\d+d6)\s*=\s*(?P<dice>\d(?:\s*,\s*\d)*)\s*\*{3}\s*<(?P<player>[^<>]*)>.*",
    re.DOTALL,
)
_PHASE: Final = re.compile(
    r"\W*(?:New:\s*)?(?P<side>Axis|Allied|Allies)\s+Turn\s+(?P<turn>\d+)\s*-\s*(?P<phase>\w+)\W*"
)
_HEX: Final = r"(?:bd)?[0-9A-Za-z]*?:?[A-Za-z]{1,2}\d{1,2}"
_FIRE: Final = re.compile(
    rf"\b(?P<start>{_HEX})\s*(?:/\s*(?P<from_level>\d))?\s*"
    r"(?:prep[- ]?fires?|def(?:ensive)?[- ]?fires?|fires?|fire|firing|shoots?|shooting|attacks?)"
    rf"\s*(?:at|on|to|into|upon|->|=>|vs\.?|against)?\s*(?P<end>{_HEX})"
    r"\s*(?:/\s*(?P<to_level>\d))?\b",
    re.IGNORECASE,
)
_WHAT: Final = (
    r"(?P<what>[1-4]?MCs?|NMC|PTC|TC|rall(?:y|ies|ying)|self[- ]rall(?:y|ies)"
    r"|CC|close combat|melee)"
)
_AT: Final = rf"(?P<cell>{_HEX})(?: ?/ ?(?P<level>\d))?"
_CHECK: Final = (
    re.compile(
        rf"\b{_WHAT}\b(?: (?:DR|roll|check|for|in|at|of|by|the|my|a|unit))* {_AT}\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{_AT} ?:? (?:(?:takes|rolls|tries|attempts|to|a|the|its|in) )*{_WHAT}\b",
        re.IGNORECASE,
    ),
)
_KINDS: Final = {
    "rall": "Rally DR",
    "self": "Rally DR",
    "cc": "CC DR",
    "clos": "CC DR",
    "mele": "CC DR",
}
_ROLL_LONGEST: Final = 1000
_LONGEST: Final = 400
"""What is said of fire or of a check is said within so many characters."""
_PHASES: Final = {
    "RPH": "rally",
    "PFPH": "prep_fire",
    "MPH": "movement",
    "DFPH": "defensive_fire",
    "AFPH": "advancing_fire",
    "RTPH": "rout",
    "APH": "advance",
    "CCPH": "close_combat",
}


class VaslRoll(NamedTuple):
    """A roll as VASL reports it: `IFT DR`, `MC DR`, `RS dr`, ..."""

    kind: str
    dice: tuple[int, ...]
    player: str


class PhaseCall(NamedTuple):
    """The turn track was turned: whose player turn, which turn and phase."""

    camp: str
    turn: int
    phase: str


class FireCall(NamedTuple):
    """Somebody said which hex fires at which."""

    start: str
    end: str
    from_level: int | None
    to_level: int | None


class CheckCall(NamedTuple):
    """Somebody said for whom he rolls: a check, a rally or close combat in a hex."""

    kind: str
    """The kind of VASL's roll: `MC DR`, `TC DR`, `Rally DR` or `CC DR`."""
    number: int | None
    """Of a morale check: what is added; None if it was not said."""
    cell: str
    level: int | None


def vasl_roll(text: str) -> VaslRoll | None:
    """The roll that a line of the chat reports."""
    text = text[:_ROLL_LONGEST].strip()
    found = _ROLL.match(text)
    if found is not None:
        kind = f"{found['kind']} {found['size']}".strip()
    else:
        found = _OTHER.match(text)
        if found is None:
            return None
        kind = found["kind"]
    return VaslRoll(kind, _numbers(found["dice"].split(",")), found["player"].strip())


def phase_call(text: str) -> PhaseCall | None:
    """The phase that a line of the chat announces."""
    found = _PHASE.search(_short(text))
    phase = _PHASES.get(found["phase"].upper()) if found is not None else None
    if found is None or phase is None:
        return None
    camp = "axis" if found["side"] == "Axis" else "allied"
    return PhaseCall(camp, int(found["turn"]), phase)


def fire_call(text: str) -> FireCall | None:
    """Who fires at whom, if a line says so by hexes."""
    found = _FIRE.search(_short(text))
    if found is None:
        return None
    levels = [int(found[part]) if found[part] else None for part in ("from_level", "to_level")]
    return FireCall(found["start"], found["end"], levels[0], levels[1])


def check_call(text: str) -> CheckCall | None:
    """For whom somebody rolls, if a line says so by a hex: `1MC K5`, `K5 rallies`, `CC in K5`."""
    text = _short(text)
    found = next((f for pattern in _CHECK if (f := pattern.search(text)) is not None), None)
    if found is None:
        return None
    what = found["what"].lower()
    level = int(found["level"]) if found["level"] else None
    if what.rstrip("s").endswith("mc"):
        first = what[0]
        number = int(first) if first.isdigit() else 0 if first == "n" else None
        return CheckCall("MC DR", number, found["cell"], level)
    kind = "TC DR" if what in ("ptc", "tc") else _KINDS[what[:4]]
    return CheckCall(kind, None, found["cell"], level)


def _short(text: str) -> str:
    """The beginning of a line with single blanks: nothing longer is looked through."""
    return " ".join(text[:_LONGEST].split())


def _numbers(words: Iterable[str]) -> tuple[int, ...]:
    return tuple(int(word) for word in words)
