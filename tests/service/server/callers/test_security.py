"""TLS, mutual TLS, and what a server refuses to do in the open."""

from __future__ import annotations

import asyncio
import base64
import shutil
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.client import Client, ServiceError, ServiceUnavailableError
from hexmarshal.client.requests import Request
from hexmarshal.errors import NotFoundError, UsageError
from hexmarshal.service.auth import Authenticator, Caller, Role, new_token, token_hash
from hexmarshal.service.calls.paging import PageTokens
from hexmarshal.service.calls.statuses import Refusal
from hexmarshal.service.log import LOG
from hexmarshal.service.settings import Settings
from hexmarshal.service.store import BanRow, StoreUnavailableError
from hexmarshal.v1 import match_service_pb2 as matches
from hexmarshal.v1 import match_terms_pb2 as terms
from server.conftest import serving
from server.raw_calls import act


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A CA, a server's certificate, a client's, and a client's of another CA."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is needed to make certificates")
    folder = tmp_path_factory.mktemp("tls")

    def run(*args: str) -> None:
        subprocess.run([openssl, *args], cwd=folder, check=True, capture_output=True)

    for ca in ("ca", "other"):
        run(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-keyout", f"{ca}.key", "-out", f"{ca}.pem", "-days", "2"),
            *("-subj", f"/CN={ca}"),
        )
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    for name, ca in (("server", "ca"), ("client", "ca"), ("stranger", "other")):
        run(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}"),
        )
        run(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key"),
            *("-CAcreateserial", "-days", "2", "-extfile", "names", "-out", f"{name}.pem"),
        )
    return folder


def tls(folder, **more):
    return serving(tls_cert=str(folder / "server.pem"), tls_key=str(folder / "server.key"), **more)


def test_tls_keeps_the_wire_private(certificates):
    with tls(certificates) as live:
        with Client(live.address, ca=certificates / "ca.pem") as client:
            assert client.games()
        with Client(live.address, timeout=20) as plain, pytest.raises(ServiceUnavailableError):
            plain.games()
        with (
            Client(live.address, ca=certificates / "other.pem", timeout=20) as wrong,
            pytest.raises(ServiceUnavailableError),
        ):
            wrong.games()


def test_mutual_tls_lets_in_only_clients_that_the_ca_vouches_for(certificates):
    ca = certificates / "ca.pem"
    with tls(certificates, client_ca=str(ca)) as live:

        def client(name: str | None) -> Client:
            files = {}
            if name:
                files = {
                    "certificate": certificates / f"{name}.pem",
                    "key": certificates / f"{name}.key",
                }
            return Client(live.address, ca=ca, timeout=20, **files)

        with client("client") as known:
            assert known.games()
            # A certificate names a person, with the role that the store has for that name.
            made = known.create_match("frontier", "duel", seats={"blue": "client", "red": "ann"})
            assert known.submit(made.id, 0, act("pass")).player == "client"
            with pytest.raises(ServiceError) as caught:
                known.match(made.id, side="red")
            assert caught.value.status == "PERMISSION_DENIED"
            live.token("client", "director")
            assert known.match(made.id, side="red").version == 1
            # What somebody has open ends with the role it was opened in, and with a ban.
            for end in (
                live.server.store.remove_token("client"),
                live.server.store.ban(BanRow("client", "shouting", 1)),
            ):
                events = known.watch(made.id)
                assert next(events).version == 1
                live.do(end)
                with pytest.raises(ServiceError) as caught:
                    next(events)
                assert caught.value.status == "UNAUTHENTICATED"
            with pytest.raises(ServiceError) as caught:
                known.games()
            assert (caught.value.status, caught.value.reason) == ("PERMISSION_DENIED", "BANNED")
        for name in ("stranger", None):
            with client(name) as unknown, pytest.raises(ServiceUnavailableError):
                unknown.games()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"listen": "0.0.0.0:50051"}, "anybody"),
        ({"listen": "[::]:50051"}, "anybody"),
        ({"listen": "192.168.1.5:50051", "auth": "tokens"}, "in the clear"),
        ({"tls_cert": "x"}, "together"),
        ({"client_ca": "x"}, "needs"),
        ({"auth": "maybe"}, "auth"),
    ],
)
def test_an_unsafe_server_does_not_start(changes, word):
    with pytest.raises(UsageError) as caught:
        Settings(**changes).check()
    assert word in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"listen": "127.0.0.1:1"},
        {"listen": "localhost:1"},
        {"listen": "[::1]:1"},
        {"listen": "unix:/tmp/x"},
        {"listen": "0.0.0.0:1", "auth": "tokens", "tls_cert": "c", "tls_key": "k"},
        {"listen": "0.0.0.0:1", "auth": "tokens", "plaintext": True},
        {"listen": "0.0.0.0:1", "tls_cert": "c", "tls_key": "k", "client_ca": "a"},
    ],
)
def test_a_safe_server_starts(changes):
    assert Settings(**changes).check()


def test_a_certificate_that_is_not_there_is_a_clear_error():
    with pytest.raises(NotFoundError), serving(tls_cert="/no/such.pem", tls_key="/no/key.pem"):
        pass


def test_a_token_is_kept_only_as_its_hash():
    token, row = new_token("ann", Role.PLAYER)
    assert token not in repr(row)
    assert row.hash == token_hash(token)
    assert len(token) > 40
    assert new_token("ann", Role.PLAYER)[0] != token


def test_health_needs_no_token_and_everything_else_does(club):
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    from hexmarshal.service.server import SERVICES

    with grpc.insecure_channel(club.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        assert stub.Check(health_pb2.HealthCheckRequest()).status == 1
        for method in (m for service in SERVICES for m in service.methods):
            with pytest.raises(grpc.RpcError) as caught:
                empty(channel, method)
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def empty(channel, method) -> None:
    """Call a method with an empty request, whatever its shape."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    if method.client_streaming:
        list(channel.stream_stream(path)(iter([b""])))
    elif method.server_streaming:
        list(channel.unary_stream(path)(b""))
    else:
        channel.unary_unary(path)(b"")


def test_a_revoked_token_ends_what_is_open(club):
    token = club.token("watcher")
    with club.client(token) as client:
        made = client.create_match("frontier", "duel", seats={"blue": "watcher", "red": "x"})
        client.submit(made.id, 0, act("pass"))
        events = client.watch(made.id)
        assert next(events).version == 1
        assert club.do(club.server.store.remove_token("watcher"))
        with pytest.raises(ServiceError) as caught:
            next(events)
        assert caught.value.status == "UNAUTHENTICATED"
        with pytest.raises(ServiceError) as caught:
            client.games()
        assert caught.value.status == "UNAUTHENTICATED"


class Tokens:
    """A store of tokens that counts how often one of them is read."""

    def __init__(self, *rows):
        self.rows, self.read, self.answers = {row.hash: row for row in rows}, 0, True

    async def tokens_state(self):
        if not self.answers:
            raise StoreUnavailableError("gone")
        return (len(self.rows),)

    async def token(self, digest):
        self.read += 1
        return self.rows.get(digest)

    async def banned(self, name):
        return None


@dataclass(eq=False)
class Stream:
    digest: str
    caller: Caller
    ended: bool = False

    def revoke(self):
        self.ended = True


def test_what_is_open_costs_the_store_little_and_ends_with_its_token():
    async def run() -> None:
        made = [new_token(f"p{i}", Role.PLAYER) for i in range(30)]
        store = Tokens(*(row for _, row in made))
        authenticator = Authenticator(store, required=True)
        with ExitStack() as open_now:
            streams = []
            for token, row in made:
                caller = await authenticator.caller(f"Bearer {token}")
                streams.append(Stream(row.hash, caller))
                open_now.enter_context(authenticator.held_open(streams[-1]))
            for _ in range(20):
                await authenticator.look()
            # Once when they came, once more after the first state that counts them.
            assert store.read <= 3 * len(made)
            assert not any(stream.ended for stream in streams)
            # One is revoked while the store does not answer, another gets a role of its own.
            del store.rows[streams[3].digest]
            store.answers = False
            with pytest.raises(StoreUnavailableError):
                await authenticator.look()
            assert not any(stream.ended for stream in streams)
            store.answers = True
            changed = streams[7].digest
            store.rows[changed] = replace(store.rows[changed], role="director")
            await authenticator.look()
            assert [i for i, stream in enumerate(streams) if stream.ended] == [3, 7]

    asyncio.run(run())


def test_the_file_of_the_store_is_for_its_owner_alone(tmp_path):
    store = tmp_path / "matches.sqlite3"
    store.touch(0o644)
    with serving(store=str(store), ephemeral=False) as live, live.client() as client:
        client.create_match("frontier", "duel")
        found = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert len(found) > 1
    assert set(found.values()) == {0o600}


def test_a_key_that_made_a_match_makes_no_other(club):
    with club.client(club.token("maker")) as client:
        made = client.create_match("frontier", "duel", key="k")
        assert client.create_match("frontier", "duel", key="k").id == made.id
        # Somebody sits down, and it is the same match still.
        with club.client(club.token("guest")) as guest:
            guest.join(made.id, "red")
        assert client.create_match("frontier", "duel", key="k").id == made.id
        others = ({"scenario": "ruse"}, {"title": "Another"}, {"seed": "s"})
        for other in (*others, {"audience": terms.AUDIENCE_PUBLIC}):
            with pytest.raises(ServiceError) as caught:
                client.create_match("frontier", **({"scenario": "duel"} | other), key="k")
            assert (caught.value.status, caught.value.reason) == ("INVALID_ARGUMENT", "KEY_REUSED")


def test_a_page_token_tells_nothing_and_is_nobody_elses(club):
    with club.client(club.token("lister")) as one, club.client(club.token("other")) as two:
        for client, me in ((one, "lister"), (two, "other")):
            for _ in range(3):
                client.create_match("frontier", "duel", seats={"blue": me, "red": me})

        def listed(client, token: str) -> matches.ListMatchesResponse:
            request = matches.ListMatchesRequest(page_size=1, page_token=token)
            kind = matches.ListMatchesResponse
            return client.call(Request("MatchService/ListMatches", request, kind, lambda r: r))

        first = listed(one, "")
        again = listed(one, "")
        assert first.next_page_token == again.next_page_token
        second = listed(one, first.next_page_token)
        assert second.matches[0].id != first.matches[0].id
        hidden = base64.urlsafe_b64decode(first.next_page_token)
        assert first.matches[0].id.encode() not in hidden
        spoilt = base64.urlsafe_b64encode(hidden[:-1] + bytes([hidden[-1] ^ 1])).decode()
        for client, token in (
            (two, first.next_page_token),
            (one, spoilt),
            (one, second.matches[0].id),
        ):
            with pytest.raises(ServiceError) as caught:
                listed(client, token)
            assert caught.value.place.field == "page_token"


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=100))
def test_what_a_page_token_holds_comes_back(text):
    tokens = PageTokens(b"s" * 32)
    assert tokens.last("a", tokens.name("a", text)) == text
    with pytest.raises(Refusal):
        tokens.last("b", tokens.name("a", text))


def test_strangers_are_limited_before_they_are_logged(caplog):
    with serving(auth="tokens", log_calls="errors") as live, caplog.at_level("INFO"):
        LOG.addHandler(caplog.handler)
        try:
            with live.client("hm_wrong") as stranger, live.client(live.token("ann")) as ann:
                found = []
                for _ in range(90):
                    with pytest.raises(ServiceError) as caught:
                        stranger.games()
                    found.append(caught.value.status)
                assert ann.games()
        finally:
            LOG.removeHandler(caplog.handler)
    assert set(found) == {"UNAUTHENTICATED", "RESOURCE_EXHAUSTED"}
    logged = [r.fields for r in caplog.records if getattr(r, "fields", {}).get("code")]
    assert {one["code"] for one in logged} == {"UNAUTHENTICATED"}
    assert all("127.0.0.1" in one["peer"] for one in logged)
    assert len({id(r) for r in logged}) <= found.count("UNAUTHENTICATED") * 2


def test_a_player_has_so_many_matches_and_no_more():
    with (
        serving(auth="tokens", max_matches_per_player=2) as live,
        live.client(live.token("ann")) as ann,
        live.client(live.token("bob")) as bob,
    ):
        made = [ann.create_match("frontier", "duel").id for _ in range(2)]
        with pytest.raises(ServiceError) as caught:
            ann.create_match("frontier", "duel")
        assert caught.value.status == "RESOURCE_EXHAUSTED"
        assert bob.create_match("frontier", "duel").id
        ann.delete_match(made[0])
        assert ann.create_match("frontier", "duel").id
