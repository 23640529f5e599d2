"""The help pages of the module, in simple HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.module.binding import DRAGS, PHASES
from hexmarshal.kit.announcements import MARK_KEY
from hexmarshal.kit.pages.guide import announcements_page, keys_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.kit.announcements import Announcement
    from hexmarshal.rules.plugin import Game

__all__ = ["pages"]

_KEYS = (
    ("Ctrl+L", "lose a step; a revealed Soviet unit takes a Replacement"),
    ("Ctrl+K", "regain a step"),
    ("Ctrl+R", "reveal a Soviet unit: its value is drawn from the pool"),
    ("Ctrl+F", "turn a headquarters active or inactive, a regiment to 2-8 or 1-8"),
    ("Ctrl+U", "disrupted, or recovered"),
    ("Ctrl+S", "out of supply, or in supply again"),
    ("Ctrl+B", "a headquarters is displaced, or back"),
    ("Ctrl+W", "a regiment forms a strongpoint, or leaves it"),
    (f"Ctrl+{MARK_KEY}", "take part in what is announced next"),
    ("Ctrl+T", "show or hide the trail of a unit's moves"),
    ("Ctrl+M", "moved, or not yet; the map's own button clears all marks"),
    ("Ctrl+E", "eliminate: the unit goes to its side's box"),
    ("Ctrl+D", "take a marker off"),
)


def pages(game: Game, announced: Sequence[Announcement]) -> Iterator[tuple[str, str]]:
    """Titles and pages."""
    yield "Playing Kharkov", _playing()
    yield "Keys", keys_page(_KEYS)
    yield "Announcements", announcements_page(game, announced, DRAGS, tracker="end_phase")
    yield "About this reconstruction", _about()


def _playing() -> str:
    phases = "".join(f"<li>{phase}</li>" for phase in PHASES)
    return f"""<html><body><h1>Playing Kharkov</h1>
<p>Choose a set-up from the File menu: the whole battle, or three turns at Staryi Saltov. The Soviet
player moves first in each turn. The tracker at the top walks through the phases:</p>
<ol>{phases}</ol>
<p>Unrevealed Soviet units carry no value: neither player can look. When one is committed to combat,
reveal it, and its value is drawn from its pool in the window <b>Reserves and tracks</b>. That
window also holds the reserves, the arrivals of each turn, the regiments and the eliminated
units.</p>
<p>Hexes are named by row from the north and column from the east, as in the rules. The number in a
city hex is its garrison. The red line is the front of 12 May; Axis units stand between its numbered
points, Soviet units between its letters. South of the green line the Axis sleeps until it is
activated.</p></body></html>"""


def _about() -> str:
    return """<html><body><h1>About this reconstruction</h1>
<p>The rulebook names some hexes, the units of both sides and a few values. Those are right. The
terrain, the line of 12 May, most strengths, the pools, the air points and the arrivals are a
reconstruction of ours, after the geography of the region at 6.9 km a hex.</p>
<p>All of it is data: change the files and build the module again.</p></body></html>"""
