"""Saves and logs of the Conflict of Heroes module: read, written, judged, secrets kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

pytest.importorskip("resvg_py")

from coh_table import PLUGIN, again, binding, checked, module

from hexmarshal.referee.check.findings import Certainty, CheckReport, Status
from hexmarshal.referee.samples.faulty_samples import plant
from hexmarshal.referee.samples.log_recorder import Recorder, record_log
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Generator
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.pieces import UNKNOWN, Marker, Unit
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import EMPTY, FrozenMap
from hexmarshal.table.placing import Placer, write_save
from hexmarshal.table.reading import Reading, TableReader, base_position
from hexmarshal.vassal.components import PredefinedSetup
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.traits import Hideable, Mask

# Firefights of the random player, and how many actions of each are tried.
CLEAN = (("first_steps", 30), ("the_crossing", 45), ("drill", 1000), ("four_hands", 30))


@cache
def played(scenario: str, seed: str, actions: int = 1000) -> GameRecord:
    return play_game(
        PLUGIN, seed, scenario=scenario, max_actions=actions, check_replay=False
    ).record


def positions(record: GameRecord) -> list[Position]:
    """Every position of a game, without the dice to come."""
    return [replace(position, generator=None) for position in replay(PLUGIN, record)]


# What the table alone tells


def bare(position: Position) -> Position:
    """What no piece, track or pile shows: nothing that the table shows is left in it."""
    return replace(
        position,
        turn=0,
        active=(),
        units=FrozenMap(),
        markers=FrozenMap(),
        tracks=FrozenMap(dict.fromkeys(position.tracks, 99)),
        piles=FrozenMap({n: replace(p, cards=()) for n, p in position.piles.items()}),
        cells=FrozenMap({c: record.without("control") for c, record in position.cells.items()}),
    )


def told(position: Position) -> Position:
    """Without what means nothing: the order of stacks and hands, facings of who looks nowhere."""

    def looked(unit: Unit) -> Unit:
        looks = unit.cell and unit.seen_by is None and not unit.carrier
        return replace(unit, rank=0, facing=(unit.facing or 0) if looks else None)

    mixed = {rule.pile for rule in binding().piles if rule.mixed}
    return replace(
        position,
        units=FrozenMap({key: looked(unit) for key, unit in position.units.items()}),
        piles=FrozenMap(
            {
                name: replace(pile, cards=tuple(sorted(pile.cards))) if name in mixed else pile
                for name, pile in position.piles.items()
            }
        ),
    )


def read(saved: SavedGame, base: Position | None) -> Reading:
    state = saved.state()
    return TableReader(module(), binding(), PLUGIN, state).read(state, base)


@pytest.mark.parametrize("scenario", PLUGIN.cards)
def test_a_set_up_is_read_as_the_rules_set_it_up(scenario: str) -> None:
    title = PLUGIN.cards[scenario].data["title"]
    entry = next(s.get("file") for s in module().each(PredefinedSetup) if s.name == title)
    assert entry is not None
    assert module().archive is not None
    saved = SavedGame.from_archive(module().archive.nested(entry))
    right = engine.start(PLUGIN, scenario)
    whole = read(saved, None)
    assert whole.position == right
    assert whole.notes == ()
    alone = read(saved, bare(right))
    assert told(alone.position) == told(right)


def comes_back(placer: Placer, position: Position) -> None:
    """Written onto a table, saved and read: the same, with and without what travels beside it."""
    saved = again(placer.save(placer.place(position), position))
    assert placer.notes == []
    whole = read(saved, base_position(PLUGIN, saved))
    assert whole.position == position
    assert whole.notes == ()
    alone = read(saved, bare(position))
    assert told(alone.position) == told(position)


@cache
def busy() -> Position:
    """The crossing with something of everything that a table can show."""
    start = engine.start(PLUGIN, "the_crossing")
    unit = start.units.__getitem__
    units = (
        replace(unit("g1"), flags=frozenset({"active"}), facing=4),
        replace(unit("g2"), cell="1-I08", flags=frozenset({"stuck"})),
        replace(unit("g4"), flags=frozenset({"spent", "hasty"})),
        replace(unit("g5"), cell="1-H08", values=FrozenMap({"weapon": "tellermine"})),
        replace(unit("g6"), box="destroyed-german", facing=1),
        replace(unit("s1"), flags=frozenset({"bogged"})),
        replace(unit("s4"), cell="", box="exited"),
        replace(unit("s6"), box="", cell="1-E17", facing=5, values=EMPTY),  # has arrived
    )
    units = (*units[:1], replace(units[1], values=FrozenMap({"stuck_in": "field"})), *units[2:])

    def hit(unit: str, kind: str) -> Marker:
        side = start.units[unit].side
        known = frozenset({side})
        return Marker(f"hit-{unit}", kind, side, unit=unit, known_to=known, face="hit")

    own = frozenset({"german"})
    plot = FrozenMap({"card": "oba_german", "smoke": True, "turn": 3})
    markers = (
        hit("g1", "vehicle-light"),
        hit("g3", "foot-pinned"),  # aboard
        hit("s5", "foot-suppressed"),
        Marker("smoke-1-G08-1", "smoke", cell="1-G08", values=FrozenMap({"points": 2})),
        Marker("smoke-1-G08-2", "smoke", cell="1-G08", values=FrozenMap({"points": 1})),
        Marker("barrage-german-oba_german-2", "barrage", "german", "1-J10", values=plot,
               seen_by=own),
        Marker("mines-german-2", "mines", "german", "1-E08", seen_by=own),
    )  # fmt: skip
    piles = {
        **start.piles,
        **{
            f"hits-{pool}": replace(
                start.piles[f"hits-{pool}"],
                cards=_less(start.piles[f"hits-{pool}"].cards, *(m.kind for m in markers)),
            )
            for pool in ("foot", "vehicle")
        },
        "deck": replace(start.piles["deck"], cards=("02", "13", "scoring")),
        "hand-german": replace(start.piles["hand-german"], cards=("02", "09")),
        "hand-soviet": replace(start.piles["hand-soviet"], cards=("12",)),
        "artillery-german": replace(start.piles["artillery-german"], cards=()),
        "discard": replace(start.piles["discard"], cards=("04", "02", "08")),
    }
    tracks = {"ap-german": 11, "cap-german": 0, "vp-soviet": 19, "losses-german": 1}
    cells = start.cells.set("1-K08", start.cells["1-K08"].set("control", "german"))
    return replace(
        start.with_unit(*units).with_marker(*markers),
        piles=FrozenMap(piles),
        tracks=start.tracks.merged(tracks),
        cells=cells,
        turn=2,
        phase="play",
        state="",
        active=("soviet",),
    )


def _less(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def test_everything_that_a_table_can_show_comes_back() -> None:
    assert list(PLUGIN.invariants(busy())) == []
    comes_back(Placer(module(), binding(), PLUGIN, busy()), busy())


@pytest.mark.parametrize(("scenario", "actions"), [*CLEAN])
def test_a_game_under_way_goes_onto_the_table_and_comes_back(scenario: str, actions: int) -> None:
    game = positions(played(scenario, "clean", actions))
    placer = Placer(module(), binding(), PLUGIN, game[0])
    for position in game[:: max(1, len(game) // 6)]:
        comes_back(placer, position)


def test_a_player_s_own_save_tells_whose_go_it_is_and_which_firefight() -> None:
    """VASSAL does not keep what our saves carry beside the table."""
    saved, notes = write_save(module(), binding(), PLUGIN, busy())
    assert notes == ()
    found = read(SavedGame.from_state(saved.state()), None).position
    assert (found.scenario, found.turn, found.phase) == ("the_crossing", 2, "play")
    assert found.active == ("soviet",)
    assert found.tracks == busy().tracks
    assert found.markers == busy().markers


def test_what_the_table_cannot_hold_is_told_and_kept_beside_it() -> None:
    position = engine.start(PLUGIN, "drill", {"solo": "soviet"})
    assert position.pile("cup").cards
    saved, notes = write_save(module(), binding(), PLUGIN, position)
    assert {note.text for note in notes} == {
        "no place of the module is the box cup",
        "nothing in the module shows the pile cup",
    }
    assert read(saved, base_position(PLUGIN, saved)).position == position


# Logs


@pytest.mark.parametrize(("scenario", "actions"), [*CLEAN])
def test_a_game_of_the_random_player_gives_no_alarm(scenario: str, actions: int) -> None:
    record = played(scenario, "clean", actions)
    report = checked(record_log(module(), binding(), PLUGIN, record))
    assert {entry.status for entry in report.entries} == {Status.LEGAL}
    assert report.notes == ()
    assert len(report.entries) == len(record.events)
    assert report.position is not None
    assert told(report.position) == told(positions(record)[-1])


def test_every_rule_broken_on_purpose_is_found_and_nothing_else() -> None:
    log, planted = plant(
        module(), binding(), PLUGIN, "2", scenario="first_steps", wanted=16, most_actions=80
    )
    assert len(planted) >= 15
    assert len({rule for one in planted for rule in one.rules}) >= 15
    found = {entry.first: entry for entry in checked(log).violations}
    assert found.keys() == {one.step for one in planted}
    for one in planted:
        entry = found[one.step]
        assert entry.certainty is Certainty.CERTAIN
        assert {violation.rule for violation in entry.violations} == set(one.rules)
        assert all(violation.text and violation.section for violation in entry.violations)


# Wrong results: the players do on the table something else than what the rules say came of it.


def _paid(before: Position, after: Position) -> bool:
    return before.phase == after.phase == "play" and any(
        before.track(f"cap-{side}") > after.track(f"cap-{side}") > 0 for side in before.sides
    )


def _unpaid(before: Position, after: Position) -> Position:
    caps = {name: n for name, n in before.tracks.items() if name.startswith("cap-")}
    return replace(after, tracks=after.tracks.merged(caps))


def _newly(flag: str) -> Callable[[Position, Position], bool]:
    return lambda before, after: any(
        unit.has(flag) and not before.units[key].has(flag) for key, unit in after.units.items()
    )


def _without(flag: str) -> Callable[[Position, Position], Position]:
    def slip(before: Position, after: Position) -> Position:
        units = [
            replace(unit, flags=unit.flags - {flag})
            for key, unit in after.units.items()
            if not before.units[key].has(flag)
        ]
        return after.with_unit(*units)

    return slip


def _dies(before: Position, after: Position) -> bool:
    return before.phase == "play" and any(
        unit.cell and not after.units[key].cell for key, unit in before.units.items()
    )


def _stays(before: Position, after: Position) -> Position:
    gone = [u for key, u in before.units.items() if u.cell and not after.units[key].cell]
    return after.with_unit(*gone)


SLIPS = {
    "command points are not paid": (_paid, _unpaid, "Command points of "),
    "a unit stays fresh": (_newly("spent"), _without("spent"), "shows not spent"),
    "a dead unit stays": (_dies, _stays, "is destroyed by the rules"),
}


def slipped(
    condition: Callable[[Position, Position], bool],
    slip: Callable[[Position, Position], Position],
) -> tuple[CheckReport, int]:
    """A game in which the first result of a kind is shown wrongly; then all pass."""
    for seed in range(20):
        log, at = slipped_game(condition, slip, Generator(f"player {seed}"))
        if at:
            return checked(log.finish()), at
    raise AssertionError("no such result in twenty games")


def slipped_game(
    condition: Callable[[Position, Position], bool],
    slip: Callable[[Position, Position], Position],
    chance: Generator,
) -> tuple[Recorder, int]:
    """One turn of a random player; the step of the slip, 0 if it never came to it."""
    position = replace(busy(), generator=Generator("slips"))
    log = Recorder(module(), binding(), PLUGIN, position)
    at = 0
    while log.position.turn == position.turn:
        before = log.position
        side = before.active[0]
        offers = list(islice(engine.offers(PLUGIN, before, side), 60))
        index, chance = chance.below(len(offers))
        action = offers[index].action
        if at and not before.state:
            action = Action("pass", side)
        right = engine.perform(PLUGIN, before, action).position
        if not at and condition(before, right):
            at = log.steps + 1
            log.perform(action, slip=lambda after, before=before: slip(before, after))
        else:
            log.perform(action)
    return log, at


@pytest.mark.parametrize("name", SLIPS)
def test_a_result_that_is_shown_wrongly_is_found(name: str) -> None:
    condition, slip, words = SLIPS[name]
    report, step = slipped(condition, slip)
    (entry,) = report.violations
    assert entry.first == step
    assert words in entry.violations[0].text


# Secrets


def secrets(position: Position, side: str) -> set[str]:
    """What a side must not learn: hits, hands, who is hidden."""
    found = {m.id for m in position.markers.values() if m.known_to and side not in m.known_to}
    found |= {u.id for u in position.units.values() if u.seen_by and side not in u.seen_by}
    return found | {p.name for p in position.piles.values() if p.cards and p.known_to is not None
                    and side not in p.known_to}  # fmt: skip


@pytest.mark.parametrize("side", ["german", "soviet"])
def test_a_position_read_from_the_table_keeps_from_each_seat_what_it_must_not_know(
    side: str,
) -> None:
    position = busy()
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    found = read(again(saved), bare(position)).position
    assert secrets(found, side) == secrets(position, side) != set()
    view = engine.view(PLUGIN, found, side)
    assert told(view) == told(engine.view(PLUGIN, position, side))
    for name in secrets(found, side):
        assert name not in view.units
        if name in view.markers:
            assert view.markers[name].kind == UNKNOWN or view.markers[name].kind == "hit"
        if name in view.piles:
            assert set(view.piles[name].cards) == {UNKNOWN}


def test_on_the_table_secrets_belong_to_the_seat_of_their_side() -> None:
    position = busy()
    seats = {side: seat for seat, side in binding().sides.items()}
    saved, _ = write_save(module(), binding(), PLUGIN, position)
    state = saved.state()
    table = TableReader(module(), binding(), PLUGIN, state)
    masked = hidden = 0
    for piece in state.pieces.values():
        if state.table.holders.get(piece.id) in state.decks:
            continue
        look = table.reader.look(piece).properties
        for at in piece.piece.each(Mask):
            owner = at.state.owner  # type: ignore[attr-defined]
            assert owner in seats.values()
            assert "MarkerKind" in look or piece.map == f"{owner} hand"
            masked += "MarkerKind" in look
        for at in piece.piece.each(Hideable):
            owner = at.state.owner  # type: ignore[attr-defined]
            if owner is not None:
                assert owner == seats[look.get("UnitSide") or look["MarkerSide"]]
                hidden += 1
    assert masked == sum(bool(m.known_to) for m in position.markers.values()) > 0
    things = (*position.units.values(), *position.markers.values())
    assert hidden == sum(thing.seen_by is not None for thing in things) > 0
