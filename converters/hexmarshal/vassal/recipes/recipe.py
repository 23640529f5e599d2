"""A recipe read from YAML: checked against its schema, every part knowing its line."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from hexmarshal.errors import BadInputError, GeometryError, HexMarshalError, Place
from hexmarshal.geometry.schema_errors import keys_of, worded
from hexmarshal.geometry.values_with_lines import Sourced, read_yaml, text_of
from hexmarshal.vassal.components.base import Component, stock_class
from hexmarshal.vassal.container.source import read_file
from hexmarshal.vassal.recipes.fields import Substitution
from hexmarshal.vassal.recipes.piece_edits import PIECE_VERBS, PieceEdit
from hexmarshal.vassal.recipes.renaming import Renaming
from hexmarshal.vassal.recipes.schema import recipe_schema
from hexmarshal.vassal.recipes.selection import PieceSelector
from hexmarshal.vassal.xml.component_query import Query

if TYPE_CHECKING:
    from pathlib import Path

    from jsonschema.exceptions import ValidationError

    from hexmarshal.geometry.values_with_lines import Keys

__all__ = ["Addition", "ComponentStep", "PieceStep", "Recipe", "RenameStep"]


@dataclass(frozen=True, slots=True)
class PieceStep:
    """Verbs for the pieces of slots, or of prototype definitions."""

    place: Place
    selector: PieceSelector
    edits: tuple[PieceEdit, ...]
    prototypes: bool = False


@dataclass(frozen=True, slots=True)
class Addition:
    """A component to put into others, unless they have one of its class and name."""

    cls: type[Component]
    attributes: dict[str, str]
    place: Place


@dataclass(frozen=True, slots=True)
class ComponentStep:
    """Attributes to set (None removes one), removal, or parts to add, for a query's components."""

    place: Place
    query: Query
    attributes: tuple[tuple[str, str | Substitution | None, Place], ...]
    remove: bool = False
    additions: tuple[Addition, ...] = ()


@dataclass(frozen=True, slots=True)
class RenameStep:
    """New names, kind by kind."""

    place: Place
    renamings: tuple[Renaming, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Steps in order."""

    about: str
    steps: tuple[PieceStep | ComponentStep | RenameStep, ...]
    refresh_setups: bool = False

    @classmethod
    def open(cls, path: Path) -> Recipe:
        """Read a recipe file."""
        data = read_file(path)
        try:
            text = text_of(data, str(path))
        except GeometryError as why:
            raise BadInputError(why.message, place=why.place, hint=why.hint) from None
        return cls.parse(text, str(path))

    @classmethod
    def parse(cls, text: str, file: str | None = None) -> Recipe:
        """Read a recipe's text; a BadInputError names the line that is wrong."""
        try:
            source = read_yaml(text, file)
        except GeometryError as why:
            raise BadInputError(why.message, place=why.place, hint=why.hint) from None
        _check(source)
        found: Any = source.value
        steps = tuple(
            _step(source, ("steps", index), step) for index, step in enumerate(found["steps"])
        )
        return cls(found.get("about", ""), steps, bool(found.get("refresh_setups", False)))


def _check(source: Sourced) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(recipe_schema()).iter_errors(_plain(source.value)))
    if error is None:
        return
    raise BadInputError(
        _said(error),
        place=source.place(*keys_of(error)),
        hint="hexmarshal edit --schema prints what a recipe may hold",
    )


def _said(error: ValidationError) -> str:
    if error.validator == "anyOf":
        choices = [
            each["required"][0]
            for each in cast("list[Any]", error.validator_value)
            if "required" in each
        ]
        if choices:
            return f"a step needs one of: {', '.join(choices)}"
    return worded(error)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any YAML value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _step(
    source: Sourced, keys: Keys, given: dict[str, Any]
) -> PieceStep | ComponentStep | RenameStep:
    place = source.place(*keys)
    if "rename" in given:
        return RenameStep(place, tuple(_renamings(source, (*keys, "rename"), given["rename"])))
    if "components" in given:
        return _component_step(source, keys, given)
    key = "pieces" if "pieces" in given else "prototypes"
    selector = PieceSelector.read(source, (*keys, key), given[key])
    edits = []
    for index, verb in enumerate(given["do"]):
        ((name, arguments),) = verb.items()
        edits.append(PIECE_VERBS[name](source, (*keys, "do", index, name), arguments))
    return PieceStep(place, selector, tuple(edits), prototypes=key == "prototypes")


def _component_step(source: Sourced, keys: Keys, given: dict[str, Any]) -> ComponentStep:
    try:
        query = Query.parse(given["components"])
    except HexMarshalError as why:
        place = source.place(*keys, "components")
        raise BadInputError(why.message, place=place, hint=why.hint) from None
    attributes: list[tuple[str, str | Substitution | None, Place]] = []
    for index, verb in enumerate(given["do"]):
        for name, value in verb.get("set", {}).items():
            here = source.place(*keys, "do", index, "set", name)
            meant: str | Substitution | None = None
            if isinstance(value, dict):
                meant = Substitution.read(value, here)
            elif value is not None:
                meant = _attribute(value)
            attributes.append((name, meant, here))
    remove = any("remove" in verb for verb in given["do"])
    additions = tuple(
        _addition(verb["add"], source.place(*keys, "do", index, "add"))
        for index, verb in enumerate(given["do"])
        if "add" in verb
    )
    return ComponentStep(source.place(*keys), query, tuple(attributes), remove, additions)


def _attribute(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _addition(given: dict[str, Any], place: Place) -> Addition:
    cls = stock_class(given["class"])
    if cls is None:
        raise BadInputError(
            f"the engine has no component {given['class']!r}",
            place=place,
            hint="a class such as NotesWindow or Inventory",
        )
    attributes = {name: _attribute(value) for name, value in given.get("set", {}).items()}
    for name, text in attributes.items():
        declared = cls.declared.get(name)
        problem = (
            f"a {cls.__name__} has no attribute {name!r}"
            if declared is None
            else declared.problem(text)
            if text
            else None
        )
        if problem is not None:
            raise BadInputError(problem, place=place)
    return Addition(cls, attributes, place)


def _renamings(source: Sourced, keys: Keys, given: dict[str, Any]) -> list[Renaming]:
    made = []
    for kind, pairs in given.items():
        place = source.place(*keys, kind)
        if isinstance(pairs, dict):
            names = {old: str(new) for old, new in pairs.items()}
            made.append(Renaming(kind, names, (), place))
        else:
            patterns = tuple(
                Substitution.read(pair, source.place(*keys, kind, i))
                for i, pair in enumerate(pairs)
            )
            made.append(Renaming(kind, {}, patterns, place))
    return made
