"""What lies on what: pieces, stacks and decks of a game, and how moves change them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from hexmarshal.vassal.state.placed import Placed, PlacedDeck, PlacedPiece, PlacedStack

__all__ = ["DrawingOrder", "forms_stacks"]

_NO_STACKING: Final = "R"


@dataclass(slots=True)
class DrawingOrder:
    """All that has an id, in drawing order, and which stack or deck holds each piece.

    An emptied stack leaves the table, but VASSAL still knows its id: it may be filled again.
    """

    items: dict[str, Placed] = field(default_factory=dict)
    holders: dict[str, str] = field(default_factory=dict)
    emptied: dict[str, PlacedStack] = field(default_factory=dict, compare=False)

    def copy(self) -> DrawingOrder:
        """A table of its own; the values on it are shared."""
        return DrawingOrder(dict(self.items), dict(self.holders), dict(self.emptied))

    def members_of(self, id: str) -> tuple[PlacedPiece, ...]:
        """The pieces of a stack or deck from bottom to top."""
        holder = self.items.get(id)
        if not isinstance(holder, PlacedStack | PlacedDeck):
            return ()
        found = (self.items.get(member) for member in holder.members)
        return tuple(item for item in found if isinstance(item, PlacedPiece))

    def below(self, id: str) -> str | None:
        """The id of the piece directly under another in its stack or deck."""
        holder = self.items.get(self.holders.get(id, ""))
        if not isinstance(holder, PlacedStack | PlacedDeck):
            return None
        at = holder.members.index(id)
        return holder.members[at - 1] if at else None

    def new_id(self) -> str:
        """An id that is free: VASSAL counts up from a time stamp, we from the highest number."""
        numbers = [int(i) for i in (*self.items, *self.emptied) if i.isascii() and i.isdigit()]
        return str(max(numbers, default=0) + 1)

    def add(self, item: Placed) -> None:
        """Put an item on top of the drawing order; a stack takes those members that exist."""
        if item.id not in self.items and item.id not in self.emptied:
            # As of a save every one is: nothing holds it, and it holds nothing yet.
            if isinstance(item, PlacedPiece):
                self.items[item.id] = item
            else:
                self._hold(item)
            return
        freed = self._release(item.id)
        self._leave(item.id)
        self.items.pop(item.id, None)
        self.emptied.pop(item.id, None)
        if isinstance(item, PlacedPiece):
            self.items[item.id] = item
        else:
            self._hold(item)
        self._put_down(freed)

    def remove(self, id: str) -> bool:
        """Take an item out of the game; members of a removed stack stay."""
        freed = self._release(id)
        self._leave(id)
        known = id in self.items or id in self.emptied
        self.items.pop(id, None)
        self.emptied.pop(id, None)
        self._put_down(freed)
        return known

    def change(self, id: str, state: str, old: str | None) -> bool:
        """Give an item a new state, merged trait by trait if the old one is known."""
        item = self.items.get(id) or self.emptied.get(id)
        match item:
            case None:
                return False
            case PlacedStack():
                self.emptied.pop(id, None)
                self._hold(PlacedStack.of(id, state))
            case PlacedDeck():
                self._hold(PlacedDeck.of(id, item.type, state))
            case PlacedPiece():
                self._change_piece(item, item.merged(state, old))
        return True

    def move(self, id: str, map: str | None, x: int, y: int, under: str | None) -> bool:
        """Move a piece, or a whole stack, to a point: onto `under`, or below what lies there."""
        item = self.items.get(id)
        if item is None:
            return False
        if isinstance(item, PlacedPiece):
            self._leave(id)
            self._on_top(item.moved(map, x, y))
            if map is not None:
                self._settle(id, under)
            return True
        target = None if map is None else self._holder_at(map, x, y, besides=id)
        self._on_top(replace(item, map=map, x=x, y=y))
        for member in self.members_of(id):
            self.items[member.id] = member.moved(map, x, y)
        if isinstance(item, PlacedStack) and target is not None:
            self.items.pop(id)
            self.emptied[id] = replace(item, members=())
            self._hold(replace(target, members=target.members + item.members))
        return True

    def _change_piece(self, item: PlacedPiece, changed: PlacedPiece) -> None:
        before, place = item.own_place, changed.own_place
        if before == place:
            # Its own state may lag behind the stack that carries it.
            self.items[item.id] = changed.at(item.map, item.x, item.y)
            return
        self.items[item.id] = changed
        holder = self.items.get(self.holders.get(item.id, ""))
        if holder is not None and (holder.map, holder.x, holder.y) != place:
            self._leave(item.id)

    def _on_top(self, item: Placed) -> None:
        self.items.pop(item.id, None)
        self.items[item.id] = item

    def _settle(self, id: str, under: str | None) -> None:
        """Let a piece that has just been put down join what lies there."""
        piece = self.items[id]
        below = self.items.get(under) if under else None
        if below and (below.map, below.x, below.y) == (piece.map, piece.x, piece.y):
            if isinstance(below, PlacedPiece):
                self._insert_above(id, below.id)
            else:
                self._hold(replace(below, members=(*below.members, id)))
            return
        holder = self._holder_at(piece.map, piece.x, piece.y)
        if holder is not None:
            members = (id, *holder.members) if under is None else (*holder.members, id)
            self._hold(replace(holder, members=members))
            return
        if not forms_stacks(piece):
            return
        alone = self._lone_piece_at(piece)
        if alone is not None:
            members = (id, alone) if under is None else (alone, id)
            self._hold(PlacedStack(self.new_id(), piece.map, piece.x, piece.y, members, -1))

    def _insert_above(self, id: str, below: str) -> None:
        holder = self.items.get(self.holders.get(below, ""))
        if isinstance(holder, PlacedStack | PlacedDeck):
            at = holder.members.index(below) + 1
            members = (*holder.members[:at], id, *holder.members[at:])
            self._hold(replace(holder, members=members))
        else:
            base = self.items[below]
            stack = PlacedStack(self.new_id(), base.map, base.x, base.y, (below, id), -1)
            self._hold(stack)

    def _holder_at(
        self, map: str | None, x: int, y: int, besides: str = ""
    ) -> PlacedStack | PlacedDeck | None:
        """The deck that covers a point, else the topmost stack exactly there."""
        stack: PlacedStack | None = None
        for item in self.items.values():
            if isinstance(item, PlacedPiece) or item.id == besides:
                continue
            if isinstance(item, PlacedDeck):
                if item.covers(map, x, y):
                    return item
            elif item.x == x and item.y == y and item.map == map:
                stack = item
        return stack

    def _lone_piece_at(self, piece: Placed) -> str | None:
        on, x, y = piece.map, piece.x, piece.y
        # From the top; the place first, which is what tells nearly all others apart.
        for other in reversed(self.items.values()):
            if (
                other.x == x
                and other.y == y
                and other.map == on
                and isinstance(other, PlacedPiece)
                and other.id != piece.id
                and other.id not in self.holders
                and forms_stacks(other)
            ):
                return other.id
        return None

    def _hold(self, holder: PlacedStack | PlacedDeck) -> None:
        """Put a stack or deck on the table with exactly its members, as far as they exist."""
        freed = self._release(holder.id)
        known = tuple([m for m in dict.fromkeys(holder.members) if self._is_piece(m)])
        for member in known:
            self._leave(member)
            self.holders[member] = holder.id
            self.items[member] = self._piece(member).at(holder.map, holder.x, holder.y)
        if known != holder.members:
            holder = replace(holder, members=known)
        if known or isinstance(holder, PlacedDeck):
            self.items[holder.id] = holder
        else:
            self.items.pop(holder.id, None)
            self.emptied[holder.id] = holder
        self._put_down(freed)

    def _is_piece(self, id: str) -> bool:
        return isinstance(self.items.get(id), PlacedPiece)

    def _piece(self, id: str) -> PlacedPiece:
        item = self.items[id]
        assert isinstance(item, PlacedPiece)
        return item

    def _release(self, holder: str) -> list[str]:
        """Let go of all members of a stack or deck."""
        item = self.items.get(holder)
        members = item.members if isinstance(item, PlacedStack | PlacedDeck) else ()
        freed = [member for member in members if self.holders.get(member) == holder]
        for member in freed:
            del self.holders[member]
        return freed

    def _put_down(self, freed: list[str]) -> None:
        """A piece that nothing carries any more stays where it was carried to."""
        for member in freed:
            piece = self.items.get(member)
            if isinstance(piece, PlacedPiece) and member not in self.holders:
                here = (piece.map, piece.x, piece.y)
                if piece.own_place != here:
                    self.items[member] = piece.moved(*here)

    def _leave(self, id: str) -> None:
        """Take a piece out of its stack or deck."""
        holder_id = self.holders.pop(id, None)
        if holder_id is None:
            return
        holder = self.items.get(holder_id)
        if isinstance(holder, PlacedStack | PlacedDeck):
            left = tuple(member for member in holder.members if member != id)
            if left or isinstance(holder, PlacedDeck):
                self.items[holder.id] = replace(holder, members=left)
            else:
                self.items.pop(holder.id)
                self.emptied[holder.id] = replace(holder, members=())


def forms_stacks(piece: Placed) -> bool:
    """Whether a piece forms stacks; a "does not stack" trait says no, also by default."""
    if not isinstance(piece, PlacedPiece):
        return True
    for start in ("immob;", "\timmob;"):
        at = piece.type.find(start)
        if at == 0 or (at > 0 and start[0] == "\t"):
            own = piece.type[at + len(start) :].split("\t", 1)[0].rstrip("\\").split(";")
            return len(own) > 2 and own[2] != _NO_STACKING
    return True
