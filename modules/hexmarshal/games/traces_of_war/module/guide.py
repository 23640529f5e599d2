"""The help pages of the module, in simple HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pages"]


def pages() -> Iterator[tuple[str, str]]:
    """Titles and pages."""
    yield "Playing Traces of War", _PLAYING
    yield "What is ours", _OURS


_PLAYING = """<html><body><h1>Playing Traces of War</h1>
<p>Choose a set-up from the File menu: Race to the Dnipro (4 turns) or the whole campaign (8 turns).
The Axis player first places the three security divisions, each in a major city. The tracker at the
top walks through the phases of a turn.</p>
<h2>Tokens</h2>
<p>Each side keeps its inactive tokens in the row <b>Pool</b> of its own window, which <b>My
hand</b> opens and the other side cannot see.
To choose, drag tokens onto <b>The cup</b> in the window <b>Command and
tracks</b>: the cup is opaque and gives them back by chance. The Axis player may keep chosen tokens
in the row <b>Hand</b> of his window and throw them in later. <b>Supply</b> goes into the cup by
itself when the tracker comes to the Action Phase.</p>
<p>Draw a token from the cup by dragging it to <b>Token drawn</b>, where all see it,
carry it out, and press <b>Ctrl R</b>: it goes to the played tokens. At the end of a turn each
player right-clicks them: <b>own tokens back</b> sends his into his pool, and Supply into the
cup.</p>
<h2>Luftwaffe</h2>
<p>The Axis player drags as many markers from the <b>Luftwaffe box</b> into his window as the chart
says. Ctrl R puts one back.</p>
<h2>Markers</h2>
<p>A gold plate orders a city to be held. A red flag shows a city in Soviet hands, the red CP
marker a crossing point: that one stays for good.</p></body></html>"""

_OURS = """<html><body><h1>What is ours</h1>
<p>The rulebook prints the hexes of seven cities, of the city at 1731 and of two crossing points,
two columns of the combat results table, the command tokens and the conditions of victory. Those
are exact.</p>
<p>The rest of the map, all values on the counters, the order of battle, where units start, and the
cells of the charts that carry an asterisk are inventions of ours. Who owns the game puts the true
numbers in with <tt>--data</tt> and builds the module again.</p></body></html>"""
