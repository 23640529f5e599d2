"""Small games that the tests of saves and logs are told with."""

from __future__ import annotations

from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.codec import Command
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.pieces.chain import encode_chain
from hexmarshal.vassal.state.game_state import GameState

MAP = "Main Map"
ANN, BOB = "s3cret-ann", "b0b;pass/word"
DECK = "deck;true;0,0,0;60;80;Always;Always;true;true;true;;;;Draw"

TYPE = encode_chain(
    [
        "hide;73,130;Hide;;player:;0.3",
        "obs;77,130;mask.png;Mask;I;?;player:;Peek",
        "restrict;Red;true;true",
        "PROP;Strength;false,0,9,false;",
        "piece;;;u.png;1st Army",
    ],
    "\t",
)


def state_of(
    x: int = 10,
    y: int = 20,
    *,
    map: str = MAP,
    strength: str = "3",
    hidden: str = "null",
    masked: str = "null;",
    owner: str = "",
) -> str:
    return encode_chain([hidden, masked, owner, strength, f"{map};{x};{y};7;0"], "\t")


def unit(id: str, x: int = 10, y: int = 20, **states: str) -> AddPiece:
    return AddPiece(id, TYPE, state_of(x, y, **states))


def piece(*traits: tuple[str, str], id: str = "1") -> AddPiece:
    types, states = zip(*traits, ("piece;;;u.png;1st Army", f"{MAP};10;20;7;0"), strict=True)
    return AddPiece(id, encode_chain(types, "\t"), encode_chain(states, "\t"))


def concealment(user: str, id: str = "1") -> AddPiece:
    owner = sequence.join([user, "ge"], ";")
    return piece((f"concealment;{owner}", ""), ("mark;Side", "Red"), id=id)


def stack(id: str, x: int, y: int, *members: str) -> AddPiece:
    return AddPiece(id, "stack", ";".join([MAP, str(x), str(y), *members, "@@0"]))


def deck(id: str, x: int, y: int, *members: str) -> AddPiece:
    state = ";".join([MAP, str(x), str(y), "true", *([",".join(members)] if members else [])])
    return AddPiece(id, DECK, state)


COMPONENTS: tuple[Command, ...] = (
    game.TakeSeat(ANN, "Ann", "Red"),
    game.TakeSeat(BOB, "Bob", "Blue"),
    game.SetGlobalProperty("Weather", "Mud", "Module"),
    game.SetGlobalProperty("Supply", "4", MAP),
    game.ChooseBoards(MAP, (game.BoardChoice("North"), game.BoardChoice("South", 0, 1, True))),
    game.StacksPlaced(),
    game.SetTurn("TurnTracker0", r"0|1;0;true;20;1\;0\;0\;true,true"),
    game.ScenarioNotes("line one\nline two"),
    game.PublicNotes("all may read"),
    game.PrivateNote(ANN, "only mine"),
    game.SecretNote("plan", BOB, True, "go left", "01/02/2024 3:04 PM", "h"),
    game.Unmask((ANN,)),
    game.StartupCommandDone("SGKC0", True),
    game.Clock("Ann", "Red", 5, 6, True, False),
    game.ClockControl(True, False),
    game.ServerEmail("dice@example.org"),
    game.LoadedExtension("extra", "1.0"),
)


def a_game(*pieces: AddPiece) -> GameState:
    """A game with two players, two boards and these pieces (or a stack, a deck and a loner)."""
    chosen = pieces or (
        unit("1", 10, 20),
        unit("2", 10, 20),
        stack("9", 10, 20, "1", "2"),
        unit("3", 50, 60),
        unit("4", 300, 300),
        unit("5", 300, 300),
        deck("8", 300, 300, "4", "5"),
    )
    state = GameState()
    state.apply_all([game.BeginSave(), *chosen, *COMPONENTS, game.EndSave()])
    assert not state.problems
    return state
