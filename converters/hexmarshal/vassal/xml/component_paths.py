"""Component paths: how extensions and traits name a component from the module's root down.

>>> ComponentPath.parse("VASSAL.build.module.PieceWindow:Units/VASSAL.build.widget.TabWidget").steps
(Step(class_name='VASSAL.build.module.PieceWindow', name='Units'), \
Step(class_name='VASSAL.build.widget.TabWidget', name=None))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.vassal import sequence
from hexmarshal.vassal.components import ExtensionElement, ModuleExtension

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.components import Component

__all__ = ["ComponentPath", "Step", "spoken", "step_text"]


@dataclass(frozen=True, slots=True)
class Step:
    """A child of a class; None for one without a name, which is not one with an empty name."""

    class_name: str
    name: str | None = None

    @classmethod
    def to(cls, component: Component) -> Step:
        """The step that leads from a component's parent to it."""
        name = component.element.get(component.naming) if component.naming else None
        return cls(component.class_name, name if name is not None else component.name or None)

    def __str__(self) -> str:
        return step_text(self.class_name, self.name)


def step_text(class_name: str, name: str | None) -> str:
    """A step as VASSAL writes it."""
    own = sequence.escape(class_name, ":")
    return own if name is None else f"{own}:{sequence.escape(name, ':')}"


@dataclass(frozen=True, slots=True)
class ComponentPath:
    """Steps from the root, which is not itself a step; the empty path is the root."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def parse(cls, text: str) -> ComponentPath:
        """Read VASSAL's notation."""
        if not text:
            return cls()
        steps = []
        for part in sequence.decode(text, "/"):
            class_name, *names = sequence.decode(part, ":")
            steps.append(Step(class_name, names[0] if names else None))
        return cls(tuple(steps))

    @classmethod
    def to(cls, component: Component) -> ComponentPath:
        """The path of a component from the module's root, as seen from the module.

        A component of an extension has the path that it will have once the extension is loaded.
        """
        steps: list[Step] = []
        way = [component, *component.ancestors()]
        for step in way[:-1]:
            if isinstance(step, ExtensionElement):
                return cls((*cls.parse(step.target).steps, *reversed(steps)))
            steps.append(Step.to(step))
        return cls(tuple(reversed(steps)))

    def __str__(self) -> str:
        return sequence.join(map(str, self.steps), "/")

    def resolve(self, root: Component) -> Component:
        """The component that the engine would find; a NotFoundError says how far it got.

        In an extension only what the extension itself adds can be found.
        """
        if isinstance(root, ModuleExtension):
            found, reached = _resolve_in_extension(root, self.steps)
        else:
            found, reached = _resolve(root, self.steps)
        if found is None:
            missing = self.steps[reached]
            raise NotFoundError(
                f"no {missing.class_name}" + (f" named {missing.name!r}" if missing.name else ""),
                place=Place(field=str(ComponentPath(self.steps[:reached])) or None),
            )
        return found


def spoken(component: Component) -> str:
    """The way to a component in words, from the outside in: `Units / Infantry / 1st Guards`."""
    way = [component, *component.ancestors()][:-1]
    names = " / ".join(step.name or step.short_name for step in reversed(way))
    return names or component.short_name


def _resolve(parent: Component, steps: Sequence[Step]) -> tuple[Component | None, int]:
    """Follow the steps; a child of the right class but another name will do if it leads on."""
    if not steps:
        return parent, 0
    step, *rest = steps
    alike = [child for child in parent.children() if child.class_name == step.class_name]
    exact = next((child for child in alike if Step.to(child).name == step.name), None)
    if exact is not None:
        found, reached = _resolve(exact, rest)
        return found, reached + 1
    if not rest:
        return (alike[0], 1) if alike else (None, 0)
    deepest = 0
    for child in alike:
        found, reached = _resolve(child, rest)
        if found is not None:
            return found, reached + 1
        deepest = max(deepest, reached + 1)
    return None, deepest


def _resolve_in_extension(
    root: ModuleExtension, steps: Sequence[Step]
) -> tuple[Component | None, int]:
    for element in root.each(ExtensionElement, deep=False):
        target = ComponentPath.parse(element.target).steps
        if len(target) < len(steps) and steps[: len(target)] == target:
            found, _ = _resolve(element, steps[len(target) :])
            if found is not None:
                return found, len(steps)
    return (root, 0) if not steps else (None, 0)
