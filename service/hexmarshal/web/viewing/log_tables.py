"""What lies on the table after each step of a log: replayed once, told step by step."""

from __future__ import annotations

import json
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors.counts import counted
from hexmarshal.vassal.commands.game import ChangeProperty, SetGlobalProperty
from hexmarshal.vassal.components import LayeredPieceCollection
from hexmarshal.vassal.render.figure import cover_name, property_of
from hexmarshal.vassal.state.game_properties import game_properties
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece
from hexmarshal.web.drawing.sheets import Face, Lying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.state.game_state import GameState
    from hexmarshal.vassal.state.placed import Placed
    from hexmarshal.web.drawing.module_art import ModuleArt

__all__ = ["LogTables", "TableTeller"]

_CHECKPOINT: Final = 64
# Each thing that lies by itself: its rank among the layers, and its pieces as JSON.
_Told = tuple[int, tuple[str, ...]]


class TableTeller:
    """Tells what lies on the table of a game, as an onlooker sees it; `reveal` shows all.

    `names` has the name that a map is shown by, for each other name that saves have for it; `hide`
    takes players' passwords out of what people wrote.
    """

    def __init__(
        self,
        module: Module | None,
        art: ModuleArt | None,
        *,
        reveal: bool,
        names: Mapping[str, str] | None = None,
        hide: Callable[[str], str] = str,
    ) -> None:
        self.hide = hide
        self._art, self._reveal, self._names = art, reveal, names or {}
        self._around: dict[str, dict[str, str]] = {}
        self._layers: dict[str, tuple[str, dict[str, int]]] = {}
        for number, of_map in enumerate(module.maps() if module is not None else ()):
            layers = next(of_map.each(LayeredPieceCollection), None)
            if layers is not None:
                order = {name: rank for rank, name in enumerate(layers.layer_order)}
                self._layers[of_map.name or f"Map{number}"] = (layers.property, order)

    def begin(self) -> None:
        """Forget the properties of the game: they may be others now."""
        self._around.clear()

    def whole(self, state: GameState) -> dict[str, _Told]:
        """Everything that lies by itself."""
        self.begin()
        items = state.table.items
        own = (key for key in items if key not in state.table.holders)
        return {key: told for key in own if (told := self.told(items[key], state)) is not None}

    def told(self, item: Placed, state: GameState) -> _Told | None:
        """One thing that lies by itself, with what it holds; None if it is on no map."""
        on = item.map
        if not on:
            return None
        if on not in self._around:
            self._around[on] = game_properties(state, on)
        around = self._around[on]
        name = self._names.get(on, on)
        if isinstance(item, PlacedPiece):
            members: tuple[PlacedPiece, ...] = (item,)
        else:
            members = state.members(item.id)
        closed = isinstance(item, PlacedDeck) and item.face_down
        shown = members[-1:] if isinstance(item, PlacedDeck) else members
        pieces = []
        for piece in shown:
            face: Face | None = None
            if self._art is not None:
                face = self._art.face(piece, around, reveal=self._reveal, face_down=closed)
                if face is None:
                    continue
            title = self.name(piece)
            if isinstance(item, PlacedDeck):
                title = f"{self.hide(item.name or '') or 'deck'}: {counted(len(members), 'card')}"
            lying = Lying(piece.id, "piece", name, item.x, item.y, title, face, label=title[:12])
            pieces.append(json.dumps(lying.to_json(), ensure_ascii=False))
        return self._rank(name, members), tuple(pieces)

    def name(self, piece: PlacedPiece) -> str:
        """What an onlooker calls a piece."""
        cover = None if self._reveal else cover_name(piece.piece)
        return self.hide(cover or piece.name) or "a piece"

    def _rank(self, on: str, members: tuple[PlacedPiece, ...]) -> int:
        layers = self._layers.get(on)
        if layers is None:
            return 0
        name, order = layers
        found = (property_of(piece.piece, name) for piece in members[:1])
        return next((order[layer] for layer in found if layer in order), len(order))


def as_json(tops: dict[str, _Told]) -> str:
    """A table as the pages read it, lowest layer first."""
    told = sorted(tops.values(), key=lambda top: top[0])
    return f'{{"pieces":[{",".join(piece for _, pieces in told for piece in pieces)}]}}'


class LogTables:
    """The tables of a log, from 0 at its start; replayed in the background, in one pass."""

    def __init__(
        self, replay: Iterator[tuple[Step, GameState]], start: GameState, teller: TableTeller
    ) -> None:
        self._replay, self._teller = replay, teller
        self._last = dict(start.table.items)
        self._now = teller.whole(start)
        self._held = [dict(self._now)]
        self._changes: list[dict[str, _Told | None]] = [{}]
        self._reached = threading.Condition()
        self.steps: list[dict[str, Any]] = []
        self.done = False

    def read_all(self) -> None:
        """Replay to the end; others may ask meanwhile."""
        try:
            for step, state in self._replay:
                self._take(step, state)
        finally:
            with self._reached:
                self.done = True
                self._reached.notify_all()

    def _take(self, step: Step, state: GameState) -> None:
        items, holders = state.table.items, state.table.holders
        self._teller.begin()
        old = self._last
        if any(isinstance(c, ChangeProperty | SetGlobalProperty) for c in step.commands):
            touched = set(items) | set(old)  # what looks follow may be any property
        else:
            touched = {key for key, item in items.items() if old.get(key) is not item}
            touched |= old.keys() - items.keys()
        tops = {holders.get(key, key) for key in touched} | (touched & self._now.keys())
        changed: dict[str, _Told | None] = dict.fromkeys(tops - items.keys())
        # In drawing order: what is put down last lies on top.
        for key in (key for key in items if key in tops):
            told = None if key in holders else self._teller.told(items[key], state)
            if told != self._now.get(key):
                changed[key] = told
        self._last = dict(items)
        _apply(self._now, changed)
        with self._reached:
            self._changes.append(changed)
            if len(self._changes) % _CHECKPOINT == 1:
                self._held.append(dict(self._now))
            called = partial(self._called, before=old, after=items)
            self.steps.append(_step(step, called, self._teller.hide))
            self._reached.notify_all()

    def _called(
        self, id: str, name: str, before: Mapping[str, Placed], after: Mapping[str, Placed]
    ) -> str:
        """What an onlooker calls a piece of a step: by its cover, if it had one before or after."""
        for items in (after, before):
            piece = items.get(id)
            if isinstance(piece, PlacedPiece) and (shown := self._teller.name(piece)) != piece.name:
                return shown
        return self._teller.hide(name)

    def at(self, number: int) -> str | None:
        """The table after a step, as JSON; None if there is no such step."""
        with self._reached:
            self._reached.wait_for(lambda: self.done or len(self._changes) > number)
            if not 0 <= number < len(self._changes):
                return None
        tops = dict(self._held[number // _CHECKPOINT])
        for changed in self._changes[number // _CHECKPOINT * _CHECKPOINT + 1 : number + 1]:
            _apply(tops, changed)
        return as_json(tops)

    def changes(self) -> str:
        """What changes in each step, as JSON: first everything, then what is otherwise."""
        with self._reached:
            self._reached.wait_for(lambda: self.done)
        told = [_changes(self._held[0]), *map(_changes, self._changes[1:])]
        return f'{{"changes":[{",".join(told)}]}}'

    def told(self, first: int) -> list[dict[str, Any]]:
        """The steps from one on, all of them."""
        with self._reached:
            self._reached.wait_for(lambda: self.done)
        return self.steps[max(0, first) :]


def _changes(changed: Mapping[str, _Told | None]) -> str:
    each = (
        f"{json.dumps(key)}:{'null' if told is None else _one(told)}"
        for key, told in changed.items()
    )
    return f"{{{','.join(each)}}}"


def _one(told: _Told) -> str:
    return f"[{told[0]},[{','.join(told[1])}]]"


def _apply(tops: dict[str, _Told], changed: dict[str, _Told | None]) -> None:
    for key, told in changed.items():
        tops.pop(key, None)
        if told is not None:
            tops[key] = told


def _step(
    step: Step, called: Callable[[str, str], str], hide: Callable[[str], str]
) -> dict[str, Any]:
    """A step in words."""
    words = [hide(line.text) for line in step.chat if line.text]
    moves = [
        {
            "id": move.id,
            "name": called(move.id, move.name),
            "from": _spot(move.source),
            "to": _spot(move.target),
        }
        for move in step.moves
    ]
    changes = [
        f"{called(change.id, change.name)}: {', '.join(change.details)}" for change in step.changes
    ]
    return {
        "n": step.number,
        "player": hide(step.player or ""),
        "words": words,
        "moves": moves,
        "changes": changes,
        "dice": [{"name": roll.name, "values": list(roll.dice)} for roll in step.dice],
        "undo": step.is_undo,
        "undoes": step.undoes or 0,
        "problems": [hide(str(problem)) for problem in step.problems],
    }


def _spot(location: Any) -> dict[str, Any] | None:  # noqa: ANN401 - a Location or None
    if location is None:
        return None
    return {"map": location.map, "x": location.x, "y": location.y, "name": location.name or ""}
