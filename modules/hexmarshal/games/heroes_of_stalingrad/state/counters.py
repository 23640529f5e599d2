"""Counters as printed: faces, weapons, abilities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hexmarshal.games.heroes_of_stalingrad.state.kinds import AMBUSHED, HEAVY, INFANTRY

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["UNSEEN", "Counter", "Face", "Weapon"]

X = "X"
FULL_ARC = 360


def _values(row: Mapping[str, Any] | None) -> dict[str, int | None]:
    """Combat values by family; X, and what is not printed, is None: no attack."""
    return {k: v if isinstance(v, int) else None for k, v in (row or {}).items()}


@dataclass(frozen=True, slots=True)
class Weapon:
    """HOS-2.84, HOS-4.6: one weapon of a face; a counter without several has the one ''."""

    name: str
    main: bool
    combat: Mapping[str, int | None]
    abilities: Mapping[str, Any]
    arc: int = FULL_ARC

    def value(self, family: str) -> int | None:
        """HOS-2.71: the combat value against a family; None is the X."""
        return self.combat.get(family)

    def has(self, ability: str) -> bool:
        """Whether this weapon has an ability."""
        return ability in self.abilities and self.abilities[ability] is not False

    def number(self, ability: str, default: int = 0) -> int:
        """The number printed in an ability's symbol."""
        value = self.abilities.get(ability, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default


@dataclass(frozen=True, slots=True)
class Face:
    """HOS-4.2, HOS-4.5: one side of a counter: intact or reduced, a state, or a wreck."""

    name: str
    defence: Mapping[str, int]
    move: int | None
    loss: str
    weapons: tuple[Weapon, ...]
    abilities: Mapping[str, Any] = field(default_factory=dict)
    load: int = 2
    terrain: str = ""

    def has(self, ability: str) -> bool:
        """Whether the face has an ability, apart from those of single weapons."""
        return ability in self.abilities and self.abilities[ability] is not False

    def number(self, ability: str, default: int = 0) -> int:
        """The number printed in an ability's symbol."""
        value = self.abilities.get(ability, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    @property
    def wreck(self) -> bool:
        """Whether it is the face of a wreck."""
        return self.name == "wreck"

    @property
    def arc(self) -> int:
        """HOS-2.82: the widest arc of its weapons, in degrees."""
        return max((weapon.arc for weapon in self.weapons), default=FULL_ARC)


@dataclass(frozen=True, slots=True)
class Counter:
    """HOS-4.3, HOS-4.4: a counter by its key, with both faces; guns count as one cell."""

    key: str
    title: str
    side: str
    family: str
    border: str
    cells: int
    faces: tuple[Face, ...]
    character: bool = False
    oversized: bool = False

    @classmethod
    def read(cls, key: str, row: Mapping[str, Any]) -> Counter:
        """From its row of counters.yaml, or from a position that brings its own."""
        family = str(row.get("family", INFANTRY))
        return cls(
            key,
            str(row.get("title", key)),
            str(row.get("side", "")),
            family,
            str(row.get("border", "army")),
            int(row.get("cells", 2 if family == HEAVY else 1)),
            tuple(_face(face, character=bool(row.get("character"))) for face in row["faces"]),
            bool(row.get("character")),
            bool(row.get("oversized")),
        )

    def face(self, steps: int) -> Face:
        """The face that shows: 2 steps the first, 1 the second."""
        return self.faces[0] if steps >= len(self.faces) else self.faces[len(self.faces) - steps]

    @property
    def changes_state(self) -> bool:
        """HOS-5.1: whether its two faces are states: ambush, crew, tripod, or two of a vehicle."""
        return any(face.name in ("active", "inactive") for face in self.faces)


def _face(row: Mapping[str, Any], *, character: bool) -> Face:
    printed = row.get("defence", 0)
    sides = (
        printed if hasattr(printed, "items") else dict.fromkeys(("front", "side", "rear"), printed)
    )
    abilities = dict(row.get("abilities") or {})
    arc = int(row.get("arc", FULL_ARC))
    weapons = tuple(
        Weapon(
            name,
            bool(weapon.get("main")),
            _values(weapon.get("combat")),
            {**abilities, **dict(weapon.get("abilities") or {})},
            int(weapon.get("arc", arc)),
        )
        for name, weapon in (row.get("weapons") or {}).items()
    )
    if not weapons and row.get("name") != "wreck":
        weapons = (Weapon("", True, _values(row.get("combat")), abilities, arc),)
    move = row.get("move", "X")
    return Face(
        str(row.get("name", "intact")),
        {side: int(value) for side, value in sides.items()},
        move if isinstance(move, int) else None,
        str(row.get("loss", "destroyed")),
        weapons,
        abilities,
        1 if character else int(row.get("load", 2)),
        str(row.get("terrain", "")),
    )


_HIDDEN = _face({"name": "active", "defence": 0, "abilities": {"ambush": True}}, character=False)
UNSEEN = Counter(AMBUSHED, "Unit in ambush", "", INFANTRY, "army", 1, (_HIDDEN,))
"""What a side knows of an enemy counter in ambush."""
