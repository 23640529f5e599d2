"""Kharkov: attacks in silence against the rules, and results carried out otherwise, by their rule.

What is wrong is told of the attack itself, and never again of what it left on the table.
"""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from dataclasses import replace

from game_table import again
from kharkov_table import PLUGIN, binding, checked, game, module, start, told, turn_up

from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.samples.log_recorder import Recorder


def _turned_up(log: Recorder, *units: str, card: str = "") -> None:
    for unit in units:
        tank = unit.startswith("tnk")
        face = card or ("tank 4-4-11" if tank else "4-4-6")
        turn_up(log, unit, face, "pool-tank" if tank else "pool-rifle")


def _dice(log: Recorder, side: str, *values: int) -> None:
    for value in values:
        log.roll(6, value, side=side)


def _lose(log: Recorder, unit: str, steps: int = 1) -> None:
    for _ in range(steps):
        known = log.position.units[unit]
        log.show(log.position.with_unit(replace(known, steps=known.steps - 1)))


def _go_on(log: Recorder) -> None:
    """The tracker moves to the next movement phase of the Axis, and somebody moves there."""
    over = log.position.phase == "axis_combat"
    phase = "mechanised_movement" if over else "axis_movement"
    log.show(replace(log.position, phase=phase, active=("axis",)))
    log.drag(["pz-201-23"], ["0818"])


def _beaten(**cells: str) -> Recorder:
    """The 71st has rolled D2 against rif-04, and nobody said anything."""
    log = game(start("axis_combat", "axis", rif_04="0814", **cells))
    _turned_up(log, "rif-04", card="1-2-6")
    _dice(log, "axis", 1)
    return log


@pytest.mark.parametrize(
    ("cells", "way", "rule"),
    [({}, ["0813"], "KHA-9.63"), ({"pz_6_3": "0912"}, ["0813", "0812"], "KHA-9.61")],
)
def test_a_wrong_retreat_in_silence_is_told_as_that_and_the_advance_is_right(
    cells: dict[str, str], way: list[str], rule: str
) -> None:
    log = _beaten(**cells)
    log.drag(["rif-04"], way)
    log.drag(["inf-71"], ["0814"])
    _go_on(log)
    assert {one for _, one in told(checked(log))} == {rule}


@pytest.mark.parametrize("hurt", ["rif-05", "light-108"])
def test_an_attack_without_a_headquarters_is_told_by_whomever_it_hurt(hurt: str) -> None:
    log = game(start("soviet_combat", "soviet"))
    _turned_up(log, "rif-05")
    _dice(log, "soviet", 4, 3)
    if hurt == "rif-05":
        log.show(log.position.without_unit(hurt))
    else:
        _lose(log, hurt)
    _go_on(log)
    assert told(checked(log)) == [(2, "KHA-9.15")]


@pytest.mark.parametrize("said", [True, False])
def test_who_attacks_again_is_told_of_the_second_attack(said: bool) -> None:
    """Also where others could have done it without him: he was named for it."""
    log = game(start("soviet_combat", "soviet"))
    if said:
        log.say("13 G, rifle 03, tanks 01 and 02 against the 297th. no planes", side="soviet")
    _turned_up(log, "rif-03", "tnk-01", "tnk-02", *(() if said else ("tnk-03",)))
    _dice(log, "soviet", 4, 4)
    _lose(log, "inf-297", 2)
    if said:
        log.say("now tanks 01 and 03 on the 454th next door", side="soviet")
        _turned_up(log, "tnk-03")
    _dice(log, "soviet", 4, 4)
    log.show(log.position.without_unit("sec-454"))
    _go_on(log)
    assert {rule for _, rule in told(checked(log))} == {"KHA-9.14"}


def test_an_attacker_who_owes_a_step_is_told_of_an_attack_that_nobody_announced() -> None:
    log = game(start("axis_combat", "axis", rif_04="0814"))
    _turned_up(log, "rif-04")
    _dice(log, "axis", 5)
    log.show(log.position.without_unit("rif-04"))
    _go_on(log)
    assert told(checked(log)) == [(2, "KHA-9.59")]


@pytest.mark.parametrize(("steps", "said"), [(1, False), (1, True), (2, False), (2, True)])
def test_who_pays_too_much_for_a_result_is_told_once_and_the_winner_may_follow(
    steps: int, said: bool
) -> None:
    """A step and a retreat, or more steps than were asked for."""
    log = game(start("soviet_combat", "soviet"))
    _turned_up(log, "tnk-01", "tnk-02")
    if said:
        log.say("[soviet: attack] grd-1 tnk-01 tnk-02 -> 0615 air=no", side="soviet")
    _dice(log, "soviet", 4, 4)
    _lose(log, "inf-297", steps)
    if steps == 1:
        log.drag(["inf-297"], ["0516"])
    else:
        log.show(log.position.without_unit("inf-297"))
    log.drag(["grd-1"], ["0615"])
    _go_on(log)
    assert [rule for _, rule in told(checked(log))] == ["KHA-9.56"]


def test_two_air_points_for_one_attack_are_told_by_their_rule() -> None:
    here = start("axis_combat", "axis", rif_04="0814")
    log = game(replace(here, tracks=here.tracks.set("air-axis", 3)))
    log.show(replace(log.position, tracks=log.position.tracks.set("air-axis", 1)))
    _turned_up(log, "rif-04", card="1-2-6")
    _dice(log, "axis", 1)
    log.drag(["rif-04"], ["0813", "0812"])
    _go_on(log)
    assert told(checked(log)) == [(1, "KHA-13.13")]


def test_a_headquarters_turned_the_wrong_way_is_active_by_its_turn() -> None:
    log = game(start("soviet_combat", "soviet"))
    known = log.position.units["hq-28"]
    log.show(log.position.with_unit(replace(known, flags=known.flags | {"inactive"})))
    _turned_up(log, "tnk-01", "tnk-02")
    _dice(log, "soviet", 4, 4)
    _lose(log, "inf-297", 2)
    _go_on(log)
    assert told(checked(log)) == []


def test_which_side_of_a_headquarters_is_up_is_no_fault_whatever_the_binding_says() -> None:
    known = binding()
    signs = tuple(replace(s, aid=False) if s.prop == "Active_Level" else s for s in known.signs)
    log = game(start("soviet_combat", "soviet"))
    hq = log.position.units["hq-28"]
    log.show(log.position.with_unit(replace(hq, flags=hq.flags | {"inactive"})))
    _go_on(log)
    bound = replace(known, signs=signs)
    report = check_file(again(log.finish()), module(), bound, PLUGIN)
    assert told(report) == []


def test_one_roll_at_two_hexes_is_told_of_those_who_are_beside_one_of_them_alone() -> None:
    here = start("soviet_combat", "soviet")
    for tank in ("tnk-02", "tnk-03", "grd-1"):
        here = here.without_unit(tank)
    log = game(here)
    log.say("rif-03 and tnk-01 at the 297th and the 454th, one roll", side="soviet")
    _turned_up(log, "rif-03", card="1-2-6")
    _turned_up(log, "tnk-01", card="tank 3-3-11")
    _dice(log, "soviet", 6, 5)
    log.show(log.position.without_unit("rif-03"))
    _go_on(log)
    assert {rule for _, rule in told(checked(log))} == {"KHA-9.23"}


def test_who_was_turned_up_for_another_fight_took_no_part_in_this_one() -> None:
    log = game(start("soviet_combat", "soviet"))
    log.say(
        "two fights. rifles 1 and 2 on the 294th, then Guards, 3 and tanks 2 on the 297th",
        side="soviet",
    )
    for unit, card in (("rif-01", "2-2-6"), ("rif-02", "2-3-6"), ("rif-03", "2-3-6")):
        turn_up(log, unit, card, "pool-rifle")
    turn_up(log, "tnk-02", "motorised 3-4-11", "pool-tank")
    _dice(log, "soviet", 4, 3)
    _lose(log, "inf-294")
    log.drag(["rif-01"], ["0312"])
    log.drag(["rif-02"], ["0412"])
    log.drag(["inf-294"], ["0413"])
    _go_on(log)
    assert [rule for _, rule in told(checked(log))] == ["KHA-4.1"]


def test_an_attack_from_afar_that_was_spoken_of_is_told_by_its_own_rule() -> None:
    log = game(start("axis_combat", "axis", inf_71="0914", cav_01="0613"))
    log.say("and the 71st has a go at rifles 4", side="axis")
    turn_up(log, "rif-04", "3-4-6", "pool-rifle")
    _dice(log, "axis", 2)
    log.drag(["rif-04"], ["0712"])
    _go_on(log)
    assert [rule for _, rule in told(checked(log))] == ["KHA-9.11"]
