"""Flags go before the environment, the environment before the file, the file before defaults."""

from __future__ import annotations

import json
import logging

import pytest

from hexmarshal.errors import BadInputError, NotFoundError, UsageError
from hexmarshal.service.log import LOG, JsonFormatter
from hexmarshal.service.settings import Settings, gather
from server.conftest import serving
from server.raw_calls import START


def test_each_source_goes_before_the_next(tmp_path):
    file = tmp_path / "server.toml"
    file.write_text('listen = "127.0.0.1:1"\nrate = 7\nworkers = 3\nephemeral = true\n')
    env = {"HEXMARSHAL_LISTEN": "127.0.0.1:2", "HEXMARSHAL_RATE": "8.5"}
    found = gather({"listen": "127.0.0.1:3", "rate": None}, env, file)
    assert found.listen == "127.0.0.1:3"
    assert found.rate == 8.5
    assert found.workers == 3
    assert found.ephemeral is True
    assert found.burst == Settings().burst
    named = gather({}, {"HEXMARSHAL_CONFIG": str(file), "HEXMARSHAL_EPHEMERAL": "no"})
    assert (named.workers, named.ephemeral) == (3, False)


@pytest.mark.parametrize(
    ("text", "field"),
    [("speed = 1", "speed"), ('workers = "two"', "workers"), ("ephemeral = 1", "ephemeral")],
)
def test_a_wrong_setting_in_a_file_is_named(tmp_path, text, field):
    file = tmp_path / "server.toml"
    file.write_text(text)
    with pytest.raises(BadInputError) as caught:
        gather({}, {}, file)
    assert caught.value.place.field == field
    assert caught.value.place.file == str(file)


def test_a_bad_file_or_variable_is_a_clear_error(tmp_path):
    with pytest.raises(NotFoundError):
        gather({}, {}, tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("= = =")
    with pytest.raises(BadInputError):
        gather({}, {}, bad)
    with pytest.raises(BadInputError) as caught:
        gather({}, {"HEXMARSHAL_WORKERS": "many"})
    assert caught.value.place.field == "HEXMARSHAL_WORKERS"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("listen", "nonsense"),
        ("listen", "127.0.0.1:99999"),
        ("listen", "127.0.0.1:http"),
        ("listen", ":50051"),
        ("metrics", "here"),
        ("workers", -3),
        ("max_units", 0),
        ("rate", float("nan")),
        ("max_seconds", 0.0),
        ("drain_seconds", float("inf")),
    ],
)
def test_what_cannot_work_is_refused_by_name(name, value):
    with pytest.raises(UsageError, match=f"^{name}: "):
        Settings(**{name: value}).check()


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "127.example.org", "10.0.0.1", "host"])
def test_only_loopback_needs_no_protection(host):
    with pytest.raises(UsageError, match="reached by others"):
        Settings(listen=f"{host}:1").check()


@pytest.mark.parametrize("listen", ["127.0.0.2:1", "localhost:1", "[::1]:1", "unix:/tmp/socket"])
def test_on_loopback_nothing_more_is_asked_for(listen):
    assert Settings(listen=listen).check().local


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter())
        self.documents: list[dict[str, object]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.documents.append(json.loads(self.format(record)))


@pytest.fixture
def log():
    lines = Lines()
    LOG.addHandler(lines)
    level, LOG.propagate = LOG.level, False
    LOG.setLevel("INFO")
    yield lines.documents
    LOG.removeHandler(lines)
    LOG.setLevel(level)
    LOG.propagate = True


def test_calls_are_logged_as_json_with_their_request_id(log):
    with serving(log_calls="all") as live, live.client() as client:
        client.games()
        with pytest.raises(Exception, match="chess"):
            client.game("chess")
    calls = [line for line in log if line["message"] == "call"]
    assert [(c["method"], c["code"]) for c in calls] == [
        ("GameService/ListGames", "OK"),
        ("GameService/GetGame", "NOT_FOUND"),
    ]
    assert all(c["request_id"] and c["ms"] > 0 and c["time"] for c in calls)


def test_a_bug_is_logged_with_its_traceback_and_request_id(log):
    with serving() as live, live.client() as client, pytest.raises(Exception, match="bug"):
        client.ask(START, "crash")
    bug = next(line for line in log if line["level"] == "error")
    assert "ZeroDivisionError" in bug["traceback"]
    assert bug["request_id"]
    assert bug["game"] == "frontier"
