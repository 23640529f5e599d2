"""What lies covered has no name in the page: on the table, in moves and in changes."""

import json
from dataclasses import replace

import pytest

from hexmarshal.vassal import builder as b
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.privacy.secrets import Redactor
from hexmarshal.vassal.saves.chat import read_chat
from hexmarshal.vassal.saves.log import PieceChange, PieceMove, Step
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import HiddenState, Hideable, Mask, MaskState
from hexmarshal.web.viewing.log_tables import LogTables, TableTeller


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    made = b.ModuleBuilder("Covered")
    main = made.map("Main", main=True)
    grid = b.square_grid(width=50, height=50, origin=(25, 25))
    main.board("Board", size=(200, 100), color="200,190,150", grid=grid)
    extras = (b.mask("", masked_name="Axis unit"), b.counters.Equipped(Hideable()))
    unit = made.palette("Pieces").list("All").counter(b.Counter("Tiger", "", extras))

    def covered(kind, new):
        return lambda piece: piece.with_state(piece.first(kind).index, new)

    start = made.setup("Start")
    start.place(unit, main, "0101")
    start.place(unit, main, "0201", change=covered(Mask, MaskState(owner="secret-pw")))
    start.place(unit, main, "0301", change=covered(Hideable, HiddenState(owner="secret-pw")))
    start.save()
    module = Module.open(made.save(tmp_path_factory.mktemp("covered") / "covered.vmod"))
    return SavedGame.from_archive(module.archive.nested("Start.vsav")).state()


def test_what_people_wrote_is_shown_without_passwords(state):
    hide = Redactor(["secret-pw", "Tiger-pw"])
    step = Step(1, "secret-pw", (), chat=(read_chat("<Anna> - it is secret-pw"),))
    step = replace(
        step, moves=(PieceMove("9", "secret-pw's", None, None),), problems=("secret-pw",)
    )
    tables = LogTables(
        iter([(step, state)]), state, TableTeller(None, None, reveal=True, hide=hide)
    )
    tables.read_all()
    assert tables.steps[0]["words"] == ["it is player-1"]
    assert "secret-pw" not in json.dumps(tables.steps) + tables.at(1)


def titles(tables, at):
    return {piece["title"] for piece in json.loads(tables.at(at))["pieces"]}


@pytest.mark.parametrize(
    ("reveal", "told"), [(False, ["Tiger", "Axis unit", "?"]), (True, ["Tiger"] * 3)]
)
def test_a_cover_has_a_name_of_its_own(state, reveal, told):
    pieces = list(state.pieces.values())
    step = Step(
        1,
        "Anna",
        (),
        moves=tuple(PieceMove(piece.id, piece.name, None, None) for piece in pieces),
        changes=tuple(PieceChange(piece.id, piece.name, ("turned",)) for piece in pieces),
    )
    teller = TableTeller(None, None, reveal=reveal)
    tables = LogTables(iter([(step, state)]), state, teller)
    tables.read_all()
    assert titles(tables, 0) == titles(tables, 1) == set(told)
    (shown,) = tables.steps
    assert [move["name"] for move in shown["moves"]] == told
    assert shown["changes"] == [f"{name}: turned" for name in told]
