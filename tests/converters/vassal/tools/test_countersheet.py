"""Pieces as rows and rows as pieces: nothing changes unless a cell does."""

from __future__ import annotations

import pytest

from hexmarshal.errors import BadInputError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.countersheet import SheetRows, apply_sheet, counter_sheet
from hexmarshal.vassal.countersheet.drawing import draw, picture_name
from hexmarshal.vassal.countersheet.facets import EMPTY, facets_of, with_facet
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.traits import BasicName, Layer, Marker
from hexmarshal.workbook import NewSheet, make_workbook
from tests.converters.vassal.small_modules import picture, slot
from tests.converters.vassal.squad_game import squad_game

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">'
    "<style>text {fill: black; stroke: none}</style>"
    "<text>{name} {Marker: Strength}</text></svg>"
)


def squads() -> Module:
    return Module.from_archive(Archive.from_bytes(squad_game().to_bytes()))


def table(module: Module) -> list[dict[str, str]]:
    rows = counter_sheet(module).rows
    return [dict(zip(rows[0], (cell or "" for cell in row), strict=True)) for row in rows[1:]]


def sheet(rows: list[dict[str, str]], ending: str = "csv") -> SheetRows:
    titles = list(dict.fromkeys(title for row in rows for title in row))
    made = NewSheet("Counters", [titles, *[[row.get(t, "") for t in titles] for row in rows]])
    return SheetRows.read(make_workbook([made], f"a.{ending}"), f"a.{ending}")


def no_picture(_name: str) -> None:
    return None


def applied(rows, module=None, **more):
    module = module or squads()
    done = apply_sheet(module, sheet(rows), more.pop("pictures", no_picture), **more)
    return Module.from_archive(Archive.from_bytes(module.to_bytes())), done


def row_of(rows, name):
    return next(row for row in rows if row["name"] == name)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "ods"])
def test_an_untouched_sheet_changes_nothing(ending):
    module = squads()
    before = module.to_bytes()
    done = apply_sheet(module, sheet(table(module), ending), no_picture)
    assert [done.changed, done.added, done.removed, done.pictures] == [[], [], [], []]
    assert done.unmentioned == 0
    assert module.to_bytes() == before


def test_a_row_tells_what_a_piece_is():
    row = row_of(table(squads()), "Squad")
    assert row["where"] == "Counters / Units"
    assert row["image"] == "front.svg"
    assert row["prototypes"] == "Unit"
    assert (row["Marker: Side"], row["Marker: Strength"]) == ("Red", "4")
    assert row["Layer: Steps"] == "front.svg | back.svg"
    assert row["Property: Ammo"] == "6"
    assert row_of(table(squads()), "Ace")["kind"] == "card"


def named_by_a_prototype() -> Module:
    module = squads()
    unit = module.prototypes()["Unit"]
    unit.text = format_add(parse_add(unit.text.strip()).with_trait(BasicName(name="Grenadiers")))
    return module


def test_a_name_from_a_prototype_is_told_and_stays_until_it_is_changed():
    module = named_by_a_prototype()
    before, rows = module.to_bytes(), table(module)
    row = row_of(rows, "Grenadiers")
    apply_sheet(module, sheet(rows), no_picture)
    assert module.to_bytes() == before
    row["name"] = "Guards"
    changed, _ = applied(rows, module)
    assert row_of(table(changed), "Guards")["id"] == row["id"]
    assert parse_add(slot(changed, "Guards").text).first(BasicName).trait.name == "Guards"


def test_changed_cells_change_the_piece_and_nothing_else():
    rows = table(squads())
    row_of(rows, "Squad").update(
        {"name": "Guards", "Marker: Strength": "5", "Layer: Steps": "worn.svg|back.svg"}
    )
    module, done = applied(rows)
    guards = slot(module, "Guards")
    found = facets_of(parse_add(guards.text))
    assert found["Marker: Strength"] == "5"
    assert found["Marker: Side"] == "Red"
    assert parse_add(guards.text).first(Layer).trait.images == ("worn.svg", "back.svg")
    (words,) = done.changed
    assert "Marker: Strength '4' -> '5'" in words


def test_a_blank_cell_takes_a_marker_away_and_an_empty_one_is_kept():
    rows = table(squads())
    row_of(rows, "Squad").update({"Marker: Strength": "", "Marker: Side": EMPTY})
    module, _ = applied(rows)
    piece = parse_add(slot(module, "Squad").text)
    assert piece.first(Marker).trait.names == ("Side",)
    assert piece.first(Marker).state.values == ("",)


def test_a_new_row_is_a_copy_of_its_template_with_a_gpid_of_its_own():
    rows = [
        *table(squads()),
        {"name": "2nd Squad", "template": "Squad", "Marker: Strength": "3"},
        {"name": "Lone", "where": "Counters / Units", "image": "back.svg"},
    ]
    module, done = applied(rows)
    assert len(done.added) == 2
    second = slot(module, "2nd Squad")
    assert second.parent == slot(module, "Squad").parent
    assert facets_of(parse_add(second.text))["Marker: Strength"] == "3"
    gpids = [s.gpid for s in module.slots()]
    assert len(set(gpids)) == len(gpids)
    assert parse_add(second.text).gpid == second.gpid
    assert int(module.root.get("nextPieceSlotId")) > max(map(int, gpids))


def test_pictures_are_taken_in_and_drawn():
    rows = [
        *table(squads()),
        {"name": "Tank", "template": "Truck", "image": "tank.svg"},
        {"name": "A<B", "template": "Squad"},
    ]
    module, done = applied(
        rows,
        pictures=lambda name: picture(60) if name == "tank.svg" else None,
        drawing=DRAWING,
    )
    assert done.pictures == ["tank.svg", "A_B.svg"]
    assert module.read("images/tank.svg") == picture(60)
    drawn = module.read("images/A_B.svg")
    assert b"<text>A&lt;B </text>" in drawn
    assert b"{fill: black; stroke: none}" in drawn


def test_rows_that_are_gone_are_removed_only_when_asked_and_only_inside():
    rows = [row for row in table(squads()) if row["name"] != "Truck"]
    module, done = applied(rows)
    assert done.unmentioned == 1
    assert slot(module, "Truck")
    module, done = applied(rows, remove_missing=True)
    assert done.removed == ["Counters / Units / Truck"]
    few = [row_of(rows, "Squad")]
    module, done = applied(few, remove_missing=True, inside="PieceWindow[name=Counters]")
    assert {s.name for s in module.slots()} == {"Squad", "Ace"}


@pytest.mark.parametrize(
    ("change", "words", "column"),
    [
        ({"id": "999"}, "no piece '999'", "id"),
        ({"prototypes": "Unitt"}, "no prototype 'Unitt'", "prototypes"),
        ({"image": "nowhere.png"}, "no picture", "image"),
        ({"image": "../../etc/passwd"}, "no picture", "image"),
        ({"Layer: Wings": "a.png"}, "", "Layer: Wings"),
        ({"where": "Moon"}, "no place 'Moon'", "where"),
        ({"id": "", "name": ""}, "needs a name", "name"),
        ({"id": "", "where": ""}, "where shall", "where"),
        ({"id": "", "template": "Nobody"}, "no piece has", "template"),
    ],
)
def test_a_bad_cell_is_named(change, words, column):
    rows = table(squads())
    row_of(rows, "Squad").update(change)
    with pytest.raises(BadInputError) as refused:
        applied(rows)
    assert words in refused.value.message
    assert refused.value.place.field == column
    assert refused.value.place.line is not None


def test_bad_sheets_are_refused():
    with pytest.raises(BadInputError, match="columns 'id' and 'name'"):
        SheetRows.read(b"a,b\n1,2\n", "a.csv")
    with pytest.raises(BadInputError, match="no such column"):
        SheetRows.read(b"id,name,Strength\n1,x,4\n", "a.csv")
    with pytest.raises(BadInputError, match="two columns"):
        SheetRows.read(b"id,name,name\n1,x,4\n", "a.csv")
    with pytest.raises(BadInputError, match="row 2 is about 1 too"):
        SheetRows.read(b"id,name\n1,x\n1,y\n", "a.csv")


def test_a_drawing_that_asks_for_what_no_column_has_is_refused():
    from hexmarshal.errors import Place

    with pytest.raises(BadInputError, match="asks for 'Strenght'"):
        draw("<svg>{Strenght}</svg>", {"Strength": "4"}, Place())
    with pytest.raises(BadInputError, match="no SVG"):
        draw("<html/>", {}, Place())
    assert picture_name("a/b c", {"a_b_c.svg"}) == "a_b_c-2.svg"


def test_what_a_facet_writes_it_reads_again():
    piece = parse_add(slot(squads(), "Squad").text)
    for column, text in facets_of(piece).items():
        assert with_facet(piece, column, text) == piece, column
        if column not in {"prototypes", "image"}:
            assert facets_of(with_facet(piece, column, "new"))[column] == "new"
