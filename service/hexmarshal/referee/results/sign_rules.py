"""By which rules units bear signs, and tracks are moved: where those are all that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.rules.plugin import Named
    from hexmarshal.rules.verdict import Violation
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["broken_by_signs", "broken_by_tracks", "ended_by_signs", "rule_of_signs"]


def broken_by_signs(case: Case, units: Sequence[str]) -> tuple[Violation, ...]:
    """What signs on units break, if signs with rules are all that is wrong with them."""
    put_on: dict[str, list[str]] = {}
    taken_off: dict[str, list[str]] = {}
    signs = {sign.key: sign for sign in case.rules.game.flags or ()}
    for unit in units:
        found = tuple(_signs(case, unit))
        if not found:
            return ()
        for name, shown in found:
            (put_on if shown else taken_off).setdefault(name, []).append(unit)
    return (
        *(
            case.placed(
                str(signs[name].values["rule"]),
                f"only {signs[name].doc} are {signs[name].title}",
                marked,
            )
            for name, marked in put_on.items()
        ),
        *(
            case.placed(
                _end_of(signs[name]), f"{', '.join(bare)} must still be {signs[name].title}", bare
            )
            for name, bare in taken_off.items()
        ),
    )


def ended_by_signs(case: Case, unit: str) -> tuple[Violation, ...]:
    """What a unit breaks that bears signs with rules that have ended, if that is all."""
    signs = {sign.key: sign for sign in case.rules.game.flags or ()}
    found = tuple(_signs(case, unit))
    if not all(shown for _, shown in found):
        return ()
    return tuple(
        case.placed(_end_of(signs[name]), f"{unit} is {signs[name].title} no longer", (unit,))
        for name, _ in found
    )


def broken_by_tracks(case: Case, items: Sequence[Item]) -> tuple[Violation, ...]:
    """What tracks break that were moved down for nothing, if the game says what they pay for."""
    tracks = {track.key: track for track in case.rules.game.tracks if "rule" in track.values}
    belief, shown = case.mind.belief, case.sights.books
    for item in items:
        seen = shown.get(item)
        if item.of != "track" or item.name not in tracks or not isinstance(seen, int):
            return ()
        if seen >= belief.track(item.name):
            return ()
    found = {(str(t.values["rule"]), t.doc) for t in (tracks[item.name] for item in items)}
    return tuple(case.placed(rule, text) for rule, text in sorted(found))


def rule_of_signs(case: Case, unit: str) -> str:
    """The rule by which a unit bears the sign that is missing, or loses that which is left.

    Empty, if anything else is wrong with it.
    """
    signs = {sign.key: sign for sign in case.rules.game.flags or ()}
    found = tuple(_signs(case, unit))
    if not found:
        return ""
    name, shown = found[0]
    return _end_of(signs[name]) if shown else str(signs[name].values["rule"])


def _end_of(sign: Named) -> str:
    return str(sign.values.get("ends", sign.values["rule"]))


def _signs(case: Case, unit: str) -> Iterator[tuple[str, bool]]:
    """The signs by which a unit differs, and whether it bears each; nothing, if by more."""
    known, seen = case.mind.belief.units.get(unit), case.sights.units.get(unit)
    signs = {sign.key for sign in case.rules.game.flags or () if "rule" in sign.values}
    if known is None or seen is None or not seen.at_place_of(known):
        return
    pairs = seen.against(known)
    if all(right.of == "flag" and right.name in signs for right, _ in pairs):
        yield from ((right.name, bool(shown.value)) for right, shown in pairs)
