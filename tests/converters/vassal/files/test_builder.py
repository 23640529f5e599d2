"""A module built from nothing has what was asked for, is read back, and is the same every time."""

from __future__ import annotations

import pytest

from hexmarshal.errors import NotFoundError, OutputError, UsageError
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.commands.turn import CounterLevel, ListLevel, TurnState
from hexmarshal.vassal.components import (
    CounterDetailViewer,
    DiceButton,
    DrawPile,
    Inventory,
    LosThread,
    PieceSlot,
    PlayerHand,
    PlayerRoster,
    SetupStack,
    TurnTracker,
)
from hexmarshal.vassal.container.archive import Archive, FileKind
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.traits import FacingState, Layer, Mask, RotateFixed

SQUARE = b'<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"/>'


def grown_module() -> b.ModuleBuilder:
    """Something of everything."""
    module = b.ModuleBuilder("Everything", version="2.1", description="All parts")
    module.sides("Red", "Blue")
    for name in ("front.svg", "back.svg", "mask.svg", "moved.svg", "card.svg"):
        module.image(name, SQUARE)
    module.prototype(b.Counter("Unit", traits=(b.can_delete(), b.facings(6))))
    main = module.map("Main Map", main=True, mark_moved=True).conveniences()
    field = main.board(
        "Field",
        size=(1000, 800),
        grid=b.zoned(
            [("Box A", [(0, 700), (200, 700), (200, 800), (0, 800)], None)],
            b.hex_grid(width=55.43, height=64, origin=(60, 64)),
        ),
    )
    main.line_of_sight()
    main.layers("Level", "map", "units")
    units = module.palette("Counters").tabs().list("Units")
    squad = b.Counter(
        "Squad",
        "front.svg",
        (
            b.prototype("Unit"),
            b.two_sided("front.svg", "back.svg", name="Steps"),
            b.markers({"Side": "Red", "Unit": "squad-1"}),
            b.number("Ammo", 6, up="U", down="J"),
            b.label("$Ammo$", editable=False),
            b.marks_moved("moved.svg"),
            b.mask("mask.svg"),
        ),
    )
    units.counter(squad)
    units.panel("More", columns=2).counter(b.Counter("Truck", "front.svg", (b.does_not_stack(),)))
    main.stack("Starters", field, "0302", squad)
    main.deck(
        "Deck", field, (500, 700), [b.Counter("Ace", "front.svg", (b.card_back("card.svg"),))]
    )
    module.hand("Red")
    track = module.map("Track")
    track.board("Track", size=(400, 100), grid=b.regions({"Turn 1": (50, 50), "Turn 2": (150, 50)}))
    squares = module.map("Squares")
    squares.board(
        "Squares", size=(480, 480), grid=b.square_grid(width=48, height=48, origin=(24, 24))
    )
    module.dice("1d6", count=1, sides=6)
    module.turn_tracker("Turn", b.counts("Turn", 1, 10), b.lists("Phase", "Move", "Fire"))
    charts = module.charts("Charts").tabs()
    charts.page("Results", "<p>1 to 6</p>")
    charts.picture("Terrain", "front.svg")
    module.help("Rules", "<p>Move, then fire.</p>")
    module.global_property("Weather", "clear")
    module.notes()
    module.inventory("Side")
    slot = next(units.component.each(PieceSlot))
    start = module.setup("Start", menu="Scenarios")
    start.place(slot, main, "0405")
    start.place(slot, main, "0405", change=_turned)
    start.place(slot, track, "Turn 1")
    start.place(slot, squares, "0203")
    level = ListLevel(current=1, sublevel=0, first=0, active=(True, True))
    start.turn(TurnState(0, (CounterLevel(3, 0, True, 10, (level,)),)))
    start.save()
    return module


def _turned(piece):
    found = piece.first(RotateFixed)
    return piece.with_state(found.index, FacingState(facing=2))


@pytest.fixture(scope="module")
def built() -> Module:
    return Module.from_archive(grown_module().archive())


def test_the_inventory_lists_no_piece_that_is_hidden_from_who_looks(built):
    (listing,) = built.each(Inventory)
    assert listing.get("include") == '{Side != "" && Invisible != true}'


def test_names_in_a_stack_keep_to_their_counters(built):
    """The engine writes each below its counter, as wide as it is, unless it is told how wide."""
    for viewer in built.each(CounterDetailViewer):
        assert viewer.get("enableHTML") == "true"
        assert "<table width='84'" in viewer.get("counterReportFormat")
        assert "$PieceName$" in viewer.get("counterReportFormat")


def test_the_same_parts_give_the_same_bytes():
    assert grown_module().to_bytes() == grown_module().to_bytes()


def test_the_archive_is_a_module_with_metadata(built):
    assert built.archive.kind is FileKind.MODULE
    assert (built.metadata.name, built.metadata.version) == ("Everything", "2.1")
    assert built.buildfile_name == "buildFile.xml"


def test_every_part_is_there(built):
    assert next(built.each(PlayerRoster)).sides == ("Red", "Blue")
    assert [m.name for m in built.maps()] == ["Main Map", "Red hand", "Track", "Squares"]
    for part in (DiceButton, DrawPile, LosThread, PlayerHand, SetupStack, TurnTracker):
        assert list(built.each(part)), part
    assert built.has("help/results.html")


def test_every_slot_has_an_id_of_its_own_below_the_next_one(built):
    ids = [int(slot.gpid) for slot in built.slots()]
    assert len(set(ids)) == len(ids)
    assert max(ids) < built.root.next_piece_slot_id


def test_traits_stand_in_the_editors_order_from_the_inside_out(built):
    definitions = {n: d.text for n, d in built.prototypes().items()}
    slot = next(s for s in built.slots() if s.name == "Squad")
    piece = expand(parse_add(slot.text), definitions).piece
    kinds = [type(trait) for trait in piece.traits]
    assert kinds[0] is Mask
    assert kinds.index(Layer) < kinds.index(RotateFixed)
    assert piece.problem is None
    assert piece.gpid == slot.gpid


def test_the_set_up_puts_pieces_where_the_grids_say(built):
    game = SavedGame.from_archive(built.archive.nested("Start.vsav")).state()
    locator = ModuleLocator.for_game(built, game)
    where = [(p.map, locator.locate(p.map, p.x, p.y).name) for p in game.pieces.values() if p.map]
    assert sorted(where) == [
        ("Main Map", "0302"),  # the at-start stack and the deck are part of every game
        ("Main Map", "0405"),
        ("Main Map", "0405"),
        ("Main Map", "Deck"),
        ("Squares", "0203"),
        ("Track", "Turn 1"),
    ]
    assert [len(stack.members) for stack in game.stacks.values()] == [2]
    assert game.stacks_placed
    assert game.properties["", "Weather"] == "clear"
    assert game.turns["TurnTracker0"].turn.levels[0].current == 3
    turned = [
        p for p in game.pieces.values() if (f := p.piece.first(RotateFixed)) and f.state.facing
    ]
    assert [p.piece.first(RotateFixed).state.facing for p in turned] == [2]
    assert [deck.name for deck in game.decks.values()] == ["Deck"]


def test_an_at_start_stack_is_placed_by_location(built):
    stack = next(built.each(SetupStack))
    assert (stack.get("location"), stack.get("x"), stack.get("y")) == ("0302", "170", "128")


def test_a_missing_image_is_found_before_anything_is_written(tmp_path):
    module = b.ModuleBuilder("Broken")
    module.palette("P").list("L").counter(b.Counter("X", "nowhere.png"))
    with pytest.raises(NotFoundError, match=r"images/nowhere\.png"):
        module.save(tmp_path / "broken.vmod")
    assert not list(tmp_path.iterdir())


def test_two_files_of_one_name_must_be_equal():
    module = b.ModuleBuilder("Broken")
    module.image("a.svg", SQUARE)
    module.image("a.svg", SQUARE)
    with pytest.raises(OutputError, match=r"a\.svg"):
        module.image("a.svg", b"other")


def test_an_unknown_location_is_named():
    module = b.ModuleBuilder("Broken")
    main = module.map("Main", main=True)
    main.board("B", size=(100, 100), grid=b.square_grid(width=48, height=48, origin=(24, 24)))
    slot = module.palette("P").list("L").counter(b.Counter("X"))
    with pytest.raises(NotFoundError, match="cell 99X"):
        module.setup("S").place(slot, main, "99X")


@pytest.mark.parametrize("name", ["", "  "])
def test_a_module_needs_a_name(name):
    with pytest.raises(UsageError):
        b.ModuleBuilder(name)


def test_a_board_needs_an_image_or_a_size():
    with pytest.raises(UsageError, match="neither"):
        b.ModuleBuilder("X").map("M").board("B")


def test_saving_refuses_to_overwrite_unless_forced(tmp_path):
    target = tmp_path / "m.vmod"
    target.write_bytes(b"precious")
    module = b.ModuleBuilder("X")
    with pytest.raises(OutputError):
        module.save(target)
    assert target.read_bytes() == b"precious"
    module.save(target, force=True)
    assert Archive.open(target).kind is FileKind.MODULE


def test_a_prototype_is_named_without_a_parameter_list():
    # A list, even an empty one, would make VASSAL fill every `$name$` of the definition.
    piece = b.Counter("Squad", traits=(b.prototype("Unit"),)).piece()
    assert piece.type.text.startswith("prototype;Unit\t")
