"""What must stay the same while the kernel changes: recorded games, and what was on offer in them.

A pinned game is a record of actions and dice (`<name>.jsonl`) and what it came to (`<name>.json`):
the board after every few actions, how many actions of each kind were legal there, and the outcome.
A change that mends a rule may change them. Then `python tests/games/pinned/pins.py NAME` writes
what the game comes to now, or plays it anew where its actions are no longer legal, and the commit
says which rule it was.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from hexmarshal.rules import Position, engine, registry
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.position import canonical_json
from hexmarshal.rules.record import GameRecord, replay
from hexmarshal.rules.selfplay import play_game
from hexmarshal.rules.values import thaw

__all__ = ["PINS", "Pin", "board_digest", "pinned", "recorded", "what_it_comes_to"]

FOLDER = Path(__file__).resolve().parent
# Counted in boxes of their own, by tests of their own: there are too many to list.
UNCOUNTED = ("group_move",)
# The board alone: how a game keeps unfinished business in its position may change.
BOARD = ("units", "markers", "piles", "cells", "tracks", "turn", "phase", "state", "active")


@dataclass(frozen=True, slots=True)
class Pin:
    """One game that is pinned: where it begins, and how often it is looked at."""

    name: str
    game: str
    scenario: str
    seed: str
    every: int
    actions: int = 5000

    @property
    def record(self) -> Path:
        return FOLDER / f"{self.name}.jsonl"

    @property
    def result(self) -> Path:
        return FOLDER / f"{self.name}.json"


PINS = (
    Pin("kharkov-exercise", "kharkov", "exercise", "pin 1", 10),
    Pin("kharkov-training", "kharkov", "training", "pin 2", 40),
    Pin("kharkov-campaign", "kharkov", "campaign", "pin 3", 60, 60),
    Pin("heroes-drill-1", "conflict_of_heroes", "drill", "pin 1", 10),
    Pin("heroes-drill-2", "conflict_of_heroes", "drill", "pin 2", 10),
    Pin("heroes-four-hands", "conflict_of_heroes", "four_hands", "pin 3", 10, 40),
    Pin("heroes-first-steps", "conflict_of_heroes", "first_steps", "pin 4", 20, 40),
)


def board_digest(position: Position) -> str:
    """Of what lies on the table and whose turn it is."""
    document = position.to_json()
    board = {name: document[name] for name in BOARD if name in document}
    return hashlib.sha256(canonical_json(board)).hexdigest()


def offered(plugin: GamePlugin, position: Position) -> dict[str, dict[str, int]]:
    """How many actions of each kind each side may do."""
    kinds = [kind for kind in plugin.game.actions if kind not in UNCOUNTED]
    counts = {
        side: Counter(o.action.kind for o in engine.offers(plugin, position, side, kinds))
        for side in position.active
    }
    return {side: dict(sorted(count.items())) for side, count in counts.items()}


def recorded(pin: Pin) -> GameRecord:
    """The actions and the dice; what the positions were is not compared here."""
    lines = pin.record.read_text("utf-8").splitlines()
    return GameRecord.from_lines(lines, pin.record.name)


def what_it_comes_to(plugin: GamePlugin, pin: Pin, record: GameRecord) -> dict[str, object]:
    """Play the record, and tell what came of it."""
    looks: dict[str, object] = {}
    last = len(record.events)
    position = None
    for number, position in enumerate(replay(plugin, record)):
        if number % pin.every == 0 or number == last:
            looks[str(number)] = {
                "board": board_digest(position),
                "offers": offered(plugin, position),
            }
    assert position is not None
    ended = plugin.outcome(position)
    return {
        "actions": last,
        "outcome": None if ended is None else ended.to_json(),
        "after": looks,
    }


def pinned(pin: Pin) -> dict[str, object]:
    """What it came to when it was pinned."""
    document: dict[str, object] = json.loads(pin.result.read_text("utf-8"))
    return document


def _played(plugin: GamePlugin, pin: Pin) -> GameRecord:
    played = play_game(
        plugin, pin.seed, scenario=pin.scenario, max_actions=pin.actions, check_replay=False
    )
    assert all(finding.kind == "no end" for finding in played.findings), played.findings
    record = played.record
    opening = replace(record.opening, digest="")
    return GameRecord(opening, tuple(replace(event, digest="") for event in record.events))


def renew(pin: Pin) -> None:
    """Pin the game as it is now."""
    plugin = registry.default().get(pin.game)
    try:
        record = recorded(pin)
        result = what_it_comes_to(plugin, pin, record)
    except Exception as error:
        print(f"{pin.name}: played anew ({error})")
        record = _played(plugin, pin)
        pin.record.write_text("".join(f"{line}\n" for line in record.to_lines()), "utf-8")
        result = what_it_comes_to(plugin, pin, record)
    text = json.dumps(result, indent=1, ensure_ascii=False)
    pin.result.write_text(f"{text}\n", "utf-8")
    kinds = Counter(str(thaw(event.action["kind"])) for event in record.events)
    print(f"{pin.name}: {result['actions']} actions, {dict(kinds.most_common())}")


if __name__ == "__main__":
    for chosen in PINS:
        if len(sys.argv) == 1 or chosen.name in sys.argv[1:]:
            renew(chosen)
