"""What the referee sees on the table: pieces as units, markers and cards of the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.table.binding.patterns import PieceLook, fill
from hexmarshal.table.binding.signs import OWN, UnreadableError
from hexmarshal.table.binding.ties import Tie
from hexmarshal.table.reading.look_alikes import ANY, LookAlikes
from hexmarshal.table.reading.sightings import MarkerSighting, Spotted, UnitSighting, Where
from hexmarshal.table.reading.sign_markers import SignMarkers
from hexmarshal.vassal.pieces.piece import parse_add

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.table.binding import Binding, MarkerRule, Spot, UnitRule
    from hexmarshal.table.binding.facts import Fact
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.locator import ModuleLocator
    from hexmarshal.vassal.state.placed import PlacedPiece

__all__ = ["Identity", "PieceReader"]

# What a sign can tell of a marker; units have more.
_OF_MARKERS = frozenset({"value", "facing", "level", "face", "seen_by", "known_to"})


class PieceReader:
    """Sees single pieces; who is what is worked out once for each state of a piece."""

    def __init__(
        self,
        binding: Binding,
        module: Module,
        locator: ModuleLocator,
        overruled: Mapping[str, str] | None = None,
    ) -> None:
        """`overruled` are flags that mean nothing beside another one, each with that."""
        self.binding = binding
        self._overruled = overruled or {}
        self.locator = locator
        self.alikes = LookAlikes()
        self.sign_markers = SignMarkers(binding)
        self.has_alikes = any(rule.id == ANY for rule in binding.units)
        self._prototypes: dict[str, tuple[str, ...]] | None = None
        self._module = module
        self._track_maps = {spot.map for spot in binding.spots()}
        self._places: dict[tuple[str, int, int, str], Where] = {}
        self._looks: dict[tuple[str, str, str], Identity | None] = {}
        self._spots: dict[tuple[str, str, str], tuple[Spot, ...]] = {}
        self._names: dict[tuple[str, str, str, str], str] = {}

    def where(self, map: str | None, x: int, y: int, side: str) -> Where:
        """What the rules call a point of a map; boxes may be one side's alone."""
        if map is None:
            return Where("", "")
        key = (map, x, y, side)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._where(*key)
        return found

    def _where(self, map: str, x: int, y: int, side: str) -> Where:
        location = self.locator.locate(map, x, y).name
        if map == self.binding.map.name:
            cell = self.binding.map.cell(location)
            if cell:
                return Where(map, location, cell)
        return self.named(map, location, side)

    def named(self, map: str, location: str, side: str) -> Where:
        """What the rules call a location beside the map."""
        for rule in self.binding.boxes:
            found = rule.read(map, location, side)
            if found is not None:
                return Where(map, location, box=found[0], values=found[1])
        return Where(map, location)

    def see(self, placed: PlacedPiece) -> Spotted | None:
        """The piece as the rules see it; None if the binding does not speak of it."""
        seen = self.sight(placed)
        if isinstance(seen, UnitSighting) and self.sign_markers.used:
            facts = self.sign_markers.with_signs(placed.id, seen.facts)
            seen = replace(seen, facts=facts)
        if isinstance(seen, UnitSighting) and seen.id == ANY:
            own = self.alikes.name(placed.id, (seen.type, seen.side))
            return replace(seen, id=own) if own else None
        return seen

    def sight(self, placed: PlacedPiece) -> Spotted | None:
        """The same, whichever of those that look alike it is."""
        known = self._identify(placed)
        if known is None:
            return None
        where = self.where(placed.map, placed.x, placed.y, known.side)
        own = known.id.replace("{piece}", placed.id)
        facts = known.facts
        if not where.cell:
            facts = tuple(fact for fact in facts if not fact.on_map)
        if known.marker is not None:
            if known.marker.on_unit:
                where = where.beside
            return MarkerSighting(
                known.marker, own, known.kind, known.side, where, placed.id, facts
            )
        worn = tuple(
            MarkerSighting(one.rule, one.id, one.kind, one.side, where.beside, placed.id)
            for one in known.worn
        )
        return UnitSighting(
            own, known.kind, known.side, where, facts, placed.id, known.problems, known.ties, worn
        )

    def call(self, placed: PlacedPiece, unit: str) -> None:
        """Say which unit a piece is, if it looks like others."""
        if self.has_alikes:
            seen = self.sight(placed)
            if isinstance(seen, UnitSighting) and seen.id == ANY:
                self.alikes.call(placed.id, unit)

    def counted(self, placed: PlacedPiece) -> Iterator[tuple[Spot, int]]:
        """The spots of tracks where the piece lies, each with the number of its location."""
        for spot in self._spots_of(placed):
            if spot.map != placed.map:
                continue
            location = self.where(placed.map, placed.x, placed.y, "").location
            found = spot.at.fullmatch(location)
            if found is not None:
                number = found.groupdict().get("n") or ""
                yield spot, int(number) if number.isdecimal() else 0

    def counts(self, placed: PlacedPiece) -> bool:
        """Whether some track counts pieces like this, though perhaps not where it lies."""
        return bool(self._spots_of(placed))

    def _spots_of(self, placed: PlacedPiece) -> tuple[Spot, ...]:
        """The spots of tracks that count pieces like this."""
        if placed.problem or placed.map not in self._track_maps:
            return ()
        key = _key(placed)
        if key not in self._spots:
            look = self.look(placed)
            spots = self.binding.spots()
            self._spots[key] = tuple(s for s in spots if s.match.find(look) is not None)
        return self._spots[key]

    def named_by(self, template: str, placed: PlacedPiece) -> str:
        """What a template makes of a piece; empty if it does not fit."""
        key = (template, *_key(placed))
        if key not in self._names:
            words = _words(self.look(placed), {})
            self._names[key] = fill(template, words) or ""
        return self._names[key].replace("{piece}", placed.id)

    def look(self, placed: PlacedPiece) -> PieceLook:
        """What can be seen of a piece."""
        return PieceLook.of(placed, self.prototypes_of(placed.gpid))

    def prototypes_of(self, gpid: str) -> tuple[str, ...]:
        """The prototypes of the slot that a piece was taken from; the piece has lost the names."""
        if self._prototypes is None:
            found: dict[str, tuple[str, ...]] = {}
            for slot in self._module.slots():
                if slot.gpid:
                    found.setdefault(slot.gpid, _prototypes(slot.text))
            self._prototypes = found
        return self._prototypes.get(gpid, ())

    def _identify(self, placed: PlacedPiece) -> Identity | None:
        key = _key(placed)
        if key not in self._looks:
            self._looks[key] = None if placed.problem else self.identify(self.look(placed))
        return self._looks[key]

    def identify(self, look: PieceLook) -> Identity | None:
        """Which unit or marker a piece is, wherever it lies."""
        for rule in self.binding.units:
            found = rule.match.find(look)
            if found is not None:
                return self._unit(rule, look, found)
        for marker in self.binding.markers:
            found = None if marker.worn else marker.match.find(look)
            if found is not None:
                words = _words(look, found)
                kind = fill(marker.kind, words) or ""
                facts, problems = self._facts(look, kind, OWN)
                return Identity(
                    fill(marker.id, words) or "{piece}",
                    kind,
                    fill(marker.side, words) or "",
                    tuple(fact for fact in facts if fact.of in _OF_MARKERS),
                    problems,
                    marker=marker,
                )
        return None

    def _unit(self, rule: UnitRule, look: PieceLook, groups: dict[str, str]) -> Identity | None:
        words = _words(look, groups)
        own, kind, side = (fill(t, words) for t in (rule.id, rule.type, rule.side))
        if own is None or kind is None or side is None:
            return None
        facts, problems = self._facts(look, kind, side)
        ties = tuple(
            Tie(tie.value, tie.of.find(look) is not None)
            for tie in self.binding.ties
            if tie.concerns(look)
        )
        worn = tuple(self._worn(look, side))
        return Identity(own or "{piece}", kind, side, facts, problems, ties=ties, worn=worn)

    def _worn(self, look: PieceLook, side: str) -> Iterator[Worn]:
        """The markers that a unit's own piece shows."""
        for rule in self.binding.markers:
            found = rule.match.find(look) if rule.worn else None
            if found is not None:
                words = {**_words(look, found), "unit side": side}
                kind, own, whose = (fill(t, words) or "" for t in (rule.kind, rule.id, rule.side))
                yield Worn(rule, own.replace("{piece}", kind), kind, whose)

    def _facts(
        self, look: PieceLook, kind: str, side: str
    ) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
        """What the signs of a piece tell, and what of them cannot be read."""
        facts: list[Fact] = []
        problems: list[str] = []
        for sign in self.binding.signs:
            if sign.concerns(look):
                try:
                    facts += sign.read(look, kind, side)
                except UnreadableError as why:
                    problems.append(str(why))
        # Of two signs that speak of one thing the later is heard.
        heard = {fact.key: fact for fact in facts}
        for flag, by in self._overruled.items():
            left, ended = heard.get(("flag", flag)), heard.get(("flag", by))
            if left is not None and ended is not None and ended.value:
                heard[left.key] = left._replace(value=False)
        return tuple(heard.values()), tuple(problems)


class Worn(NamedTuple):
    """A marker that a unit's own piece shows."""

    rule: MarkerRule
    id: str
    kind: str
    side: str


@dataclass(frozen=True, slots=True)
class Identity:
    """Which unit or marker a piece is, and what it shows of it."""

    id: str
    kind: str
    side: str
    facts: tuple[Fact, ...] = ()
    problems: tuple[str, ...] = ()
    marker: MarkerRule | None = None
    ties: tuple[Tie, ...] = ()
    worn: tuple[Worn, ...] = ()


def _key(placed: PlacedPiece) -> tuple[str, str, str]:
    # A piece that has only moved differs in its last state; the traits' states come before it.
    return placed.type, placed.gpid, placed.state.rpartition("\t")[0]


def _words(look: PieceLook, groups: dict[str, str]) -> dict[str, str]:
    # Which piece it is gets filled in later, so that equal pieces are worked out once; and so do
    # the unit below a marker and its side, and which of equal units it is.
    later = {name: f"{{{name}}}" for name in ("piece", "unit", "unit side", "any")}
    return {**look.words(), **groups, **later}


def _prototypes(definition: str) -> tuple[str, ...]:
    from hexmarshal.errors import VassalFormatError

    try:
        return parse_add(definition.strip()).prototypes
    except VassalFormatError:
        return ()
