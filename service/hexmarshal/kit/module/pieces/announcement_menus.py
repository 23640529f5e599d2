"""Announcements by click: menus of units and of the toolbar that say what is done.

Every line names the player and his side, and is the notation that the referee reads:
`Ivan (Soviet): [attack] rif-01 rif-02 -> 0615`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.announcements import MARK_KEY, PARTS, TARGET, WHERE, Said
from hexmarshal.kit.drawing.icons import taking_part
from hexmarshal.kit.module.pieces.clicks import aimed_by_click, marked_by_click, marks
from hexmarshal.kit.module.pieces.tones import SPEAKER, tone_of_speaker, toned
from hexmarshal.kit.module.pieces.traits import ANYTHING, left_out, told_by
from hexmarshal.vassal.builder import layer
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    Layer,
    SetGlobalProperty,
    SubMenu,
    TriggerAction,
)
from hexmarshal.vassal.values import (
    Expression,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.kit.announcements import Announcement
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["EVERY_STEP", "UNMARK_ALL", "Speech", "add_sayings", "plays", "says"]

_MARKED: Final = "TakesPart"
_MENU: Final = "Announce"
_DOERS: Final = f"{{{_MARKED}_Level == 2 || {PARTS} == UnitId}}"
_AIMED: Final = "Marked units: "
# Who may be aimed at by those that are marked: the units of the others.
_NO_FOES: Final = f"{marks(_MARKED)} == 0"
_NO_MARKS: Final = "(take all marks off)"
_NOBODY: Final = (
    f"$PlayerName$: nobody takes part yet; mark who does with Ctrl+{MARK_KEY} "
    "or a click on the name first *"
)
_CROWD: Final = "$PlayerName$: only one unit does this; take the marks off the others first *"
_CLEAR, _JOIN, _ALONE, _COLLECT, _UNMARK, _UNMARK_ALL = (
    KeyStroke.named(name)
    for name in ("clearParts", "joinParts", "partsAlone", "collectParts", "unmark", "unmarkAll")
)
_ACTS, _STEP_IN, _REFUSE, _DENY, _THIN, _TOO_MANY, _ASK, _NOWHERE = (
    KeyStroke.named(name)
    for name in (
        "actsAlone",
        "stepIn",
        "refuseAlone",
        "tellRefused",
        "refuseMany",
        "tellTooMany",
        "askWhere",
        "nowhere",
    )
)
UNMARK_ALL: Final = KeyStroke.named("nobodyTakesPart")
"""The hot key that takes all marks off."""
EVERY_STEP: Final = (("{true}", UNMARK_ALL),)
"""What the turn tracker presses wherever it comes to: what was marked for is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Who can say what by click.

    `said_at` tells of an action which pieces have it in their menus, by their properties:
    `{"rally": 'UnitType == "squad"'}`, or have all that is said in a way of its own and done by
    the unit itself, or all whose place is asked for; `able` what one of those that are marked must
    be. Actions that are `aimed` at a place are said there by those that do it: they are marked, or
    `acting`; with nobody it is not said. What is `clicked` is said by a plain click on its target,
    if one of those that are marked is such: `{"fire": 'Active_Level == 2'}`, the first that
    applies; an empty text is anybody. `when` tells of an action by what the tracker shows that it
    can be done now: `{"rally": 'Phase == "Rally"'}`. `then` is pressed at the unit once it was
    said, or was said in one way: `{"activate": ..., "attack-yes": ...}`; `after` at those who did
    it in that way: `{"opportunity": ...}`.
    """

    said_at: Mapping[str, str] = field(default_factory=dict)
    able: Mapping[str, str] = field(default_factory=dict)
    aimed: Collection[str] = ()
    clicked: Mapping[str, str] = field(default_factory=dict)
    acting: str = ""
    when: Mapping[str, str] = field(default_factory=dict)
    then: Mapping[str, KeyStroke] = field(default_factory=dict)
    after: Mapping[str, KeyStroke] = field(default_factory=dict)

    def needs_others(self, one: Announcement) -> bool:
        """Whether it is said at what it is done to, never at who does it."""
        if one.said is Said.CARD:
            return f"${PARTS}$" in one.line
        aimed = one.action in self.aimed and one.way != WHERE
        return one.said is Said.MARKED and (aimed or "$UnitId$" in one.line)

    def aims(self, one: Announcement) -> bool:
        """Whether units that are marked do it to the one at which it is said."""
        return one.said is Said.MARKED and self.needs_others(one)


def add_sayings(
    module: ModuleBuilder,
    pictures: Pictures,
    lines: Sequence[Announcement],
    gates: Mapping[str, str] | None = None,
    keys: Mapping[str, Sequence[KeyStroke]] | None = None,
    *,
    others: Iterable[str] = (),
    tones: Mapping[str, str] | None = None,
) -> None:
    """The toolbar's menu of what a player can say, and the property that collects units.

    `gates` tells of an action by which global property, when true, it cannot be said; `keys` what
    is pressed once it, or one line of it, was said. `others` are buttons that the menu takes in,
    too; `tones` the colours of the seats.
    """
    module.global_property(PARTS, "", "The units that take part in what is announced")
    if any(one.way == WHERE for one in lines):
        module.global_property(TARGET, "", "The place of what is announced")
    entries = [one for one in lines if one.said is Said.TABLE]
    inner: dict[str, list[str]] = {}
    for one in entries:
        gate = (gates or {}).get(one.action, "")
        pressed = (keys or {}).get(one.line, (keys or {}).get(one.action, ()))
        report = toned(tones or {}, f": {one.line}")
        module.action_button(one.menu, report=report, gate=gate, keys=pressed)
        inner.setdefault(one.under or one.menu, []).append(one.menu)
    for title, items in inner.items():
        if items != [title]:
            module.toolbar_menu(title, items, tooltip=title)
    if len(entries) < len(lines):
        module.piece_key("Unmark", UNMARK_ALL, _UNMARK, f"{{{_MARKED}_Level==2}}")
        module.action_button(_NO_MARKS, keys=[UNMARK_ALL])
        inner[_NO_MARKS] = [_NO_MARKS]
    inner |= {other: [other] for other in others}
    if inner:
        icon = pictures.icon("announce")
        module.toolbar_menu(_MENU, list(inner), icon=icon, tooltip="Say what you do")


def says(
    pictures: Pictures,
    lines: Sequence[Announcement],
    size: int,
    speech: Speech | None = None,
    tones: Mapping[str, str] | None = None,
    plate: int | None = None,
) -> tuple[Equipped, ...]:
    """The traits by which a unit takes part in announcements and makes them.

    Its name stands on a `plate` so many pixels below its middle; left out, on its lower edge.
    """
    entries = [one for one in lines if one.said in (Said.UNIT, Said.MARKED)]
    if not entries:
        return ()
    how = speech or Speech()
    mark = layer(
        _MARKED,
        ("", pictures.add(f"takes-part-{size}", taking_part(size))),
        next_command="Take part",
        key=MARK_KEY,
    )
    assert isinstance(mark.trait, Layer)
    return (
        replace(mark, trait=replace(mark.trait, reset_key=_UNMARK)),
        *((Equipped(_target()),) if any(one.way == WHERE for one in entries) else ()),
        *(_to_all(_done(way), key, _DOERS, told=True) for way, key in how.after.items()),
        *_speaking(entries, how, tones or {}),
        *aimed_by_click(_MARKED, _clicked(entries, how)),
        *marked_by_click(_MARKED, size, size // 2 if plate is None else plate),
    )


def _clicked(entries: Sequence[Announcement], how: Speech) -> dict[KeyStroke, str]:
    """The keys of what is said by a click on its target, and of whom."""
    named = {"-".join(filter(None, (one.action, one.way))): one for one in entries if how.aims(one)}
    return {_key(named[name], "aim"): what for name, what in how.clicked.items()}


def plays(
    lines: Sequence[Announcement], speech: Speech, tones: Mapping[str, str]
) -> tuple[Equipped, ...]:
    """The traits by which a card is announced that is played, for the unit that was marked."""
    entries = [one for one in lines if one.said is Said.CARD]
    # Nobody acts by a card who is not marked: it names no unit of its own.
    how = replace(speech, acting="", after={})
    return tuple(_speaking(entries, how, tones)) if entries else ()


def _speaking(
    entries: Sequence[Announcement], how: Speech, tones: Mapping[str, str]
) -> tuple[Equipped, ...]:
    marked = f"{{{_MARKED}_Level==2}}"
    return (
        Equipped(_parts()),
        _to_all(_COLLECT, _JOIN, marked),
        _to_all(_UNMARK_ALL, _UNMARK, marked),
        *_refusing(how, crowd=any(how.needs_others(one) and one.alone for one in entries)),
        tone_of_speaker(tones),
        *(told_by(SPEAKER + one.line, _key(one, "tell")) for one in entries),
        *(trigger for one in reversed(entries) for trigger in _triggers(one, how)),
        *_menus(entries),
        *_aiming(entries, how),
        *_left_out(entries, how),
    )


def _aiming(entries: Sequence[Announcement], how: Speech) -> Iterator[Equipped]:
    """Once units are marked, the menus of their enemies begin with what those can do to them."""
    aimed = [one for one in entries if how.aims(one)]
    for one in reversed(aimed):
        command = f"{_AIMED}{one.menu[:1].lower()}{one.menu[1:]}"
        says_it = KeyStrokes.of(_key(one, "say"))
        yield Equipped(
            TriggerAction(
                name=command, command=command, key=_key(one, "aim"), performed_keys=says_it
            )
        )
    if aimed:
        yield left_out(_NO_FOES, *(_key(one, "aim") for one in aimed))


def _triggers(one: Announcement, how: Speech) -> Iterator[Equipped]:
    """What a click on an entry does: collects who takes part, says the line, takes marks off."""
    names = (one.action, f"{one.action}-{one.way}")
    then = tuple(how.then[name] for name in names if name in how.then)
    if one.way in how.after:
        then = (*then, how.after[one.way] if one.said is Said.UNIT else _done(one.way))
    says_it = (_key(one, "tell"), *then, _UNMARK_ALL)
    if how.needs_others(one):
        acts = (_ACTS,) if how.acting else ()
        thin = (_THIN,) if one.alone else ()
        performed = (_CLEAR, _COLLECT, *acts, _key(one, "hear"), _REFUSE, *thin)
        several = f' && !{PARTS}.contains(" ")' if one.alone else ""
        some = Expression(f'{{{PARTS} != ""{several}}}')
        yield _answer(_key(one, "hear"), *says_it, when=some)
    elif one.way == WHERE:
        performed = (_CLEAR, _COLLECT, _ALONE, _NOWHERE, _ASK, _key(one, "hear"))
        yield _answer(_key(one, "hear"), *says_it, when=Expression(f'{{{TARGET} != ""}}'))
    elif one.said is Said.MARKED:
        performed = (_CLEAR, _COLLECT, _ALONE, *says_it)
    else:
        performed = says_it
    pressed = KeyStrokes.of(*performed)
    yield Equipped(
        TriggerAction(name=one.menu, command=one.menu, key=_key(one, "say"), performed_keys=pressed)
    )


def _refusing(how: Speech, *, crowd: bool) -> Iterator[Equipped]:
    """With nobody marked those who act step in; with nobody at all the player is told so.

    So he is, where something is done by one alone, if more than one is marked: a `crowd`.
    """
    nobody = Expression(f'{{{PARTS} == ""}}')
    if how.acting:
        yield _to_all(_STEP_IN, _JOIN, f"{{{how.acting}}}")
        yield _answer(_ACTS, _STEP_IN, when=nobody)
    yield told_by(_NOBODY, _DENY)
    yield _answer(_REFUSE, _DENY, when=nobody)
    if crowd:
        yield told_by(_CROWD, _TOO_MANY)
        yield _answer(_THIN, _TOO_MANY, when=Expression(f'{{{PARTS}.contains(" ")}}'))


def _answer(key: KeyStroke, *performed: KeyStroke, when: Expression) -> Equipped:
    pressed = KeyStrokes.of(*performed)
    return Equipped(TriggerAction(name=key.text, key=key, expression=when, performed_keys=pressed))


def _left_out(entries: Sequence[Announcement], how: Speech) -> Iterator[Equipped]:
    """What does not apply is not in the menu: to this piece, or to those that are marked."""

    def keys(name: str) -> tuple[KeyStroke, ...]:
        apart = WHERE in how.said_at  # where its place is asked for has a rule of its own
        of_action = [e for e in entries if e.action == name and not (apart and e.way == WHERE)]
        of_way = [one for one in entries if one.way == name and not how.needs_others(one)]
        found = (*of_action, *of_way)
        aimed = (_key(one, "aim") for one in found if how.aims(one))
        return (*(_key(one, "say") for one in found), *aimed)

    for now in dict.fromkeys(how.when.values()):
        timed = [key for action, holds in how.when.items() if holds == now for key in keys(action)]
        if timed:
            yield left_out(f"!({now})", *timed)
    for action, where in how.said_at.items():
        if of_action := keys(action):
            yield left_out(f"!({where})", *of_action)
    for action, what in how.able.items():
        if not keys(action):
            continue
        inside = f"{{{_MARKED}_Level == 2 && {what}}}".replace('"', '\\"')
        yield left_out(f'CountMap("{inside}") == 0', *keys(action))


def _menus(entries: Sequence[Announcement]) -> Iterator[Equipped]:
    inner: dict[str, list[str]] = {}
    for one in entries:
        inner.setdefault(one.under, []).append(one.menu)
    # A way of its own of one thing alone stands beside it.
    alone = {title for title, items in inner.items() if title and len(items) == 1}
    shown = [*inner.pop("", ()), *(title for title in inner if title not in alone)]
    for one in entries:
        if one.under in alone:
            del inner[one.under]
            said = next((e.menu for e in entries if e.action == one.action and not e.way), "")
            shown.insert(shown.index(said) + 1 if said in shown else len(shown), one.menu)
    for title, items in inner.items():
        yield Equipped(SubMenu(name=title, commands=tuple(items)))
    yield Equipped(SubMenu(name=_MENU, commands=tuple(shown)))


def _done(way: str) -> KeyStroke:
    return KeyStroke.named(f"after-{way}")


def _key(one: Announcement, verb: str) -> KeyStroke:
    return KeyStroke.named("-".join(filter(None, (verb, one.action, one.way))))


def _parts() -> SetGlobalProperty:
    """The list of units: emptied, joined one by one, or only the one that speaks."""
    joined = f'{{{PARTS} == "" ? UnitId : {PARTS} + " " + UnitId}}'
    alone = f'{{{PARTS} == "" ? UnitId : {PARTS}}}'
    return SetGlobalProperty(
        name=PARTS,
        constraints=ANYTHING,
        commands=PropertyCommands.of(
            PropertyCommand("", _CLEAR, PropertyChange("P", "")),
            PropertyCommand("", _JOIN, PropertyChange("P", joined)),
            PropertyCommand("", _ALONE, PropertyChange("P", alone)),
        ),
    )


def _target() -> SetGlobalProperty:
    """The place of what is done where nothing lies: whoever does it is asked."""
    return SetGlobalProperty(
        name=TARGET,
        constraints=ANYTHING,
        commands=PropertyCommands.of(
            PropertyCommand("", _NOWHERE, PropertyChange("P", "")),
            PropertyCommand("", _ASK, PropertyChange("R", "Where?")),
        ),
    )


def _to_all(key: KeyStroke, sent: KeyStroke, those: str, *, told: bool = False) -> Equipped:
    """A key sent to all of a kind; what it does is reported of each only if it shall be `told`."""
    target = GlobalCommandTarget("COUNTER|false|MAP|||||0|0||false|||EQUALS||")
    return Equipped(
        CounterGlobalKeyCommand(
            key=key,
            global_key=sent,
            expression=Expression(those),
            suppress_single=not told,
            target=target,
        )
    )
