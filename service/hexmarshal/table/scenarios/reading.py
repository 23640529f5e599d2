"""Reads a scenario in any form: a file of the format, a position, a sheet, a save, a game's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import BadInputError, HexMarshalError, NotFoundError, Place, UsageError
from hexmarshal.geometry.values_with_lines import Sourced
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.scenario.consistency import demand_consistent
from hexmarshal.scenario.document import load_document, numbers_for_names
from hexmarshal.scenario.model import Scenario
from hexmarshal.scenario.prose import with_prose
from hexmarshal.scenario.sheets import facts_in, lay, read_sheet
from hexmarshal.scenario.source import read_file, read_source
from hexmarshal.table.module_finder import Means
from hexmarshal.table.scenarios.forms import Form, form_of, game_named
from hexmarshal.table.scenarios.from_position import open_decision, scenario_of
from hexmarshal.table.scenarios.spelling import Spelling, well_spelt

if TYPE_CHECKING:
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.plugins.registry import Registry

__all__ = ["Loaded", "Reader", "keys_of", "position_in"]

# So many units that a sheet does not list are named.
_MOST_KEPT: Final = 8


@dataclass(frozen=True, slots=True)
class Loaded:
    """A scenario as read.

    `source` knows the lines of the file; `position` is what was in it, if it was a position;
    `notes` say what about it is doubtful, `left_out` what the file has and a scenario does not.
    """

    name: str
    form: Form
    scenario: Scenario
    plugin: GamePlugin
    source: Sourced
    position: Position | None = None
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def sound(self) -> Loaded:
        """Itself, if the scenario is sound by itself; else an error."""
        demand_consistent(self.scenario, self.source)
        return self


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads scenarios with what a user gave: plugins, a module, a binding, a base.

    `told` is a file with the scenario that a save was made of.
    """

    registry: Registry
    means: Means
    onto: str = ""
    encoding: str = ""
    replacing: bool = False
    told: str = ""

    def read(self, name: str) -> Loaded:
        """The scenario of a file, or of a game by `GAME:SCENARIO`; not yet checked by itself."""
        base = replace(self, onto="").read(self.onto).sound() if self.onto else None
        form = form_of(name)
        if form is Form.GAME:
            loaded = self._of_game(name)
        elif form is Form.SHEET:
            return self._sheet(name, base)
        elif form is Form.SAVE:
            from hexmarshal.table.scenarios.saves import load_save

            told = None
            if self.told:
                game = self.means.game
                told = replace(self, told="", means=replace(Means(), game=game)).read(self.told)
            scenario = told.scenario if told is not None else None
            loaded = load_save(Path(name), self.means, self.registry, scenario)
        else:
            loaded = self.parsed(read_file(Path(name)), name, form)
        return loaded if base is None else _told(loaded, base)

    def parsed(self, data: bytes, name: str, form: Form) -> Loaded:
        """The scenario in a document of text: of the format, or a position."""
        source = read_source(data, name)
        document = source.value
        if form is Form.YAML or (form is Form.JSON and _has_format(document)):
            bare = [part[key] for part, key in _unquoted(document)]
            scenario = load_document(source)
            plugin = self._plugin(scenario.game, source)
            scenario = well_spelt(Spelling(plugin, scenario), scenario, source)
            notes: tuple[str, ...] = ()
            if bare:
                notes = (f'{bare[0]} is read as a name: write "{bare[0]}", for other tools',)
            return Loaded(name, form, scenario, plugin, source, notes=notes)
        position = position_in(document, source)
        plugin = self._plugin(position.game, source)
        left_out: tuple[str, ...] = ()
        if position.generator is not None:
            left_out = ("generator: the dice to come are no part of a scenario",)
            position = replace(position, generator=None)
        try:
            scenario = scenario_of(plugin, position)
        except HexMarshalError as error:
            raise error.at(_placed(error.place, source)) from None
        left_out += open_decision(plugin, position, scenario)
        return Loaded(name, Form.POSITION, scenario, plugin, source, position, left_out=left_out)

    def _plugin(self, game: str, source: Sourced) -> GamePlugin:
        if self.means.game and self.means.game != game:
            raise UsageError(
                f"a scenario of {game!r}, not of {self.means.game!r}", place=source.place("game")
            )
        try:
            return self.registry.get(game)
        except HexMarshalError as error:
            raise error.at(source.place("game")) from None

    def _of_game(self, name: str) -> Loaded:
        named = game_named(name)
        assert named is not None
        game, key = named
        plugin = self.registry.get(game)
        try:
            position = engine.start(plugin, key, self.means.options)
        except NotFoundError as error:
            raise NotFoundError(error.message, place=Place(file=name), hint=error.hint) from None
        source = Sourced(None, name)
        return Loaded(name, Form.GAME, scenario_of(plugin, position), plugin, source, position)

    def _sheet(self, name: str, base: Loaded | None) -> Loaded:
        data = read_file(Path(name))
        facts = facts_in(data, name, self.encoding)
        game = base.scenario.game if base is not None else self.means.game or facts.get("game", "")
        if not game:
            raise UsageError(
                "a sheet does not tell its game",
                place=Place(file=name),
                hint="name it with --game, or in a row of its own: Game, then its key; or name the "
                "scenario that it is laid onto with --onto",
            )
        plugin = self.registry.get(game)
        under = base.scenario if base is not None else Scenario(game)
        about = replace(
            under,
            map=facts.get("map", under.map),
            based_on=facts.get("based_on", under.based_on),
        )
        spelling = Spelling(plugin, about)
        sheet = read_sheet(data, name, spelling.lexicon(), self.encoding)
        if sheet.fields.get("game", game) != game:
            raise UsageError(
                f"the sheet is of {sheet.fields['game']!r}, not of {game!r}", place=Place(file=name)
            )
        scenario, source = lay(sheet, under, replacing=self.replacing)
        scenario = well_spelt(spelling, scenario, source)
        notes = (*(base.notes if base is not None else ()), *sheet.notes)
        if sheet.encoding == "cp1252":
            notes = (*notes, "read as Windows-1252: it is not UTF-8")
        if base is not None and not self.replacing:
            listed = {row.id for row in source.rows.values()}
            kept = [unit for unit in base.scenario.units if unit not in listed]
            if kept:
                shown = ", ".join(kept[:_MOST_KEPT]) + (", ..." if len(kept) > _MOST_KEPT else "")
                number = f"{len(kept)} unit{'s' if len(kept) > 1 else ''}"
                notes = (*notes, f"kept as in {base.name}: {number} not listed here ({shown})")
        return Loaded(name, Form.SHEET, scenario, plugin, source, None, notes)


def _told(loaded: Loaded, base: Loaded) -> Loaded:
    if base.scenario.game != loaded.scenario.game:
        raise UsageError(
            f"a scenario of {loaded.scenario.game!r} cannot be laid onto one of "
            f"{base.scenario.game!r}",
            place=Place(file=loaded.name),
        )
    scenario = with_prose(loaded.scenario, base.scenario)
    return replace(loaded, scenario=scenario, notes=(*loaded.notes, *base.notes))


def position_in(document: Any, source: Sourced) -> Position:  # noqa: ANN401 - JSON
    """The position of a document: in our own form, as a message of the API, or in an answer."""
    if isinstance(document, dict) and isinstance(document.get("position"), dict):
        # An answer of the service, with the position in it.
        document = document["position"]
    if not isinstance(document, dict) or "game" not in document:
        raise BadInputError(
            "neither a scenario nor a position",
            place=source.place(),
            hint="a scenario has a format, a position a game",
        )
    if _is_message(document):
        return _from_message(document, source)
    try:
        return Position.from_json(document)
    except HexMarshalError as error:
        raise error.at(_placed(error.place, source)) from None


def _unquoted(document: object) -> list[tuple[Any, Any]]:
    return list(numbers_for_names(document)) if isinstance(document, dict) else []


def _has_format(document: object) -> bool:
    return isinstance(document, dict) and "format" in document


def _is_message(document: dict[str, Any]) -> bool:
    """Whether this is the API's message: it lists things, and calls the fields of a record so."""
    records = [document.get(name) for name in ("options", "extras")]
    return any(isinstance(document.get(name), list) for name in ("units", "markers", "piles")) or (
        any(isinstance(record, dict) and set(record) == {"fields"} for record in records)
    )


def _from_message(document: dict[str, Any], source: Sourced) -> Position:
    from google.protobuf import json_format

    from hexmarshal.rules.values import FieldError
    from hexmarshal.v1 import position_pb2
    from hexmarshal.wire import decode_position

    message = position_pb2.Position()
    try:
        json_format.ParseDict(document, message)
        return decode_position(message)
    except json_format.ParseError as error:
        text = " ".join(str(error).split())
        raise BadInputError(
            f"not a position of the service: {text}", place=source.place()
        ) from None
    except FieldError as error:
        raise error.as_error("the position").at(source.place()) from None
    except HexMarshalError as error:
        raise error.at(source.place()) from None


def keys_of(path: str, document: object) -> tuple[str | int, ...]:
    """The keys of a document that a path such as `units.b1.steps` or `active[0]` names."""
    keys: list[str | int] = []
    while path:
        if isinstance(document, dict):
            found = [
                key
                for key in document
                if path.startswith(key) and path[len(key) : len(key) + 1] in ("", ".", "[")
            ]
            if not found:
                break
            key = max(found, key=len)
            keys.append(key)
            document, path = document[key], path[len(key) :].lstrip(".")
        elif isinstance(document, list) and path.startswith("["):
            number, _, rest = path[1:].partition("]")
            if not number.isdecimal() or int(number) >= len(document):
                break
            keys.append(int(number))
            document, path = document[int(number)], rest.lstrip(".")
        else:
            break
    return tuple(keys)


def _placed(place: Place, source: Sourced) -> Place:
    """The place with the line of its field."""
    inner = source.value
    outer: tuple[str | int, ...] = ()
    if isinstance(inner, dict) and isinstance(inner.get("position"), dict):
        inner, outer = inner["position"], ("position",)
    path = place.field or (f"units.{place.unit}" if place.unit else "")
    found = source.place(*outer, *keys_of(path, inner))
    return Place(file=found.file, line=found.line)
