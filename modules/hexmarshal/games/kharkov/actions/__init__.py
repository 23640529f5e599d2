"""The table of actions: of each its parameters, its place, its check and what it does."""

from hexmarshal.games.kharkov.actions import turn
from hexmarshal.games.kharkov.actions.fighting import FIGHTING
from hexmarshal.games.kharkov.actions.moving import MOVING
from hexmarshal.games.kharkov.actions.regrouping import REGROUPING
from hexmarshal.rules.action import ActionTable

__all__ = ["ACTIONS"]

# In the order in which lists of actions show them.
ACTIONS = ActionTable(
    [
        turn.END_PHASE,
        turn.DEPLOY,
        *MOVING,
        *REGROUPING,
        *FIGHTING,
        turn.AIR_SUPPLY,
        turn.REMOVE_EXCESS,
    ]
)
