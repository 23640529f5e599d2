"""What goes on after a decision: entry by entry, until somebody is asked something."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.rules.values import Record

__all__ = ["go_on"]


@cache
def _handlers() -> Mapping[str, Callable[[Play, Record], None]]:
    """By the kind of an entry, what it does; each may put further entries before all others."""
    from hexmarshal.games.heroes_of_stalingrad.rules.army import breaking
    from hexmarshal.games.heroes_of_stalingrad.rules.assault import outcome, resolve
    from hexmarshal.games.heroes_of_stalingrad.rules.cards import windows
    from hexmarshal.games.heroes_of_stalingrad.rules.damage import location, losses, structures
    from hexmarshal.games.heroes_of_stalingrad.rules.fire import (
        blast,
        grenades,
        opportunity,
        shooting,
        special,
    )
    from hexmarshal.games.heroes_of_stalingrad.rules.movement import forced, progress, spotting
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence import activation, turn

    return {
        "march": progress.march,
        "finish_move": progress.finish,
        "moved": progress.moved,
        "spot": spotting.look_around,
        "window": opportunity.window,
        "after_fire": opportunity.after_fire,
        "shot": shooting.shot,
        "shot_rolled": shooting.rolled,
        "frighten": shooting.frighten,
        "snipe_rolled": special.sniped,
        "disturb_rolled": special.disturbed,
        "scatter_rolled": blast.scattered,
        "explode": blast.explode,
        "blast_at": blast.blast_at,
        "blast_rolled": blast.hit,
        "flame": blast.burnt,
        "grenade": grenades.ask_return,
        "loss": losses.loss,
        "destroy": losses.destroy,
        "remove": losses.remove,
        "suppress": losses.suppress,
        "location": location.roll,
        "located": location.rolled,
        "demolish": structures.demolish,
        "demolished": structures.rolled,
        "points": structures.add_points,
        "collapse": structures.collapse,
        "redeploy": structures.redeploy,
        "displace": forced.displace,
        "eject": forced.eject,
        "assault": resolve.begin,
        "assault_dice": resolve.roll_attacker,
        "assault_attacked": resolve.roll_defender,
        "assault_rolled": resolve.compare,
        "retreat": outcome.retreat,
        "take_cell": outcome.take_cell,
        "break": breaking.look,
        "reroll": windows.ask_reroll,
        "action_done": activation.action_done,
        "end_activation": activation.end,
        "end_turn": turn.end_of_turn,
    }


def go_on(play: Play) -> None:
    """Go on until a side is asked something, or the game is over."""
    from hexmarshal.games.heroes_of_stalingrad.rules.army.victory import outcome

    while outcome(play.now) is None:
        frames = play.position.frames
        places = [i for i, frame in enumerate(frames) if frame.kind == BUSINESS]
        if not places:
            return
        at = places[-1]
        agenda = frames[at].agenda
        if not agenda:
            play.answered(BUSINESS)
            return
        if any(frame.deciders for frame in frames[at + 1 :]):
            return
        entry, *rest = agenda
        play.keep(BUSINESS, {}, rest)
        _handlers()[str(entry["kind"])](play, entry)
