"""The page in the module's help menu."""

from __future__ import annotations

from typing import Final

__all__ = ["GUIDE"]

GUIDE: Final = """<html><body>
<h1>Conflict of Heroes</h1>
<p>Choose a firefight under <b>File, New Game</b>, take a side, and play. The window <b>Notes</b>
tells how many cards each side draws, what the objectives are worth, and who comes when.</p>
<h2>Units</h2>
<ul>
<li><b>Ctrl ]</b> and <b>Ctrl [</b> turn the arrow: a unit looks where it points.</li>
<li><b>Ctrl F</b> flips a unit: fresh or spent. Who is spent is no longer active, and the AP are
lost.</li>
<li><b>Ctrl A</b> marks the active unit, and its side has 7 AP.</li>
<li><b>Ctrl H</b> hasty defence, <b>Ctrl W</b> in a trench or bunker, <b>Ctrl B</b> aboard a
vehicle (the one below it in the stack), <b>Ctrl X</b> immobile, <b>Ctrl G</b> bogged down.</li>
<li><b>Ctrl K</b> writes down the weapon card that a unit carries, or the battery of a
barrage.</li>
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
above it; it goes where the unit goes. Only your side sees its face. <b>Ctrl P</b> shows or hides
it, <b>Ctrl R</b> returns it to its pool, to be drawn again.</p>
<h2>Cards</h2>
<p>Drag a card from <b>Cards</b> into your hand, which <b>My hand</b> opens.
<b>Ctrl P</b> shows it, <b>Ctrl R</b> discards
it.</p>
<h2>Tracks</h2>
<p>A unit that is destroyed goes to the losses of its side: from then on each turn begins with so
many command points less than START, but for trucks and wagons. Reinforcements wait in their box
until their turn. The marker <b>TO ACT</b> lies with the side whose go it is: <b>Announce, Who won
the initiative</b> puts it to the side that begins, and the button <b>End of my go</b> to the side
that comes after yours, as <b>Announce, Pass</b> does. A unit pays by <b>Pay AP</b>
or <b>Pay CAP</b> in its menu, and the marker of its side goes down, if there is enough.
</p>
<p>The button <b>Pay with the move</b> switches on that action points are paid by themselves: once
it is on (the AP markers then say <i>auto</i>), dragging the active unit to the next hex moves the
AP marker of its side by what the move costs, and the chat tells how much. It is off in a new game,
counts for all players, and is kept in the save. Pivots, shots and everything but moves are still
paid by hand, and so is what the module cannot know; the chat then says <i>to be paid by hand</i>:
group moves, more than one hex, bonus hexes of vehicles, hexes with wire or a roadblock, entering
and leaving the map, hidden units, and one more for a cautious move. Who moves without the sign of
the active unit, with command points or by a card, pays by hand, too. With too few AP the marker
stays. Undo takes back both.</p>
<p><b>Announce, Pass</b> and <b>End the activation</b> mark your active unit spent, <b>Prepare the
turn</b> makes all units fresh.</p>
<h2>For the referee</h2>
<p>A program can check the log of a game against the rules if you say what you do: at the target
choose <b>Announce, Fire here</b>, and your active unit fires, or those that you marked with <b>Ctrl
Y</b>. What is no action of the active unit is found under <b>Opportunity action</b>, which also
marks the unit spent, and <b>Command action</b>. It may be typed, too:</p>
<pre>[activate] g1
[move] g1 -&gt; 1-E12 facing=5
[fire] g5 -&gt; 1-D08 by=opportunity
[pass]</pre>
<p>Units are called by the names that the set-up gave them (<b>Ctrl N</b> shows them).</p>
<h2>What is ours</h2>
<p>Boards, firefights, drawings and most values on the counters are our own. What the text of the
rulebook says is exact.</p>
</body></html>
"""
