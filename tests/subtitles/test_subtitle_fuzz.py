"""A few seconds of fuzzing for every reader; `tests/fuzz/fuzz_subtitles.py` does it for as long as one likes."""

from __future__ import annotations

import contextlib
import importlib.util
import random
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.reading import parse_subtitles


def load() -> ModuleType:
    path = Path(__file__).resolve().parents[1] / "fuzz/fuzz_subtitles.py"
    spec = importlib.util.spec_from_file_location("fuzz_subtitles", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


FUZZ = load()


@pytest.mark.parametrize("reader", ["srt", "vtt", "ttml", "ass"])
def test_mutated_files(reader: str) -> None:
    rng = random.Random(reader)
    inputs = [FUZZ.SEEDS[reader].encode()]
    others = [text.encode() for text in FUZZ.SEEDS.values()]
    read = sum(FUZZ.check(FUZZ.mutated(inputs[0], others, rng), f"a{FUZZ.ENDINGS[reader]}", rng) for _ in range(150))
    assert read > 50


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
)
def test_any_bytes_at_all(data: bytes) -> None:
    for name in ("a.srt", "a.vtt", "a.ttml", "a.ass", "a"):
        try:
            file = parse_subtitles(data, name)
        except SubtitleError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            FUZZ.check_file(file, data)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["srt", "vtt", "ttml", "ass"]), st.lists(st.sampled_from(FUZZ.TOKENS), max_size=40), st.randoms()
)
def test_tokens_in_any_order(reader: str, tokens: list[str], rng: random.Random) -> None:
    data = "".join(tokens).encode("utf-8", "surrogatepass")
    FUZZ.check(FUZZ.SEEDS[reader].encode() + data, f"a{FUZZ.ENDINGS[reader]}", rng)


HEADS = {
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n",
    "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n",
    "ttml": "<tt><body><div><p begin='1s' end='2s'>",
    "ass": "[Events]\nFormat: Layer, Start, End, Text\nDialogue: 0,0:00:01.00,0:00:02.00,",
}
LONG = [" ", "<", "-->", "{", "{\\", "<i>", "<p>", "<!--", "<![CDATA[", "&", "[", "()", "♪", "- a\n", " \n", "\r",
        "1\n", "<v a>", "a:a ", "\\N", "{a}", "<a a='", "é", "1:", "00:00:01,000 --> x\n", "NOTE\n"]  # fmt: skip


def seconds(reader: str, token: str, length: int) -> float:
    data = (HEADS[reader] + token * (length // len(token))).encode()
    began = time.process_time()
    with contextlib.suppress(SubtitleError):
        dialogue(parse_subtitles(data, f"a.{reader}"))
    return time.process_time() - began


@pytest.mark.slow  # it compares times, which the daily suite never does
@pytest.mark.parametrize("reader", HEADS)
@pytest.mark.parametrize("token", LONG)
def test_time_grows_no_faster_than_length(reader: str, token: str) -> None:
    # Eight times the length may take eight times as long, thrice that for noise; quadratic would be 64 times.
    short = min(seconds(reader, token, 8_000) for _ in range(3))
    assert seconds(reader, token, 64_000) < max(24 * short, 0.25)
