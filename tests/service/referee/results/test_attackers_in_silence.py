"""Who attacked, where the result on the table is wrong or shows bit by bit."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

from game_table import table
from kharkov_table import checked, game, start, turn_to, turn_up

from hexmarshal.referee.check.findings import Entry
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

TANKS = ("tnk-01", "tnk-02", "tnk-03")
PANZERS = ("pz-126-23", "pz-128-23", "pz-201-23")


def beside_0615(phase: str, side: str, **cells: str) -> Position:
    """Without the 454th, and with the tanks where it stood."""
    here = start(phase, side, **cells).without_unit("sec-454")
    for unit in TANKS:
        shown = FrozenMap({**here.units[unit].values, "ladder": ("5-5-11",)})
        here = here.with_unit(replace(here.units[unit], cell="0715", values=shown))
    return here


def attack(said: str) -> Entry:
    """Two of those in 0614 and three tanks might attack the 297th, which loses too little."""
    log = game(beside_0615("soviet_combat", "soviet", rif_02="0614", hq_28="0613", rif_04="0714"))
    log.say(said, side="soviet")
    turn_up(log, "rif-03", "3-4-6", "pool-rifle")
    log.roll(6, 6, side="soviet")
    log.roll(6, 4, side="soviet")
    inf = log.position.units["inf-297"]
    log.show(log.position.with_unit(replace(inf, steps=inf.steps - 1)))
    log.show(replace(log.position, phase="air_support"))
    report = checked(log)
    (entry,) = (one for one in report.entries if one.kind == "attack")
    return entry


def test_who_is_named_took_part_in_an_attack_that_is_carried_out_wrongly() -> None:
    entry = attack("13G, the 03 and all three tanks hit 0615. no planes")
    assert {"grd-1", "rif-03", *TANKS} <= {*entry.units}


def test_who_is_still_covered_took_no_part_in_it() -> None:
    """The second rifles stand beside the third, and lie face down."""
    entry = attack("0615 is next")
    assert "rif-03" in entry.units
    assert "rif-02" not in entry.units


def test_of_attacks_on_who_goes_back_it_is_the_one_after_which_he_may() -> None:
    """One regiment alone would have driven him back one hex only."""
    here = beside_0615("mechanised_movement", "axis", rif_04="0714")
    for unit in TANKS[1:]:
        here = here.without_unit(unit)
    for unit in PANZERS:
        here = here.with_unit(replace(here.units[unit], cell="0716"))
    log = game(here)
    log.say("they roll over whats left in 0715", side="axis")
    log.roll(6, 1, side="axis")
    log.drag(["tnk-01"], ["0713"])
    tank = log.position.units["tnk-01"]
    log.show(log.position.with_unit(replace(tank, flags=tank.flags | {"disrupted"})))
    log.drag(PANZERS, ["0715"])
    report = checked(log)
    assert [(entry.first, entry.violations) for entry in report.violations] == []
    (overrun,) = (one for one in report.entries if one.kind == "overrun")
    assert len({*PANZERS} & {*overrun.units}) > 1


def test_an_attack_ends_the_advance_after_the_one_before() -> None:
    """Two of three brigades went where the beaten lay, and the next dice are for others."""
    beaten = start("soviet_combat", "soviet").units["sec-454"]
    here = beside_0615("soviet_combat", "soviet", rif_03="0514", rif_01="0314").with_unit(beaten)
    for unit in TANKS:
        here = here.with_unit(replace(here.units[unit], cell="0714"))
    log = game(here)
    log.roll(6, 1, side="soviet")
    log.roll(6, 1, side="soviet")
    log.drag(["sec-454"], ["0816"])
    log.drag(TANKS[:2], ["0715"])
    for unit, card in (("rif-01", "3-4-6"), ("rif-02", "3-4-6"), ("rif-03", "3-3-6")):
        turn_up(log, unit, card, "pool-rifle")
    log.roll(6, 4, side="soviet")
    log.roll(6, 3, side="soviet")
    hurt = log.position.units["inf-294"]
    log.show(log.position.with_unit(replace(hurt, steps=hurt.steps - 1)))
    log.show(replace(log.position, phase="air_support"))
    report = checked(log)
    assert "KHA-4.1" not in {v.rule for entry in report.violations for v in entry.violations}
    assert {"rif-01", "rif-02", "rif-03"} in [{*one.units} for one in report.entries]


def test_all_who_are_named_took_part_though_one_alone_would_have_made_it_right() -> None:
    """With both of them the beaten goes back two hexes; with one and an air point a hex."""
    places = {"inf_79": "0313", "inf_294": "0414", "rif_01": "0214", "rif_02": "0413"}
    here = start("axis_combat", "axis", **places)
    shown = FrozenMap({**here.units["rif-02"].values, "ladder": ("2-2-6",)})
    log = game(here.with_unit(replace(here.units["rif-02"], values=shown)))
    log.say("79 and 294 now at 02", side="axis")
    log.roll(6, 6, side="axis")
    log.drag(["rif-02"], ["0512"])
    log.drag(["inf-294"], ["0413"])
    report = checked(log)
    assert ("inf-79", "inf-294") in [one.units[:2] for one in report.entries]
    assert [v.rule for one in report.violations for v in one.violations] == ["KHA-9.63"]


def test_an_attack_tells_whose_headquarters_was_activated_for_it() -> None:
    played = table("traces_of_war")
    log = played.game(played.plugin.scenarios()[0].key)
    for unit, cell in (("de-sec1", "2634"), ("de-sec2", "2918"), ("de-sec3", "1631")):
        log.drag([unit], [cell])
    log.show(replace(log.position, phase="opening", active=("soviet",), frames=(), state=""))
    log.say("Voronezh opens. everything from 3134 and 3135 at the 167th", side="soviet")
    log.roll(6, 3, side="soviet")
    log.drag(["de-167"], ["2834"])
    log.drag(["su-6tk"], ["3035"])
    report = played.checked(log)
    assert [one.violations for one in report.violations] == []
    attack = {"su-22g", "su-6tk", "su-23g", "su-5gtk"}
    assert attack <= {unit for one in report.entries if one.kind == "attack" for unit in one.units}
    assert [one.units for one in report.entries if one.kind == "activate_hq"] == [("hq-vrnz",)]


@pytest.mark.parametrize(("text", "is_right"), [("", True), ("grd-1 and rif-03", False)])
def test_a_loss_tells_that_one_who_stands_open_took_no_part(text: str, is_right: bool) -> None:
    log = game(start("soviet_combat", "soviet"))
    turn_up(log, "tnk-01", "tank 5-5-11", "pool-tank")
    turn_up(log, "rif-03", "2-2-6", "pool-rifle")
    turn_up(log, "tnk-02", "tank 6-5-11", "pool-tank")
    if text:
        log.say(f"{text} at inf-297", side="soviet")
    for die in (4, 5):
        log.roll(6, die, side="soviet")
    log.drag(["inf-297"], ["0515", "0415"])
    log.drag(["tnk-02"], ["0615"])
    turn_to(log, "A4 Soviet disruption")
    lost = log.position.units["rif-03"]
    log.show(log.position.with_unit(replace(lost, cell="", box="eliminated")))
    log.show(replace(log.position, phase="axis_movement", active=("axis",)))
    log.drag(["pz-6-3"], ["1014"])
    assert ([*checked(log).violations] == []) is is_right
