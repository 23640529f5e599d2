"""What is in a file, counted and named: for a person who looks inside, and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.commands.game import ChangeProperty
from hexmarshal.vassal.components import (
    PlayerRoster,
    PredefinedSetup,
    RegularGridNumbering,
    ZonedGrid,
)
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.piece_names import full_name
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_properties import game_properties
from hexmarshal.vassal.state.location import PlainLocator
from hexmarshal.vassal.state.locator import ModuleLocator, board_size
from hexmarshal.vassal.state.turn_words import turns_in_words
from hexmarshal.vassal.traits import RawTrait

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hexmarshal.vassal.components import Board, Component, Grid, Map
    from hexmarshal.vassal.container.metadata import Metadata
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.pieces.piece_names import Lookup
    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.state.game_state import GameState, Problem
    from hexmarshal.vassal.state.location import Locator
    from hexmarshal.vassal.state.placed import PlacedPiece

__all__ = ["summarise", "summarise_module", "summarise_save"]

Summary = dict[str, object]
_PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".svg", ".bmp")


def summarise(
    path: Path,
    module: Module | None = None,
    *,
    secrets: bool = False,
    depth: int = 1,
    pieces: bool = False,
) -> Summary:
    """What is in a module, extension, save, log or bare build file; with all pieces of a game."""
    with path.open("rb") as file:
        bare = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    if bare:
        return {
            "file": str(path),
            "kind": "build file",
            **summarise_module(Module.open(path), depth),
        }
    archive = Archive.open(path)
    if archive.kind is FileKind.SAVE:
        saved = SavedGame.from_archive(archive)
        kind = "log" if saved.is_log else "save"
        return {
            "file": str(path),
            "kind": kind,
            **summarise_save(saved, module, secrets=secrets, pieces=pieces),
        }
    found = summarise_module(Module.from_archive(archive), depth)
    return {"file": str(path), "kind": archive.kind.value, **found}


def summarise_module(module: Module, depth: int = 1) -> Summary:
    """Metadata, the tree down to a depth, maps and grids, pieces, traits, what is not stock."""
    components = list(module.walk())
    traits: Counter[str] = Counter()
    own_traits: Counter[str] = Counter()
    damaged: list[str] = []

    def spoilt(component: Component, why: str) -> None:
        inside = replace(component.place, file=None)
        damaged.append(f"{inside}: {why}")

    for component in components:
        if component.holds_piece and component.text.strip():
            try:
                piece = parse_add(component.text.strip())
            except VassalFormatError as why:
                spoilt(component, why.message)
                continue
            if piece.problem is not None:
                spoilt(component, piece.problem)
            _count_traits(piece, traits, own_traits)
    roster = next(module.each(PlayerRoster), None)
    return {
        "name": module.name,
        "version": module.version,
        "metadata": _metadata(module.metadata),
        "entries": _entries(module),
        "sides": list(roster.sides) if roster is not None else [],
        "components": dict(Counter(c.short_name for c in components).most_common()),
        "custom_classes": dict(
            Counter(c.class_name for c in components if not c.stock).most_common()
        ),
        "tree": [_branch(child, depth) for child in module.root.children()],
        "maps": [_map(module, m, i) for i, m in enumerate(module.maps())],
        "pieces": sum(1 for _ in module.slots()),
        "prototypes": sorted(module.prototypes()),
        "traits": dict(traits.most_common()),
        "custom_traits": dict(own_traits.most_common()),
        "setups": [
            {"name": s.name, "file": s.get("file")}
            for s in module.each(PredefinedSetup)
            if s.get("isMenu") != "true"
        ],
        "damaged_pieces": damaged,
    }


def summarise_save(
    saved: SavedGame,
    module: Module | None = None,
    *,
    secrets: bool = False,
    pieces: bool = False,
) -> Summary:
    """Players, turn, boards, pieces by map, if asked for one by one; for a log its steps too."""
    state = saved.state()
    by_map: Counter[str] = Counter(p.map or "(off the maps)" for p in state.pieces.values())
    told: Summary = {
        "form": saved.veil.form.layout.told,
        "metadata": _metadata(saved.save_metadata),
        "module": _metadata(saved.module_metadata),
        "players": [
            {"name": s.name, "side": s.side, **({"user_id": s.user} if secrets else {})}
            for s in state.seats.values()
        ],
        "boards": {m: [_choice(c.name, c.reversed) for c in b] for m, b in state.boards.items()},
        "turn": turns_in_words(state.turns, module),
        "extensions": dict(state.extensions),
        "pieces": len(state.pieces),
        "pieces_by_map": dict(by_map.most_common()),
        "stacks": len(state.stacks),
        "decks": {d.name or d.id: len(d.members) for d in state.decks.values()},
        "properties": len(state.properties),
        "commands_of_the_module": len(state.others),
        "problems": [_problem(p) for p in saved.problems()],
    }
    locator = PlainLocator() if module is None else ModuleLocator.for_game(module, state)
    if pieces:
        maps = {piece.map for piece in state.pieces.values()}
        around = {on: game_properties(state, on).get for on in maps}
        told["placed"] = [
            _placed(piece, state, locator, around[piece.map]) for piece in state.pieces.values()
        ]
    if saved.is_log:
        log = GameLog(saved, locator)
        told["steps"] = [_step(step) for step in log.steps()]
    if secrets:
        return told
    hide = redactor_of(saved.root)
    return {key: _hidden(value, hide) for key, value in told.items()}


def _hidden(value: object, hide: object) -> object:
    """Every text in a nested value without user ids."""
    assert callable(hide)
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, list):
        return [_hidden(item, hide) for item in value]
    if isinstance(value, dict):
        return {_hidden(key, hide): _hidden(item, hide) for key, item in value.items()}
    return value


def _problem(problem: Problem) -> str:
    inside = replace(problem.place, file=None)
    return f"{inside}: {problem.message}"


def _placed(piece: PlacedPiece, state: GameState, locator: Locator, around: Lookup) -> Summary:
    """A piece of a game: what it is called, and where it lies at the start of a log."""
    name = piece.name if piece.problem else full_name(piece.piece, around)
    told: Summary = {"id": piece.id, "name": name, "gpid": piece.gpid, "map": piece.map}
    if piece.map is not None:
        told |= {"x": piece.x, "y": piece.y}
        try:
            told["location"] = str(locator.locate(piece.map, piece.x, piece.y))
        except HexMarshalError:
            told["location"] = ""
    holder = state.table.holders.get(piece.id)
    return {**told, "in": holder} if holder is not None else told


def _step(step: Step) -> Summary:
    return {
        "number": step.number,
        "player": step.player,
        "moves": [
            {"piece": m.name, "from": str(m.source or ""), "to": str(m.target or "")}
            for m in step.moves
        ],
        "changes": [{"piece": c.name, "what": list(c.details)} for c in step.changes],
        "properties": [
            {"name": c.name, "from": c.old, "to": c.new}
            for c in step.commands
            if isinstance(c, ChangeProperty)
        ],
        "dice": [{"name": d.name, "dice": list(d.dice)} for d in step.dice],
        "chat": [line.text for line in step.chat],
        "undo": step.is_undo,
        "problems": list(step.problems),
    }


def _count_traits(piece: Piece, traits: Counter[str], own: Counter[str]) -> None:
    for trait in piece.traits:
        if isinstance(trait, RawTrait):
            own[trait.own_prefix] += 1
        else:
            traits[trait.title] += 1


def _metadata(metadata: Metadata | None) -> Summary:
    if metadata is None:
        return {}
    found: Summary = {
        "name": metadata.name,
        "version": metadata.version,
        "vassal_version": metadata.vassal_version,
        "date_saved": metadata.date_saved,
        "description": metadata.description,
    }
    return {key: value for key, value in found.items() if value not in ("", None)}


def _entries(module: Module) -> Summary:
    names = module.archive.names() if module.archive is not None else []
    return {
        "count": len(names),
        "images": sum(n.lower().endswith(_PICTURES) for n in names),
        "sounds": sum(n.startswith("sounds/") for n in names),
        "classes": sum(n.endswith(".class") for n in names),
    }


def _branch(component: Component, depth: int) -> Summary:
    inside = sum(1 for _ in component.walk()) - 1
    told: Summary = {"class": component.short_name, "name": component.name, "inside": inside}
    if depth > 1:
        told["children"] = [_branch(child, depth - 1) for child in component.children()]
    return told


def _map(module: Module, of_map: Map, number: int) -> Summary:
    return {
        "name": of_map.name or f"Map{number}",
        "class": of_map.class_name,
        "boards": [_board(module, board) for board in of_map.boards],
    }


def _board(module: Module, board: Board) -> Summary:
    size = board_size(module, board)
    grid = board.grid
    return {
        "name": board.name,
        "image": str(board.image),
        "size": list(size) if size is not None else None,
        "grid": None if grid is None else _grid(grid),
    }


def _grid(grid: Grid) -> Summary:
    numbering = grid.child(RegularGridNumbering)
    told: Summary = {"class": grid.short_name, "numbered": numbering is not None}
    if isinstance(grid, ZonedGrid):
        told["zones"] = [zone.name for zone in grid.zones]
        told["background"] = None if grid.background is None else _grid(grid.background)
    return told


def _choice(name: str, reversed_: bool) -> str:
    return f"{name} (turned)" if reversed_ else name


def top(counts: dict[str, int], most: int = 12) -> Iterable[tuple[str, int]]:
    """The commonest entries, and one for the rest."""
    items = list(counts.items())
    yield from items[:most]
    if len(items) > most:
        yield f"({len(items) - most} more)", sum(n for _, n in items[most:])
