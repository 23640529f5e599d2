"""Choosing step by step: the next choices, the walk and the check agree, seen on the tutorial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain, combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tutorial import Crossroads
from tutorial.board import neighbours, terrain

from hexmarshal.errors import RulesError
from hexmarshal.rules import Action, ActionTable, FrozenMap, Position, Verdict, Violation, engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.choosing.pages import OwnList, page
from hexmarshal.rules.choosing.partial import NotChosen, begun
from hexmarshal.rules.choosing.sampling import Sampler
from hexmarshal.rules.choosing.slots import Grouped, by_slot
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugin import Offer
from hexmarshal.testkit import choice_problems

PLUGIN = Crossroads()
START = engine.start(PLUGIN, seed=1)
NEAR = replace(
    START.with_unit(
        replace(START.unit("b1"), cell="E2"),
        replace(START.unit("b3"), cell="F3"),
        replace(START.unit("r1"), cell="F2"),
    ),
    phase="combat",
)


@cache
def positions() -> list[Position]:
    """Every position of a few random games."""
    games = (play_game(PLUGIN, str(seed), check_replay=False) for seed in range(4))
    return [p for g in games for p in replay(PLUGIN, g.record) if PLUGIN.outcome(p) is None]


def asked(position: Position, side: str, slot: str = "", **document: object):
    begun = Begun.decode(PLUGIN.game.actions, document, slot)
    return engine.next_choices(PLUGIN, position, side, begun, reasons=True)


def values(found) -> list[object]:
    return [choice.value for choice in found.choices]


def test_the_first_choice_is_the_kind() -> None:
    found = asked(START, "blue")
    assert (found.slot, values(found)) == ("kind", ["move", "end_phase"])
    attack, advance = found.refused
    assert advance.value == "advance"
    assert (attack.value, attack.violations[0].rule, attack.violations[0].section) == (
        "attack",
        "TUT-1",
        "1",
    )
    assert values(asked(START, "red")) == []
    over = replace(START, turn=9)
    assert {v.rule for r in asked(over, "blue").refused for v in r.violations} >= {"HM-over"}


def test_a_unit_is_chosen_among_those_that_the_side_knows() -> None:
    found = asked(START, "blue", kind="move")
    assert (found.slot, values(found), found.then) == ("unit", ["b1", "b2", "b3"], "path")
    assert not found.ready
    assert not found.complete
    assert found.action is None
    told = {refused.value: refused.violations[0].text for refused in found.refused}
    assert told == {"r1": "r1 is red's", "r2": "r2 is red's"}  # and not a word of the scout, r3


def test_a_path_grows_cell_by_cell_with_its_cost() -> None:
    found = asked(START, "blue", kind="move", unit="b1")
    assert found.slot == "path"
    assert not found.complete
    assert not found.ready
    assert {c.value: c.cost.total for c in found.choices} == {"A1": 1, "B1": 2, "B2": 1}
    assert {r.value for r in found.refused} == {"A3"}
    further = asked(START, "blue", kind="move", unit="b1", path=["B2"])
    assert further.complete
    assert further.ready
    assert further.slot == "path"
    assert further.then == ""
    assert further.action == PLUGIN.game.actions.make("move", "blue", unit="b1", path=["B2"])
    assert {c.value: c.cost.total for c in further.choices} == {
        "B1": 3,
        "B3": 2,
        "C2": 3,
        "C3": 2,
    }
    done = asked(START, "blue", kind="move", unit="b1", path=["B2", "C2"])
    assert done.complete
    assert values(done) == []


def test_a_group_grows_member_by_member() -> None:
    first = asked(NEAR, "blue", kind="attack")
    assert (first.slot, values(first), first.ready) == ("attackers", ["b1", "b2", "b3"], False)
    second = asked(NEAR, "blue", kind="attack", attackers=["b1"])
    assert (values(second), second.ready, second.then) == (["b2", "b3"], True, "target")
    target = asked(NEAR, "blue", "target", kind="attack", attackers=["b1", "b3"])
    assert (target.slot, values(target)) == ("target", ["r1"])
    whole = asked(NEAR, "blue", kind="attack", attackers=["b1"], target="r1")
    assert (whole.slot, whole.complete) == ("", True)
    # The target first: then only those beside it may join.
    other_way = asked(NEAR, "blue", "attackers", kind="attack", target="r1")
    assert values(other_way) == ["b1", "b3"]


def test_a_scalar_that_was_chosen_can_be_asked_for_again() -> None:
    again = asked(START, "blue", "unit", kind="move", unit="b1", path=["B2"])
    assert again.slot == "unit"
    assert values(again) == ["b1", "b3"]  # who may go to B2


@pytest.mark.parametrize(
    ("document", "slot", "field"),
    [
        ({"kind": "nix"}, "", "kind"),
        ({"kind": 7}, "", "kind"),
        ({"unit": "b1"}, "", "kind"),
        ({}, "path", "kind"),
        ({"kind": "move", "to": "B2"}, "", "to"),
        ({"kind": "move", "unit": "b1", "path": "B2"}, "", "path"),
        ({"kind": "move"}, "wings", "slot"),
        ({"kind": "move", "unit": "zz"}, "", "unit"),
        ({"kind": "move", "unit": "r3"}, "", "unit"),
        ({"kind": "move", "unit": "b1", "path": ["Z9"]}, "", "path[0]"),
    ],
)
def test_nonsense_names_its_field(document: dict, slot: str, field: str) -> None:
    with pytest.raises(RulesError) as caught:
        asked(START, "blue", slot, **document)
    assert caught.value.place.field == field


def every_path(unit_cell: str, longest: int) -> Iterator[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = [()]
    for _ in range(longest):
        paths = [(*p, c) for p in paths for c in neighbours(p[-1] if p else unit_cell)]
        yield from paths


def legal(position: Position, action: Action) -> bool:
    return engine.check(PLUGIN, position, action).legal


@given(st.data())
def test_next_and_check_agree_on_every_path_by_brute_force(data) -> None:
    position = data.draw(st.sampled_from([p for p in positions() if p.phase == "move"]))
    (side,) = position.active
    unit = data.draw(st.sampled_from(list(position.of_side(side))))
    make = PLUGIN.game.actions.make
    known = engine.view(PLUGIN, position, side)
    wanted = {
        path
        for path in every_path(unit.cell, 4)
        if legal(position, make("move", side, unit=unit.id, path=path))
    }
    found: set[tuple[str, ...]] = set()
    begun_paths: list[tuple[str, ...]] = [()]
    while begun_paths:
        path = begun_paths.pop()
        answer = asked(known, side, kind="move", unit=unit.id, path=list(path))
        if answer.complete:
            found.add(path)
        begun_paths += [(*path, str(choice.value)) for choice in answer.choices]
    assert found == wanted
    listed = [
        o.action.texts("path")
        for o in engine.offers(PLUGIN, position, side, ["move"])
        if o.action.text("unit") == unit.id
    ]
    assert {path[-1] for path in listed} == {path[-1] for path in wanted}
    assert len(listed) == len({path[-1] for path in listed})


def subsets(things) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(things, n) for n in range(1, len(things) + 1))


@given(st.data())
def test_the_walk_lists_exactly_the_legal_attacks_by_brute_force(data) -> None:
    position = data.draw(st.sampled_from([NEAR, *(p for p in positions() if p.phase == "combat")]))
    (side,) = position.active
    make = PLUGIN.game.actions.make
    names = list(engine.view(PLUGIN, position, side).units)
    wanted = {
        action
        for group in subsets(names)
        for target in names
        if legal(position, action := make("attack", side, attackers=group, target=target))
    }
    offered = [o.action for o in engine.offers(PLUGIN, position, side, ["attack"])]
    assert set(offered) == wanted
    assert len(offered) == len(wanted)


@given(st.data())
def test_a_walk_with_slots_held_is_the_part_of_the_walk_that_holds_them(data) -> None:
    position = data.draw(st.sampled_from([NEAR, *positions()]))
    (side,) = position.active
    offers = [o.action for o in engine.offers(PLUGIN, position, side) if o.action.params]
    if not offers:
        return
    one = data.draw(st.sampled_from(offers))
    name = data.draw(st.sampled_from(sorted(one.params)))
    held = FrozenMap({name: one.params[name]})
    found = [o.action for o in engine.offers(PLUGIN, position, side, [one.kind], held)]
    wanted = [a for a in offers if a.kind == one.kind and a.params.get(name) == held[name]]
    assert [str(a) for a in found] == [str(a) for a in wanted]


@given(st.data())
def test_the_walk_goes_on_from_any_spot(data) -> None:
    position = data.draw(st.sampled_from([NEAR, *positions()]))
    (side,) = position.active
    stops = list(engine.walk(PLUGIN, position, side).stops())
    at = data.draw(st.integers(0, len(stops) - 1))
    rest = engine.walk(PLUGIN, position, side).stops(stops[at].spot)
    offers = [stop.offer for stop in stops[at + 1 :] if stop.offer]
    assert [stop.offer for stop in rest if stop.offer] == offers


def test_a_far_spot_costs_what_it_shows() -> None:
    whole = engine.walk(PLUGIN, START, "blue", ["move"])
    stops = list(whole.stops())
    far = engine.walk(PLUGIN, START, "blue", ["move"])
    last = list(islice(far.stops(stops[-3].spot), 1))
    assert last[0].spot == stops[-2].spot
    # The way to b3, and its paths; not those of b1 and b2.
    assert far.chooser.checks < whole.chooser.checks * 0.6


@pytest.mark.parametrize("spot", [("nix",), ("move", "zz"), ("move", "b1", ("Z9",)), ("move", 7)])
def test_a_spot_that_is_not_there_is_told(spot) -> None:
    with pytest.raises(RulesError) as caught:
        list(engine.walk(PLUGIN, START, "blue").stops(spot))
    assert caught.value.place.field == "page_token"


def test_reading_an_open_slot_ends_the_check_and_a_whole_action_has_none() -> None:
    partial = begun("move", "blue", FrozenMap({"unit": "b1"}), frozenset({"path"}))
    assert partial.open("path")
    assert not partial.open("unit")
    assert partial.text("unit") == "b1"
    assert partial.so_far("path") == ()
    for read in (
        lambda: partial.texts("path"),
        lambda: partial.params["path"],
        lambda: "path" in partial.params,
        lambda: partial.params.get("path", ()),
    ):
        with pytest.raises(NotChosen):
            read()
    whole = begun("move", "blue", FrozenMap({"unit": "b1"}), frozenset())
    assert type(whole) is Action
    assert not whole.open("path")
    assert whole.texts("path") == ()


class EndsInWood(Crossroads):
    """A reading in which every move ends in a wood; `cured_by` says that the path may go on."""

    cured = True

    @cached_property
    def game(self):
        game = super().game
        types = dict(game.actions)
        types["move"] = replace(types["move"], check=self.check_wood)
        return replace(game, actions=ActionTable(types.values()))

    def check_wood(self, position: Position, action: Action) -> Verdict:
        verdict = PLUGIN.game.actions["move"].check(position, action)
        path = action.so_far("path")
        if path and terrain(path[-1]) != "wood":
            cure = ("path",) if self.cured else ()
            out = Violation("TUT-2", "ends in the open", cured_by=cure)
            verdict = replace(verdict, violations=(*verdict.violations, out))
        return verdict


class Uncured(EndsInWood):
    cured = False


def test_what_a_longer_path_could_cure_does_not_end_it() -> None:
    plugin = EndsInWood()
    ends = {o.action.texts("path")[-1] for o in engine.offers(plugin, START, "blue", ["move"])}
    assert ends == {"B1", "B4", "C2", "D4"}
    longer = engine.next_choices(
        plugin, START, "blue", Begun("move", FrozenMap({"unit": "b3", "path": ("B2",)}))
    )
    assert "C2" in values(longer)
    assert not longer.ready
    assert not longer.complete
    # A check that does not say so loses the moves whose first hex is open.
    ends = {o.action.texts("path")[-1] for o in engine.offers(Uncured(), START, "blue", ["move"])}
    assert ends < {"B1", "B4", "C2", "D4"}


class Narrowed(Crossroads):
    """Only b3 moves, and only its longest way is listed."""

    @cached_property
    def game(self):
        game = super().game
        types = dict(game.actions)
        types["move"] = replace(
            types["move"],
            candidates=self.candidates,
            listed=by_slot(path=lambda *_: [("B3", "C3", "D3", "E3")]),
        )
        return replace(game, actions=ActionTable(types.values()))

    def candidates(self, position: Position, action: Action, slot: str):
        return ["b3", "r1"] if slot == "unit" else None


def test_a_game_narrows_what_is_offered_and_the_check_still_decides() -> None:
    plugin = Narrowed()
    found = engine.next_choices(plugin, START, "blue", Begun("move"))
    assert values(found) == ["b3"]
    (offer,) = engine.offers(plugin, START, "blue", ["move"])
    assert offer.action.texts("path") == ("B3", "C3", "D3", "E3")
    path = engine.next_choices(plugin, START, "blue", Begun("move", FrozenMap({"unit": "b3"})))
    assert set(values(path)) >= {"B3", "B2"}  # listing by whole paths does not bind who chooses


class Likely(Crossroads):
    """A game that knows beforehand whom no move is for."""

    @cached_property
    def game(self):
        game = super().game
        types = dict(game.actions)
        own = by_slot(unit=lambda now, action: [u.id for u in now.of_side(action.side)])
        types["move"] = replace(types["move"], likely=own)
        return replace(game, actions=ActionTable(types.values()))

    def check(self, position: Position, action: Action) -> Verdict:
        self.tried += 1
        return super().check(position, action)

    tried = 0


def test_what_a_game_rules_out_beforehand_is_tried_by_who_chooses_alone() -> None:
    plugin = Likely()
    told = engine.next_choices(plugin, START, "blue", Begun("move"), reasons=True)
    assert values(told) == ["b1", "b2", "b3"]
    assert [refused.value for refused in told.refused] == ["r1", "r2"]
    assert plugin.tried == 5
    assert values(engine.next_choices(plugin, START, "blue", Begun("move"))) == values(told)
    spent = {}
    for game in (plugin, Likely()):
        if game is not plugin:
            game.game = Crossroads().game
        game.tried = 0
        spent[game is plugin] = list(engine.offers(game, START, "blue", ["move"])), game.tried
    assert spent[True][0] == spent[False][0]
    # Neither the kind as such nor the two red units are asked about.
    assert spent[True][1] < spent[False][1]


def test_brute_force_finds_a_check_that_does_not_say_what_can_be_cured() -> None:
    assert choice_problems(PLUGIN, START, "blue", longest=2) == []
    assert choice_problems(PLUGIN, NEAR, "blue") == []
    assert choice_problems(EndsInWood(), START, "blue", kinds=["move"], longest=2) == []
    lost = choice_problems(Uncured(), START, "blue", kinds=["move"], longest=2)
    assert "legal, and not to be chosen: blue: move unit=b1 path=B2,B1" in lost


def test_of_values_in_groups_only_those_that_are_drawn_are_made() -> None:
    made: list[str] = []

    def of(group: str) -> list[str]:
        made.append(group)
        return [f"{group}1", f"{group}2"]

    grouped = Grouped("ab", of)
    assert list(grouped) == ["a1", "a2", "b1", "b2"]
    made.clear()
    sampler = Sampler(PLUGIN, Generator("1"))
    drawn = sampler._draws(grouped, ("a1",))
    first = next(drawn)
    assert made == [str(first)[0]]
    assert sorted(map(str, [first, *drawn])) == ["a2", "b1", "b2"]


def test_of_what_one_side_sees_only_its_own_actions_are_drawn() -> None:
    both = replace(START, active=("blue", "red"))
    for side in both.active:
        drawn = Sampler(PLUGIN, Generator("1")).choose(engine.view(PLUGIN, both, side))
        assert drawn is not None
        assert drawn.side == side


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_pages_of_a_games_own_list_hold_every_offer_once(size: int) -> None:
    offers = [Offer(Action(f"deed{number}", "blue"), Verdict()) for number in range(6)]
    listing = OwnList(lambda: iter(offers))
    found: list[Offer] = []
    after: tuple[object, ...] | None = ()
    while after is not None:
        turned = page(listing, after, size, lambda _: True, lambda: None)
        assert len(turned.offers) <= size
        found += turned.offers
        after = turned.after
    assert found == offers
