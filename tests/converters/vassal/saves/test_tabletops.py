"""Set-ups of a module without rules: written down, edited, and laid out again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from saved_games import ANN, a_game, concealment, unit
from squad_game import squad_game

from hexmarshal.cli.main import run
from hexmarshal.vassal.builder import Counter
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.tabletop import PieceEntry, Tabletop, lay_table, read_table
from hexmarshal.vassal.tabletop.table_sheet import read_table_sheet, table_sheet
from hexmarshal.vassal.tabletop.table_text import read_table_text, table_text


@pytest.fixture
def module(tmp_path, monkeypatch) -> Module:
    monkeypatch.chdir(tmp_path)

    def worn(piece):
        for i, trait in enumerate(piece.traits):
            if type(trait).__name__ == "Layer":
                return piece.with_state(i, "2")
        return piece

    built = squad_game(change=worn)
    twins = built.palette("Others").list("Blue units")
    twins.counter(Counter("Truck", "front.svg"))
    Path("m.vmod").write_bytes(built.to_bytes())
    return Module.open("m.vmod")


@pytest.fixture
def state(module):
    name = next(e for e in module.entries() if e.endswith(".vsav"))
    return SavedGame.from_archive(Archive.from_bytes(module.read(name))).state()


def seen(state):
    pieces = sorted((p.name, p.map, p.x, p.y, p.type, p.state) for p in state.pieces.values())
    stacks = sorted(
        [p.name for p in state.members(i)] for i, s in state.stacks.items() if len(s.members) > 1
    )
    decks = sorted(
        (d.name, d.map, d.x, d.y, d.face_down, len(d.members)) for d in state.decks.values()
    )
    return pieces, stacks, decks, state.boards, state.turns


def test_a_table_comes_back_piece_by_piece_from_yaml_and_sheet(module, state) -> None:
    table, left_out = read_table(module, state)
    assert left_out == ("players: 1 at their sides",)
    assert "s3cret" not in table_text(table)
    for again, places in (
        read_table_text(table_text(table).encode(), "t.yaml"),
        read_table_sheet(table_sheet(table, "t.xlsx"), "t.xlsx"),
        read_table_sheet(table_sheet(table, "t.ods"), "t.ods"),
    ):
        assert again == table
        assert len(places) == len(table.pieces)
        laid = lay_table(module, again)
        assert laid.problems == ()
        assert seen(laid.state) == seen(state)


def test_what_differs_from_the_module_is_told_by_trait(module, state) -> None:
    table, _ = read_table(module, state)
    squad = next(entry for entry in table.pieces if entry.piece == "Squad")
    assert squad.state == {"Layer Steps": "2"}
    assert squad.side == "Red"
    assert squad.saved is None
    assert squad.location


def test_a_piece_needs_its_name_and_location_alone(module) -> None:
    said = Tabletop(pieces=(PieceEntry("squad", location="0302"), PieceEntry("Squad", "", "0302")))
    laid = lay_table(module, said)
    assert laid.problems == ()
    two = [p for p in laid.state.pieces.values() if p.name == "Squad"]
    assert len({(p.x, p.y) for p in two}) == 1
    assert [len(s.members) for s in laid.state.stacks.values()] == [2]


def test_a_map_may_be_called_by_its_number_as_old_games_do(module) -> None:
    said = Tabletop(pieces=(PieceEntry("Squad", map="Map0", location="0302"),))
    laid = lay_table(module, said)
    assert laid.problems == ()
    assert [p.map for p in laid.state.pieces.values()] == [module.maps()[0].name]


def test_what_is_not_clear_is_asked_for_all_at_once(module) -> None:
    said = Tabletop(
        pieces=(
            PieceEntry("Truck", location="0302"),
            PieceEntry("Squab", location="0302"),
            PieceEntry("Squad", location="9999"),
            PieceEntry("Squad", map="Moon", location="0302"),
            PieceEntry("Squad", location="0302", state={"Layer Stepz": "2"}),
            PieceEntry("Ace", deck="Nowhere"),
        )
    )
    messages = [problem.message for problem in lay_table(module, said).problems]
    assert len(messages) == 6
    for words in (
        "which one is meant? Give its slot",
        "no piece 'Squab'; did you mean Squad",
        "no location '9999'",
        "no map 'Moon'",
        "it has no 'Layer Stepz'",
        "no deck 'Nowhere'",
    ):
        assert any(words in message for message in messages), words


def test_a_changed_location_counts_before_the_old_point(module, state) -> None:
    table, _ = read_table(module, state)
    moved = tuple(
        replace(e, location="0101", at=(170, 129)) if e.piece == "Squad" else e
        for e in table.pieces
    )
    laid = lay_table(module, replace(table, pieces=moved))
    squad = next(p for p in laid.state.pieces.values() if p.name == "Squad")
    assert (squad.x, squad.y) != (170, 129)


def test_a_piece_that_the_module_no_longer_has_is_kept_whole(module, state) -> None:
    other = Module.from_archive(Archive.from_bytes(squad_game(name="Group").to_bytes()))
    table, _ = read_table(other, state)
    kept = [entry for entry in table.pieces if entry.saved is not None]
    assert kept
    assert seen(lay_table(other, table).state)[0] == seen(state)[0]


def test_the_commands_read_edit_and_write(module, capsys) -> None:
    assert (
        run(["setup", "read", "m.vmod", "--module", "m.vmod", "--setup", "Start", "-o", "s.xlsx"])
        == 0
    )
    book = openpyxl.load_workbook("s.xlsx")
    page = book["Pieces"]
    titles = [cell.value for cell in page[1]]
    row = next(r for r in page.iter_rows(min_row=2) if r[0].value == "Squad")
    row[titles.index("Location")].value = "0405"
    book.save("e.xlsx")
    assert run(["setup", "write", "e.xlsx", "--module", "m.vmod", "-o", "e.vsav"]) == 0
    assert run(["setup", "read", "e.vsav", "--module", "m.vmod", "-o", "e.yaml"]) == 0
    assert 'piece: "Squad", map: "Main Map", location: "0405"' in Path("e.yaml").read_text()
    capsys.readouterr()
    Path("b.yaml").write_text(
        "format: hexmarshal-table/1\npieces:\n  - {piece: Truck, location: 0302}\n"
    )
    assert run(["setup", "write", "b.yaml", "--module", "m.vmod", "-o", "b.vsav", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["written"] is None
    assert found["problems"][0]["place"]["line"] == 3
    assert not Path("b.vsav").exists()


@pytest.mark.parametrize("out", ["s.yaml", "s.csv"])
def test_who_hides_or_conceals_a_piece_is_not_named_by_a_password(module, out) -> None:
    table = a_game(unit("1", hidden=ANN), concealment(ANN, id="2"))
    SavedGame.from_state(table).save("game.vsav")
    assert run(["setup", "read", "game.vsav", "--module", "m.vmod", "-o", out]) == 0
    written = Path(out).read_text()
    assert ANN not in written
    assert written.count("player-1") == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pieces: []", "not a set-up of the format"),
        ("format: hexmarshal-table/1\npiecez: []", "piecez"),
        ("format: hexmarshal-table/1\npieces: [{map: x}]", "'piece' is missing"),
        ("format: [", "not YAML"),
    ],
)
def test_a_file_that_is_no_set_up_is_refused_with_its_place(module, capsys, text, words) -> None:
    Path("b.yaml").write_text(text)
    assert run(["setup", "write", "b.yaml", "--module", "m.vmod", "-o", "b.vsav"]) == 3
    err = capsys.readouterr().err
    assert words in err
    assert "b.yaml" in err
