"""What published modules have: each habit with what it is good for and the recipe that adds it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import (
    CounterDetailViewer,
    Inventory,
    Map,
    NotesWindow,
    TurnTracker,
)
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import BasicPiece, Footprint, MovementMarkable, ReportState
from hexmarshal.vassal.traits.actions import TriggerAction

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.lint.subject import ModuleSubject
    from hexmarshal.vassal.traits import Trait

__all__ = ["HABITS", "Habit"]

_MOST_KEYS: Final = 12


@dataclass(frozen=True, slots=True)
class Habit:
    """One thing that a module of some size has; `recipe` writes the YAML that adds it."""

    id: str
    title: str
    good_for: str
    has: Callable[[ModuleSubject], bool]
    recipe: Callable[[ModuleSubject], str]
    pieces: int
    """From so many pieces on a module is missed for lacking it."""
    command: str = ""
    """Another command that adds it, with more than a recipe can."""


def _has_trait(*classes: type[Trait]) -> Callable[[ModuleSubject], bool]:
    return lambda subject: any(isinstance(use.trait, classes) for use in subject.traits)


def _has_turns(subject: ModuleSubject) -> bool:
    # Trackers of a module's own code are called so too.
    return any(
        isinstance(c, TurnTracker) or c.short_name.endswith("TurnTracker")
        for c in subject.components
    )


def _sees_under_mouse(subject: ModuleSubject) -> bool:
    maps = [each for each in subject.components if isinstance(each, Map)]
    return not maps or any(
        isinstance(inner, CounterDetailViewer) or inner.short_name.endswith("DetailViewer")
        for each in maps
        for inner in each.walk()
    )


def _reports(subject: ModuleSubject) -> str:
    """A report of the keys that menus of the pieces offer, the most frequent ones."""
    offered: Counter[str] = Counter(
        use.name
        for each in subject.traits
        if not isinstance(each.trait, TriggerAction | BasicPiece)
        for use in trait_uses(each.trait)
        if use.kind == "key" and use.role == "hears" and use.offered
    )
    keys = [key for key, _ in offered.most_common(_MOST_KEYS)] or ["Ctrl+D"]
    listed = ", ".join(f"'{key}'" for key in keys if "#" not in key and "'" not in key)
    return f"""\
recipe: 1
about: Pieces say in the chat what was done with them
steps:
  - pieces: {{name: "*"}}
    do:
      - add_trait:
          kind: ReportState
          fields:
            keys: [{listed}]
            format: "$location$: $newPieceName$ $menuCommand$ *"
"""


def _fixed(text: str) -> Callable[[ModuleSubject], str]:
    return lambda _subject: text


HABITS: Final = (
    Habit(
        "report-traits",
        "no piece reports in the chat what is done with it",
        "players and logs see every flip and loss; hexmarshal check reads these lines",
        _has_trait(ReportState),
        _reports,
        10,
    ),
    Habit(
        "inventory-window",
        "no inventory window lists the pieces on the maps",
        "players find a piece by name, and see what is left",
        lambda subject: any(True for _ in subject.known(Inventory)),
        _fixed("""\
recipe: 1
about: A window that lists all pieces by map and location
steps:
  - components: GameModule
    do:
      - add:
          class: Inventory
          set:
            name: Inventory
            text: Inventory
            tooltip: All pieces
            icon: /images/inventory.gif
            include: "{true}"
            groupBy: CurrentMap,LocationName
"""),
        50,
    ),
    Habit(
        "movement-trails",
        "no piece has a movement trail or a mark that it has moved",
        "the other player sees what was moved, and how, without reading the chat",
        _has_trait(Footprint, MovementMarkable),
        _fixed("""\
recipe: 1
about: Movement trails, switched on by a key
steps:
  - pieces: {name: "*"}
    do:
      - add_trait:
          kind: Footprint
          fields: {command: Movement trail, key: Ctrl+T}
"""),
        20,
    ),
    Habit(
        "mouse-over",
        "no map shows a stack when the mouse rests on it",
        "players read what is under the top counter without touching it",
        _sees_under_mouse,
        _fixed("""\
recipe: 1
about: Stacks are shown when the mouse rests on them
steps:
  - components: "GameModule > Map"
    do:
      - add:
          class: CounterDetailViewer
          set:
            version: 4
            minDisplayPieces: 1
            showgraph: true
            emptyHexReportForma: $LocationName$
"""),
        10,
    ),
    Habit(
        "turn-tracker",
        "no turn tracker counts the turns",
        "saves and logs tell in which turn they are",
        _has_turns,
        _fixed("""\
recipe: 1
about: A tracker that counts turns
steps:
  - components: GameModule
    do:
      - add: {class: TurnTracker, set: {name: Turn, turnFormat: Turn $level1$}}
  - components: "GameModule > TurnTracker[name=Turn]"
    do:
      - add: {class: CounterTurnLevel, set: {name: Turn, property: Turn, start: 1, incr: 1}}
"""),
        10,
        "hexmarshal enhance adds one with the phases of a game whose rules are known",
    ),
    Habit(
        "notes",
        "no notes window",
        "players keep public and secret notes with the game, scenarios their conditions",
        lambda subject: any(True for _ in subject.known(NotesWindow)),
        _fixed("""\
recipe: 1
about: A window for notes
steps:
  - components: GameModule
    do:
      - add: {class: NotesWindow, set: {buttonText: Notes, tooltip: Notes, icon: /images/notes.gif}}
"""),
        10,
    ),
)
