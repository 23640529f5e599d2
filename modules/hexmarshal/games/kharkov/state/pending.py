"""Business in progress: what the types of its frames cannot say about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.frames import ABOUT_AN_ENGAGEMENT, ENGAGEMENT
from hexmarshal.games.kharkov.rules.combat.engagement import Engagement
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.frames import Frame

__all__ = ["problems"]

SEQUENCE = "KHA-4.1"
# What the first item of an engagement must be in each decision.
EXPECTED = {
    "result": ("defender", "attacker"),
    "displacement": ("displace",),
    "advance": ("advance",),
}


def problems(now: Situation) -> Iterator[Violation]:
    """What is wrong with the frames of a position, whose names and values are in order."""
    for i, frame in enumerate(now.position.frames):
        at = f"frames[{i}]"
        if frame.kind == ENGAGEMENT:
            yield from _engagement(now, frame, at)
        elif frame.kind in ABOUT_AN_ENGAGEMENT:
            below = now.position.frames[i - 1] if i else None
            if below is None or below.kind != ENGAGEMENT:
                yield _bad(at, f"{frame.kind} is asked for, but no combat is in progress")
            else:
                yield from _decision(frame.kind, Engagement.of(below), f"frames[{i - 1}]")
        elif frame.kind in ("alarm", "alarm_placement"):
            yield from _alarm(now, frame, at)


def _bad(field: str, text: str) -> Violation:
    return Violation(SEQUENCE, f"{field}: {text}", field=field)


def _engagement(now: Situation, frame: Frame, at: str) -> Iterator[Violation]:
    known = now.position.units
    if frame.text("kind") == "overrun" and len(frame.texts("targets")) > 1:
        yield _bad(f"{at}.about.targets", "an overrun has exactly one target")  # KHA-7.14
    for name in ("pending", "stayed"):
        for i, unit in enumerate(frame.texts(name)):
            if not known[unit].cell:
                yield _bad(f"{at}.about.{name}[{i}]", f"{unit} is not on the map")
    for i, entry in enumerate(frame.agenda):
        hq = known.get(str(entry.get("unit")))
        if hq is not None and not (hq.type == "hq" and hq.cell):
            yield _bad(f"{at}.agenda[{i}].unit", f"{hq.id} is no headquarters on the map")


def _decision(kind: str, engagement: Engagement, at: str) -> Iterator[Violation]:
    """Whether there is something to decide."""
    first = engagement.todo[0] if engagement.todo else None
    if kind == "retreat" and not engagement.pending:
        yield _bad(f"{at}.about.pending", "nobody is retreating")
    if kind in EXPECTED and (first is None or first.kind not in EXPECTED[kind]):
        yield _bad(f"{at}.agenda", f"{kind} is asked for, but not by the first entry")
    elif kind == "result" and first is not None and first.what.endswith("e"):
        yield _bad(f"{at}.agenda[0].result", "an elimination leaves nothing to decide")


def _alarm(now: Situation, frame: Frame, at: str) -> Iterator[Violation]:
    named = [(f"{at}.about", frame.about)]
    named += [(f"{at}.agenda[{i}]", entry) for i, entry in enumerate(frame.agenda)]
    for where, values in named:
        marker = str(values["marker"])
        if now.position.units[marker].type != "reserve":
            yield _bad(f"{where}.marker", f"{marker} is no reserve")
