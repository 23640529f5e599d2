"""The opening of a check: the position that a file begins with, and what is doubtful about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import RulesError
from hexmarshal.errors.counts import counted
from hexmarshal.referee.check.scenario_start import is_start, started
from hexmarshal.referee.interpret.rules_calls import answering
from hexmarshal.referee.interpret.words import place_title
from hexmarshal.rules.state.fallen import fallen
from hexmarshal.rules.values import FrozenMap
from hexmarshal.table.reading import POSITION_ENTRY, Note, OtherGameError, base_position

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.table_watch import Watch
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.reading import TableReader
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["Opening", "module_notes", "open_game"]

# So many lost units are named.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Opening:
    """A position; `sure` if all that the rules need to know of it is known.

    `start` is the start of its scenario, if the scenario is known.
    """

    position: Position
    sure: bool
    start: Position | None
    notes: tuple[Note, ...]


def open_game(
    saved: SavedGame,
    table: TableReader,
    state: GameState,
    watch: Watch,
    routes: Routes,
    scenario: str,
    options: Mapping[str, object] | None,
) -> Opening:
    """Read the table over what the file carries, or over the scenario that is named or guessed."""
    told: list[Note] = []
    with answering():
        base, carried = _base(table.plugin, saved, scenario, options, told)
        if base is None:
            base = table.guessed_base(state, told)
    reading = table.read(state, base)
    if table.reader.alikes.known:
        watch.look_at_all(state)
    position, sure = reading.position, carried
    if not sure and is_start(position, base, watch.units(), watch.books):
        position, sure = started(position, base), True
    elif not sure and position.scenario and saved.is_log:
        text = "the game is under way: what no piece shows is taken from the scenario's start"
        hint = "findings are likely at most; for more, check the log that begins the game"
        told.append(Note("start", text, hint))
    with answering():
        position = _as_agreed(table.plugin, position, options or {})
    strange = list(_of_module(saved, table.module, table.binding, routes))
    strange += _moved_gpids(table.module, state)
    strange += _other_board(position, base)
    by_gpid = any(rule.match.gpids for rule in table.binding.units)
    doubts = {"other module", "other binding", "board", "guessed", *(("gpid",) if by_gpid else ())}
    sure = sure and not any(note.code in doubts for note in (*strange, *reading.notes))
    start = _start(table.plugin, base, carried=carried)
    if start is not None and not saved.is_log and position.turn == start.turn:
        strange += _with_losses(table.plugin.game, position, start)
    return Opening(position, sure, start, (*strange, *told, *reading.notes))


def _base(
    plugin: GamePlugin,
    saved: SavedGame,
    scenario: str,
    options: Mapping[str, object] | None,
    told: list[Note],
) -> tuple[Position | None, bool]:
    """What the table cannot show, if the file or the user tells, and whether the file does."""
    carries = not scenario and saved.entry(POSITION_ENTRY) is not None
    try:
        return base_position(plugin, saved, scenario, options), carries
    except OtherGameError:
        raise
    except RulesError as error:
        if error.place.entry != POSITION_ENTRY:
            raise
        told.append(Note("position", str(error), "it is left out: the table is read alone"))
        return base_position(plugin, None, scenario, options), False


def _as_agreed(plugin: GamePlugin, position: Position, chosen: Mapping[str, object]) -> Position:
    """A position with the options that players may have agreed on without a word."""
    tacit = {
        option.param.name: option.tacit
        for option in plugin.game.options
        if option.tacit is not None
        and option.param.name not in chosen
        and position.options.get(option.param.name, option.default) == option.default
    }
    if not tacit:
        return position
    agreed = replace(position, options=FrozenMap({**position.options, **tacit}))
    bare = replace(position, state="", frames=(), active=())
    if plugin.opened(bare).frames != position.frames:
        return agreed
    # Nothing was decided yet: what is asked may be asked otherwise.
    return plugin.opened(replace(bare, options=agreed.options))


def _start(plugin: GamePlugin, base: Position, *, carried: bool) -> Position | None:
    """The start of the scenario, with the same options."""
    if not carried:
        return base if base.scenario else None
    if base.scenario not in {scenario.key for scenario in plugin.scenarios()}:
        return None
    with answering():
        return plugin.setup(base.scenario, base.options, None)


def module_notes(saved: SavedGame, module: Module) -> Iterator[Note]:
    """Whether the file was saved with this module, and with this version of it."""
    metadata = saved.module_metadata
    name = metadata.name if metadata is not None else ""
    if name and name != module.name:
        text = f"saved with the module {name!r}, read with {module.name!r}"
        yield Note("other module", text, "give its own module with --module")
    elif metadata is not None and metadata.version != module.version:
        text = f"saved with version {metadata.version} of the module, read with {module.version}"
        yield Note("module version", text, "hexmarshal refresh brings a save up to a module")


def _of_module(
    saved: SavedGame, module: Module, binding: Binding, routes: Routes
) -> Iterator[Note]:
    """Whether file, module and binding belong together."""
    yield from module_notes(saved, module)
    if binding.module and binding.module != module.name:
        text = f"the binding is for {binding.module!r}, the module is {module.name!r}"
        yield Note("other binding", text, "hexmarshal binding new drafts one")
    if not any(routes.cells()):
        of = binding.map.name
        text = f"no location of the map {of!r} is named as map.cells of the binding says"
        yield Note("grid", text, "hexmarshal enhance numbers a grid; or mend map.cells")


def _other_board(position: Position, base: Position) -> Iterator[Note]:
    """Whether the table has the map that the scenario is played on."""
    if base.board and position.board != base.board:
        text = f"the table has the board {position.board!r}, and the game is on {base.board!r}"
        yield Note("board", text, "map.boards of the binding says which board is which")


def _with_losses(game: Game, position: Position, start: Position) -> Iterator[Note]:
    """A save that may be meant as a set-up, and shows that fighting has begun."""
    lost = fallen(position, start)
    if lost:
        names = ", ".join(unit.id for unit in lost[:_NAMED]) + (", ..." if lost[_NAMED:] else "")
        there = f"{names} {'lies' if len(lost) == 1 else 'lie'} in {place_title(game, lost[0])}"
        yield Note("start", f"{there}: taken for a game under way, and not for a set-up")


def _moved_gpids(module: Module, state: GameState) -> Iterator[Note]:
    names = {slot.gpid: slot.name for slot in module.slots() if slot.gpid}
    gone = moved = 0
    for piece in state.pieces.values():
        if piece.gpid and piece.gpid not in names:
            gone += 1
        elif piece.gpid and piece.name and piece.name != names[piece.gpid]:
            moved += 1
    if gone or moved:
        text = (
            f"{counted(gone, 'piece has', 'pieces have')} a gpid that the module lacks, "
            f"{moved} another name than its counter"
        )
        yield Note("gpid", text, "units that the binding finds by gpid may be wrong")
