"""What the referee asks of VASL: files checked, and counters known."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, NotFoundError, Place
from hexmarshal.errors.counts import counted
from hexmarshal.errors.names import did_you_mean
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.vasl.boards.board_command import boards_in
from hexmarshal.games.asl.vasl.boards.board_picture import board_picture
from hexmarshal.games.asl.vasl.boards.map_geometry import vasl_map
from hexmarshal.games.asl.vasl.counters.counter_faces import WEAPON
from hexmarshal.games.asl.vasl.counters.known_counters import known_counters
from hexmarshal.games.asl.vasl.logs.log_judge import LogJudge
from hexmarshal.games.asl.vasl.opening import boards_for
from hexmarshal.games.asl.vasl.order_of_battle import order_faults
from hexmarshal.games.asl.vasl.position_builder import position_of
from hexmarshal.games.asl.vasl.table_reader import NAME, VaslTable, read_table
from hexmarshal.table.module_readers import KnownCounters, TableDeed, TableReport
from hexmarshal.table.reading import Note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.games.asl.state.scenarios import Scenario
    from hexmarshal.games.asl.vasl.position_builder import ReadPosition
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.module_finder import Means
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.render.board_picture import BoardCell, BoardPicture
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["VaslReader"]

_SAVES: Final = (
    "judged: stacking, concealment, levels and possession on the boards, the first two only likely"
    " wrong because they are free after the set-up; with --scenario as a set-up, with the order of"
    " battle and the areas. Not judged: vehicles, guns, fortifications, what is hidden"
    " beside the table, and special rules"
)
_LOGS: Final = (
    "judged: fire whose hexes are announced before its IFT DR; what the moves of men cost at the"
    " least, in phases that the turn track announces; checks, rallies and close combat where it is"
    " plain who rolls; snipers by the roll before them. Not judged: vehicles, guns, rolls whose"
    " purpose is not said, and whatever else is counted below"
)


class VaslReader:
    """Reads VASL's saves and logs with the rules of the game."""

    def knows(self, module: str) -> bool:
        """Whether a module is VASL."""
        return module == NAME

    def counters(self, module: Module) -> KnownCounters:
        """Which of VASL's counters are known."""
        return known_counters(module, AdvancedSquadLeader().tables.counters)

    def board_picture(
        self, state: GameState, file: Path, boards: Path | None = None
    ) -> BoardPicture | None:
        """The boards of a game, from where VASL keeps them; None if none were chosen."""
        return board_picture(state, boards_for(file, boards))

    def board_cells(
        self, state: GameState, file: Path, boards: Path | None = None
    ) -> Iterator[BoardCell]:
        """The hexes of a game's boards, as checks name them."""
        return vasl_map(boards_in(state.others) or (), boards_for(file, boards)).outlines()

    def check(self, saved: SavedGame, file: Path, means: Means) -> TableReport:
        """What the rules say of a save or a log."""
        folder = boards_for(means.module or file, means.boards)
        plugin = AdvancedSquadLeader(folder)
        scenario = _scenario(plugin, means.scenario)
        notes = [(0, Note("judged", _LOGS if saved.is_log else _SAVES))]
        try:
            table = read_table(saved.state(), folder)
        except NotFoundError as error:
            if not saved.is_log:
                raise
            # The dice of a log can be counted without its boards.
            notes.append((0, Note("no boards", error.message, error.hint)))
            table = VaslTable(None, ())
        notes += [(0, Note("table", text)) for text in table.notes]
        deeds: list[TableDeed] = []
        position = None
        if table.map is not None:
            read = position_of(table, plugin)
            position = read.position
            notes += [(0, note) for note in _told_of(table, read)]
            if not saved.is_log:
                deeds += _set_up(plugin, read, scenario, whole=not table.notes)
        elif not any(note.code == "no boards" for _, note in notes):
            notes.append((0, Note("no boards", "the save has no boards: no counter has a hex")))
        rolls: list[tuple[str, int, int]] = []
        steps = undone = 0
        if saved.is_log:
            judge = LogJudge(saved, file, plugin, folder, table.map)
            judge.judge()
            deeds += judge.found.deeds
            steps, undone = judge.steps, judge.undone
            rolls = [(r.player, 6, die) for _, r in judge.rolls for die in r.dice]
            notes += [(0, note) for note in _counted(judge)]
        return TableReport(
            plugin.game.key,
            plugin.game.title,
            scenario.title if scenario is not None else "",
            steps,
            undone,
            tuple(deeds),
            tuple(notes),
            tuple(rolls),
            position,
        )


def _scenario(plugin: AdvancedSquadLeader, key: str) -> Scenario | None:
    if not key:
        return None
    found = plugin.cards.get(key)
    if found is None:
        known = [one.key for one in plugin.scenarios()]
        raise NotFoundError(
            f"there is no scenario {key!r}",
            place=Place(field="scenario"),
            hint=did_you_mean(key, known) or f"scenarios: {', '.join(known)}",
        )
    return found


def _set_up(
    plugin: AdvancedSquadLeader, read: ReadPosition, scenario: Scenario | None, *, whole: bool
) -> Iterator[TableDeed]:
    """Faults of a table, each as something done.

    Stacks and concealment are bound at set-up alone: a save may be of any time, unless somebody
    names its scenario, and terrain that is not `whole` may be another.
    """
    faults = [(fault, "stacking") for fault in plugin.setup_violations(read.position)]
    try:
        faults += [(fault, "position") for fault in plugin.invariants(read.position)]
        if scenario is not None:
            faults += [(fault, "set-up") for fault in order_faults(read, scenario)]
    except HexMarshalError as error:
        yield TableDeed(error.message, "set-up", None)
    for fault, kind in faults:
        certain = kind != "stacking" or (scenario is not None and whole)
        named = _named(read, fault)
        yield TableDeed(named, kind, judged=False, certain=certain, violations=(fault,))
    if not faults:
        yield TableDeed("nothing on the table breaks what is judged", "set-up", judged=True)


def _named(read: ReadPosition, fault: Violation) -> str:
    """Whom a fault is about, as the table calls them."""
    names = [read.units[name].face.text for name in fault.units if name in read.units]
    where = ", ".join(fault.cells)
    return f"{where}: {', '.join(names)}".strip(": ") or "the order of battle"


def _told_of(table: VaslTable, read: ReadPosition) -> Iterator[Note]:
    placed = sum(1 for _ in table.placed())
    yield Note("counters", f"{placed} of {len(table.counters)} counters are on hexes")
    why = Counter(counter.why for counter in table.counters if counter.why)
    for text, count in sorted(why.items()):
        yield Note("counters", f"{count} counters are {text}")
    left = Counter(f"{c.face.text}: {text}" for c, text in read.left_out if c.is_placed)
    for text, count in sorted(left.items()):
        yield Note("left out", f"left out, {count} times: {text}")
    loose = [c for c in table.placed() if c.face.cls == WEAPON and not c.holder]
    for counter in loose:
        yield Note("possession", f"{counter.face.text} in {counter.cell} is possessed by nobody")


def _counted(judge: LogJudge) -> Iterator[Note]:
    kinds: dict[str, Counter[str]] = {}
    for _, roll in judge.rolls:
        kinds.setdefault(roll.kind, Counter())[roll.player] += 1
    for kind, players in sorted(kinds.items()):
        told = ", ".join(f"{name} {count}" for name, count in sorted(players.items()))
        yield Note("dice", f"dice: {kind}: {sum(players.values())} ({told})")
    for text, count in judge.found.unjudged():
        yield Note("not judged", f"not judged, {counted(count, 'time')}: {text}")
