"""A component of a build file: a typed view of one XML element, stock or of a module's own code."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

from lxml import etree

from hexmarshal.errors import Place, UsageError
from hexmarshal.vassal.components.attributes import Attribute, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

__all__ = ["ASIDES", "Component", "STOCK", "stock_class", "view"]

C = TypeVar("C", bound="Component")

STOCK: Final[dict[str, type[Component]]] = {}
"""Every declared component class by its tag, the full Java class name."""

ASIDES: Final = frozenset({"entry", "option", "setup"})
"""Elements that hold a component's own data and are no components."""

_NAMINGS: Final = ("name", "entryName", "mapName", "chartName", "title", "description")


class Component:
    """A view of an element; two views of one element are equal.

    A subclass declares a stock class: its tag, its attributes, which of them is its name, and
    what it may contain. A component of a module's own Java class is a plain `Component`, or the
    stock class whose part it plays (a map is what holds a board picker).
    """

    __slots__ = ("element",)

    tag: ClassVar[str] = ""
    naming: ClassVar[str] = ""
    """The attribute that the engine takes the component's name from; empty if it has none."""
    contains: ClassVar[tuple[str, ...]] = ()
    """Short names of what the engine's editor offers to put inside."""
    holds_piece: ClassVar[bool] = False
    """Whether its text is the definition of a piece."""
    declared: ClassVar[dict[str, Attribute[Any]]] = {}
    """The declared attributes by their names in the file."""

    def __init_subclass__(
        cls,
        *,
        tag: str = "",
        naming: str | None = None,
        contains: tuple[str, ...] | None = None,
        holds_piece: bool | None = None,
    ) -> None:
        super().__init_subclass__()
        cls.tag = tag
        if naming is not None:
            cls.naming = naming
        if contains is not None:
            cls.contains = contains
        if holds_piece is not None:
            cls.holds_piece = holds_piece
        declared: dict[str, Attribute[Any]] = {}
        for base in reversed(cls.__mro__[1:]):
            declared |= getattr(base, "declared", {})
        declared |= {a.name: a for a in vars(cls).values() if isinstance(a, Attribute)}
        if cls.naming:
            declared.setdefault(cls.naming, Text(cls.naming))
        cls.declared = declared
        if tag:
            STOCK[tag] = cls

    def __init__(self, element: _Element) -> None:
        self.element = element

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and self.element is other.element

    def __hash__(self) -> int:
        return hash(self.element)

    def __repr__(self) -> str:
        return f"<{self.short_name} {self.name!r}>" if self.name else f"<{self.short_name}>"

    @classmethod
    def new(cls, attributes: Mapping[str, str] | None = None, *, tag: str | None = None) -> Self:
        """A component that stands nowhere yet; without `tag`, of the class's own Java class."""
        made = cls(etree.Element(tag or cls.tag))
        for name, value in (attributes or {}).items():
            made.set(name, value)
        return made

    @property
    def class_name(self) -> str:
        """The Java class, which is the element's tag."""
        return self.element.tag

    @property
    def short_name(self) -> str:
        """The Java class without its package."""
        return self.class_name.rpartition(".")[2]

    @property
    def stock(self) -> bool:
        """Whether the engine itself has this class."""
        return self.class_name in STOCK

    @property
    def name(self) -> str:
        """What the engine's editor and component paths call it; empty if it has no name."""
        if self.naming:
            return self.element.get(self.naming, "")
        if type(self) is Component:
            return next((v for v in map(self.element.get, _NAMINGS) if v), "")
        return ""

    @name.setter
    def name(self, value: str) -> None:
        naming = self.naming or next((n for n in _NAMINGS if self.element.get(n) is not None), "")
        if not naming:
            raise UsageError(f"a {self.short_name} has no name", place=self.place)
        self.set(naming, value)

    @property
    def text(self) -> str:
        """The element's text, exactly; of slots and prototypes the definition of the piece."""
        return self.element.text or ""

    @text.setter
    def text(self, value: str) -> None:
        try:
            self.element.text = value
        except ValueError as why:
            raise _not_xml(self.place) from why

    @property
    def line(self) -> int | None:
        """The line in the file, while it is as it was read."""
        line: int | None = getattr(self.element, "sourceline", None)
        return line

    @property
    def place(self) -> Place:
        """What to call it in an error."""
        return Place(line=self.line, unit=self.name or self.short_name)

    def get(self, attribute: str, default: str = "") -> str:
        """An attribute's text, declared or not."""
        return self.element.get(attribute, default)

    def set(self, attribute: str, value: str | None) -> None:
        """Set an attribute's text, or remove it."""
        if value is None:
            self.element.attrib.pop(attribute, "")
            return
        try:
            self.element.set(attribute, value)
        except ValueError as why:
            raise _not_xml(Place(field=attribute).within(self.place)) from why

    def has(self, attribute: str) -> bool:
        """Whether the attribute is written at all."""
        return self.element.get(attribute) is not None

    @property
    def parent(self) -> Component | None:
        """The component around it."""
        above = self.element.getparent()
        return None if above is None else view(above)

    def ancestors(self) -> Iterator[Component]:
        """The components around it, from the inside out."""
        return map(view, self.element.iterancestors())

    def children(self) -> Iterator[Component]:
        """The components directly inside."""
        for element in self.element:
            if isinstance(element.tag, str) and element.tag not in ASIDES:
                yield view(element)

    def walk(self) -> Iterator[Component]:
        """This component and all inside it, in the order of the file."""
        for element in self.element.iter(etree.Element):
            if element.tag not in ASIDES:
                yield view(element)

    def child(self, cls: type[C]) -> C | None:
        """The first component directly inside that is a `cls`."""
        return next((c for c in self.children() if isinstance(c, cls)), None)

    def each(self, cls: type[C], *, deep: bool = True) -> Iterator[C]:
        """All components inside that are a `cls`; with `deep` false only those directly inside."""
        found = self.walk() if deep else self.children()
        return (c for c in found if isinstance(c, cls) and c.element is not self.element)

    def append(self, child: C) -> C:
        """Put a component at the end of this one; it leaves where it was."""
        child.element.tail = None
        self.element.append(child.element)
        return child

    def add(self, cls: type[C], attributes: Mapping[str, str] | None = None) -> C:
        """Make a component at the end of this one."""
        return self.append(cls.new(attributes))

    def insert(self, index: int, child: C) -> C:
        """Put a component before the element at `index` of this one."""
        child.element.tail = None
        self.element.insert(index, child.element)
        return child

    def copy(self) -> Self:
        """The same once more with all that is inside, standing nowhere yet."""
        twin = deepcopy(self.element)
        twin.tail = None
        return type(self)(twin)

    def remove(self) -> None:
        """Take it out of its parent."""
        above = self.element.getparent()
        if above is not None:
            above.remove(self.element)

    def asides(self, tag: str) -> Iterator[_Element]:
        """The elements inside that hold the component's own data."""
        return self.element.iterchildren(tag)


def view(element: _Element) -> Component:
    """The typed view of an element: of its stock class, or of the part it plays."""
    cls = STOCK.get(element.tag)
    return (cls or _part_played(element))(element)


def stock_class(name: str) -> type[Component] | None:
    """The declared class of a full or short Java class name."""
    if name in STOCK:
        return STOCK[name]
    return next((cls for tag, cls in STOCK.items() if tag.rpartition(".")[2] == name), None)


def _part_played(element: _Element) -> type[Component]:
    """What a class of a module's own code stands in for, judged by its structure."""
    if any(isinstance(c.tag, str) and c.tag.endswith("BoardPicker") for c in element):
        return STOCK["VASSAL.build.module.Map"]
    if element.tag.endswith("BoardPicker"):
        return STOCK["VASSAL.build.module.map.BoardPicker"]
    if (element.text or "").startswith("+/"):
        if element.get("entryName") is not None:
            return STOCK["VASSAL.build.widget.PieceSlot"]
        return STOCK["VASSAL.build.module.PrototypeDefinition"]
    return Component


def _not_xml(place: Place) -> UsageError:
    return UsageError("has a character that XML cannot hold", place=place)
