"""Drafts a binding for a module that has none: what can be told is filled in, the rest is asked."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import NotFoundError, Place, VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.rules.values import thaw
from hexmarshal.table.binding import FORMAT, Binding
from hexmarshal.table.binding.draft_names import best, side_of, sides_named, vocabulary, words
from hexmarshal.table.binding.draft_units import Slot, draft_units, dump
from hexmarshal.table.binding.known_units import KnownUnits
from hexmarshal.table.binding.not_known import not_known
from hexmarshal.table.binding.sections import END_PHASE
from hexmarshal.vassal.components import (
    DiceButton,
    DrawPile,
    HexGrid,
    HexGridNumbering,
    ListTurnLevel,
    PlayerRoster,
    PrivateMap,
    Region,
    SquareGridNumbering,
    TurnLevel,
    TurnTracker,
    WidgetMap,
    Zone,
)
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.state.at_start import placed_copy
from hexmarshal.vassal.traits import Hideable, Layer, Marker, MovementMarkable, RotateFixed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.vassal.components import Component, Map
    from hexmarshal.vassal.module import Module

__all__ = ["draft_binding"]

_STEPS: Final = re.compile(r"(?i)step|strength|reduc|flip|side")
_LISTED: Final = 400
_BOARDS: Final = 20


def draft_binding(module: Module, game: Game, starts: Sequence[Position] = ()) -> str:
    """The draft as YAML with comments; it is a valid binding, though not a finished one.

    `starts` are the positions with which the game's scenarios begin: they tell who its units are.
    """
    pieces = list(_pieces(module))
    lines = [
        f"# A draft: how the module {module.name!r} shows what the rules of {game.title} know.",
        "# Lines with a question mark are for you to settle: see docs/referee/binding.md.",
        "# Names of the rules that you may need; `hexmarshal rules` explains them:",
        *vocabulary(game),
        *dump({"format": FORMAT, "game": game.key, "module": module.name}),
        *_map(module, game),
        *draft_units(pieces, _markers(pieces), game, KnownUnits(starts)),
        *_signs(pieces),
        *_piles(module, starts),
        *_turn(module, game),
        *_sides(module, game),
        *dump({"dice": [{"button": b.name, "sides": b.sides or 6} for b in _dice(module)]}),
        *_moves(module, game),
        *_silence(game),
    ]
    drafted = Binding.parse("\n".join(lines).encode(), Place(file="draft"))
    unshown = not_known(drafted, game, starts)
    if unshown:
        lines.append("# ? not known so far, unless it is announced; `binding check` tells it:")
        lines += [f"#   {_one_line(text)}" for text in unshown]
    return "\n".join(lines) + "\n"


def _piles(module: Module, starts: Sequence[Position]) -> list[str]:
    """The decks that could be piles of the rules."""
    names = dict.fromkeys(name for start in starts for name in start.piles)
    decks = [deck.name for deck in module.each(DrawPile) if deck.name]
    if not names:
        return []
    there = ", ".join(map(_one_line, decks)) or "none; cards may lie in places of a map"
    return [
        f"# ? decks of the module: {there}",
        f"#   piles of the rules: {', '.join(names)}",
        '#   piles: [{pile: "...", deck: "...", card: "{name}", mixed: true}]',
    ]


def _moves(module: Module, game: Game) -> list[str]:
    """How units move and phases end."""
    lines = ["# ? `drags`: the actions that dragging units can be, the likeliest first"]
    if "move" in game.actions:
        lines += dump({"drags": ["move"]})
    if next(module.each(TurnTracker), None) is None and END_PHASE not in game.actions:
        lines.append("# ? `advance`: the action that ends a phase, or lets the others go on")
        silent = Counter(f.silence.kind for f in game.frames.values() if f.silence is not None)
        likely = ["pass"] if "pass" in game.actions else [k for k, _ in silent.most_common(1)]
        lines += dump({"advance": likely[0]}) if likely else []
    lines.append("# ? `laid`: what players do by laying tokens or cards, and never say")
    return lines


def _silence(game: Game) -> list[str]:
    """What saying nothing means to the game, for players who mean something else by it."""
    lines = []
    for kind, frame in game.frames.items():
        meant = "it must be answered"
        if frame.silence is not None:
            given = (f"{name}={thaw(value)}" for name, value in frame.silence.params.items())
            meant = " ".join((f"[{frame.silence.kind}]", *given))
        lines.append(f"#   {kind}: {meant}")
    head = "# ? what silence means; under `silence` a line of chat, or null where it must be said"
    return [head, *lines] if lines else []


def _pieces(module: Module) -> Iterator[Slot]:
    definitions = {name: one.text for name, one in module.prototypes().items()}
    for slot in module.slots():
        try:
            piece = placed_copy(slot, definitions, "", (0, 0))
            yield Slot(slot.gpid, slot.name, piece, parse_add(slot.text.strip()).prototypes)
        except VassalFormatError:
            continue


def _dice(module: Module) -> Iterator[DiceButton]:
    return (button for button in module.each(DiceButton) if (button.sides or 0) > 1)


# The map


def _map(module: Module, game: Game) -> list[str]:
    maps = module.maps()
    if not maps:
        raise NotFoundError("the module has no map", place=module.place)
    # Of equals the first: that is where module makers put it.
    chosen = max(maps, key=_is_main)
    lines = dump({"map": {"name": chosen.name, "cells": ".+"}})
    lines += _cells_asked(chosen)
    others = [one.name for one in maps if one is not chosen and one.name]
    if others:
        lines.append(f"# ? other maps: {', '.join(others)}; boxes go under `boxes`")
    if game.boxes:
        lines.append(f"# ? boxes of the rules: {', '.join(box.key for box in game.boxes)}")
        lines.append('#   boxes: [{map: "...", at: "location name", box: "..."}]')
    return lines


def _is_main(of_map: Map) -> tuple[bool, bool]:
    """Nobody's own map, and rather one with hexes."""
    shared = not isinstance(of_map, PrivateMap | WidgetMap)
    return shared, any(True for _ in of_map.each(HexGrid))


def _cells_asked(of_map: Map) -> list[str]:
    """What is to be settled about the names of cells."""
    boards = list(of_map.boards)
    grids = [board.grid for board in boards if board.grid is not None]
    lines = []
    names = [board.name for board in boards if board.name]
    if names:
        lines.append(
            f"# ? boards: {', '.join(map(_one_line, names[:_BOARDS]))}; `boards` names them"
        )
    if not grids:
        return [*lines, "# ? no board of it has a grid: without one no cell has a name"]
    numbered = any(
        True
        for grid in grids
        for kind in (HexGridNumbering, SquareGridNumbering, Zone, Region)
        for _ in grid.each(kind)
    )
    if not numbered:
        lines.append("# ? its grid has no numbering: hexmarshal enhance adds one")
    else:
        lines.append(
            "# ? `cells` takes every location name for a cell: narrow it to those that are; or pair"
        )
        lines.append("#   three cells under `same`, where the rules call them otherwise")
    return lines


# The pieces


def _markers(pieces: Sequence[Slot]) -> list[str]:
    counts: Counter[str] = Counter()
    for _, _, piece, _ in pieces:
        for found in piece.each(Marker):
            counts.update(found.trait.names)
    return [name for name, _ in counts.most_common(40)]


def _signs(pieces: Sequence[Slot]) -> list[str]:
    layers: dict[str, tuple[int, int]] = {}
    called: dict[str, str] = {}
    moved = hidden = False
    facings: set[str] = set()
    for _, _, piece, _ in pieces:
        for trait in piece.traits:
            if isinstance(trait, Layer) and trait.name:
                levels, count = layers.get(trait.name, (0, 0))
                layers[trait.name] = max(levels, len(trait.images)), count + 1
                names = [f"{n} {text}" for n, text in enumerate(trait.level_names, 1) if text]
                called.setdefault(trait.name, f" ({', '.join(names)})" if names else "")
            elif isinstance(trait, RotateFixed) and trait.name:
                facings.add(trait.name)
            moved = moved or isinstance(trait, MovementMarkable)
            hidden = hidden or isinstance(trait, Hideable)
    signs: list[dict[str, Any]] = []
    asked = []
    for name, (levels, count) in sorted(layers.items()):
        if _STEPS.search(name) and levels > 1:
            signs.append({"property": f"{name}_Level", "steps": "down"})
        else:
            many = f"{counted(levels, 'level')} on {counted(count, 'counter')}"
            asked.append(f"{name}_Level: {many}{called.get(name, '')}")
    signs += [{"property": f"{name}_Facing", "facing": 1} for name in sorted(facings)]
    if moved:
        signs.append({"property": "Moved", "cases": {"true": {"flags": ["moved"]}}, "aid": True})
    if hidden:
        signs.append({"property": "Invisible", "cases": {"true": {"seen_by": "own"}}})
    lines = dump({"signs": signs}) if signs else []
    if asked:
        lines.append("# ? what do these layers show? a sign each, such as")
        lines.append('#   {property: X_Level, cases: {"2": {flags: [...]}}}')
        lines += [f"#   {_one_line(one)}" for one in asked[:_LISTED]]
    return lines


# Turns and sides


def _turn(module: Module, game: Game) -> list[str]:
    tracker = next(module.each(TurnTracker), None)
    if tracker is None:
        ends = f"the announcement [{END_PHASE}]" if END_PHASE in game.actions else "`advance`"
        return [
            "# ? the module has no turn tracker: phases end by what is done in the next one,",
            f"#   or by {ends}; no violation is certain then",
        ]
    levels, lists = list[TurnLevel](), list[ListTurnLevel]()
    shown: list[tuple[str, ...]] = []
    # One after the other: what comes before the first turn, and then the phases of all turns.
    for first in tracker.each(TurnLevel, deep=False):
        levels = [first, *_chain(first)]
        lists = [level for level in levels if isinstance(level, ListTurnLevel)]
        shown += product(*(level.entries for level in lists)) if lists else ()
    counter = next((level.name for level in levels if level not in lists), "")
    phases: dict[str, Any] = {}
    unsure = []
    for texts in shown:
        told = words(" ".join(texts))
        named = ((p.key, f"{p.key} {p.title}".replace("_", " ")) for p in game.phases)
        phase = best(told, named)
        side = best(told, sides_named(game))
        key = ", ".join(texts)
        if phase:
            phases[key] = {"phase": phase, **({"active": [side]} if side else {})}
        else:
            phases[key] = None
            unsure.append(key)
    rule: dict[str, Any] = {"tracker": tracker.name}
    if counter:
        rule["turn"] = counter
    rule |= {"levels": [level.name for level in lists], "phases": phases}
    lines = dump({"turn": rule})
    if unsure:
        lines.append(f"# ? no phase to the rules: {'; '.join(map(_one_line, unsure))}")
    lines.append(f"# phases of the rules: {', '.join(phase.key for phase in game.phases)}")
    return lines


def _chain(component: Component) -> Iterator[TurnLevel]:
    for level in component.each(TurnLevel, deep=False):
        yield level
        yield from _chain(level)
        return


def _sides(module: Module, game: Game) -> list[str]:
    seats = [side for roster in module.each(PlayerRoster) for side in roster.sides]
    known: dict[str, str] = {}
    for seat in seats:
        side = side_of(seat, game)
        if side:
            known[seat] = side
    left = [seat for seat in seats if seat not in known]
    lines = dump({"sides": known}) if known else []
    if left:
        lines.append(f"# ? seats that are no side by their name: {', '.join(map(_one_line, left))}")
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())
