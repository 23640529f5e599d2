"""Three build files made into one: what the other side added, removed, moved and changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components import ASIDES, view
from hexmarshal.vassal.diff.components import BuildFileDiff
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.threeway.pieces import merge_pieces
from hexmarshal.vassal.threeway.sequences import merge_orders
from hexmarshal.vassal.xml.component_paths import spoken

if TYPE_CHECKING:
    from lxml.etree import _Element

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.threeway.account import Account

__all__ = ["BuildFileMerge"]

_COUNTS: Final = frozenset({"nextPieceSlotId"})


class BuildFileMerge:
    """Changes ours in place by what theirs changed since base."""

    def __init__(self, base: Module, ours: Module, theirs: Module, account: Account) -> None:
        self._base, self._ours, self._theirs = base, ours, theirs
        self._account = account
        self._in_ours = BuildFileDiff(base, ours).twins
        self._in_theirs = BuildFileDiff(base, theirs).twins
        self._base_of_ours = {new: old for old, new in self._in_ours.items()}
        self._base_of_theirs = {new: old for old, new in self._in_theirs.items()}
        self.added: dict[Component, Component] = {}
        """What theirs added, each with its copy in ours."""
        self._contents: dict[Component, int] = {}

    def run(self) -> None:
        """Do it; conflicts go into the account."""
        # Before anything is changed: what each side has made of what was there.
        self._contents = _contents(self._base) | _contents(self._ours) | _contents(self._theirs)
        for old, mine in self._in_ours.items():
            other = self._in_theirs.get(old)
            if other is not None:
                self._values(old, mine, other)
        self._add()
        self._move()
        self._remove()
        self._order()

    # Values

    def _values(self, base: Component, ours: Component, theirs: Component) -> None:
        names = dict.fromkeys(str(name) for c in (base, ours, theirs) for name in c.element.attrib)
        for name in names:
            values = tuple(c.element.get(name) for c in (base, ours, theirs))
            was, mine, other = values
            if other in (was, mine):
                continue
            if name in _COUNTS:
                larger = max(java_int(text or "") or 0 for text in values)
                ours.set(name, str(larger))
                continue
            chosen = self._account.choose((was, mine, other), spoken(ours), f"attribute {name}")
            if chosen != mine:
                ours.set(name, chosen)
                self._account.take(f"{spoken(ours)}: attribute {name}")
        self._asides(base, ours, theirs)
        texts = base.text.strip(), ours.text.strip(), theirs.text.strip()
        if texts[2] not in texts[:2]:
            ours.text = self._merged_text(ours, texts)

    def _merged_text(self, ours: Component, texts: tuple[str, str, str]) -> str:
        where = spoken(ours)
        what = "definition" if ours.holds_piece else "text"
        if texts[1] == texts[0]:
            self._account.take(f"{where}: {what}")
            return texts[2]
        if not ours.holds_piece:
            return self._account.choose(texts, where, what)
        try:
            base, mine, theirs = (parse_add(text) for text in texts)
            return format_add(merge_pieces(base, mine, theirs, where, self._account))
        except VassalFormatError:
            return self._account.choose(texts, where, what)

    def _asides(self, base: Component, ours: Component, theirs: Component) -> None:
        """The data of a component that are elements of their own: lists go as a whole."""
        for tag in sorted(ASIDES):
            listed = [[_plain(e) for e in c.asides(tag)] for c in (base, ours, theirs)]
            was, mine, other = map(tuple, listed)
            if other in (was, mine):
                continue
            chosen = self._account.choose((was, mine, other), spoken(ours), tag, "; ".join)
            if chosen == mine:
                continue
            self._account.take(f"{spoken(ours)}: {tag}")
            at = next((i for i, e in enumerate(ours.element) if e.tag == tag), 0)
            for element in list(ours.asides(tag)):
                ours.element.remove(element)
            for element in reversed(list(theirs.asides(tag))):
                ours.element.insert(at, _copy(element))

    # What theirs added, moved and removed

    def _to_ours(self, theirs: Component) -> Component | None:
        """The component of ours that one of theirs is."""
        if theirs in self.added:
            return self.added[theirs]
        base = self._base_of_theirs.get(theirs)
        return None if base is None else self._in_ours.get(base)

    def _add(self) -> None:
        for component in self._theirs.walk():
            if component in self._base_of_theirs or component.parent is None:
                continue
            parent = self._to_ours(component.parent)
            if parent is None:
                if component.parent in self._base_of_theirs:
                    self._account.clash(
                        spoken(component), "added inside what ours removed", None, None, ""
                    )
                continue
            twin = self._added_by_ours(component, parent)
            if twin is not None:
                self.added[component] = twin
                self._both_added(component, twin)
                continue
            copy = view(_shallow(component.element))
            self.added[component] = parent.append(copy)
            if component.parent not in self.added:
                self._account.take(f"{spoken(copy)}: added")

    def _added_by_ours(self, theirs: Component, parent: Component) -> Component | None:
        taken = set(self.added.values())
        for component in parent.children():
            new = component not in self._base_of_ours and component not in taken
            if new and component.class_name == theirs.class_name and component.name == theirs.name:
                return component
        return None

    def _both_added(self, theirs: Component, ours: Component) -> None:
        """The same thing added on both sides: what they say of it is compared."""
        for name in dict.fromkeys(
            (*map(str, ours.element.attrib), *map(str, theirs.element.attrib))
        ):
            mine, other = ours.element.get(name), theirs.element.get(name)
            if mine == other or name == "gpid":
                continue
            self._account.clash(spoken(ours), f"attribute {name}", None, mine, other)
            if self._account.favours_theirs:
                ours.set(name, other)
        if ours.text.strip() != theirs.text.strip():
            self._account.clash(spoken(ours), "text", None, ours.text.strip(), theirs.text.strip())
            if self._account.favours_theirs:
                ours.text = theirs.text

    def _move(self) -> None:
        for old, other in self._in_theirs.items():
            mine = self._in_ours.get(old)
            if mine is None or old.parent is None or other.parent is None or mine.parent is None:
                continue
            if self._base_of_theirs.get(other.parent) == old.parent:
                continue
            target = self._to_ours(other.parent)
            if target == mine.parent:
                continue
            if target is None or target in {mine, *mine.walk()}:
                self._account.clash(spoken(mine), "moved into what ours removed", None, None, "")
                continue
            if self._base_of_ours.get(mine.parent) != old.parent:
                places = (spoken(old.parent), spoken(mine.parent), spoken(other.parent))
                self._account.clash(spoken(mine), "moved", *places)
                if not self._account.favours_theirs:
                    continue
            target.append(mine)
            self._account.take(f"{spoken(mine)}: moved")

    def _remove(self) -> None:
        """What theirs removed goes, unless ours changed it; a removed whole is told of once."""
        for old in self._base.walk():
            mine, other = self._in_ours.get(old), self._in_theirs.get(old)
            above = old.parent
            if above is None or (mine is None) == (other is None):
                continue
            if other is None and mine is not None:
                if above not in self._in_theirs and mine.parent == self._in_ours.get(above):
                    continue
                self._removed_there(old, mine)
            elif other is not None and above in self._in_ours and self._differ(old, other):
                self._account.clash(spoken(old), "removed by ours", "", None, "changed")

    def _differ(self, one: Component, other: Component) -> bool:
        return self._contents[one] != self._contents[other]

    def _removed_there(self, old: Component, mine: Component) -> None:
        changed = self._differ(old, mine)
        if changed:
            self._account.clash(spoken(mine), "removed by theirs", "", "changed", None)
        if changed and not self._account.favours_theirs:
            return
        self._account.take(f"{spoken(mine)}: removed")
        mine.remove()

    def _order(self) -> None:
        """Children in one order: ours, what theirs rearranged, and what is new behind its like."""
        pairs = [(mine, self._in_theirs.get(old), old) for old, mine in self._in_ours.items()]
        whole = [*pairs, *((mine, other, None) for other, mine in self.added.items())]
        fresh = set(self.added.values())
        for mine, other, old in whole:
            now = list(mine.children())
            if other is None or len(now) < 2:
                continue
            here = set(now)
            theirs = [c for t in other.children() if (c := self._to_ours(t)) in here]
            base = [] if old is None else [self._in_ours.get(c) for c in old.children()]
            order, disagree = merge_orders(
                [c for c in base if c is not None and c in here],
                [c for c in now if c not in fresh],
                [c for c in theirs if c is not None],
            )
            if disagree:
                self._account.clash(spoken(mine), "the order of what is inside", None, None, None)
            known = set(order)
            order += [c for c in now if c not in known]
            if order != now:
                for component in order:
                    mine.append(component)


def _contents(module: Module) -> dict[Component, int]:
    """A number for each component with all that is inside: the same says the same."""
    found: dict[Component, int] = {}
    elements = list(module.document.root.iter())
    inside: dict[_Element, list[int]] = {element: [] for element in elements}
    for element in reversed(elements):
        own = (
            element.tag,
            frozenset(element.attrib.items()),
            (element.text or "").strip(),
            tuple(reversed(inside[element])),
        )
        number = hash(own)
        above = element.getparent()
        if above is not None:
            inside[above].append(number)
        if isinstance(element.tag, str) and element.tag not in ASIDES:
            found[view(element)] = number
    return found


def _plain(element: _Element) -> str:
    return etree.tostring(element, encoding="unicode", with_tail=False)


def _copy(element: _Element) -> _Element:
    twin = etree.fromstring(_plain(element))
    twin.tail = None
    return twin


def _shallow(element: _Element) -> _Element:
    """An element with its own data, and without the components inside."""
    twin = etree.Element(element.tag)
    for name, value in element.attrib.items():
        twin.set(name, value)
    twin.text = element.text
    for child in element:
        if child.tag in ASIDES:
            twin.append(_copy(child))
    return twin
