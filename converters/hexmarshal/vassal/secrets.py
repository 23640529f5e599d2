"""Players' passwords: VASSAL keeps them as user ids in saves and logs, in plain text.

`find_user_ids` gathers them, `Redactor` keeps them out of anything printed, `scrub` replaces them
in a file so that seats and ownership stay consistent: equal ids stay equal, empty stays empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.chain import decode_chain, encode_chain
from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece
from hexmarshal.vassal.commands.registry import Broken, Unknown, broken_secrets
from hexmarshal.vassal.commands.table import Chat, LogEntry
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.metadata import Metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.savegame import SavedGame
    from hexmarshal.vassal.state import GameState

__all__ = ["Pseudonyms", "Redactor", "find_user_ids", "redactor_of", "scrub", "scrubber_of"]

# Traits whose state names a player, with the field of the type that says whether it names a side
# instead. `conceal;` is a mask of a module's own.
_OWNED: Final[dict[str, int | None]] = {"hide;": 4, "obs;": 6, "restrict;": None, "conceal;": None}
_SIDE: Final = "side"
_SAVE_DATA: Final = "savedata"
_NOBODY: Final = ("", "null")
# A shorter id is replaced where it is known to be one, but not sought in running text.
_SEEKABLE: Final = 3
_DELIMITERS: Final = "\t;/,|:~"


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


class Redactor:
    """Replaces every known user id in a text, as a whole word, by a name that tells nothing."""

    def __init__(self, ids: Iterable[str], taken: Iterable[str] = ()) -> None:
        used = set(taken)
        self._names: dict[str, str] = {}
        number = 0
        for user in dict.fromkeys(ids):
            if user in _NOBODY:
                continue
            number += 1
            while f"player-{number}" in used:
                number += 1
            self._names[user] = f"player-{number}"
        self._forms: dict[str, str] = {}
        for user, name in self._names.items():
            if len(user) >= _SEEKABLE:
                self._forms[user] = name
                for delimiter in _DELIMITERS:
                    self._forms[user.replace(delimiter, "\\" + delimiter)] = name
        longest_first = sorted(self._forms, key=lambda form: (-len(form), form))
        self._regex = re.compile("|".join(map(_as_word, longest_first))) if self._forms else None

    @property
    def ids(self) -> frozenset[str]:
        """The ids that this redactor hides."""
        return frozenset(self._names)

    def rename(self, id: str) -> str:
        """The replacement of one id; what is no id stays."""
        return self._names.get(id, id)

    def __call__(self, text: str) -> str:
        """The text without any user id."""
        if self._regex is None:
            return text
        return self._regex.sub(lambda found: self._forms[found[0]], text)

    def __repr__(self) -> str:
        return f"<Redactor of {len(self._names)} ids>"


def _as_word(form: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", form[0]) else ""
    after = r"(?!\w)" if re.match(r"\w", form[-1]) else ""
    return before + re.escape(form) + after


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
    return [value for value in sure if value not in _NOBODY]


def redactor_of(root: CommandNode) -> Redactor:
    """A redactor for all user ids of a tree."""
    return Redactor(find_user_ids(root))


def scrubber_of(saved: SavedGame) -> Redactor:
    """A redactor whose names occur nowhere in the game, so that each can be told from its text."""
    taken = {f"player-{n}" for n in map(int, re.findall(r"player-(\d{1,9})", saved.text))}
    return Redactor(find_user_ids(saved.root), taken)


def scrub(saved: SavedGame, redactor: Redactor | None = None) -> SavedGame:
    """The same game with every user id replaced; a file without any stays as it is."""
    redactor = redactor or scrubber_of(saved)
    if not redactor.ids:
        return saved
    clean = saved.with_root(_scrub_node(saved.root, redactor, {}))
    comment = saved.entry(_SAVE_DATA)
    if comment is not None and (said := _scrub_comment(comment, redactor)) != comment:
        clean = clean.with_entries({_SAVE_DATA: said})
    return clean


def _scrub_comment(data: bytes, redactor: Redactor) -> bytes:
    """`savedata` without user ids in the comment that its player wrote."""
    try:
        metadata = Metadata.parse(data)
    except VassalFormatError:
        return redactor(data.decode("latin-1")).encode("latin-1")
    said = metadata.get("description")
    if said and redactor(said) != said:
        metadata.set("description", redactor(said))
    return metadata.to_bytes()


def _scrub_node(node: CommandNode, redactor: Redactor, types: dict[str, str]) -> CommandNode:
    text = _scrub_command(node.command, redactor, types).encode()
    children = tuple(_scrub_node(child, redactor, types) for child in node.children)
    same = text == node.text and all(a is b for a, b in zip(children, node.children, strict=True))
    return node if same else CommandNode(text, children)


def _scrub_command(command: Command, redactor: Redactor, types: dict[str, str]) -> Command:
    match command:
        case LogEntry(str()):
            inner = _scrub_command(command.logged, redactor, types)
            return LogEntry(inner.encode())
        case AddPiece(id, type, state):
            types[id or ""] = type
            return replace(command, state=_scrub_state(type, state, redactor))
        case ChangePiece(id, state, old):
            of_type = types.get(id, "")
            old = None if old is None else _scrub_state(of_type, old, redactor)
            return replace(command, state=_scrub_state(of_type, state, redactor), old_state=old)
        case Chat(text) | game.ScenarioNotes(text) | game.PublicNotes(text):
            return replace(command, text=redactor(text))
        case game.PrivateNote(_, text) | game.SecretNote(text=text):
            return replace(command.with_secrets(redactor.rename), text=redactor(text))
        case game.SetGlobalProperty(_, value):
            return replace(command, value=redactor(value))
        case game.ChangeProperty(_, old, new):
            return replace(command, old=redactor(old), new=redactor(new))
        case game.TakeSeat():
            return replace(
                command.with_secrets(redactor.rename), name=redactor.rename(command.name)
            )
        case game.Events(events):
            users = (replace(e, user=redactor.rename(e.user)) for e in events)
            return game.Events(tuple(users))
        case Unknown(text):
            return Unknown(redactor(text))
        case Broken(text):
            return Unknown(redactor(text))
    return command.with_secrets(redactor.rename)


def _scrub_state(type: str, state: str, redactor: Redactor) -> str:
    chain = _chains(type, state)
    if chain is None:
        return redactor(state)
    traits, states = chain
    changed = [
        _rename_owner(trait, own, redactor.rename) if _owner_field(trait) else redactor(own)
        for trait, own in zip(traits, states, strict=True)
    ]
    return state if changed == states else encode_chain(changed, "\t")


def _secrets(command: Command, types: dict[str, str]) -> Iterator[tuple[str, bool]]:
    match command:
        case AddPiece(id, type, state):
            types[id or ""] = type
            yield from _owners(type, state)
        case ChangePiece(id, state, old):
            for each in (state, old):
                if each is not None:
                    yield from _owners(types.get(id, ""), each)
        case Broken():
            yield from broken_secrets(command)
        case _:
            yield from command.secret_values()


def _owners(type: str, state: str) -> Iterator[tuple[str, bool]]:
    if not any(prefix in type for prefix in _OWNED):
        return
    chain = _chains(type, state)
    for trait, own in zip(*chain, strict=True) if chain else ():
        if _owner_field(trait):
            yield from ((user, False) for user in _owner_ids(trait, own))


def _chains(type: str, state: str) -> tuple[list[str], list[str]] | None:
    """Trait types and states side by side, as far as there are states; None if no one can tell."""
    try:
        traits = decode_chain(type, "\t")
        states = decode_chain(state, "\t", len(traits))
    except VassalFormatError:
        return None
    return traits[: len(states)], states


def _owner_field(trait: str) -> bool:
    """Whether the trait's state names a player."""
    prefix = trait[: trait.find(";") + 1]
    if prefix not in _OWNED:
        return False
    access = _OWNED[prefix]
    if access is None:
        return True
    fields = sequence.decode(trait, ";")
    return len(fields) <= access or not fields[access].startswith(_SIDE)


def _owner_ids(trait: str, state: str) -> list[str]:
    """Every user id in the state of a mask, a hidden or a restricted piece."""
    seen: list[str] = []

    def note(user: str) -> str:
        seen.append(user)
        return user

    _rename_owner(trait, state, note)
    return seen


def _rename_owner(trait: str, state: str, rename: Callable[[str], str]) -> str:
    """The state with every user id passed through `rename`; nobody stays nobody."""

    def each(user: str) -> str:
        return user if user in _NOBODY else rename(user)

    if trait.startswith(("hide;", "restrict;")):
        return each(state)
    owner, *options = sequence.decode(state, ";")
    if options:
        # The old owner or nothing, a count, and who may look.
        parts = sequence.decode(options[0], "|")
        parts = [part if i == 1 and part.isdigit() else each(part) for i, part in enumerate(parts)]
        options[0] = sequence.join(parts, "|")
    renamed = sequence.join([each(owner), *options], ";")
    return renamed if sequence.decode(renamed, ";") != sequence.decode(state, ";") else state


def _logged(command: Command) -> Command:
    while isinstance(command, LogEntry):
        command = command.logged
    return command
