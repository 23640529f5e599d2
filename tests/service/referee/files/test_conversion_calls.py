"""Files over the wire: every call of ConversionService against a live server."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from crossroads_module import BINDING, MAP, binding, builder, module
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tutorial import Crossroads

from hexmarshal.cli import main as cli
from hexmarshal.client import AsyncClient, Client, ServiceError
from hexmarshal.errors import ExitCode, NotFoundError
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.state.position import Position
from hexmarshal.service.auth import Role, new_token
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.conversion import conversion_jobs, uploads
from hexmarshal.service.server import Server
from hexmarshal.service.settings import Settings
from hexmarshal.table.binding import ENTRY
from hexmarshal.v1 import conversion_service_pb2 as pb
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.wire.positions import encode_position

PLUGIN = Crossroads()
SETTINGS = Settings(
    listen="127.0.0.1:0", ephemeral=True, workers=0, log_calls="none", max_seconds=600
)
CHECK = "/hexmarshal.v1.ConversionService/CheckLog"


class Live:
    """A running server and where its uploads go."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        self.server, self.loop, self.folder = server, loop, folder
        self.address = f"127.0.0.1:{server.port}"

    def client(self, **options: Any) -> Client:
        return Client(self.address, timeout=300, **options)

    def do(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def left_over(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@contextmanager
def serving(folder: Path, **changes: Any) -> Iterator[Live]:
    games = Registry()
    games.add(PLUGIN)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        server = Server(replace(SETTINGS, **changes), games)
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
        try:
            yield Live(server, loop, folder)
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(0.2), loop).result(60)
    finally:
        tempfile.tempdir = before
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("uploads")) as one:
        yield one


@pytest.fixture
def client(live: Live) -> Iterator[Client]:
    with live.client() as one:
        yield one
    assert live.left_over() == []


def start() -> Position:
    return engine.start(PLUGIN, "meeting", seed="wire")


def log() -> bytes:
    """A log with a unit that goes too far, and one that does not."""
    recorder = Recorder(module(), binding(), PLUGIN, start())
    recorder.drag(["b1"], ["C2"])
    recorder.drag(["b2"], ["A4", "A3", "A2", "A1", "B1"])
    return recorder.finish().to_bytes()


MODULE = builder().to_bytes()
LOG = log()


def unbound() -> bytes:
    bare = Module.from_archive(Archive.from_bytes(MODULE))
    bare.changes[ENTRY] = None
    return bare.to_bytes()


def parts(answers: Iterator[pb.CheckLogResponse]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {"note": [], "finding": [], "summary": [], "progress": []}
    for answer in answers:
        name = answer.WhichOneof("part")
        found[name].append(getattr(answer, name))
    return found


# What works


def test_a_module_is_looked_into(client: Client) -> None:
    found = client.inspect_module(MODULE)
    assert (found.name, list(found.sides)) == ("Crossroads", ["Blue", "Red"])
    (of_map,) = found.maps
    (board,) = of_map.boards
    assert (of_map.name, board.grid) == (MAP, "HexGrid")
    assert (board.width, board.height) > (0, 0)
    assert (found.counters, found.binding.units, found.binding.game) == (10, 10, "tutorial")
    assert not client.inspect_module(unbound()).HasField("binding")
    mine = yaml.safe_dump(BINDING).encode()
    assert client.inspect_module(unbound(), binding=mine).binding.units == 10


def test_a_position_goes_into_a_save_and_comes_back(client: Client) -> None:
    data, notes = client.write_save(start(), MODULE)
    assert notes == []
    assert SavedGame.from_archive(Archive.from_bytes(data)).state().pieces
    position, notes = client.read_position(data, MODULE)
    assert (position, notes) == (replace(start(), generator=None), [])


def test_the_position_at_the_end_of_a_log_is_read(client: Client) -> None:
    position, _ = client.read_position(LOG, MODULE)
    assert (position.unit("b1").cell, position.unit("b2").cell) == ("C2", "B1")


def test_a_log_is_checked_finding_by_finding(client: Client) -> None:
    found = parts(client.check_log(LOG, MODULE))
    (wrong,) = found["finding"]
    assert wrong.status == pb.FINDING_STATUS_VIOLATION
    assert wrong.certainty == pb.CERTAINTY_CERTAIN
    assert {violation.rule for violation in wrong.violations} == {"TUT-2"}
    assert list(wrong.units) == ["b2"]
    (summary,) = found["summary"]
    assert (summary.game, summary.scenario, summary.certain) == ("tutorial", "meeting", 1)
    assert [(rule.rule, rule.count) for rule in summary.rules] == [("TUT-2", 1)]
    assert summary.position.units
    every = parts(client.check_log(LOG, MODULE, every=True))
    assert len(every["finding"]) == 2


def test_files_are_sent_from_disk_and_in_many_pieces(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hexmarshal.client.conversions._PIECE", 97)
    (tmp_path / "m.vmod").write_bytes(MODULE)
    (tmp_path / "g.vlog").write_bytes(LOG)
    (tmp_path / "b.yaml").write_text(yaml.safe_dump(BINDING))
    found = client.check_log(
        tmp_path / "g.vlog", tmp_path / "m.vmod", binding=tmp_path / "b.yaml", game="tutorial"
    )
    assert len(parts(found)["finding"]) == 1
    with pytest.raises(NotFoundError, match="no such file"):
        client.inspect_module(tmp_path / "none.vmod")


def test_all_of_it_with_asyncio(live: Live) -> None:
    async def ask() -> tuple[Any, ...]:
        async with AsyncClient(live.address, timeout=300) as client:
            inspected = await client.inspect_module(MODULE)
            saved, _ = await client.write_save(start(), MODULE)
            position, _ = await client.read_position(saved, MODULE)
            findings = [answer async for answer in client.check_log(LOG, MODULE)]
            with pytest.raises(ServiceError) as caught:
                await client.inspect_module(b"nothing")
            return inspected.name, position, findings[-1].summary.certain, caught.value.status

    assert asyncio.run(ask()) == (
        "Crossroads",
        replace(start(), generator=None),
        1,
        "INVALID_ARGUMENT",
    )


def test_workers_answer_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(__file__).parents[3] / "tutorial"
    monkeypatch.setenv("HEXMARSHAL_PLUGINS", f"{folder}:Crossroads")
    with serving(tmp_path, workers=1) as live, live.client() as client:
        found = parts(client.check_log(LOG, MODULE))
        assert {v.rule for f in found["finding"] for v in f.violations} == {"TUT-2"}
        with pytest.raises(ServiceError) as caught:
            client.inspect_module(b"PK\x03\x04 and no more")
        assert (caught.value.status, caught.value.reason) == ("INVALID_ARGUMENT", "UNREADABLE")
        assert live.left_over() == []


def test_the_command_line_sends_files_too(
    live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.vmod").write_bytes(MODULE)
    (tmp_path / "g.vlog").write_bytes(LOG)

    def called(*words: str) -> tuple[int, str, str]:
        code = cli.run(["call", *words, "--address", live.address])
        out = capsys.readouterr()
        return code, out.out, out.err

    files = ("--module", str(tmp_path / "m.vmod"), "--saved", str(tmp_path / "g.vlog"))
    code, out, _ = called("CheckLog", '{"plan": {"all": true}}', *files)
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, lines[-1]["summary"]["certain"]) == (ExitCode.OK, 1)
    code, out, _ = called("InspectModule", '{"means": {}}', *files[:2])
    assert json.loads(out)["counters"] == 10
    assert called("InspectModule", "{}", *files)[0] == ExitCode.USAGE
    assert called("InspectModule", "{}", "--module", "none.vmod")[0] == ExitCode.NOT_FOUND


# What does not


def bomb(content: bytes = b"\0" * (64 << 20)) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("buildFile.xml", content)
    return buffer.getvalue()


def refused(call: Any) -> tuple[str, str, str]:
    def whole() -> None:
        answer = call()
        if isinstance(answer, Iterator):
            list(answer)

    with pytest.raises(ServiceError) as caught:
        whole()
    error = caught.value
    assert tempfile.gettempdir() not in str(error)
    return error.status, error.reason, error.fields[0][0] if error.fields else ""


BAD = {
    "no zip": b"this is no archive at all",
    "empty": b"",
    "cut": MODULE[: len(MODULE) // 2],
    "log as module": LOG,
    "bomb": bomb(),
    # A small file, and a tree of it would take a hundred times its size.
    "elements": bomb(b"<a>" + b"<b/>" * 1_100_000 + b"</a>"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_module_is_refused(client: Client, name: str) -> None:
    for call in (
        lambda: client.inspect_module(BAD[name]),
        lambda: client.read_position(LOG, BAD[name]),
        lambda: client.write_save(start(), BAD[name]),
        lambda: client.check_log(LOG, BAD[name]),
    ):
        status, _, field = refused(call)
        assert (status, field) == ("INVALID_ARGUMENT", "module")


@pytest.mark.parametrize("name", ["no zip", "empty", "bomb"])
def test_a_bad_log_is_refused(client: Client, name: str) -> None:
    for call in (
        lambda: client.read_position(BAD[name], MODULE),
        lambda: client.check_log(BAD[name], MODULE),
    ):
        status, _, field = refused(call)
        assert (status, field) == ("INVALID_ARGUMENT", "saved")


def test_a_module_in_place_of_a_log_is_refused(client: Client) -> None:
    assert refused(lambda: client.check_log(MODULE, MODULE))[0] == "INVALID_ARGUMENT"
    assert refused(lambda: client.read_position(MODULE, MODULE))[0] == "INVALID_ARGUMENT"


def test_an_unbound_module_cannot_be_judged(client: Client) -> None:
    for call in (
        lambda: client.check_log(LOG, unbound()),
        lambda: client.read_position(LOG, unbound()),
        lambda: client.write_save(start(), unbound()),
    ):
        assert refused(call)[:2] == ("FAILED_PRECONDITION", "UNBOUND")


def test_a_log_of_another_module_is_refused_or_checked_with_a_note(client: Client) -> None:
    other = Module.from_archive(Archive.from_bytes(MODULE))
    other.root.set("name", "Another")
    for call in (
        lambda: client.check_log(LOG, other.to_bytes()),
        lambda: client.read_position(LOG, other.to_bytes()),
    ):
        assert refused(call)[:2] == ("FAILED_PRECONDITION", "OTHER_MODULE")
    assert client.read_position(LOG, other.to_bytes(), any_module=True)
    found = parts(client.check_log(LOG, other.to_bytes(), any_module=True))
    assert "other module" in {note.code for note in found["note"]}
    assert found["summary"]


def test_a_bad_binding_and_unknown_names_are_refused(client: Client) -> None:
    assert refused(lambda: client.check_log(LOG, MODULE, binding=b"game: [")) == (
        "INVALID_ARGUMENT",
        "UNREADABLE",
        "means.binding",
    )
    assert refused(lambda: client.inspect_module(MODULE, game="chess"))[0] == "NOT_FOUND"
    assert refused(lambda: client.check_log(LOG, MODULE, scenario="none"))[0] == "INVALID_ARGUMENT"
    bad = {"no such switch": True}
    call = lambda: client.check_log(LOG, MODULE, scenario="meeting", options=bad)  # noqa: E731
    assert refused(call)[0] == "INVALID_ARGUMENT"
    assert refused(lambda: client.inspect_module())[::2] == ("INVALID_ARGUMENT", "module")
    # The tutorial's package builds no module of its own.
    assert refused(lambda: client.inspect_module(game="tutorial"))[2] == "module"


def test_a_position_with_faults_is_not_written(client: Client) -> None:
    lost = start().with_unit(replace(start().unit("b1"), cell="Z99"))
    status, _, field = refused(lambda: client.write_save(lost, MODULE))
    assert (status, field.partition(".")[0]) == ("INVALID_ARGUMENT", "position")
    other = replace(start(), game="chess")
    assert refused(lambda: client.write_save(other, MODULE))[0] == "INVALID_ARGUMENT"


def test_a_check_that_nobody_waits_for_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversion_jobs, "_EVERY", -1.0)
    folder = tmp_path / "call"
    folder.mkdir()
    ticker = conversion_jobs._Ticker(folder)
    ticker(7)
    assert (folder / uploads.PROGRESS).read_text() == "7"
    shutil.rmtree(folder)
    with pytest.raises(Refusal, match="deadline"):
        ticker(1)


# The stream


MEANS, PLAN = pb.Means(), pb.CheckPlan()


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([], "nothing was sent"),
        ([pb.CheckLogRequest()], "empty"),
        ([pb.CheckLogRequest(module=MODULE)], "first message"),
        (
            [
                pb.CheckLogRequest(plan=PLAN),
                pb.CheckLogRequest(module=MODULE),
                pb.CheckLogRequest(plan=PLAN),
            ],
            "only the first message",
        ),
        ([pb.CheckLogRequest(plan=PLAN)], "no module"),
        ([pb.CheckLogRequest(plan=PLAN), pb.CheckLogRequest(module=MODULE)], "no log"),
    ],
    ids=["none", "empty", "no plan", "two plans", "no module", "no log"],
)
def test_messages_in_a_wrong_order_are_refused(
    live: Live, messages: list[pb.CheckLogRequest], told: str
) -> None:
    sent = (message.SerializeToString() for message in messages)
    with grpc.insecure_channel(live.address) as channel, pytest.raises(grpc.RpcError) as caught:
        list(channel.stream_stream(CHECK)(sent, timeout=60))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert told in caught.value.details()
    assert live.left_over() == []


def test_a_save_needs_a_position(live: Live) -> None:
    messages = [pb.WriteSaveRequest(plan=pb.SavePlan()), pb.WriteSaveRequest(module=MODULE)]
    path = "/hexmarshal.v1.ConversionService/WriteSave"
    with grpc.insecure_channel(live.address) as channel, pytest.raises(grpc.RpcError) as caught:
        list(channel.stream_stream(path)(iter([m.SerializeToString() for m in messages])))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_a_large_plan_is_read_where_the_files_are(live: Live) -> None:
    """The same answers as to a small one, and to what cannot be read."""
    plan = pb.SavePlan(position=encode_position(start()))
    plan.position.generator.seed = "x" * 30_000
    path = "/hexmarshal.v1.ConversionService/WriteSave"
    large = pb.WriteSaveRequest(plan=plan).SerializeToString()
    module = pb.WriteSaveRequest(module=MODULE).SerializeToString()
    nul = pb.SavePlan(means=pb.Means(game="\0" * 20_000))

    def told(*messages: bytes) -> str:
        with pytest.raises(grpc.RpcError) as caught:
            list(channel.stream_stream(path)(iter(messages), timeout=60))
        return f"{caught.value.code().name}: {caught.value.details()}"

    with grpc.insecure_channel(live.address) as channel:
        answers = list(channel.stream_stream(path)(iter([large, module]), timeout=60))
        assert pb.WriteSaveResponse.FromString(answers[-1]).saved
        assert "only the first message" in told(large, large)
        assert told(large + module).startswith("RESOURCE_EXHAUSTED")
        assert told(b"\x0a\xb0\xea\x01" + b"\xff" * 30_000, module).startswith("INVALID_ARGUMENT")
        assert "NUL" in told(pb.WriteSaveRequest(plan=nul).SerializeToString(), module)
    assert live.left_over() == []


def test_too_large_an_upload_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, max_upload_bytes=2000) as live, live.client() as client:
        assert refused(lambda: client.inspect_module(MODULE))[:2] == ("RESOURCE_EXHAUSTED", "LIMIT")
        assert live.left_over() == []


def test_no_more_uploads_at_once_than_allowed_and_a_cancelled_one_leaves_nothing(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, max_uploads=1) as live, live.client() as client:
        sent, hold = threading.Event(), threading.Event()

        def messages() -> Iterator[bytes]:
            yield pb.CheckLogRequest(plan=PLAN).SerializeToString()
            yield pb.CheckLogRequest(module=MODULE).SerializeToString()
            sent.set()
            hold.wait(60)

        with grpc.insecure_channel(live.address) as channel:
            running = channel.stream_stream(CHECK)(messages(), timeout=300)
            assert sent.wait(60)
            patient = 600
            while not live.left_over() and patient:
                patient -= 1
                live.do(asyncio.sleep(0.05))
            assert refused(lambda: client.inspect_module(MODULE))[0] == "RESOURCE_EXHAUSTED"
            running.cancel()
            hold.set()
        while live.server.conversions._uploads or live.left_over():
            live.do(asyncio.sleep(0.05))
        assert client.inspect_module(MODULE).name == "Crossroads"


def test_who_sends_nothing_is_sent_away_at_the_deadline(tmp_path: Path) -> None:
    with serving(tmp_path, max_seconds=0.5) as live:
        hold = threading.Event()

        def messages() -> Iterator[bytes]:
            yield pb.CheckLogRequest(plan=PLAN).SerializeToString()
            hold.wait(60)

        with grpc.insecure_channel(live.address) as channel:
            with pytest.raises(grpc.RpcError) as caught:
                list(channel.stream_stream(CHECK)(messages()))
            hold.set()
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert live.left_over() == []


def test_without_a_token_nothing_is_taken(tmp_path: Path) -> None:
    with serving(tmp_path, auth="tokens") as live:
        with live.client() as stranger:
            assert refused(lambda: stranger.inspect_module(MODULE))[0] == "UNAUTHENTICATED"
        token, row = new_token("Ann", Role("reader"), (), None)
        assert live.do(live.server.store.add_token(row))
        with live.client(token=token) as reader:
            assert reader.inspect_module(MODULE).name == "Crossroads"


def test_names_in_an_archive_lead_nowhere_outside_it(live: Live, client: Client) -> None:
    buffer = io.BytesIO(MODULE)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("../../escaped.txt", b"x")
    assert refused(lambda: client.inspect_module(buffer.getvalue()))[0] == "INVALID_ARGUMENT"
    assert not list(live.folder.parent.rglob("escaped.txt"))


def test_a_position_of_too_many_units_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, max_units=2) as live, live.client() as client:
        call = lambda: client.write_save(encode_position(start()), MODULE)  # noqa: E731
        assert refused(call)[:2] == ("RESOURCE_EXHAUSTED", "LIMIT")


# Damage


PROPER = {"INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "RESOURCE_EXHAUSTED"}
FUZZ = settings(
    max_examples=int(os.environ.get("HEXMARSHAL_FUZZ", "40")),
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
wounds = st.lists(
    st.tuples(st.integers(0, 1 << 20), st.integers(0, 8), st.binary(max_size=8)),
    min_size=1,
    max_size=4,
)


def wounded(data: bytes, at: list[tuple[int, int, bytes]]) -> bytes:
    """The data with pieces taken out and others put in."""
    for place, length, other in at:
        here = place % max(1, len(data))
        data = data[:here] + other + data[here + length :]
    return data


def repacked(data: bytes, entry: str, at: list[tuple[int, int, bytes]]) -> bytes:
    """An archive that is whole, with damage inside one of its entries."""
    archive = Archive.from_bytes(data)
    entries = {name: archive.read(name) for name in archive.names()}
    return b"".join(build_archive({**entries, entry: wounded(entries[entry], at)}))


def answered(live: Live, module: bytes, saved: bytes) -> None:
    status = ""
    with live.client() as client:
        try:
            list(client.check_log(saved, module, every=True))
            client.read_position(saved, module)
        except ServiceError as error:
            status = error.status
    assert status in {"", *PROPER}
    assert live.left_over() == []


@FUZZ
@given(wounds, st.booleans())
def test_any_damage_to_a_file_gets_a_proper_answer(
    live: Live, at: list[tuple[int, int, bytes]], of_log: bool
) -> None:
    answered(live, *((MODULE, wounded(LOG, at)) if of_log else (wounded(MODULE, at), LOG)))


INSIDE = [(MODULE, name) for name in ("buildFile.xml", "moduledata", ENTRY)]
INSIDE += [(LOG, name) for name in ("savedGame", "hexmarshal/position.json")]


@FUZZ
@given(wounds, st.sampled_from(INSIDE))
def test_any_damage_inside_an_archive_gets_a_proper_answer(
    live: Live, at: list[tuple[int, int, bytes]], where: tuple[bytes, str]
) -> None:
    data, entry = where
    made = repacked(data, entry, at)
    answered(live, *((made, LOG) if data is MODULE else (MODULE, made)))


def test_words_of_a_log_may_be_anything(live: Live) -> None:
    log = SavedGame.from_archive(Archive.from_bytes(LOG))
    for word in ("\x00", "\u202e", "\ufffe", "<script>", "[attack] b1 -> "):
        text = log.text.replace("b2", word)
        again = SavedGame.from_text(text, key=0, entries=log_entries())
        answered(live, MODULE, again.to_bytes())


def log_entries() -> dict[str, bytes]:
    archive = Archive.from_bytes(LOG)
    return {name: archive.read(name) for name in archive.names() if name != "savedGame"}
