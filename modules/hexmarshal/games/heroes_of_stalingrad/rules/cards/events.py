"""HOS-6.2 to HOS-6.5: battle events and alternative bonuses of Action cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import discard, hand
from hexmarshal.games.heroes_of_stalingrad.rules.fire.templates import (
    fall,
    inside_building,
    off_board,
)
from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import make_inactive
from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import (
    difficult,
    end_faults,
    step_faults,
)
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ACTIVATED, INFANTRY
from hexmarshal.rules.copying import copied
from hexmarshal.rules.frames.frame import base_of
from hexmarshal.rules.state.effects import (
    AddMarker,
    MoveUnit,
    Proceed,
    RemoveMarker,
    SetExtra,
    SetTrack,
)
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Card
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = [
    "bonus",
    "candidates",
    "check_barrage",
    "check_bonus",
    "check_feat",
    "check_fury",
    "check_high_command",
    "check_hurry",
    "check_rally",
    "check_reactive",
    "check_seize",
    "check_surprise",
    "feat",
    "fury",
    "high_command",
    "hurry",
    "let_go",
    "rally",
    "reactive",
    "seize",
    "surprise",
    "barrage",
]

# Between actions, when nothing is being resolved.
QUIET = ("orders", "reveal", "closing", "act", "reserve")
FORCED = 2
BONUS_STATES = {
    "assault": ("act", "defence"),
    "fire": ("act", "step", "opportunity"),
    "movement": ("act", "reserve"),
    "any": ("act", "step", "opportunity", "defence", "reserve"),
}


def _held(now: Situation, action: Action) -> Iterator[Violation]:
    name = action.text("card")
    if name not in hand(now, action.side):
        yield Violation("HOS-6.1", f"{name} is not in the hand", field="card")


def _event(
    now: Situation, action: Action, event: str, states: tuple[str, ...] = QUIET
) -> Iterator[Violation]:
    """HOS-6.3: a card of this event, in a phase that it prints, at a moment that fits."""
    yield from _held(now, action)
    card = now.tables.card(action.text("card"))
    if card is None or card.event != event:
        yield Violation("HOS-6.2", f"{action.text('card')} is no card for that", field="card")
        return
    if now.position.phase not in card.phases:
        text = f"{card.title} is played in the phases {', '.join(card.phases)}"
        yield Violation("HOS-6.3", text, field="card")
    if now.position.state not in states:
        yield Violation("HOS-6.3", f"{card.title} does not interrupt this", field="card")


def _spend(play: Play, action: Action, text: str, rule: str = "HOS-6.3") -> None:
    discard(play, action.side, action.text("card"))
    play.tell("card", action.text("card"), (text, rule))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Cards in hand that fit the kind of action; own units; intercells."""
    if slot == "card":
        wanted = _EVENTS.get(action.kind)
        cards = hand(now, action.side)
        return [c for c in cards if (k := now.tables.card(c)) and _fits(k, wanted)]
    if slot in ("unit", "to"):
        return [unit.id for unit in now.live(action.side)]
    return tuple(now.ground.corners) if slot == "corner" else None


_EVENTS = {
    "feat_of_arms": "second_action",
    "hurry": "hurry",
    "seize_initiative": "initiative",
    "reactive": "reactive",
    "surprise": "surprise",
    "fury": "fury",
    "high_command": "high_command",
    "rally": "rally",
    "barrage": "bombard",
}


def _fits(card: Card, wanted: str | None) -> bool:
    return wanted is None or card.event == wanted


# The alternative bonus


def check_bonus(now: Situation, action: Action) -> Verdict:
    """HOS-6.4: one an action, before the dice or the move."""
    return Verdict.of(_bonus_faults(now, action))


def _bonus_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _held(now, action)
    if action.side in now.kept("bonus"):
        yield Violation("HOS-6.4", "one alternative bonus an action", field="card")
    card = now.tables.card(action.text("card"))
    if card is None:
        return
    state = now.position.state
    if state not in BONUS_STATES[card.bonus]:
        text = f"the bonus of {card.title} is for {card.bonus}"
        yield Violation("HOS-6.4", text, field="card")


def bonus(play: Play, action: Action) -> None:
    """The card gives +1 to the action that comes."""
    card = play.now.tables.card(action.text("card"))
    assert card is not None
    _spend(play, action, f"+1: {card.bonus}", "HOS-6.4")
    play.do(SetExtra("bonus", play.now.kept("bonus").set(action.side, card.bonus)))


# Events


def check_feat(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: Feat of arms."""
    return Verdict.of(_feat_faults(now, action))


def _feat_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "second_action", ("act",))
    frame = now.activation
    if frame is not None and frame.value("second") is True:
        yield Violation("HOS-6.5", "the unit acts twice already")


def feat(play: Play, action: Action) -> None:
    """The unit activated takes a Move Action and another action; a tank fires without penalty."""
    _spend(play, action, "a second action of another kind", "HOS-6.5")
    play.change("activation", second=True, feat=True)


def check_hurry(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: Go Go Go!, Schnell."""
    return Verdict.of(_hurry_faults(now, action))


def _hurry_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "hurry")
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    if unit.side != action.side or not now.is_live(unit) or not unit.cell:
        yield Violation("HOS-6.5", f"{unit.id} is no unit of yours on the board", units=mine)
        return
    if now.counter(unit).cells > 1:
        yield Violation("HOS-6.5", f"{unit.id} covers two cells", units=mine)
    if now.face(unit).move is None:
        yield Violation("HOS-2.37", f"{unit.id} has movement X: no card moves it", units=mine)
    path = action.texts("path")
    if not path:
        text = "it goes at least one cell"
        yield Violation("HOS-6.5", text, field="path", cured_by=("path",))
        return
    if len(path) > FORCED:
        yield Violation("HOS-6.5", f"at most {FORCED} cells", field="path")
    here = unit.cell
    for cell in path:
        if here != unit.cell and difficult(now, here):
            text = f"difficult passage in {here} ends the move"
            yield Violation("HOS-3.7", text, cells=(here,), units=mine)
        yield from step_faults(now, unit, here, cell)
        here = cell
    yield from end_faults(now, unit, here)


def hurry(play: Play, action: Action) -> None:
    """HOS-6.5: two cells of forced movement, whatever Suppressed markers say."""
    _spend(play, action, "a forced movement of two cells", "HOS-6.5")
    name = action.text("unit")
    make_inactive(play, name)
    for cell in action.texts("path"):
        play.do(MoveUnit(name, cell))
    play.first({"kind": "spot"})
    go_on(play)


def check_seize(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: Initiative."""
    return Verdict.of(_seize_faults(now, action))


def _seize_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "initiative", ("reveal",))
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence.activation import unrevealed

    if action.side in now.position.active:
        yield Violation("HOS-6.5", "your token is the next one anyway")
    if not any(str(t.values.get("token", "")).isdigit() for t in unrevealed(now, action.side)):
        yield Violation("HOS-6.5", "you have no numbered token left")


def seize(play: Play, action: Action) -> None:
    """The own token is revealed before the enemy's; never before a special order."""
    _spend(play, action, "its token comes first", "HOS-6.5")
    assert base_of(play.position).state == "reveal"
    play.do(Proceed(active=(action.side,)))


def check_reactive(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: Reactive."""
    return Verdict.of(_reactive_faults(now, action))


def _reactive_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "reactive", (*QUIET, "last_moment"))
    unit = now.unit(action.text("unit"))
    token = now.token_on(unit)
    if unit.side != action.side or token is None:
        yield Violation("HOS-6.5", f"{unit.id} bears no order of yours", units=(unit.id,))
    elif token.known_to is None:
        yield Violation("HOS-6.5", f"the order of {unit.id} was played", units=(unit.id,))
    frame = now.position.frame("last_moment")
    if frame is not None and frame.text("unit") != unit.id:
        text = f"it is about the order of {frame.text('unit')}"
        yield Violation("HOS-6.5", text, units=(unit.id,))
    to = now.unit(action.text("to"))
    if to.side != action.side or not now.is_live(to) or to.id == unit.id:
        yield Violation("HOS-6.5", f"{to.id} is no other unit of yours", units=(to.id,))
    elif to.has(ACTIVATED):
        yield Violation("HOS-7.2", f"{to.id} bears an Activated marker", units=(to.id,))
    elif now.token_on(to) is not None:
        yield Violation("HOS-2.10", f"{to.id} bears a token already", units=(to.id,))


def reactive(play: Play, action: Action) -> None:
    """An order goes from one unit to another."""
    _spend(play, action, "an order changes its bearer", "HOS-6.5")
    token = play.now.token_on(play.unit(action.text("unit")))
    assert token is not None
    to = action.text("to")
    play.do(RemoveMarker(token.id))
    play.do(AddMarker(f"order-{to}", copied(token, id=f"order-{to}", unit=to)))
    if play.position.frame("last_moment") is not None:
        play.answered("last_moment")
        go_on(play)


def let_go(play: Play, action: Action) -> None:
    """The order of a destroyed unit is lost."""
    del action
    play.answered("last_moment")
    go_on(play)


def check_surprise(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: Surprise."""
    return Verdict.of(_surprise_faults(now, action))


def _surprise_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "surprise", ("act", "step", "reserve"))
    unit = now.unit(action.text("unit"))
    frame = now.activation
    acting = now.position.phase == "reserve" or (
        frame is not None and frame.text("unit") == unit.id
    )
    if unit.side != action.side or not now.is_live(unit) or not acting:
        yield Violation("HOS-6.5", f"{unit.id} is not about to move", units=(unit.id,))
    elif now.family(unit) != INFANTRY:
        yield Violation("HOS-6.5", f"{unit.id} is no infantry", units=(unit.id,))


def surprise(play: Play, action: Action) -> None:
    """One window may be passed in this Move Action, by each card."""
    _spend(play, action, "one window may be passed", "HOS-6.5")
    unit = action.text("unit")
    kept = play.now.kept("windows").get(unit, 0)
    count = kept if isinstance(kept, int) else 0
    play.do(SetExtra("windows", play.now.kept("windows").set(unit, count + 1)))


def check_fury(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: the Fuhrer's fury."""
    return Verdict.of(_event(now, action, "fury"))


def fury(play: Play, action: Action) -> None:
    """All units of the side have Assault +2 in this phase."""
    _spend(play, action, "Assault +2 for all its units", "HOS-6.5")
    known = play.position.extras.get("fury", ())
    sides = known if isinstance(known, tuple) else ()
    play.do(SetExtra("fury", tuple(dict.fromkeys((*sides, action.side)))))


def check_high_command(now: Situation, action: Action) -> Verdict:
    """HOS-2.12, HOS-2.14: High Command."""
    return Verdict.of(_high_faults(now, action))


def _high_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "high_command", ("orders",))
    if now.position.track(f"special-{action.side}") >= now.tables.caps["special"]:
        yield Violation("HOS-2.14", "nobody has more than two special tokens")


def high_command(play: Play, action: Action) -> None:
    """One special token more."""
    _spend(play, action, "a special order token", "HOS-2.12")
    track = f"special-{action.side}"
    play.do(SetTrack(track, play.position.track(track) + 1))


def check_rally(now: Situation, action: Action) -> Verdict:
    """A rally card (its text is ours)."""
    return Verdict.of(_rally_faults(now, action))


def _rally_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "rally")
    unit = now.unit(action.text("unit"))
    if unit.side != action.side or not now.is_live(unit) or not now.suppressed(unit):
        text = f"{unit.id} is no Suppressed unit of yours"
        yield Violation("HOS-6.3", text, units=(unit.id,))


def rally(play: Play, action: Action) -> None:
    """All Suppressed markers come off one unit."""
    _spend(play, action, "all Suppressed markers come off")
    play.mark(action.text("unit"), suppressed=0)


def check_barrage(now: Situation, action: Action) -> Verdict:
    """A bombardment card (its text is ours)."""
    return Verdict.of(_barrage_faults(now, action))


def _barrage_faults(now: Situation, action: Action) -> Iterator[Violation]:
    yield from _event(now, action, "bombard", ("reveal", "closing"))
    name = action.text("corner")
    yield from off_board(now, name)
    corner = now.ground.corner(name)
    if corner is not None and inside_building(now, corner):
        yield Violation("HOS-5.26", f"{name} is inside a building", field="corner")


def barrage(play: Play, action: Action) -> None:
    """The artillery fires once, as the Artillery option does."""
    _spend(play, action, "a bombardment")
    fall(play, action.side, action.text("corner"))
    go_on(play)
