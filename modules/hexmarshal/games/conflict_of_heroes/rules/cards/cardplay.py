"""Cards that do something of their own: each an action of its player (COH-8.1a)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import move_execution
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.rolling import (
    Roller,
    roll_objections,
    total_cap,
)
from hexmarshal.games.conflict_of_heroes.rules.turn.turn_order import end_action
from hexmarshal.rules.state.effects import AddMarker, ChangeUnit, RemoveMarker, SetTrack
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import EMPTY, FrozenMap
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Card
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["PLAYABLE", "apply_play", "apply_quick", "check_play", "check_quick"]

ROLLING = ("07", "08", "13")
SCOUTED = 2


@dataclass(frozen=True, slots=True)
class Effect:
    """One card: why it may not be played so, and what it does.

    `acts`: the unit that it is played on does something, which the stunned cannot and mines notice.
    """

    objections: Callable[[Situation, Action], Iterator[Violation]]
    apply: Callable[[Play, Action], None]
    on_enemy: bool = False
    acts: bool = False


def _unit(now: Situation, action: Action) -> Unit | None:
    return now.position.units.get(action.text("unit"))


def check_play(now: Situation, action: Action) -> Verdict:
    """Whether the card may be played, on this unit, at this cost."""
    key = action.text("card")
    card = now.tables.cards.get(key)
    if card is None or not _at_hand(now, action, key):
        text = f"{action.side} cannot play {key}"
        return Verdict((Violation("COH-8.1a", text, field="card"),))
    cost = payment.card_bill(action, card)
    effect = PLAYABLE.get(key)
    if effect is None:
        text = f"{card.title} is not played by itself"
        return Verdict((Violation("COH-8.1a", text, field="card"),), cost)
    return Verdict.of(_play_objections(now, action, card, effect), cost)


def _play_objections(
    now: Situation, action: Action, card: Card, effect: Effect
) -> Iterator[Violation]:
    unit = _unit(now, action)
    if effect.acts and unit is not None:
        yield from _acting_objections(now, unit)
    if unit is not None and unit.side != action.side and not effect.on_enemy:
        text = f"{unit.id} is of another force"
        yield Violation("COH-20.0c", text, units=(unit.id,))
    rolls = [card.key] if card.key in ROLLING else []
    spare = now.cap(action.side) - total_cap(action, rolls)
    units = [unit] if unit is not None and not effect.on_enemy else []
    if spare < 0:
        yield Violation("COH-3.2.3a", "not so many CAP", field="cap")
    yield from payment.card_objections(now, action, card, units, spare)
    yield from roll_objections(now, action, rolls)
    yield from effect.objections(now, action)


def _at_hand(now: Situation, action: Action, key: str) -> bool:
    """Whether the card is in the hand, or given to the unit as a weapon (COH-CW3)."""
    if key in now.hand(action.side):
        return True
    units = now.position.units
    named = units.get(str(action.given("unit", "")))
    bearers = now.position.of_side(action.side) if action.open("unit") else (named,)
    given = (u for u in bearers if u is not None and u.values.get("weapon") == key)
    return key == "tellermine" and next(given, None) is not None


def _acting_objections(now: Situation, unit: Unit) -> Iterator[Violation]:
    """COH-7.5M1, COH-15.2M6: who is stunned does nothing but rally."""
    hit = now.hit(unit)
    if hit is not None and hit.only_rally and not now.option("free_cards"):
        yield Violation(hit.rule, f"{unit.id} can only rally", units=(unit.id,))


def apply_play(play: Play, action: Action) -> None:
    """Pay, put it away, let it happen."""
    key = action.text("card")
    card = play.now.tables.cards[key]
    rolls = [key] if key in ROLLING else []
    play.spend_cap(action.side, total_cap(action, rolls))
    payment.pay_card(play, action, card)
    if key in play.now.hand(action.side):
        payment.discard(play, action.side, key)
    elif play.position.extras.get("keep_weapons") is not True:
        play.do(ChangeUnit(action.text("unit"), values=FrozenMap({"weapon": None})))
    play.tell("card", f"{action.side} plays {card.title}", card.rule)
    effect = PLAYABLE[key]
    mined = _field_under(play, action) if effect.acts else ""
    effect.apply(play, action)
    if mined in play.position.markers and not play.now.option("free_cards"):
        move_execution.mine_attack(play, move_execution.Way(action.text("unit")))  # COH-18.3.3a
    end_action(play, action.side)


def _field_under(play: Play, action: Action) -> str:
    """The mines in the hex of the unit, as they were before it did anything."""
    mines = play.now.work(play.now.cell(play.unit(action.text("unit"))), "mines")
    return mines.id if mines is not None else ""


# 06 Chaos of battle


def _chaos_objections(now: Situation, action: Action) -> Iterator[Violation]:
    unit = _unit(now, action)
    # COH-C06: one enemy on the map that can be seen there.
    if unit is None or not now.hostile(action.side, unit) or not now.on_map(unit):
        yield Violation("COH-C06", "name an enemy on the map", field="unit")
    elif unit.has("spent"):
        yield Violation("COH-C06", f"{unit.id} is spent already", units=(unit.id,))


def _chaos(play: Play, action: Action) -> None:
    # Points that nobody is left to use are lost as the action ends (COH-9.0b).
    unit = action.text("unit")
    play.do(ChangeUnit(unit, flags=frozenset({"spent"}), unflags=frozenset({"active"})))


# 07 Experienced sergeant, 08 Officer at the front, 13 Sniper


def _sergeant_objections(now: Situation, action: Action) -> Iterator[Violation]:
    if not now.sharers(action.side):
        yield Violation("COH-C07", "no unit is active")


def _sergeant(play: Play, action: Action) -> None:
    side = action.side
    for unit in play.now.sharers(side):
        hiding.reveal_actor(play, unit.id, None)  # COH-10.0b: the card is played on them.
    gain = max(0, Roller(play, side, action).one("sergeant", "07").total)
    rolled = play.position.knowledge.get(side, EMPTY).get("activation")
    if play.now.option("fog_of_war") and isinstance(rolled, int):
        # COH-3.0.1b: the track counts what was spent; what there is to spend is the owner's secret.
        play.know(side, activation=rolled + gain)
    else:
        payment.take_ap(play, side, -gain)
    play.tell("card", f"{gain} AP more", "COH-C07")


def _nothing(now: Situation, action: Action) -> Iterator[Violation]:
    del now, action
    yield from ()


def _officer(play: Play, action: Action) -> None:
    gain = max(0, Roller(play, action.side, action).one("officer", "08").total)
    track = f"cap-{action.side}"
    # COH-C08: once, and beyond the starting value if need be.
    play.do(SetTrack(track, play.position.track(track) + gain))
    play.tell("card", f"{gain} CAP more", "COH-C08")


def _sniper_objections(now: Situation, action: Action) -> Iterator[Violation]:
    victim = action.text("against")
    if victim and victim not in now.others(action.side):
        yield Violation("COH-C13", f"{victim} is no enemy of {action.side}", field="against")


def _sniper(play: Play, action: Action) -> None:
    die = Roller(play, action.side, action).one("sniper", "13").total
    loss = play.now.tables.sniper[min(6, max(1, die))]
    victim = action.text("against") or play.now.others(action.side)[0]
    play.spend_cap(victim, loss)
    play.tell("card", f"{victim} loses {loss} CAP", "COH-C13")


# 20 Bogged down


def _bogged_objections(now: Situation, action: Action) -> Iterator[Violation]:
    unit = _unit(now, action)
    if unit is None or not now.counter(unit).vehicle or not now.on_map(unit):
        yield Violation("COH-C20", "name a vehicle on the map", field="unit")


def _bogged(play: Play, action: Action) -> None:
    hiding.reveal_actor(play, action.text("unit"), None)  # COH-10.0b: of one's own, if of any.
    play.flag(action.text("unit"), "bogged")


# 30 Scouts


def _own_objections(rule: str) -> Callable[[Situation, Action], Iterator[Violation]]:
    def objections(now: Situation, action: Action) -> Iterator[Violation]:
        unit = _unit(now, action)
        if unit is None or not now.cell(unit):
            yield Violation(rule, "name a unit of yours on the map", field="unit")

    return objections


def _scouts(play: Play, action: Action) -> None:
    """COH-C30: all hidden enemies near the unit and in its sight come to light."""
    now = play.now
    unit = play.unit(action.text("unit"))
    hiding.reveal_actor(play, unit.id, None)
    here = now.cell(unit)
    for other in now.position.units.values():
        cell = now.cell(other)
        if other.seen_by is None or not now.hostile(unit.side, other) or not cell:
            continue
        near = now.board.distance(here, cell) <= SCOUTED
        if near and (here == cell or now.sees(here, cell)):
            hiding.reveal(play, other.id, "COH-C30")


# 40 Lay mines, Tellermine as mines, 41 Clearing


def _mine_objections(now: Situation, action: Action) -> Iterator[Violation]:
    unit = _unit(now, action)
    rule = now.tables.cards[action.text("card")].rule
    if unit is None or not now.cell(unit):
        yield Violation(rule, "name the unit that lays them", field="unit")
        return
    cell = action.text("cell")
    if not cell or now.board.distance(now.cell(unit), cell) > 1:
        yield Violation(rule, "in its own hex or the next", field="cell")
        return
    if any(not now.hidden(u) for u in now.enemies_at(cell, unit.side)):
        yield Violation(rule, f"an enemy is in {cell}", cells=(cell,))
    # COH-18.0a: one of a kind in a hex.
    if now.work(cell, "mines") is not None:
        yield Violation("COH-18.0a", f"{cell} is mined already", cells=(cell,))
    laid = sum(m.kind == "mines" for m in now.position.markers.values())
    if laid >= now.tables.supply("mines", "supply"):
        yield Violation(rule, "no mines are left in the box")


def _lay_mines(play: Play, action: Action) -> None:
    now = play.now
    unit, cell = play.unit(action.text("unit")), action.text("cell")
    there = now.work(cell, "mines")
    if there is not None:
        # COH-18.0a: only one field in a hex: its owner has to show the one that was hidden there.
        play.do(AddMarker(there.id, replace(there, seen_by=None)))
        play.tell("mines", f"{cell} is mined already", "COH-18.0a")
        return
    # COH-C40: hidden if no enemy sees the hex; one who is hidden himself says nothing.
    secret = not any(
        now.cell(enemy) == cell or now.sees(now.cell(enemy), cell)
        for enemy in now.watchers(unit.side)
        if not now.hidden(enemy)
    )
    # COH-18.0a: one in a hex. A number would count those that are hidden, whosever they are.
    name = f"mines-{cell}"
    while name in play.position.markers:
        name += "+"
    seen_by = frozenset({action.side}) if secret else None
    play.do(AddMarker(name, Marker(name, "mines", action.side, cell, seen_by=seen_by)))
    if not now.hidden(unit):
        return
    if not secret:
        hiding.reveal_actor(play, unit.id, None)


def _clearing_objections(now: Situation, action: Action) -> Iterator[Violation]:
    unit = _unit(now, action)
    if unit is None or not now.counter(unit).light or not now.cell(unit):
        yield Violation("COH-C41", "name a light foot unit", field="unit")
        return
    if now.enemies_at(now.cell(unit), unit.side):
        yield Violation("COH-C41", f"{unit.id} is in close combat", units=(unit.id,))
    marker = now.position.markers.get(action.text("marker"))
    if marker is None or marker.kind not in ("mines", "roadblock", "wire"):
        yield Violation("COH-C41", "name mines, a roadblock or wire", field="marker")
    elif marker.cell != now.cell(unit):
        yield Violation("COH-C41", "only in its own hex", units=(unit.id,))


def _clearing(play: Play, action: Action) -> None:
    unit, marker = action.text("unit"), action.text("marker")
    hiding.reveal_actor(play, unit, None)
    if play.position.markers[marker].kind == "mines" and play.now.option("armed_clearing"):
        move_execution.mine_attack(play, move_execution.Way(unit))
    play.do(RemoveMarker(marker))


PLAYABLE = {
    "06": Effect(_chaos_objections, _chaos, on_enemy=True),
    "07": Effect(_sergeant_objections, _sergeant),
    "08": Effect(_nothing, _officer),
    "13": Effect(_sniper_objections, _sniper),
    "20": Effect(_bogged_objections, _bogged, on_enemy=True),
    "30": Effect(_own_objections("COH-C30"), _scouts, acts=True),
    "40": Effect(_mine_objections, _lay_mines, acts=True),
    "41": Effect(_clearing_objections, _clearing, acts=True),
    "tellermine": Effect(_mine_objections, _lay_mines, acts=True),
}


# 10 Quick action


def check_quick(now: Situation, action: Action) -> Verdict:
    """COH-C10: announced before the first of the two actions."""
    found = []
    if "10" not in now.hand(action.side):
        found.append(Violation("COH-C10", f"{action.side} has no card 10", field="card"))
    if now.position.extras.get("quick") is not None:
        found.append(Violation("COH-C10", "it is announced already"))
    return Verdict(tuple(found))


def apply_quick(play: Play, action: Action) -> None:
    """No action by itself (COH-8.2a)."""
    payment.discard(play, action.side, "10")
    play.note("quick", {"side": action.side})
