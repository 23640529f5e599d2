"""What the commands about games share: where plugins come from, and `name=value` on the line."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.errors import HexMarshalError, NotFoundError, Place, RulesError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.action import Param
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.rules.state.position import Position

__all__ = [
    "Data",
    "GameKey",
    "Options",
    "Plugins",
    "Scenario",
    "assignments",
    "games",
    "judging",
    "read_position",
]

GameKey = Annotated[
    str, typer.Argument(metavar="GAME", help="The key of a game; 'hexmarshal games' lists them.")
]
Plugins = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        metavar="MODULE:ATTRIBUTE",
        help="Also use this plugin; a module with a slash is a path. Also HEXMARSHAL_PLUGINS.",
    ),
]
Data = Annotated[
    list[str] | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Files of your own in place of a game's: DIR, or GAME=DIR; may be repeated.",
    ),
]
Scenario = Annotated[
    str, typer.Option("--scenario", metavar="KEY", help="The scenario; the first by default.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A switch of the game; may be repeated."),
]


def games(plugins: list[str] | None, data: list[str] | None = None, *, game: str = "") -> Registry:
    """The registry of this process, with the plugins named on the command line.

    `data` are folders of a user's own, `GAME=DIR`, or `DIR` alone where the command names a game.
    """
    from hexmarshal.rules.plugins.registry import default

    if data:
        for word in data:
            _use(word, game)
        default.cache_clear()
    registry = default()
    for spec in plugins or ():
        registry.load(spec)
    return registry


def _use(word: str, game: str) -> None:
    """Name a folder of data to a game, in this process and in those that it starts."""
    from hexmarshal.kit.data.source import variable

    named, equals, folder = word.partition("=")
    if not equals:
        named, folder = game, word
    if not named:
        raise UsageError(f"whose data is {word!r}?", hint="write GAME=DIR")
    if not Path(folder).is_dir():
        raise NotFoundError(f"no such folder of {named} data", place=Place(file=folder))
    os.environ[variable(named)] = folder


@contextmanager
def judging(registry: Registry, file: str) -> Iterator[None]:
    """Where a plugin fails over a file, the error names both."""
    try:
        yield
    except HexMarshalError:
        raise
    except Exception as error:
        fault = registry.fault(error, Place(file=file))
        if fault is None:
            raise
        raise fault from error


def assignments(words: Iterable[str], params: Iterable[Param]) -> dict[str, object]:
    """`name=value` words as values of the declared types; lists are separated by commas."""
    declared = {param.name: param for param in params}
    found: dict[str, object] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"not NAME=VALUE: {word!r}", hint=f"names: {', '.join(declared)}")
        if name in found:
            raise UsageError(f"{name} is given twice")
        found[name] = _value(declared[name], text) if name in declared else text
    return found


def read_position(file: Path) -> Position:
    """A position as JSON; errors name the file and the field."""
    from hexmarshal.geometry.values_with_lines import text_of
    from hexmarshal.rules.state.position import Position

    try:
        text = text_of(file.read_bytes(), str(file))
        return Position.from_json(json.loads(text))
    except FileNotFoundError:
        raise NotFoundError("no such file", place=Place(file=str(file))) from None
    except OSError as error:
        raise RulesError(f"cannot be read: {error.strerror}", place=Place(file=str(file))) from None
    except RulesError as error:
        raise error.at(Place(file=str(file))) from None
    except (ValueError, RecursionError) as error:
        raise RulesError(f"not JSON: {error}", place=Place(file=str(file))) from None


def _value(param: Param, text: str) -> object:
    schema = param.schema
    match schema.get("type"):
        case "array":
            return [part.strip() for part in text.split(",") if part.strip()]
        case "integer":
            try:
                return int(text)
            except ValueError:
                place = Place(field=param.name)
                raise UsageError(f"not a whole number: {text!r}", place=place) from None
        case "boolean":
            return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
        case "string":
            return text
        case _:
            try:
                return json.loads(text)
            except ValueError:
                return text
