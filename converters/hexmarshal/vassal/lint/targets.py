"""Checks of names that lead to other parts: prototypes, decks, places, markers, sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import (
    Board,
    DeckSendKeyCommand,
    DrawPile,
    PieceSlot,
    PrivateMap,
    Region,
    Zone,
)
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.lint.files import elsewhere
from hexmarshal.vassal.lint.subject import ModuleSubject, gathered
from hexmarshal.vassal.pieces.embedded import marker_path, marker_piece
from hexmarshal.vassal.pieces.prototypes import find_cycles
from hexmarshal.vassal.traits import (
    Hideable,
    Mask,
    PlaceMarker,
    Replace,
    Restricted,
    ReturnToDeck,
    SendToLocation,
    UsePrototype,
)
from hexmarshal.vassal.values import FormattedText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component, Map

__all__ = ["CHECKS"]

_OBSERVER: Final = "observer"


def literal(value: FormattedText | str) -> str:
    """A text that is not filled in during play; empty if it is."""
    found = value if isinstance(value, FormattedText) else FormattedText(value)
    return "" if found.is_expression or "$" in found.text else found.text


def _unknown_prototype(subject: ModuleSubject) -> Iterator[Found]:
    uses = (
        (use.trait.name, use.component)
        for use in subject.traits
        if isinstance(use.trait, UsePrototype) and "$" not in use.trait.name
    )
    for name, users in gathered(uses).items():
        if name not in subject.prototypes:
            yield subject.unresolved(users[0], f"there is no prototype {name!r}{elsewhere(users)}")


def _cycle(subject: ModuleSubject) -> Iterator[Found]:
    own = {d.component.name: d.component for d in subject.definitions}
    for ring in find_cycles(subject.prototypes):
        at = next((own[name] for name in ring if name in own), subject.module.root)
        yield subject.found(at, f"the prototype uses itself: {' -> '.join((*ring, ring[0]))}")


def _unknown_deck(subject: ModuleSubject) -> Iterator[Found]:
    for name, users in gathered(_decks_named(subject)).items():
        if name not in subject.decks:
            yield subject.unresolved(users[0], f"there is no deck {name!r}{elsewhere(users)}")


def _decks_named(subject: ModuleSubject) -> Iterator[tuple[str, Component]]:
    for use in subject.traits:
        trait = use.trait
        if isinstance(trait, ReturnToDeck):
            name = literal(trait.deck)
            if trait.version >= 2:
                name = "" if trait.choose_deck else literal(trait.deck_expression)
            if name:
                yield name, use.component
    for component in subject.components:
        match component:
            case DrawPile() if component.reshufflable and literal(component.reshuffle_target):
                yield component.reshuffle_target, component
            case DeckSendKeyCommand() if not component.variable_deck and component.target_deck:
                yield component.target_deck, component


def _unknown_place(subject: ModuleSubject) -> Iterator[Found]:
    uses = (
        (_sent_nowhere(subject, use.trait), use.component)
        for use in subject.traits
        if isinstance(use.trait, SendToLocation)
    )
    for problem, users in gathered(uses).items():
        if problem:
            yield subject.unresolved(users[0], f"{problem}{elsewhere(users)}")
    for component in subject.each(PrivateMap):
        if component.use_boards and component.use_boards not in subject.maps:
            message = f"is to use the boards of {component.use_boards!r}, which is no map"
            yield subject.unresolved(component, message, field="useBoards")


def _sent_nowhere(subject: ModuleSubject, trait: SendToLocation) -> str:
    if trait.destination in "ACN":
        return ""
    named = literal(trait.map)
    if named and named not in subject.maps:
        return f"there is no map {named!r} to send a piece to"
    if not named and trait.map.text:
        return ""
    # Without a map the piece stays on the one where it is, which may be any.
    maps = [subject.maps[named]] if named else list(dict.fromkeys(subject.maps.values()))
    if any(not each.stock or not all(c.stock for c in each.walk()) for each in maps):
        return ""
    on = f" on the map {named!r}" if named else " on any map"
    board = literal(trait.board)
    if board and trait.destination in "LG" and not _any(subject, maps, Board, board):
        return f"there is no board {board!r}{on} to send a piece to"
    zone = literal(trait.zone)
    if zone and trait.destination == "Z" and not _any(subject, maps, Zone, zone):
        return f"there is no zone {zone!r}{on} to send a piece to"
    region = literal(trait.region)
    if region and trait.destination == "R" and not _any(subject, maps, Region, region):
        return f"there is no region {region!r}{on} to send a piece to"
    return ""


def _any(subject: ModuleSubject, maps: list[Map], cls: type[Component], name: str) -> bool:
    shared = [subject.maps.get(each.get("useBoards")) for each in maps]
    around = [*maps, *(each for each in shared if each is not None)]
    return any(c.name == name for each in around for c in each.each(cls))


def _marker_nowhere(subject: ModuleSubject) -> Iterator[Found]:
    uses = (
        (_marker_problem(subject, use.trait), use.component)
        for use in subject.traits
        if isinstance(use.trait, PlaceMarker)
    )
    for problem, users in gathered(uses).items():
        if problem:
            yield subject.unresolved(users[0], f"{problem}{elsewhere(users)}")


def _marker_problem(subject: ModuleSubject, trait: PlaceMarker) -> str:
    what = "the replacement" if isinstance(trait, Replace) else "the marker"
    command = f" of the command {trait.command!r}" if trait.command else ""
    path = marker_path(trait)
    if path is not None:
        target = subject.resolves(path)
        if not isinstance(target, PieceSlot):
            return f"{what}{command} is named by a path that leads to no piece: {path}"
        return ""
    if trait.marker in {"", "null"}:
        # Without one a replacement leaves the piece as it is, and a marker is an empty piece.
        return f"{what}{command} is not defined"
    inner = marker_piece(trait)
    if inner is None or inner.problem is not None:
        return f"{what}{command} cannot be read"
    return ""


def _unknown_side(subject: ModuleSubject) -> Iterator[Found]:
    if not subject.sides:
        return
    for name, users in gathered(_sides_named(subject)).items():
        if name not in subject.sides and name.strip("<>").lower() != _OBSERVER:
            yield subject.unresolved(users[0], f"there is no side {name!r}{elsewhere(users)}")


def _sides_named(subject: ModuleSubject) -> Iterator[tuple[str, Component]]:
    for component in subject.each(PrivateMap):
        yield from ((side, component) for side in component.sides if side)
    for use in subject.traits:
        match use.trait:
            case Restricted(sides=sides):
                yield from ((side, use.component) for side in sides if side)
            case Hideable(access=access) | Mask(access=access):
                yield from ((side, use.component) for side in access.sides if side)


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "unknown-prototype",
        Severity.ERROR,
        "A piece uses a prototype that is not there",
        "add the prototype, or correct the name",
        _unknown_prototype,
    ),
    Check(
        "prototype-cycle",
        Severity.ERROR,
        "A prototype uses itself, directly or through others",
        "take one of the references out",
        _cycle,
    ),
    Check(
        "unknown-deck",
        Severity.WARNING,
        "Cards are sent to a deck that is not there",
        "correct the name of the deck",
        _unknown_deck,
    ),
    Check(
        "unknown-place",
        Severity.WARNING,
        "A piece is sent to a map, board, zone or region that is not there",
        "correct the name of the place",
        _unknown_place,
    ),
    Check(
        "marker-nowhere",
        Severity.WARNING,
        "A trait that places or replaces a piece leads to none",
        "define the piece in the trait, or select it again",
        _marker_nowhere,
    ),
    Check(
        "unknown-side",
        Severity.WARNING,
        "A side is named that the player roster does not have",
        "correct the name of the side",
        _unknown_side,
    ),
)
