"""Pairs of games that differ in what the German hides: the Russian player is told the same.

Other tokens under the same units, other cards in hand, another unit in ambush: the Russian side's
views, choices, refusals and events must be equal.
"""

from __future__ import annotations

from typing import Any

from hos_ground import game, position, printed
from hypothesis import given, settings
from hypothesis import strategies as st

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.secrecy.telling import telling
from hexmarshal.rules.state.disclosure import changes, shown
from hexmarshal.rules.state.position import Position

TOKENS = ("1", "2", "bluff", "special")
CARDS = ("rally-1", "surprise-1", "second_chance-1", "reactive-1", "fury-1", "initiative-2")


def start(tokens: tuple[str, ...], cards: tuple[str, ...]) -> Position:
    """The Russian reveals; the German's tokens, cards and ambusher are unknown to him."""
    units = {
        "r1": printed("rifle_group", "0505"),
        "r2": printed("kapitan", "0406"),
        "g1": printed("fire_group", "0905"),
        "g2": printed("mg42", "1006"),
        "g3": printed("vollrath", "1007"),
        "g4": printed("scharfschutze", "1009", known_to=["german"], face="ambushed"),
    }
    bearers = ("g1", "g2", "g3", "g4")
    markers: dict[str, Any] = {
        f"order-{unit}": {
            "kind": "order",
            "side": "german",
            "unit": unit,
            "face": "order",
            "values": {"token": token},
            "known_to": ["german"],
        }
        for unit, token in zip(bearers, tokens, strict=True)
    }
    markers["order-r1"] = {
        "kind": "order",
        "side": "russian",
        "unit": "r1",
        "face": "order",
        "values": {"token": "1"},
        "known_to": ["russian"],
    }
    piles = {
        "german-hand": {"cards": list(cards), "side": "german", "known_to": ["german"]},
        "german-discard": {"side": "german"},
    }
    return position(units, markers=markers, piles=piles, tracks={"special-german": 1})


class Table:
    """One of the two games, with all that the Russian side was told so far."""

    def __init__(self, now: Position) -> None:
        self.now = now
        self.told: list[object] = []

    def do(self, kind: str, side: str, dice: tuple[int, ...] = (), **params: object) -> None:
        action = game().game.actions.make(kind, side, **params)
        done = engine.perform(game(), self.now, action, Dice(given=dice))
        before, after = (engine.view(game(), p, "russian") for p in (self.now, done.position))
        heard = telling(game(), kind, side, self.now, done.position, rolled=bool(done.rolls))
        self.now = done.position
        if "russian" in heard.untold:
            return
        if side != "russian" and game().game.actions[kind].sealed is not None:
            self.told.append((side, tuple(changes(before, after))))
        else:
            self.told.append(
                shown(action, done.effects, done.resolutions, done.rolls, before, after)
            )

    def looks(self) -> list[object]:
        """All that the Russian side can see, choose and be refused now."""
        view = engine.view(game(), self.now, "russian")
        found: list[object] = [list(self.told), view.to_json()]
        found.append(engine.next_choices(game(), self.now, "russian", reasons=True))
        make = game().game.actions.make
        found += [self._refusal(make("rally", "russian", card=c, unit="r1")) for c in CARDS]
        for unit in ("g1", "g2", "g3", "g4"):
            found.append(self._refusal(make("special_order", "russian", unit=unit)))
            found.append(self._refusal(make("fire", "russian", unit="r1", target=unit)))
        return found

    def _refusal(self, action: Any) -> object:
        try:
            return engine.check(game(), self.now, action)
        except HexMarshalError as error:
            return error.as_dict()


secrets = st.tuples(
    st.permutations(TOKENS).map(tuple), st.permutations(CARDS).map(lambda c: tuple(c[:3]))
)


@settings(max_examples=12, deadline=None)
@given(secrets, secrets)
def test_a_move_under_fire_tells_nothing_of_tokens_and_cards(one: Any, other: Any) -> None:
    tables = []
    for tokens, cards in (one, other):
        table = Table(start(tokens, cards))
        seen = [table.looks()]
        table.do("reveal", "russian")
        seen.append(table.looks())
        table.do("move", "russian", unit="r1", path=["0605", "0606"])
        seen.append(table.looks())
        assert table.now.state == "opportunity"
        table.do("fire", "german", dice=(2,), unit="g2", target="r1")
        seen.append(table.looks())
        table.do("keep_dice", "german")
        seen.append(table.looks())
        tables.append(seen)
    assert tables[0] == tables[1]
