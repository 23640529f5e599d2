"""Pinned games: recorded games that must come to the same as long as the rules stay the same.

A folder with a `pins.yaml` that lists them. For each there are three files: the actions and dice
(`NAME.jsonl`), what came of them (`NAME.json`: boards, numbers and order of the legal actions, the
outcome), and the game as people would read it (`NAME.txt`). A change that mends a rule may change
them: `hexmarshal pin FOLDER --renew NAME` writes them anew, and the difference shows in review.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import yaml

from hexmarshal.errors import BadInputError, HexMarshalError, Place
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.spelling import canonical_json
from hexmarshal.testkit.offers import offer_counts, offer_order
from hexmarshal.testkit.transcripts import transcript

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["PinnedGame", "board_digest", "pinned_games"]

LIST = "pins.yaml"
# The board alone: how a game keeps unfinished business in its position may change.
BOARD = ("units", "markers", "piles", "cells", "tracks", "turn", "phase", "state", "active")
DIFFERENCES = 40


@dataclass(frozen=True, slots=True)
class PinnedGame:
    """One pinned game: where it begins, how often it is looked at, which kinds are too many."""

    folder: Path
    name: str
    game: str
    scenario: str
    seed: str
    every: int = 10
    actions: int = 5000
    uncounted: tuple[str, ...] = ()

    @property
    def record(self) -> GameRecord:
        """The actions and the dice."""
        path = self._file("jsonl")
        return GameRecord.from_lines(path.read_text("utf-8").splitlines(), path.name)

    @property
    def result(self) -> dict[str, Any]:
        """What it came to when it was pinned."""
        document: dict[str, Any] = json.loads(self._file("json").read_text("utf-8"))
        return document

    def comes_to(self, plugin: GamePlugin, record: GameRecord) -> dict[str, object]:
        """Play the record, and tell what came of it."""
        kinds = [kind for kind in plugin.game.actions if kind not in self.uncounted]
        looks: dict[str, object] = {}
        last = len(record.events)
        position = None
        for number, position in enumerate(replay(plugin, record)):
            if number % self.every == 0 or number == last:
                looks[str(number)] = {
                    "board": board_digest(position),
                    "offers": offer_counts(plugin, position, kinds),
                    "order": offer_order(plugin, position, kinds),
                }
        ended = plugin.outcome(position) if position is not None else None
        outcome = None if ended is None else ended.to_json()
        return {"actions": last, "outcome": outcome, "after": looks}

    def differences(self, plugin: GamePlugin) -> list[str]:
        """How the game comes out otherwise than it was pinned, line by line."""
        try:
            record = self.record
            now = [self._shown(self.comes_to(plugin, record)), _told(plugin, record)]
            then = [self._file(end).read_text("utf-8") for end in ("json", "txt")]
        except OSError as error:
            return [f"{self.name}: {error.strerror}: {error.filename}"]
        except HexMarshalError as error:
            return [f"{self.name}: {error}"]
        lines = [
            line
            for old, new in zip(then, now, strict=True)
            for line in difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
        ]
        return [f"{self.name}: {line}" for line in lines[:DIFFERENCES]]

    def renew(self, plugin: GamePlugin) -> str:
        """Pin the game as it is now; played anew where its actions are no longer legal."""
        said = "renewed"
        try:
            record = self.record
            result = self.comes_to(plugin, record)
        except (HexMarshalError, OSError) as error:
            new = isinstance(error, FileNotFoundError)
            said = "played for the first time" if new else f"played anew ({error})"
            record = self._played(plugin)
            text = "".join(f"{line}\n" for line in record.to_lines())
            self._file("jsonl").write_text(text, "utf-8")
            result = self.comes_to(plugin, record)
        self._file("json").write_text(self._shown(result), "utf-8")
        self._file("txt").write_text(_told(plugin, record), "utf-8")
        return f"{self.name}: {said}, {len(record.events)} actions"

    def _played(self, plugin: GamePlugin) -> GameRecord:
        played = play_game(
            plugin,
            self.seed,
            scenario=self.scenario,
            max_actions=self.actions,
            check_replay=False,
        )
        wrong = [found for found in played.findings if found.kind != "no end"]
        if wrong:
            raise HexMarshalError(f"{self.name}: {wrong[0].kind}: {wrong[0].text}")
        # What the positions were in detail is not pinned: only the board is.
        opening = replace(played.record.opening, digest="")
        events = tuple(replace(event, digest="") for event in played.record.events)
        return GameRecord(opening, events)

    def _file(self, end: str) -> Path:
        return self.folder / f"{self.name}.{end}"

    def _shown(self, result: dict[str, object]) -> str:
        return json.dumps(result, indent=1, ensure_ascii=False) + "\n"


def pinned_games(folder: Path) -> list[PinnedGame]:
    """The games that a folder's `pins.yaml` lists."""
    path = folder / LIST
    place = Place(file=str(path))
    try:
        document = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", place=place) from None
    except yaml.YAMLError as error:
        raise BadInputError(f"not YAML: {error}", place=place) from None
    rows = document.get("games") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise BadInputError("has no list 'games'", place=place)
    return [_row(folder, row, place) for row in rows]


def _row(folder: Path, row: object, place: Place) -> PinnedGame:
    known = {one.name for one in fields(PinnedGame)} - {"folder"}
    needed = {"name", "game", "scenario", "seed"}
    if not isinstance(row, dict) or not needed <= row.keys() <= known:
        raise BadInputError(
            f"an entry needs {', '.join(sorted(needed))} and may have "
            f"{', '.join(sorted(known - needed))}: {row!r}",
            place=place,
        )
    given = {**row, "uncounted": tuple(row.get("uncounted", ()))}
    return PinnedGame(folder, **given)


def _told(plugin: GamePlugin, record: GameRecord) -> str:
    return "".join(f"{line}\n" for line in transcript(plugin, record))


def board_digest(position: Position) -> str:
    """Of what lies on the table and whose turn it is."""
    document = position.to_json()
    board = {name: document[name] for name in BOARD if name in document}
    return hashlib.sha256(canonical_json(board)).hexdigest()
