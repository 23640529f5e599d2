"""A recipe done to a module or a saved game: in memory, with a word for every change."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError, HexMarshalError, VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.components import PieceSlot, PrototypeDefinition
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.recipes.games import edit_game
from hexmarshal.vassal.recipes.inside import StepEditor
from hexmarshal.vassal.recipes.recipe import (
    Addition,
    ComponentStep,
    PieceStep,
    Recipe,
    RenameStep,
)
from hexmarshal.vassal.refresh import Refresher, refresh_setups
from hexmarshal.vassal.xml.component_paths import spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.recipes.fields import Substitution
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Change", "Edited", "edit_module", "edit_saved"]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a step changed: where, and what in words."""

    step: int
    where: str
    what: str


@dataclass(slots=True)
class Edited:
    """What a recipe did; `idle` are the steps that found nothing to change."""

    changes: list[Change] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Pieces and set-ups that cannot be read: they stay as they are."""
    idle: list[int] = field(default_factory=list)
    mentions: list[str] = field(default_factory=list)
    """Expressions that hold an old name in a way that is not understood."""
    missing: list[str] = field(default_factory=list)
    """Old names that were to be changed and stand nowhere."""

    def note(self, step: int, where: str, what: str) -> None:
        """Enter a change."""
        self.changes.append(Change(step, where, what))


def edit_module(
    module: Module, recipe: Recipe, advance: Callable[[int], None] = lambda _: None
) -> Edited:
    """Do a recipe to a module in place; on an error throw the module away, it is half done."""
    done = Edited()
    before = None
    if recipe.refresh_setups and module.archive is not None:
        before = Module.from_archive(module.archive)
    for number, step in enumerate(recipe.steps, 1):
        count = len(done.changes)
        if isinstance(step, PieceStep):
            _pieces(module, step, number, done, advance)
        elif isinstance(step, ComponentStep):
            _components(module, step, number, done)
        else:
            for renaming in step.renamings:
                for where, what in renaming.module(module, done.problems):
                    done.note(number, where, what)
                done.mentions += renaming.mentions(module)
                done.missing += (f"step {number}: {text}" for text in renaming.missing())
                # What set-ups are compared with must speak of the same names as they do.
                for _ in renaming.definitions(before, []) if before is not None else ():
                    pass
        if len(done.changes) == count:
            done.idle.append(number)
    if before is not None:
        for report in refresh_setups(
            module, Refresher.of(module, before=before, any_module=True), advance
        ):
            fresh = sum(1 for piece in report.pieces if not piece.kept)
            if fresh:
                done.note(
                    0, report.file, f"{counted(fresh, 'piece')} brought up to the changed module"
                )
            done.problems += [f"{report.file}: {text}" for text in report.problems]
            done.problems += [
                f"{report.file}: {piece.name}: {text}"
                for piece in report.pieces
                for text in (*piece.lost, *([piece.kept] if piece.kept else []))
            ]
    return done


def edit_saved(saved: SavedGame, recipe: Recipe) -> tuple[SavedGame, Edited]:
    """The saved game with a recipe done to its pieces, and what changed; no ids are told."""
    done = Edited()
    for number, step in enumerate(recipe.steps, 1):
        count = len(done.changes)
        if isinstance(step, ComponentStep) or (isinstance(step, PieceStep) and step.prototypes):
            raise BadInputError(
                "a saved game has pieces, but neither components nor prototypes", place=step.place
            )
        if isinstance(step, PieceStep):
            saved = edit_game(saved, step, partial(done.note, number), done.problems)
        elif isinstance(step, RenameStep):
            for renaming in step.renamings:
                fresh = renaming.game(saved)
                if fresh is not saved:
                    names = ", ".join(sorted(renaming.used))
                    done.note(number, "the game", f"names of {renaming.kind}: {names}")
                saved = fresh
                done.missing += (f"step {number}: {text}" for text in renaming.missing())
        if len(done.changes) == count:
            done.idle.append(number)
    # Pieces that cannot be read are told of by the steps that would have looked at them.
    unread = (p for p in saved.problems() if p.place.unit is None)
    done.problems += (f"{p.place}: {p.message}" for p in unread)
    redact = redactor_of(saved.root)
    done.changes = [Change(c.step, redact(c.where), redact(c.what)) for c in done.changes]
    done.problems = [redact(text) for text in done.problems]
    return saved, done


def _pieces(
    module: Module,
    step: PieceStep,
    number: int,
    done: Edited,
    advance: Callable[[int], None],
) -> None:
    definitions = {name: found.text for name, found in module.prototypes().items()}
    editor = StepEditor(step, definitions)
    # Prototypes have pieces inside too, in the markers that they place.
    wanted = (PrototypeDefinition,) if step.prototypes else (PieceSlot, PrototypeDefinition)
    for component in [c for c in module.walk() if isinstance(c, wanted)]:
        itself = step.prototypes or isinstance(component, PieceSlot)
        if itself:
            advance(1)
        text = component.text.strip()
        if not text:
            continue
        where = _where(component)
        try:
            piece = parse_add(text)
            problem = piece.problem
        except VassalFormatError as why:
            problem = why.message
        if problem is not None:
            if itself:
                done.problems.append(f"{where} cannot be read and stays as it is: {problem}")
            continue
        try:
            fresh, words = editor.edited(piece, component, itself=itself)
        except HexMarshalError as why:
            raise why.at(module.place_of(component)) from None
        if fresh != piece:
            component.text = format_add(fresh)
            if itself:
                _follow_name(component, piece, fresh)
            done.note(number, where, "; ".join(words))


def _follow_name(component: Component, before: Piece, after: Piece) -> None:
    """A slot that is called like its piece goes on to be called like it."""
    called_alike = isinstance(component, PieceSlot) and component.name in {"", before.name}
    if called_alike and before.name != after.name:
        component.name = after.name


def _components(module: Module, step: ComponentStep, number: int, done: Edited) -> None:
    for component in [*step.query.find(module.root)]:
        where = _where(component)
        if step.remove:
            if component.parent is None:
                raise BadInputError("the whole module cannot be removed", place=step.place)
            component.remove()
            done.note(number, where, "removed")
            continue
        words = [said for each in step.additions if (said := _added(component, each))]
        for name, meant, place in step.attributes:
            now = component.get(name) if component.has(name) else None
            fresh = _attribute(now, meant)
            if fresh == now:
                continue
            declared = component.declared.get(name)
            problem = declared.problem(fresh) if declared is not None and fresh else None
            if problem is not None:
                raise BadInputError(problem, place=place)
            try:
                component.set(name, fresh)
            except (HexMarshalError, ValueError) as why:
                raise BadInputError(f"{name!r} cannot be set: {why}", place=place) from None
            words.append(f"{name} from {_said(now)} to {_said(fresh)}")
        if words:
            done.note(number, where, "; ".join(words))


def _added(parent: Component, addition: Addition) -> str:
    """Put a component in, unless one of its class and name is there; what was done, in words."""
    cls = addition.cls
    name = addition.attributes.get(cls.naming, "")
    if any(each.name == name for each in parent.each(cls, deep=False)):
        return ""
    parent.add(cls, addition.attributes)
    return f"{cls.__name__}{f' {name!r}' if name else ''} added"


def _attribute(now: str | None, meant: str | Substitution | None) -> str | None:
    if meant is None or isinstance(meant, str):
        return meant
    return None if now is None else meant.text(now)


def _said(value: str | None) -> str:
    return "nothing" if value is None else f"'{value}'"


def _where(component: Component) -> str:
    return spoken(component) if component.parent is not None else component.name
