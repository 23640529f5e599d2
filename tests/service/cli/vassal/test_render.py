"""`hexmarshal render` draws boards and pieces where they are, and hides what is hidden."""

from __future__ import annotations

import json

import pytest
from PIL import Image

from hexmarshal.cli.main import run
from hexmarshal.errors import ExitCode
from hexmarshal.vassal import builder as b
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import FacingState, HiddenState, Hideable, LayerState, Mask, MaskState

RED, BLUE, GREEN = (255, 0, 0), (0, 0, 255), (0, 128, 0)
GROUND = (200, 190, 150)


def svg(colour, width=20, height=20):
    fill = "#{:02x}{:02x}{:02x}".format(*colour)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect width="{width}" height="{height}" fill="{fill}"/></svg>'
    ).encode()


@pytest.fixture
def module(tmp_path):
    made = b.ModuleBuilder("Pictures")
    made.image("red.svg", svg(RED))
    made.image("blue.svg", svg(BLUE))
    made.image("green.svg", svg(GREEN))
    made.image("long.svg", svg(BLUE, 40, 4))
    main = made.map("Main", main=True)
    grid = b.square_grid(width=50, height=50, origin=(25, 25))
    main.board("Board", size=(200, 100), color="200,190,150", grid=grid)
    palette = made.palette("Pieces").list("All")
    unit = palette.counter(
        b.Counter(
            "unit",
            "red.svg",
            (
                b.two_sided("", "blue.svg"),
                b.mask("green.svg"),
                b.counters.Equipped(Hideable()),
            ),
        )
    )
    pole = palette.counter(b.Counter("pole", "long.svg", (b.facings(4),)))

    def state(kind, new):
        def change(piece):
            at = piece.first(kind)
            return piece.with_state(at.index, new)

        return change

    start = made.setup("Start")
    start.place(unit, main, "0101")
    start.place(unit, main, "0201", change=state(b.counters.Layer, LayerState(level=2)))
    start.place(unit, main, "0301", change=state(Mask, MaskState(owner="secret-pw")))
    start.place(unit, main, "0401", change=state(Hideable, HiddenState(owner="secret-pw")))
    start.place(pole, main, "0102")
    start.place(pole, main, "0202", change=state(b.counters.RotateFixed, FacingState(facing=1)))
    start.place(unit, main, "0302")
    start.place(unit, main, "0302", change=state(b.counters.Layer, LayerState(level=2)))
    start.save()
    return made.save(tmp_path / "pictures.vmod")


def pixel_at(path, *points):
    with Image.open(path) as image:
        return [image.convert("RGB").getpixel(p) for p in points]


def test_pieces_stand_on_their_places_with_layers_and_masks(module, tmp_path, capsys):
    out = tmp_path / "start.png"
    assert run(["render", str(module), "--setup", "Start", "-o", str(out)]) == ExitCode.OK
    assert pixel_at(out, (25, 25), (75, 25), (125, 25), (175, 25)) == [RED, BLUE, GREEN, GROUND]
    assert "7 pieces, 1 hidden" in capsys.readouterr().out


def test_a_facing_turns_the_piece(module, tmp_path):
    out = tmp_path / "start.png"
    run(["render", str(module), "--setup", "Start", "-o", str(out)])
    lying = (25 + 17, 75)
    standing = (75, 75 + 17)
    assert pixel_at(out, lying, standing) == [BLUE, BLUE]
    assert pixel_at(out, (25, 75 + 17), (75 + 17, 75)) == [GROUND, GROUND]


def test_the_top_of_a_stack_is_set_off(module, tmp_path):
    out = tmp_path / "start.png"
    run(["render", str(module), "--setup", "Start", "-o", str(out)])
    # The lower piece shows at its lower left corner, the upper one covers the rest.
    assert pixel_at(out, (116, 84), (125, 75)) == [RED, BLUE]


def test_reveal_shows_what_is_hidden(module, tmp_path):
    out = tmp_path / "truth.png"
    run(["render", str(module), "--setup", "Start", "--reveal", "-o", str(out)])
    assert pixel_at(out, (125, 25), (175, 25)) == [RED, RED]


def test_a_save_is_drawn_with_its_module_at_a_scale(module, tmp_path, capsys):
    save = tmp_path / "game.vsav"
    nested = Module.open(module).archive.nested("Start.vsav")
    SavedGame.from_archive(nested).save(save)
    out = tmp_path / "half.png"
    args = [
        "render",
        str(save),
        "--module",
        str(module),
        "--scale",
        "0.5",
        "-o",
        str(out),
        "--json",
    ]
    assert run(args) == ExitCode.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["width"], told["height"], told["pieces"]) == (100, 50, 7)


@pytest.mark.parametrize(("command", "out"), [(["render"], "x.png"), (["setup", "read"], "x.yaml")])
def test_a_game_of_another_module_is_refused(module, tmp_path, capsys, command, out):
    save = tmp_path / "game.vsav"
    SavedGame.from_archive(Module.open(module).archive.nested("Start.vsav")).save(save)
    other = b.ModuleBuilder("Sculptures")
    other.map("Garden", main=True).board("Lawn", size=(60, 60), color="0,128,0")
    other.save(tmp_path / "other.vmod")
    args = [*command, str(save), "--module", str(tmp_path / "other.vmod")]
    args += ["-o", str(tmp_path / out)]
    assert run(args) == ExitCode.BAD_INPUT
    told = capsys.readouterr().err
    assert "'Sculptures'" in told
    assert "--any-module" in told
    assert not (tmp_path / out).exists()
    assert run([*args, "--any-module"]) == ExitCode.OK


def test_a_new_game_of_a_module_without_start_is_its_board(module, tmp_path):
    out = tmp_path / "new.png"
    assert run(["render", str(module), "-o", str(out)]) == ExitCode.OK
    assert pixel_at(out, (25, 25)) == [GROUND]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["--map", "Nowhere"], ExitCode.NOT_FOUND, "maps: Main"),
        (["--setup", "Nothing"], ExitCode.NOT_FOUND, "set-ups: Start"),
        (["--scale", "0"], ExitCode.USAGE, "scale"),
    ],
)
def test_bad_wishes_are_told(module, tmp_path, capsys, args, code, said):
    assert run(["render", str(module), "-o", str(tmp_path / "x.png"), *args]) == code
    assert said in capsys.readouterr().err


def test_a_save_needs_its_module_and_output_a_known_suffix(module, tmp_path, capsys):
    save = tmp_path / "game.vsav"
    nested = Module.open(module).archive.nested("Start.vsav")
    SavedGame.from_archive(nested).save(save)
    assert run(["render", str(save), "-o", str(tmp_path / "x.png")]) == ExitCode.USAGE
    assert "--module" in capsys.readouterr().err
    assert run(["render", str(module), "-o", str(tmp_path / "x.tiff")]) == ExitCode.USAGE


def test_an_existing_picture_is_not_overwritten(module, tmp_path, capsys):
    out = tmp_path / "x.png"
    out.write_bytes(b"mine")
    assert run(["render", str(module), "-o", str(out)]) == ExitCode.OUTPUT
    assert out.read_bytes() == b"mine"
    capsys.readouterr()
    nowhere = tmp_path / "no folder" / "x.png"
    assert run(["render", str(module), "-o", str(nowhere)]) == ExitCode.OUTPUT
    assert f"hint: make the folder first: {nowhere.parent}" in capsys.readouterr().err


def test_a_picture_that_the_format_cannot_hold_leaves_nothing_behind(tmp_path, capsys):
    made = b.ModuleBuilder("Long", version="1")
    made.map("Road", main=True).board("Mile", size=(5000, 10))
    out = tmp_path / "large.webp"
    asked = ["render", str(made.save(tmp_path / "long.vmod")), "-o", str(out), "--zoom", "4"]
    assert run(asked) == ExitCode.OUTPUT
    assert "hint: a smaller --scale, or .png" in capsys.readouterr().err
    assert not out.exists()


def test_no_output_tells_a_password(module, tmp_path, capsys):
    run(["render", str(module), "--setup", "Start", "-o", str(tmp_path / "a.png"), "--json"])
    captured = capsys.readouterr()
    assert "secret-pw" not in captured.out + captured.err


def test_a_closed_deck_shows_its_back_and_layers_hold_their_order(tmp_path):
    made = b.ModuleBuilder("Layers")
    for name, colour in (("red", RED), ("blue", BLUE), ("green", GREEN)):
        made.image(f"{name}.svg", svg(colour))
    main = made.map("Main", main=True)
    board = main.board("Board", size=(200, 100), color="200,190,150")
    main.layers("Layer", "low", "high")
    card = b.Counter("Ace", "red.svg", (b.card_back("green.svg"),))
    main.deck("Deck", board, (150, 50), [card], size=(30, 40))
    # VASSAL has nothing to cover a card with that has no back.
    main.deck("Pool", board, (100, 50), [b.Counter("Fort", "blue.svg")], size=(30, 40))
    palette = made.palette("P").list("L")
    alone = (b.does_not_stack(),)
    high = palette.counter(b.Counter("h", "red.svg", (*alone, b.markers({"Layer": "high"}))))
    low = palette.counter(b.Counter("l", "blue.svg", (*alone, b.markers({"Layer": "low"}))))
    start = made.setup("Start")
    start.place(high, main, (50, 50))
    start.place(low, main, (52, 50))
    start.save()
    out = tmp_path / "x.png"
    module = made.save(tmp_path / "layers.vmod")
    assert run(["render", str(module), "--setup", "Start", "-o", str(out)]) == ExitCode.OK
    assert pixel_at(out, (150, 50), (51, 50), (100, 50)) == [GREEN, RED, BLUE]


def test_a_deck_is_as_thick_as_it_has_cards_and_an_empty_one_is_an_outline(tmp_path):
    made = b.ModuleBuilder("Decks")
    made.image("red.svg", svg(RED))
    main = made.map("Main", main=True)
    board = main.board("Board", size=(300, 100), color="200,190,150")
    cards = [b.Counter(f"Card {n}", "red.svg") for n in range(5)]
    for at, count in ((50, 1), (150, 5), (250, 0)):
        main.deck(f"Deck {count}", board, (at, 50), cards[:count], size=(30, 40), face_down=False)
    module = made.save(tmp_path / "decks.vmod")
    out = tmp_path / "x.png"
    assert run(["render", str(module), "-o", str(out)]) == ExitCode.OK
    # Four cards below lift the top by eight pixels; what is seen of them is white with a rim.
    assert pixel_at(out, (50, 50), (158, 42), (141, 57)) == [RED, RED, (255, 255, 255)]
    assert pixel_at(out, (140, 60), (250, 50), (235, 50)) == [(0, 0, 0), GROUND, (80, 80, 80)]


def test_a_log_is_drawn_after_a_step(module, tmp_path, capsys):
    state = SavedGame.from_archive(Module.open(module).archive.nested("Start.vsav")).state()
    writer = LogWriter(state)
    first = next(iter(state.pieces))
    with writer.step() as step:
        step.move(first, "Main", 75, 95)
    log = tmp_path / "game.vlog"
    writer.finish().save(log)
    out = tmp_path / "x.png"
    line = ["render", str(log), "--module", str(module), "-o", str(out), "--force"]
    for step, expected in (("0", GROUND), ("1", RED)):
        assert run([*line, "--step", step]) == ExitCode.OK
        assert pixel_at(out, (66, 99)) == [expected]
    assert run([*line, "--step", "2"]) == ExitCode.NOT_FOUND
    assert "the log has 1 step" in capsys.readouterr().err
    assert run(["render", str(module), "-o", str(out), "--force", "--step", "1"]) == ExitCode.USAGE


def test_a_game_of_vasl_without_its_boards_is_refused_with_the_reason(module, tmp_path, capsys):
    made = b.ModuleBuilder("VASL")
    made.map("Main Map", main=True)
    empty = made.save(tmp_path / "vasl.vmod")
    text = "begin_save\x1bbd\t0\t0\tr69\t0\t0\t844\t-1\tVER\t6.4\x1bend_save"
    SavedGame.from_text(text).save(tmp_path / "game.vsav")
    line = ["render", str(tmp_path / "game.vsav"), "--module", str(empty)]
    assert run([*line, "-o", str(tmp_path / "x.png")]) == ExitCode.NOT_FOUND
    err = capsys.readouterr().err
    assert "the board bd69, and no folder of boards is known" in err
    assert "--board-dir" in err
