"""A scenario as a plain document, the form that YAML and JSON hold, and back."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hexmarshal.errors import BadInputError
from hexmarshal.geometry.schema_errors import keys_of, worded
from hexmarshal.scenario.model import (
    FORMAT,
    Area,
    Deck,
    MarkerEntry,
    Objective,
    Reinforcement,
    Scenario,
    Setup,
    SpecialRule,
    Start,
    UnitEntry,
)
from hexmarshal.scenario.plain_values import unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.geometry.values_with_lines import Sourced

__all__ = ["load_document", "numbers_for_names", "scenario_document", "schema"]

T = TypeVar("T")
Document = dict[str, Any]

_HINT: Final = "docs/scenario.md describes the format, 'hexmarshal scenario schema' every key"
# Fields of the entries that stand under a key, or in a place of their own.
_KEYS: Final = frozenset({"id", "name", "key"})
# Parts that are taken over from the scenario based on where they are not said: empty is not unsaid.
_INHERITED: Final = frozenset({"sides", "decks", "tracks", "extras"})
# Where names stand, with a star for any key and any item.
_NAMES: Final = (
    "version",
    "map",
    "based_on",
    "sides.*",
    "start.active.*",
    "areas.*.cells.*",
    "units.*.*.footprint.*",
    "setup.*.*.*",
    "reinforcements.*.units.*",
    "objectives.*.cell",
    "objectives.*.area",
    "markers.*.cell",
    "markers.*.unit",
    "decks.*.cards.*",
)
_LISTS: Final = frozenset(
    {"active", "cards", "cells", "flags", "footprint", "known_to", "rules", "seen_by", "units"}
)


@cache
def schema() -> Document:
    """The JSON Schema of a scenario."""
    text = Path(__file__).with_name("scenario.schema.json").read_text(encoding="utf-8")
    found: Document = json.loads(text)
    return found


@cache
def _validator() -> Any:  # noqa: ANN401 - jsonschema's own protocol
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema())


# To a document


def scenario_document(scenario: Scenario) -> Document:
    """The scenario as plain data in the order of the schema, without what is as by default."""
    said = _said(scenario)
    units: Document = {}
    for entry in scenario.units.values():
        units.setdefault(entry.side, {})[entry.id] = _said(entry, ("side",))
    said |= {
        "format": FORMAT,
        "units": units,
        "start": _said(scenario.start),
        "setup": {name: _stacks(stacks) for name, stacks in _said(scenario.setup).items()},
        "areas": {key: _said(area) for key, area in scenario.areas.items()},
        "markers": {key: _said(marker) for key, marker in scenario.markers.items()},
        "special_rules": [_said(rule) for rule in scenario.special_rules],
        "reinforcements": [_said(one) for one in scenario.reinforcements],
        "objectives": [_said(one) for one in scenario.objectives],
    }
    if scenario.decks is not None:
        said["decks"] = {key: _said(deck) for key, deck in scenario.decks.items()}
    order = schema()["properties"]
    return {
        name: said[name]
        for name in order
        if name in said and (said[name] not in ({}, []) or name in _INHERITED)
    }


def _said(thing: object, without: Iterable[str] = ()) -> Document:
    """The fields that are not as by default; tuples as lists."""
    out: Document = {}
    left_out = {*_KEYS, *without} if not isinstance(thing, Scenario) else set()
    for f in fields(thing):  # type: ignore[arg-type]
        value = getattr(thing, f.name)
        default = f.default_factory() if f.default_factory is not MISSING else f.default
        if f.name in left_out or (default is not MISSING and value == default):
            continue
        out[f.name] = list(value) if isinstance(value, tuple) else value
    return out


def _stacks(stacks: Mapping[str, tuple[str, ...]]) -> Document:
    return {place: list(stack) for place, stack in stacks.items()}


# From a document


def load_document(source: Sourced) -> Scenario:
    """The scenario in a document; an error names the line and the field of what does not fit."""
    document = source.value
    for keys, message in unfit(document):
        raise BadInputError(message, place=source.place(*keys))
    if not isinstance(document, dict):
        raise BadInputError("this is no scenario", place=source.place(), hint=_HINT)
    if document.get("format") != FORMAT:
        raise BadInputError(
            f"this is not a scenario of the format {FORMAT!r}",
            place=source.place("format"),
            hint=f"it begins with 'format: {FORMAT}'",
        )
    for part, key in numbers_for_names(document):
        # What a person wrote as a number and everybody reads as a name: the hex 1207, the map 1.
        part[key] = str(part[key])
    _validate(document, source)
    return _scenario(document)


def numbers_for_names(document: Document) -> Iterator[tuple[Any, Any]]:
    """The whole numbers that stand where names belong: what holds each, and under which key."""

    def down(value: object, path: tuple[str, ...]) -> Iterator[tuple[Any, Any]]:
        head, *rest = path
        keys: Iterable[Any] = ()
        if isinstance(value, dict):
            keys = list(value) if head == "*" else [head] if head in value else []
        elif isinstance(value, list) and head == "*":
            keys = range(len(value))
        for key in keys:
            if rest:
                yield from down(value[key], tuple(rest))  # type: ignore[index]
            elif isinstance(value[key], int) and not isinstance(value[key], bool):  # type: ignore[index]
                yield value, key

    for name in _NAMES:
        yield from down(document, tuple(name.split(".")))


def _validate(document: Document, source: Sourced) -> None:
    from jsonschema.exceptions import best_match

    errors = list(_validator().iter_errors(document))
    if not errors:
        return
    placed = [(_deepest(error, best_match), error) for error in errors]
    placed.sort(key=lambda pair: source.place(*keys_of(pair[0])).line or 0)
    first = placed[0][0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    raise BadInputError(f"{_worded(first)}{more}", place=source.place(*keys_of(first)), hint=_HINT)


def _deepest(error: Any, best_match: Any) -> Any:  # noqa: ANN401 - jsonschema's own types
    return best_match(error.context) if error.context and error.validator == "anyOf" else error


def _worded(error: Any) -> str:  # noqa: ANN401
    """What is wrong, in the words of scenarios where there are such."""
    match error.validator:
        case "oneOf":
            return "needs either a cell or an area"
        case "not":
            return "must not be null; leave it out"
    return worded(error)


def _scenario(document: Document) -> Scenario:
    said = {key: value for key, value in document.items() if key != "format"}
    built: Document = {
        "start": _made(Start, document.get("start", {})),
        "areas": {k: _made(Area, row, key=k) for k, row in document.get("areas", {}).items()},
        "units": {
            unit: _made(UnitEntry, row, id=unit, side=side)
            for side, rows in document.get("units", {}).items()
            for unit, row in rows.items()
        },
        "setup": Setup(
            **{
                name: {place: tuple(stack) for place, stack in stacks.items()}
                for name, stacks in document.get("setup", {}).items()
            }
        ),
        "markers": {
            k: _made(MarkerEntry, row, id=k) for k, row in document.get("markers", {}).items()
        },
        "reinforcements": tuple(
            _made(Reinforcement, row) for row in document.get("reinforcements", ())
        ),
        "objectives": tuple(_made(Objective, row) for row in document.get("objectives", ())),
        "special_rules": tuple(
            _made(SpecialRule, row) for row in document.get("special_rules", ())
        ),
    }
    if "decks" in said:
        built["decks"] = {k: _made(Deck, row, name=k) for k, row in said["decks"].items()}
    if "sides" in said:
        said["sides"] = tuple(said["sides"])
    return Scenario(**said | built)


def _made(cls: type[T], row: Mapping[str, Any], **more: object) -> T:
    given = {name: tuple(v) if name in _LISTS else v for name, v in row.items()}
    return cls(**given, **more)
