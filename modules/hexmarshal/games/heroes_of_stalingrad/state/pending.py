"""Whether what play waits for fits together: business in progress, and decisions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.rules.state.validate import POSITION_RULE
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.frames import Frame

__all__ = ["problems"]

# There is one of each at most: what is said of it later is said of the same.
ONCE = ("activation", "moving", BUSINESS)
# By the decision, the entries of which the next must be one: those whose dice are looked at.
ABOUT = {"grenade": ("explode",), "location": ("located",)}


def problems(now: Situation) -> Iterator[Violation]:
    """Frames that do not fit together; of a side's view, which may hide some, nothing is said."""
    frames = now.position.frames
    if now.position.viewer or not frames:
        return
    for i, frame in enumerate(frames):
        at = f"frames[{i}]"
        if frame.kind in ONCE and any(frame.kind == one.kind for one in frames[:i]):
            yield _bad(f"{at}.kind", f"there is one {frame.kind} already")
        yield from _named(now, frame, f"{at}.about")
        yield from _agenda(now, frame, f"{at}.agenda")
        yield from _about(frame, frames[:i], at)


def _bad(field: str, text: str) -> Violation:
    return Violation(POSITION_RULE, text, field=field)


def _named(now: Situation, frame: Frame, at: str) -> Iterator[Violation]:
    """Names that may be empty: nobody is assaulted, no wreck is pushed, nobody follows."""
    for name in ("assault", "push", "board"):
        unit = frame.text(name)
        if unit and unit not in now.position.units:
            yield _bad(f"{at}.{name}", f"no unit {unit!r}")
    bearer = now.position.units.get(frame.text("unit"))
    special = frame.kind in ("precedence", "waiting") and frame.text("source") == "special"
    if special and bearer is not None and now.token_on(bearer) is None:  # HOS-2.12
        yield _bad(f"{at}.unit", f"{bearer.id} bears no token for a special order")
    following = frame.text("following")
    if following and following not in SIDES:
        yield _bad(f"{at}.following", f"no side {following!r}")


def _agenda(now: Situation, frame: Frame, at: str) -> Iterator[Violation]:
    for i, entry in enumerate(frame.agenda):
        corner = entry.get("corner")
        if corner is not None and now.ground.corner(str(corner)) is None:
            yield _bad(f"{at}[{i}].corner", f"the board has no intercell {corner!r}")
        elif entry["kind"] in ("explode", "grenade") and corner is None and "cell" not in entry:
            yield _bad(f"{at}[{i}].corner", "it goes off on an intercell, or in a cell")


def _about(frame: Frame, below: tuple[Frame, ...], at: str) -> Iterator[Violation]:
    """What a decision is about is what comes next when it is made."""
    wanted = ABOUT.get(frame.kind)
    if wanted is None and frame.kind != "reroll":
        return
    business = next((one for one in reversed(below) if one.kind == BUSINESS), None)
    entry = business.agenda[0] if business is not None and business.agenda else None
    if wanted is None:
        if entry is None or entry.get("dice") != frame.value("dice"):
            yield _bad(f"{at}.about.dice", "these dice are not what comes next")
    elif entry is None or entry["kind"] not in wanted:
        yield _bad(f"{at}.kind", f"{' or '.join(wanted)} is not what comes next")
