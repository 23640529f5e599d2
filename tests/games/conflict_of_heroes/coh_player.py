"""A player that looks one action ahead with exact odds: to see whether a firefight is even.

`python tests/games/conflict_of_heroes/coh_player.py first_steps 20` plays twenty games with itself.
It knows what its side sees and asks what any client may ask: `odds`, `rally_odds`, `reach`.
"""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["play"]

COH = ConflictOfHeroes()
TYPES = {kind.key: kind.values for kind in COH.game.unit_types}
# What a hit is worth beside a kill, what a point for an objective is, and a hex on the way to it.
HIT, GROUND, STEP = Fraction(1, 2), Fraction(1), Fraction(3, 20)
LEAST = Fraction(1, 20)
SEEN: dict[tuple[Any, ...], bool] = {}


class Player:
    """One side's choices in one position."""

    def __init__(self, position: Position, side: str) -> None:
        self.side = side
        self.whole = position
        self.view = engine.view(COH, position, side)
        self.board = COH.boards[position.board]
        units = [u for u in self.view.units.values() if u.cell and not u.carrier]
        self.own = [u for u in units if u.side == side]
        self.enemies = [u for u in units if u.side != side and u.type in TYPES]

    def choose(self) -> Action:
        """The best action that it sees."""
        if self.whole.state:
            return self.decision()
        ready = [u for u in self.own if u.has("active")]
        best = self.best(ready, "ap")
        if best is not None:
            return best[1]
        fresh = [u for u in self.own if not u.flags & {"active", "spent"}]
        free = self.best(fresh, "opportunity")
        if free is not None:
            (first, *_) = free[1].texts("units") or (free[1].text("unit"),)
            return Action("activate", self.side, FrozenMap({"unit": first}))
        rest = self.best([u for u in self.own if u.has("spent")], "command")
        arrivals = self.arrival()
        if arrivals is not None:
            return arrivals
        return rest[1] if rest is not None else Action("pass", self.side)

    def best(self, units: list[Unit], by: str) -> tuple[Fraction, Action] | None:
        """What is worth most, if anything is."""
        found = [c for unit in units for c in self.candidates(unit, by)]
        found = [(value, action) for value, action in found if value > LEAST]
        for value, bare in sorted(found, key=lambda c: -c[0]):
            action = self.spelled(bare)
            if engine.check(COH, self.whole, action).legal:
                return value, action
        return None

    def candidates(self, unit: Unit, by: str) -> list[tuple[Fraction, Action]]:
        """Shots, close combat, rally and moves of one unit, with their worth a point."""
        found = []
        here = [e for e in self.enemies if e.cell == unit.cell]
        for target in [e.id for e in here]:
            found += self.shot("close_combat", unit, by, target=target)
        for cell in () if here else sorted({e.cell for e in self.enemies}):
            found += self.shot("fire", unit, by, cell=cell)
        found += self.rally(unit, by)
        found += self.moves(unit, by)
        return found

    def shot(self, kind: str, unit: Unit, by: str, **aim: str) -> list[tuple[Fraction, Action]]:
        """Kills and hits that an attack leads one to expect."""
        answer = self.ask("odds", unit=unit.id, **aim)
        if answer is None:
            return []
        worth = Fraction(0)
        for target in answer["targets"]:
            victim = self.view.units.get(target["target"])
            if victim is None:
                continue
            hit, kill = Fraction(target["chance_to_hit"]), Fraction(target["chance_to_kill"])
            value = kill * self.points(victim) + (hit - kill) * HIT
            worth += value if victim.side != self.side else -value
        params: dict[str, Any] = {"unit": unit.id, "by": by, **aim}
        cost = max(1, int(answer["cost"]))
        return [(worth / (cost if by == "ap" else 3), Action(kind, self.side, FrozenMap(params)))]

    def points(self, unit: Unit) -> Fraction:
        """What a unit's end is worth: its points, and the command point that goes with it."""
        return Fraction(int(str(TYPES[unit.type].get("vp", 1)))) + 1

    def rally(self, unit: Unit, by: str) -> list[tuple[Fraction, Action]]:
        """The chance to be whole again."""
        answer = self.ask("rally_odds", unit=unit.id)
        if answer is None:
            return []
        chance = Fraction(str(answer.get("chance", 0)))
        return [
            (
                chance * HIT / 5,
                Action("rally", self.side, FrozenMap({"units": (unit.id,), "by": by})),
            )
        ]

    # Going somewhere

    def goals(self) -> dict[str, int]:
        """The objectives that the side does not hold, and what they can still bring."""
        found = {}
        turns = self.whole.extras.get("turns")
        left = turns - self.whole.turn + 1 if isinstance(turns, int) else 1
        for cell, values in self.view.cells.items():
            often = left if values.get("when") == "turn" else 1
            worth = int(str(values.get("vp", 0) or 0)) * often
            if values.get("control") != self.side:
                found[cell] = 2 * worth
        return found

    def moves(self, unit: Unit, by: str) -> list[tuple[Fraction, Action]]:
        """Towards what is to be taken, and out of the enemy's fire."""
        answer = self.ask("reach", unit=unit.id)
        goals = self.goals()
        if answer is None or not goals:
            return []
        here = self.pull(unit.cell, goals) - self.danger(unit, unit.cell)
        found = []
        for cell, cost in dict(answer["cells"]).items():
            there = self.pull(cell, goals) - self.danger(unit, cell)
            if cell in goals and not any(e.cell == cell for e in self.enemies):
                there += goals[cell] * GROUND
            if any(u.cell == cell for u in self.own):
                there -= STEP
            params = {"unit": unit.id, "path": (cell,), "by": by, "facing": self.facing(cell)}
            share = max(1, int(cost)) if by == "ap" else 3
            found.append(((there - here) / share, Action("move", self.side, FrozenMap(params))))
        return found

    def spelled(self, action: Action) -> Action:
        """A move with all its hexes: vehicles enter several."""
        path = action.texts("path")
        unit = self.view.units.get(action.text("unit"))
        if not path or unit is None or self.board.distance(unit.cell, path[-1]) == 1:
            return action
        answer = self.ask("path", unit=unit.id, cell=path[-1])
        found = tuple(answer["path"]) if answer else path
        return Action(action.kind, self.side, action.params.set("path", found))

    def pull(self, cell: str, goals: dict[str, int]) -> Fraction:
        """How near the goals are."""
        return max(
            -STEP * self.board.distance(cell, g) * (1 + Fraction(w, 4)) for g, w in goals.items()
        )

    def danger(self, unit: Unit, cell: str) -> Fraction:
        """The hits to be expected in a hex from the enemies who see it."""
        own = TYPES[unit.type]
        cover = int(str(self.board.kinds[cell].defence))
        total = Fraction(0)
        for enemy in self.enemies:
            arms = TYPES[enemy.type]
            far = self.board.distance(enemy.cell, cell)
            colour = "blue" if own.get("armour") == "blue" else "red"
            if arms.get("fire") is None or far > 2 * int(str(arms.get("range", 0))):
                continue
            if far and not self.sees(enemy.cell, cell):
                continue
            power = int(str(arms.get(colour, 0))) + (3 if far == 1 else 0)
            need = int(str(own["front"])) + cover - power
            chance = Fraction(sum(a + b >= need for a in range(1, 7) for b in range(1, 7)), 36)
            total += chance * HIT / 4
        return total

    def sees(self, start: str, end: str) -> bool:
        """A line of sight, asked once as long as the smoke stays where it is."""
        smoke = [m.cell for m in self.view.markers.values() if m.kind == "smoke"]
        key = (self.board.key, tuple(sorted(smoke)), *sorted((start, end)))
        if key not in SEEN:
            answer = self.ask("sight", cell=start, target=end)
            SEEN[key] = answer is not None and answer["visible"] is True
        return SEEN[key]

    def facing(self, cell: str) -> int:
        """Towards the nearest enemy."""
        hexes = self.board.hexes
        others = [e.cell for e in self.enemies if e.cell != cell]
        nearest = min(others, key=lambda c: (self.board.distance(cell, c), c), default="")
        return hexes[cell].direction_to(hexes[nearest]) if nearest else 0

    # The rest

    def arrival(self) -> Action | None:
        """Whoever waits outside comes in."""
        waiting = [
            u
            for u in self.view.of_side(self.side)
            if u.box == "reinforcements" and not u.has("spent")
        ]
        for unit in waiting:
            entry = unit.values.get("entry", ())
            for cell in entry if isinstance(entry, tuple) else ():
                params = {"unit": unit.id, "path": (cell,), "by": "opportunity"}
                if found := self.legal("move", **params):
                    return found
        return None

    def decision(self) -> Action:
        """What is asked for between the actions."""
        offers = [o.action for o in islice(engine.offers(COH, self.whole, self.side), 400)]
        match self.whole.state:
            case "face":
                queue: Any = self.whole.extras["queue"]
                looks = self.facing(self.whole.units[str(queue[0]["unit"])].cell)
                return next(a for a in offers if a.number("facing") == looks)
            case "obstacle":
                return max(offers, key=lambda a: a.flag("pay"))
            case "plot":
                cells = Counter(e.cell for e in self.enemies)
                return max(offers, key=lambda a: cells[a.text("cell")] * (not a.flag("smoke")))
            case _:
                return offers[0]

    def ask(self, name: str, **params: str) -> dict[str, Any] | None:
        """An answer, or none where the question makes no sense."""
        try:
            asked = COH.game.queries.decode({"name": name, **params})
            return dict(engine.ask(COH, self.whole, *asked, self.side).values)
        except HexMarshalError:
            return None

    def legal(self, kind: str, **params: Any) -> Action | None:
        action = Action(kind, self.side, FrozenMap(params))
        return action if engine.check(COH, self.whole, action).legal else None


def play(scenario: str, seed: str, limit: int = 600) -> tuple[Position, int]:
    """A game of the player against itself, and how many actions it took."""
    position = engine.start(COH, scenario, None, seed)
    count = 0
    while COH.outcome(position) is None and count < limit:
        action = Player(position, position.active[0]).choose()
        position = engine.perform(COH, position, action).position
        count += 1
    return position, count


def main(scenario: str, games: int) -> None:
    """Who won how often, and by how much."""
    wins: Counter[str] = Counter()
    for seed in range(games):
        position, count = play(scenario, f"even {seed}")
        ended = COH.outcome(position)
        who = " and ".join(ended.winners) or "nobody" if ended else "no end"
        wins[who] += 1
        scores = dict(ended.scores) if ended else {}
        print(f"{seed}: {who} after {count} actions, {scores}", flush=True)
    print(dict(wins))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
