"""The odds of fire against an enumeration of its own."""

from __future__ import annotations

from dataclasses import replace as changed
from fractions import Fraction
from itertools import product

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

# Typed anew from the printed table: columns 1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36.
COLUMNS = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]
ROWS = {
    1: "1K k1 1 1 0 P - - - - - - - - - -",
    2: "2K 1K k1 1 1 0 P - - - - - - - - -",
    4: "2K 1K k2 2 1 1 0 P - - - - - - - -",
    6: "3K 2K 1K k2 2 1 1 0 P - - - - - - -",
    8: "3K 2K 1K k2 2 2 1 1 0 P - - - - - -",
    12: "3K 2K 1K k3 3 2 2 1 1 0 P - - - - -",
    16: "4K 3K 2K 1K k3 3 2 2 1 1 0 P - - - -",
    20: "4K 3K 2K 1K k4 4 3 2 2 1 1 0 P - - -",
}
TABLE = {column: row.split() for column, row in ROWS.items()}
SUMS = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
# Morale and broken morale (and leadership) by kind and grade: a Russian 4-4-7 falls to a 4-2-6 and
# hardens into a 4-5-8; the half-squads with them; leaders from 8-0 up to 10-2.
GRADES = {
    "squad": {-1: (6, 5), 0: (7, 7), 1: (8, 8)},
    "half": {-1: (6, 4), 0: (7, 6), 1: (8, 7)},
    "leader": {-1: (8, 8, 0), 0: (8, 8, -1), 1: (9, 9, -1), 2: (9, 9, -2), 3: (10, 10, -2)},
}
RIFLE = {"kind": "squad", "grade": 0}
HALF = {"kind": "half"}
LEADER = {"kind": "leader", "grade": 0}
ELR = None


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def table(asl: AdvancedSquadLeader, phase: str, *units: Unit, **extras: int) -> Position:
    blank = changed(asl.blank(), board="proving", phase=phase, active=("attacker",))
    extras = FrozenMap({"phasing": "attacker", **extras})
    return changed(blank.with_unit(*units), extras=extras)


# An enumeration that knows nothing of the game's code


def morale(man):
    if man.get("berserk"):
        return 10
    level = GRADES[man["kind"]][man["grade"]][bool(man.get("broken"))]
    return min(10, level - bool(man.get("wounded")) + bool(man.get("fanatic")))


def leads(man):
    return GRADES["leader"][man["grade"]][2] + bool(man.get("wounded"))


def fates(state, name, worse, *, pins, check):
    """All that a roll of two dice can do to one of them, with its chance."""
    for total, chance in SUMS.items():
        man = dict(state[name])
        level = morale(man)
        steadfast = man.get("heroic") or man.get("berserk")
        if not check:
            if total + worse > level and not man.get("broken") and not steadfast:
                man["pinned"] = True
            yield chance, man
            continue
        if total == 12:
            stuck = man.get("broken") or steadfast
            found = [(1, None)] if stuck else lose(below(man, total + worse - level), True)
        elif total + worse > level:
            if man.get("heroic") and man.get("wounded"):
                found = [(1, None)]
            elif man.get("broken") or steadfast:
                found = lose(man, False)
            else:
                man = below(man, total + worse - level)
                found = [(1, man | {"broken": True, "pinned": False})]
        else:
            if pins and total + worse == level and not man.get("broken") and not steadfast:
                man["pinned"] = True
            found = [(1, man)]
        if total == 2:
            found = [(p * q, m) for p, one in found for q, m in heated(one, state[name])]
        yield from ((chance * p, m) for p, m in found)


def below(man, by):
    """Who fails by more than the experience level is a lesser man."""
    if ELR is None or by <= ELR:
        return man
    if man["grade"] > -1:
        return man | {"grade": man["grade"] - 1}
    raise AssertionError("nobody here falls further")


def heated(man, before):
    """Heat of battle: a new roll, with the modifiers of Russians."""
    if man is None or man.get("heroic") or man.get("berserk"):
        return [(1, man)]
    smc = man["kind"] == "leader"
    extra = -1 if smc or man["grade"] > 0 else 0
    extra += 0 if smc else 2
    extra += bool(before.get("broken")) + (not smc and man["grade"] < 0)
    found = []
    for total, chance in SUMS.items():
        final = total + extra
        after = dict(man)
        if final <= 6:
            if smc:
                after |= {"heroic": True, **MENDED}
            else:
                after["hero"] = True
        if 5 <= final <= 8:
            after |= MENDED
            if after["grade"] + 1 in GRADES[man["kind"]]:
                # A 2-2-6 hardens into the weaker of 2-2-7 and 2-3-7.
                after["other"] = man["kind"] == "half" and man["grade"] == -1
                after["grade"] += 1
            else:
                after["fanatic"] = True
        if 9 <= final <= 11 or (final >= 12 and man.get("fanatic")):
            after |= {"berserk": True, **MENDED}
        elif final >= 12:
            after |= {"broken": True, "pinned": False, "disrupted": True}
        found.append((chance, after))
    return found


MENDED = {"broken": False, "pinned": False, "disrupted": False}


def lose(man, then_break):
    if man["kind"] == "half":
        return [(1, None)]
    if man["kind"] == "squad":
        found = [(1, man | HALF)]
    else:
        light = Fraction(3 if man.get("wounded") else 4, 6)
        found = [(light, man | {"wounded": True}), (1 - light, None)]
    if then_break:
        found = [(p, m and m | {"broken": True, "pinned": False}) for p, m in found]
    return found


def raging(worlds, names, start):
    """A leader who went berserk tries to carry all others away when the fire is done."""
    for boss in names:
        if start[boss]["kind"] != "leader":
            continue
        for name in names:

            def step(world, boss=boss, name=name):
                leader, man = world[boss], world[name]
                if leader is None or man is None or not leader.get("berserk") or name == boss:
                    return [(Fraction(1), world)]
                if man.get("berserk") or man.get("heroic"):
                    return [(Fraction(1), world)]
                carried = sum(
                    chance for total, chance in SUMS.items() if total + leads(leader) <= morale(man)
                )
                wild = man | {"berserk": True, **MENDED}
                return [(carried, put(world, name, wild)), (1 - carried, world)]

            worlds = spread(worlds, step)
    return worlds


def spread(worlds, step):
    """All worlds after a step, those that are alike taken together."""
    merged = {}
    for p, state in worlds:
        for q, after in step(state):
            key = tuple((n, m and tuple(sorted(m.items()))) for n, m in after.items())
            chance, _ = merged.get(key, (0, after))
            merged[key] = (chance + p * q, after)
    return list(merged.values())


def put(state, name, man):
    return {**state, name: man}


def loss_of(state, name, before, man):
    """What the others go through when a leader breaks or is gone."""
    worlds = [(Fraction(1), put(state, name, man))]
    if before["kind"] != "leader":
        return worlds
    gone, broke = man is None, man is not None and man.get("broken") and not before.get("broken")
    if not gone and not broke:
        return worlds
    worse = 0 if before.get("berserk") else max(0, -leads(before))
    if not gone and before.get("pinned"):
        return worlds
    lower = [
        n
        for n, m in state.items()
        if n != name and m and not m.get("berserk") and morale(m) < morale(before)
    ]
    for other in lower:

        def step(world, other=other):
            if world[other] is None:
                return [(Fraction(1), world)]
            found = fates(world, other, worse, pins=False, check=gone)
            return [(p, put(world, other, m)) for p, m in found]

        worlds = spread(worlds, step)
    return worlds


def helped(state, name):
    if state[name]["kind"] == "leader" or state[name].get("berserk"):
        return 0
    found = [
        leads(m)
        for n, m in state.items()
        if m
        and m["kind"] == "leader"
        and not (m.get("broken") or m.get("pinned") or m.get("berserk"))
    ]
    return min(found, default=0)


def one_check(state, name, worse, *, check):
    if state[name] is None or (
        not check and any(state[name].get(f) for f in ("broken", "pinned", "heroic", "berserk"))
    ):
        return [(Fraction(1), state)]
    before = state[name]
    found = []
    for p, man in fates(state, name, worse + helped(state, name), pins=True, check=check):
        found += [(p * q, after) for q, after in loss_of(state, name, before, man)]
    return found


def after_result(result, state):
    names = list(state)
    worlds = [(Fraction(1), state)]
    if result == "-":
        return worlds
    if result.endswith("K"):
        return [
            (p, after)
            for q, chosen in lots(names, int(result[0]))
            for p, after in ((q * r, w) for r, w in killed(state, chosen))
        ]
    if result.startswith("k"):
        found = []
        for q, chosen in lots(names, 1):
            hit = [(Fraction(1), state)]
            for name in names:
                if name in chosen:

                    def step(world, name=name):
                        before = world[name]
                        if before is None:
                            return [(Fraction(1), world)]
                        return [
                            (p * r, w)
                            for p, man in lose(before, False)
                            for r, w in loss_of(world, name, before, man)
                        ]

                    hit = spread(hit, step)
            found += [(q * p, w) for p, w in hit]
        worlds, worse, check = found, int(result[1]), True
    elif result == "P":
        worse, check = 0, False
    else:
        worse, check = int(result), True
    for name in names:
        worlds = spread(worlds, lambda world, name=name: one_check(world, name, worse, check=check))
    return worlds


def lots(names, count):
    if len(names) <= count:
        return [(Fraction(1), names)]
    found = {}
    for values in product(range(1, 7), repeat=len(names)):
        least = sorted(values, reverse=True)[count - 1]
        chosen = tuple(n for n, v in zip(names, values, strict=True) if v >= least)
        found[chosen] = found.get(chosen, 0) + Fraction(1, 6 ** len(names))
    return [(p, chosen) for chosen, p in found.items()]


def killed(state, chosen):
    world = {n: None if n in chosen else m for n, m in state.items()}
    worlds = [(Fraction(1), world)]
    for name, man in world.items():
        if man is not None:

            def step(w, name=name):
                man = w[name]
                hurt = (
                    lose(man, False)
                    if man.get("broken") or man.get("heroic") or man.get("berserk")
                    else [(1, man | {"broken": True, "pinned": False})]
                )
                return [(Fraction(p), put(w, name, m)) for p, m in hurt]

            worlds = spread(worlds, step)
    for name in chosen:
        if state[name]["kind"] == "leader":
            worlds = spread(worlds, lambda w, name=name: loss_of(w, name, state[name], None))
    return worlds


def independent(column, drm, state, *, cowers):
    """By unit, the chance of each end."""
    total = {name: {} for name in state}
    known = {}
    for a, b in product(range(1, 7), repeat=2):
        at = COLUMNS.index(column) - (cowers if a == b else 0)
        result = "-" if at < 0 else TABLE[COLUMNS[at]][min(max(a + b + drm, 0), 15)]
        known[result] = known.get(result, 0) + Fraction(1, 36)
    for result, chance in known.items():
        worlds = raging(after_result(result, state), list(state), state)
        for p, world in spread(worlds, lambda world: [(1, world)]):
            for name, man in world.items():
                words = told(state[name], man)
                total[name][words] = total[name].get(words, 0) + p * chance
    return total


def told(before, man):
    if man is None:
        return "eliminated"
    words = ["reduced"] if man["kind"] != before["kind"] else []
    if man["grade"] != before["grade"] or man.get("other"):
        words.append("hardened" if man["grade"] > before["grade"] else "replaced")
    flags = ("wounded", "broken", "pinned", "disrupted", "berserk", "heroic", "fanatic")
    words += [f for f in flags if man.get(f) and not before.get(f)]
    words += ["with a hero"] if man.get("hero") else []
    words += ["rallied"] if before.get("broken") and not man.get("broken") else []
    return " and ".join(words) or "unchanged"


def odds(asl, position, firers, leaders=()):
    query = {"name": "odds", "target": "F5", "firers": list(firers), "leaders": list(leaders)}
    name, params = asl.game.queries.decode(query)
    answer = engine.ask(asl, position, name, params).to_json()
    return {u: {k: Fraction(p) for k, p in f.items()} for u, f in answer["units"].items()}


def squads(count, cell="F3"):
    return [Unit(f"g{i}", "german_4-6-7", "attacker", cell) for i in range(count)]


MEN = {
    "squad": (Unit("r", "russian_4-4-7", "defender", "F5"), RIFLE),
    "broken": (
        Unit("r", "russian_4-4-7", "defender", "F5", flags=frozenset({"broken"})),
        RIFLE | {"broken": True},
    ),
    "half": (Unit("r", "russian_2-3-7", "defender", "F5"), HALF | {"grade": 0}),
    "leader": (Unit("l", "leader_8-1", "defender", "F5"), LEADER),
    "second": (Unit("s", "russian_4-4-7", "defender", "F5"), RIFLE),
}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    "who",
    [("squad",), ("half",), ("broken",), ("leader",), ("leader", "squad"), ("squad", "second")],
)
def test_odds_are_those_of_an_enumeration_of_its_own(asl, count, who):
    """ASL-IFT-1 to ASL-IFT-5, ASL-LLMC-1, ASL-LLTC-1, ASL-RANDSEL-1."""
    units = [MEN[key][0] for key in who]
    state = {MEN[key][0].id: MEN[key][1] for key in who}
    firers = squads(count)
    position = table(asl, "prep_fire", *units, *firers)
    found = odds(asl, position, [g.id for g in firers])
    expected = independent(4 * count, 0, state, cowers=1)
    assert found == expected
    assert all(sum(chances.values()) == 1 for chances in found.values())


def test_a_directed_group_with_a_squad_and_a_leader_under_fire(asl):
    units = [MEN[key][0] for key in ("leader", "squad")]
    state = {MEN[key][0].id: MEN[key][1] for key in ("leader", "squad")}
    boss = Unit("boss", "leader_9-2", "attacker", "F3")
    position = table(asl, "prep_fire", *units, *squads(3), boss)
    found = odds(asl, position, ["g0", "g1", "g2"], ["boss"])
    assert found == independent(12, -2, state, cowers=0)


@pytest.mark.parametrize("elr", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("who", [("squad",), ("half",), ("leader", "squad"), ("squad", "second")])
def test_who_falls_below_the_experience_level_is_replaced(asl, monkeypatch, elr, who):
    """ASL-A19.13a to ASL-A19.13d, in the odds as in play."""
    monkeypatch.setitem(globals(), "ELR", elr)
    units = [MEN[key][0] for key in who]
    state = {MEN[key][0].id: MEN[key][1] for key in who}
    position = table(asl, "prep_fire", *units, *squads(3), defender_elr=elr)
    assert odds(asl, position, ["g0", "g1", "g2"]) == independent(12, 0, state, cowers=1)
