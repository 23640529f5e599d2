"""Prometheus metrics: calls, how they ended and how long they took; no label names a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from hexmarshal.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Metrics", "NoMetrics", "PrometheusMetrics", "open_metrics"]

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics(Protocol):
    """What the service reports."""

    def called(self, method: str, code: str, seconds: float) -> None:
        """One call ended."""

    def watch(self, name: str, doc: str, read: Callable[[], float]) -> None:
        """A number that is read when somebody asks."""

    def close(self) -> None:
        """Stop answering."""


class NoMetrics:
    """Nobody asked for metrics."""

    def called(self, method: str, code: str, seconds: float) -> None:
        """Nothing."""

    def watch(self, name: str, doc: str, read: Callable[[], float]) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class PrometheusMetrics:
    """Metrics over HTTP at an address of its own."""

    def __init__(self, host: str, port: int) -> None:
        import prometheus_client as prometheus

        self._prometheus = prometheus
        self._registry = prometheus.CollectorRegistry()
        prometheus.ProcessCollector(registry=self._registry)
        prometheus.GCCollector(registry=self._registry)
        self._calls = prometheus.Counter(
            "hexmarshal_calls",
            "Calls by method and status code",
            ["method", "code"],
            registry=self._registry,
        )
        self._seconds = prometheus.Histogram(
            "hexmarshal_call_seconds",
            "Time from request to answer",
            ["method"],
            buckets=BUCKETS,
            registry=self._registry,
        )
        started: Any = prometheus.start_http_server(port, addr=host, registry=self._registry)
        self._server, self._thread = started
        self.port: int = self._server.server_port

    def called(self, method: str, code: str, seconds: float) -> None:
        """One call ended."""
        self._calls.labels(method, code).inc()
        self._seconds.labels(method).observe(seconds)

    def watch(self, name: str, doc: str, read: Callable[[], float]) -> None:
        """A number that is read when somebody asks."""
        self._prometheus.Gauge(name, doc, registry=self._registry).set_function(read)

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def open_metrics(address: str) -> Metrics:
    """Metrics at `host:port`; none for an empty address."""
    if not address:
        return NoMetrics()
    host, _, port = address.rpartition(":")
    if not port.isdigit():
        raise UsageError(f"metrics: not HOST:PORT: {address!r}")
    try:
        return PrometheusMetrics(host.strip("[]") or "127.0.0.1", int(port))
    except ImportError:
        raise MissingExtraError(
            "metrics need prometheus-client", hint="pip install 'hexmarshal[metrics]'"
        ) from None
    except OSError as error:
        raise UsageError(f"metrics: cannot listen on {address}: {error.strerror}") from None
