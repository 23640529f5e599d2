"""Traces by OpenTelemetry: one span a call, under the caller's own trace where it sends one."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from hexmarshal.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

__all__ = ["NoTracing", "OpenTelemetry", "Span", "Tracing", "open_tracing"]


class Tracing(Protocol):
    """What the endpoint reports to."""

    def call(self, method: str, metadata: Mapping[str, str]) -> AbstractContextManager[Span]:
        """For as long as a call runs."""

    def close(self) -> None:
        """Send what is left."""


class Span(Protocol):
    """One call in a trace."""

    def ended(self, code: str, request_id: str) -> None:
        """How it ended; nothing that it was about."""


class _NoSpan:
    def ended(self, code: str, request_id: str) -> None:
        """Nothing."""


_NO_SPAN = nullcontext(_NoSpan())


# For how long a collector that does not answer is waited for, at the end too.
SEND_SECONDS = 2


class NoTracing:
    """Nobody asked for traces."""

    def call(self, method: str, metadata: Mapping[str, str]) -> AbstractContextManager[Span]:
        """Nothing."""
        del method, metadata
        return _NO_SPAN

    def close(self) -> None:
        """Nothing."""


class _OtelSpan:
    def __init__(self, span: Any) -> None:  # noqa: ANN401 - OpenTelemetry's
        self._span = span

    def ended(self, code: str, request_id: str) -> None:
        """How it ended."""
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("rpc.grpc.status_code_name", code)
        self._span.set_attribute("hexmarshal.request_id", request_id)
        if code in {"INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"}:
            self._span.set_status(Status(StatusCode.ERROR, code))


class OpenTelemetry:
    """Spans, sent in batches to a collector, or to `exporter` in tests."""

    def __init__(self, address: str, exporter: Any = None) -> None:  # noqa: ANN401
        from opentelemetry.propagate import extract
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
        from opentelemetry.trace import SpanKind

        self._extract, self._kind = extract, SpanKind.SERVER
        self._provider = TracerProvider(resource=Resource.create({"service.name": "hexmarshal"}))
        if exporter is None:
            from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

            plain = not address.startswith("https")
            sent = OTLPSpanExporter(endpoint=address, insecure=plain, timeout=SEND_SECONDS)
            self._provider.add_span_processor(BatchSpanProcessor(sent))
        else:
            self._provider.add_span_processor(SimpleSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("hexmarshal.service")

    @contextmanager
    def call(self, method: str, metadata: Mapping[str, str]) -> Iterator[Span]:
        """A span of the server's kind."""
        service, _, name = method.partition("/")
        attributes = {
            "rpc.system": "grpc",
            "rpc.service": f"hexmarshal.v1.{service}",
            "rpc.method": name,
        }
        parent = self._extract(metadata)
        span = self._tracer.start_span(
            f"hexmarshal.v1.{method}", parent, kind=self._kind, attributes=attributes
        )
        try:
            yield _OtelSpan(span)
        finally:
            span.end()

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def open_tracing(address: str) -> Tracing:
    """Traces to a collector at this address; none for an empty one."""
    if not address:
        return NoTracing()
    try:
        return OpenTelemetry(address)
    except ImportError:
        raise MissingExtraError(
            "traces need OpenTelemetry", hint="pip install 'hexmarshal[traces]'"
        ) from None
