"""The table of actions: what a player may do, where it belongs, and the rules that judge it."""

from hexmarshal.games.heroes_of_stalingrad.actions.cards import CARDS
from hexmarshal.games.heroes_of_stalingrad.actions.decisions import DECISIONS
from hexmarshal.games.heroes_of_stalingrad.actions.firing import FIRING
from hexmarshal.games.heroes_of_stalingrad.actions.moving import MOVING
from hexmarshal.games.heroes_of_stalingrad.actions.orders import ORDERS
from hexmarshal.games.heroes_of_stalingrad.actions.setting_up import SETTING_UP
from hexmarshal.games.heroes_of_stalingrad.frames import FRAMES
from hexmarshal.rules.action import ActionTable
from hexmarshal.rules.frames.standing import standing_order

__all__ = ["ACTIONS"]

ACTIONS = ActionTable(
    [
        *SETTING_UP,
        *ORDERS,
        *MOVING,
        *FIRING,
        *DECISIONS,
        *CARDS,
        standing_order(
            FRAMES,
            "opportunity",
            "reroll",
            "grenade",
            "last_moment",
            "defence",
            rules=("HOS-5.28", "HOS-6.5"),
        ),
    ]
)
