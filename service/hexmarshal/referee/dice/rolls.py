"""Reads the rolls of a log of any module: by its dice buttons, or as rolls are usually worded."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.commands.table import Chat, Undo
from hexmarshal.vassal.components import DiceButton, RandomTextButton, SpecialDiceButton, SpecialDie
from hexmarshal.vassal.components.dice import SpecialDieFace
from hexmarshal.vassal.saves.chat import read_chat
from hexmarshal.vassal.saves.chat_dice import DEFAULT_FORMAT, PATTERNS
from hexmarshal.vassal.saves.log import logged_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Die", "Roll", "Wording", "read_rolls", "wordings"]

_NAMED: Final = re.compile(r"(?i)(?<![a-z0-9])\d*[dw](\d+)\b")
_VASL: Final = "kind in brackets"
_VASL_SIDES: Final = 6
# Words of players and of macros, where a module has no button for it: `rolls 2d6: 3, 4`.
_SPOKEN: Final = re.compile(
    r"(?i)\*?\s*(?:<(?P<player>[^<>]+)>|(?P<speaker>[\w .'-]{1,40}?))?\s*"
    r"(?:rolls?|rolled|würfelt|lance|tira)\s+(?P<name>\d*[dw]\d+)\s*[:=]\s*"
    r"(?P<result>\d+(?:\s*[,+ ]\s*\d+)*)"
)


@dataclass(frozen=True, slots=True)
class Die:
    """What was rolled: its faces in their order; empty if nobody tells them."""

    name: str
    faces: tuple[str, ...] = ()

    @property
    def is_numbered(self) -> bool:
        """Whether its faces count from one."""
        return bool(self.faces) and self.faces == tuple(map(str, range(1, len(self.faces) + 1)))

    @property
    def is_fair_in_form(self) -> bool:
        """Whether all faces differ, so that each has the same chance."""
        return len(self.faces) > 1 and len(set(self.faces)) == len(self.faces)


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll: who rolled it, in which step, for what, and what came."""

    file: str
    step: int
    player: str
    purpose: str
    die: Die
    results: tuple[str, ...]
    taken_back: bool = False

    @property
    def total(self) -> int | None:
        """The sum, if all results are numbers."""
        if all(re.fullmatch(r"[+-]?\d+", one) for one in self.results):
            return sum(map(int, self.results))
        return None

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "file": self.file,
            "step": self.step,
            "player": self.player,
            "purpose": self.purpose,
            "die": self.die.name,
            "results": list(self.results),
            "taken_back": self.taken_back,
        }


@dataclass(frozen=True, slots=True)
class Wording:
    """How one button words its rolls: groups player, name, and result or result1, result2, ..."""

    regex: re.Pattern[str]
    die: Die | None = None
    purpose: str = ""

    def read(self, text: str) -> tuple[str, str, Die, tuple[str, ...]] | None:
        """Player, purpose, die and results of a text that is worded so."""
        found = self.regex.match(html.unescape(text))
        if found is None:
            return None
        given = found.groupdict()
        numbered = sorted((k for k in given if re.fullmatch(r"result\d+", k)), key=_number)
        results = tuple((given[k] or "").strip() for k in numbered)
        if not numbered:
            results = tuple(part for part in re.split(r"[\s,+]+", given["result"] or "") if part)
        name = (given.get("name") or self.purpose).strip()
        die = self.die or _die_named(name)
        if not results or (die.faces and any(one not in die.faces for one in results)):
            return None
        return (given.get("player") or given.get("speaker") or "").strip(), name, die, results


def _number(group: str) -> int:
    return int(group.removeprefix("result"))


def _numbered_die(sides: int) -> Die:
    return Die(f"d{sides}", tuple(map(str, range(1, sides + 1))))


def _die_named(name: str) -> Die:
    found = _NAMED.search(name)
    sides = int(found[1]) if found else 0
    return _numbered_die(sides) if 1 < sides <= 1000 else Die("?")


def wordings(module: Module | None = None) -> tuple[Wording, ...]:
    """Those of the module's buttons first, then the usual ones."""
    found = [*_buttons(module)] if module is not None else []
    usual = [
        Wording(
            pattern.regex,
            _numbered_die(_VASL_SIDES) if pattern.name == _VASL else None,
        )
        for pattern in PATTERNS
    ]
    return (*found, *usual, Wording(_SPOKEN))


def _buttons(module: Module) -> Iterator[Wording]:
    for button in module.each(DiceButton):
        report = str(button.get("reportFormat") or DEFAULT_FORMAT)
        total = str(button.get("reportTotal")) == "true"
        if "$result$" in report and not total:
            die = _numbered_die(button.sides or 6)
            yield Wording(_format(report, button.name, r"[+-]?\d+"), die, button.name)
    for texts in module.each(RandomTextButton):
        report = str(texts.get("reportFormat") or DEFAULT_FORMAT)
        faces = tuple(texts.faces)
        if "$result$" in report and faces:
            pattern = _format(report, texts.name, _any_of(faces))
            yield Wording(pattern, Die(texts.name, faces), texts.name)
    for special in module.each(SpecialDiceButton):
        dice = [
            tuple(face.name for face in die.each(SpecialDieFace))
            for die in special.each(SpecialDie)
        ]
        report = str(special.get("format") or "")
        if dice and len(set(dice)) == 1 and "$result1$" in report:
            pattern = _format(report, special.name, _any_of(dice[0]))
            yield Wording(pattern, Die(special.name, dice[0]), special.name)


def _any_of(faces: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(face) for face in set(faces)), key=len, reverse=True))


def _format(report: str, name: str, one: str) -> re.Pattern[str]:
    """The wording of a button of this name; `one` is what a single result looks like."""
    out: list[str] = []
    used: set[str] = set()
    for i, part in enumerate(html.unescape(report).split("$")):
        if i % 2 == 0:
            out.append(re.escape(part))
        elif part in used:
            out.append(".*?")
        elif part == "result":
            out.append(f"(?P<result>(?:{one})(?:\\s*,\\s*(?:{one}))*)")
        elif re.fullmatch(r"result\d+", part):
            out.append(f"(?P<{part}>{one})")
        elif part == "name":
            out.append(re.escape(name))
        elif part == "PlayerName":
            out.append("(?P<player>.+?)")
        else:
            out.append(".*?")
        used.add(part)
    lead = r"\*" if report.startswith("*") else r"\*? ?"
    return re.compile(lead + "".join(out).rstrip() + r"\s*\Z", re.DOTALL)


def read_rolls(saved: SavedGame, known: Iterable[Wording], file: str = "") -> list[Roll]:
    """Every roll of a log in its order; those that an undo took back are marked."""
    words = tuple(known)
    found: list[Roll] = []
    done: list[int] = []
    gone: set[int] = set()
    for number, node in enumerate(saved.log_part(), 1):
        commands = tuple(logged_commands(node))
        if any(isinstance(command, Undo) for command in commands):
            if done:
                gone.add(done.pop())
            continue
        done.append(number)
        for command in commands:
            if isinstance(command, Chat):
                found += _heard(command.text, words, file, number)
    return [_marked(roll) if roll.step in gone else roll for roll in found]


def _heard(text: str, words: tuple[Wording, ...], file: str, step: int) -> Iterator[Roll]:
    for wording in words:
        read = wording.read(text)
        if read is not None:
            who, purpose, die, results = read
            speaker = who or read_chat(text).player or ""
            yield Roll(file, step, speaker, purpose, die, results)
            return


def _marked(roll: Roll) -> Roll:
    return replace(roll, taken_back=True)
