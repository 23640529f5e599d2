"""HOS-2.12, HOS-2.13, HOS-2.20 to HOS-2.24, HOS-5.80: tokens are revealed and units act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.whose import in_reserve
from hexmarshal.games.heroes_of_stalingrad.state.kinds import (
    ACTIVATED,
    ARTILLERY,
    MOVED,
    SPENT,
    other,
)
from hexmarshal.rules.copying import copied
from hexmarshal.rules.frames.frame import base_of
from hexmarshal.rules.state.effects import AddMarker, PopFrame, Proceed, SetExtra, SetTrack
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "action_done",
    "activate",
    "autonomous",
    "autonomous_candidates",
    "autonomous_units",
    "begin",
    "begin_reserve",
    "check_autonomous",
    "check_special",
    "clear_bonus",
    "end",
    "hold",
    "let_pass",
    "lose_token",
    "pass_orders",
    "proceed",
    "reveal",
    "special_candidates",
    "special_order",
    "special_units",
    "start",
    "take_up",
    "unrevealed",
]

SPECIAL = "special"


def unrevealed(now: Situation, side: str) -> Iterator[Marker]:
    """The tokens of a side that lie face down."""
    return (token for token in now.tokens(side) if token.known_to is not None)


def _numbered(now: Situation, side: str) -> list[tuple[int, Marker]]:
    found = ((str(t.values.get("token", "")), t) for t in unrevealed(now, side))
    return sorted(((int(n), t) for n, t in found if n.isdigit()), key=lambda pair: pair[0])


def _may_have_more(now: Situation, side: str) -> bool:
    """Whether all can see that a side might still play a special order or an autonomous unit."""
    on_units = any(token.box != SPENT for token in unrevealed(now, side))
    return on_units or any(True for _ in autonomous_units(now, side))


def start(play: Play) -> None:
    """HOS-2.21: the Activation Phase begins with the side that has the initiative."""
    side = play.now.initiative
    play.do(Proceed(phase="activation", state="reveal", active=(side,)))
    proceed(play, side)


def proceed(play: Play, side: str) -> None:
    """HOS-2.21, HOS-2.23: the next token is this side's, or the other's if it has none left."""
    for one in (side, other(side)):
        if _numbered(play.now, one):
            play.do(Proceed(state="reveal", active=(one,)))
            return
    _closing(play)


def _closing(play: Play) -> None:
    """HOS-2.12: when all numbers are out, special orders may still follow."""
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence import reserve

    play.do(Proceed(state="closing", active=()))
    sides = [side for side in play.now.in_order() if _may_have_more(play.common_situation, side)]
    if sides:
        play.ask("closing", *sides)
    else:
        reserve.start(play)


def _turn_up(play: Play, token: Marker, unit: str = "", box: str = "") -> None:
    """A token is laid open."""
    after = copied(token, known_to=None, unit=unit, box=box)
    play.do(AddMarker(token.id, after))


def reveal(play: Play, action: Action) -> None:
    """HOS-2.21, HOS-2.22: the lowest token is revealed; its bearer acts, if it still can."""
    side = action.side
    following = other(side)
    numbered = _numbered(play.now, side)
    if not numbered:
        # On a table tokens may be taken off before their turn has come.
        play.tell("reveal", "none", ("no number of this side is left", "HOS-2.23"))
        proceed(play, following)
        go_on(play)
        return
    number, token = numbered[0]
    _turn_up(play, token, token.unit, token.box)
    if token.box == ARTILLERY:
        from hexmarshal.games.heroes_of_stalingrad.rules.sequence.orders import entry_under

        play.tell("reveal", f"{number}: artillery", ("an order for the artillery", "HOS-8.10"))
        about = {"side": side, "source": "artillery", "following": following}
        entry = entry_under(play.now, token)
        play.keep("activation", {**about, "done": (), "entry": entry})
        play.ask("artillery", side, about={"entry": entry})
        return
    if token.box == SPENT or not token.unit:
        lost = "its bearer is gone or was activated before"
        play.tell("reveal", f"{number}: without effect", (lost, "HOS-2.22"))
        proceed(play, following)
        go_on(play)
        return
    play.tell("reveal", f"{number}: {token.unit}", (f"token {number} is revealed", "HOS-2.21"))
    begin(play, side, token.unit, "order", following)


def begin(play: Play, side: str, unit: str, source: str, following: str) -> None:
    """A unit is activated: its side says what it does."""
    play.keep(
        "activation",
        {
            "side": side,
            "unit": unit,
            "source": source,
            "following": following,
            "done": (),
            "second": play.now.has(play.unit(unit), "heroic"),
        },
    )
    play.ask("act", side, about={"unit": unit})


def take_up(play: Play, unit: Unit, what: str) -> None:
    """The unit activated begins an action; in the Reserve Phase that is its activation."""
    frame = play.now.activation
    if in_reserve(play.now) and (frame is None or frame.text("unit") != unit.id):
        begin_reserve(play, unit, what)
        return
    assert frame is not None
    if play.position.state == "act":
        play.answered("act")
    play.change("activation", done=(*frame.texts("done"), what))


def begin_reserve(play: Play, unit: Unit, *done: str) -> None:
    """HOS-2.100: a unit is activated in the Reserve Phase."""
    about = {"side": unit.side, "unit": unit.id, "source": "reserve", "done": done}
    play.keep("activation", {**about, "following": "", "second": False})


def hold(play: Play, action: Action) -> None:
    """HOS-2.24: nothing, or nothing more, is done; there is no action later in the turn."""
    del action
    play.answered("act")
    frame = play.now.activation
    if frame is not None and frame.texts("fired"):
        # The Fire Action ends with the weapons fired so far; others may answer it.
        play.change("activation", fired=())
        window = {"kind": "window", "unit": frame.text("unit"), "trigger": "fire"}
        play.first(window, {"kind": "action_done", "what": "fire"})
    else:
        play.first({"kind": "end_activation"})
    go_on(play)


def clear_bonus(play: Play, side: str) -> None:
    """HOS-6.4: an alternative bonus lasts for one action."""
    bonus = play.now.kept("bonus")
    if side in bonus:
        play.do(SetExtra("bonus", bonus.without(side) or None))


def action_done(play: Play, entry: Record) -> None:
    """After an action: a second one, inspiration, or the end of the activation."""
    from hexmarshal.games.heroes_of_stalingrad.rules.army.command import inspired_units

    del entry
    frame = play.now.activation
    if frame is None:
        return
    side = frame.text("side")
    clear_bonus(play, side)
    if play.now.kept("windows"):
        play.do(SetExtra("windows"))
    unit = play.position.units.get(frame.text("unit"))
    if unit is None or not play.now.is_live(unit):
        play.first({"kind": "end_activation"})
        return
    done = frame.texts("done")
    more = frame.value("second") is True and len(done) == 1
    inspires = frame.value("inspired") is not True and any(
        True for _ in inspired_units(play.now, unit)
    )
    if more or inspires:
        play.ask("act", side, about={"unit": unit.id})
    else:
        play.first({"kind": "end_activation"})


def end(play: Play, entry: Record) -> None:
    """The activation is over: the next token, or the next unit of the Reserve Phase."""
    del entry
    frame = play.now.activation
    if frame is None:
        return
    play.do(PopFrame("activation"))
    unit = play.position.units.get(frame.text("unit"))
    if frame.text("source") == "reserve":
        if unit is not None:
            play.mark(unit.id, MOVED)
        return
    waiting = play.position.frame("waiting")
    if waiting is not None:
        # HOS-2.13: the initiative player's special order came first; now the other one.
        play.do(PopFrame("waiting"))
        name = waiting.text("unit")
        if play.now.is_live(play.unit(name)):
            _play(play, waiting.text("side"), name, waiting.text("source"))
            return
    following = frame.text("following")
    if following:
        proceed(play, following)
    else:
        _closing(play)


def activate(play: Play, name: str) -> None:
    """HOS-7.2: an Activated marker: a token that lies face down is lost, unrevealed."""
    play.mark(name, ACTIVATED)
    lose_token(play, name)


def lose_token(play: Play, name: str) -> None:
    """HOS-2.22: the token waits beside the board and is revealed at its turn without effect."""
    token = play.now.token_on(play.unit(name))
    if token is None:
        return
    if token.known_to is not None:
        play.do(AddMarker(token.id, copied(token, unit="", box=SPENT)))


# Special orders and autonomous units


def _interrupts(now: Situation, rule: str) -> Iterator[Violation]:
    if now.activation is not None or now.position.state not in ("reveal", "closing", "precedence"):
        yield Violation(rule, "an activation under way is not interrupted")


def special_units(now: Situation, side: str) -> Iterator[str]:
    """The units of a side that bear a special order which is still face down."""
    for token in unrevealed(now, side):
        if token.values.get("token") == SPECIAL and token.unit:
            yield token.unit


def check_special(now: Situation, action: Action) -> Verdict:
    """HOS-2.12: before or after any other token, never within an activation."""
    return Verdict.of(_special_faults(now, action))


def _special_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _interrupts(now, "HOS-2.12")
    name = action.text("unit")
    if name not in special_units(now, action.side):
        yield Violation("HOS-2.12", f"{name} bears no special order of yours", units=(name,))
    yield from _not_now(now, action.side)


def _not_now(now: Situation, side: str) -> Iterator[Violation]:
    frame = now.position.frame("precedence")
    if frame is not None and not frame.asks(side):
        text = "the side with the initiative is asked whether it goes first"
        yield Violation("HOS-2.13", text)


def special_order(play: Play, action: Action) -> None:
    """HOS-2.13: a special order is played, after that of the side with the initiative."""
    _declare(play, action.side, action.text("unit"), "special")


def autonomous_units(now: Situation, side: str) -> Iterator[str]:
    """HOS-5.80: units that act without a token and have not acted yet."""
    for unit in now.live(side):
        token = now.token_on(unit)
        acted = unit.has(ACTIVATED) or (token is not None and token.known_to is None)
        if not acted and now.has(unit, "autonomous"):
            yield unit.id


def check_autonomous(now: Situation, action: Action) -> Verdict:
    """HOS-5.80: at any moment of the phase but within an activation."""
    return Verdict.of(_autonomous_faults(now, action))


def _autonomous_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _interrupts(now, "HOS-5.80")
    name = action.text("unit")
    if name not in autonomous_units(now, action.side):
        yield Violation("HOS-5.80", f"{name} cannot act on its own now", units=(name,))
    yield from _not_now(now, action.side)


def autonomous(play: Play, action: Action) -> None:
    """HOS-5.80: an autonomous unit is activated."""
    _declare(play, action.side, action.text("unit"), "autonomous")


def _declare(play: Play, side: str, unit: str, source: str) -> None:
    if play.position.frame("precedence") is not None:
        asked = play.answered("precedence")
        about = {name: asked.text(name) for name in ("side", "unit", "source")}
        play.keep("waiting", about)
        _play(play, side, unit, source)
        return
    first = play.now.initiative
    if side != first and _may_have_more(play.common_situation, first):
        play.ask("precedence", first, about={"side": side, "unit": unit, "source": source})
        return
    _play(play, side, unit, source)


def let_pass(play: Play, action: Action) -> None:
    """HOS-2.13: the side with the initiative plays nothing first."""
    del action
    asked = play.answered("precedence")
    _play(play, asked.text("side"), asked.text("unit"), asked.text("source"))


def _play(play: Play, side: str, unit: str, source: str) -> None:
    base = base_of(play.position)
    following = base.active[0] if base.state == "reveal" and base.active else ""
    if play.position.frame("closing") is not None:
        play.answered("closing")
    if source == "special":
        token = play.now.token_on(play.unit(unit))
        assert token is not None
        _turn_up(play, token, unit)
        if play.now.option("battle_plan") == "once":
            track = f"special-{side}"
            play.do(SetTrack(track, max(0, play.position.track(track) - 1)))
        play.tell("reveal", f"special order: {unit}", ("it counts as number 0", "HOS-2.12"))
    else:
        activate(play, unit)
        play.tell("autonomous", unit, (f"{unit} acts without an order", "HOS-5.80"))
    begin(play, side, unit, source, following)


def pass_orders(play: Play, action: Action) -> None:
    """No more special orders from this side; when both say so, the phase ends."""
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence import reserve
    from hexmarshal.rules.state.effects import ChangeFrame

    play.do(ChangeFrame("closing", answered=(action.side,)))
    frame = play.position.frame("closing")
    if frame is not None and frame.open:
        return
    play.answered("closing")
    reserve.start(play)


def special_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The units with special orders."""
    return tuple(special_units(now, action.side)) if slot == "unit" else None


def autonomous_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The autonomous units."""
    return tuple(autonomous_units(now, action.side)) if slot == "unit" else None
