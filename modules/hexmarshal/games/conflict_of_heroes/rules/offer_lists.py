"""What every list of offers needs: ways to pay, points for rolls, candidates put to the check."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.movement import move_costs
from hexmarshal.games.conflict_of_heroes.rules.turn import payment
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.values import FrozenMap, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.rules.movement.move_costs import Leg
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Verdict

__all__ = ["FACINGS", "Lister", "Params"]

Params = dict[str, Value]
FACINGS = tuple(range(6))


class Lister:
    """Makes candidates and keeps those that the check lets pass."""

    def __init__(self, plugin: GamePlugin | None, now: Situation, side: str) -> None:
        position = now.position
        self.plugin, self.now, self.position, self.side = plugin, now, position, side
        self.units = [u for u in position.of_side(side) if self._in_play(u)]
        self.hand = tuple(dict.fromkeys(self.now.hand(side)))
        self.cap = self.now.cap(side)
        self.sharing = bool(self.now.sharers(side))
        self.legs: dict[tuple[str, str, bool], list[Leg]] = {}
        self.spots: dict[str, tuple[str, ...]] = {}

    def _in_play(self, unit: Unit) -> bool:
        return bool(self.now.cell(unit)) or unit.box == "reinforcements"

    def judge(self, action: Action) -> Verdict:
        """What the check says."""
        assert self.plugin is not None
        return self.plugin.check(self.position, action)

    def attempt(self, kind: str, params: Params) -> Iterator[Offer]:
        """The action, if the check lets it pass."""
        action = Action(kind, self.side, FrozenMap(params))
        verdict = self.judge(action)
        if verdict.legal:
            yield Offer(action, verdict)

    def faced(self, kind: str, params: Params, facings: Iterable[int]) -> Iterator[Offer]:
        """The same action with several facings: checked once."""
        verdict = None
        for facing in facings:
            action = Action(kind, self.side, FrozenMap({**params, "facing": facing}))
            if verdict is None:
                verdict = self.judge(action)
                if not verdict.legal:
                    return
            yield Offer(action, verdict)

    def ways(self, kind: str, units: Sequence[Unit]) -> Iterator[Params]:
        """The ways to pay that these units have at all."""
        if self.sharing and not any(u.has("spent") for u in units):
            yield {"by": "ap"}
        if all(self.now.fresh(u) for u in units):
            yield {"by": "opportunity"}
        if self.cap:
            yield {"by": "command"}
        for key in payment.FOR_KIND.get(kind, ("02",)):
            if key in self.hand:
                yield from self.card_ways(key, {"by": "card", "card": key})

    def affords(self, pay: Params, price: int) -> bool:
        """Whether there are points enough: asked before the check, which asks all the rest."""
        pools = {"command": self.cap, "ap": self.now.ap(self.side) + self.cap}
        return price <= pools.get(str(pay["by"]), price)

    def card_ways(self, key: str, params: Params) -> Iterator[Params]:
        """A card's cost in command points, or, where it may be, in action points or a mix."""
        card = self.now.tables.cards[key]
        yield params
        if card.cost and card.pay == "either" and self.sharing:
            yield {**params, "pay_card": "ap"}
            for more in range(1, card.cost):
                yield {**params, "pay_card": "ap", "top_up": more}

    def occupying(self, cell: str) -> Iterator[Params]:
        """How to say which trench or bunker of a hex: by name only where there are both."""
        forts = [m.id for m, work in self.now.works(cell) if work.fortification]
        for fort in forts:
            yield {"occupy": True, "fort": fort} if len(forts) > 1 else {"occupy": True}

    def points(self, rolls: Sequence[str]) -> Iterator[Params]:
        """Command points for rolls: none first."""
        yield {}
        if not rolls or not self.cap:
            return
        if len(rolls) == 1:
            for n in range(1, min(2, self.cap) + 1):
                yield {"cap": n}
            return
        for given in product(range(3), repeat=len(rolls)):
            if 0 < sum(given) <= self.cap:
                bought = {name: n for name, n in zip(rolls, given, strict=True) if n}
                yield {"cap": FrozenMap(bought)}

    def lucky(self, params: Params, rolls: Sequence[str]) -> Iterator[Params]:
        """The same, and with card 12 if it is in the hand."""
        yield params
        if rolls and "12" in self.hand:
            yield {**params, "luck": True}

    def groups(self, units: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
        """Every set of two or more that hangs together."""
        for size in range(2, len(units) + 1):
            for group in combinations(units, size):
                if move_costs.connected(self.now, group):
                    yield group
