"""The page in the module's help menu."""

from __future__ import annotations

from typing import Final

__all__ = ["GUIDE"]

GUIDE: Final = """<html><body>
<h1>Conflict of Heroes</h1>
<p>Choose a firefight under <b>File, New Game</b>, take a side, and play.</p>
<h2>Units</h2>
<ul>
<li><b>Ctrl ]</b> and <b>Ctrl [</b> turn the arrow: a unit looks where it points.</li>
<li><b>Ctrl F</b> flips a unit: fresh or spent.</li>
<li><b>Ctrl A</b> marks the active unit.</li>
<li><b>Ctrl H</b> hasty defence, <b>Ctrl W</b> in a trench or bunker, <b>Ctrl B</b> aboard a
vehicle (the one directly below it in the stack), <b>Ctrl X</b> immobile.</li>
<li><b>Ctrl I</b> hides a unit, mines or a barrage from the opponent.</li>
<li><b>Ctrl N</b> gives a unit a name of its own, <b>Ctrl O</b> works an owner.</li>
</ul>
<h2>The counter</h2>
<p>Above: action points to fire (a white circle: turret) and to move (red foot, blue tracked, green
wheeled; one sign for each bonus hex). Left: firepower against red and blue; a white plate is
worse in close combat. Right: defence of the flank, and of the front on the shield. Below: the
range.</p>
<h2>Hits</h2>
<p>Drag a marker from <b>Foot hits</b> or <b>Vehicle hits</b> onto the unit that was hit, directly
above it. Only your side sees its face. <b>Ctrl P</b> shows or hides it, <b>Ctrl R</b> returns it to
its pool, to be drawn again.</p>
<h2>Cards</h2>
<p>Drag a card from <b>Cards</b> into your hand. <b>Ctrl P</b> shows it, <b>Ctrl R</b> discards
it.</p>
<h2>Tracks</h2>
<p>A unit that is destroyed goes to its side's CAP track: the first to the box of the marker START,
each next one to the box below. Reinforcements wait in their box until their turn.</p>
</body></html>
"""
