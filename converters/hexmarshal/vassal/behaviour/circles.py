"""Triggers that send each other keys without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.behaviour.effects import sent_by
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.traits import TriggerAction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["unconditional_circle"]


def unconditional_circle(piece: Piece, definitions: Mapping[str, str]) -> tuple[str, ...]:
    """The first ring of keys that triggers without any condition go round; empty if none does."""
    leads: dict[str, list[str]] = {}
    for found in expand(piece, definitions).piece.each(TriggerAction):
        trait = found.trait
        if trait.expression.text.strip() not in {"", "{true}"} or trait.loop:
            continue
        for key in (trait.key, *trait.watched_keys.keys):
            if not key.is_none:
                leads.setdefault(key.human(), []).extend(sent_by(trait))
    done: set[str] = set()
    for start in leads:
        ring = _ring(start, leads, [], done)
        if ring:
            return ring
    return ()


def _ring(
    key: str, leads: Mapping[str, list[str]], way: list[str], done: set[str]
) -> tuple[str, ...]:
    if key in way:
        return tuple(way[way.index(key) :])
    if key in done or key not in leads:
        return ()
    way.append(key)
    for sent in leads[key]:
        ring = _ring(sent, leads, way, done)
        if ring:
            return ring
    way.pop()
    done.add(key)
    return ()
