"""The part of a draft that tells counters: which units they are, by their names and numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml

from hexmarshal.errors.counts import counted
from hexmarshal.table.binding.draft_names import best, sides_named, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.rules.plugin import Game
    from hexmarshal.table.binding.known_units import KnownUnits
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Slot", "draft_units", "dump"]

_LISTED: Final = 400
_PLACEHOLDER: Final = "UnitId"
_SPECIAL: Final = re.compile(r"([.^$*+?{}\[\]|()\\])")
# So many units that a name may mean are listed.
_NAMED: Final = 4


class Slot(NamedTuple):
    """A counter of a palette; its piece has lost the names of its prototypes."""

    gpid: str
    name: str
    piece: Piece
    prototypes: tuple[str, ...]


class _Drafted:
    """Rules for units, and what is left; of counters that are named alike the first counts."""

    def __init__(self) -> None:
        self.by_name: list[dict[str, Any]] = []
        # Counters of one type and side are one rule; what has no name is told by its number.
        self.by_gpid: dict[tuple[str, str, str], list[str]] = {}
        self.alike: dict[tuple[str, str], list[str]] = {}
        self.unknown: list[str] = []


def draft_units(
    pieces: Sequence[Slot], marked: Sequence[str], game: Game, known: KnownUnits
) -> list[str]:
    """The lines of a draft; `marked` are the properties that pieces are marked with."""
    lines = []
    if marked:
        lines.append(f"# marker properties of the pieces: {', '.join(marked)}")
    if all(name in marked for name in ("UnitId", "UnitType", "UnitSide")):
        return [*lines, *dump({"units": [_by_property()]})]
    drafted = _sorted(pieces, game, known)
    rules = [
        {"match": {"gpid": gpids}, "id": own, "type": kind, "side": side}
        for (own, kind, side), gpids in drafted.by_gpid.items()
    ]
    if rules:
        lines.append("# ? by their names these are units; ids must be those of the scenario")
    if drafted.by_name:
        many = counted(len(drafted.by_name), "counter is a unit", "counters are units")
        lines.append(f"# ? {many} by name and number: look whether they are those")
    if drafted.alike:
        lines.append(
            "# ? `{any}`: any unit of its type and side, told by where it lies; where names or"
        )
        lines.append("#   numbers tell which one it is, let `id` say it")
    if not (rules or drafted.by_name or drafted.alike):
        lines.append("# ? no piece could be told by its name; mark pieces, or list them here")
        rules = [_by_property()]
    lines += dump({"units": rules}) if rules else ["units:"]
    lines += map(_in_a_line, drafted.by_name)
    lines += (
        _in_a_line({"match": {"name": "|".join(names)}, "id": "{any}", "type": kind, "side": side})
        for (kind, side), names in drafted.alike.items()
    )
    if drafted.unknown:
        many = counted(len(drafted.unknown), "counter is", "counters are")
        lines.append(f"# ? {many} neither, as far as names tell:")
        lines += [f"#   {' '.join(one.split())}" for one in drafted.unknown[:_LISTED]]
    return lines


def _by_property() -> dict[str, Any]:
    match = {"property": {_PLACEHOLDER: ".+"}}
    return {"match": match, "id": "{UnitId}", "type": "{UnitType}", "side": "{UnitSide}"}


def _sorted(pieces: Sequence[Slot], game: Game, known: KnownUnits) -> _Drafted:
    """Each counter where it belongs."""
    drafted = _Drafted()
    sides = sides_named(game)
    meant = []
    for slot in pieces:
        told = words(f"{slot.name} {' '.join(slot.prototypes)}")
        side = best(told, sides)
        own_types = [t for t in game.unit_types if side in ("", t.side) or not t.side]
        kind = best(told, ((t.key, f"{t.key} {t.title}") for t in own_types))
        side = side or next((t.side for t in game.unit_types if t.key == kind), "")
        meant.append((slot, kind, side, known.named(slot.name, kind, side)))
    claimed = [units[0].id for *_, units in meant if len(units) == 1]
    for slot, kind, side, units in meant:
        name = slot.piece.name
        if len(units) == 1 and name and claimed.count(units[0].id) == 1:
            unit = units[0]
            match = {"name": _pattern(name)}
            drafted.by_name.append(
                {"match": match, "id": unit.id, "type": unit.type, "side": unit.side}
            )
        elif not (kind and side):
            drafted.unknown.append(f"{slot.gpid}: {slot.name}{_perhaps(slot, known)}")
        elif not known.all or name in known.all or not name:
            own = "{name}" if name else "{gpid}"
            drafted.by_gpid.setdefault((own, kind, side), []).append(slot.gpid)
        else:
            names = drafted.alike.setdefault((kind, side), [])
            names += [_pattern(name)] if _pattern(name) not in names else []
    return drafted


def _perhaps(slot: Slot, known: KnownUnits) -> str:
    """In words: whom a counter may stand for."""
    ids = [unit.id for unit in known.named(slot.name, "", "")]
    more = ", ..." if len(ids) > _NAMED else ""
    return f" (perhaps {', '.join(ids[:_NAMED])}{more})" if ids else ""


def _pattern(name: str) -> str:
    return _SPECIAL.sub(r"\\\1", name)


def _in_a_line(rule: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(
        rule, sort_keys=False, allow_unicode=True, default_flow_style=True, width=10_000
    )
    return f"- {text.strip()}"


def dump(document: dict[str, Any]) -> list[str]:
    """YAML lines."""
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=96)
    return text.rstrip().splitlines()
