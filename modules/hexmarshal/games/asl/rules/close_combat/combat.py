"""The close combat of one location, from its beginning to melee: what is asked, in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat import ambush, melee
from hexmarshal.games.asl.rules.close_combat.blow import Blow, aim, fates
from hexmarshal.games.asl.rules.close_combat.new_leader import come_forward
from hexmarshal.games.asl.rules.close_combat.outcomes import (
    CAPTURED,
    ELIMINATED,
    HALF_CAPTURED,
    REDUCED,
    Loss,
    harmed,
    may_slip,
    take_losses,
)
from hexmarshal.games.asl.rules.close_combat.units import fighters
from hexmarshal.games.asl.rules.close_combat.withdrawal import barred, leave
from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy, reveal
from hexmarshal.games.asl.rules.morale.casualties import eliminate
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.prisoners.capture import can_guard, capture
from hexmarshal.games.asl.rules.prisoners.surrender import gives_no_quarter
from hexmarshal.games.asl.state import marks
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.rules.state.effects import ChangeFrame, SetExtra
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.values import Record, Value

__all__ = ["Combat", "ask_attacks", "begin", "combat_of", "go_on", "strike"]

TWO, TWELVE = 2, 12


@dataclass(frozen=True, slots=True)
class Combat:
    """The frame of a close combat, read."""

    place: Location
    melee: bool
    ambush: str
    order: tuple[str, ...]
    """The sides that have still to declare their attacks."""
    agenda: tuple[Record, ...]

    @classmethod
    def of(cls, frame: Frame) -> Combat:
        """From the frame."""
        level = frame.value("level", 0)
        return cls(
            Location(frame.text("cell"), level if isinstance(level, int) else 0),
            frame.value("melee") is True,
            frame.text("ambush"),
            frame.texts("order"),
            frame.agenda,
        )

    def entries(self, kind: str) -> list[Record]:
        """What of one kind stands in its agenda."""
        return [entry for entry in self.agenda if entry.get("kind") == kind]

    @property
    def leaving(self) -> frozenset[str]:
        """Who withdraws."""
        return frozenset(str(entry["unit"]) for entry in self.entries("leaving"))

    @property
    def losses(self) -> list[Loss]:
        """What is decided and has not yet happened."""
        return [
            Loss(
                str(entry["unit"]),
                str(entry["fate"]),
                _texts(entry.get("by")),
                _number(entry.get("die")),
                _number(entry.get("number")),
            )
            for entry in self.entries("loss")
        ]


def _texts(value: Value) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def combat_of(now: Situation) -> Combat | None:
    """The close combat that is going on."""
    frame = now.position.frame("combat")
    return None if frame is None else Combat.of(frame)


def begin(play: Play, place: Location) -> None:
    """ASL-CC-8, ASL-AMB-1: what is hidden appears, dummies go, strengths are shown, then ambush."""
    for side in SIDES:
        for unit in fighters(play.now, place, side):
            place_hidden(play, unit.id, "close combat", "ASL-CC-8")
        for unit in fighters(play.now, place, side):
            if play.now.is_dummy(unit):
                remove_dummy(play, unit.id, "close combat", "ASL-CC-8")
    if not all(fighters(play.now, place, side) for side in SIDES):
        _over(play, place)
        return
    now = play.now
    held = any(u.has(marks.MELEE) for side in SIDES for u in fighters(now, place, side))
    first = ambush.lay(play, place) if ambush.may_be_laid(now, place) else ""
    for side in SIDES:
        for unit in fighters(play.now, place, side):
            if unit.has(marks.CONCEALED):
                _show(play, unit.id)
    about: dict[str, object] = {"cell": place.cell, "level": place.level, "melee": held}
    if first:
        about["ambush"] = first
    about["order"] = (first, other(first)) if first else (now.phasing, now.opposing)
    play.keep("combat", about)
    play.ask("before_combat", now.phasing, about={"cell": place.cell, "level": place.level})


def _show(play: Play, name: str) -> None:
    """ASL-CC-8: for the time of the combat the enemy knows what is under the "?"."""
    play.mark(name, marks.STRENGTH_SHOWN)
    step = Step(f"{play.now.named(play.position.unit(name))} shows its strength", "ASL-CC-8")
    play.decide(Resolution("concealment", "strength", steps=(step,)))


def prepared(play: Play, side: str) -> None:
    """A side is ready: the other one, then the attacks."""
    play.answered("before_combat")
    found = combat_of(play.now)
    assert found is not None
    place = found.place
    if not all(fighters(play.now, place, one) for one in SIDES):
        finish(play)
    elif side == play.now.phasing:
        play.ask(
            "before_combat", play.now.opposing, about={"cell": place.cell, "level": place.level}
        )
    else:
        ask_attacks(play)


def ask_attacks(play: Play) -> None:
    """ASL-CC-4: the next side declares its attacks; when there is none left, all is resolved."""
    found = combat_of(play.now)
    assert found is not None
    if not found.order:
        go_on(play)
        return
    side = found.order[0]
    play.do(ChangeFrame("combat", FrozenMap({"order": found.order[1:]})))
    place = found.place
    play.ask("attacks", side, about={"cell": place.cell, "level": place.level})


def declared(play: Play) -> None:
    """A side has declared all: in an ambush they are resolved at once (ASL-AMB-1)."""
    play.answered("attacks")
    found = combat_of(play.now)
    assert found is not None
    if found.ambush:
        go_on(play)
    else:
        ask_attacks(play)


def _store(play: Play, agenda: Iterable[Record]) -> None:
    play.do(ChangeFrame("combat", agenda=tuple(agenda)))


def add(play: Play, *entries: dict[str, Value]) -> None:
    """Write into the agenda of the combat."""
    frame = play.position.frame("combat")
    assert frame is not None
    _store(play, (*frame.agenda, *(FrozenMap(entry) for entry in entries)))


def go_on(play: Play) -> None:
    """Attack after attack, until somebody has to choose; then the losses, and who is next."""
    while True:
        found = combat_of(play.now)
        assert found is not None
        attacks = found.entries("attack")
        if not attacks:
            break
        _store(play, (e for e in found.agenda if e is not attacks[0]))
        if not strike(play, attacks[0]):
            return
    losses = found.losses
    _store(play, found.entries("leaving"))
    take_losses(play, found.place, losses)
    hurt = harmed(losses)
    after = combat_of(play.now)
    assert after is not None
    # ASL-A11.21a: who was hurt stays
    _store(
        play,
        (
            e
            for e in after.agenda
            if e["unit"] not in hurt and str(e["unit"]) in play.position.units
        ),
    )
    if found.order and all(fighters(play.now, found.place, side) for side in SIDES):
        ask_attacks(play)
    else:
        finish(play)


def blow_of(now: Situation, found: Combat, entry: Record) -> Blow | None:
    """An attack as it was declared, by and against those who are still there; None if nobody is."""
    names = {u.id for side in SIDES for u in fighters(now, found.place, side)}
    attackers = tuple(now.unit(n) for n in _texts(entry.get("attackers")) if n in names)
    targets = tuple(now.unit(n) for n in _texts(entry.get("targets")) if n in names)
    if not attackers or not targets:
        return None
    side = str(entry["side"])
    friends = fighters(now, found.place, other(side))
    return Blow(
        side,
        attackers,
        targets,
        capture=entry.get("capture") is True,
        hand_to_hand=entry.get("hand_to_hand") is True,
        ambush="" if found.melee else found.ambush,
        leaving=found.leaving & {unit.id for unit in targets},
        staying=sum(unit.id not in found.leaving for unit in friends),
    )


def strike(play: Play, entry: Record) -> bool:
    """ASL-CC-3: one attack is rolled for; False if somebody has to choose before the next."""
    found = combat_of(play.now)
    assert found is not None
    blow = blow_of(play.now, found, entry)
    if blow is None:
        return True
    return resolve(play, blow)


def resolve(play: Play, blow: Blow) -> bool:
    """Roll for an attack and note what it does; False if somebody has to choose."""
    now = play.now
    ready = aim(now, blow)
    dice, rolls = play.roll_two("close combat", blow.side)
    blow, ready = come_forward(play, blow, ready, sum(dice))
    struck: list[str] = []
    chosen: tuple[str, ...] = ()
    all_gone = True
    for fate, names, found, final in fates(ready, sum(dice)):
        what = _word(fate, blow)
        sides = f"{ready.power} against {ready.against}, {ready.odds.label}"
        told = f"{sides}: {final} against {ready.number}: {what}"
        play.decide(
            Resolution(
                "close combat",
                what,
                strengths=ready.strengths,
                base_column=ready.odds.label,
                column=ready.odds.label,
                modifiers=found.modifiers,
                dice=rolls,
                steps=(Step(told, "ASL-PRIS-3" if blow.capture else "ASL-CC-3"),),
                values=FrozenMap({"total": final, "kill_number": ready.number, "targets": names}),
            )
        )
        all_gone = all_gone and fate == "all"
        if fate == "all":
            struck += names
            _note(
                play, names, CAPTURED if blow.capture else ELIMINATED, blow, dice, ready.odds.black
            )
        elif fate == "one" and blow.capture:
            chosen = names
        elif fate == "one":
            hit = chosen_by_lot(play, names, 1, "who is hit", other(blow.side))
            struck += hit
            _note(play, hit, REDUCED, blow, dice, ready.odds.black)
    for unit in blow.attackers:  # ASL-CC-8, ASL-AMB-1
        if unit.has(marks.CONCEALED) and not (blow.ambush == blow.side and all_gone):
            reveal(play, unit.id, "it attacks in close combat", "ASL-CC-8")
    asked = _slips(play, blow, sum(dice), struck)
    if chosen:
        asked = _give_up(play, blow, chosen, dice, ready.odds.black) or asked
    return not asked


def _word(fate: str, blow: Blow) -> str:
    if fate == "none":
        return "none"
    if blow.capture:
        return "captured" if fate == "all" else "one captured"
    return "eliminated" if fate == "all" else "reduced"


def _note(
    play: Play, names: Iterable[str], fate: str, blow: Blow, dice: tuple[int, int], number: int
) -> None:
    by = tuple(unit.id for unit in blow.attackers)
    for name in names:
        entry: dict[str, Value] = {"kind": "loss", "unit": name, "fate": fate}
        entry |= {"by": by, "die": dice[0], "number": number}
        add(play, entry)


def _give_up(
    play: Play, blow: Blow, names: Sequence[str], dice: tuple[int, int], number: int
) -> bool:
    """ASL-PRIS-3: the defender says who is captured; of a squad alone it is a half-squad."""
    if len(names) > 1:
        play.ask(
            "give_up",
            other(blow.side),
            about={
                "units": tuple(names),
                "by": tuple(unit.id for unit in blow.attackers),
                "die": dice[0],
                "number": number,
            },
        )
        return True
    squad = play.now.counter(play.now.unit(names[0])).kind == "squad"
    _note(play, names, HALF_CAPTURED if squad else CAPTURED, blow, dice, number)
    return False


def _slips(play: Play, blow: Blow, original: int, struck: Sequence[str]) -> bool:
    """ASL-A11.21b: an original 2 lets the attackers leave, a 12 those whom it has not struck."""
    if original == TWO:
        side, units = blow.side, blow.attackers
    elif original == TWELVE:
        side, units = other(blow.side), tuple(u for u in blow.targets if u.id not in struck)
    else:
        return False
    found = combat_of(play.now)
    assert found is not None
    names = [u.id for u in units if may_slip(play, u.id, found.losses)]
    if not names:
        return False
    play.ask("slip_away", side, about={"units": tuple(names)})
    return True


def finish(play: Play) -> None:
    """All is fought: those who withdraw go, ambushers may, the rest are in melee."""
    found = combat_of(play.now)
    assert found is not None
    frame = play.position.frame("combat")
    assert frame is not None
    for entry in found.entries("leaving"):
        name = str(entry["unit"])
        if name in play.position.units:
            level = entry.get("level", 0)
            end = Location(str(entry["to"]), level if isinstance(level, int) else 0)
            leave(play, name, end)
    _store(play, ())
    both = all(fighters(play.now, found.place, side) for side in SIDES)
    if found.ambush and both and frame.value("asked") is not True:  # ASL-AMB-2
        play.do(ChangeFrame("combat", FrozenMap({"asked": True})))
        names = [
            unit.id
            for unit in fighters(play.now, found.place, found.ambush)
            if not barred(unit) and not unit.has(marks.BROKEN)
        ]
        if names:
            play.ask("slip_away", found.ambush, about={"units": tuple(names)})
            return
    _over(play, found.place)


def _over(play: Play, place: Location) -> None:
    """ASL-CC-7, ASL-MELEE-1: the broken who did not get away are lost, others in melee."""
    if play.position.frame("combat") is not None:
        play.answered("combat")
    both = all(fighters(play.now, place, side) for side in SIDES)
    for side in SIDES:
        for unit in fighters(play.now, place, side) if both else ():
            if unit.has(marks.MELEE) and unit.has(marks.DISRUPTED):
                _take_disrupted(play, unit.id, place)
            elif _cannot_stay(play, unit.id):
                step = Step(f"{unit.id} is broken and did not get away", "ASL-CC-7")
                play.decide(Resolution("close combat", "eliminated", steps=(step,)))
                eliminate(play, unit.id)
    melee.hold(play, place)
    for side in SIDES:
        for unit in fighters(play.now, place, side):
            play.unmark(unit.id, marks.STRENGTH_SHOWN)
            if unit.values.get("beside") is not None:
                play.note(unit.id, beside=None)
    old = play.position.extras.get("fought", ())
    play.do(SetExtra("fought", (*(old if isinstance(old, tuple) else ()), str(place))))


def _take_disrupted(play: Play, name: str, place: Location) -> None:
    """ASL-CC-7: the disrupted who are still in melee are captured, or lost."""
    side = other(play.position.unit(name).side)
    captors = [u.id for u in fighters(play.now, place, side) if can_guard(play.now, u)]
    if captors and not gives_no_quarter(play.now, side):
        capture(play, name, captors, place, "ASL-CC-7")
    else:
        eliminate(play, name)


def _cannot_stay(play: Play, name: str) -> bool:
    """ASL-CC-7: the broken that were in melee before, unless they are disrupted or guards."""
    unit = play.position.unit(name)
    return (
        unit.has(marks.BROKEN)
        and unit.has(marks.MELEE)
        and not unit.has(marks.DISRUPTED)
        and not play.now.prisoners(unit)
    )
