"""Fire, close combat, rally, cards and artillery: the list is what brute force finds, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, Value

COH = ConflictOfHeroes()
Params = dict[str, Value]
Tries = Iterator[tuple[str, Params]]


def situation(**changes: object) -> Position:
    document: dict[str, Any] = COH.blank().to_json()
    document["options"] = dict(engine.complete_options(COH, {}))
    return Position.from_json({**document, **changes})


def unit(
    kind: str, cell: str, facing: int | None, *flags: str, **more: object
) -> dict[str, object]:
    side = kind.partition("_")[0]
    placed = {"type": kind, "side": side, "cell": cell, "facing": facing, "flags": list(flags)}
    return {**placed, **more}


def asked(kind: str, **about: object) -> dict[str, object]:
    return {"kind": kind, "deciders": [{"side": "german"}], "about": about}


def hit(kind: str, on: str) -> dict[str, object]:
    return {"kind": kind, "unit": on, "side": "german", "known_to": ["german"], "face": "hit"}


def hand(*cards: str) -> dict[str, object]:
    return {"hand-german": {"cards": list(cards), "side": "german", "known_to": ["german"]}}


def choices(*options: Mapping[str, Value]) -> list[Params]:
    """One of several additions, or none."""
    return [{}, *(dict(option) for option in options)]


def subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))


def named(name: str, values: Iterable[tuple[str, ...]]) -> list[Params]:
    return [{name: tuple(v)} if v else {} for v in values]


def points(rolls: Sequence[str], most: int = 2) -> list[Params]:
    """Every purchase for these rolls in the spelling of the list: a number if there is one roll."""
    if len(rolls) == 1:
        return choices(*({"cap": n} for n in range(1, most + 1)))
    bought = (dict(zip(rolls, n, strict=True)) for n in product(range(most + 1), repeat=len(rolls)))
    kept = ({name: n for name, n in row.items() if n} for row in bought)
    return [{"cap": FrozenMap[Value](row)} if row else {} for row in kept]


WAYS: tuple[Params, ...] = (
    {"by": "ap"},
    {"by": "opportunity"},
    {"by": "command"},
    {"by": "card", "card": "02"},
)
BONUS = list(product(choices({"aimed": True}), choices({"luck": True})))

# A mortar, engineers with a flamethrower and grenades, an enemy three hexes off and one beside.
AT_A_DISTANCE = situation(
    tracks={"ap-german": 4, "cap-german": 2},
    piles=hand("02", "09", "12"),
    units={
        "a": unit("german_engineers", "9-E03", 2, "active", values={"weapon": "grenades"}),
        "m": unit("german_mortar_8cm", "9-E03", 2),
        "s": unit("soviet_rifles_41", "9-E04", 5),
        "t": unit("soviet_maxim", "9-E06", 5),
    },
    markers={"w": {"kind": "wire", "cell": "9-E06"}},
)
CELLS = ("9-E03", "9-E04", "9-E06", "9-F05")


def shots() -> Tries:
    own = ("a", "m")
    modes: list[Params] = [{}, {"mode": "flame"}, {"mode": "smoke"}, {"weapon": True}]
    modes += [{"mode": "flame", "weapon": True}, {"mode": "smoke", "weapon": True}]
    for me, cell in product(own, CELLS):
        mates = [n for n in own if n != me]
        rolls = {"9-E04": ["s"], "9-E06": ["t"]}.get(cell, ["hex"])
        if me == "m" and cell == "9-E06":
            rolls = ["t", "w"]
        for mode, group, pay in product(modes, named("supporters", subsets(mates)), WAYS):
            base: Params = {"unit": me, "cell": cell, **mode, **group, **pay}
            yield "fire", base
            for aimed, luck in BONUS[1:]:
                yield "fire", {**base, **aimed, **luck}
            for cap in points(rolls)[1:]:
                yield "fire", {**base, **cap}
            if "a" in str(group.get("supporters", ())):
                yield "fire", {**base, "thrown": ("a",)}


def directed_shots() -> Tries:
    spots = COH.boards["9"].within("9-E03", 3)[::2]
    for cell, spot, mode, pay in product(CELLS, spots, ("indirect", "smoke"), WAYS):
        yield "fire", {"unit": "m", "cell": cell, "mode": mode, "observer": spot, **pay}


# Who is hidden looks where he wants when he fires.
OUT_OF_HIDING = situation(
    units={
        "h": unit("german_rifles_41", "9-E02", None, seen_by=["german"]),
        "s": unit("soviet_rifles_41", "9-E06", 5),
    },
)


def ambushes() -> Tries:
    faces = choices(*({"facing": f} for f in range(6)))
    for cell, face, pay in product(CELLS, faces, WAYS):
        yield "fire", {"unit": "h", "cell": cell, **face, **pay}


# Two squads, one spent with grenades, against a tank and men in one hex with wire and a trench.
HAND_TO_HAND = situation(
    tracks={"ap-german": 2, "cap-german": 1},
    piles=hand("02", "09", "12"),
    units={
        "a": unit("german_engineers", "9-E03", 2, "active"),
        "b": unit("german_rifles_41", "9-E03", 2, "spent", values={"weapon": "grenades"}),
        "c": unit("german_at_team", "9-E03", 2, values={"weapon": "tellermine"}),
        "s": unit("soviet_rifles_41", "9-E03", 5, values={"fort": "t"}),
        "k": unit("soviet_t34a", "9-E03", 5),
    },
    markers={
        "w": {"kind": "wire", "cell": "9-E03"},
        "t": {"kind": "trench", "cell": "9-E03"},
        "m": {"kind": "mines", "cell": "9-E03", "side": "soviet"},
    },
)


def brawls() -> Tries:
    own = ("a", "b", "c")
    targets: list[Params] = [{"target": "s"}, {"target": "k"}, {"target": "b"}]
    targets += [{"work": "w"}, {"work": "t"}, {"work": "m"}]
    modes: list[Params] = [{}, {"mode": "flame"}, {"weapon": True}, {"mode": "smoke"}]
    for me, target, mode, pay in product(own, targets, modes, WAYS):
        mates = [n for n in own if n != me]
        roll = str(next(iter(target.values())))
        for group in subsets(mates):
            armed = [n for n in group if n in ("b", "c")]
            for thrown in subsets(armed):
                base: Params = {"unit": me, **target, **mode, **pay}
                base |= {"supporters": group} if group else {}
                base |= {"thrown": thrown} if thrown else {}
                for aimed, luck in BONUS:
                    for cap in points([roll], 1):
                        yield "close_combat", {**base, **aimed, **luck, **cap}


# A friend among the enemies: points go down for him.
IN_THE_WAY = situation(
    tracks={"ap-german": 7, "cap-german": 2},
    units={
        "a": unit("german_rifles_41", "9-E03", 2, "active"),
        "f": unit("german_lmg_34", "9-E06", 5, "spent"),
        "s": unit("soviet_rifles_41", "9-E06", 5),
    },
)


def sparing_shots() -> Tries:
    for friend, foe, pay in product((0, -1, -2), (0, 1, 2), WAYS[:3]):
        bought = {name: n for name, n in (("f", friend), ("s", foe)) if n}
        cap: Params = {"cap": FrozenMap[Value](bought)} if bought else {}
        yield "fire", {"unit": "a", "cell": "9-E06", **pay, **cap}


# Three units that are hit, one of them for good.
SHAKEN = situation(
    tracks={"ap-german": 7, "cap-german": 2},
    piles=hand("02", "03", "04", "12"),
    units={
        "a": unit("german_rifles_41", "9-E03", 2, "active"),
        "b": unit("german_lmg_34", "9-E02", 2, "spent"),
        "k": unit("german_panzer_3e", "9-E02", 2),
        "s": unit("soviet_rifles_41", "9-E06", 5),
    },
    markers={
        "h": hit("foot-stunned", "a"),
        "i": hit("foot-panicked", "b"),
        "j": hit("vehicle-immobilized", "k"),
    },
)


def rallies() -> Tries:
    ways: tuple[Params, ...] = (*WAYS, {"by": "card", "card": "03"}, {"by": "card", "card": "04"})
    for group, pay in product(subsets(["a", "b", "k"]), ways):
        rolls = [] if pay.get("card") == "03" else group
        for cap, luck in product(points(rolls) if rolls else [{}], choices({"luck": True})):
            yield "rally", {"units": group, **pay, **cap, **luck}


# One card of each kind that is played by itself, and what they can be played on.
AT_THE_TABLE = situation(
    tracks={"ap-german": 3, "cap-german": 2, "cap-soviet": 2},
    piles=hand("06", "07", "08", "12", "13", "20", "30", "40", "41"),
    units={
        "a": unit("german_rifles_41", "9-E03", 2, "active", values={"weapon": "tellermine"}),
        "k": unit("german_panzer_3e", "9-E02", 2, "spent"),
        "s": unit("soviet_rifles_41", "9-E04", 5),
        "t": unit("soviet_t34a", "9-E08", 5),
        "x": unit("soviet_smg", "9-D05", None, seen_by=["soviet"]),
    },
    markers={
        "w": {"kind": "wire", "cell": "9-E03"},
        "m": {"kind": "mines", "cell": "9-D03", "side": "german"},
    },
)


def plays() -> Tries:
    cards = ("06", "07", "08", "12", "13", "20", "30", "40", "41", "tellermine", "03")
    units = choices(*({"unit": u} for u in ("a", "k", "s", "t")))
    cells = ("9-E02", "9-E03", "9-E04", "9-D03", "9-F03", "9-E05")
    for card, who in product(cards, units):
        about: list[Params] = (
            [{}] if card in ("06", "07", "08", "12", "13", "20", "30", "03") else []
        )
        about += [{"cell": c} for c in cells] if card in ("40", "tellermine") else []
        about += [{"marker": m} for m in ("w", "m")] if card == "41" else []
        rolled = card in ("07", "08", "13")
        # A card about no unit is listed without one.
        if rolled and who:
            continue
        prices: list[Params] = [{}]
        if card in ("30", "41", "tellermine"):
            prices.append({"pay_card": "ap"})
        if card in ("41", "tellermine"):
            prices.append({"pay_card": "ap", "top_up": 1})
        caps = points([card]) if rolled else [{}]
        for what, price, cap in product(about, prices, caps):
            for luck in choices({"luck": True}) if rolled else [{}]:
                yield "play", {"card": card, **who, **what, **price, **cap, **luck}


BATTERY = {"artillery-german": {"cards": ["oba_german"], "side": "german", "known_to": ["german"]}}
PLOTTING = situation(
    phase="prep",
    piles=BATTERY,
    frames=[asked("plot")],
    units={
        "a": unit("german_rifles_41", "9-C05", 2),
        "s": unit("soviet_rifles_41", "9-E06", 5),
    },
)


def plots() -> Tries:
    yield "plot", {}
    batteries, cells = ("oba_german", "oba_soviet"), COH.boards["9"].hexes
    for card, cell, smoke in product(batteries, cells, (False, True)):
        yield "plot", {"card": card, "cell": cell, "smoke": smoke}


FALLING = situation(
    phase="prep",
    turn=2,
    tracks={"cap-german": 2},
    piles=hand("12"),
    frames=[asked("barrage")],
    markers={
        "x": {
            "kind": "barrage",
            "cell": "9-A01",
            "side": "german",
            "seen_by": ["german"],
            "values": {"card": "oba_german", "turn": 2},
        }
    },
    units={"s": unit("soviet_rifles_41", "9-A01", 5)},
)


def barrages() -> Tries:
    for cap in points(["s", "hex 9-A02", "hex 9-B01"]):
        for luck in choices({"luck": True}):
            yield "barrage", {**cap, **luck}


MINED = situation(
    tracks={"cap-german": 1},
    piles=hand("12"),
    frames=[asked("mines", unit="s", marker="m")],
    markers={"m": {"kind": "mines", "cell": "9-E06", "side": "german"}},
    units={"s": unit("soviet_rifles_41", "9-E06", 5)},
)


def mines() -> Tries:
    for cap, luck in product(points(["mines"]), choices({"luck": True})):
        yield "mines", {**cap, **luck}


CASES: dict[str, tuple[Position, Callable[[], Tries], str]] = {
    "fire": (AT_A_DISTANCE, shots, "fire"),
    "fire through an observer": (AT_A_DISTANCE, directed_shots, "fire"),
    "fire out of hiding": (OUT_OF_HIDING, ambushes, "fire"),
    "fire past a friend": (IN_THE_WAY, sparing_shots, "fire"),
    "close combat": (HAND_TO_HAND, brawls, "close_combat"),
    "rally": (SHAKEN, rallies, "rally"),
    "cards": (AT_THE_TABLE, plays, "play"),
    "plots": (PLOTTING, plots, "plot"),
    "barrages": (FALLING, barrages, "barrage"),
    "mines": (MINED, mines, "mines"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_list_is_what_brute_force_finds(name: str) -> None:
    position, tries, kind = CASES[name]
    offers = list(engine.offers(COH, position, "german", [kind]))
    listed = {offer.action: offer.verdict for offer in offers}
    assert len(listed) == len(offers), "an action is offered twice"
    for n, (action, promised) in enumerate(listed.items()):
        if n < 300 or n % 11 == 0:
            verdict = engine.check(COH, position, action)
            assert verdict.legal, f"{action}: {verdict.rules}"
            assert verdict.cost == promised.cost, action
    legal = 0
    for tried, params in tries():
        action = Action(tried, "german", FrozenMap(params))
        allowed = _allowed(position, action)
        assert (action in listed) is allowed, f"{action} is {'' if allowed else 'not '}legal"
        legal += allowed
    assert legal, "a test in which nothing is legal tests nothing"


def _allowed(position: Position, action: Action) -> bool:
    try:
        return engine.check(COH, position, action).legal
    except RulesError:  # about a thing that is not there
        return False
