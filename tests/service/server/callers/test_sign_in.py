"""Accounts of a club by OpenID Connect, from an issuer on this machine; and traces of calls."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hexmarshal.client import ServiceError
from hexmarshal.errors import UsageError
from hexmarshal.service.oidc import Issuer
from hexmarshal.service.settings import Settings
from server.conftest import serving

jwt = pytest.importorskip("jwt")
rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa")


class Club:
    """An issuer with keys of its own, and a server that trusts it."""

    def __init__(self) -> None:
        self.keys = {name: rsa.generate_private_key(65537, 2048) for name in ("one", "two")}
        self.shown = ["one"]
        outer = self

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                here = f"http://127.0.0.1:{self.server.server_port}"
                keys = [outer.public(name) for name in outer.shown]
                told = {"keys": keys} if self.path == "/keys" else {"jwks_uri": f"{here}/keys"}
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(told).encode())

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def public(self, name: str) -> dict:
        key = jwt.algorithms.RSAAlgorithm.to_jwk(self.keys[name].public_key(), as_dict=True)
        return {**key, "kid": name, "use": "sig", "alg": "RS256"}

    def token(self, key: str = "one", signed_by: str = "", **claims) -> str:
        usual = {
            "iss": self.address,
            "aud": "hexmarshal",
            "exp": time.time() + 600,
            "preferred_username": "ann",
        }
        told = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode(told, self.keys[signed_by or key], "RS256", headers={"kid": key})


@pytest.fixture(scope="module")
def issuer():
    found = Club()
    yield found
    found.http.shutdown()
    found.http.server_close()


@pytest.fixture(scope="module")
def live(issuer):
    more = {"oidc_issuer": issuer.address, "oidc_audience": "hexmarshal"}
    with serving(auth="tokens", **more) as one:
        yield one


def test_an_account_of_the_club_is_a_player_of_that_name(live, issuer):
    with live.client(issuer.token()) as ann:
        match = ann.create_match("frontier", "duel", seats={"blue": "oidc:ann"}).id
        assert ann.match(match).position.viewer == "blue"
    with live.client(issuer.token(preferred_username="bob")) as bob:
        assert bob.join(match).position.viewer == "red"
    live.token("oidc:club", "director")
    with live.client(issuer.token(preferred_username="club")) as director:
        assert director.match(match).position.viewer == ""


def test_an_account_is_not_who_has_a_token_of_its_name(live, issuer):
    """Whoever opens an account chooses its name."""
    with live.client(live.token("dan")) as dan:
        match = dan.create_match("frontier", "duel", seats={"blue": "dan", "red": "eve"}).id
    live.token("boss", "admin")
    for name in ("dan", "boss", "eve"):
        with (
            live.client(issuer.token(preferred_username=name)) as stranger,
            pytest.raises(ServiceError) as caught,
        ):
            stranger.match(match)
        assert caught.value.status == "PERMISSION_DENIED"


def test_who_knocks_too_often_is_refused_before_a_signature_is_checked(issuer, monkeypatch):
    checked = []
    check = Issuer.check

    async def counted(self, token):
        checked.append(token)
        return await check(self, token)

    monkeypatch.setattr(Issuer, "check", counted)
    more = {"oidc_issuer": issuer.address, "oidc_audience": "hexmarshal"}
    with serving(auth="tokens", **more) as live:
        good = issuer.token()
        with live.client(good) as ann:
            assert ann.games()
        codes = []
        for i in range(100):
            with (
                live.client(issuer.token(signed_by="two", exp=time.time() + 600 + i)) as client,
                pytest.raises(ServiceError) as caught,
            ):
                client.games()
            codes.append(caught.value.status)
        assert codes[0] == "UNAUTHENTICATED"
        assert codes[-1] == "RESOURCE_EXHAUSTED"
        assert len(checked) < 70
        # Who was let in before is let in still.
        with live.client(good) as ann:
            assert ann.games()


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another service"},
        {"iss": "https://elsewhere.example"},
        {"exp": 1},
        {"exp": None},
        {"preferred_username": None},
        {"preferred_username": ""},
        {"preferred_username": ["ann"]},
        {"preferred_username": "n" * 1000},
        {"nbf": time.time() + 9000},
        {"signed_by": "two"},
    ],
)
def test_what_the_issuer_does_not_vouch_for_is_refused(live, issuer, claims):
    with live.client(issuer.token(**claims)) as client, pytest.raises(ServiceError) as caught:
        client.games()
    assert caught.value.status == "UNAUTHENTICATED"


def test_a_token_that_is_not_signed_or_by_a_shared_secret_is_refused(live, issuer):
    head = {"kid": "one"}
    claims = {"iss": issuer.address, "aud": "hexmarshal", "exp": time.time() + 600}
    claims["preferred_username"] = "ann"
    for token in (
        jwt.encode(claims, "", "none", headers=head),
        jwt.encode(claims, "k" * 64, "HS256", headers=head),
        "ey.ey.ey",
    ):
        with live.client(token) as client, pytest.raises(ServiceError) as caught:
            client.games()
        assert caught.value.status == "UNAUTHENTICATED"


def test_a_new_key_of_the_issuer_is_found(issuer):
    async def work() -> list[str]:
        trusted = Issuer(issuer.address, "hexmarshal", "preferred_username")
        first = await trusted.check(issuer.token())
        trusted._keys.cooldown_duration = 0  # how soon it may be asked again
        issuer.shown.append("two")
        second = await trusted.check(issuer.token("two", preferred_username="cat"))
        return [first.name, second.name]

    assert asyncio.run(work()) == ["oidc:ann", "oidc:cat"]


def test_sign_in_needs_an_audience_and_tokens():
    for more in ({"auth": "none", "oidc_audience": "x"}, {"auth": "tokens"}):
        with pytest.raises(UsageError):
            Settings(oidc_issuer="https://club.example", **more).check()
    with (
        pytest.raises(UsageError),
        serving(auth="tokens", oidc_issuer="ftp://club.example", oidc_audience="x"),
    ):
        pass


def test_a_call_is_a_span_under_the_trace_of_its_caller(monkeypatch):
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    import grpc

    from hexmarshal.service import server, tracing
    from hexmarshal.v1 import game_service_pb2 as games

    kept = memory.InMemorySpanExporter()
    monkeypatch.setattr(server, "open_tracing", lambda _: tracing.OpenTelemetry("", kept))
    trace = "0af7651916cd43dd8448eb211c80319c"
    with serving() as live, grpc.insecure_channel(live.address) as channel:
        call = channel.unary_unary("/hexmarshal.v1.GameService/GetGame")
        with pytest.raises(grpc.RpcError):
            call(
                games.GetGameRequest(game="none such").SerializeToString(),
                metadata=(("traceparent", f"00-{trace}-b7ad6b7169203331-01"),),
            )
    (span,) = kept.get_finished_spans()
    assert span.name == "hexmarshal.v1.GameService/GetGame"
    assert f"{span.context.trace_id:032x}" == trace
    assert span.attributes["rpc.grpc.status_code_name"] == "NOT_FOUND"
    assert "none such" not in str(span.attributes)


class Collector:
    """Takes spans by OTLP, as a collector of OpenTelemetry does."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        import grpc
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp

        self.spans = []

        def export(request, _context):
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    self.spans += scope.spans
            return otlp.ExportTraceServiceResponse()

        method = grpc.unary_unary_rpc_method_handler(
            export,
            otlp.ExportTraceServiceRequest.FromString,
            otlp.ExportTraceServiceResponse.SerializeToString,
        )
        service = "opentelemetry.proto.collector.trace.v1.TraceService"
        self.server = grpc.server(ThreadPoolExecutor(1))
        self.server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(service, {"Export": method})]
        )
        self.address = f"http://127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()


def test_spans_reach_a_collector_over_the_wire():
    pytest.importorskip("opentelemetry.exporter.otlp.proto.grpc")
    collector = Collector()
    try:
        with serving(traces=collector.address) as live, live.client() as client:
            client.games()
            match = client.create_match("frontier", "duel").id
        named = {span.name: span for span in collector.spans}
        assert {
            "hexmarshal.v1.GameService/ListGames",
            "hexmarshal.v1.MatchService/CreateMatch",
        } <= set(named)
        assert match not in str(collector.spans)
    finally:
        collector.server.stop(0)


def test_a_collector_that_is_not_there_holds_up_nobody():
    pytest.importorskip("opentelemetry.exporter.otlp.proto.grpc")
    with serving(traces="http://127.0.0.1:9") as live, live.client(timeout=10) as client:
        assert client.games()
