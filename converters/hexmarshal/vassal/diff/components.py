"""What differs between two build files: components and pieces matched, then compared in words."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components import ExtensionElement, PieceSlot
from hexmarshal.vassal.components.attributes import Key, Keys
from hexmarshal.vassal.diff.changes import Change, Detail
from hexmarshal.vassal.diff.pieces import piece_details, shown
from hexmarshal.vassal.pieces.piece import parse_add

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["BuildFileDiff", "whereabouts"]

PIECES: Final = "pieces"
# Beyond this many pairs a search for likeness takes longer than it is worth.
_MOST_PAIRS: Final = 250_000
_ALIKE: Final = 0.6
_RELATED: Final = 0.3


def whereabouts(component: Component) -> str:
    """The names of what a component stands in, from the outside in."""
    above = [a for a in component.ancestors() if a.parent is not None]
    targets = [a.target for a in above if isinstance(a, ExtensionElement) and a.target]
    names = [a.name or a.short_name for a in above if not isinstance(a, ExtensionElement)]
    return " > ".join([*targets, *reversed(names)])


class _Matching:
    """Pairs of components, found rule by rule; what a rule pairs is gone for the next."""

    def __init__(self, old: Iterable[Component], new: Iterable[Component]) -> None:
        self.old = list(old)
        self.new = list(new)
        self.pairs: list[tuple[Component, Component]] = []

    def by(
        self,
        key: Callable[[Component], Hashable | None],
        related: Callable[[Component, Component], bool] = lambda _old, _new: True,
    ) -> None:
        """Pair those with the same key, as far as the key is unique on both sides."""
        before, after = _unique(self.old, key), _unique(self.new, key)
        both = [(before[k], after[k]) for k in before if k in after]
        self._pair([pair for pair in both if related(*pair)])

    def in_order(self, key: Callable[[Component], Hashable]) -> None:
        """Pair those with the same key one after the other."""
        waiting: dict[Hashable, list[Component]] = {}
        for component in self.new:
            waiting.setdefault(key(component), []).append(component)
        found = []
        for component in self.old:
            queue = waiting.get(key(component))
            if queue:
                found.append((component, queue.pop(0)))
        self._pair(found)

    def by_likeness(self, likeness: Callable[[Component, Component], float]) -> None:
        """Pair those that are most alike, if they are alike enough."""
        if len(self.old) * len(self.new) > _MOST_PAIRS:
            return
        scored = [
            (score, -i, -j)
            for i, one in enumerate(self.old)
            for j, other in enumerate(self.new)
            if (score := likeness(one, other)) >= _ALIKE
        ]
        taken_old: set[int] = set()
        taken_new: set[int] = set()
        found = []
        for _, i, j in sorted(scored, reverse=True):
            if i not in taken_old and j not in taken_new:
                taken_old.add(i)
                taken_new.add(j)
                found.append((self.old[-i], self.new[-j]))
        self._pair(found)

    def _pair(self, found: list[tuple[Component, Component]]) -> None:
        self.pairs += found
        gone = {component for pair in found for component in pair}
        self.old = [c for c in self.old if c not in gone]
        self.new = [c for c in self.new if c not in gone]


def _unique(
    components: list[Component], key: Callable[[Component], Hashable | None]
) -> dict[Hashable, Component]:
    found: dict[Hashable, Component | None] = {}
    for component in components:
        value = key(component)
        if value is not None:
            found[value] = None if value in found else component
    return {value: component for value, component in found.items() if component is not None}


class BuildFileDiff:
    """Two build files: components matched along the tree, pieces by gpid, name and likeness."""

    def __init__(self, old: Module, new: Module) -> None:
        self._old = old
        self._new = new
        self.twins: dict[Component, Component] = {}
        """The component of the new file for each one of the old."""
        self.components = list(self._component_changes())
        self.pieces = list(self._piece_changes())

    def _component_changes(self) -> Iterator[Change]:
        gone: list[Component] = []
        come: list[Component] = []
        yield from self._descend(self._old.root, self._new.root, gone, come)
        # What left one place and came to another, maybe inside something new, was moved.
        matching = _Matching(_with_all_inside(gone), _with_all_inside(come))
        matching.by(lambda c: (c.class_name, c.name) if c.name else None)
        for before, after in matching.pairs:
            if before not in self.twins:
                yield from self._descend(before, after, gone, come, moved=True)
        found = set(self.twins.values())
        yield from (_whole("removed", c) for c in gone if c not in self.twins)
        yield from (_whole("added", c) for c in come if c not in found)

    def _descend(
        self,
        old: Component,
        new: Component,
        gone: list[Component],
        come: list[Component],
        *,
        moved: bool = False,
    ) -> Iterator[Change]:
        """Compare a pair and, matched, what is inside; what finds no match is noted."""
        self.twins[old] = new
        change = _compared(old, new, new.short_name, moved=moved)
        if change is not None:
            yield change
        matching = _Matching(_children(old), _children(new))
        matching.in_order(lambda c: (c.class_name, c.name, _target(c)))
        matching.by(lambda c: c.class_name)
        matching.by_likeness(_likeness)
        gone += matching.old
        come += matching.new
        for before, after in matching.pairs:
            yield from self._descend(before, after, gone, come)

    def _piece_changes(self) -> Iterator[Change]:
        matching = _Matching(self._old.slots(), self._new.slots())
        matching.by(lambda slot: slot.get("gpid") or None, _have_to_do)
        matching.in_order(lambda slot: (slot.name, whereabouts(slot), slot.text))
        matching.by(lambda slot: (slot.name, whereabouts(slot)))
        matching.by(lambda slot: slot.name)
        matching.by_likeness(_piece_likeness)
        for slot in matching.old:
            yield Change("removed", PIECES, slot.name, whereabouts(slot))
        for slot in matching.new:
            yield Change("added", PIECES, slot.name, whereabouts(slot))
        self.twins |= dict(matching.pairs)
        for before, after in matching.pairs:
            home = before.parent
            moved = home is not None and self.twins.get(home) != after.parent
            change = _compared(before, after, PIECES, moved=moved)
            if change is not None:
                yield change


def _have_to_do(one: Component, other: Component) -> bool:
    """Whether two slots with one gpid hold one piece: a module may have been numbered anew."""
    if (one.name and one.name == other.name) or whereabouts(one) == whereabouts(other):
        return True
    return _piece_likeness(one, other) >= _RELATED


def _piece_likeness(one: Component, other: Component) -> float:
    before, after = set(one.text.split("\t")), set(other.text.split("\t"))
    return len(before & after) / max(len(before | after), 1)


def _compared(old: Component, new: Component, group: str, *, moved: bool) -> Change | None:
    """One change for a pair, with all that differs in it; None if nothing does."""
    details = [*_attribute_details(old, new), *_text_details(old, new)]
    if moved:
        details.insert(0, Detail("moved", whereabouts(old), whereabouts(new)))
    if not details:
        return None
    names = {"moved": "moved", f"attribute {new.naming}": "renamed"}
    kind = names.get(details[0].what, "changed") if len(details) == 1 else "changed"
    name = new.name or old.name or new.short_name
    return Change(kind, group, name, whereabouts(new), tuple(details))


def _whole(kind: str, component: Component) -> Change:
    # Pieces inside are told of as pieces.
    inside = sum(not isinstance(c, PieceSlot) for c in component.walk()) - 1
    count = (None, str(inside)) if kind == "added" else (str(inside), None)
    details = (Detail("components inside", *count),) if inside else ()
    name = component.name or component.short_name
    return Change(kind, component.short_name, name, whereabouts(component), details)


def _with_all_inside(components: list[Component]) -> Iterator[Component]:
    return (c for top in components for c in top.walk() if not isinstance(c, PieceSlot))


def _children(component: Component) -> Iterator[Component]:
    return (c for c in component.children() if not isinstance(c, PieceSlot))


def _target(component: Component) -> str:
    return component.target if isinstance(component, ExtensionElement) else ""


def _likeness(one: Component, other: Component) -> float:
    if one.class_name != other.class_name or isinstance(one, ExtensionElement):
        return 0.0
    before, after = (set(c.element.attrib.items()) for c in (one, other))
    attributes = len(before & after) / max(len(before | after), 1)
    if one.holds_piece:
        return (attributes + _piece_likeness(one, other)) / 2
    first, second = ([child.name for child in c.children()] for c in (one, other))
    inside = SequenceMatcher(None, first, second).ratio() if first and second else 0.0
    return max(attributes, inside)


def _attribute_details(old: Component, new: Component) -> Iterator[Detail]:
    for name in sorted({*map(str, old.element.attrib), *map(str, new.element.attrib)}):
        one, other = old.element.get(name), new.element.get(name)
        if one == other:
            continue
        declared = new.declared.get(name)
        if isinstance(declared, Key | Keys):
            one, other = (None if t is None else shown(declared.kind(t)) for t in (one, other))
            if one == other:
                continue
        yield Detail(f"attribute {name}", one, other)
    for tag in ("entry", "option", "setup"):
        one_list, other_list = (
            [(e.get("name", ""), e.text or "") for e in c.asides(tag)] for c in (old, new)
        )
        if one_list != other_list:
            yield Detail(tag, _listed(one_list), _listed(other_list))


def _listed(entries: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name}={text}" if name else text for name, text in entries)


def _text_details(old: Component, new: Component) -> Iterator[Detail]:
    before, after = old.text.strip(), new.text.strip()
    if before == after:
        return
    if not new.holds_piece:
        yield Detail("text", before, after)
        return
    try:
        one, other = parse_add(before), parse_add(after)
    except VassalFormatError:
        yield Detail("definition", before, after)
        return
    yield from piece_details(one, other)
