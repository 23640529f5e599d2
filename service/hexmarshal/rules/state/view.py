"""What one side knows of a position: everything that it may not know is gone or masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.copying import copied
from hexmarshal.rules.frames.frame import settled, shown_frames
from hexmarshal.rules.state.pieces import NO_BONDS, NO_FLAGS, UNKNOWN, Marker, Pile, Unit
from hexmarshal.rules.values import EMPTY, FrozenMap

if TYPE_CHECKING:
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

__all__ = [
    "NOBODY",
    "common_view",
    "knows",
    "masked_pile",
    "sees",
    "shown_marker",
    "shown_unit",
    "view",
]
# Who is told what all know: whoever looks on and plays no side. No side has this name.
NOBODY = "*"


def sees(side: str, thing: Unit | Marker | Pile) -> bool:
    """Whether the side knows that it is there."""
    return thing.seen_by is None or side in thing.seen_by


def knows(side: str, thing: Unit | Marker | Pile) -> bool:
    """Whether the side knows what it is."""
    return thing.known_to is None or side in thing.known_to


def view(position: Position, side: str, public: frozenset[str] = NO_FLAGS) -> Position:
    """The position as this side knows it, marked with the side as its viewer.

    Gone: units, markers and piles that the side does not see, what goes along with them or with
    units that it does not know, and bonds on others; what other sides know; the generator, which
    would tell the dice to come. Masked: the type, steps, flags and values of units, but for those
    named `public`, and the kind and values of markers that it sees but does not know; the faces of
    cards; what frames are about that it sees but does not know, and who answered a sealed one. The
    state and who may act follow from the frames that it sees. Who else knows is masked too: that is
    knowledge about the other side.
    """
    units, markers, piles = position.units, position.markers, position.piles
    hidden: set[str] = set()
    masks: set[str] = set()
    secret: dict[str, Unit] = {}
    for name in position.stacks.veiled:
        unit = units[name]
        if not sees(side, unit):
            hidden.add(name)
            continue
        secret[name] = shown_unit(unit, side, public)
        if not knows(side, unit):
            masks.add(name)
    if hidden or masks:
        held = position.stacks.held
        # What a masked unit carries would tell what it is.
        covering = hidden | masks
        waiting = list(covering)
        loosened: set[str] = set()
        while waiting:
            for _, name in held.get(waiting.pop(), ()):
                if _goes_along(units[name], covering) and name not in hidden:
                    hidden.add(name)
                    covering.add(name)
                    waiting.append(name)
                loosened.add(name)
        for name in loosened - hidden:
            secret[name] = _without_bonds(secret.get(name, units[name]), covering)
        units = units.without(*hidden)
        secret = {u.id: u for u in secret.values() if u.id not in hidden}
    if markers and any(
        m.seen_by is not None or m.known_to is not None or m.unit in hidden
        for m in markers.values()
    ):
        shown = {
            m.id: shown_marker(m, side)
            for m in markers.values()
            if sees(side, m) and m.unit not in hidden
        }
        markers = FrozenMap(shown)
    unseen = [p.name for p in piles.values() if not sees(side, p)]
    if unseen:
        piles = piles.without(*unseen)
    masked = {p.name: masked_pile(p, side) for p in piles.values() if not knows(side, p)}
    own = position.knowledge.get(side)
    if position.frames:
        position = settled(position, shown_frames(position, side))
    if hidden or secret:
        shown_units = units.merged(secret) if secret else units
        position = position.with_units(shown_units, [*hidden, *secret])
    return copied(
        position,
        markers=markers,
        piles=piles.merged(masked) if masked else piles,
        knowledge=FrozenMap({side: own} if own is not None else {}),
        generator=None,
        viewer=side,
    )


def common_view(position: Position, public: frozenset[str] = NO_FLAGS) -> Position:
    """What all sides know, as somebody knows it who watches and plays none of them."""
    return view(position, NOBODY, public)


def _goes_along(unit: Unit, hidden: set[str]) -> bool:
    """Whether a unit is where a hidden one is: carried by one, or tied to none but hidden ones."""
    if unit.carrier:
        return unit.carrier in hidden
    return not (unit.cell or unit.box) and all(name in hidden for _, name in unit.held_by())


def _without_bonds(unit: Unit, hidden: set[str]) -> Unit:
    left = {role: tuple(n for n in by if n not in hidden) for role, by in unit.bonds.items()}
    return copied(unit, bonds=FrozenMap({role: by for role, by in left.items() if by}))


def shown_unit(unit: Unit, side: str, public: frozenset[str] = NO_FLAGS) -> Unit:
    """A unit that the side sees, as it looks to that side; `public` is what no mask hides."""
    if knows(side, unit):
        return unit if unit.side == side else copied(unit, seen_by=None, known_to=None)
    return copied(
        unit,
        type=unit.face or UNKNOWN,
        steps=1,
        flags=unit.flags & public if public else NO_FLAGS,
        values=_among(unit.values, public) if public else EMPTY,
        facing=unit.facing if "facing" in public else None,
        seen_by=None,
        known_to=NO_FLAGS,
        # A bond tells a weapon from its squad; it stays only where it says where the unit is.
        bonds=NO_BONDS if unit.cell or unit.box else unit.bonds,
    )


def _among(values: Record, names: frozenset[str]) -> Record:
    return FrozenMap({name: value for name, value in values.items() if name in names})


def shown_marker(marker: Marker, side: str) -> Marker:
    """A marker that the side sees, as it looks to that side."""
    if marker.seen_by is None and marker.known_to is None:
        return marker
    if knows(side, marker):
        return marker if marker.side == side else copied(marker, seen_by=None, known_to=None)
    return copied(
        marker,
        kind=marker.face or UNKNOWN,
        values=EMPTY,
        facing=None,
        seen_by=None,
        known_to=NO_FLAGS,
    )


def masked_pile(pile: Pile, side: str) -> Pile:
    """A pile as it looks to that side."""
    if knows(side, pile):
        return pile
    return copied(pile, cards=(UNKNOWN,) * len(pile.cards))
