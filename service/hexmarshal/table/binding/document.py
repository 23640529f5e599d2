"""A binding: how a module's pieces, maps, dice and turn tracker show what the rules know."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, RulesError
from hexmarshal.geometry.schema_errors import worded
from hexmarshal.rules.values import FrozenMap, freeze
from hexmarshal.table.binding.facts import Fact
from hexmarshal.table.binding.patterns import Match, compiled
from hexmarshal.table.binding.sections import (
    END_PHASE,
    BoxRule,
    DiceRule,
    MapRule,
    MarkerRule,
    PhaseShown,
    PileRule,
    Spot,
    TrackRule,
    TurnRule,
    UnitRule,
)
from hexmarshal.table.binding.signs import Sign
from hexmarshal.table.binding.ties import TieRule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.vassal.module import Module

__all__ = ["ENTRY", "FORMAT", "Binding", "schema"]

FORMAT: Final = "hexmarshal-binding/1"
# Where a module carries its own binding.
ENTRY: Final = "hexmarshal/binding.yaml"
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Binding:
    """All of it."""

    game: str
    map: MapRule
    units: tuple[UnitRule, ...]
    module: str = ""
    boxes: tuple[BoxRule, ...] = ()
    signs: tuple[Sign, ...] = ()
    markers: tuple[MarkerRule, ...] = ()
    tracks: tuple[TrackRule, ...] = ()
    piles: tuple[PileRule, ...] = ()
    turn: TurnRule | None = None
    sides: Mapping[str, str] = field(default_factory=dict)
    dice: tuple[DiceRule, ...] = ()
    drags: tuple[str, ...] = ()
    ties: tuple[TieRule, ...] = ()
    active: Spot | None = None
    scenario: str = ""
    silence: Mapping[str, str | None] = field(default_factory=dict)
    laid: tuple[str, ...] = ()
    advance: str = ""

    @property
    def ends_phase(self) -> str:
        """The action that ends a phase, or lets the others go on."""
        return self.advance or (self.turn.advance if self.turn is not None else END_PHASE)

    def spots(self) -> Iterator[Spot]:
        """Every spot of the tracks."""
        for rule in self.tracks:
            yield from rule.spots()

    @classmethod
    def open(cls, path: Path | str) -> Binding:
        """From a YAML or JSON file."""
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            raise NotFoundError("no such file", place=Place(file=str(path))) from None
        except OSError as error:
            raise RulesError(
                f"cannot be read: {error.strerror}", place=Place(file=str(path))
            ) from None
        return cls.parse(data, Place(file=str(path)))

    @classmethod
    def inside(cls, module: Module) -> Binding | None:
        """The binding that a module carries, if it does."""
        if not module.has(ENTRY):
            return None
        return cls.parse(module.read(ENTRY), Place(entry=ENTRY).within(module.place))

    @classmethod
    def parse(cls, data: bytes, place: Place) -> Binding:
        """From the text of a file; errors name the field."""
        try:
            document = yaml.load(data, Loader=_LOADER)  # noqa: S506 - it is a safe one
        except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            where = Place(line=mark.line + 1 if mark else None).within(place)
            raise RulesError(
                f"not YAML: {getattr(error, 'problem', None) or error}", place=where
            ) from None
        try:
            return cls.load(document)
        except HexMarshalError as error:
            raise error.at(place) from None

    @classmethod
    def load(cls, document: object) -> Binding:
        """From plain data, checked against the schema."""
        _validate(document)
        assert isinstance(document, dict)
        return _load(document)


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a binding."""
    text = Path(__file__).with_name("binding.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _validator() -> Any:  # noqa: ANN401 - jsonschema's own protocol
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


def _validate(document: object) -> None:
    from jsonschema.exceptions import best_match

    error = best_match(_validator().iter_errors(document))
    if error is not None:
        path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        raise RulesError(
            f"the binding: {worded(error)}",
            place=Place(field=path.lstrip(".") or None),
            hint="docs/referee/binding.md describes the format",
        )


def _load(document: Mapping[str, Any]) -> Binding:
    shown = document["map"]
    turn = document.get("turn")
    return Binding(
        document["game"],
        MapRule(
            shown["name"],
            compiled(shown.get("cells", ".+"), "map.cells"),
            shown.get("names", "{cell}"),
            shown.get("boards", {}),
            shown.get("same", {}),
        ),
        tuple(
            UnitRule(
                Match.load(one["match"], f"units[{i}].match"), one["id"], one["type"], one["side"]
            )
            for i, one in enumerate(document["units"])
        ),
        document.get("module", ""),
        tuple(_box(one, i) for i, one in enumerate(document.get("boxes", ()))),
        tuple(Sign.load(one, f"signs[{i}]") for i, one in enumerate(document.get("signs", ()))),
        tuple(_marker(one, i) for i, one in enumerate(document.get("markers", ()))),
        tuple(_track(one, f"tracks[{i}]") for i, one in enumerate(document.get("tracks", ()))),
        tuple(_pile(one, i) for i, one in enumerate(document.get("piles", ()))),
        None if turn is None else _turn(turn),
        document.get("sides", {}),
        tuple(_dice(one, i) for i, one in enumerate(document.get("dice", ()))),
        tuple(document.get("drags", ())),
        tuple(TieRule.load(one, f"ties[{i}]") for i, one in enumerate(document.get("ties", ()))),
        _spot(document["active"], "active") if "active" in document else None,
        document.get("scenario", {}).get("property", ""),
        document.get("silence", {}),
        tuple(document.get("laid", ())),
        document.get("advance", ""),
    )


def _box(one: Mapping[str, Any], i: int) -> BoxRule:
    values = FrozenMap({name: freeze(value) for name, value in one.get("values", {}).items()})
    at = compiled(one["at"], f"boxes[{i}].at")
    return BoxRule(one["map"], at, one["box"], one.get("side", ""), values)


def _marker(one: Mapping[str, Any], i: int) -> MarkerRule:
    cell = FrozenMap({name: freeze(value) for name, value in one.get("cell", {}).items()})
    match = Match.load(one["match"], f"markers[{i}].match")
    return MarkerRule(
        match,
        one.get("kind", ""),
        one.get("side", ""),
        one.get("id", "{unit}:{piece}" if one.get("on") == "itself" else "{piece}"),
        cell,
        one.get("aid", False),
        "on" in one and "shows" not in one,
        one.get("on") == "itself",
        tuple(_shown(one.get("shows", {}), aid=one.get("aid", False))),
    )


def _shown(document: Mapping[str, Any], *, aid: bool) -> Iterator[Fact]:
    """What a marker says of the unit that it lies on."""
    yield from (Fact("flag", flag, value=True, aid=aid) for flag in document.get("flags", ()))
    values = document.get("values", {})
    yield from (Fact("value", name, freeze(value), aid) for name, value in values.items())


def _pile(one: Mapping[str, Any], i: int) -> PileRule:
    at = compiled(one["at"], f"piles[{i}].at") if "at" in one else None
    on, mixed = one.get("map", ""), one.get("mixed", False)
    return PileRule(one["pile"], one.get("deck", ""), one["card"], on, at, mixed)


def _spot(one: Mapping[str, Any], where: str) -> Spot:
    match = Match.load(one["match"], f"{where}.match")
    return Spot(match, one["map"], compiled(one["at"], f"{where}.at"))


def _track(one: Mapping[str, Any], where: str) -> TrackRule:
    count = _spot(one["count"], f"{where}.count") if "count" in one else None
    spots: Sequence[Mapping[str, Any]] = one.get("digits", ())
    digits = tuple(_spot(spot, f"{where}.digits[{i}]") for i, spot in enumerate(spots))
    return TrackRule(one["track"], one.get("property", ""), count, digits, one.get("aid", False))


def _turn(one: Mapping[str, Any]) -> TurnRule:
    phases = {
        text: None if means is None else PhaseShown(means["phase"], tuple(means.get("active", ())))
        for text, means in one["phases"].items()
    }
    return TurnRule(
        one["tracker"],
        one.get("turn", ""),
        tuple(one.get("levels", ())),
        phases,
        one.get("advance", END_PHASE),
        _spot(one["marker"], "turn.marker") if "marker" in one else None,
    )


def _dice(one: Mapping[str, Any], i: int) -> DiceRule:
    pattern = compiled(one["pattern"], f"dice[{i}].pattern") if "pattern" in one else None
    if pattern is not None and "result" not in pattern.groupindex:
        raise RulesError(
            "the pattern needs a group named result", place=Place(field=f"dice[{i}].pattern")
        )
    return DiceRule(one["sides"], one.get("button", ""), pattern)
