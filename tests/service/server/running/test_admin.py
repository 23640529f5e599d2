"""What who runs a server does with its store: people, bans, backups, old matches."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
import time

import pytest

from hexmarshal.cli.main import run
from hexmarshal.client import ServiceError
from hexmarshal.rules.action import Action
from server import postgres
from server.conftest import serving


@pytest.fixture
def store(tmp_path):
    return tmp_path / "matches.sqlite3"


def admin(capsys, store, *words: str) -> dict:
    code = run([words[0], *words[1:], "--store", str(store), "--json"])
    out = capsys.readouterr()
    assert code == 0, out.err
    return json.loads(out.out)


def ask_often(client) -> None:
    """For longer than a server takes to hear of a ban."""
    for _ in range(100):
        client.games()
        time.sleep(0.02)


def test_people_matches_and_bans_while_a_server_runs(store, capsys):
    with serving(auth="tokens", store=str(store), ephemeral=False) as live:
        token = admin(capsys, store, "token", "new", "ann")["token"]
        with live.client(token) as ann:
            match = ann.create_match("frontier", "duel", seats={"blue": "ann"}).id
            (person,) = admin(capsys, store, "admin", "people")["people"]
            assert (person["name"], person["matches"]) == ("ann", 1)
            assert person["bytes"] > 1000
            (found,) = admin(capsys, store, "admin", "matches", "--player", "ann")["matches"]
            assert (found["id"], found["seats"]) == (match, "blue: ann, red: -")
            assert run(["admin", "matches", "--store", str(store)]) == 0
            assert match in capsys.readouterr().out
            admin(capsys, store, "admin", "ban", "ann", "--reason", "rude", "--days", "1")
            with pytest.raises(ServiceError, match="rude"):
                ask_often(ann)
            admin(capsys, store, "admin", "unban", "ann")
            assert run(["admin", "unban", "ann", "--store", str(store)]) == 4
            fresh = admin(capsys, store, "token", "rotate", "ann")["token"]
            capsys.readouterr()
        with live.client(fresh) as ann:
            assert ann.match(match).id == match
        admin(capsys, store, "admin", "remove", match)
        assert run(["admin", "remove", match, "--store", str(store)]) == 4


def test_a_backup_taken_while_a_server_runs_is_a_store(store, tmp_path, capsys):
    copy = tmp_path / "copy"
    with serving(store=str(store), ephemeral=False) as live, live.client() as client:
        match = client.create_match("frontier", "duel").id
        client.submit(match, 0, Action("pass", "blue"))
        admin(capsys, store, "admin", "backup", str(copy))
        client.submit(match, 1, Action("pass", "red"))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert run(["admin", "backup", str(copy), "--store", str(store)]) == 5
    with serving(store=str(copy), ephemeral=False) as live, live.client() as client:
        assert client.match(match).version == 1
        assert client.submit(match, 1, Action("pass", "red")).version == 2


def test_a_database_that_was_dumped_and_restored_is_a_store(tmp_path):
    """By PostgreSQL's own programs, as docs/service/serving.md says."""
    pytest.importorskip("psycopg")
    binaries = postgres.binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    with postgres.running(binaries) as address:
        restored = address.replace("/postgres?", "/restored?")
        dump = tmp_path / "matches.dump"
        with serving(store=address, ephemeral=False) as live, live.client() as client:
            match = client.create_match("frontier", "duel", seed="d").id
            client.submit(match, 0, Action("omen", "blue"), key="k")
            _run(binaries / "pg_dump", "-Fc", "-d", address, "-f", dump)
            digest = client.match(match).digest
        _run(binaries / "psql", "-d", address, "-c", "CREATE DATABASE restored")
        _run(binaries / "pg_restore", "--exit-on-error", "-d", restored, dump)
        with serving(store=restored, ephemeral=False) as live, live.client() as client:
            assert client.match(match).digest == digest
            assert client.submit(match, 0, Action("omen", "blue"), key="k").version == 1
            assert client.submit(match, 1, Action("pass", "blue")).version == 2


def _run(*command: object) -> None:
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)


def test_old_matches_are_removed_when_they_have_ended(store, capsys):
    with serving(store=str(store), ephemeral=False) as live, live.client() as client:
        going, ended, new = (client.create_match("frontier", "duel").id for _ in range(3))
        client.resign(ended, "blue")
        client.resign(new, "blue")
    with sqlite3.connect(store) as db:
        db.execute("UPDATE matches SET changed_at = 1 WHERE id != ?", (new,))
    db.close()
    dry = admin(capsys, store, "admin", "prune", "--days", "365", "--dry-run")
    assert dry == {"matches": [ended], "removed": False}
    assert admin(capsys, store, "admin", "prune", "--days", "365")["matches"] == [ended]
    every = ("admin", "prune", "--days", "365", "--unfinished")
    assert admin(capsys, store, *every)["matches"] == [going]
    assert [m["id"] for m in admin(capsys, store, "admin", "matches")["matches"]] == [new]
    assert run(["admin", "prune", "--days", "0", "--store", str(store)]) == 2
    assert run(["admin", "ban", " ", "--store", str(store)]) == 2
