"""Units and markers as a game declares them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hexmarshal.kit.drawing.counters import SIZE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Count", "MarkerPiece", "Sides", "State", "Text", "UnitPiece"]


@dataclass(frozen=True, slots=True)
class State:
    """A sign that Ctrl and a key put on a piece: a picture over it, and a flag of the rules.

    An `aid` only helps players remember. `carrier` says that the unit is carried by the one below.
    Only pieces of which `at` holds, by their properties, have it in their menus.
    """

    name: str
    svg: str
    key: str
    flag: str = ""
    menu: str = ""
    aid: bool = False
    carrier: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True)
class Sides:
    """Pictures of which a key shows the next one: fresh or spent, limbered or in action.

    They lie over the face; an empty one shows nothing. `means` is for each what it tells the rules,
    as the cases of a binding do: `{"flags": ["spent"]}`, `{"values": {"stance": "prone"}}`; or
    several that it does not tell apart. With `back`, a menu entry and its key, they go to and fro
    and not round. `words` are what the chat calls each of them.
    """

    name: str
    svgs: tuple[str, ...]
    means: tuple[Mapping[str, Any] | Sequence[Mapping[str, Any]], ...]
    key: str = "F"
    menu: str = ""
    back: tuple[str, str] = ("", "")
    words: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """What the chat says as each of them shows."""
        numbered = (f"{self.menu or self.name} ({n})" for n in range(1, len(self.svgs) + 1))
        return self.words or tuple(numbered)


@dataclass(frozen=True, slots=True)
class Count:
    """A number that players change by keys and the rules know as a value: ammunition, fuel."""

    name: str
    value: str
    start: int = 0
    least: int = 0
    most: int = 99
    up: str = ""
    down: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A word that players write on a piece and the rules know as a value: what it belongs to."""

    name: str
    value: str
    menu: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPiece:
    """A unit's counter: its faces step by step, full strength first, each an SVG.

    With an `id` it is that one unit; without, a kind of counter of which set-ups take any number.
    `back` hides what it is, as `unknown` to the rules; with `hides` it may be out of sight. What
    `turns` turns as a whole, a long vehicle for instance; else an arrow turns below the counter.
    """

    type: str
    side: str
    name: str
    faces: tuple[str, ...]
    id: str = ""
    panel: str = ""
    states: tuple[State, ...] = ()
    sides: tuple[Sides, ...] = ()
    facings: int = 0
    turns: bool = False
    behind: int = 0
    """How far what turns as a whole reaches behind its own square, in pixels."""
    counts: tuple[Count, ...] = ()
    texts: tuple[Text, ...] = ()
    back: str = ""
    unknown: str = "unknown"
    hides: bool = False
    turning: tuple[str, str] = ("Lose a step", "Regain a step")
    """What the menu calls turning to the next face, and back."""
    turned: tuple[str, str] = ("loses a step", "regains a step")
    """What the chat tells of it then."""
    kind_name: str = ""
    """What players call its kind, where neither its type nor its name says so."""
    size: int = SIZE
    known: Mapping[str, str] = field(default_factory=dict)
    """Properties that never change, for filters and inventories."""

    @property
    def kind(self) -> str:
        """What players call all units of its kind."""
        words = self.type.replace("_", " ")
        own = f"{words[:1].upper()}{words[1:]}"
        return self.kind_name or (own if self.id else self.name)

    @property
    def image(self) -> str:
        """What its pictures are called."""
        return f"unit-{self.id or f'{self.side}-{self.type}'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerPiece:
    """A marker: a marker of the rules, a fact about its cell, or nothing that they know of.

    `cell` are facts about the cell while it lies there; `nothing` is for players alone. Otherwise
    it is a marker of its kind, of the unit below it if `on_unit`. Of several faces each may give
    `values` of its own. Markers of one kind that differ by a value `own` it: its name, and the text
    that it has on this one. `back` hides that from the other side, as `unknown` to the rules, and
    as a hidden `covered_name` to the chat; what is `covered` lies face down from the palette on, so
    that no report tells what comes. An `aid` is
    read and written, and nobody is blamed for it. `shows` is written below the piece, with its
    counts and texts as `$Name$`. What `lies` "over" or "under" units belongs to its cell: it is in
    no stack, and stays when the units are dragged away. One face may lie at an `offset` from the
    middle of its place, so that what lies below it can be seen and taken.
    """

    kind: str
    name: str
    faces: tuple[str, ...]
    side: str = ""
    cell: Mapping[str, Any] = field(default_factory=dict)
    nothing: bool = False
    on_unit: bool = False
    values: tuple[Mapping[str, Any], ...] = ()
    own: tuple[str, str] | None = None
    counts: tuple[Count, ...] = ()
    texts: tuple[Text, ...] = ()
    shows: str = ""
    aid: bool = False
    back: str = ""
    covered: bool = False
    covered_name: str = "marker"
    unknown: str = ""
    states: tuple[State, ...] = ()
    facings: int = 0
    hides: bool = False
    stacks: bool = True
    lies: Literal["", "over", "under"] = ""
    offset: tuple[int, int] = (0, 0)
    panel: str = "Markers"
    size: int = SIZE

    @property
    def image(self) -> str:
        """What its pictures are called."""
        apart = (self.kind, self.side, self.own[1] if self.own else "")
        return "-".join(("marker", *filter(None, apart)))
