"""The engine's answers for single pixels, labels and names, as data."""

from pathlib import Path

import pytest
import yaml

from hexmarshal.geometry.grids import HexGrid, Numbering, Size, grid_from_spec
from hexmarshal.geometry.grids.labels import Axis, LocationFormat

CASES = yaml.safe_load((Path(__file__).parent / "vectors.yaml").read_text())

ANSWERS = {
    "raw": lambda grid, pixel: grid.raw_of(grid.rectangular_at(pixel)),
    "centre": lambda grid, pixel: grid.snap(pixel, centre_only=True),
    "snap": lambda grid, pixel: grid.snap(pixel),
    "name": lambda grid, pixel: grid.location_name(pixel),
    "name_of_centre": lambda grid, pixel: grid.name(grid.cell_at(pixel)),
    "hexside": lambda grid, pixel: grid._hexside(pixel),
    "vertex": lambda grid, pixel: grid._vertex(pixel),
}


@pytest.mark.parametrize("case", CASES)
def test_every_pixel_answers_as_in_the_table(case):
    grid = grid_from_spec(case["grid"])
    for row in case["rows"]:
        known = dict(zip(case["columns"], row, strict=True))
        pixel = tuple(known.pop("pixel"))
        pixel = type(grid.snap(pixel))(*pixel)
        for column, expected in known.items():
            found = ANSWERS[column](grid, pixel)
            assert found == (tuple(expected) if isinstance(expected, list) else expected), (
                pixel,
                column,
            )


@pytest.mark.parametrize(
    ("number", "letters", "digits"),
    [
        (0, "A", ("0", "00", "000")),
        (5, "F", ("5", "05", "005")),
        (26, "AA", ("26", "26", "026")),
        (27, "BB", ("27", "27", "027")),
        (51, "ZZ", ("51", "51", "051")),
        (52, "AAA", ("52", "52", "052")),
        (150, "UUUUUU", ("150", "150", "150")),
        (-1, "-B", ("-1", "-01", "-001")),
        (-5, "-F", ("-5", "-05", "-005")),
        (-27, "-BB", ("-27", "-27", "-027")),
    ],
)
def test_labels_are_written_and_read(number, letters, digits):
    axes = [Axis(alphabetic=True, offset=0), *(Axis(leading=n, offset=0) for n in range(3))]
    for axis, label in zip(axes, (letters, *digits), strict=True):
        assert axis.label(number) == label
        assert axis.index(label) == number


@pytest.mark.parametrize("label", ["", "-", "A", "1.5", "٣", "1_0", " 1", "99999999999999999999"])
def test_what_is_no_number_is_no_label(label):
    assert Axis().index(label) is None


@pytest.mark.parametrize("label", ["", "-", "AB", "a", "1", "--A"])
def test_what_is_no_repeated_letter_is_no_label(label):
    assert Axis(alphabetic=True).index(label) is None


def test_the_engine_finds_names_by_the_parity_of_the_numbered_column():
    numbered = Numbering.from_attributes({"hOff": "0", "vOff": "0", "sep": "."})
    plain = Numbering.from_attributes({"hOff": "0", "vOff": "0", "sep": ".", "stagger": "false"})
    board = Size(1000, 800)
    for grid, name, pixel in [
        (HexGrid(board, numbering=numbered), "01.01", (55, 64)),
        (HexGrid(board, numbering=numbered), "05.04", (277, 256)),
        (HexGrid(board, numbering=numbered), "-01.02", (-55, 128)),
        (HexGrid(board, numbering=plain), "01.01", (55, 128)),
        (HexGrid(board, numbering=plain), "05.04", (277, 320)),
        (HexGrid(board, sideways=True, numbering=numbered), "05.04", (256, 277)),
    ]:
        assert grid.pixel_named(name, engine_compatible=True) == pixel


def test_oblique_numbering_slants_the_rows():
    numbering = Numbering.from_attributes({"stagger": "true"}, oblique=True)
    grid = HexGrid(Size(1000, 800), numbering=numbering)
    # Column 4: two rows further than a straight numbering, which would say 0502.
    cell = grid.hex_of(4, 1)
    assert grid.name(cell) == "0504"
    assert grid.cell_named("0504") == cell


def test_a_name_without_separator_is_read_in_the_way_that_is_on_the_board():
    numbering = Numbering.from_attributes({"hLeading": "0", "vLeading": "0", "stagger": "false"})
    grid = HexGrid(Size(1000, 1500), numbering=numbering)
    # The engine takes 719 for column 71, far off the board.
    assert grid.raw_of(grid.cell_named("719")) == (6, 18)
    assert grid.pixel_named("719", engine_compatible=True).x > 3000


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("$gridLocation$", "0102"),
        ("Hex $column$ of row $row$", "Hex 01 of row 02"),
        ("$gridLocation$ (board 3)", "0102 (board 3)"),
        (r"\$5 $row$", "$5 02"),
        ("$row", "row"),
        ("a$unknown$b", "ab"),
        ("'$row$'", "'02'"),
    ],
)
def test_location_formats_fill_in_their_properties(text, filled):
    values = {"gridLocation": "0102", "column": "01", "row": "02"}
    assert LocationFormat.parse(text).fill(values, keep_unknown=False) == filled


def test_a_format_without_columns_leads_to_the_first_cell_of_the_row():
    grid = grid_from_spec(
        {
            "kind": "square",
            "width": 480,
            "height": 480,
            "numbering": {"locationFormat": "Row $row$"},
        }
    )
    assert grid.location_name((300, 300)) == "Row 07"
    assert grid.pixel_named("Row 07") == (24, 312)
