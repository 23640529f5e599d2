"""The table of actions: parameters, check, effect, and what their slots offer."""

from hexmarshal.games.conflict_of_heroes.actions import combat, movement, turn
from hexmarshal.rules.action import ActionTable

__all__ = ["ACTIONS"]

# In the order in which lists of actions show them.
ACTIONS = ActionTable(
    [
        turn.PASS,
        turn.FINISH,
        turn.BEGIN_TURN,
        combat.PLOT,
        combat.BARRAGE,
        turn.BID,
        turn.ACTIVATE,
        movement.MOVE,
        movement.PIVOT,
        combat.FIRE,
        combat.CLOSE_COMBAT,
        combat.RALLY,
        movement.DIG_IN,
        movement.HIDE,
        movement.SHIFT,
        movement.LOAD,
        movement.UNLOAD,
        movement.LEAVE,
        combat.PLAY_CARD,
        turn.QUICK_ACTION,
        turn.STALL,
        combat.FACE,
        combat.MINES,
        movement.OBSTACLE,
        movement.GROUP_MOVE,
    ]
)
