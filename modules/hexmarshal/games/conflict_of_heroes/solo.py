"""The solitaire game: what the doctrine has the side without a player do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import aiming, attack, payment, shooting
from hexmarshal.games.conflict_of_heroes.attack import reach_of
from hexmarshal.games.conflict_of_heroes.scene import camp
from hexmarshal.games.conflict_of_heroes.table import listed, mapped
from hexmarshal.games.conflict_of_heroes.victory import controller
from hexmarshal.rules.action import Action
from hexmarshal.rules.effects import ChangeUnit, MoveUnit, RemoveMarker, SetPile
from hexmarshal.rules.pieces import Pile
from hexmarshal.rules.values import EMPTY, FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.table import Table
    from hexmarshal.rules.pieces import Marker, Unit

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
DECOY = "decoy"


def is_ai(scene: Scene, side: str) -> bool:
    """Whether nobody plays this side."""
    return bool(side) and scene.position.option("solo") == side


def roll_initiative(table: Table, ai: str, start: Callable[[Table, str], None]) -> None:
    """COH-20.2a: one die: the doctrine's side on 1 to 4."""
    die = table.dice.roll(6, "initiative")
    player = next(s for s in table.position.sides if s != ai)
    winner = ai if die <= INITIATIVE else player
    step = Step(f"{die}: {winner}", "COH-20.2a")
    table.decide(Resolution("initiative", winner, steps=(step,)))
    start(table, winner)


def _enemies(scene: Scene, unit: Unit) -> Iterator[Unit]:
    """The enemies that a unit sees, in no order."""
    here = scene.cell(unit)
    for other in scene.position.units.values():
        cell = scene.cell(other)
        if not cell or not here or scene.hidden(other) or not scene.hostile(unit.side, other):
            continue
        if cell == here or scene.sees(here, cell):
            yield other


def activation_objections(scene: Scene, action: Action, unit: Unit) -> Iterator[Violation]:
    """COH-20.2b: only with an enemy in sight."""
    if is_ai(scene, action.side) and scene.cell(unit) and not any(_enemies(scene, unit)):
        text = f"{unit.id} sees no enemy: the doctrine does not activate it"
        yield Violation("COH-20.2b", text, units=(unit.id,))


def targets(scene: Scene, unit: Unit, *, any_arc: bool = False) -> dict[str, int]:
    """COH-20.2c: the hexes that it may fire at, each with the roll that hits an enemy there."""
    found: dict[str, int] = {}
    here = scene.cell(unit)
    for enemy in _enemies(scene, unit):
        cell = scene.cell(enemy)
        if cell == here or scene.board.distance(here, cell) > reach_of(scene, unit):
            continue
        # A German unit that nobody plays does not fire into a hex with friends.
        if camp(unit.side) != "soviet" and scene.friends_at(cell, unit.side):
            continue
        params = FrozenMap[Value]({"unit": unit.id, "cell": cell, "by": "opportunity"})
        probe = Action("fire", unit.side, params)
        arc = ("COH-6.1a", "COH-15.4c", "COH-18.1.2a") if any_arc else ()
        broken = shooting.check_fire(scene, probe).rules
        if any(rule not in ("COH-3.1a", *arc) for rule in broken):
            continue
        shot = attack.on_unit(scene, aiming.aim(scene, aiming.fire_of(scene, probe)), enemy)
        found[cell] = min(found.get(cell, 99), shot.needed)
    return found


def with_doctrine(scene: Scene, action: Action, verdict: Verdict) -> Verdict:
    """The verdict, and what the doctrine has against an action of its side."""
    if not is_ai(scene, action.side):
        return verdict
    found = tuple(_doctrine(scene, action))
    return replace(verdict, violations=(*verdict.violations, *found)) if found else verdict


def _doctrine(scene: Scene, action: Action) -> Iterator[Violation]:
    if action.kind == "fire" and action.text("mode", "direct") != "smoke":
        yield from _fire_doctrine(scene, action)
    if action.kind in ("fire", "close_combat") and "cap" in action.params:
        yield Violation("COH-20.2d", "a die says how many CAP the doctrine spends", field="cap")
    if action.kind == "move":
        yield from _move_doctrine(scene, action)


def _fire_doctrine(scene: Scene, action: Action) -> Iterator[Violation]:
    unit = scene.position.unit(action.text("unit"))
    me, cell = (unit.id,), action.text("cell")
    possible = targets(scene, unit)
    needed = possible.get(cell)
    if needed is None or needed > FIRES_ON:
        text = f"the doctrine does not fire at {cell}: too far, or hit only above {FIRES_ON}"
        yield Violation("COH-20.2c", text, units=me, cells=(cell,))
        return
    easiest = min(possible.values())
    if needed > easiest:
        text = f"an easier target needs {easiest}, not {needed}"
        yield Violation("COH-20.2c", text, units=me, cells=(cell,))
    if scene.hit_marker(unit) is not None and needed > PREFERS_FIRE_ON and _can_rally(scene, unit):
        text = f"{unit.id} rallies first: it would need {needed}"
        yield Violation("COH-20.2f", text, units=me)
    if payment.way(action) == "ap":
        fire = aiming.fire_of(scene, action)
        cost = payment.due(aiming.fire_cost(scene, fire))
        more = payment.top_up(scene, action, cost)
        if more > 1 or (more and needed > TOPS_UP_ON):
            text = f"the doctrine completes 1 AP for a roll of {TOPS_UP_ON}, not {more}"
            yield Violation("COH-20.2e", text, units=me)


def _can_rally(scene: Scene, unit: Unit) -> bool:
    hit = scene.hit(unit)
    cell = scene.cell(unit)
    return hit is not None and hit.rally is not None and not scene.enemies_at(cell, unit.side)


def _move_doctrine(scene: Scene, action: Action) -> Iterator[Violation]:
    """COH-20.2g: into an enemy's hex only with leave of the die, unless it is an objective."""
    unit, path = action.text("unit"), action.texts("path")
    refused = listed(scene.position.extras.get("refused", ()))
    if path and f"{unit} {path[-1]}" in refused:
        text = f"the die was against {unit} going into {path[-1]}"
        yield Violation("COH-20.2g", text, units=(unit,), cells=path[-1:])


def may_storm(table: Table, action: Action) -> bool:
    """COH-20.2g: the die that lets a unit of the doctrine's side into an enemy's hex."""
    scene = table.scene
    path = action.texts("path")
    if not is_ai(scene, action.side) or action.kind != "move" or not path:
        return True
    cell = path[-1]
    objective = "control" in scene.position.cells.get(cell, EMPTY)
    if objective or not scene.enemies_at(cell, action.side):
        return True
    die = table.dice.roll(6, "doctrine")
    table.tell("doctrine", f"{die}: {'goes in' if die <= STORMS else 'holds back'}", "COH-20.2g")
    if die > STORMS:
        before = listed(table.position.extras.get("refused", ()))
        table.note("refused", (*before, f"{action.text('unit')} {cell}"))
        return False
    return True


def turn_coins(table: Table) -> None:
    """COH-20.3a: a coin that an enemy comes upon is turned: a unit from the cup, or a decoy."""
    for coin in table.position.markers.values():
        if coin.kind == "coin" and _found(table.scene, coin):
            _turn(table, coin)


def _found(scene: Scene, coin: Marker) -> bool:
    """As for a hidden unit: somebody in the hex, or near it with nothing to hide it."""
    for watcher in scene.watchers(coin.side):
        place = scene.cell(watcher)
        near = scene.board.distance(place, coin.cell) <= 2 and not scene.kind(coin.cell).cover
        if place == coin.cell or (near and scene.sees(place, coin.cell)):
            return True
    return False


def _turn(table: Table, coin: Marker) -> None:
    cup = table.position.pile("cup")
    table.do(RemoveMarker(coin.id))
    if not cup.cards:
        return
    index = table.dice.pick(len(cup.cards), "cup")
    drawn = cup.cards[index]
    rest = (*cup.cards[:index], *cup.cards[index + 1 :])
    table.do(SetPile("cup", Pile("cup", rest, "", frozenset())))
    if drawn == DECOY:
        table.tell("coin", f"nobody in {coin.cell}", "COH-20.3a")
        return
    table.do(ChangeUnit(drawn, seen_by=("*",)), MoveUnit(drawn, coin.cell))
    table.tell("coin", f"{drawn} was in {coin.cell}", "COH-20.3a")
    table.ask("face", coin.side, unit=drawn)


def attack_points(table: Table, action: Action, rolls: list[str]) -> Action:
    """COH-20.2d: a die for each attack of the doctrine's side: two points, one, or none."""
    if not is_ai(table.scene, action.side):
        return action
    left = table.scene.cap(action.side)
    if payment.way(action) == "ap":
        fire = aiming.fire_of(table.scene, action)
        left -= payment.top_up(
            table.scene, action, payment.due(aiming.fire_cost(table.scene, fire))
        )
    bought: dict[str, int] = {}
    for name in rolls:
        target = table.position.units.get(name)
        if target is not None and not table.scene.hostile(action.side, target):
            continue  # nobody pays to hit his own men
        die = table.dice.roll(6, "doctrine")
        points = min(max(0, left), {1: 2, 2: 2, 3: 1, 4: 1}.get(die, 0))
        left -= points
        if points:
            bought[name] = points
        table.tell("doctrine", f"{die}: {points} CAP against {name}", "COH-20.2d")
    return Action(action.kind, action.side, action.params.set("cap", FrozenMap(bought)))


def doctrine(scene: Scene, unit: Unit) -> Answer:
    """What the doctrine would have a unit do: rally, fire, turn, fall back."""
    possible = {c: n for c, n in targets(scene, unit).items() if n <= FIRES_ON}
    best = min(possible, key=lambda c: (possible[c], c), default=None)
    needed = possible[best] if best else None
    hit = scene.hit_marker(unit) is not None and _can_rally(scene, unit)
    values: dict[str, Value] = {
        "active": any(_enemies(scene, unit)),
        "rally": hit and (needed is None or needed > PREFERS_FIRE_ON),
        "fire": best,
        "needed": needed,
        "pivot": _pivot(scene, unit),
        "towards": _fall_back(scene, unit),
    }
    return Answer(FrozenMap(values))


def _pivot(scene: Scene, unit: Unit) -> Value:
    """COH-20.2h: towards an adjacent enemy, one that fired at it, one that a 9 would hit."""
    here, facing = scene.cell(unit), scene.facing(unit)
    if not here or facing is None:
        return None
    enemies = [
        (scene.board.distance(here, scene.cell(e)), scene.cell(e)) for e in _enemies(scene, unit)
    ]
    outside = [(d, c) for d, c in enemies if d and not scene.board.in_arc(here, facing, c)]
    nearest = min((d for d, _ in enemies if d), default=0)
    easy = targets(scene, unit, any_arc=True)
    fired = listed(mapped(scene.position.extras.get("last")).get("fired", ()))
    orders = (
        [c for d, c in outside if d == 1],
        [c for d, c in outside if c in fired and d <= nearest],
        [c for d, c in outside if easy.get(c, 99) <= PIVOTS_ON and d <= nearest],
    )
    for cells in orders:
        if cells:
            hexes = scene.board.hexes
            return hexes[here].direction_to(hexes[min(cells)])
    return None


def _fall_back(scene: Scene, unit: Unit) -> Value:
    """COH-20.2g: the nearest objective that its side holds."""
    here = scene.cell(unit)
    held = [
        cell for cell in scene.position.cells if controller(scene.position, cell) == camp(unit.side)
    ]
    return (
        min(held, key=lambda c: (scene.board.distance(here, c), c), default=None) if here else None
    )
