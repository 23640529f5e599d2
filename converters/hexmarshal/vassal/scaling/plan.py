"""What shall be stretched how: the boards of each map, and the counters."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import NotFoundError, UsageError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.geometry.grids import Size
from hexmarshal.vassal.images.picture_decoding import size_of_whole
from hexmarshal.vassal.scaling.stretch import SAME, Stretch, fit, nearest
from hexmarshal.vassal.scaling.zones import NO_ZONES, Zones
from hexmarshal.vassal.state.at_start import own_boards
from hexmarshal.vassal.state.locator import board_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.vassal.commands.game import BoardChoice
    from hexmarshal.vassal.components import Board, Map
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.scaling.stretch import Pair

__all__ = ["BoardPlan", "MapPlan", "Plan", "find_board", "map_names", "remap_plan", "scale_plan"]

_UNKNOWN: Final = Size(1 << 20, 1 << 20)


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board before and after."""

    old: Size
    new: Size
    stretch: Stretch
    picture: bytes | None = None
    """The picture that takes the place of the old one, if the board is exchanged."""
    zones: Zones = NO_ZONES

    def point(self, point: tuple[int, int]) -> tuple[int, int]:
        """Where a pixel of the board comes to lie, in the zone that it was in."""
        return self.zones.point(point, self.stretch)


@dataclass(frozen=True, slots=True)
class MapPlan:
    """A map as it is before: its edge, the boards that it shows by itself, which may be turned."""

    edge: tuple[int, int]
    factor: Fraction
    """By which the edge changes."""
    shown: tuple[BoardChoice, ...]
    reversible: frozenset[str]


@dataclass(slots=True)
class Plan:
    """What becomes of boards, of the edges of maps, and of counters."""

    boards: dict[tuple[str, str], BoardPlan] = field(default_factory=dict)
    maps: dict[str, MapPlan] = field(default_factory=dict)
    counters: Fraction = Fraction(1)
    names: dict[str, str] = field(default_factory=dict)
    """The maps by every name that saves have for them."""

    def board(self, of_map: str, board: str) -> BoardPlan:
        """What becomes of a board; one that is not known stays."""
        return self.boards.get((of_map, board)) or BoardPlan(_UNKNOWN, _UNKNOWN, SAME)

    def everywhere(self) -> Stretch | None:
        """The stretch that all boards share but for shifts, if there is one."""
        kinds = {(b.stretch.across, b.stretch.down) for b in self.boards.values()}
        return Stretch(*kinds.pop()) if len(kinds) == 1 else None

    def on_map(self, of_map: str) -> Stretch | None:
        """The stretch of lengths on a map, if its boards agree."""
        kinds = {
            (b.stretch.across, b.stretch.down)
            for (name, _), b in self.boards.items()
            if name == of_map
        }
        return Stretch(*kinds.pop()) if len(kinds) == 1 else None


def map_names(module: Module) -> dict[str, Map]:
    """The maps by the names that this program gives them: their own, or `Map0`, `Map1`, ..."""
    return {m.name or f"Map{number}": m for number, m in enumerate(module.maps())}


def _aliases(module: Module) -> dict[str, str]:
    aliases: dict[str, str] = {}
    for number, of_map in enumerate(module.maps()):
        own = of_map.name or f"Map{number}"
        aliases.setdefault(own, own)
        aliases.setdefault(f"Map{number}", own)
    return aliases


def scale_plan(
    module: Module,
    factor: Fraction,
    *,
    maps: Iterable[str] = (),
    boards: bool = True,
    counters: bool = True,
) -> Plan:
    """Everything by one factor, or boards alone, counters alone, or some maps alone."""
    known = map_names(module)
    chosen = list(maps)
    for name in chosen:
        if name not in known:
            raise NotFoundError(
                f"there is no map {name!r}",
                place=module.place,
                hint=did_you_mean(name, known, f"maps: {', '.join(known)}"),
            )
    plan = Plan(names=_aliases(module), counters=factor if counters and not chosen else Fraction(1))
    for name, of_map in known.items():
        by = factor if boards and (not chosen or name in chosen) else Fraction(1)
        plan.maps[name] = MapPlan(
            (max(0, of_map.edge_width), max(0, of_map.edge_height)),
            by,
            tuple(own_boards(of_map)),
            frozenset(board.name for board in of_map.boards if board.reversible),
        )
        for board in of_map.boards:
            old = board_size(module, board) or _UNKNOWN
            new = Size(max(1, nearest(by * old[0])), max(1, nearest(by * old[1])))
            stretch = Stretch.by(by)
            zones = NO_ZONES if by == 1 else Zones.of(board, stretch)
            plan.boards[name, board.name] = BoardPlan(old, new, stretch, zones=zones)
    return plan


def remap_plan(
    module: Module, of_map: str | None, board: str | None, picture: bytes, pairs: Sequence[Pair]
) -> Plan:
    """One board exchanged for a picture; `pairs` say which pixels show the same on both."""
    name, found = find_board(module, of_map, board)
    size = size_of_whole(picture)
    plan = scale_plan(module, Fraction(1))
    plan.counters = Fraction(1)
    old = board_size(module, found)
    whole = SAME
    if old is not None:
        whole = Stretch(Fraction(size[0], old[0]), Fraction(size[1], old[1]))
    elif len(pairs) < 2:
        raise UsageError(
            f"the size of the board {found.name!r} is not known", hint="give two points with --at"
        )
    stretch = fit(pairs, SAME if pairs else whole)
    zones = Zones.of(found, stretch)
    plan.boards[name, found.name] = BoardPlan(old or _UNKNOWN, Size(*size), stretch, picture, zones)
    return plan


def find_board(module: Module, of_map: str | None, board: str | None) -> tuple[str, Board]:
    """The board of this name on this map; without names, the only one."""
    found = [
        (name, each)
        for name, one in map_names(module).items()
        for each in one.boards
        if of_map in {None, name} and board in {None, each.name}
    ]
    if len(found) == 1:
        return found[0]
    listed = [
        f"{name} / {each.name}" for name, one in map_names(module).items() for each in one.boards
    ]
    if not found:
        raise NotFoundError(
            "there is no such board", place=module.place, hint=f"boards: {', '.join(listed)}"
        )
    raise UsageError("which board?", hint=f"name one with --map and --board: {', '.join(listed)}")
