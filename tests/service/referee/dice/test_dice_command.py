"""The dice of any log: worded by buttons, by VASL, by players; counted and tested exactly."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hexmarshal.cli.referee.dice import app
from hexmarshal.referee.check.check_inputs import check_path
from hexmarshal.referee.dice.picture import dice_svg
from hexmarshal.referee.dice.rolls import Die, Roll, read_rolls, wordings
from hexmarshal.referee.dice.tallies import judged, mean_chance, tallies
from hexmarshal.rules.plugins import registry
from hexmarshal.table.module_finder import Means
from hexmarshal.vassal.builder import ModuleBuilder
from hexmarshal.vassal.components import RandomTextButton, SpecialDiceButton, SpecialDie
from hexmarshal.vassal.components.dice import SpecialDieFace
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import new_game

D6 = Die("d6", tuple("123456"))


def module() -> Module:
    made = ModuleBuilder("Dice")
    made.dice("Omen", count=1, sides=20)
    made.dice("Attack", count=2, sides=6)
    made.dice("Wetter", count=1, sides=10, report="$PlayerName$ würfelt $result$ für $name$")
    shared = {"hotkey": "", "icon": "", "text": "", "tooltip": "", "prompt": "false"}
    made.root.add(
        RandomTextButton,
        {**shared, "name": "Mood", "faces": "calm,wild,odd", "nDice": "1",
         "reportFormat": "** $name$ = $result$ *** &lt;$PlayerName$&gt;"},
    )  # fmt: skip
    button = made.root.add(
        SpecialDiceButton,
        {**shared, "name": "Battle",
         "format": "** $name$ = [$result1$, $result2$] *** &lt;$PlayerName$&gt;"},
    )  # fmt: skip
    for die in ("one", "two"):
        sides = button.add(SpecialDie, {"name": die})
        for value, face in enumerate(("hit", "miss", "flag")):
            sides.add(SpecialDieFace, {"text": face, "value": str(value), "icon": ""})
    return made.build()


LINES = (
    "*** Attack = 3,4 *** <Ann>",
    "* Ann würfelt 10 für Wetter",
    "*** Mood = wild *** <Bob>",
    "*** Battle = [hit, flag] *** <Bob>",
    "*** (IFT DR) 6,6 ***   <Ann>      [2 / 3   avg   10.00 (10.00)]    (01.90)",
    "* Bob rolls 2d8: 3, 8",
    "* 3 units move 0101 -> 0202 *",
)


def log(*lines: str, undo_last: bool = False) -> SavedGame:
    writer = LogWriter(new_game(module()))
    for line in lines:
        with writer.step() as step:
            step.report(line)
    if undo_last:
        writer.undo()
    return writer.finish()


def test_rolls_are_read_by_buttons_by_vasl_and_by_words():
    found = read_rolls(log(*LINES), wordings(module()), "a.vlog")
    assert [(r.step, r.player, r.purpose, r.die.name, r.results) for r in found] == [
        (1, "Ann", "Attack", "d6", ("3", "4")),
        (2, "Ann", "Wetter", "d10", ("10",)),
        (3, "Bob", "Mood", "Mood", ("wild",)),
        (4, "Bob", "Battle", "Battle", ("hit", "flag")),
        (5, "Ann", "IFT DR", "d6", ("6", "6")),
        (6, "Bob", "2d8", "d8", ("3", "8")),
    ]


def test_without_a_module_the_usual_words_are_read_and_unknown_dice_are_not_tested():
    found = read_rolls(log(*LINES), wordings())
    assert [r.purpose for r in found] == ["Attack", "IFT DR", "2d8"]
    assert found[0].die == Die("?")
    (unknown,) = (one for one in tallies(found, by_purpose=True) if one.purpose == "Attack")
    assert unknown.p_faces is None
    assert unknown.p_mean is None


def test_what_was_taken_back_is_listed_and_not_counted():
    found = read_rolls(log(LINES[0], LINES[4], undo_last=True), wordings(module()))
    assert [r.taken_back for r in found] == [False, True]
    assert [one.dice for one in tallies(found, by_purpose=False)] == [2]


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (3, 6), (4, 4), (2, 10)])
def test_the_chance_of_a_mean_is_what_counting_all_throws_gives(count: int, sides: int):
    sums = Counter(map(sum, product(range(1, sides + 1), repeat=count)))
    middle = Fraction(count * (sides + 1), 2)
    for total in sums:
        off = abs(total - middle)
        ways = sum(n for other, n in sums.items() if abs(other - middle) >= off)
        assert mean_chance(count, sides, total) == float(Fraction(ways, sides**count))


def test_large_numbers_of_dice_follow_the_law_that_counting_comes_near():
    counted, law = mean_chance(1200, 6, 4300), mean_chance(1201, 6, 4303)
    assert abs(counted - law) < 0.01


def test_many_tests_are_corrected_for_their_number():
    loaded = [Roll("", n, "Ann", "", D6, ("6",)) for n in range(30)]
    fair = [Roll("", n, f"p{n}", "", D6, (str(n % 6 + 1),)) for n in range(40)]
    verdict = judged(tallies((*loaded, *fair), by_purpose=False))
    assert verdict.tests == 2 * 41
    assert verdict.smallest < 1e-6
    quiet = judged(tallies(fair, by_purpose=False))
    assert quiet.smallest == 1.0
    assert "nothing stands out" in str(quiet)
    assert judged(()).tests == 0


def test_the_command_lists_draws_and_writes(tmp_path: Path):
    season = tmp_path / "season"
    season.mkdir()
    (season / "1.vlog").write_bytes(log(*LINES).to_bytes())
    (season / "2.vlog").write_bytes(log(LINES[0].replace("Ann", "=cmd()")).to_bytes())
    (season / "3.vlog").write_bytes(b"no archive")
    table, picture = tmp_path / "rolls.csv", tmp_path / "dice.svg"
    given = [str(season), "--csv", str(table), "--picture", str(picture), "--json"]
    done = CliRunner().invoke(app, given, standalone_mode=False)
    found = json.loads(done.stdout)
    assert done.return_value == 3
    assert list(found["failed"]) == [str(season / "3.vlog")]
    assert {one["player"] for one in found["players"]} == {"Ann", "Bob", "=cmd()"}
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["results"] for row in rows] == ["3 4", "6 6", "3 8", "3 4"]
    assert rows[-1]["player"] == "'=cmd()"
    assert "<svg" in picture.read_text(encoding="utf-8")
    each = tmp_path / "each.svg"
    given = [str(season / "1.vlog"), "--picture", str(each), "--purposes"]
    assert CliRunner().invoke(app, given, standalone_mode=False).return_value == 0
    drawn = each.read_text(encoding="utf-8")
    assert 'aria-label="d6, IFT DR"' in drawn
    assert 'aria-label="d6, IFT DR"' not in picture.read_text(encoding="utf-8")


def test_a_picture_escapes_names_and_draws_nothing_of_no_dice():
    rolls = [Roll("", 1, "<b>&", "x", D6, ("6",))]
    assert "<b>&" not in dice_svg(tallies(rolls, by_purpose=False))
    assert "<svg" in dice_svg(())


def test_a_log_without_a_binding_tells_its_dice_to_the_referee(tmp_path: Path):
    path = tmp_path / "vasl.vlog"
    path.write_bytes(log(LINES[4], LINES[4]).to_bytes())
    report = check_path(path, Means(), registry.default())
    assert [(d.player, d.sides, d.faces) for d in report.dice] == [("Ann", 6, (0, 0, 0, 0, 0, 4))]
