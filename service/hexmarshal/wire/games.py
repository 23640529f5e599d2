"""What a game declares, its rules and its scenarios as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.action import Seal
from hexmarshal.rules.params import ParamType
from hexmarshal.rules.plugin import MarkerType
from hexmarshal.rules.rulebook import Status
from hexmarshal.v1 import game_pb2 as pb
from hexmarshal.wire.values import encode_record, encode_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.action import ActionType, QueryType
    from hexmarshal.rules.frames import FrameType
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.plugin import Game, Named, Option, Phase, ScenarioInfo, UnitType
    from hexmarshal.rules.rulebook import Rule

__all__ = ["STATUSES", "encode_game", "encode_rule", "encode_scenario"]

STATUSES = {
    Status.IMPLEMENTED: pb.RULE_STATUS_IMPLEMENTED,
    Status.ADVISORY: pb.RULE_STATUS_ADVISORY,
    Status.OUT_OF_SCOPE: pb.RULE_STATUS_OUT_OF_SCOPE,
}
SEALS = {Seal.COUNTED: pb.SEAL_COUNTED, Seal.SILENT: pb.SEAL_SILENT}


def encode_game(game: Game) -> pb.Game:
    """The message of what a game declares."""
    return pb.Game(
        key=game.key,
        title=game.title,
        version=game.version,
        doc=game.doc,
        sides=_named(game.sides),
        phases=[_phase(phase) for phase in game.phases],
        states=[_phase(state) for state in game.states],
        actions=[_action(action) for action in game.actions.values()],
        queries=[_query(query) for query in game.queries.values()],
        unit_types=[_unit_type(kind) for kind in game.unit_types],
        attributes=[_param(param) for param in game.attributes],
        terrain=_named(game.terrain),
        markers=_named(game.markers),
        boards=_named(game.boards),
        boxes=_named(game.boxes),
        tracks=_named(game.tracks),
        options=[_option(option) for option in game.options],
        turn_rule=game.turn_rule,
        places=[
            pb.PlaceKind(
                key=kind.key,
                title=kind.title,
                doc=kind.doc,
                param=None if kind.param is None else _param(kind.param),
            )
            for kind in game.places
        ],
        bonds=[
            pb.BondRole(key=role.key, title=role.title, doc=role.doc, many=role.many)
            for role in game.bonds
        ],
        frames=[_frame(frame) for frame in game.frames.values()],
        extras=[_param(param) for param in game.extras or ()],
        knowledge=[_param(param) for param in game.knowledge or ()],
        unmasked=sorted(game.unmasked),
        free_sight=game.free_sight,
        flags=_named(game.flags or ()),
    )


def encode_rule(rule: Rule) -> pb.Rule:
    """The message of a rule."""
    return pb.Rule(
        id=rule.id,
        section=rule.section,
        title=rule.title,
        text=rule.text,
        status=STATUSES[rule.status],
        why=rule.why,
        reading=rule.reading,
        switch=rule.switch,
    )


def encode_scenario(scenario: ScenarioInfo) -> pb.Scenario:
    """The message of a scenario."""
    return pb.Scenario(
        key=scenario.key,
        title=scenario.title,
        doc=scenario.doc,
        turns=scenario.turns,
        values=encode_record(scenario.values),
    )


def _named(things: Iterable[Named]) -> list[pb.Named]:
    return [
        pb.Named(
            key=t.key,
            title=t.title,
            doc=t.doc,
            values=encode_record(t.values),
            params=[_param(param) for param in t.params] if isinstance(t, MarkerType) else (),
        )
        for t in things
    ]


def _phase(phase: Phase) -> pb.Phase:
    return pb.Phase(
        key=phase.key,
        title=phase.title,
        doc=phase.doc,
        sides=phase.sides,
        actions=phase.actions,
    )


def _unit_type(kind: UnitType) -> pb.UnitType:
    return pb.UnitType(
        key=kind.key,
        title=kind.title,
        doc=kind.doc,
        side=kind.side,
        values=encode_record(kind.values),
    )


def _param(param: Param) -> pb.Param:
    return pb.Param(
        name=param.name,
        type=_type(param.type),
        doc=param.doc,
        required=param.required,
        choices=param.choices,
        minimum=param.minimum,
        maximum=param.maximum,
        items=None if param.items is None else _param(param.items),
        keys=_type(param.keys) if param.type is ParamType.MAP else pb.PARAM_TYPE_UNSPECIFIED,
        fields=[_param(field) for field in param.fields],
    )


def _type(kind: ParamType) -> pb.ParamType.ValueType:
    return pb.ParamType.Value(f"PARAM_TYPE_{kind.name}")


def _action(action: ActionType) -> pb.ActionType:
    return pb.ActionType(
        name=action.name,
        title=action.title,
        doc=action.doc,
        params=[_param(param) for param in action.params],
        rules=action.rules,
        phases=action.phases,
        states=action.states,
        anytime=action.anytime,
        sealed=pb.SEAL_UNSPECIFIED if action.sealed is None else SEALS[action.sealed],
    )


def _frame(frame: FrameType) -> pb.FrameType:
    silence = frame.silence
    return pb.FrameType(
        name=frame.name,
        title=frame.title,
        doc=frame.doc,
        params=[_param(param) for param in frame.params],
        rules=frame.rules,
        asks=frame.asks,
        deciders=frame.deciders,
        phases=frame.phases,
        agenda=[
            pb.ItemType(
                name=item.name,
                title=item.title,
                doc=item.doc,
                params=[_param(param) for param in item.params],
                rules=item.rules,
            )
            for item in frame.agenda
        ],
        silence=None
        if silence is None
        else pb.Silence(kind=silence.kind, params=encode_record(silence.params)),
    )


def _query(query: QueryType) -> pb.QueryType:
    return pb.QueryType(
        name=query.name,
        title=query.title,
        doc=query.doc,
        params=[_param(param) for param in query.params],
        rules=query.rules,
        by_sight=query.by_sight,
    )


def _option(option: Option) -> pb.Option:
    return pb.Option(
        param=_param(option.param), default=encode_value(option.default), rules=option.rules
    )
