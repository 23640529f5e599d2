"""Cowering: who fires undirected and rolls doubles fires worse, and not again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.state.units.traits import may_cower

if TYPE_CHECKING:
    from hexmarshal.games.asl.rules.fire.shot import Member, Shot
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation

__all__ = ["cower", "cowers_by"]


def cowers_by(now: Situation, shot: Shot) -> int:
    """ASL-COWER-1, ASL-COWER-2, ASL-INEXP-1: so many columns on doubles of the undirected."""
    if shot.leaders:
        return 0
    afraid = [member.user for member in shot.members if may_cower(now, member.user)]
    if not afraid:
        return 0
    return 2 if any(now.is_inexperienced(user) for user in afraid) else 1


def cower(play: Play, members: tuple[Member, ...], mark: str) -> None:
    """The unit that cowers, by lot in a group, and its weapons are marked as having fired."""
    now = play.now
    names = list(dict.fromkeys(m.user.id for m in members if may_cower(now, m.user)))
    if not names:
        return
    for name in chosen_by_lot(play, names, 1, "who cowers", members[0].user.side):
        if name not in play.position.units:
            continue
        play.mark(name, mark)
        for weapon in play.now.weapons(play.position.unit(name)):
            play.mark(weapon.id, mark)
