"""What was found in files, as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.v1 import conversion_service_pb2 as pb
from hexmarshal.vassal.components import PlayerRoster, PredefinedSetup
from hexmarshal.vassal.state.locator import board_size
from hexmarshal.wire.positions import encode_position
from hexmarshal.wire.verdicts import encode_violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.check.findings import CheckReport, Entry
    from hexmarshal.table.binding.coverage import Coverage
    from hexmarshal.table.reading import Note
    from hexmarshal.vassal.components import Map
    from hexmarshal.vassal.module import Module

__all__ = ["finding", "module", "note", "report"]

_STATUS: Final = {
    Status.LEGAL: pb.FINDING_STATUS_LEGAL,
    Status.VIOLATION: pb.FINDING_STATUS_VIOLATION,
    Status.UNKNOWN: pb.FINDING_STATUS_UNKNOWN,
    Status.TAKEN_BACK: pb.FINDING_STATUS_TAKEN_BACK,
}
_CERTAINTY: Final = {
    Certainty.CERTAIN: pb.CERTAINTY_CERTAIN,
    Certainty.LIKELY: pb.CERTAINTY_LIKELY,
    Certainty.CANNOT_TELL: pb.CERTAINTY_CANNOT_TELL,
}
_LARGEST: Final = (1 << 31) - 1


def _text(text: str) -> str:
    """What a message can hold; half a character, which a damaged file may have, is none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _number(value: int) -> int:
    return max(-_LARGEST, min(value, _LARGEST))


def note(of: Note, step: int = 0) -> pb.FileNote:
    """A note on a file."""
    return pb.FileNote(
        code=of.code, text=_text(of.text), hint=_text(of.hint), unit=_text(of.unit), step=step
    )


def module(of: Module, covered: tuple[str, Coverage] | None) -> pb.InspectModuleResponse:
    """What is in a module."""
    sides = [side for roster in of.each(PlayerRoster) for side in roster.sides]
    made = pb.InspectModuleResponse(
        name=_text(of.name),
        version=_text(of.version),
        vassal_version=_text(of.root.get("VassalVersion")),
        description=_text(of.root.get("description")),
        sides=map(_text, sides),
        maps=[_map(of, of_map) for of_map in of.maps()],
        counters=sum(1 for _ in of.slots()),
        setups=[_text(setup.name) for setup in of.each(PredefinedSetup) if setup.get("file")],
    )
    if covered is not None:
        game, found = covered
        made.binding.MergeFrom(
            pb.BindingCoverage(
                game=game,
                units=found.units,
                markers=found.markers,
                cards=found.cards,
                unknown=map(_text, found.unknown),
                problems=map(_text, found.problems),
            )
        )
    return made


def _map(of: Module, of_map: Map) -> pb.ModuleMap:
    made = pb.ModuleMap(name=_text(of_map.name))
    for board in of_map.boards:
        size = board_size(of, board) or (0, 0)
        grid = board.grid
        made.boards.add(
            name=_text(board.name),
            width=_number(size[0]),
            height=_number(size[1]),
            grid="" if grid is None else grid.short_name,
        )
    return made


def finding(entry: Entry) -> pb.Finding:
    """One thing that was done."""
    return pb.Finding(
        first_step=entry.first,
        last_step=entry.last,
        turn=_number(entry.turn),
        phase=_text(entry.phase),
        side=_text(entry.side),
        player=_text(entry.player),
        what=_text(entry.line),
        kind=_text(entry.kind),
        status=_STATUS[entry.status],
        certainty=_CERTAINTY[entry.certainty],
        violations=map(encode_violation, entry.violations),
        right=_text(entry.right),
        result=_text(entry.result),
        dice=map(_number, entry.dice),
        hint=_text(entry.hint),
        units=map(_text, entry.units),
        path=map(_text, entry.path),
    )


def report(of: CheckReport, *, every: bool) -> Iterator[pb.CheckLogResponse]:
    """A whole check: notes, findings, the summary."""
    for one in of.notes:
        yield pb.CheckLogResponse(note=note(one.note, one.step))
    for entry in of.entries:
        if every or entry.status in (Status.VIOLATION, Status.UNKNOWN):
            yield pb.CheckLogResponse(finding=finding(entry))
    yield pb.CheckLogResponse(summary=_summary(of))


def _summary(of: CheckReport) -> pb.CheckSummary:
    return pb.CheckSummary(
        game=of.game,
        module=_text(of.module),
        scenario=_text(of.scenario),
        steps=of.steps,
        undone=of.undone,
        certain=of.certain,
        players=[
            pb.PlayerTally(
                player=_text(name),
                legal=counts[Status.LEGAL.value],
                violations=counts[Status.VIOLATION.value],
                unknown=counts[Status.UNKNOWN.value],
                taken_back=counts[Status.TAKEN_BACK.value],
            )
            for name, counts in of.by_player().items()
        ],
        rules=[pb.RuleTally(rule=rule, count=count) for rule, count in of.by_rule().items()],
        dice=[
            pb.DiceTally(
                player=_text(dice.player),
                sides=_number(dice.sides),
                faces=map(_number, dice.faces),
                chance=dice.p,
                exact=dice.exact,
            )
            for dice in of.dice
        ],
        position=None if of.position is None else encode_position(of.position),
    )
