"""Components are typed views: declared once, read by type, written back exactly."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.components import (
    CONTROLLERS,
    STOCK,
    Board,
    BoardPicker,
    Chart,
    Component,
    DiceButton,
    DrawPile,
    GlobalOptions,
    GlobalProperty,
    HexGrid,
    LosThread,
    Map,
    PieceSlot,
    PlayerHand,
    PlayerRoster,
    PrototypeDefinition,
    SetupStack,
    TurnTracker,
    Zone,
    stock_class,
    view,
)
from hexmarshal.vassal.components.attributes import Attribute, java_decimal
from hexmarshal.vassal.values import KeyStroke

MAP = """
<VASSAL.build.module.Map mapName="Main" edgeWidth="10" allowMultiple="true" hotkey="77,130">
  <VASSAL.build.module.map.BoardPicker>
    <setup>MainBoardPicker	East	0	0</setup>
    <VASSAL.build.module.map.boardPicker.Board name="East" image="east.png">
      <VASSAL.build.module.map.boardPicker.board.HexGrid dx="64" dy="1.0E-4" sideways="TRUE">
        <VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering hOff="3"/>
      </VASSAL.build.module.map.boardPicker.board.HexGrid>
    </VASSAL.build.module.map.boardPicker.Board>
  </VASSAL.build.module.map.BoardPicker>
  <VASSAL.build.module.map.SetupStack name="Start" x="5">
    <VASSAL.build.widget.CardSlot entryName="Inf" gpid="1">+/null/x/y</VASSAL.build.widget.CardSlot>
  </VASSAL.build.module.map.SetupStack>
</VASSAL.build.module.Map>
"""


def parse(text: str) -> Component:
    return view(etree.fromstring(text.strip()))


@pytest.fixture
def main() -> Map:
    component = parse(MAP)
    assert isinstance(component, Map)
    return component


def test_attributes_have_their_types(main):
    assert (main.name, main.edge_width, main.allow_multiple) == ("Main", 10, True)
    assert main.hotkey == KeyStroke("77,130")
    board = main.boards[0]
    grid = board.grid
    assert isinstance(grid, HexGrid)
    assert (grid.dx, grid.dy, grid.sideways, grid.x0, grid.y0) == (64.0, 0.0001, True, 0, 32)
    assert grid.numbering is not None
    assert grid.numbering.h_offset == 3
    assert main.picker is not None
    assert main.picker.setup == "MainBoardPicker\tEast\t0\t0"


def test_what_is_not_written_has_the_engines_default(main):
    assert main.edge_height == 0
    assert main.selection_thickness == 3
    assert main.icon == "/images/map.gif"
    assert main.boards[0].width is None


def test_setting_writes_java_notation(main):
    grid = main.boards[0].grid
    grid.dy = 12345678.0
    grid.sideways = False
    grid.x0 = -7
    main.boards[0].width = 640
    assert grid.get("dy") == "1.2345678E7"
    assert grid.get("sideways") == "false"
    assert grid.get("x0") == "-7"
    main.boards[0].width = None
    assert not main.boards[0].has("width")


def test_setting_the_same_value_keeps_the_text(main):
    grid = main.boards[0].grid
    grid.dx = 64.0
    grid.sideways = True
    assert (grid.get("dx"), grid.get("sideways")) == ("64", "TRUE")


def test_a_wrong_value_is_reported_with_its_place(main):
    main.set("edgeWidth", "wide")
    with pytest.raises(VassalFormatError, match="'wide' is not a whole number") as caught:
        _ = main.edge_width
    assert caught.value.place.field == "edgeWidth"
    assert caught.value.place.unit == "Main"
    main.edge_width = 4
    assert main.edge_width == 4


def test_java_nulls_are_missing_numbers():
    limit = parse('<VASSAL.build.module.properties.GlobalProperty name="x" min="null" max="9"/>')
    assert isinstance(limit, GlobalProperty)
    assert (limit.min, limit.max) == (None, 9)


def test_lists_are_sequences():
    hand = PlayerHand.new({"side": r"Red\, first,Blue", "mapName": "Hand"})
    assert hand.sides == ("Red, first", "Blue")
    hand.sides = ("A,B", "C")
    assert hand.get("side") == r"A\,B,C"
    with pytest.raises(UsageError, match="backslash"):
        hand.sides = ("A\\", "B")


def test_text_that_xml_cannot_hold_is_refused(main):
    with pytest.raises(UsageError, match="XML"):
        main.name = "a\x1bb"
    with pytest.raises(UsageError, match="XML"):
        next(main.each(PieceSlot)).text = "\0"
    with pytest.raises(UsageError, match="no name"):
        HexGrid.new().name = "x"


def test_a_misspelt_attribute_is_an_error(main):
    with pytest.raises(AttributeError):
        main.egde_width = 3


def test_walking_sees_components_only(main):
    assert [type(c).__name__ for c in main.walk()] == [
        "Map",
        "BoardPicker",
        "Board",
        "HexGrid",
        "HexGridNumbering",
        "SetupStack",
        "CardSlot",
    ]
    slot = next(main.each(PieceSlot))
    assert [a.short_name for a in slot.ancestors()] == ["SetupStack", "Map"]
    assert slot.parent == main.child(SetupStack)
    assert list(main.each(PieceSlot, deep=False)) == []
    assert slot.text.startswith("+/null/")


def test_components_are_added_moved_and_removed(main):
    picker = main.child(BoardPicker)
    west = picker.add(Board, {"name": "West"})
    picker.insert(0, west)
    assert [b.name for b in main.boards] == ["West", "East"]
    west.remove()
    assert [b.name for b in main.boards] == ["East"]


def test_a_copy_stands_for_itself(main):
    twin = main.boards[0].copy()
    twin.name = "Twin"
    main.picker.append(twin)
    assert [b.name for b in main.boards] == ["East", "Twin"]
    assert isinstance(main.boards[1].grid, HexGrid)


def test_sides_and_options_are_read_from_their_elements():
    roster = parse(
        "<VASSAL.build.module.PlayerRoster><entry>Red</entry><entry>Blue</entry>"
        "</VASSAL.build.module.PlayerRoster>"
    )
    assert isinstance(roster, PlayerRoster)
    assert roster.sides == ("Red", "Blue")
    roster.sides = ("Green",)
    assert roster.sides == ("Green",)
    assert list(roster.children()) == []
    options = parse(
        '<VASSAL.build.module.GlobalOptions><option name="stepIcon">/images/x.gif</option>'
        "</VASSAL.build.module.GlobalOptions>"
    )
    assert isinstance(options, GlobalOptions)
    assert options.options == {"stepIcon": "/images/x.gif"}


class TestOwnClasses:
    def test_what_holds_a_board_picker_is_a_map(self):
        own = parse('<my.HexMap mapName="X"><my.OwnBoardPicker/></my.HexMap>')
        assert isinstance(own, Map)
        assert own.name == "X"
        assert isinstance(own.picker, BoardPicker)
        assert not own.stock
        assert own.class_name == "my.HexMap"

    def test_what_holds_a_piece_is_a_slot_or_a_prototype(self):
        assert isinstance(parse('<my.Slot entryName="a">+/null/x/y</my.Slot>'), PieceSlot)
        assert isinstance(parse('<my.P name="a">+/null/x/y</my.P>'), PrototypeDefinition)

    def test_anything_else_is_a_plain_component_with_a_name(self):
        own = parse('<my.Thing title="T" odd="1"/>')
        assert type(own) is Component
        assert own.name == "T"
        own.name = "U"
        assert own.get("title") == "U"


def test_every_stock_class_is_consistent():
    for tag, cls in STOCK.items():
        assert cls.tag == tag
        assert cls.new().stock
        assert isinstance(view(cls.new().element), cls)
        assert not cls.naming or cls.naming in cls.declared
        for child in cls.contains:
            assert stock_class(child) is not None, (cls, child)
        assert not hasattr(cls.new(), "__dict__"), cls
        for name, attribute in cls.declared.items():
            assert isinstance(attribute, Attribute)
            assert attribute.name == name


def test_no_default_is_itself_wrong():
    for cls in STOCK.values():
        for attribute in cls.declared.values():
            text = attribute._encode(attribute.default)
            assert text is None or attribute.problem(text) is None, (cls, attribute.name)
            assert text is None or attribute._decode(text) == attribute.default


def test_problems_are_said_in_words():
    assert HexGrid.declared["dx"].problem("wide") == "'wide' is not a number"
    assert DrawPile.declared["shuffle"].problem("Sometimes").startswith("'Sometimes' is none of")
    assert DiceButton.declared["hotkey"].problem("1,2,3,4,5,x") is not None
    assert Zone.declared["path"].problem("0,0;1") is not None
    assert LosThread.declared["threadColor"].problem("255,0,0") is None


def test_stock_classes_are_found_by_short_or_full_name():
    assert stock_class("TurnTracker") is TurnTracker
    assert stock_class("LOS_Thread") is LosThread
    assert stock_class("VASSAL.build.widget.Chart") is Chart
    assert stock_class("Nothing") is None
    assert len(CONTROLLERS) == 8


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (64.0, "64.0"),
        (55.42562584220407, "55.42562584220407"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (0.000123, "1.23E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-1.5e10, "-1.5E10"),
        (1e100, "1.0E100"),
        (100.0, "100.0"),
        (math.inf, "Infinity"),
    ],
)
def test_numbers_in_javas_notation(number, text):
    assert java_decimal(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_reads_back(number):
    text = java_decimal(number)
    assert struct.pack("d", float(text)) == struct.pack("d", number)
