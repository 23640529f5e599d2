"""The solitaire game: what the doctrine has the side without a player do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.fire import aiming, attack, shooting
from hexmarshal.games.conflict_of_heroes.rules.fire.attack import reach_of
from hexmarshal.games.conflict_of_heroes.rules.movement.barriers import able_to_move, fort_for
from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.games.conflict_of_heroes.rules.turn.victory import controller
from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, RemoveMarker, SetPile
from hexmarshal.rules.state.pieces import Pile
from hexmarshal.rules.values import EMPTY, FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.conflict_of_heroes.state.execution import Play
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Marker, Unit

__all__ = [
    "activation_objections",
    "attack_points",
    "doctrine",
    "is_ai",
    "may_storm",
    "roll_initiative",
    "turn_coins",
    "with_doctrine",
]

# COH-20.2c, COH-20.2e, COH-20.2f, COH-20.2h: the unmodified rolls that the doctrine counts on.
FIRES_ON = 10
TOPS_UP_ON = 9
PREFERS_FIRE_ON = 8
PIVOTS_ON = 9
INITIATIVE = 4
STORMS = 4
# COH-10.0f: from so far an enemy finds what nothing hides.
NEAR = 2
DECOY = "decoy"


def is_ai(now: Situation, side: str) -> bool:
    """Whether nobody plays this side."""
    return now.position.option("solo") == side


def roll_initiative(play: Play, ai: str, start: Callable[[Play, str], None]) -> None:
    """COH-20.2a: one die: the doctrine's side on 1 to 4."""
    die = play.dice.roll(6, "initiative")
    player = next(s for s in play.position.sides if s != ai)
    winner = ai if die <= INITIATIVE else player
    step = Step(f"{die}: {winner}", "COH-20.2a")
    play.decide(Resolution("initiative", winner, steps=(step,)))
    start(play, winner)


def _enemies(now: Situation, unit: Unit) -> list[Unit]:
    """The enemies that a unit sees, in no order."""
    here = now.cell(unit)
    return [
        other
        for other in now.position.units.values()
        if now.hostile(unit.side, other) and not now.hidden(other)
        if here and (cell := now.cell(other)) and now.sees(here, cell)
    ]


def _in_sight_at(now: Situation, cell: str, side: str) -> list[Unit]:
    """The enemies in a hex that do not hide there."""
    return [enemy for enemy in now.enemies_at(cell, side) if not now.hidden(enemy)]


def activation_objections(now: Situation, action: Action, unit: Unit) -> Iterator[Violation]:
    """COH-20.2b: only with an enemy in sight."""
    if is_ai(now, action.side) and now.cell(unit) and not _enemies(now, unit):
        text = f"{unit.id} sees no enemy: the doctrine does not activate it"
        yield Violation("COH-20.2b", text, units=(unit.id,))


def targets(now: Situation, unit: Unit, *, any_arc: bool = False) -> dict[str, int]:
    """COH-20.2c: the hexes that it may fire at, each with the roll that hits an enemy there."""
    found: dict[str, int] = {}
    here = now.cell(unit)
    for enemy in _enemies(now, unit):
        cell = now.cell(enemy)
        if now.board.distance(here, cell) > reach_of(now, unit):
            continue
        # A German unit that nobody plays does not fire into a hex with friends.
        if camp(unit.side) != "soviet" and now.friends_at(cell, unit.side):
            continue
        params = FrozenMap[Value]({"unit": unit.id, "cell": cell, "by": "opportunity"})
        probe = Action("fire", unit.side, params)
        arc = ("COH-6.1a", "COH-15.4c") if any_arc else ()
        broken = shooting.check_fire(now, probe).rules
        if any(rule not in ("COH-3.1a", *arc) for rule in broken):
            continue
        shot = attack.on_unit(now, aiming.aim(now, aiming.fire_of(now, probe)), enemy)
        found[cell] = min(found.get(cell, 99), shot.needed)
    return found


def with_doctrine(now: Situation, action: Action, verdict: Verdict) -> Verdict:
    """The verdict, and what the doctrine has against an action of its side."""
    if not is_ai(now, action.side):
        return verdict
    found = tuple(_doctrine(now, action))
    return replace(verdict, violations=(*verdict.violations, *found)) if found else verdict


def _doctrine(now: Situation, action: Action) -> Iterator[Violation]:
    if action.kind == "fire" and action.text("mode", "direct") != "smoke":
        yield from _fire_doctrine(now, action)
    if action.kind in ("fire", "close_combat") and "cap" in action.params:
        yield Violation("COH-20.2d", "a die says how many CAP the doctrine spends", field="cap")
    yield from _move_doctrine(now, action)
    yield from _group_doctrine(now, action)
    yield from _pivot_doctrine(now, action)


def _fire_doctrine(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.position.unit(action.text("unit"))
    me, cell = (unit.id,), action.text("cell")
    possible = targets(now, unit)
    needed = possible.get(cell)
    if needed is None or needed > FIRES_ON:
        text = f"the doctrine does not fire at {cell}: too far, or hit only above {FIRES_ON}"
        yield Violation("COH-20.2c", text, units=me, cells=(cell,))
        return
    easiest = min(possible.values())
    if needed > easiest:
        text = f"an easier target needs {easiest}, not {needed}"
        yield Violation("COH-20.2c", text, units=me, cells=(cell,))
    if needed > PREFERS_FIRE_ON and _can_rally(now, unit):
        text = f"{unit.id} rallies first: it would need {needed}"
        yield Violation("COH-20.2f", text, units=me)
    if payment.way(action) == "ap":
        fire = aiming.fire_of(now, action)
        cost = payment.due(aiming.fire_cost(now, fire))
        more = payment.top_up(now, action, cost)
        if more > 1 or (more and needed > TOPS_UP_ON):
            text = f"the doctrine completes 1 AP for a roll of {TOPS_UP_ON}, not {more}"
            yield Violation("COH-20.2e", text, units=me)


def _can_rally(now: Situation, unit: Unit) -> bool:
    hit = now.hit(unit)
    cell = now.cell(unit)
    return hit is not None and hit.rally is not None and not now.enemies_at(cell, unit.side)


def _move_doctrine(now: Situation, action: Action) -> Iterator[Violation]:
    """COH-20.2g: into an enemy's hex only with leave of the die, unless it is an objective."""
    unit = action.text("unit")
    refused = listed(now.position.extras.get("refused", ()))
    for cell in action.texts("path"):
        if f"{unit} {cell}" in refused:
            text = f"the die was against {unit} going into {cell}"
            yield Violation("COH-20.2g", text, units=(unit,), cells=(cell,))


def _group_doctrine(now: Situation, action: Action) -> Iterator[Violation]:
    """COH-20.2g: the die is one unit's, so nobody storms as part of a group."""
    moves = action.params.get("moves")
    for entry in moves if isinstance(moves, tuple) else ():
        path = listed(mapped(entry).get("path", ()))
        if cell := _stormed(now, path, action.side):
            text = f"into {cell}, where enemies are, units go one by one"
            yield Violation("COH-20.2g", text, cells=(cell,))


def _pivot_doctrine(now: Situation, action: Action) -> Iterator[Violation]:
    """COH-20.2h: who turns, turns to the danger that counts most."""
    moves = action.params.get("moves", (action.params,) if action.kind == "pivot" else ())
    for entry in moves if isinstance(moves, tuple) else ():
        turn = mapped(entry)
        unit, facing = now.position.units.get(str(turn.get("unit"))), turn.get("facing")
        if unit is None or turn.get("path") or not isinstance(facing, int):
            continue
        dangers = [] if facing == unit.facing else _dangers(now, unit)
        here = now.cell(unit)
        if dangers and not any(now.board.in_arc(here, facing % 6, cell) for cell in dangers):
            text = f"{unit.id} turns towards {' or '.join(dangers)}"
            yield Violation("COH-20.2h", text, units=(unit.id,), cells=tuple(dangers))


def _stormed(now: Situation, path: tuple[str, ...], side: str) -> str:
    """The first hex on the way that takes a die: with enemies in sight, and no objective."""
    for cell in path:
        objective = "control" in now.position.cells.get(cell, EMPTY)
        if not objective and _in_sight_at(now, cell, side):
            return cell
    return ""


def may_storm(play: Play, action: Action) -> bool:
    """COH-20.2g: the die that lets a unit of the doctrine's side into an enemy's hex."""
    if not is_ai(play.now, action.side):
        return True
    cell = _stormed(play.now, action.texts("path"), action.side)
    if not cell:
        return True
    die = play.dice.roll(6, "doctrine")
    stormed = die <= STORMS
    play.tell("doctrine", f"{die}: {'goes in' if stormed else 'holds back'}", "COH-20.2g")
    if not stormed:
        before = listed(play.position.extras.get("refused", ()))
        play.note("refused", (*before, f"{action.text('unit')} {cell}"))
    return stormed


def turn_coins(play: Play) -> None:
    """COH-20.3a: a coin that an enemy comes upon is turned: a unit from the cup, or a decoy."""
    for coin in play.position.markers.values():
        if coin.kind == "coin" and _found(play.now, coin):
            _turn(play, coin)


def _found(now: Situation, coin: Marker) -> bool:
    """COH-10.0f: as for a hidden unit: an enemy in the hex, or near it with nothing to hide it."""
    cell = coin.cell
    if _in_sight_at(now, cell, coin.side):
        return True
    if now.kind(cell).cover or _fort_at(now, cell) is not None:
        return False
    places = (now.cell(u) for u in now.watchers(coin.side) if not now.hidden(u))
    return any(
        now.board.distance(place, cell) <= NEAR
        and now.sees(place, cell)
        and not sight.crosses_wall(now.board, place, cell)  # COH-5.0.2d
        for place in places
    )


def _fort_at(now: Situation, cell: str) -> Marker | None:
    return next((m for m, work in now.works(cell) if work.fortification), None)


def _turn(play: Play, coin: Marker) -> None:
    cup = play.position.pile("cup")
    play.do(RemoveMarker(coin.id))
    if not cup.cards:
        return
    index = play.dice.pick(len(cup.cards), "cup")
    drawn = cup.cards[index]
    rest = (*cup.cards[:index], *cup.cards[index + 1 :])
    play.do(SetPile("cup", Pile("cup", rest, "", frozenset())))
    if drawn == DECOY:
        play.tell("coin", f"nobody in {coin.cell}", "COH-20.3a")
        return
    play.do(ChangeUnit(drawn, seen_by=("*",)), MoveUnit(drawn, coin.cell))
    fort = fort_for(play.now, play.unit(drawn), coin.cell)
    if fort is not None:
        play.do(ChangeUnit(drawn, values=FrozenMap({"fort": fort.id})))
    play.tell("coin", f"{drawn} was in {coin.cell}", "COH-20.3a")
    play.queue("face", coin.side, {"unit": drawn})


def attack_points(play: Play, action: Action, rolls: list[str]) -> Action:
    """COH-20.2d: a die for each attack of the doctrine's side: two points, one, or none."""
    if not is_ai(play.now, action.side):
        return action
    now = play.now
    cost = aiming.fire_cost(now, aiming.fire_of(now, action))
    left = now.cap(action.side) - payment.command_due(now, action, cost)
    bought: dict[str, int] = {}
    for name in rolls:
        target = play.position.units.get(name)
        if target is not None and not now.hostile(action.side, target):
            continue  # nobody pays to hit his own men
        die = play.dice.roll(6, "doctrine")
        points = min(left, {1: 2, 2: 2, 3: 1, 4: 1}.get(die, 0))
        left -= points
        if points:
            bought[name] = points
        play.tell("doctrine", f"{die}: {points} CAP against {name}", "COH-20.2d")
    return Action(action.kind, action.side, action.params.set("cap", FrozenMap(bought)))


def doctrine(now: Situation, unit: Unit) -> Answer:
    """What the doctrine would have a unit do: rally, fire, turn, fall back."""
    possible = {c: n for c, n in targets(now, unit).items() if n <= FIRES_ON}
    best = min(possible, key=lambda c: (possible[c], c), default=None)
    needed = possible[best] if best else None
    values: dict[str, Value] = {
        "active": bool(_enemies(now, unit)),
        "rally": (needed is None or needed > PREFERS_FIRE_ON) and _can_rally(now, unit),
        "fire": best,
        "needed": needed,
        "pivot": _pivot(now, unit),
        "towards": _fall_back(now, unit),
    }
    return Answer(FrozenMap(values))


def _pivot(now: Situation, unit: Unit) -> Value:
    """COH-20.2h: the hexside that faces the danger that counts most."""
    dangers, hexes = _dangers(now, unit), now.board.hexes
    return hexes[now.cell(unit)].direction_to(hexes[dangers[0]]) if dangers else None


def _dangers(now: Situation, unit: Unit) -> list[str]:
    """COH-20.2h: an adjacent enemy, else one that fired at it, else one that a 9 would hit.

    Of all in sight the nearest alone matter; in close combat it does not turn to anybody. Nor does
    who cannot, or need not: a bunker does not turn, and a trench fires all round.
    """
    here, facing = now.cell(unit), now.facing(unit)
    fixed = now.fort(unit) is not None or any(able_to_move(now, unit))
    away = {c: now.board.distance(here, c) for c in map(now.cell, _enemies(now, unit))}
    nearest = min(away.values(), default=0)
    if facing is None or fixed:
        return []
    outside = sorted(
        c for c, d in away.items() if d == nearest and not now.board.in_arc(here, facing, c)
    )
    fired = mapped(mapped(now.position.extras.get("last")).get("fired"))
    easy = {c for c, n in targets(now, unit, any_arc=True).items() if n <= PIVOTS_ON}
    orders = (
        outside if nearest == 1 else [],
        [c for c in outside if fired.get(c) == here],
        [c for c in outside if c in easy],
    )
    return next((cells for cells in orders if cells), [])


def _fall_back(now: Situation, unit: Unit) -> Value:
    """COH-20.2g: the nearest objective that its side holds."""
    here = now.cell(unit)
    held = [
        cell for cell in now.position.cells if controller(now.position, cell) == camp(unit.side)
    ]
    return min(held, key=lambda c: (now.board.distance(here, c), c), default=None) if here else None
