"""An answer's head and body, as far as they are read at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

LARGEST_ERROR = 65_536
"""Bytes of a refusal that are read."""


def kind_of(response: httpx2.Response) -> str:
    """The kind of content, without its parameters; empty where none is named."""
    return response.headers.get("content-type", "").split(";")[0].strip().lower()


async def bounded(response: httpx2.Response, most: int) -> bytes:
    """What comes of an answer, up to so many bytes."""
    data = bytearray()
    async for block in response.aiter_bytes():
        data += block
        if len(data) > most:
            break
    return bytes(data[:most])
