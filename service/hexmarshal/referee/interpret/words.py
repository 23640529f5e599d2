"""What players call things: sides, phases and actions, as the game's declaration has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.chat.announcements import read_call, write_call
from hexmarshal.rules.showing.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Resolution

__all__ = [
    "a_phase",
    "in_words",
    "phase_title",
    "place_title",
    "side_title",
    "spoken",
    "the_phase",
    "told_result",
]

# What stands behind an announcement: what came of it.
_BEHIND: Final = re.compile(r": |, ")


def side_title(game: Game, side: str) -> str:
    """What players call a side."""
    return next((one.title for one in game.sides if one.key == side and one.title), side)


def phase_title(game: Game | None, phase: str) -> str:
    """What players call a phase."""
    known = {one.key: one.title for one in game.phases} if game is not None else {}
    return known.get(phase, "") or phase.replace("_", " ")


def the_phase(game: Game, phase: str) -> str:
    """A phase within a sentence: the Movement Phase."""
    title = phase_title(game, phase)
    return f"the {title}" if title.lower().endswith("phase") else f"the {title} phase"


def a_phase(game: Game, phase: str) -> str:
    """A phase by what it is for, whosever it is: a combat phase."""
    names = {word.lower() for side in game.sides for word in (side.key, side.title)}
    title = phase_title(game, phase)
    words = [w.lower() for w in title.replace("_", " ").split() if w.lower() not in names]
    kind = " ".join(word for word in words if word != "phase") or phase
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} phase"


def place_title(game: Game, unit: Unit) -> str:
    """Where a unit is, as players call it."""
    titles = {box.key: box.title for box in game.boxes}
    return unit.cell or titles.get(unit.box, "") or unit.box.replace("_", " ") or "no place"


def spoken(game: Game, action: Action) -> str:
    """An action as its side would announce it."""
    return write_call(action, game.actions, with_side=True)


def in_words(game: Game, what: str) -> tuple[str, str]:
    """What was done with the announcement in it as a sentence, and that announcement.

    Who has never seen an announcement understands the sentence. Nothing, if there is none in it.
    """
    lead, bracket, rest = what.partition("[")
    ends = [*(found.start() for found in _BEHIND.finditer(rest)), len(rest)]
    for end in ends if bracket else ():
        line = f"[{rest[:end]}"
        try:
            call = read_call(line, game.actions)
            action = call.action(game.actions, "") if call is not None and call.side else None
        except HexMarshalError:
            continue
        if action is not None and spoken(game, action) == line:
            # What is nested nobody types.
            return f"{lead}{sentence(game, action)}{rest[end:]}", "" if '\\"' in line else line
    return _from_box(game, what), ""


def _from_box(game: Game, what: str) -> str:
    """A drag, with the name of the box that it began in."""
    units, colon, way = what.partition(": ")
    start, arrow, cells = way.partition(" -> ")
    titles = {box.key: box.title for box in game.boxes}
    return f"{units}{colon}{titles[start]}{arrow}{cells}" if arrow and start in titles else what


def told_result(resolutions: Iterable[Resolution], drawn: Sequence[str]) -> str:
    """In words: what came of an action; of what is drawn in secret, only that it is drawn."""
    secret = iter(drawn)
    told = (
        one.result if one.known_to is None or not one.result else _a(next(secret, "")) or one.result
        for one in resolutions
    )
    return "; ".join(filter(None, told))


def _a(thing: str) -> str:
    return thing and f"a {thing}"
