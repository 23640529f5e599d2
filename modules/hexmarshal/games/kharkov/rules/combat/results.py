"""Sections 9.5 to 9.7: what a result asks of whom, step by step, until the combat is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.frames import ENGAGEMENT
from hexmarshal.games.kharkov.rules.combat import advance, losses, retreat
from hexmarshal.games.kharkov.rules.combat.engagement import (
    Engagement,
    Item,
    close,
    current,
    decide,
    update,
)
from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.state.situation import SOVIET, other
from hexmarshal.rules.copying import copied
from hexmarshal.rules.state.effects import ChangeFrame, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "affected",
    "agenda",
    "losses_violations",
    "mark_attacked",
    "no_losses",
    "no_retreat",
    "owner",
    "proceed",
    "retreating",
    "steps_due",
    "take",
]


def agenda(result: str, engagement: Engagement) -> tuple[Item, ...]:
    """What a result asks for, in order: the defender always settles first (KHA-9.58)."""
    if result == "Eng":
        return (Item("defender", "E1"), Item("attacker", "E1"))  # KHA-9.59: no advance either
    parts = result.split("/")
    todo = [Item("attacker" if part[0] == "A" else "defender", part) for part in parts]
    if not engagement.overrun:
        todo.append(Item("advance"))  # KHA-9.76: never in an overrun
    return tuple(todo)


def mark_attacked(play: Play, hexes: Sequence[str]) -> None:
    """Nobody is attacked twice in a combat phase (KHA-9.14)."""
    play.flag(current(play.now).defenders, "attacked")
    before = play.now.position.extras.get("assaulted", ())
    assert isinstance(before, tuple)
    play.do(SetExtra("assaulted", (*before, *hexes)))


def owner(engagement: Engagement) -> str:
    """The side that settles the first item."""
    return engagement.side if engagement.attacking else other(engagement.side)


def affected(now: Situation, engagement: Engagement) -> tuple[Unit, ...]:
    """The combat units that the first item is about and that can lose steps or retreat.

    KHA-15.2: to a strongpoint nothing happens but De; its attackers suffer as usual (KHA-15.25).
    Those who do not take part are not affected (KHA-9.12).
    """
    attacking = engagement.attacking
    ids = engagement.attackers if attacking else engagement.defenders
    units = (now.position.units[unit_id] for unit_id in ids)
    return tuple(
        u
        for u in units
        if u.cell
        and now.fights(u)
        and (engagement.overrun or not u.has("fled") or attacking)
        and not (u.has("strongpoint") and not attacking)
    )


def companions(now: Situation, engagement: Engagement) -> tuple[Unit, ...]:
    """Headquarters in the hexes attacked: they fall back with the others (KHA-10.13)."""
    if engagement.attacking:
        return ()
    units = (now.position.units[unit_id] for unit_id in engagement.defenders)
    return tuple(u for u in units if u.cell in engagement.targets and u.type == "hq")


def steps_due(engagement: Engagement) -> int:
    """How many steps, or hexes, the first item asks for."""
    return int(engagement.first.what[-1])


def _where(now: Situation, engagement: Engagement) -> tuple[str, ...]:
    if not engagement.attacking:
        return engagement.targets
    cells = (now.position.units[unit_id].cell for unit_id in engagement.attackers)
    return tuple(dict.fromkeys(c for c in cells if c))


# The machine


def proceed(play: Play) -> None:
    """Settle what needs no decision; ask for the first thing that does."""
    while True:
        engagement = current(play.now)
        if engagement.pending:
            if _withdrawing(play, engagement):
                return
            continue
        if not engagement.todo:
            finish(play, engagement)
            return
        kind, what = engagement.first
        if kind == "advance":
            if advance.begin(play):
                return
            _done(play)
        elif kind == "vacated":
            losses.clear_out(play, engagement.targets, other(engagement.side))
            _fall(play, engagement)
            _done(play)
        elif kind == "displace":
            if _displacing(play, what):
                return
        elif what.endswith("e"):
            _wipe_out(play, engagement)
        elif _settled(play, engagement):
            _done(play)
        else:
            decide(play, "result", owner(engagement))
            return


def _done(play: Play) -> None:
    engagement = current(play.now)
    update(play, todo=engagement.todo[1:])


def _fall(play: Play, engagement: Engagement) -> None:
    """Garrisons of the hexes attacked; who attacks out of a city risks none (KHA-15.32)."""
    if engagement.side == SOVIET:
        losses.raze(play, engagement.targets)


def _wipe_out(play: Play, engagement: Engagement) -> None:
    """KHA-9.55: all of them, no retreat."""
    now = play.now
    cells = _where(now, engagement)
    attacking = engagement.attacking
    side = owner(engagement)
    ids = engagement.attackers if attacking else engagement.defenders
    for unit_id in ids:
        unit = now.position.units[unit_id]
        if unit.cell and now.fights(unit):
            losses.eliminate(play, unit_id)
    losses.clear_out(play, cells, side)
    if not attacking:
        _fall(play, engagement)
    wiped = tuple(c for c in cells if not play.now.fighters(c, side))
    update(
        play,
        wiped=(*engagement.wiped, *wiped),
        called=2,
        hurt=engagement.hurt or attacking,
    )
    _done(play)


def _settled(play: Play, engagement: Engagement) -> bool:
    """Whether the first item is over without anybody's choice."""
    now = play.now
    units = affected(now, engagement)
    hqs = companions(now, engagement)
    only_losses = engagement.first.what.startswith("E")
    if units:
        if not only_losses and retreat.possible(now, (*units, *hqs), steps_due(engagement)):
            return False
        ways = losses.choices(units, steps_due(engagement))
        first, second = next(ways), next(ways, None)
        if second is not None:
            return False
        apply_losses(play, first)
        return True
    if engagement.attacking:
        return True
    if only_losses:
        # KHA-9.59: a garrison has no step to spare; KHA-9.52: a headquarters has none to lose.
        _fall(play, engagement)
        return True
    return _lone(play, engagement, hqs, owner(engagement))


def _lone(play: Play, engagement: Engagement, hqs: Sequence[Unit], side: str) -> bool:
    """Hexes without combat units that can suffer: headquarters and garrisons."""
    now = play.now
    if any(retreat.paths(now, hq, steps_due(engagement)) for hq in hqs):
        return False
    # KHA-10.14: no retreat, so it is displaced; KHA-15.32: a lone garrison is destroyed.
    losses.remove_fled(play, engagement.targets, side)
    losses.clear_out(play, engagement.targets, side)
    _fall(play, engagement)
    wiped = tuple(c for c in engagement.targets if not play.now.fighters(c, side))
    update(play, wiped=(*engagement.wiped, *wiped), called=steps_due(engagement))
    return True


def _withdrawing(play: Play, engagement: Engagement) -> bool:
    """Whether somebody must say where a unit retreats; who cannot any more is lost."""
    now = play.now
    stuck = []
    for unit_id in engagement.pending:
        unit = now.position.units[unit_id]
        ways = retreat.paths(now, unit, engagement.hexes, retreat.retreating(now))
        if not ways and (unit.type == "hq" or not retreat.leaves_map(now, unit, engagement.hexes)):
            stuck.append(unit)
    if stuck:
        unit = stuck[0]
        left = tuple(p for p in engagement.pending if p != unit.id)
        changed = update(play, pending=left, wiped=(*engagement.wiped, unit.cell))
        if unit.type == "hq":
            update(play, todo=(Item("displace", unit.id), *changed.todo))
        else:
            losses.eliminate(play, unit.id)
            play.note("retreat", f"{unit.id} has no way back left", "KHA-9.61")
        return False
    decide(play, "retreat", now.position.units[engagement.pending[0]].side)
    return True


def _displacing(play: Play, unit_id: str) -> bool:
    """KHA-10.17; KHA-10.18: only with no friend left is a headquarters gone."""
    now = play.now
    hq = now.position.units[unit_id]
    cells = headquarters.nearest(now, hq)
    if len(cells) > 1:
        decide(play, "displacement", hq.side)
        return True
    if cells:
        displace(play, hq, cells[0])
    else:
        losses.eliminate(play, unit_id)
        _done(play)
    return False


def displace(play: Play, hq: Unit, cell: str) -> None:
    """The headquarters goes to that friendly unit."""
    play.do(*headquarters.displaced(hq, cell))
    play.settle(cell)
    play.note("displacement", f"{hq.id} is displaced to {cell}", "KHA-10.17")
    _done(play)


# What the owner decides


def no_losses(now: Situation) -> Violation | None:
    """Why no steps can be taken now, whosever they are."""
    engagement = current(now)
    if engagement.pending:
        return Violation("KHA-9.56", "the stack is retreating: no mixing with step losses")
    if not affected(now, engagement):
        return Violation("KHA-9.56", "nobody here has a step to lose")
    return None


def losses_violations(now: Situation, units: Sequence[Unit]) -> Iterator[Violation]:
    """What is wrong with taking the losses so."""
    engagement = current(now)
    return losses.violations(units, affected(now, engagement), steps_due(engagement))


def apply_losses(play: Play, ids: Sequence[str]) -> None:
    """So many steps; hexes that are empty then count as vacated by elimination."""
    engagement = current(play.now)
    side = owner(engagement)
    attacking = engagement.attacking
    cells = _where(play.now, engagement)
    manned = tuple(c for c in cells if play.now.fighters(c, side))
    for unit_id in ids:
        losses.lose_step(play, unit_id)
    lost = tuple(dict.fromkeys(ids))
    losses.remove_fled(play, cells, side)
    losses.clear_out(play, manned, side)  # a headquarters that stood alone suffers no step
    if not attacking:
        _fall(play, engagement)
    engaged = engagement.result == "Eng"
    wiped = tuple(c for c in cells if not play.now.fighters(c, side))
    update(
        play,
        wiped=(*engagement.wiped, *wiped),
        called=max(engagement.called, steps_due(engagement)),
        hurt=engagement.hurt or attacking,
        # KHA-7.31: an Eng disrupts nobody
        shaken=(*engagement.shaken, *(() if engaged or attacking else lost)),
    )
    play.note("losses", f"{', '.join(ids)} lose steps", "KHA-9.57")


def take(play: Play, ids: Sequence[str]) -> None:
    """The owner chose losses."""
    apply_losses(play, ids)
    _done(play)
    proceed(play)


def begin_retreat(play: Play) -> None:
    """The owner chose to retreat: all of them do (KHA-9.56), and the garrison is lost with them.

    KHA-15.33.
    """
    now = play.now
    engagement = current(now)
    units = (*affected(now, engagement), *companions(now, engagement))
    side = owner(engagement)
    attacking = engagement.attacking
    losses.remove_fled(play, _where(now, engagement), side)
    hexes = steps_due(engagement)
    update(
        play,
        pending=tuple(u.id for u in units),
        hexes=hexes,
        called=max(engagement.called, hexes),
        hurt=engagement.hurt or attacking,
        todo=engagement.todo[1:] if attacking else (Item("vacated"), *engagement.todo[1:]),
    )


def no_retreat(now: Situation) -> Violation | None:
    """Why nobody can retreat now; the first one of a stack also chooses to retreat."""
    return now.position.remember("no retreat", lambda: _no_retreat(now))


def _no_retreat(now: Situation) -> Violation | None:
    engagement = current(now)
    if engagement.pending:
        return None
    if engagement.first.what.startswith("E"):
        return Violation("KHA-9.59", "no retreat from an engagement")
    group = (*affected(now, engagement), *companions(now, engagement))
    if not retreat.possible(now, group, steps_due(engagement)):
        text = "not all of them can retreat, and there is no mixing"
        return Violation("KHA-9.56", text, units=tuple(u.id for u in group))
    return None


def retreating(now: Situation) -> Situation:
    """The situation as if the retreat had been chosen, where it is not chosen yet."""
    engagement = current(now)
    if engagement.pending:
        return now
    return now.position.remember("as if retreating", lambda: _retreating(now, engagement))


def _retreating(now: Situation, engagement: Engagement) -> Situation:
    group = (*affected(now, engagement), *companions(now, engagement))
    chosen: dict[str, Value] = {
        "pending": tuple(u.id for u in group),
        "hexes": steps_due(engagement),
    }
    return copied(now, position=ChangeFrame(ENGAGEMENT, FrozenMap(chosen)).on(now.position))


def fall_back(play: Play, units: Sequence[Unit], path: Sequence[str]) -> None:
    """A group goes back; the first one of a stack chooses for all."""
    if not current(play.now).pending:
        begin_retreat(play)
    retreat.withdraw(play, units, path)
    proceed(play)


# The end


def finish(play: Play, engagement: Engagement) -> None:
    """Back to the phasing player."""
    if engagement.overrun:
        from hexmarshal.games.kharkov.rules.movement import overrun

        overrun.conclude(play, engagement)
        return
    close(play)


def end_advance(play: Play) -> None:
    """Nobody advances any more."""
    update(play, stayed=())
    _done(play)
    proceed(play)
