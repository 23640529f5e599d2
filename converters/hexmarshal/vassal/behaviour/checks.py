"""Checks of what a module does: keys nobody hears, properties nobody sets, circles, dead ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from hexmarshal.errors.counts import counted
from hexmarshal.vassal.behaviour.circles import unconditional_circle
from hexmarshal.vassal.behaviour.targets import Targets
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.search.component_uses import component_uses
from hexmarshal.vassal.search.ledger import Ledger
from hexmarshal.vassal.search.loose_ends import undefined_in
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    Layer,
    RawTrait,
    TriggerAction,
    UsePrototype,
)
from hexmarshal.vassal.traits.base import trait_text
from hexmarshal.vassal.xml.component_paths import ComponentPath

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["CHECKS"]

_SENDERS: Final = (
    "GlobalKeyCommand",
    "MassKeyCommand",
    "StartupGlobalKeyCommand",
    "DeckGlobalKeyCommand",
)
_SHOWN: Final = 100


# Three checks ask for the same walk over the whole module.
_LEDGERS: Final[WeakKeyDictionary[ModuleSubject, Ledger]] = WeakKeyDictionary()


def _ledger(subject: ModuleSubject) -> Ledger:
    found = _LEDGERS.get(subject)
    if found is None:
        found = _LEDGERS[subject] = Ledger()
        for module in subject.modules:
            found.definitions(module)
    return found


def _told(subject: ModuleSubject, component: Component, message: str) -> Found:
    """Code of the module's own may hear and set what cannot be seen here."""
    if subject.incomplete:
        return subject.unresolved(component, message)
    unseen = bool(subject.own_classes) or any(
        isinstance(use.trait, RawTrait) for use in subject.traits
    )
    return subject.found(component, message, severity=Severity.INFO if unseen else None)


def _loose(subject: ModuleSubject, kind: str, said: str) -> Iterator[Found]:
    ends = [end for end in undefined_in(_ledger(subject)) if end.kind == kind]
    components = {str(ComponentPath.to(c)): c for c in subject.components} if ends else {}
    for end in ends:
        component = components.get(end.first.spot.component) if end.first is not None else None
        if component is not None:
            more = f" (and at {counted(end.places - 1, 'other place')})" if end.places > 1 else ""
            yield _told(subject, component, said.format(end.name) + more)


def _unheard_key(subject: ModuleSubject) -> Iterator[Found]:
    return _loose(subject, "key", "{} is sent and nothing hears it")


def _unset_property(subject: ModuleSubject) -> Iterator[Found]:
    return _loose(subject, "property", "the property {!r} is asked for and nothing gives it")


def _deaf_command(subject: ModuleSubject) -> Iterator[Found]:
    heard = {name for kind, name in _ledger(subject).given if kind == "key"}
    for component in subject.components:
        if component.short_name in _SENDERS:
            for use in component_uses(component):
                # A named command that nothing hears is told by the check above.
                sent = use.kind == "key" and use.role == "sends" and use.name[0] != "["
                if sent and use.name not in heard:
                    message = f"sends {use.name} to pieces, and no piece hears it"
                    yield _told(subject, component, message)
    for each in subject.traits:
        if isinstance(each.trait, CounterGlobalKeyCommand):
            key = each.trait.global_key.human()
            if key and key[0] != "[" and key not in heard:
                message = f"a trait sends {key} to other pieces, and none hears it"
                yield _told(subject, each.component, message)


def _pointless_command(subject: ModuleSubject) -> Iterator[Found]:
    if subject.module.is_extension:
        return  # the pieces that it is meant for may be the module's
    targets = Targets(subject)
    told: set[tuple[Component, str]] = set()
    sent = [(c, c.get("filter")) for c in subject.components if c.short_name in _SENDERS]
    sent += [
        (each.component, each.trait.expression.text)
        for each in subject.traits
        if isinstance(each.trait, CounterGlobalKeyCommand)
    ]
    for component, condition in sent:
        if (component, condition) not in told and targets.none_fits(condition):
            told.add((component, condition))
            shown = condition if len(condition) <= _SHOWN else f"{condition[:_SHOWN]}..."
            yield _told(subject, component, f"no piece meets the condition of its command: {shown}")


def _trigger_circle(subject: ModuleSubject) -> Iterator[Found]:
    told: set[tuple[str, ...]] = set()
    seen: set[tuple[str, ...]] = set()
    for definition in subject.definitions:
        if definition.piece is None or definition.piece.problem is not None:
            continue
        # Pieces that have the same triggers and prototypes go round in the same circles.
        own = tuple(
            trait_text(trait)
            for trait in definition.piece.traits
            if isinstance(trait, TriggerAction | UsePrototype)
        )
        if not own or own in seen:
            continue
        seen.add(own)
        circle = unconditional_circle(definition.piece, subject.prototypes)
        if circle and circle not in told:
            told.add(circle)
            way = " -> ".join((*circle, circle[0]))
            yield subject.found(definition.component, f"triggers send keys in a circle: {way}")


def _stuck_layer(subject: ModuleSubject) -> Iterator[Found]:
    told: set[Component] = set()
    for each in subject.traits:
        trait = each.trait
        if not isinstance(trait, Layer) or len(trait.images) < 2 or trait.follow_property:
            continue
        if not any(use.kind == "key" for use in trait_uses(trait)) and each.component not in told:
            told.add(each.component)
            message = f"the layer {trait.name!r} has {len(trait.images)} levels and no key"
            yield subject.found(each.component, message)


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "unheard-key",
        Severity.WARNING,
        "A named command is sent and nothing hears it",
        "correct the name: hexmarshal find --key shows both ends",
        _unheard_key,
    ),
    Check(
        "unset-property",
        Severity.WARNING,
        "A property is asked for that nothing in the module gives",
        "correct the name, or define it: hexmarshal find --property shows who asks",
        _unset_property,
    ),
    Check(
        "deaf-command",
        Severity.WARNING,
        "A global key command sends a key that no piece hears",
        "correct the key, or remove the command",
        _deaf_command,
    ),
    Check(
        "pointless-command",
        Severity.WARNING,
        "A global key command has a condition that the markers of no piece meet",
        "correct the condition: hexmarshal find --property shows which values pieces have",
        _pointless_command,
    ),
    Check(
        "trigger-circle",
        Severity.ERROR,
        "Triggers without conditions send each other keys without end",
        "give one of them a condition that ends it: the engine stops with an error",
        _trigger_circle,
    ),
    Check(
        "stuck-layer",
        Severity.INFO,
        "A layer has levels that no command reaches",
        "give it a key, let it follow a property, or remove the other levels",
        _stuck_layer,
    ),
)
