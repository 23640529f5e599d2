# Made from asynchronous_transport.py by `make proto`; change it there.
"""Calls and streams over the channel, for threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

import grpc

from hexmarshal.client.channel import PACKAGE, Reach
from hexmarshal.client.errors import error_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.client.conversions import Upload
    from hexmarshal.client.requests import Request

__all__ = ["Transport"]

T = TypeVar("T")


class Transport:
    """One connection to the service: a call, a stream of answers, an upload."""

    def __init__(
        self,
        address: str = "127.0.0.1:50051",
        *,
        token: str = "",
        tls: bool = False,
        ca: Path | None = None,
        certificate: Path | None = None,
        key: Path | None = None,
        timeout: float | None = 30.0,
    ) -> None:
        reach = Reach(address, token, ca, certificate, key, tls)
        credentials = reach.credentials
        self._metadata = reach.metadata
        self._timeout = timeout
        self._calls: dict[str, Any] = {}
        self.channel = (
            grpc.insecure_channel(address, options=reach.options)
            if credentials is None
            else grpc.secure_channel(address, credentials, options=reach.options)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self.channel.close()

    def call(self, request: Request[T]) -> T:
        """Make one call; a refusal raises a ServiceError."""
        call = self._calls.get(request.method)
        if call is None:
            call = self._calls[request.method] = self.channel.unary_unary(
                f"/{PACKAGE}.{request.method}",
                request_serializer=type(request.message).SerializeToString,
                response_deserializer=request.answer.FromString,
            )
        try:
            answer = call(request.message, timeout=self._timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_of(error) from None
        return request.read(answer)

    def _stream(self, request: Request[T]) -> Iterator[T]:
        call = self.channel.unary_stream(
            f"/{PACKAGE}.{request.method}",
            request_serializer=type(request.message).SerializeToString,
            response_deserializer=request.answer.FromString,
        )
        answers = call(request.message, metadata=self._metadata)
        try:
            for answer in answers:
                yield request.read(answer)
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            answers.cancel()

    def _send(self, upload: Upload) -> Iterator[Any]:
        call = self.channel.stream_stream(
            f"/{PACKAGE}.{upload.method}",
            request_serializer=upload.message.SerializeToString,
            response_deserializer=upload.answer.FromString,
        )
        answers = call(upload.messages(), timeout=self._timeout, metadata=self._metadata)
        try:
            yield from answers
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            answers.cancel()

    def _ask(self, upload: Upload) -> Any:  # noqa: ANN401 - the answer of the method
        call = self.channel.stream_unary(
            f"/{PACKAGE}.{upload.method}",
            request_serializer=upload.message.SerializeToString,
            response_deserializer=upload.answer.FromString,
        )
        try:
            return call(upload.messages(), timeout=self._timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_of(error) from None
