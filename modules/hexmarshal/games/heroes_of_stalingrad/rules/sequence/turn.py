"""HOS-2.1 to HOS-2.8, HOS-2.102: turns begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.army.command import stars, tokens_of
from hexmarshal.games.heroes_of_stalingrad.rules.army.victory import after_reserve
from hexmarshal.games.heroes_of_stalingrad.state.kinds import INITIATIVE, SIDES, other
from hexmarshal.rules.state.effects import Proceed, RemoveMarker, SetExtra, SetTrack
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.values import Record, Value

__all__ = ["ask", "begin", "end_of_turn"]


def ask(play: Play) -> None:
    """Ask for what a phase begins with, by the tokens that lie there."""
    match play.position.phase:
        case "order":
            _ask_for_orders(play)
        case "activation":
            for side in play.now.in_order():
                if any(str(t.values.get("token", "")).isdigit() for t in _face_down(play, side)):
                    play.do(Proceed(state="reveal", active=(side,)))
                    return
        case "reserve":
            play.ask("reserve", play.now.initiative)


def _face_down(play: Play, side: str) -> Iterator[Marker]:
    return (token for token in play.now.tokens(side) if token.known_to is not None)


def _ask_for_orders(play: Play) -> None:
    if play.now.option("simultaneous_orders"):
        play.ask("orders", *play.now.in_order(), sealed=True)
    else:
        play.ask("orders", play.now.initiative)


def begin(play: Play, turn: int) -> None:
    """HOS-2.4, HOS-2.5: a turn begins with the tokens that the sides may take."""
    play.do(Proceed(turn=turn, phase="order", state="", active=()))
    tokens: dict[str, Value] = {}
    for side in SIDES:
        found = tokens_of(play.now, side)
        special = min(
            play.now.tables.caps["special"],
            max(play.position.track(f"special-{side}"), found["special"]),
        )
        if special != play.position.track(f"special-{side}"):
            play.do(SetTrack(f"special-{side}", special))
        tokens[side] = FrozenMap({"numbered": found["numbered"], "bluff": found["bluff"]})
        text = f"{stars(play.now, side)} stars, {special} special, {found['bluff']} bluff"
        play.tell("tokens", f"{side}: {found['numbered']}", (text, "HOS-2.5"))
    play.do(SetExtra("tokens", FrozenMap({**tokens, "turn": turn})))
    if _sudden_death(play):
        return
    _ask_for_orders(play)


def _sudden_death(play: Play) -> bool:
    """HOS-2.7: who has neither a numbered nor a special token loses at once."""
    without = []
    for side in SIDES:
        mine = play.now.kept("tokens")[side]
        assert isinstance(mine, FrozenMap)
        if not mine.get("numbered") and not play.position.track(f"special-{side}"):
            without.append(side)
    if not without:
        return False
    winners = tuple(side for side in SIDES if side not in without)
    text = f"{' and '.join(without)} had no order token to assign"
    ended: Record = FrozenMap({"winners": winners, "text": text, "rule": "HOS-2.7"})
    play.do(SetExtra("ended", ended))
    play.tell("sudden death", text, (text, "HOS-2.7"))
    return True


def end_of_turn(play: Play, entry: Record | None = None) -> None:
    """HOS-2.2, HOS-2.3: tokens come off, victory is tested, the initiative changes sides."""
    del entry
    for side in SIDES:
        for token in play.now.tokens(side):
            play.do(RemoveMarker(token.id))
    if after_reserve(play):
        return
    after = other(play.now.initiative)
    if play.position.track(INITIATIVE):
        play.do(SetTrack(INITIATIVE, SIDES.index(after) + 1))
    else:
        play.do(SetExtra(INITIATIVE, after))
    begin(play, play.position.turn + 1)
