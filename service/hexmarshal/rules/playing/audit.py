"""A finished match checked again from its file: every verdict, every die, every position.

Whoever has the file and the game needs nobody's word: the promise that was published at the start
is compared with the seed, the set-up and all actions are done anew with dice from that seed, what
was refused must be refused again, and every position must have the digest that was recorded.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.verdict import IllegalActionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.effects import Effect
    from hexmarshal.rules.state.position import Position

__all__ = ["FORMAT", "Audit", "Finding", "audit", "commitment", "read_audit", "sealed"]

FORMAT = 2
_COMMITMENT = b"hexmarshal commitment 1\0"


def commitment(seed: str) -> str:
    """The promise of a seed: whoever sees the seed later can check it, and nobody can find it."""
    return hashlib.sha256(_COMMITMENT + seed.encode("utf-8", "surrogatepass")).hexdigest()


def sealed(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a file with one more, which says how many they are and what their hash is.

    Whoever changes, leaves out or adds a line and does not know better is found out by that; and
    two who have the same hash have the same record.
    """
    number, digest = 0, hashlib.sha256()
    for line in lines:
        number += 1
        digest.update(line.encode() + b"\n")
        yield line
    yield json.dumps({"end": number, "record": digest.hexdigest()}, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as the file says; `version` is the event's, 0 for the start."""

    version: int
    text: str


@dataclass(slots=True)
class Audit:
    """What was checked, and what did not hold."""

    match: str
    game: str
    practice: bool = False
    own_dice: bool = False
    promised: str = ""
    record: str = ""
    actions: int = 0
    refused: int = 0
    dice: int = 0
    positions: int = 0
    findings: list[Finding] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "match": self.match,
            "game": self.game,
            "practice": self.practice,
            "own_dice": self.own_dice,
            "commitment": self.promised,
            "record": self.record,
            "actions": self.actions,
            "refused": self.refused,
            "dice": self.dice,
            "positions": self.positions,
            "findings": [{"version": f.version, "text": f.text} for f in self.findings],
        }


@dataclass(frozen=True, slots=True)
class _Step:
    """What an action led from and to."""

    before: Position
    after: Position
    effects: tuple[Effect, ...]


def read_audit(lines: Iterable[str], file: str = "") -> list[dict[str, Any]]:
    """The documents of a file; errors name the line."""
    found: list[dict[str, Any]] = []
    digest = hashlib.sha256()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = Place(file=file or None, line=number)
        try:
            document = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RulesError(f"not JSON: {error}", place=place) from None
        if not isinstance(document, dict):
            raise RulesError("not an object", place=place)
        if not found and document.get("audit") != FORMAT:
            raise RulesError(
                "not a file to audit",
                place=place,
                hint="export the match with EXPORT_FORMAT_AUDIT: hexmarshal call ExportMatch",
            )
        found.append({**document, "line": number, "hash": digest.hexdigest()})
        digest.update(line.strip().encode("utf-8", "surrogatepass") + b"\n")
    if not found:
        raise RulesError("an empty file", place=Place(file=file or None))
    return found


def audit(
    plugin: GamePlugin,
    documents: list[dict[str, Any]],
    advance: Callable[[int], object] = lambda _: None,
) -> Audit:
    """Check a match again."""
    return _Auditor(plugin, documents[0]).run(documents[1:], advance)


class _Auditor:
    def __init__(self, plugin: GamePlugin, head: Mapping[str, Any]) -> None:
        self._plugin = plugin
        self._head = head
        self.report = Audit(
            match=str(head.get("match", "")),
            game=str(head.get("game", "")),
            practice=head.get("practice") is True,
            own_dice=head.get("seed") is None,
            promised=str(head.get("commitment", "")),
        )
        self._positions: list[Position] = []
        self._steps: dict[int, _Step] = {}
        self._over = ""

    def _find(self, version: int, text: str) -> None:
        self.report.findings.append(Finding(version, text))

    def run(self, entries: list[dict[str, Any]], advance: Callable[[int], object]) -> Audit:
        self._promise()
        entries = self._ending(entries)
        try:
            start = self._start()
        except (HexMarshalError, TypeError, ValueError, AttributeError) as error:
            self._find(0, f"the set-up cannot be made again: {error}")
            return self.report
        self._digest(0, start, str(self._head.get("digest", "")))
        self._positions.append(start)
        refused = [entry for entry in entries if "refused" in entry]
        for entry in entries:
            if "refused" in entry:
                continue
            version = len(self._positions)
            if entry.get("event") != version:
                self._find(version, f"line {entry['line']}: event {version} is missing")
                return self.report
            try:
                self._positions.append(self._event(version, entry))
            except HexMarshalError as error:
                self._find(version, f"cannot be done again: {error}")
                return self.report
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                self._find(version, f"line {entry['line']}: not as it should be: {error!r}")
                return self.report
            advance(1)
        for entry in refused:
            self._refusal(entry)
            advance(1)
        return self.report

    def _ending(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """All but the last line, which must be the end of the file, and of just this file."""
        if not entries or "end" not in entries[-1]:
            self._find(0, "the file is cut off: its last line is missing")
            return [entry for entry in entries if "end" not in entry]
        end = entries[-1]
        self.report.record = str(end["hash"])
        if end["end"] != len(entries):
            self._find(0, f"the file has {len(entries)} lines before its end, not {end['end']}")
        if end.get("record") != end["hash"]:
            self._find(0, "the file was changed: its lines are not those that were written")
        return entries[:-1]

    def _promise(self) -> None:
        head, seed = self._head, self._head.get("seed")
        if seed is None:
            return
        if not isinstance(seed, str):
            self._find(0, "the seed is no text")
        elif head.get("practice") is True:
            if head.get("commitment"):
                self._find(0, "practice, for which nothing is promised, and a promise beside it")
        elif commitment(seed) != head.get("commitment"):
            self._find(0, "the seed is not the one that was promised")

    def _start(self) -> Position:
        head = self._head
        options, seed = head.get("options", {}), head.get("seed")
        if not isinstance(options, dict):
            raise RulesError("the options are not an object")
        text = seed if isinstance(seed, str) else None
        return engine.start(self._plugin, str(head.get("scenario", "")), options, text)

    def _digest(self, version: int, position: Position, expected: str) -> None:
        self.report.positions += 1
        if position.digest != expected:
            self._find(version, "the position is not the one that was recorded")

    def _event(self, version: int, entry: Mapping[str, Any]) -> Position:
        now = self._positions[-1]
        if self._over:
            self._find(version, f"comes after the end: {self._over}")
        if "undone" in entry:
            now = self._undone(entry)
        elif "action" in entry:
            now = self._action(version, entry, now)
        elif entry.get("table") == "ended":
            self._over = str(entry.get("how", "ended"))
        self._digest(version, now, str(entry.get("digest", "")))
        return now

    def _action(self, version: int, entry: Mapping[str, Any], now: Position) -> Position:
        action = self._read(entry)
        if entry.get("side") != action.side:
            self._find(version, f"an action of {action.side}, written down as another side's")
        dice, picks = _numbers(entry, "dice"), _numbers(entry, "picks")
        rolled = Dice(now.generator)
        if now.generator is None:
            rolled = Dice(given=dice, picks=picks)
        self.report.actions += 1
        self.report.dice += len(dice) + len(picks)
        applied = engine.perform(self._plugin, now, action, rolled)
        found = (
            [roll.value for roll in applied.rolls if not roll.pick],
            [roll.value for roll in applied.rolls if roll.pick],
        )
        if found != (dice, picks):
            self._find(version, f"the dice are {found[0]} {found[1]}, not {dice} {picks}")
        self._steps[version] = _Step(now, applied.position, tuple(applied.effects))
        return applied.position

    def _undone(self, entry: Mapping[str, Any]) -> Position:
        """Without that action, and with what was done upon it, as the service does it."""
        undone = int(entry["undone"])
        if undone not in self._steps:
            raise RulesError(f"event {undone}, which is taken back, is no action that stands")
        position = self._steps.pop(undone).before
        for later in sorted(version for version in self._steps if version > undone):
            position = apply_effects(position, self._steps[later].effects)
        return position

    def _refusal(self, entry: Mapping[str, Any]) -> None:
        """An action that was refused must be refused again, by the same rules."""
        self.report.refused += 1
        version = entry["refused"]
        if not isinstance(version, int) or not 0 <= version < len(self._positions):
            self._find(0, f"line {entry['line']}: refused at a version that there is not")
            return
        try:
            expected = sorted(map(str, entry.get("rules", ())))
            broken = self._broken(self._positions[version], self._read(entry))
        except (HexMarshalError, KeyError, TypeError, ValueError, AttributeError) as error:
            self._find(version, f"line {entry['line']}: cannot be judged again: {error}")
            return
        if broken != expected:
            told = ", ".join(broken) or "it is legal"
            self._find(version, f"refused by {', '.join(expected)}, and now: {told}")

    def _broken(self, position: Position, action: Action) -> list[str]:
        try:
            engine.perform(self._plugin, position, action, Dice(position.generator))
        except IllegalActionError as error:
            return sorted(violation.rule for violation in error.verdict.violations)
        return []

    def _read(self, entry: Mapping[str, Any]) -> Action:
        return self._plugin.game.actions.decode(entry["action"])


def _numbers(entry: Mapping[str, Any], name: str) -> list[int]:
    found = entry.get(name, [])
    if not isinstance(found, list) or not all(type(n) is int for n in found):
        raise ValueError(f"{name} is no list of whole numbers")
    return found
