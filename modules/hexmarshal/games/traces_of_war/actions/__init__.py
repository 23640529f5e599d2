"""The table of actions: what a player may do, where it belongs, and the rules that judge it."""

from hexmarshal.games.traces_of_war.actions.commanding import COMMANDING
from hexmarshal.games.traces_of_war.actions.fighting import FIGHTING
from hexmarshal.games.traces_of_war.actions.moving import MOVING
from hexmarshal.games.traces_of_war.actions.reinforcing import REINFORCING
from hexmarshal.rules.action import ActionTable

__all__ = ["ACTIONS"]

ACTIONS = ActionTable([*COMMANDING, *MOVING, *FIGHTING, *REINFORCING])
