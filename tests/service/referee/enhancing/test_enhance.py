"""Enhancing a module: what is added, what stays, and that doing it twice changes nothing."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from crossroads_module import BINDING, MAP, builder
from tutorial import Crossroads

from hexmarshal.cli import main as cli
from hexmarshal.errors import ExitCode, Place
from hexmarshal.referee.check.log_check import check_file
from hexmarshal.referee.enhancing import Enhancement, Outcome, Part, enhance
from hexmarshal.referee.enhancing.marks import MARKS
from hexmarshal.referee.enhancing.turns import sequence_of_play
from hexmarshal.rules import engine
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins import registry
from hexmarshal.table.binding import ENTRY, Binding
from hexmarshal.table.binding.draft import draft_binding
from hexmarshal.table.placing import write_save
from hexmarshal.table.reading import TableReader, base_position
from hexmarshal.vassal.components import (
    Chart,
    ChartWindow,
    HelpFile,
    HexGrid,
    HtmlChart,
    LosThread,
    PredefinedSetup,
    TurnTracker,
)
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.container.metadata import Metadata
from hexmarshal.vassal.lint import ModuleSubject, check_module
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.gpids import defined_gpids
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.recipes import Recipe, edit_module
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import Marker, Mask

PLUGIN = Crossroads()
# What a grid of letters and numbers is called in VASSAL's own words.
LETTERS = {"hType": "A", "vLeading": "0", "sep": ""}
UNMARK = """
recipe: 1
steps:
  - pieces: {name: "*"}
    do: [{remove_markers: [UnitId, UnitType, UnitSide]}]
"""


@cache
def bare_bytes() -> bytes:
    """The tutorial's module as someone may have made it who knows nothing of the rules."""
    module = Module.from_archive(builder().archive())
    edit_module(module, Recipe.parse(UNMARK))
    for tracker in list(module.each(TurnTracker)):
        tracker.remove()
    for grid in module.each(HexGrid):
        assert grid.numbering is not None
        grid.numbering.remove()
    module.changes[ENTRY] = None
    return module.to_bytes()


def opened(data: bytes) -> Module:
    return Module.from_archive(Archive.from_bytes(data))


def by_names() -> dict[str, Any]:
    """A binding that goes by the names of counters, and knows no turn tracker."""
    rules = [
        {
            "match": {"name": rf"(?P<kind>\w+) (?P<number>{side[0]}\d)"},
            "id": "{number}",
            "type": "{kind}",
            "side": side,
        }
        for side in ("blue", "red")
    ]
    kept = {key: value for key, value in BINDING.items() if key != "turn"}
    return {**kept, "units": rules}


TEXT = b"# by hand\n" + yaml.safe_dump(by_names(), sort_keys=False).encode()


def enhanced(
    data: bytes, text: bytes = TEXT, plugin: GamePlugin = PLUGIN, **options: Any
) -> tuple[bytes, Enhancement]:
    module = opened(data)
    options = {"numbering": LETTERS, **options}
    done = enhance(module, text, Place(file="binding.yaml"), plugin, **options)
    return module.to_bytes(), done


@cache
def full() -> tuple[bytes, Enhancement]:
    return enhanced(bare_bytes())


def outcomes(done: Enhancement, part: Part) -> list[Outcome]:
    return [addition.outcome for addition in done.additions if addition.part is part]


def test_everything_that_is_missing_is_added() -> None:
    data, done = full()
    module = opened(data)
    assert {a.part for a in done.additions if a.outcome is Outcome.ADDED} == set(Part)
    (of_map,) = (m for m in module.maps() if m.name == MAP)
    assert next(of_map.each(LosThread), None) is not None
    assert [tracker.name for tracker in module.each(TurnTracker)] == ["Sequence of play"]
    assert [page.name for page in module.each(HelpFile)] == ["Rules of Crossroads"]
    assert {chart.name for chart in module.each(HtmlChart)} == {"Unit types"}
    assert [setup.name for setup in module.each(PredefinedSetup)]
    assert module.has(ENTRY)


def test_what_was_there_stays_as_it_was() -> None:
    data, _ = full()
    before, after = opened(bare_bytes()), opened(data)

    def parts(module: Module) -> Counter[tuple[str, tuple[tuple[str, str], ...]]]:
        return Counter(
            (one.class_name, tuple(sorted(dict(one.element.attrib).items())))
            for one in module.walk()
        )

    assert not parts(before) - parts(after)
    assert list(defined_gpids(before)) == list(defined_gpids(after))
    assert before.root.get("nextPieceSlotId") == after.root.get("nextPieceSlotId")
    for entry in before.entries():
        if entry != before.buildfile_name:
            assert after.read(entry) == before.read(entry)


def test_doing_it_twice_gives_the_same_bytes() -> None:
    data, _ = full()
    again, done = enhanced(data)
    assert not done.changed
    assert again == data
    inside, done = enhanced(data, opened(data).read(ENTRY))
    assert not done.changed
    assert inside == data


@pytest.mark.parametrize("part", Part)
def test_each_addition_can_be_switched_off(part: Part) -> None:
    data, done = enhanced(bare_bytes(), without={part})
    assert part not in {addition.part for addition in done.additions}
    module = opened(data)
    gone = {
        Part.LOS: not list(module.each(LosThread)),
        Part.TURNS: not list(module.each(TurnTracker)),
        Part.CHARTS: not list(module.each(HtmlChart)),
        Part.RULES: not list(module.each(HelpFile)),
        Part.SETUPS: not list(module.each(PredefinedSetup)),
        Part.NUMBERING: not [grid for grid in module.each(HexGrid) if grid.numbering],
        Part.MARKS: b"HexMarshalUnit" not in data and MARKS[0] not in str(texts(module)),
        Part.BINDING: not module.has(ENTRY),
    }
    assert gone[part]


def texts(module: Module) -> list[str]:
    return [slot.text for slot in module.slots()]


def test_without_all_parts_the_file_is_the_same() -> None:
    data, done = enhanced(bare_bytes(), without=set(Part))
    assert done.additions == ()
    assert data == bare_bytes()


def marks(module: Module) -> Iterator[tuple[str, ...]]:
    for slot in module.slots():
        for found in parse_add(slot.text.strip()).each(Marker):
            if found.trait.names == MARKS:
                yield found.state.values  # type: ignore[union-attr]


def test_counters_say_which_unit_they_are() -> None:
    module = opened(full()[0])
    assert ("b1", "infantry", "blue") in set(marks(module))
    assert len(list(marks(module))) == len(list(module.slots()))
    binding = Binding.inside(module)
    assert binding is not None
    assert list(binding.units[0].match.properties) == [MARKS[0]]
    assert len(binding.units) == 3


def test_a_mark_lies_inside_a_mask() -> None:
    module = opened(bare_bytes())
    recipe = "recipe: 1\nsteps:\n  - pieces: {name: '*'}\n    do: [{add_trait: {kind: Mask}}]\n"
    edit_module(module, Recipe.parse(recipe))
    data, _ = enhanced(module.to_bytes())
    slots = list(opened(data).slots())
    assert slots
    for slot in slots:
        piece = parse_add(slot.text.strip())
        kinds = [type(trait) for trait in piece.traits]
        assert kinds.index(Mask) < kinds.index(Marker)


def test_a_counter_that_turns_into_another_unit_is_not_marked() -> None:
    changing = by_names()
    for rule in changing["units"]:
        rule["match"]["property"] = {"Step_Level": "1"}
    _, done = enhanced(bare_bytes(), yaml.safe_dump(changing).encode())
    assert outcomes(done, Part.MARKS) == [Outcome.LEFT_OUT]


def test_a_mark_follows_a_better_binding() -> None:
    other = TEXT.replace(b"side: red", b"side: blue")
    data, _ = enhanced(bare_bytes(), other, without={Part.SETUPS})
    assert {side for _, _, side in marks(opened(data))} == {"blue"}
    better, done = enhanced(data, without={Part.SETUPS})
    assert Outcome.RENEWED in outcomes(done, Part.MARKS)
    assert {side for _, _, side in marks(opened(better))} == {"blue", "red"}


def test_cells_are_named_as_the_rules_name_them() -> None:
    module = opened(full()[0])
    binding = Binding.inside(module)
    assert binding is not None
    start = engine.start(PLUGIN, "meeting", seed="x")
    saved, _ = write_save(module, binding, PLUGIN, start)
    state = saved.state()
    found = TableReader(module, binding, PLUGIN, state).read(state, base_position(PLUGIN, saved))
    assert {u.id: u.cell for u in found.position.units.values()} == {
        u.id: u.cell for u in start.units.values()
    }


def test_a_numbering_that_nobody_declares_is_not_guessed() -> None:
    data, done = enhanced(bare_bytes(), numbering={})
    (addition,) = (a for a in done.additions if a.part is Part.NUMBERING)
    assert addition.outcome is Outcome.LEFT_OUT
    assert "--numbering" in addition.why
    assert not [grid for grid in opened(data).each(HexGrid) if grid.numbering]


def test_a_numbering_that_fits_no_cell_is_left_out() -> None:
    _, done = enhanced(bare_bytes(), numbering={"sep": "###"})
    assert outcomes(done, Part.NUMBERING) == [Outcome.LEFT_OUT]


def test_the_tracker_has_the_phases_in_the_order_of_play() -> None:
    order = sequence_of_play(PLUGIN)
    assert order == [
        ("move", ("blue",)),
        ("combat", ("blue",)),
        ("move", ("red",)),
        ("combat", ("red",)),
    ]
    binding = Binding.inside(opened(full()[0]))
    assert binding is not None
    assert binding.turn is not None
    shown = [(p.phase, p.active) for p in binding.turn.phases.values() if p is not None]
    assert shown == order


def test_a_tracker_that_is_there_stays_and_the_phases_that_it_lacks_are_told() -> None:
    module = opened(full()[0])
    turn = {
        "tracker": "Sequence of play",
        "turn": "Turn",
        "levels": ["Phase"],
        "phases": {"Blue: Movement": {"phase": "move", "active": ["blue"]}},
    }
    text = yaml.safe_dump({**by_names(), "turn": turn}).encode()
    _, done = enhanced(module.to_bytes(), text)
    (told,) = (one for one in done.additions if one.part is Part.TURNS)
    assert told.outcome is Outcome.THERE
    assert told.why == "it shows no Combat phase; it stays as it is, for saves count its phases"
    _, whole = enhanced(full()[0])
    assert [one.why for one in whole.additions if one.part is Part.TURNS] == [""]


def test_a_set_up_shows_its_scenario() -> None:
    module = opened(full()[0])
    binding = Binding.inside(module)
    assert binding is not None
    assert module.archive is not None
    for setup in module.each(PredefinedSetup):
        saved = SavedGame.from_archive(module.archive.nested(setup.get("file")))
        report = check_file(saved, module, binding, PLUGIN)
        assert not list(report.violations)


def test_an_old_save_is_read_as_before() -> None:
    old, new = opened(full()[0]), opened(full()[0])
    binding = Binding.parse(TEXT, Place())
    # A save of a module whose counters have no marks yet.
    plain, _ = enhanced(bare_bytes(), without={Part.MARKS, Part.TURNS})
    old = opened(plain)
    saved, _ = write_save(old, binding, PLUGIN, engine.start(PLUGIN, "meeting", seed="x"))
    inside = Binding.inside(new)
    assert inside is not None
    state = saved.state()
    before = TableReader(old, binding, PLUGIN, state).units(state)
    after = TableReader(new, inside, PLUGIN, state).units(state)
    assert after == before
    assert after


def test_a_chart_that_is_there_is_not_added_again() -> None:
    module = opened(bare_bytes())
    window = module.root.add(ChartWindow, {"name": "My charts"})
    window.add(Chart, {"chartName": "Unit Types", "fileName": "mine.png"})
    data, done = enhanced(module.to_bytes())
    assert outcomes(done, Part.CHARTS) == [Outcome.THERE]
    assert not list(opened(data).each(HtmlChart))


def test_keys_that_are_taken_are_left_alone() -> None:
    module = opened(bare_bytes())
    module.maps()[0].set("hotkey", "76,715")
    data, _ = enhanced(module.to_bytes())
    (thread,) = opened(data).each(LosThread)
    assert thread.get("hotkey") == ""


def test_nothing_new_is_wrong_with_the_module() -> None:
    def complaints(data: bytes) -> Counter[str]:
        return Counter(finding.id for finding in check_module(ModuleSubject(opened(data))))

    assert not complaints(full()[0]) - complaints(bare_bytes())


def test_components_of_code_that_nobody_knows_stay() -> None:
    module = opened(bare_bytes())
    buffer = io.BytesIO(module.to_bytes())
    with zipfile.ZipFile(buffer) as source:
        build = source.read("buildFile.xml")
    own = b'<net.example.Widget speed="9">words<net.example.Inner/></net.example.Widget>'
    at = build.rindex(b"</")
    module = opened(
        b"".join(
            build_archive(
                {
                    "moduledata": module.read("moduledata"),
                    "buildFile.xml": build[:at] + own + build[at:],
                    "classes/Widget.class": b"\xca\xfe",
                }
            )
        )
    )
    data, _ = enhanced(module.to_bytes())
    with zipfile.ZipFile(io.BytesIO(data)) as target:
        assert own in target.read("buildFile.xml").replace(b"\n", b"")
        assert target.read("classes/Widget.class") == b"\xca\xfe"


def test_a_map_that_is_not_there_is_reported() -> None:
    text = TEXT.replace(f"name: {MAP}".encode(), b"name: Nowhere")
    _, done = enhanced(bare_bytes(), text)
    for part in (Part.NUMBERING, Part.LOS, Part.SETUPS):
        assert set(outcomes(done, part)) == {Outcome.LEFT_OUT}


def test_a_real_build_file_keeps_all_it_has(corpus: Path) -> None:
    (path,) = (corpus / "buildfiles").glob("tld*")
    metadata = Metadata.create({"version": "1", "VassalVersion": "3.7.0", "name": "x"})
    entries = {"moduledata": metadata.to_bytes(), "buildFile.xml": path.read_bytes()}
    data = b"".join(build_archive(entries))
    text = draft_binding(opened(data), PLUGIN.game).encode()
    made, done = enhanced(data, text, numbering={})
    before, after = opened(data), opened(made)
    names = Counter(one.class_name for one in before.walk())
    assert not names - Counter(one.class_name for one in after.walk())
    assert list(defined_gpids(before)) == list(defined_gpids(after))
    assert done.changed
    again, done = enhanced(made, text, numbering={})
    assert again == made


# The command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.vmod").write_bytes(bare_bytes())
    (tmp_path / "mine.yaml").write_bytes(TEXT)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], folder: Path) -> Callable[..., tuple[int, str, str]]:
    registry.default().add(PLUGIN)

    def call(*words: str) -> tuple[int, str, str]:
        paths = [str(folder / word) if "." in word and "=" not in word else word for word in words]
        code = cli.run(["enhance", *paths])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


Run = Callable[..., tuple[int, str, str]]


def test_the_command_writes_a_module_and_tells_what_it_added(run: Run, folder: Path) -> None:
    words = [word for pair in LETTERS.items() for word in ("--numbering", "=".join(pair))]
    code, out, _ = run("old.vmod", "--binding", "mine.yaml", "-o", "new.vmod", *words)
    assert code == ExitCode.OK
    assert "marks on 10 counters" in out
    assert (folder / "new.vmod").read_bytes() == full()[0]
    code, out, _ = run("new.vmod", "-o", "again.vmod")
    assert "nothing to add" in out
    assert (folder / "again.vmod").read_bytes() == full()[0]
    assert (folder / "old.vmod").read_bytes() == bare_bytes()


def test_the_command_tells_a_program_the_same(run: Run, folder: Path) -> None:
    code, out, _ = run("old.vmod", "--binding", "mine.yaml", "--dry-run", "--json")
    told = json.loads(out)
    assert (code, told["changed"], told["output"]) == (ExitCode.OK, True, None)
    assert {"part": "los", "outcome": "added", "what": f"line of sight thread on {MAP!r}"} in (
        told["additions"]
    )
    assert sorted(path.name for path in folder.iterdir()) == ["mine.yaml", "old.vmod"]


def test_a_set_up_can_be_a_scenario_a_position_or_a_scenario_file(run: Run, folder: Path) -> None:
    start = engine.start(PLUGIN, "meeting", seed="x").to_json()
    (folder / "my-fight.json").write_text(json.dumps(start), encoding="utf-8")
    options = ("--numbering", "hType=A", "--numbering", "vLeading=0", "--numbering", "sep=")
    assert cli.run(["scenario", "convert", "tutorial:meeting", str(folder / "own.yaml")]) == 0
    text = (folder / "own.yaml").read_text(encoding="utf-8")
    (folder / "own.yaml").write_text(
        text.replace("title: Meeting engagement", "title: My own"), encoding="utf-8"
    )
    made = ("old.vmod", "--binding", "mine.yaml", "-o", "new.vmod", *options)
    files = ("--setup", "meeting", "--setup", "own.yaml", "--setup", "my-fight.json")
    code, _, err = run(*made, *files)
    assert code == ExitCode.OK, err
    names = [setup.name for setup in Module.open(folder / "new.vmod").each(PredefinedSetup)]
    assert names == ["Meeting engagement", "My own", "my fight"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("old.vmod",), ExitCode.USAGE, "where shall the result go"),
        (("old.vmod", "-o", "new.vmod"), ExitCode.NOT_FOUND, "no binding"),
        (("no.vmod", "--binding", "mine.yaml", "-o", "n.vmod"), ExitCode.NOT_FOUND, "no.vmod"),
        (("old.vmod", "--binding", "no.yaml", "-o", "n.vmod"), ExitCode.NOT_FOUND, "no.yaml"),
        (("old.vmod", "--binding", "bad.yaml", "-o", "n.vmod"), ExitCode.BAD_INPUT, "bad.yaml"),
        (("mine.yaml", "--binding", "mine.yaml", "-o", "n.vmod"), ExitCode.BAD_INPUT, "mine.yaml"),
        (
            ("old.vmod", "--binding", "mine.yaml", "-o", "mine.yaml"),
            ExitCode.OUTPUT,
            "mine.yaml",
        ),
        (
            ("old.vmod", "--binding", "mine.yaml", "-o", "n.vmod", "--without", "art"),
            ExitCode.USAGE,
            "parts:",
        ),
        (
            ("old.vmod", "--binding", "mine.yaml", "-o", "n.vmod", "--numbering", "hOff"),
            ExitCode.USAGE,
            "NAME=VALUE",
        ),
        (
            ("old.vmod", "--binding", "mine.yaml", "-o", "n.vmod", "--setup", "nothing"),
            ExitCode.NOT_FOUND,
            "scenarios: ",
        ),
        (
            ("old.vmod", "--binding", "mine.yaml", "-o", "n.vmod", "--setup", "mine.yaml"),
            ExitCode.BAD_INPUT,
            "mine.yaml",
        ),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else None,
)
def test_bad_input_is_told_in_words_and_writes_nothing(
    run: Run, folder: Path, words: tuple[str, ...], code: ExitCode, told: str
) -> None:
    (folder / "bad.yaml").write_text("format: [", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    found, _, err = run(*words)
    assert (found, told in err) == (code, True), err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
