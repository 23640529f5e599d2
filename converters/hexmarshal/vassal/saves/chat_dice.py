"""Dice in the chat: VASSAL sends a roll as text only, so patterns read it back."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["DEFAULT_FORMAT", "PATTERNS", "DicePattern", "DiceRoll", "dice_report", "read_dice"]

DEFAULT_FORMAT: Final = "** $name$ = $result$ *** &lt;$PlayerName$&gt;"
_NUMBER: Final = r"[+-]?\d+"
_RESULT: Final = rf"(?P<result>{_NUMBER}(?:\s*,\s*{_NUMBER})*)"


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """A roll: the dice as reported (or a lone total), what it was for and whose it was."""

    name: str
    dice: tuple[int, ...]
    player: str | None
    pattern: str

    @property
    def total(self) -> int:
        """The sum of all numbers reported."""
        return sum(self.dice)


@dataclass(frozen=True, slots=True)
class DicePattern:
    """How a module words its rolls: a regular expression with groups name, result and player."""

    name: str
    regex: re.Pattern[str]

    @classmethod
    def of_format(cls, name: str, report_format: str) -> DicePattern:
        """The pattern of a dice button from its report format (`$name$`, `$result$`, ...)."""
        groups = {"name": "(?P<name>.+?)", "result": _RESULT, "PlayerName": "(?P<player>.+?)"}
        out: list[str] = []
        used: set[str] = set()
        # Every second part of the format stands between dollar signs.
        for i, part in enumerate(html.unescape(report_format).split("$")):
            if i % 2 == 0:
                out.append(re.escape(part))
            elif part in groups and part not in used:
                out.append(groups[part])
                used.add(part)
            else:
                out.append(".*?")
        lead = r"\*" if report_format.startswith("*") else r"\* "
        return cls(name, re.compile(lead + "".join(out).rstrip() + r"\s*", re.DOTALL))

    def read(self, text: str) -> DiceRoll | None:
        """The roll that a chat text reports, if it is worded like this."""
        found = self.regex.match(html.unescape(text))
        if not found:
            return None
        groups = found.groupdict()
        dice = tuple(int(n) for n in re.findall(_NUMBER, groups["result"] or ""))
        return DiceRoll(groups.get("name") or "", dice, groups.get("player"), self.name)


def _whole(pattern: DicePattern) -> DicePattern:
    return DicePattern(pattern.name, re.compile(pattern.regex.pattern + "$", re.DOTALL))


PATTERNS: Final[tuple[DicePattern, ...]] = (
    _whole(DicePattern.of_format("dice button", DEFAULT_FORMAT)),
    DicePattern(
        "kind in brackets",
        re.compile(rf"\*\*\* \((?P<name>[^)]*)\) {_RESULT} \*\*\*\s+<(?P<player>.*?)>"),
    ),
)


def read_dice(text: str, patterns: Iterable[DicePattern] = PATTERNS) -> DiceRoll | None:
    """The roll in a chat text by the first pattern that knows it."""
    for pattern in patterns:
        roll = pattern.read(text)
        if roll is not None:
            return roll
    return None


def dice_report(name: str, dice: Sequence[int], player: str) -> str:
    """The chat text of a roll in the default format of a dice button."""
    report = DEFAULT_FORMAT.replace("$name$", name).replace("$PlayerName$", player)
    return "*" + report.replace("$result$", ",".join(map(str, dice)))
