"""Streams of events, however a network cuts them."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.llm.faults import RunawayError
from adstudio.llm.server_sent_events import LONGEST_LINE, lines


async def cut(data: bytes, sizes: list[int]):
    at = 0
    for size in [*sizes, len(data)]:
        yield data[at : at + size]
        at += size


def read(data: bytes, sizes: list[int]) -> list[bytes]:
    async def all_of() -> list[bytes]:
        return [line async for line in lines(cut(data, sizes))]

    return asyncio.run(all_of())


@settings(deadline=None)
@given(
    data=st.lists(st.sampled_from([b"data: {}", b"\n", b"\r\n", b"", b": ping", b"x", b"\r"]), max_size=20).map(
        b"".join
    ),
    sizes=st.lists(st.integers(0, 5), max_size=40),
)
def test_lines_are_the_same_however_they_come(data: bytes, sizes: list[int]) -> None:
    # WHATWG HTML, 9.2.6: lines end with CRLF, or with LF or CR alone.
    whole = re.split(rb"\r\n|\n|\r", data)
    assert read(data, sizes) == whole[:-1] + ([whole[-1]] if whole[-1] else [])


def test_a_long_line_may_come_byte_by_byte() -> None:
    line = b"x" * 300_000
    assert read(line + b"\n", [1] * len(line)) == [line]


def test_a_line_without_end_is_not_gathered() -> None:
    with pytest.raises(RunawayError, match="endless line"):
        read(b"x" * (LONGEST_LINE + 2), [LONGEST_LINE // 2, LONGEST_LINE // 2 + 1])
