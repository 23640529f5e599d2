"""A module, its set-ups and its players' saves stretched by one plan, with an account of it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.commands.game import ChooseBoards
from hexmarshal.vassal.commands.piece import MovePiece
from hexmarshal.vassal.commands.table import Flare, ShowThread
from hexmarshal.vassal.components import Board, GamePieceImage
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.images.image_uses import image_uses
from hexmarshal.vassal.pieces.expression_fields import expressions_of
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces
from hexmarshal.vassal.pieces.references import images_of
from hexmarshal.vassal.privacy.scrubbing import redactor_of_modules
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.scaling.boards import stretch_components
from hexmarshal.vassal.scaling.layout import Layouts
from hexmarshal.vassal.scaling.pictures import new_size, refuse_huge, resized
from hexmarshal.vassal.scaling.pieces import PieceScaler
from hexmarshal.vassal.scaling.plan import map_names
from hexmarshal.vassal.scaling.stretch import Stretch
from hexmarshal.vassal.xml.component_paths import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.scaling.plan import Plan


__all__ = ["Scaled", "scale_game", "scale_module"]

_PIXEL_NAMES: Final = re.compile(r"\b(?:CurrentX|CurrentY|OldX|OldY)\b")


@dataclass(slots=True)
class Scaled:
    """What was changed, and what a maker has to look at."""

    components: dict[str, int] = field(default_factory=dict)
    definitions: int = 0
    pictures: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    unsure: dict[str, int] = field(default_factory=dict)
    """In words, and how often."""
    problems: list[str] = field(default_factory=list)

    def doubt(self, words: str) -> None:
        """Note once more what cannot be told."""
        self.unsure[words] = self.unsure.get(words, 0) + 1

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "components": self.components,
            "definitions": self.definitions,
            "pictures": self.pictures,
            "games": self.games,
            "look_at": [{"what": what, "times": times} for what, times in self.unsure.items()],
            "problems": self.problems,
        }


def scale_module(module: Module, plan: Plan, advance: Callable[[int], None]) -> Scaled:
    """Change a module, or an extension of it; it is changed but not saved."""
    done = Scaled()
    factors = _pictures(module, plan, done)
    refuse_huge(dict(_new_sizes(module, factors)))
    _games(module, plan, done)
    _definitions(module, plan, done)
    done.components = stretch_components(module, plan, done.unsure)
    for entry, factor in factors.items():
        new = resized(module.read(entry), factor.across, factor.down)
        if new is None:
            done.problems.append(f"{entry}: cannot be read as a picture, and stays as it is")
        else:
            module.changes[entry] = new
            done.pictures.append(entry)
        advance(1)
    _exchange(module, plan, done)
    if plan.counters != 1:
        for drawn in module.each(GamePieceImage):
            done.doubt(f"{spoken(drawn)}: drawn by VASSAL from a layout, which stays as it is")
    hide = redactor_of_modules(module)
    done.unsure = _hidden(done.unsure, hide)
    done.problems = [hide(words) for words in done.problems]
    return done


def _new_sizes(
    module: Module, factors: Mapping[str, Stretch]
) -> Iterator[tuple[str, tuple[int, int]]]:
    for entry, factor in factors.items():
        size = image_size(module.read(entry))
        if size is not None and factor.mean > 1:
            yield entry, new_size(size, factor.across, factor.down)


def _hidden(unsure: dict[str, int], hide: Callable[[str], str]) -> dict[str, int]:
    """Without players' ids, which may stand in a field that holds no length."""
    told: Counter[str] = Counter()
    for words, times in unsure.items():
        told[hide(words)] += times
    return dict(told)


def scale_game(saved: SavedGame, plan: Plan, unsure: dict[str, int]) -> SavedGame:
    """A save or log with every piece where it now belongs; itself if nothing changes."""
    chosen = {
        command.map: command.boards
        for node in saved.save_part()
        if isinstance(command := node.command, ChooseBoards)
    }
    layouts = Layouts(plan, chosen)
    doubts: dict[str, int] = {}
    scaler = PieceScaler(plan, layouts, doubts)
    everywhere = plan.everywhere()

    def other(command: Command) -> Command:
        match command:
            case MovePiece():
                x, y = layouts.point(command.map, (command.x, command.y))
                old_x, old_y = layouts.point(command.old_map, (command.old_x, command.old_y))
                moved = replace(command, x=x, y=y, old_x=old_x, old_y=old_y)
                return command if moved == command else moved
            case Flare() if everywhere is not None:
                x, y = everywhere.point((command.x, command.y))
                return replace(command, x=x, y=y)
            case ShowThread() if everywhere is not None:
                ax, ay = everywhere.point((command.ax, command.ay))
                bx, by = everywhere.point((command.bx, command.by))
                return replace(command, ax=ax, ay=ay, bx=bx, by=by)
        return command

    changed = rewrite_pieces(saved, scaler.piece, other)
    if doubts:
        for words, times in _hidden(doubts, redactor_of(saved.root)).items():
            unsure[words] = unsure.get(words, 0) + times
    return changed


def picture_count(module: Module, plan: Plan) -> int:
    """How many pictures there are to change."""
    return len(_pictures(module, plan, Scaled()))


def _pictures(module: Module, plan: Plan, done: Scaled) -> dict[str, Stretch]:
    """The entries to resize and by how much; a picture that is also an icon is told of."""
    wanted: dict[str, Stretch] = {}
    elsewhere: dict[str, str] = {}

    def want(name: str, factor: Stretch) -> None:
        found = module.find_image(name)
        if not factor.is_resizing or found is None or found.in_engine or found.archive != 0:
            return
        if wanted.setdefault(found.entry, factor) != factor:
            done.doubt(f"{found.entry}: a board and counters of another factor share this picture")

    boards: dict[str, set[Stretch]] = {}
    for name, of_map in map_names(module).items():
        for board in of_map.boards:
            planned = plan.board(name, board.name)
            if planned.picture is None and board.image:
                factor = Stretch(planned.stretch.across, planned.stretch.down)
                boards.setdefault(board.image, set()).add(factor)
    for image, factors in boards.items():
        if len(factors) > 1:
            done.doubt(f"{image}: boards of different factors share this picture")
        want(image, max(factors, key=lambda each: each.is_resizing))
    by = Stretch.by(plan.counters)
    for use in image_uses(module):
        if not use.attribute:
            want(use.name, by)
        elif not isinstance(use.component, Board):
            elsewhere.setdefault(use.name, spoken(use.component))
    for entry in nested_saves(module) if by.is_resizing else ():
        try:
            pieces = open_nested(module, entry).pieces()
            names = {n for c in pieces for n in images_of(Piece.parse(c.type, c.state))}
        except HexMarshalError:
            continue
        for name in sorted(names):
            want(name, by)
    for name, where in elsewhere.items():
        found = module.find_image(name)
        if found is not None and found.archive == 0 and found.entry in wanted:
            done.doubt(f"{found.entry}: also shown by {where}, where its size changes too")
    return wanted


def _games(module: Module, plan: Plan, done: Scaled) -> None:
    for entry in nested_saves(module):
        try:
            saved = open_nested(module, entry)
            changed = scale_game(saved, plan, done.unsure)
        except HexMarshalError as why:
            done.problems.append(f"{entry}: {why.message}")
            continue
        if changed is not saved:
            module.changes[entry] = changed.to_bytes()
            done.games.append(entry)


def _definitions(module: Module, plan: Plan, done: Scaled) -> None:
    scaler = PieceScaler(plan, Layouts(plan), done.unsure)
    for component in module.walk():
        _look_for_pixels(component, map(str, component.element.attrib.values()), done)
        if not component.holds_piece or not component.text.strip():
            continue
        try:
            piece = parse_add(component.text.strip())
            _look_for_pixels(component, (e for t in piece.traits for e in expressions_of(t)), done)
            changed = scaler.piece(piece)
        except VassalFormatError as why:
            done.problems.append(f"{spoken(component)}: {why.message}")
            continue
        if changed is not piece:
            component.text = format_add(changed)
            done.definitions += 1


def _look_for_pixels(component: Component, texts: Iterable[str], done: Scaled) -> None:
    """Note an expression that asks where a piece is: what it does with that cannot be followed."""
    found = next(filter(None, map(_PIXEL_NAMES.search, texts)), None)
    if found is not None:
        done.doubt(f"{spoken(component)}: counts pixels ({found[0]})")


def _exchange(module: Module, plan: Plan, done: Scaled) -> None:
    """Put the new picture of an exchanged board in; the old one goes if nothing else names it."""
    for name, of_map in map_names(module).items():
        for board in of_map.boards:
            planned = plan.boards.get((name, board.name))
            if planned is None or planned.picture is None:
                continue
            old = str(board.image)
            image = _file_name(module, board.name, planned.picture, old)
            module.changes[f"images/{image}"] = planned.picture
            board.image = image
            board.width = board.height = None
            done.pictures.append(f"images/{image}")
            named = {use.name for use in image_uses(module)}
            found = None if not old or old in named else module.find_image(old)
            if found is not None and found.archive == 0 and not found.in_engine:
                module.changes[found.entry] = None


def _file_name(module: Module, board: str, picture: bytes, old: str) -> str:
    kinds = {b"\x89PNG": ".png", b"GIF8": ".gif", b"\xff\xd8": ".jpg"}
    suffix = next((s for head, s in kinds.items() if picture.startswith(head)), ".svg")
    stem = re.sub(r"[^\w.-]+", "_", old.rpartition(".")[0] if "." in old else old or board)
    name = f"{stem}{suffix}"
    used = {use.name for use in image_uses(module)} - {old}
    number = 2
    while name in used or (name != old and module.has(f"images/{name}")):
        name, number = f"{stem}-{number}{suffix}", number + 1
    return name
