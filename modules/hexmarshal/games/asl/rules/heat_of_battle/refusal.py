"""Hardening may be refused: a side says so beforehand, and may take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import SetExtra
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["check", "nothing_listed", "refuse"]


def check(now: Situation, action: Action) -> Verdict:
    """ASL-BH-1: what is said is something new."""
    refused = now.position.extras.get(f"{action.side}_refuses_hardening") is True
    if refused != action.flag("accept"):
        word = "refuses" if refused else "accepts"
        text = f"{action.side} {word} hardening already"
        return Verdict((Violation("ASL-BH-1", text, cured_by=("accept",)),))
    return Verdict()


def nothing_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """It is always possible and hardly ever meant: it is not listed."""
    del now, action, slot
    return ()


def refuse(play: Play, action: Action) -> None:
    """ASL-BH-1."""
    name = f"{action.side}_refuses_hardening"
    play.do(SetExtra(name, None if action.flag("accept") else True))
