"""How rolls are worded in the chat of a module, and what looks like one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.interpret.table_watch import PIECE_COMMANDS
from hexmarshal.vassal.components import DiceButton
from hexmarshal.vassal.saves.chat_dice import PATTERNS, DicePattern

if TYPE_CHECKING:
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.log import Step

__all__ = ["BUTTON", "dice_patterns", "looks_like_dice"]

BUTTON: Final = "button "
"""Stands before the name of a button in that of its pattern."""
_NUMBER: Final = re.compile(r"\d")
_ROLLING: Final = re.compile(r"(?i)\b(?:dice|die|roll\w*|würfel\w*|dés?)\b")
_DIE: Final = re.compile(r"(?i)(?<![\w-])\d*[dw]\d+\b")


def dice_patterns(binding: Binding | None, module: Module | None) -> tuple[DicePattern, ...]:
    """How rolls are worded: by the binding, by the module's buttons, by VASSAL's default."""
    found = []
    for i, rule in enumerate(binding.dice if binding is not None else ()):
        if rule.pattern is not None:
            found.append(DicePattern(f"dice {i}", rule.pattern))
    for button in module.each(DiceButton) if module is not None else ():
        report = str(button.get("reportFormat") or "")
        if "$result$" in report:
            found.append(DicePattern.of_format(f"{BUTTON}{button.name}", report))
    return (*found, *PATTERNS)


def looks_like_dice(step: Step, text: str) -> bool:
    """A report that says a number and not where a piece went: cells may be called D6 as well."""
    if not _NUMBER.search(text):
        return False
    moved = any(isinstance(command, PIECE_COMMANDS) for command in step.commands)
    return bool(_ROLLING.search(text)) or (not moved and bool(_DIE.search(text)))
