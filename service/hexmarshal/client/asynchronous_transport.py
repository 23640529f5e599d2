"""Calls and streams over the channel, for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

import grpc
import grpc.aio

from hexmarshal.client.channel import PACKAGE, Reach
from hexmarshal.client.errors import error_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from hexmarshal.client.conversions import Upload
    from hexmarshal.client.requests import Request

__all__ = ["AsyncTransport"]

T = TypeVar("T")


class AsyncTransport:
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
            grpc.aio.insecure_channel(address, options=reach.options)
            if credentials is None
            else grpc.aio.secure_channel(address, credentials, options=reach.options)
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connection."""
        await self.channel.close()

    async def call(self, request: Request[T]) -> T:
        """Make one call; a refusal raises a ServiceError."""
        call = self._calls.get(request.method)
        if call is None:
            call = self._calls[request.method] = self.channel.unary_unary(
                f"/{PACKAGE}.{request.method}",
                request_serializer=type(request.message).SerializeToString,
                response_deserializer=request.answer.FromString,
            )
        try:
            answer = await call(request.message, timeout=self._timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_of(error) from None
        return request.read(answer)

    async def _stream(self, request: Request[T]) -> AsyncIterator[T]:
        call = self.channel.unary_stream(
            f"/{PACKAGE}.{request.method}",
            request_serializer=type(request.message).SerializeToString,
            response_deserializer=request.answer.FromString,
        )
        answers = call(request.message, metadata=self._metadata)
        try:
            async for answer in answers:
                yield request.read(answer)
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            answers.cancel()

    async def _send(self, upload: Upload) -> AsyncIterator[Any]:
        call = self.channel.stream_stream(
            f"/{PACKAGE}.{upload.method}",
            request_serializer=upload.message.SerializeToString,
            response_deserializer=upload.answer.FromString,
        )
        answers = call(upload.messages(), timeout=self._timeout, metadata=self._metadata)
        try:
            async for answer in answers:
                yield answer
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            answers.cancel()

    async def _ask(self, upload: Upload) -> Any:  # noqa: ANN401 - the answer of the method
        call = self.channel.stream_unary(
            f"/{PACKAGE}.{upload.method}",
            request_serializer=upload.message.SerializeToString,
            response_deserializer=upload.answer.FromString,
        )
        try:
            return await call(upload.messages(), timeout=self._timeout, metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_of(error) from None
