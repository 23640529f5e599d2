"""The table of a match as a seat sees it, now or earlier, for a page to draw."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING

from google.protobuf import json_format
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hexmarshal.table.module_finder import own_module
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.web.connect.errors import aborted_of
from hexmarshal.web.drawing.position_art import PositionArt
from hexmarshal.web.matches.history import Histories
from hexmarshal.wire.positions import decode_position, encode_position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.web.connect.calls import Calls
    from hexmarshal.web.drawing.gallery import Gallery
    from hexmarshal.web.matches.history import History

__all__ = ["Tables", "whole_number"]

_FOREVER = "private, max-age=31536000, immutable"
_DIGITS = 12


def whole_number(request: Request, name: str, default: int) -> int:
    """A number in the address, or a refusal."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > _DIGITS:
        raise aborted_of(name, f"is not a whole number: {text!r}")
    return int(text)


class Tables:
    """Draws matches; the module of each game is built when its first match is looked at."""

    def __init__(self, calls: Calls, registry: Registry, gallery: Gallery) -> None:
        self._calls, self._registry, self._gallery = calls, registry, gallery
        self._arts: dict[str, asyncio.Task[PositionArt]] = {}
        self._histories = Histories(calls)

    def routes(self) -> Iterator[Route]:
        """The table, its cells, and what happened in the match."""
        yield Route("/table/{match}", self._table, methods=["GET"])
        yield Route("/history/{match}", self._history, methods=["GET"])
        yield Route("/cells/{game}/{key}/{number:int}", self._cells, methods=["GET"])

    async def _shown(self, request: Request) -> tuple[pb.Match, str]:
        side = request.query_params.get("side", "")
        asked = pb.GetMatchRequest(match=request.path_params["match"], side=side)
        answer = await self._calls.unary(request, "MatchService/GetMatch", asked)
        return answer.match, answer.match.position.viewer

    async def _table(self, request: Request) -> Response:
        match, side = await self._shown(request)
        version = whole_number(request, "version", match.version)
        earlier = None
        if version != match.version:
            earlier = await self._histories.of(request, match, side)
        art = await self._art(match.game)
        # A table of some hundred pieces takes its time, which nobody else should wait for.
        work = partial(_table, art, match, version, earlier)
        return Response(await self._calls.here.apart(work), media_type="application/json")

    async def _history(self, request: Request) -> Response:
        match, side = await self._shown(request)
        history = await self._histories.of(request, match, side)
        work = partial(_events, history)
        return Response(await self._calls.here.apart(work), media_type="application/json")

    async def _cells(self, request: Request) -> Response:
        path = request.path_params
        art = self._arts.get(path["game"])
        found = None
        if art is not None and art.done():
            found = await asyncio.to_thread(art.result().cells, path["key"], path["number"])
        if found is None:
            return JSONResponse({"shapes": [], "cells": []}, 404)
        return JSONResponse(found, headers={"cache-control": _FOREVER})

    async def _art(self, game: str) -> PositionArt:
        if game not in self._arts:
            self._arts[game] = asyncio.create_task(asyncio.to_thread(self._made, game))
        try:
            return await asyncio.shield(self._arts[game])
        except Exception:
            if self._arts[game].done():
                self._arts.pop(game, None)
            raise

    def _made(self, game: str) -> PositionArt:
        plugin = self._registry.get(game)
        return PositionArt(plugin, own_module(plugin), self._gallery)


def _table(art: PositionArt, match: pb.Match, version: int, earlier: History | None) -> bytes:
    """What a page draws: the match, and the table as it is or as it was."""
    position = decode_position(match.position) if earlier is None else earlier.at(version)
    if earlier is not None:
        match.position.CopyFrom(encode_position(position))
    told = {
        "match": json_format.MessageToDict(match),
        "version": version,
        "newest": match.version,
        **art.table(position, lambda key, number: f"/cells/{match.game}/{key}/{number}"),
    }
    return _json(told)


def _events(history: History) -> bytes:
    return _json([json_format.MessageToDict(event) for event in history.events])


def _json(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
