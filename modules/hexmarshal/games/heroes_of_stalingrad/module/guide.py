"""The help pages of the module, in simple HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.art.abilities import SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["pages"]


def pages() -> Iterator[tuple[str, str]]:
    """Titles and pages."""
    yield "Playing Heroes of Stalingrad", _PLAYING
    yield "The counters", _counters()
    yield "What is ours", _OURS


_PLAYING = """<html><body><h1>Playing Heroes of Stalingrad</h1>
<p>Choose a set-up from the File menu. Counters that wait in the box <b>to be placed</b> of the
sheet are dragged into their zone. The tracker at the top walks through the phases.</p>
<h2>Orders</h2>
<p>Take order tokens from the window of counters and lay them on their units: they lie face down,
and all see that a unit bears a token, only your side which one. <b>Ctrl P</b> turns one up when its
number is called. The referee reads tokens where they lie: nobody need announce
them. Bluffs go by themselves when the tracker comes to the Reserve Phase; before new orders are
given, <b>Announce, (take off the order tokens of the turn)</b> takes the rest and the Activated
signs of both sides off.</p>
<h2>Units</h2>
<p><b>Ctrl L</b> turns a counter to its other side, <b>Ctrl K</b> back; <b>Ctrl ]</b> and <b>Ctrl
[</b> turn it by an eighth. A vehicle of two cells lies with its front in the cell that VASSAL
names. <b>Ctrl U</b> counts Suppressed markers up, <b>Ctrl I</b> down, <b>Ctrl A</b> marks a
unit as activated, <b>Ctrl
1</b> to <b>4</b> damage crew, tracks, hull and main weapon. <b>Ctrl B</b> puts a unit aboard the
vehicle that it lies on. <b>Ctrl P</b> hides a unit in ambush.</p>
<h2>Tiles and templates</h2>
<p>Tiles lie below everything; <b>Alt</b> and a click choose one, <b>Ctrl ]</b> turns it, after four
turns half a cell across, and <b>Ctrl R</b> lays the next of its parts in ruins. Templates are laid
on the board to see what they cover, and taken off with Ctrl D.</p>
<h2>Armies</h2>
<p>Recruitment tiles and options lie in the box of your army on the sheet. <b>Ctrl 1</b> uses one of
the markers of a piece up, <b>Ctrl 6</b> gives it back. Of pieces that you take yourself, <b>Ctrl
N</b> gives the name, <b>Ctrl W</b> the tile in whose slot an option is, or the tile or option that
a unit belongs to.</p>
<h2>Cards</h2>
<p>Draw from your deck into the window of your hand, which <b>My hand</b> opens;
<b>Ctrl P</b> shows a card, <b>Ctrl R</b> puts
it to the discards.</p></body></html>"""

_OURS = """<html><body><h1>What is ours</h1>
<p>The rulebook prints a few counters (Boris, the SdKfz 251/1, the Panzer III), the names of cards
and the tables of location and snipers. Those are exact.</p>
<p>The boards, the tiles, all other counters and values, the army lists, the texts of the cards and
the scenarios are inventions of ours. Who owns the game puts the true ones in with <tt>--data</tt>
and builds the module again.</p></body></html>"""


def _counters() -> str:
    rows = "".join(f"<tr><td><b>{s}</b></td><td>{t}</td></tr>" for s, t in SIGNS.values())
    return f"""<html><body><h1>The counters</h1>
<p>The shield is the defence (of heavy vehicles at the front, the sides and the rear), the disc the
movement, the plate the combat values against infantry, light and heavy vehicles; a red plate is a
main weapon. An angle is an arc of fire. A red dot: a loss destroys this face. A red border is that
of weapons, a yellow one that of heroes.</p>
<table>{rows}</table></body></html>"""
