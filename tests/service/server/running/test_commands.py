"""`hexmarshal serve`, `token` and `call` as a user types them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hexmarshal.cli.main import run
from hexmarshal.client import Client
from hexmarshal.rules.action import Action
from hexmarshal.rules.values import FrozenMap
from server.frontier import Frontier
from server.served import ENV, FRONTIER, served

ROOT = Path(__file__).resolve().parents[4]
ATTACK = {"attackers": ("b1",), "target": "r1"}


def hexmarshal(capsys, *args: str) -> tuple[int, str, str]:
    code = run(list(args))
    out = capsys.readouterr()
    return code, out.out, out.err


@pytest.fixture(scope="module")
def address():
    with served("--ephemeral", "--workers", "0") as (address, _):
        yield address


def test_call_asks_any_method(capsys, address, tmp_path):
    code, out, _ = hexmarshal(capsys, "call", "ListGames", "--address", address)
    assert code == 0
    assert "frontier" in [game["key"] for game in json.loads(out)["games"]]
    file = tmp_path / "p.json"
    file.write_text(json.dumps(Frontier().setup("duel", {}, None).to_json()))
    request = tmp_path / "request.json"
    request.write_text('{"units": ["b00"], "path": ["0006"]}')
    asked = ("--address", address, "--position", str(file))
    code, out, _ = hexmarshal(capsys, "call", "RulesService/CheckMove", f"@{request}", *asked)
    assert code == 0
    assert json.loads(out)["verdict"]["legal"] is True
    code, out, _ = hexmarshal(capsys, "call", "CheckActions", "{}", *asked)
    assert json.loads(out) == {}


def test_what_a_call_answers_can_be_given_to_the_next(capsys, address, tmp_path):
    asked = '{"game": "frontier", "scenario": "duel"}'
    code, out, _ = hexmarshal(capsys, "call", "GetScenario", asked, "--address", address)
    assert code == 0
    whole, alone = tmp_path / "answer.json", tmp_path / "message ü.json"
    whole.write_text(out, "utf-8")
    alone.write_text(json.dumps(json.loads(out)["position"]), "utf-16")
    move = '{"units": ["b00"], "path": ["0006"]}'
    for file in (whole, alone):
        told = ("--address", address, "--position", str(file))
        code, out, err = hexmarshal(capsys, "call", "CheckMove", move, *told)
        assert (code, err) == (0, "")
        assert json.loads(out)["verdict"]["legal"] is True
    whole.write_text("[1]", "utf-8")
    code, _, err = hexmarshal(capsys, "call", "CheckMove", move, "--position", str(whole))
    assert code == 3
    assert f"{whole}, line 1: neither a scenario nor a position" in err


def test_a_plugin_that_is_not_installed_is_served_by_its_workers_too():
    plugin = f"{ROOT / 'tests' / 'tutorial'}:Crossroads"
    asked = ("--ephemeral", "--workers", "1", "--plugin", plugin)
    with served(*asked) as (address, _), Client(address) as client:
        position = client.scenario("tutorial", "meeting")
        assert {"tutorial", "frontier"} <= {game.key for game in client.games()}
        assert client.odds(position.with_unit(replace(position.unit("r1"), cell="A1")), **ATTACK)


def test_a_plugin_that_cannot_be_loaded_is_refused_at_the_start(capsys):
    code, _, err = hexmarshal(capsys, "serve", "--ephemeral", "--plugin", "no_such_game:Plugin")
    assert code == 3
    assert "the plugin 'no_such_game:Plugin' cannot be loaded" in err


def test_call_lists_the_methods_when_none_is_named(capsys):
    code, out, _ = hexmarshal(capsys, "call")
    assert code == 0
    assert "RulesService/CheckMove" in out.splitlines()


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("ListGamez",), 2, "did you mean ListGames"),
        (("GetGame", "{"), 3, "not a GetGameRequest"),
        (("GetGame", '{"gamme": "x"}'), 3, "gamme"),
        (("GetGame", '{"game": "chess"}'), 4, "no game 'chess'"),
        (("GetGame", "@/no/such/file"), 4, "no such file"),
        (("GetGame", "{}", "--position", "x.json"), 2, "takes no position"),
        (("CheckMove", '{"match": {"match": "x"}}'), 4, "no match"),
        (("CheckAction", "{}"), 3, "position"),
        (("ListGames", "--address", "127.0.0.1:1", "--timeout", "2"), 6, ""),
    ],
)
def test_call_explains_what_is_wrong(capsys, address, args, code, words):
    options = () if "--address" in args else ("--address", address)
    found, _, err = hexmarshal(capsys, "call", *args, *options)
    assert found == code
    assert words in err
    assert "Traceback" not in err


def test_call_streams_line_by_line(capsys, address):
    with Client(address) as client:
        match = client.create_match("frontier", "duel", seed="s")
        client.submit(match.id, 0, Action("pass", "blue"))
        client.submit(match.id, 1, Action("resign", "red"))
    asked = json.dumps({"match": match.id})
    code, out, _ = hexmarshal(capsys, "call", "WatchMatch", asked, "--address", address)
    assert code == 0
    assert [json.loads(line)["event"]["version"] for line in out.splitlines()] == ["1", "2"]


def test_tokens_are_made_listed_and_revoked_while_the_server_runs(capsys, tmp_path):
    store = str(tmp_path / "s.sqlite3")
    with served("--store", store, "--auth", "tokens", "--workers", "0") as (address, _):
        at = ("--store", store)
        code, token, _ = hexmarshal(capsys, "token", "new", "ann", "--role", "player", *at)
        assert code == 0
        code, out, _ = hexmarshal(
            capsys, "token", "new", "bob", "--seat", "m1:red", "--days", "3", "--json", *at
        )
        assert json.loads(out)["token"].startswith("hm_")
        code, out, _ = hexmarshal(capsys, "token", "list", "--json", *at)
        listed = json.loads(out)["tokens"]
        assert [(t["name"], t["role"], t["seats"]) for t in listed] == [
            ("ann", "player", []),
            ("bob", "player", ["m1:red"]),
        ]
        assert token.strip() not in out
        call = ("call", "ListGames", "--address", address)
        assert hexmarshal(capsys, *call, "--token", token.strip())[0] == 0
        code, _, err = hexmarshal(capsys, *call)
        assert (code, "token" in err) == (3, True)
        assert hexmarshal(capsys, "token", "list", *at)[1].count("player") == 2
        assert hexmarshal(capsys, "token", "revoke", "ann", *at)[0] == 0
        assert hexmarshal(capsys, "token", "revoke", "ann", *at)[0] == 4
    assert token.strip().encode() not in Path(store).read_bytes()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("new", "x", "--role", "king"), "no role"),
        (("new", "x", "--seat", "red"), "MATCH:SIDE"),
        (("new", "x", "--days", "0"), "more than 0"),
        (("new", " "), "name"),
    ],
)
def test_token_explains_what_is_wrong(capsys, tmp_path, args, words):
    code, _, err = hexmarshal(capsys, "token", *args, "--store", str(tmp_path / "s"))
    assert code == 2
    assert words in err
    assert not (tmp_path / "s").exists()


def test_serve_refuses_what_is_unsafe_or_impossible(capsys, address):
    code, _, err = hexmarshal(capsys, "serve", "--listen", "0.0.0.0:0")
    assert code == 2
    assert "--auth tokens" in err
    code, _, err = hexmarshal(capsys, "serve", "--ephemeral", "--workers", "0", "--listen", address)
    assert code == 2
    assert "cannot listen" in err


def test_the_server_drains_on_sigterm(tmp_path):
    """A call that runs when the signal comes is answered; then the process ends by itself."""
    position = Frontier().setup("duel", {}, None)
    with served("--ephemeral", "--workers", "1", "--metrics", "127.0.0.1:0") as (address, process):
        answers = []

        def ask() -> None:
            with Client(address) as client:
                answers.append(client.ask(position, "slow", ms=1500))

        with Client(address) as client:
            client.ask(position, "slow", ms=1)  # the worker is there
        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        thread.join(30)
        assert process.wait(30) == 0
        assert answers
        lines = [line for line in process.stderr if line[:1] in ("{", b"{")]
        said = [json.loads(line)["message"] for line in lines]
        assert said == ["draining", "stopped"]


def test_a_new_server_on_the_same_file_knows_everything(tmp_path):
    store = str(tmp_path / "m.sqlite3")
    with served("--store", store, "--workers", "0") as (address, process):
        with Client(address) as client:
            match = client.create_match("frontier", "duel", seed="1").id
            client.submit(match, 0, Action("omen", "blue"))
            before = client.match(match)
        process.terminate()
        assert process.wait(10) == 0
    with served("--store", store, "--workers", "0") as (address, _), Client(address) as client:
        assert client.match(match) == before
        client.submit(
            match, 1, Action("move", "blue", FrozenMap({"unit": "b00", "path": ("0006",)}))
        )


@pytest.mark.parametrize("page", ["client.md", "lobby.md", "serving.md"])
def test_the_python_in_the_docs_runs_against_a_live_server(page, tmp_path):
    text = (ROOT / "docs" / "service" / page).read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    tutorial = {"HEXMARSHAL_PLUGINS": f"{ROOT / 'tests' / 'tutorial'}:Crossroads"}
    before = os.environ.get("HEXMARSHAL_PLUGINS")
    os.environ.update(tutorial)
    try:
        ENV.update(tutorial)
        with served("--ephemeral", "--workers", "0") as (address, _):
            code = "\n".join(blocks).replace("127.0.0.1:50051", address)
            done = subprocess.run(
                [sys.executable, "-W", "error", "-c", code],
                capture_output=True,
                text=True,
                timeout=60,
                cwd=tmp_path,
                check=False,
            )
        assert done.returncode == 0, done.stderr
        expected = re.findall(r"^(?:.*)  # -> (.*)$", "\n".join(blocks), re.MULTILINE)
        assert expected
        for line in expected:
            assert line in done.stdout.splitlines(), (line, done.stdout)
    finally:
        ENV["HEXMARSHAL_PLUGINS"] = FRONTIER
        if before is None:
            os.environ.pop("HEXMARSHAL_PLUGINS")
        else:
            os.environ["HEXMARSHAL_PLUGINS"] = before


def test_the_reference_in_the_docs_is_that_of_the_proto_files():
    sys.path.insert(0, str(ROOT / "proto"))
    try:
        import reference
    finally:
        sys.path.pop(0)
    assert reference.PAGE.read_text("utf-8") == reference.page(reference.reference())


def test_tokens_are_made_with_the_settings_of_a_server_that_cannot_start_yet(
    capsys, tmp_path, monkeypatch
):
    """As in a container, whose TLS comes with the command that serves."""
    monkeypatch.setenv("HEXMARSHAL_LISTEN", "0.0.0.0:50051")
    monkeypatch.setenv("HEXMARSHAL_AUTH", "tokens")
    monkeypatch.setenv("HEXMARSHAL_STORE", str(tmp_path / "matches.sqlite3"))
    code, token, _ = hexmarshal(capsys, "token", "new", "ann")
    assert (code, token[:3]) == (0, "hm_")
    code, _, error = hexmarshal(capsys, "serve")
    assert code == 2
    assert "in the clear" in error
