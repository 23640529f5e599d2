"""Players' passwords: VASSAL keeps them as user ids in saves and logs, in plain text.

`find_user_ids` gathers them, `Redactor` keeps them out of anything printed, `scrub` replaces them
in a file so that seats and ownership stay consistent: equal ids stay equal, empty stays empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece
from hexmarshal.vassal.commands.registry import Broken, Unknown, broken_secrets
from hexmarshal.vassal.commands.table import Chat, LogEntry
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.privacy.owners import (
    foreign_traits,
    owner_ids,
    rename_in_piece,
    uses_as_word,
)
from hexmarshal.vassal.privacy.redactor import NOBODY, Redactor, names_in
from hexmarshal.vassal.privacy.vasl_commands import command_ids, rename_in_command
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = [
    "Pseudonyms",
    "Redactor",
    "common_words",
    "find_user_ids",
    "foreign_code",
    "redactor_of",
    "scrub",
    "scrub_bytes",
    "scrubber_of",
]

_COMMENT: Final = "description"


@dataclass(slots=True)
class Pseudonyms:
    """Names for user ids: the player's own name if a roster tells it, else a number."""

    known: dict[str, str] = field(default_factory=dict, repr=False)

    def learn(self, state: GameState) -> None:
        """Take the names from the seats of a game."""
        for seat in state.seats.values():
            if seat.name and seat.name != seat.user:
                self.known[seat.user] = seat.name

    def of(self, user: str) -> str:
        """What to call the player with this id."""
        return self.known.setdefault(user, f"player-{len(self.known) + 1}")


def owner_names(names: Pseudonyms, users: Iterable[str]) -> Callable[[str], str]:
    """What to call who hides, masks or owns a piece: a player by name, a side as it is."""
    known = frozenset(users)
    return lambda owner: names.of(owner) if owner in known else owner


def find_user_ids(root: CommandNode) -> list[str]:
    """Every user id in a tree, in the order of first appearance."""
    sure: dict[str, None] = {}
    maybe: dict[str, None] = {}
    names: set[str] = set()
    types: dict[str, str] = {}
    for node in root.walk():
        command = _logged(node.command)
        if isinstance(command, game.TakeSeat):
            names |= {command.name, command.side}
        for value, soft in _secrets(command, types):
            (maybe if soft else sure)[value] = None
    for value in maybe:
        if value not in names:
            sure[value] = None
    return [value for value in sure if value not in NOBODY]


def foreign_code(root: CommandNode) -> list[str]:
    """The prefixes of traits of a module's own code: ids may stand there as nobody here knows."""
    return sorted({prefix for each in _types(root) for prefix in foreign_traits(each)})


def common_words(root: CommandNode, redactor: Redactor) -> int:
    """How many kinds of pieces use what is somebody's id as a word: a name, a picture."""
    return sum(uses_as_word(each, redactor.in_data) for each in _types(root))


def _types(root: CommandNode) -> set[str]:
    return {c.type for n in root.walk() if isinstance(c := _logged(n.command), AddPiece)}


def redactor_of(root: CommandNode) -> Redactor:
    """A redactor for all user ids of a tree."""
    return Redactor(find_user_ids(root))


def scrubber_of(saved: SavedGame, ids: Iterable[str] = ()) -> Redactor:
    """A redactor whose names occur nowhere in the game, so that each can be told from its text.

    `ids` are more ids, such as those of the module that the game is inside of.
    """
    return Redactor([*find_user_ids(saved.root), *ids], names_in(saved.text))


def scrub(saved: SavedGame, redactor: Redactor | None = None) -> SavedGame:
    """The same game with every user id replaced; a file without any stays as it is."""
    redactor = redactor or scrubber_of(saved)
    if not redactor.ids:
        return saved
    root = _Scrubber(redactor).node(saved.root)
    clean = saved if root is saved.root else saved.with_root(root)
    beside = {name: saved.entry(name) or b"" for name in saved.entry_names()}
    said = {name: scrub_bytes(data, redactor) for name, data in beside.items()}
    changed = {name: data for name, data in said.items() if data != beside[name]}
    return clean.with_entries(changed) if changed else clean


def scrub_bytes(data: bytes, redactor: Redactor) -> bytes:
    """An entry beside a saved game without user ids: metadata, notes, whatever is there."""
    try:
        document = Document.parse(data)
    except VassalFormatError:
        try:
            return redactor(data.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            return redactor.in_data(data.decode("latin-1")).encode("latin-1")
    for element in document.root.iter():
        # Only what people wrote may hold an id that looks like a number.
        clean = redactor if element.tag == _COMMENT else redactor.in_data
        element.text = clean(element.text) if element.text else element.text
        for name, value in element.attrib.items():
            element.set(name, clean(str(value)))
    return document.to_bytes()


class _Scrubber:
    """Goes through a tree in the order of execution, so that the type of each piece is known."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._types: dict[str, str] = {}

    def node(self, node: CommandNode) -> CommandNode:
        """The node with all below; the same object if nothing changed."""
        text = self._text(node.command)
        children = tuple(map(self.node, node.children))
        same = all(a is b for a, b in zip(children, node.children, strict=True))
        return node if same and text == node.text else CommandNode(text, children)

    def _text(self, command: Command) -> str:
        """The text of a command without ids: renamed where they are known, sought elsewhere."""
        prose, rename = self._redactor, self._redactor.rename
        match command:
            case LogEntry(str()):
                return LogEntry(self._text(command.logged)).encode()
            case AddPiece(id, type, state):
                self._types[id or ""] = type
                new_type, new_state = self._piece(type, state)
                return replace(command, type=new_type, state=new_state).encode()
            case ChangePiece(id, state, old):
                of_type = self._types.get(id, "")
                new = self._piece(of_type, state)[1]
                before = None if old is None else self._piece(of_type, old)[1]
                return replace(command, state=new, old_state=before).encode()
            case Chat(text) | game.ScenarioNotes(text) | game.PublicNotes(text):
                command = replace(command, text=prose(text))
            case game.PrivateNote(_, text) | game.SecretNote(text=text):
                command = replace(command.with_secrets(rename), text=prose(text))
            case game.TakeSeat():
                command = replace(command.with_secrets(rename), name=rename(command.name))
            case game.Events(events):
                users = (replace(e, user=rename(e.user)) for e in events)
                command = game.Events(tuple(users))
            case Unknown(text):
                return self._redactor.in_data(rename_in_command(text, rename))
            case Broken(text):
                return prose(text)
            case _:
                command = command.with_secrets(rename)
        return self._rest(command)

    def _rest(self, command: Command) -> str:
        """What else a stock command says, its prefix apart: that is a word of the format."""
        text = command.encode()
        prefix = command.FORM.prefix if command.FORM is not None else ""
        return prefix + self._redactor.in_data(text[len(prefix) :])

    def _piece(self, type: str, state: str) -> tuple[str, str]:
        return rename_in_piece(type, state, self._redactor.rename, self._redactor.in_data)


def _secrets(command: Command, types: dict[str, str]) -> Iterator[tuple[str, bool]]:
    match command:
        case AddPiece(id, type, state):
            types[id or ""] = type
            yield from ((user, False) for user in owner_ids(type, state))
        case ChangePiece(id, state, old):
            for each in (state, old):
                if each is not None:
                    yield from ((user, False) for user in owner_ids(types.get(id, ""), each))
        case Unknown(text):
            yield from ((user, False) for user in command_ids(text))
        case Broken():
            yield from broken_secrets(command)
        case _:
            yield from command.secret_values()


def _logged(command: Command) -> Command:
    while isinstance(command, LogEntry):
        command = command.logged
    return command
