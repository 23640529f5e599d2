"""What differs between two saved games or logs, in the words of the game and without secrets."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.commands.registry import Broken, Unknown
from hexmarshal.vassal.commands.turn import ListLevel, TurnLevel, TurnState
from hexmarshal.vassal.diff.changes import Change, Detail, Difference
from hexmarshal.vassal.diff.pieces import piece_details
from hexmarshal.vassal.pieces.piece_names import full_name
from hexmarshal.vassal.privacy.secrets import Pseudonyms, Redactor, find_user_ids, owner_names
from hexmarshal.vassal.saves.log import logged_commands
from hexmarshal.vassal.state.location import PlainLocator
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.location import Locator
    from hexmarshal.vassal.state.placed import PlacedStack

__all__ = ["diff_saves"]

_NOWHERE: Final = "off the map"
# Pieces with so many traits in common are one piece that was changed.
_ALIKE: Final = 0.5


def diff_saves(
    old: SavedGame,
    new: SavedGame,
    *,
    modules: tuple[Module | None, Module | None] = (None, None),
    show_secrets: bool = False,
) -> Difference:
    """What differs between two games as they stand at the end of each file.

    Of a log that is after its last step. With a module, places are named as VASSAL would.
    """
    before, after = _end(old), _end(new)
    locators = _locator(modules[0], before), _locator(modules[1], after)
    users = [*find_user_ids(old.root), *find_user_ids(new.root)]
    hide: Callable[[str], str] = (lambda text: text) if show_secrets else Redactor(users)
    names = Pseudonyms()
    names.learn(before)
    names.learn(after)
    owner = (lambda user: user) if show_secrets else owner_names(names, users)
    difference = Difference()
    difference.add(_piece_changes(before, after, locators, owner))
    difference.add(_table_changes(before, after, locators))
    difference.add(_value_changes("properties", _properties(before), _properties(after)))
    difference.add(_value_changes("turn", _turns(before), _turns(after)))
    difference.add(_value_changes("players", _players(before), _players(after)))
    difference.add(_value_changes("boards", _boards(before), _boards(after)))
    difference.add(_value_changes("notes", _notes(before, names), _notes(after, names)))
    difference.add(_value_changes("extensions", before.extensions, after.extensions))
    difference.add(_value_changes("other commands", _others(old), _others(new)))
    difference.add(_step_changes(old, new))
    difference.changes = [change.rewritten(hide) for change in difference.changes]
    return difference


def _end(saved: SavedGame) -> GameState:
    state = saved.state()
    for node in saved.log_part():
        state.apply_all(logged_commands(node))
    return state


def _locator(module: Module | None, state: GameState) -> Locator:
    return PlainLocator() if module is None else ModuleLocator.for_game(module, state)


def _spot(piece: PlacedPiece, locator: Locator) -> str:
    if piece.map is None:
        return _NOWHERE
    try:
        found = locator.locate(piece.map, piece.x, piece.y)
    except HexMarshalError:
        return f"{piece.map} {piece.x},{piece.y}"
    return f"{piece.map} {found.name or f'{piece.x},{piece.y}'}"


def _piece_changes(
    old: GameState,
    new: GameState,
    locators: tuple[Locator, Locator],
    owner: Callable[[str], str],
) -> Iterator[Change]:
    """Pieces matched by id, then by definition, name and place."""
    before, after = dict(old.pieces), dict(new.pieces)
    # Ids are numbers: two games that were set up apart may use one for different pieces.
    same = [i for i in before if i in after and _have_to_do(before[i], after[i])]
    pairs = [(before.pop(i), after.pop(i)) for i in same]
    # A game that was set up anew has other ids.
    for alike in (_same_place, _same_definition):
        waiting: dict[object, list[PlacedPiece]] = {}
        for piece in after.values():
            waiting.setdefault(alike(piece), []).append(piece)
        for piece in list(before.values()):
            queue = waiting.get(alike(piece))
            if queue and piece.gpid:
                pairs.append((before.pop(piece.id), after.pop(queue.pop(0).id)))
    for piece in before.values():
        yield Change("removed", "pieces", _called(piece), _spot(piece, locators[0]))
    for piece in after.values():
        yield Change("added", "pieces", _called(piece), _spot(piece, locators[1]))
    for one, other in pairs:
        details = list(_details(one, other, locators, owner))
        if details:
            only_moved = len(details) == 1 and details[0].what == "moved"
            kind = "moved" if only_moved else "changed"
            name, where = _called(other), _spot(other, locators[1])
            yield Change(kind, "pieces", name, where, tuple(details))


def _have_to_do(one: PlacedPiece, other: PlacedPiece) -> bool:
    """Whether two pieces under one id are one piece."""
    if one.type == other.type or (one.gpid and one.gpid == other.gpid):
        return True
    if one.name and one.name == other.name:
        return True
    first, second = one.piece, other.piece
    if first.problem is not None or second.problem is not None:
        return True
    traits = {trait.source for trait in first.traits}, {trait.source for trait in second.traits}
    return len(traits[0] & traits[1]) >= _ALIKE * len(traits[0] | traits[1])


def _called(piece: PlacedPiece) -> str:
    """The name of a piece, as labels and layers make it if it has none of its own."""
    return piece.name or (full_name(piece.piece) if not piece.problem else "")


def _same_place(piece: PlacedPiece) -> tuple[object, ...]:
    return piece.gpid, piece.name, piece.map, piece.x, piece.y


def _same_definition(piece: PlacedPiece) -> tuple[object, ...]:
    return piece.gpid, piece.name


def _details(
    old: PlacedPiece,
    new: PlacedPiece,
    locators: tuple[Locator, Locator],
    owner: Callable[[str], str],
) -> Iterator[Detail]:
    if (old.map, old.x, old.y) != (new.map, new.x, new.y):
        source, target = _spot(old, locators[0]), _spot(new, locators[1])
        if source == target:
            source, target = f"{source} ({old.x},{old.y})", f"{target} ({new.x},{new.y})"
        yield Detail("moved", source, target)
    if (old.type, old.state) != (new.type, new.state):
        yield from piece_details(old.piece, new.piece, owner)
    if old.gpid != new.gpid:
        yield Detail("gpid", old.gpid, new.gpid)


def _table_changes(
    old: GameState, new: GameState, locators: tuple[Locator, Locator]
) -> Iterator[Change]:
    """Stacks and decks whose members are the same in another order, and decks turned over."""
    held: list[PlacedStack | PlacedDeck] = [*old.stacks.values(), *old.decks.values()]
    for holder in held:
        other = new.find(holder.id)
        if other is None or isinstance(other, PlacedPiece) or holder.members == other.members:
            continue
        if sorted(holder.members) == sorted(other.members):
            top = new.pieces.get(other.members[-1])
            place = locators[1].locate(other.map, other.x, other.y).name if other.map else _NOWHERE
            name = other.name if isinstance(other, PlacedDeck) else f"stack at {other.map} {place}"
            details = (Detail("order", None, f"now on top: {top.name if top else '?'}"),)
            yield Change("changed", "stacks and decks", name, details=details)
    for deck in old.decks.values():
        turned = new.decks.get(deck.id)
        if turned is not None and turned.face_down != deck.face_down:
            sides = [("face up", "face down")[d.face_down] for d in (deck, turned)]
            yield Change(
                "changed", "stacks and decks", deck.name, details=(Detail("side", *sides),)
            )


def _value_changes(group: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Change]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        kind = "added" if before is None else "removed" if after is None else "changed"
        yield Change(kind, group, name, details=(Detail("value", before, after),))


def _others(saved: SavedGame) -> dict[str, str]:
    """How many commands there are that have no words here: a module's own, and damaged ones.

    Their texts are not shown, for who knows what they hold; a check sum tells them apart.
    """
    found: dict[str, list[str]] = {}
    for node in saved.save_part():
        match node.command:
            case Broken(text, name, problem):
                found.setdefault(f"{name} {problem}", []).append(text)
            case Unknown(text):
                found.setdefault("of the module's own", []).append(text)
    return {
        name: f"{len(texts)}, check sum {zlib.crc32(repr(texts).encode()):08x}"
        for name, texts in found.items()
    }


def _properties(state: GameState) -> dict[str, str]:
    return {
        f"{name} ({container})" if container else name: value
        for (container, name), value in state.properties.items()
    }


def _turns(state: GameState) -> dict[str, str]:
    return {name: _turn(command.state) for name, command in state.turns.items()}


def _turn(text: str) -> str:
    try:
        turn = TurnState.decode(text)
    except HexMarshalError:
        return text
    told = []
    levels: tuple[TurnLevel, ...] = turn.levels[turn.current : turn.current + 1]
    while levels:
        level = levels[0]
        counted = f"entry {level.current + 1}" if isinstance(level, ListLevel) else level.current
        told.append(str(counted))
        levels = level.levels[level.sublevel : level.sublevel + 1]
    return ", ".join(told)


def _players(state: GameState) -> dict[str, str]:
    """Sides by player; two without a name are told apart by number, never by id."""
    found: dict[str, str] = {}
    for seat in state.seats.values():
        name = seat.name if seat.name != seat.user else ""
        label = name or "a player"
        number = 2
        while label in found:
            label = f"{name or 'a player'} ({number})"
            number += 1
        found[label] = seat.side
    return found


def _boards(state: GameState) -> dict[str, str]:
    return {
        name: ", ".join(
            f"{b.name} at {b.column},{b.row}" + (" reversed" if b.reversed else "") for b in boards
        )
        for name, boards in state.boards.items()
    }


def _notes(state: GameState, names: Pseudonyms) -> dict[str, str]:
    """Public notes as they are; of private and secret ones only that they differ."""
    notes = state.notes
    found = {"scenario notes": notes.scenario, "public notes": notes.public}
    for user, text in notes.private.items():
        found[f"private notes of {names.of(user)}"] = counted(len(text), "character")
    for (user, name), note in notes.secret.items():
        hidden = counted(len(note.text), "character") if note.hidden else note.text
        found[f"secret note {name} of {names.of(user)}"] = hidden
    return {name: text for name, text in found.items() if text}


def _step_changes(old: SavedGame, new: SavedGame) -> Iterator[Change]:
    if not (old.is_log or new.is_log):
        return
    before, after = (list(saved.log_part()) for saved in (old, new))
    same = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        same += 1
    if len(before) == len(after) == same:
        return
    details = (
        Detail("steps", str(len(before)), str(len(after))),
        Detail("first steps that are the same", None, str(same)),
    )
    yield Change("changed", "log", "steps", details=details)
