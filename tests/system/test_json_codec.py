"""What the codec promises: what is written reads back equal, and nothing but `CodecError` comes of anything else."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.system.codec import Codec, CodecError, Limits


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    name: Annotated[str, Limits(text=5)]
    at: int


@dataclass(frozen=True, slots=True)
class Other:
    ratio: Fraction = Fraction(1)


@dataclass(frozen=True)
class Everything:
    text: str
    whole: int
    truth: bool
    real: float
    data: bytes
    path: Path | None
    span: Span
    colour: Colour
    way: Literal["up", "down"]
    several: tuple[Inner | Other, ...]
    pair: tuple[int, str]
    names: frozenset[str]
    counts: Mapping[Colour, int]
    perhaps: Inner | Other | None = None
    derived: int = field(init=False, default=3)


CODEC = Codec(limits=Limits(text=40, data=30, items=6))

names = st.text(max_size=5)
times = st.integers(-MAX_TIME_MS, MAX_TIME_MS)
inners = st.builds(Inner, names, times)
fractions = st.builds(Fraction, st.integers(1 - 10**12, 10**12 - 1), st.integers(1, 10**12 - 1))
others = st.builds(Other, fractions)
spans = st.tuples(times, times).map(lambda pair: Span(min(pair), max(pair)))
paths = st.binary(min_size=1, max_size=20).map(lambda data: Path(data.decode("utf-8", "surrogateescape")))
everything = st.builds(
    Everything,
    text=st.text(max_size=40),
    whole=times,
    truth=st.booleans(),
    real=st.floats(allow_nan=False, allow_infinity=False),
    data=st.binary(max_size=30),
    path=st.none() | paths,
    span=spans,
    colour=st.sampled_from(Colour),
    way=st.sampled_from(["up", "down"]),
    several=st.lists(inners | others, max_size=6).map(tuple),
    pair=st.tuples(times, st.text(max_size=40)),
    names=st.frozensets(names, max_size=6),
    counts=st.dictionaries(st.sampled_from(Colour), times),
    perhaps=st.none() | inners | others,
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
)


@settings(deadline=None)
@given(everything)
def test_what_is_written_reads_back_equal(value: Everything) -> None:
    line = CODEC.encode(value)
    assert b"\n" not in line
    assert CODEC.decode(line, Everything) == value


@given(inners | others)
def test_a_union_says_of_which_class_a_value_is(value: Inner | Other) -> None:
    line = CODEC.encode(value, Inner | Other)
    assert line.startswith(b'{"type":"%s"' % type(value).__name__.encode())
    assert CODEC.decode_any(line, Inner | Other) == value
    with pytest.raises(CodecError):
        CODEC.decode_any(line, Inner)


@settings(deadline=None)
@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_random_bytes_raise_nothing_but_the_codecs_own_error(data: bytes) -> None:
    for kind in (Everything, Inner | Other, Inner, tuple[Inner, ...]):
        with contextlib.suppress(CodecError):
            CODEC.decode_any(data, kind)


@settings(deadline=None)
@given(everything, st.data())
def test_any_json_in_any_place_is_refused_or_read(value: Everything, data: st.DataObject) -> None:
    tree = json.loads(CODEC.encode(value))
    tree[data.draw(st.sampled_from(sorted(tree)))] = data.draw(plain)
    with contextlib.suppress(CodecError):
        read = CODEC.decode(json.dumps(tree).encode(), Everything)
        assert CODEC.decode(CODEC.encode(read), Everything) == read


@settings(deadline=None)
@given(everything, st.data())
def test_a_line_that_is_cut_short_or_changed_is_refused_or_read(value: Everything, data: st.DataObject) -> None:
    line = bytearray(CODEC.encode(value))
    for _ in range(data.draw(st.integers(1, 3))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    for each in (bytes(line), bytes(line[: data.draw(st.integers(0, len(line)))])):
        with contextlib.suppress(CodecError):
            CODEC.decode(each, Everything)


EXAMPLE = CODEC.encode(Inner("Anna", 5))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (EXAMPLE.replace(b"}", b',"age":3}'), "unknown “age”"),
        (b'{"name":"Anna"}', "missing “at”"),
        (EXAMPLE.replace(b"Anna", b"Annabel"), "name: longer than 5 characters"),
        (EXAMPLE.replace(b"5", b"5.0"), "at: expected an integer"),
        (EXAMPLE.replace(b"5", b"true"), "at: expected an integer"),
        (EXAMPLE.replace(b"5", b"9" * 20), "at: 1e\\+20 is outside"),
        (EXAMPLE.replace(b"5", b"NaN"), "NaN is not a number"),
        (b"[" * 100_000, "not JSON"),
        (b"null", "expected an object"),
    ],
)
def test_anything_odd_is_refused_with_its_place(line: bytes, reason: str) -> None:
    with pytest.raises(CodecError, match=reason):
        CODEC.decode(line, Inner)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"[1,2,3,4,5,6,7]", tuple[int, ...]),
        (b'["b","a"]', frozenset[str]),
        (b'["a","a"]', frozenset[str]),
        (b'{"green":1}', Mapping[Colour, int]),
        (b"1e999", float),
        (b"1" + b"0" * 400, float),
        (b'"' + b"A" * 44 + b'"', bytes),
        (b'"' + b"x" * 41 + b'"', Path),
        (b"[5,4]", Span),
    ],
)
def test_limits_hold(line: bytes, kind: object) -> None:
    with pytest.raises(CodecError):
        CODEC.decode_any(line, kind)


def test_nothing_is_written_that_could_not_be_read() -> None:
    for value, kind in (
        (Inner("Annabel", 5), Inner),
        (Inner("Anna", MAX_TIME_MS + 1), Inner),
        ((1, "2"), tuple[int, ...]),
        (Other(), Inner),
        (Inner("Anna", 5), Other | Everything),
        (float("nan"), float),
        (b"x" * 31, bytes),
    ):
        with pytest.raises(CodecError):
            CODEC.encode(value, kind)


def test_classes_that_could_not_be_told_apart_are_a_mistake_in_the_program() -> None:
    with pytest.raises(TypeError):
        CODEC.encode("x", str | int)
    with pytest.raises(TypeError):
        Codec(tags={Inner: "Other"}).encode(Inner("", 1), Inner | Other)
    with pytest.raises(TypeError):
        CODEC.encode([], list[int])
