"""Reads Google's responses before its client does.

The client parses error bodies as JSON however deeply nested, recognises a mid-stream error only in one exact form, and
parses a stream only as Google writes it, not as a proxy may reformat it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import httpx2

from adstudio.llm.http_faults import http_error, stream_error
from adstudio.llm.response_reading import LARGEST_ERROR, bounded, kind_of
from adstudio.llm.server_sent_events import events

if TYPE_CHECKING:
    from adstudio.llm.keys import Secret


class GoogleTransport(httpx2.AsyncBaseTransport):
    """Sends through another transport, raises HTTP errors as faults, and normalises event streams."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, place: str, model: str, key: Secret) -> None:
        self._inner = inner
        self._place, self._model, self._key = place, model, key

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request.

        Raises:
            FaultError: for an HTTP error.
        """
        response = await self._inner.handle_async_request(request)
        if response.status_code != 200:
            try:
                data = await bounded(response, LARGEST_ERROR)
            finally:
                await response.aclose()
            raise http_error(response, data, self._place, self._model, self._key)
        if kind_of(response) != "text/event-stream":
            return response
        stream = _Events(response, self._place, self._model, self._key)
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, stream=stream)

    async def aclose(self) -> None:
        """Close the other transport."""
        await self._inner.aclose()


class _Events(httpx2.AsyncByteStream):
    """A stream in the form that Google's client reads; an error event is raised as a fault."""

    def __init__(self, response: httpx2.Response, place: str, model: str, key: Secret) -> None:
        self._response = response
        self._place, self._model, self._key = place, model, key

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with contextlib.aclosing(events(self._response.aiter_bytes(), self._place)) as found:
            async for event in found:
                if event.get("error") is not None:
                    raise stream_error(event, self._place, self._model, self._key)
                yield b"data: %s\n\n" % json.dumps(event).encode()

    async def aclose(self) -> None:
        await self._response.aclose()
