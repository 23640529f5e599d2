"""What a key of a piece comes to: the keys that its triggers press, as long as they hold."""

from __future__ import annotations

from hexmarshal.vassal.traits import TriggerAction
from hexmarshal.vassal.values.evaluation import evaluate

__all__ = ["named", "pressed"]


def pressed(traits, key, facts):
    """The names of the keys that follow from one, itself first; `facts` are what holds."""
    found = [named(key)]
    # The engine asks the innermost trait first, which is the last.
    for trait in reversed(traits):
        if isinstance(trait, TriggerAction) and trait.key == key:
            asked = trait.expression.text
            if not asked or evaluate(asked, facts.get) == "true":
                for follows in trait.performed_keys.keys:
                    found += pressed(traits, follows, facts)
    return found


def named(key):
    """A key without the numbers that all named keys have."""
    return key.text.rpartition(",")[2] if key.text.count(",") > 1 else key.text
