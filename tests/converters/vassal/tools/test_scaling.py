"""Modules and games stretched: places keep their names, lengths follow, doubts are told."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import BadInputError, NotFoundError, UsageError
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.commands.game import BoardChoice
from hexmarshal.vassal.commands.piece import MovePiece
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.components import Board, HexGrid, SetupStack, Zone, ZonedGrid
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.nested_saves import open_nested
from hexmarshal.vassal.scaling import (
    Stretch,
    fit,
    parse_factor,
    remap_plan,
    scale_game,
    scale_module,
    scale_plan,
)
from hexmarshal.vassal.scaling.layout import Layouts
from hexmarshal.vassal.scaling.pictures import refuse_huge, resized
from hexmarshal.vassal.scaling.plan import BoardPlan, MapPlan, Plan
from hexmarshal.vassal.scaling.verify import check_names
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.state.pixels import PixelNamer
from hexmarshal.vassal.traits import (
    ActionButton,
    FootprintState,
    Labeler,
    Layer,
    NonRectangular,
    PieceState,
    SendToLocation,
    Translate,
)
from hexmarshal.vassal.values import FormattedText, Polygon
from tests.converters.vassal.small_modules import picture, sound_module
from tests.converters.vassal.squad_game import game_of, squad_game

HALF = Fraction(1, 2)


def no_progress(_steps: int) -> None:
    pass


def png(width: int, height: int) -> bytes:
    from PIL import Image

    into = io.BytesIO()
    Image.new("RGBA", (width, height), (10, 200, 30, 128)).save(into, "PNG")
    return into.getvalue()


def places(module: Module, saved) -> list[tuple[str, str]]:
    """Each piece of a game with the name of its place."""
    state = saved.state()
    locator = ModuleLocator.for_game(module, state)
    pieces = [(p.name, p.map, p.x, p.y) for p in state.pieces.values() if p.map]
    return sorted((name, locator.locate(m, x, y).name) for name, m, x, y in pieces)


# Factors and points


@pytest.mark.parametrize(
    ("text", "factor"), [("0.5", HALF), ("50%", HALF), ("1/2", HALF), ("2", 2), (" 1.25 ", 1.25)]
)
def test_a_factor_is_written_in_three_ways(text, factor):
    assert parse_factor(text) == factor


@pytest.mark.parametrize("text", ["", "half", "0", "-1", "1/0", "1000", "nan", "1e9%"])
def test_what_is_no_factor_is_refused(text):
    with pytest.raises(UsageError):
        parse_factor(text)


@given(
    st.tuples(*[st.fractions(Fraction(1, 10), 10, max_denominator=50)] * 2),
    st.tuples(*[st.integers(-500, 500)] * 2),
    st.lists(st.tuples(st.integers(0, 9000), st.integers(0, 9000)), min_size=2, max_size=6),
)
def test_points_that_agree_give_back_the_very_stretch(factors, shift, points):
    across, down = (Fraction(round(f * 10)) for f in factors)
    if len({x for x, _ in points}) < 2 or len({y for _, y in points}) < 2:
        return
    wanted = Stretch(across, down, Fraction(shift[0]), Fraction(shift[1]))
    assert fit([(p, wanted.point(p)) for p in points]) == wanted


def test_one_point_tells_a_shift_and_two_in_a_row_are_not_enough():
    assert fit([((10, 20), (110, 70))]) == Stretch(right=Fraction(100), below=Fraction(50))
    with pytest.raises(UsageError, match="same y"):
        fit([((0, 5), (0, 5)), ((100, 5), (200, 9))])
    with pytest.raises(UsageError, match="factor of"):
        fit([((0, 0), (900, 900)), ((100, 100), (0, 0))])


# Maps of several boards


def plan_of_two(turned: frozenset[str] = frozenset()) -> Plan:
    """Two boards side by side, 100 and 200 wide; the first becomes three times as wide."""
    plan = Plan(names={"M": "M"})
    plan.maps["M"] = MapPlan(
        (10, 10),
        Fraction(1),
        (BoardChoice("a"), BoardChoice("b", 1, 0, reversed=bool(turned))),
        turned,
    )
    from hexmarshal.geometry.grids import Size

    plan.boards["M", "a"] = BoardPlan(
        Size(100, 100), Size(300, 100), Stretch(Fraction(3), Fraction(1))
    )
    plan.boards["M", "b"] = BoardPlan(
        Size(200, 100), Size(400, 200), Stretch(Fraction(2), Fraction(2))
    )
    return plan


def test_a_board_beside_one_that_grows_moves_over():
    layouts = Layouts(plan_of_two())
    assert layouts.point("M", (60, 60)) == (10 + 150, 60)
    assert layouts.point("M", (160, 60)) == (10 + 300 + 100, 10 + 100)
    assert layouts.point("M", (5, 5)) == (10 - 15, 5)
    assert layouts.point("elsewhere", (7, 8)) == (7, 8)


def test_a_board_that_lies_turned_around_is_stretched_from_its_own_corner():
    layouts = Layouts(plan_of_two(frozenset({"b"})))
    # 50 from the left as it lies is 150 from its own left, hence 300, hence 100 as it lies.
    assert layouts.point("M", (160, 10)) == (10 + 300 + 100, 10)


# Whole modules


@pytest.mark.parametrize("factor", [HALF, Fraction(1, 3), Fraction(3, 2), Fraction(2)])
def test_pieces_and_cells_keep_the_names_of_their_places(factor):
    before, after = sound_module(), sound_module()
    plan = scale_plan(after, factor)
    done = scale_module(after, plan, no_progress)
    old, new = (open_nested(m, "Start.vsav") for m in (before, after))
    assert places(before, old) == places(after, new)
    assert places(before, old)[0][1]
    names = check_names(before, after, plan)
    assert names.asked > 20
    assert names.changed == 0
    assert done.games == ["Start.vsav"]
    assert not done.unsure


def test_every_length_of_the_module_follows():
    module = sound_module()
    scale_module(module, scale_plan(module, Fraction(2)), no_progress)
    board = next(module.each(Board))
    grid = next(module.each(HexGrid))
    assert (board.width, board.height) == (1200, 960)
    assert (grid.dx, grid.dy, grid.x0, grid.y0) == (110.86, 128.0, 120, 128)
    assert image_size(module.read("images/red.svg")) == (96, 96)
    assert image_size(module.read("images/chart.svg")) == (48, 48), "a chart is no counter"


def test_maps_alone_and_counters_alone():
    module = sound_module()
    done = scale_module(module, scale_plan(module, Fraction(2), counters=False), no_progress)
    assert image_size(module.read("images/red.svg")) == (48, 48)
    assert done.components["HexGrid"] == 1
    module = sound_module()
    done = scale_module(module, scale_plan(module, Fraction(2), boards=False), no_progress)
    assert image_size(module.read("images/red.svg")) == (96, 96)
    assert "HexGrid" not in done.components
    assert not done.games, "only types of traits that measure would change"


def test_a_sideways_grid_is_stretched_along_its_own_axes():
    module = sound_module()
    grid = next(module.each(HexGrid))
    grid.sideways = True
    plan = scale_plan(module, Fraction(1))
    size = plan.boards["Main Map", "Field"].old
    plan.boards["Main Map", "Field"] = BoardPlan(
        size, size, Stretch(Fraction(3), Fraction(2), Fraction(5), Fraction(7))
    )
    scale_module(module, plan, no_progress)
    assert (grid.dx, grid.dy) == (55.43 * 2, 64 * 3)
    assert (grid.x0, grid.y0) == (60 * 2 + 7, 64 * 3 + 5)


def test_an_unknown_map_is_refused_with_a_hint():
    with pytest.raises(NotFoundError) as refused:
        scale_plan(sound_module(), HALF, maps=["Main Mop"])
    assert "Main Map" in (refused.value.hint or "")


# Traits and states


def changed_piece(*traits, factor=Fraction(2)):
    module = sound_module()
    slot = next(module.slots())
    piece = parse_add(slot.text)
    for trait in traits:
        piece = piece.with_trait(trait)
    slot.text = format_add(piece)
    done = scale_module(module, scale_plan(module, factor), no_progress)
    return parse_add(next(module.slots()).text), done


def test_lengths_on_a_counter_follow_the_counters():
    piece, _ = changed_piece(
        Layer(x_offset=3, y_offset=-5, images=("red.svg",)),
        Labeler(font_size=10, vertical_offset=7),
        ActionButton(x=-4, y=6, width=10, height=12, points=((1, 2), (3, 4))),
        NonRectangular(shape="m,-5,5,l,5,5,c"),
        NonRectangular(shape="dM -5.0 5.0 L 5.5 5.0 Z"),
    )
    layer = piece.first(Layer)
    assert (layer.trait.x_offset, layer.trait.y_offset) == (6, -10)
    label = piece.first(Labeler).trait
    assert (label.font_size, label.vertical_offset) == (20, 14)
    button = piece.first(ActionButton).trait
    assert (button.x, button.width, button.points) == (-8, 20, ((2, 4), (6, 8)))
    new, old = (found.trait.shape for found in piece.each(NonRectangular))
    assert old == "m,-10,10,l,10,10,c"
    assert new == "dM -10.000 10.000 L 11.000 10.000 Z"


def test_places_that_a_trait_sends_to_follow_the_map_and_computed_ones_are_told():
    piece, done = changed_piece(
        SendToLocation(
            map=FormattedText("Main Map"), x=FormattedText("100"), y=FormattedText("60")
        ),
        Translate(dx=FormattedText("{Speed*3}"), dy=FormattedText("-30")),
    )
    sent = piece.first(SendToLocation).trait
    assert (sent.x.text, sent.y.text) == ("200", "120")
    moved = piece.first(Translate).trait
    assert (moved.dx.text, moved.dy.text) == ("{Speed*3}", "-60")
    assert any("{Speed*3}" in words for words in done.unsure)


def test_trails_and_old_places_in_a_game_follow():
    module = sound_module()
    saved = open_nested(module, "Start.vsav")
    plan = scale_plan(module, Fraction(2))
    from hexmarshal.vassal.scaling.pieces import PieceScaler
    from hexmarshal.vassal.traits import BasicPiece, Footprint

    piece = Piece.of(
        [Footprint(), BasicPiece(name="x")],
        [
            FootprintState(visible=True, map="Main Map", points=("10,20", "30,40")),
            PieceState(
                map="Main Map",
                x=50,
                y=60,
                gpid="1",
                properties=(("OldMap", "Main Map"), ("OldX", "5"), ("OldY", "6"), ("Odd", "7")),
            ),
        ],
    )
    scaled = PieceScaler(plan, Layouts(plan), {}).piece(piece)
    trail, place = scaled.states
    assert trail.points == ("20,40", "60,80")
    assert (place.x, place.y) == (100, 120)
    assert dict(place.properties) == {"OldMap": "Main Map", "OldX": "10", "OldY": "12", "Odd": "7"}
    assert scale_game(saved, scale_plan(module, Fraction(1)), {}) is saved


def test_moves_in_a_log_follow():
    game = game_of(squad_game())
    module = Module.from_archive(Archive.from_bytes(squad_game().to_bytes()))
    log = LogWriter(game)
    with log.step() as step:
        step.move(next(iter(log.state.pieces)), "Main Map", 282, 320)
    scaled = scale_game(log.finish(), scale_plan(module, HALF), {})
    commands = [c.logged for n in scaled.root.walk() if isinstance(c := n.command, LogEntry)]
    (move,) = (c for c in commands if isinstance(c, MovePiece))
    assert (move.x, move.y, move.old_x, move.old_y) == (141, 160, 250, 200)


# Another picture


def zoned() -> Module:
    made = b.ModuleBuilder("Zoned", version="1.0")
    made.sides("Red")
    made.image("map.png", png(400, 300))
    main = made.map("Main Map", main=True)
    field = main.board(
        "Field", image="map.png", grid=b.square_grid(width=40, height=30, origin=(20, 15))
    )
    main.stack("S", field, (60, 45), b.Counter("One", "map.png"))
    return Module.from_archive(Archive.from_bytes(made.to_bytes()))


def test_a_board_is_exchanged_and_two_points_say_how_it_lies():
    before, module = zoned(), zoned()
    pairs = [((0, 0), (50, 20)), ((400, 300), (850, 620))]
    plan = remap_plan(module, None, None, png(900, 650), pairs)
    done = scale_module(module, plan, no_progress)
    board = next(module.each(Board))
    assert image_size(module.read(f"images/{board.image}")) == (900, 650)
    stack = next(module.each(SetupStack))
    assert (stack.x, stack.y) == (50 + 2 * 60, 20 + 2 * 45)
    names = check_names(before, module, plan)
    assert names.asked > 20
    assert names.changed == 0
    assert len(done.pictures) == 1


def test_without_points_the_new_picture_shows_what_the_old_one_showed():
    plan = remap_plan(zoned(), None, "Field", png(800, 450), [])
    assert plan.boards["Main Map", "Field"].stretch == Stretch(Fraction(2), Fraction(3, 2))


def test_no_such_board_and_no_picture_are_refused():
    with pytest.raises(NotFoundError, match="no such board"):
        remap_plan(zoned(), None, "Feld", png(8, 8), [])
    with pytest.raises(BadInputError, match="no PNG"):
        remap_plan(zoned(), None, None, b"text", [])


# Pictures


def test_bitmaps_and_drawings_get_another_size():
    assert image_size(resized(png(40, 30), HALF, HALF)) == (20, 15)
    drawn = resized(picture(48), Fraction(3, 2), Fraction(2))
    assert image_size(drawn) == (72, 96)
    assert b'viewBox="0 0 48 48"' in drawn
    assert resized(b"no picture", HALF, HALF) is None
    assert resized(b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + b"\0\0\0\x20" * 2, HALF, HALF) is None


def test_pictures_that_nobody_could_show_are_refused_before_anything_is_done():
    module = zoned()
    with pytest.raises(UsageError, match="would have 40000 x 30000 pixels") as why:
        scale_module(module, scale_plan(module, Fraction(100)), no_progress)
    assert why.value.place.entry == "images/map.png"
    assert not module.changes
    with pytest.raises(UsageError, match="in all"):
        refuse_huge({str(number): (20000, 20000) for number in range(11)})


def test_zones_follow_their_board():
    module = sound_module()
    board = next(module.each(Board))
    grid = board.add(ZonedGrid)
    zone = grid.add(Zone, {"name": "Z"})
    zone.path = Polygon.of([(0, 0), (10, 0), (10, 7)])
    scale_module(module, scale_plan(module, HALF), no_progress)
    assert zone.path.text == "0,0;5,0;5,4"


def slanted() -> Module:
    """A board of slanted and straight zones that share their edges, and pieces all along these."""
    made = b.ModuleBuilder("Zones", version="1.0")
    made.image("map.png", png(400, 300))
    main = made.map("Main Map", main=True)
    field = main.board("Field", image="map.png")
    for x in range(100, 300, 7):
        for off in (-1, 0, 1):
            at = (x, 41 + (x - 100) // 2 + off)
            main.stack(f"{at[0]} {at[1]}", field, at, b.Counter("One", "map.png"))
    module = Module.from_archive(Archive.from_bytes(made.to_bytes()))
    grid = next(module.each(Board)).add(ZonedGrid)
    paths = {
        "High": [(99, 0), (301, 0), (301, 142), (99, 41)],
        "Low": [(99, 41), (301, 142), (301, 299), (99, 299)],
    }
    for name, corners in paths.items():
        zone = grid.add(Zone, {"name": name, "locationFormat": "$name$"})
        zone.path = Polygon.of(corners)
    return module


@pytest.mark.parametrize("factor", ["1/2", "1/3", "2/3", "3/4", "7/5", "3"])
def test_what_lies_at_the_edge_of_a_zone_stays_in_it(factor):
    before, module = slanted(), slanted()
    plan = scale_plan(module, Fraction(factor))
    scale_module(module, plan, no_progress)
    old, new = PixelNamer(before), PixelNamer(module)
    was = [old.on_board(None, "Field", s.x, s.y).location for s in before.each(SetupStack)]
    now = [new.on_board(None, "Field", s.x, s.y).location for s in module.each(SetupStack)]
    assert {*was} == {"High", "Low"}
    assert now == was
    # Pieces of games go where the stacks of a new game go.
    layouts = Layouts(plan)
    for stack, there in zip(before.each(SetupStack), module.each(SetupStack), strict=True):
        assert layouts.point("Main Map", (stack.x, stack.y)) == (there.x, there.y)
