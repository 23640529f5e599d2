"""Every stock command between text and value, and the tree that they form."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands import (
    STOCK,
    Broken,
    Command,
    CommandNode,
    Nothing,
    Unknown,
    decode,
    game,
    parse,
    piece,
    table,
    tree,
)
from hexmarshal.vassal.commands.codec import CommandError
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.turn import CounterLevel, ListLevel, TurnState

ESC = "\x1b"
NASTY = st.text(st.sampled_from("ab'\\/;,|\t\n:~ü "), max_size=8)
# An element that ends in a backslash swallows the delimiter behind it, in VASSAL too.
ELEMENT = NASTY.filter(lambda text: not text.endswith("\\"))


@cache
def values_of(kind: str, *, raw: bool, plain: bool) -> st.SearchStrategy[Any]:
    text = NASTY if raw else ELEMENT
    if plain:
        text = st.text("ab ';/", max_size=5)
    return {
        "text": text,
        "user id": text,
        "user id or name": text,
        "text or null": st.one_of(st.none(), text),
        "whole number": st.integers(-(2**31), 2**40),
        "true or false": st.booleans(),
        "lines": st.lists(st.text("a|b\t;'", max_size=4), max_size=4).map("\n".join),
        "user ids": st.one_of(st.none(), st.lists(ELEMENT.filter(bool), max_size=3).map(tuple)),
        "whole numbers": st.lists(st.integers(0, 99), min_size=1, max_size=4).map(tuple),
        "boards": st.lists(
            st.builds(
                game.BoardChoice,
                ELEMENT,
                st.integers(0, 9),
                st.integers(0, 9),
                st.booleans(),
            ),
            min_size=1,
            max_size=3,
        ).map(tuple),
        "list of events": st.lists(
            st.builds(game.Event, st.integers(0, 2**40), ELEMENT, ELEMENT), max_size=3
        ).map(tuple),
    }[kind]


@st.composite
def commands(draw: st.DrawFn, cls: type[Command]) -> Command:
    form = cls.FORM
    assert form is not None
    optional = sum(slot.optional for slot in cls.SLOTS)
    given = len(cls.SLOTS) - draw(st.integers(0, optional))
    kept = {"raw": form.delimiter is None, "plain": form.plain}
    return cls(*(draw(values_of(slot.kind.name, **kept)) for slot in cls.SLOTS[:given]))


@pytest.mark.parametrize("cls", STOCK, ids=lambda cls: cls.__name__)
def test_every_stock_command_survives(cls: type[Command]):
    @given(commands(cls))
    def check(command: Command):
        text = command.encode()
        assert cls.decode(text) == command

    check()


EXAMPLES = [
    ("begin_save", game.BeginSave()),
    ("end_save", game.EndSave()),
    ("+/17/stack/Main Map;3;4;12;13;@@0", piece.AddPiece("17", "stack", "Main Map;3;4;12;13;@@0")),
    (
        "+/null/piece;;;a.png;A\\/B/null;0;0;;0",
        piece.AddPiece(None, "piece;;;a.png;A/B", "null;0;0;;0"),
    ),
    ("-/17/4", piece.RemovePiece("17/4")),
    ("D/17/new", piece.ChangePiece("17", "new")),
    ("D/17/new/old", piece.ChangePiece("17", "new", "old")),
    (
        "M/17/Main/1/2/null/null/3/-4/16",
        piece.MovePiece("17", "Main", 1, 2, None, None, 3, -4, "16"),
    ),
    (
        "M/17/Main/1/2/null/Main/3/4/16/pw",
        piece.MovePiece("17", "Main", 1, 2, None, "Main", 3, 4, "16", "pw"),
    ),
    ("LOG\tnull", table.LogEntry(None)),
    ("LOG\tCHAThi", table.LogEntry("CHAThi")),
    ("UNDO\ttrue", table.Undo(True)),
    ("CHAT* a;b/c\td", table.Chat("* a;b/c\td")),
    ("PLAYER\tpw\tAnn\t<observer>", game.TakeSeat("pw", "Ann", "<observer>")),
    ("PYREMOVE\tpw", game.LeaveSeat("pw")),
    ("MutableProperty\tn\t1\t2\tModule", game.ChangeProperty("n", "1", "2", "Module")),
    ("GlobalProperty\t;a\tb;5;Map", game.SetGlobalProperty("a\tb", "5", "Map")),
    ("TURNTurnTracker0\t0|1;0;true;20", game.SetTurn("TurnTracker0", "0|1;0;true;20")),
    (
        "Main MapBoardPicker\tA\\/B/rev\t0\t1\tC\t1\t0",
        game.ChooseBoards(
            "Main Map", (game.BoardChoice("A/B", 0, 1, True), game.BoardChoice("C", 1, 0))
        ),
    ),
    ("SETUP_STACK\t", game.StacksPlaced()),
    ("NOTES\ta|b", game.ScenarioNotes("a\nb")),
    ("PNOTES\t", game.PublicNotes("")),
    ("PNOTE\tpw\ta\\||b", game.PrivateNote("pw", "a|\nb")),
    ("SNOTE\tn\tpw\ttrue\tx\t\t", game.SecretNote("n", "pw", True, "x", "", "")),
    ("UNMASK\t", game.Unmask(())),
    ("UNMASK\tnull", game.Unmask(None)),
    ("UNMASK\ta\tb", game.Unmask(("a", "b"))),
    ("EXT\tkgs\tv1.1", game.LoadedExtension("kgs", "v1.1")),
    ("PLUGIN\tp\t1", game.LoadedPlugin("p", "1")),
    ("SGKC\tSGKC0\ttrue", game.StartupCommandDone("SGKC0", True)),
    ("CLOCK\tAnn\tRed\t5\t6\ttrue\tfalse", game.Clock("Ann", "Red", 5, 6, True, False)),
    ("CLOCKCONTROL\ttrue\tfalse", game.ClockControl(True, False)),
    ("FLARE\tFlare0\t1\t2", table.Flare("Flare0", 1, 2)),
    (
        "LOS\tLOS_Thread0\t1\t2\t3\t4\ttrue\tfalse\ttrue",
        table.ShowThread("LOS_Thread0", 1, 2, 3, 4, True, False, True),
    ),
    ("SHOW_RESULTS\tD\t0\t5", table.ShowDice("D", (0, 5))),
    ("AUDIO\tbang.wav", table.PlaySound("bang.wav")),
    ("SEMAIL\ta@b", game.ServerEmail("a@b")),
    ("Events5,u,a|6,v,b", game.Events((game.Event(5, "u", "a"), game.Event(6, "v", "b")))),
    ("LOCKSPOTAB\tt\tAnn\tpw\tnow", game.LockScenarioTab("t", "Ann", "pw", "now")),
    ("DECK\t", game.SavedDeck()),
    ("PRIV_CHAT/p/hi\\/ho", table.PrivateChat("p", "hi/ho")),
    ("PLAY\twake\tp", table.WakeUp("wake", "p")),
    ("INVITE\tp\tp.1\troom", table.Invite("p", "p.1", "room")),
    ("SYNCid=p", table.SyncRequest("id=p")),
    ("", Nothing()),
    ("INFO\tAxis", Unknown("INFO\tAxis")),
]


@pytest.mark.parametrize(("text", "command"), EXAMPLES, ids=[t[:14] for t, _ in EXAMPLES])
def test_a_text_is_this_command(text: str, command: Command):
    assert decode(text) == command
    assert command.encode() == text


def test_every_stock_command_has_an_example():
    assert set(STOCK) == {type(c) for _, c in EXAMPLES} - {Nothing, Unknown}


@pytest.mark.parametrize(
    "text",
    [
        "TURN TRACKBoardPicker\tB\t0\t0",
        "CHAT RoomBoardPicker\tB\t0\t0",
        "EventsBoardPicker\tB\t0\t0",
    ],
)
def test_a_map_may_be_named_like_a_prefix(text: str):
    assert isinstance(decode(text), game.ChooseBoards)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("M/17/Main/1", "no field y"),
        ("M/17/Main/1/2/null/Main/3/4/16/pw/new", "more fields"),
        ("M/17/Main/x/2/null/Main/3/4/16", "field x is not a whole number"),
        ("M/17/Main/007/2/null/Main/3/4/16", "field x"),
        ("+/17/stack", "no field state"),
        ("UNDO\tmaybe", "begins is not a true or false"),
        ("SHOW_RESULTS\tD\tsix", "faces"),
        ("MainBoardPicker\tB\t0", "boards"),
        ("MainBoardPicker\tB/upside\t0\t0", "boards"),
        ("PLAYER\t'pw'\tAnn\tRed", "quoted"),
        ("GlobalProperty\tx", "begin"),
        ("SETUP_STACK\tmore", "more fields"),
        ("TURNx", "no field state"),
        ("Eventsful", "events"),
    ],
)
def test_a_broken_or_future_command_is_kept_and_says_why(text: str, problem: str):
    command = decode(text)
    assert isinstance(command, Broken)
    assert problem in command.problem
    assert command.encode() == text


@given(st.text(st.sampled_from("+/-DM1n \\'\tPLAYERNOT;|"), max_size=14))
def test_any_text_is_some_command_and_is_written_back(text: str):
    assert decode(text).encode() == text


def reference(text: str) -> tuple[str, tuple[Any, ...]]:
    """Level by level, as the format says."""
    tokens = sequence.decode(text, ESC)
    if tokens == [text]:
        return text, ()
    own, children = reference(tokens[0])
    return own, children + tuple(reference(token) for token in tokens[1:])


def shape(node: CommandNode) -> tuple[str, tuple[Any, ...]]:
    return node.text, tuple(shape(child) for child in node.children)


@given(st.text(st.sampled_from("a'\\\x1b"), max_size=18))
def test_any_text_is_the_tree_that_the_format_says_and_is_written_back(text: str):
    node = parse(text)
    assert shape(node) == reference(text)
    assert node.encode() == text


LEAF = NASTY.filter(lambda t: not t.endswith("\\") and not (len(t) > 1 and t[0] == t[-1] == "'"))
TREES = st.recursive(
    st.builds(CommandNode, LEAF),
    lambda inner: st.builds(CommandNode, LEAF, st.lists(inner, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)


@given(TREES)
def test_any_tree_survives_with_its_shape(node: CommandNode):
    text = node.encode()
    found = parse(text)
    assert found.encode() == text
    assert shape(found) == shape(node) or "'" in text


def test_children_run_after_their_parent_in_order():
    node = parse("a\x1bb\\\x1bc\x1bd")
    assert [n.text for n in node.walk()] == ["a", "b", "c", "d"]
    assert shape(node) == ("a", (("b", (("c", ()),)), ("d", ())))


def test_a_changed_child_leaves_oddly_written_siblings_alone():
    text = "a\x1b'b'\x1bc"
    node = parse(text)
    assert [n.text for n in node.children] == ["b", "c"]
    changed = node.with_children([node.children[0], CommandNode("d")])
    assert changed.encode() == "a\x1b'b'\x1bd"


@pytest.mark.parametrize("texts", [["a\\", "b"], ["a\x1bb"], ["'a'"]])
def test_what_the_format_cannot_hold_is_refused(texts: list[str]):
    with pytest.raises(VassalFormatError):
        tree(game.BeginSave(), [CommandNode(text) for text in texts]).encode()


def test_a_hostile_depth_is_refused():
    with pytest.raises(VassalFormatError, match="nested"):
        parse("a" + "\\" * 5000 + ESC + "b")


def test_a_node_shows_no_text():
    assert "pw" not in repr(parse("PLAYER\tpw\tAnn\tRed"))


LEVELS = st.recursive(
    st.builds(
        ListLevel,
        st.integers(0, 9),
        st.integers(0, 3),
        st.integers(0, 3),
        st.lists(st.booleans(), max_size=4).map(tuple),
    ),
    lambda inner: st.builds(
        CounterLevel,
        st.integers(-5, 2000),
        st.integers(0, 3),
        st.booleans(),
        st.integers(-1, 30),
        st.lists(inner, max_size=3).map(tuple),
    ),
    max_leaves=6,
)


@given(st.builds(TurnState, st.integers(0, 3), st.lists(LEVELS, max_size=3).map(tuple)))
def test_a_turn_tracker_survives(turn: TurnState):
    assert TurnState.decode(turn.encode()) == turn


def test_a_turn_tracker_reads_as_documented():
    turn = game.SetTurn("TurnTracker0", "0|1;0;true;20").turn
    assert turn == TurnState(0, (CounterLevel(1, 0, True, 20),))
    nested = TurnState.decode(r"0|1941;0;false;-1;1\;0\;0\;true,false")
    assert nested.levels[0].levels == (ListLevel(1, 0, 0, (True, False)),)
    with pytest.raises(VassalFormatError):
        TurnState.decode("zero")


@given(st.text(alphabet="+/\\'ab\t", max_size=20))
def test_a_piece_is_cut_as_every_command_is_read(tail):
    text = "+/" + tail
    try:
        usual = super(AddPiece, AddPiece).decode(text)
    except CommandError:
        with pytest.raises(CommandError):
            AddPiece.decode(text)
    else:
        assert AddPiece.decode(text) == usual
        assert usual.encode() == text
