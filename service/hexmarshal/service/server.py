"""The server: puts the parts together, listens, and drains when it is told to stop."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import grpc
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from hexmarshal.errors import NotFoundError, Place, UsageError
from hexmarshal.rules.plugins import registry as registries
from hexmarshal.service.auth import Authenticator
from hexmarshal.service.calls.endpoint import Endpoint
from hexmarshal.service.calls.handlers import handlers, snake
from hexmarshal.service.collector import Collector
from hexmarshal.service.conversion.conversion_service import ConversionService
from hexmarshal.service.limits import Limits
from hexmarshal.service.lobby.lobby_service import LobbyService
from hexmarshal.service.log import LOG
from hexmarshal.service.matches.match_service import MatchService
from hexmarshal.service.metrics import open_metrics
from hexmarshal.service.oidc import Issuer
from hexmarshal.service.readiness import Readiness
from hexmarshal.service.rulings.game_service import GameService
from hexmarshal.service.rulings.routing import Rulings
from hexmarshal.service.rulings.rules_service import RulesService
from hexmarshal.service.rulings.worker_process import held
from hexmarshal.service.store import open_store
from hexmarshal.service.tasks import end
from hexmarshal.service.tracing import open_tracing
from hexmarshal.v1 import (
    conversion_service_pb2,
    game_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
    rules_service_pb2,
    sight_service_pb2,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.service.settings import Settings

    # Something that serves along with a server, at the address that it gives.
    Beside = Callable[["Server"], AbstractAsyncContextManager[str]]

__all__ = ["SERVICES", "Server", "run"]

SERVICES = (
    game_service_pb2.DESCRIPTOR.services_by_name["GameService"],
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
    sight_service_pb2.DESCRIPTOR.services_by_name["SightService"],
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"],
    conversion_service_pb2.DESCRIPTOR.services_by_name["ConversionService"],
)
ALL = [service.full_name for service in SERVICES]
REFLECTION = "grpc.reflection.v1.ServerReflection"
# Without tokens, the others answer without a store.
_NEED_THE_STORE = [f"hexmarshal.v1.{name}" for name in ("MatchService", "LobbyService")]


class Server:
    """One server; `start` and `stop` it, or `run` it until a signal comes."""

    def __init__(self, settings: Settings, registry: Registry | None = None) -> None:
        self.settings = settings.check()
        self.registry = registry if registry is not None else registries.default()
        self.store = open_store(settings.store, ephemeral=settings.ephemeral)
        self.rulings = Rulings(self.registry, settings)
        self.matches = MatchService(self.store, self.rulings, settings)
        self.lobby = LobbyService(self.matches, self.rulings)
        self.conversions = ConversionService(settings, self.rulings)
        self.limits = Limits(settings)
        self.health = health.aio.HealthServicer()
        self.port = 0
        self.handlers: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
        self._server: grpc.aio.Server | None = None
        self._looking: asyncio.Task[None] | None = None
        needing = ALL if settings.auth == "tokens" else _NEED_THE_STORE
        others = [name for name in ALL if name not in needing]
        self.readiness = Readiness(self.store, self.health, needing, others)

    async def start(self) -> None:
        """Listen."""
        settings = self.settings
        await self.store.open()
        self.rulings.begin(await self.store.secret("pages"))
        self.metrics = open_metrics(settings.metrics)
        authenticator = Authenticator(
            self.store,
            required=settings.auth == "tokens",
            certificates=bool(settings.client_ca),
            issuer=_issuer(settings),
        )
        self.tracing = open_tracing(settings.traces)
        endpoint = self.endpoint = Endpoint(
            settings,
            authenticator,
            self.limits,
            self.metrics,
            self.tracing,
        )
        server = grpc.aio.server(
            options=(
                ("grpc.max_receive_message_length", settings.max_message_bytes),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", 0),
                # A stream that nobody reads must be noticed, or its watcher stays for ever.
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.keepalive_timeout_ms", 20_000),
                # After a restart all watchers come at once; gRPC would send most of them away.
                ("grpc.server.max_pending_requests", max(1000, settings.max_watchers)),
                ("grpc.server.max_pending_requests_hard_limit", max(3000, settings.max_watchers)),
            )
        )
        rules = RulesService(self.rulings, self.matches)
        games = GameService(self.rulings)
        finders = (
            lambda name: getattr(games, snake(name)),
            rules.method,
            rules.method,
            lambda name: getattr(self.matches, snake(name)),
            lambda name: getattr(self.lobby, snake(name)),
            self.conversions.method,
        )
        self.handlers = {
            service.full_name: handlers(endpoint, service, find)
            for service, find in zip(SERVICES, finders, strict=True)
        }
        server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(*each) for each in self.handlers.items()]
        )
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        _enable_reflection(server)
        self.port = self._listen(server)
        await server.start()
        self._server = server
        await self.readiness.begin()
        if authenticator.required or settings.client_ca:
            self._looking = asyncio.create_task(authenticator.watch())
        self.matches.begin()
        self._watch()

    def _watch(self) -> None:
        watch = self.metrics.watch
        watch("hexmarshal_active_calls", "Calls being answered", lambda: self.limits.active)
        watch("hexmarshal_held_matches", "Matches in memory", lambda: self.matches.held)
        watch("hexmarshal_watchers", "Open watch streams", lambda: self.matches.watchers)
        watch("hexmarshal_waiting_work", "Calls with the workers", lambda: self.rulings.waiting)
        pool, readiness = self.rulings.pool, self.readiness
        watch("hexmarshal_workers", "Worker processes", lambda: len(pool.pids))
        watch("hexmarshal_worker_deaths", "Workers that died at work", lambda: pool.deaths)
        watch("hexmarshal_worker_bytes", "Memory of all workers", lambda: sum(map(held, pool.pids)))
        watch("hexmarshal_store_up", "Whether the store answers", lambda: readiness.up)
        watch("hexmarshal_store_seconds", "How long it took", lambda: readiness.seconds)
        watch("hexmarshal_stored_matches", "Matches", lambda: readiness.stored.matches)
        watch("hexmarshal_stored_bytes", "Bytes of matches", lambda: readiness.stored.bytes)
        watch("hexmarshal_open_matches", "Matches with an open seat", lambda: readiness.stored.open)

    def _listen(self, server: grpc.aio.Server) -> int:
        settings = self.settings
        try:
            if settings.tls_cert:
                return server.add_secure_port(settings.listen, _credentials(settings))
            return server.add_insecure_port(settings.listen)
        except RuntimeError:
            raise UsageError(
                f"cannot listen on {settings.listen}", hint="the port may be in use already"
            ) from None

    async def stop(self, grace: float | None = None) -> None:
        """Answer no new calls, give running ones `grace` seconds, then let go."""
        await self.health.enter_graceful_shutdown()
        self.matches.close()
        if self._looking is not None:
            self._looking.cancel()
        self.readiness.close()
        if self._server is not None:
            await self._server.stop(grace)
            self._server = None
        await self.rulings.close()
        await self.matches.ended()
        await self.readiness.ended()
        await end(self._looking)
        await self.store.close()
        self.metrics.close()
        self.tracing.close()


def _issuer(settings: Settings) -> Issuer | None:
    if not settings.oidc_issuer:
        return None
    return Issuer(settings.oidc_issuer, settings.oidc_audience, settings.oidc_claim)


def _enable_reflection(server: grpc.aio.Server) -> None:
    """Reflection under its final name and its first one: the messages are the same."""
    listed = (*ALL, health.SERVICE_NAME, reflection.SERVICE_NAME, REFLECTION)
    reflection.enable_server_reflection(listed, server)
    servicer = reflection.aio.ReflectionServicer(listed)
    handler = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        reflection_pb2.ServerReflectionRequest.FromString,
        reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    handlers = {"ServerReflectionInfo": handler}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(REFLECTION, handlers)])


def _credentials(settings: Settings) -> grpc.ServerCredentials:
    certificate, key = _file(settings.tls_cert), _file(settings.tls_key)
    client_ca = _file(settings.client_ca) if settings.client_ca else None
    return grpc.ssl_server_credentials(
        [(key, certificate)], client_ca, require_client_auth=client_ca is not None
    )


def _file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise NotFoundError(f"{error.strerror}", place=Place(file=name)) from None


def _place(settings: Settings) -> str:
    """Where the matches are, without the password that an address may hold."""
    if settings.ephemeral:
        return "memory"
    address = urlsplit(settings.store)
    if not address.scheme.startswith("postgres"):
        return settings.store
    return f"{address.scheme}://{address.hostname or ''}{address.path}"


async def run(settings: Settings, beside: Beside | None = None) -> None:
    """Serve until SIGTERM or SIGINT, then drain; what serves `beside` it ends first."""
    # The writer of the store must not wait long for its turn when the disk is done.
    sys.setswitchinterval(0.0005)
    server = Server(settings)
    await server.start()
    collector = Collector(idle=lambda: not server.limits.active)
    collector.begin()
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # not on Windows
            loop.add_signal_handler(number, asked.set)
    address = settings.listen
    if not address.startswith("unix"):
        address = f"{address.rpartition(':')[0]}:{server.port}"
    fields = {
        "address": address,
        "store": _place(settings),
        "auth": settings.auth,
        "tls": bool(settings.tls_cert),
        "games": server.registry.keys(),
        "workers": settings.worker_count,
    }
    try:
        async with AsyncExitStack() as companions:
            if beside is not None:
                fields["web"] = await companions.enter_async_context(beside(server))
            LOG.info("serving", extra={"fields": fields})
            for broken in server.registry.broken:
                why = {"game": broken.key, "why": broken.error}
                LOG.warning("broken plugin", extra={"fields": why})
            await asked.wait()
            LOG.info("draining")
    finally:
        await server.stop(settings.drain_seconds)
        collector.close()
        LOG.info("stopped")
