"""A live server in this process, on a port of its own, and clients of it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from hexmarshal.client import Client
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.service.auth import Role, new_token
from hexmarshal.service.server import Server
from hexmarshal.service.settings import Settings

from . import postgres
from .frontier import Frontier

QUIET = Settings(listen="127.0.0.1:0", ephemeral=True, workers=0, log_calls="none")


def registry() -> Registry:
    found = Registry()
    found.add(Frontier())
    return found


class Live:
    """A running server: `address`, and `do(coroutine)` to reach into it."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self.loop = loop
        self.address = f"127.0.0.1:{server.port}"

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def token(self, name: str, role: str = "player", seats=(), days=None) -> str:
        token, row = new_token(name, Role(role), seats, days)
        assert self.do(self.server.store.add_token(row))
        return token

    def client(self, token: str = "", **options) -> Client:
        return Client(self.address, token=token, **options)


@contextmanager
def serving(games: Registry | None = None, **changes):
    settings = replace(QUIET, **changes)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        server = Server(settings, games or registry())
        asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)
        try:
            yield Live(server, loop)
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(0.2), loop).result(30)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.fixture(scope="module")
def live():
    with serving() as one:
        yield one


@pytest.fixture
def client(live):
    with live.client() as one:
        yield one


@pytest.fixture(scope="module")
def club():
    """A server with tokens: a table of its own for every test that asks who may know what."""
    with serving(auth="tokens") as one:
        yield one


@pytest.fixture(scope="session")
def database():
    folder = postgres.binaries()
    if folder is None:
        pytest.skip("no PostgreSQL on this machine: its binaries are needed, not a running server")
    pytest.importorskip("psycopg")
    with postgres.running(folder) as address:
        yield address


@pytest.fixture(params=["sqlite", "memory", "postgresql"])
def where(request, tmp_path):
    """A fresh store: what to give to `--store`, and whether in memory."""
    if request.param == "postgresql":
        import psycopg

        address = request.getfixturevalue("database")
        with psycopg.connect(address, autocommit=True) as db:
            db.execute("DROP SCHEMA public CASCADE")
            db.execute("CREATE SCHEMA public")
        return {"store": address, "ephemeral": False}
    if request.param == "memory":
        return {"store": "", "ephemeral": True}
    return {"store": str(tmp_path / "matches.sqlite3"), "ephemeral": False}
