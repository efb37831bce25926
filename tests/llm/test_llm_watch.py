"""What is a runaway answer and what is not; what each model can do; what names an ask."""

from __future__ import annotations

import dataclasses
import json

import pytest
from asking import SCHEMA, an_ask
from hypothesis import given
from hypothesis import strategies as st

from adstudio.llm.capabilities import Capabilities, capabilities_of
from adstudio.llm.faults import RunawayError
from adstudio.llm.messages import Clip, Limits, Text, Usage, user
from adstudio.llm.runaway_guard import RunawayGuard


def looked_at(text, size, most=200_000):
    watch = RunawayGuard(most)
    for at in range(0, len(text), size):
        watch.feed(text[at : at + size])


ELEMENTS = [
    {"id": f"e{n:02}", "start_ds": n * 17, "end_ds": None, "ad": f"She parks car {n} and looks at the house again."}
    for n in range(120)
]


@given(size=st.integers(1, 999), indent=st.sampled_from([None, 1, 8]))
def test_a_long_array_is_no_runaway(size, indent):
    looked_at(json.dumps(ELEMENTS, indent=indent), size)


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{" + " " * 401, "whitespace"),
        ('{"a": [' + "\n\t" * 300 + "]", "whitespace"),
        ("0." + "3" * 65, "digits"),
        ("1" * 65 + " ", "digits"),
        ("He walks. " * 300, "repeating itself"),
        (
            "He walks to the door and she walks to the door and they all walk to the door once more. " * 40,
            "repeating itself",
        ),
        ("[" + "null," * 900, "repeating itself"),
    ],
)
def test_runaways(text, sentence, size):
    with pytest.raises(RunawayError, match=sentence):
        looked_at(text, size)


def test_an_answer_has_a_size():
    with pytest.raises(RunawayError, match="exceeded 50 characters"):
        looked_at("The quick brown fox jumps over the lazy dog and on.", 10, most=50)


def test_capabilities_are_found_by_how_a_name_begins():
    qwen = capabilities_of("openai", "Qwen/Qwen3.5-27B-FP8")
    assert (qwen.known, qwen.tokens_in, qwen.level("high"), qwen.usd_out) == (True, 49_152, "high", 0.0)
    assert capabilities_of("vllm", "Qwen/Qwen3.5-27B-FP8") == qwen
    other = capabilities_of("openai", "house/own-model")
    assert (other.known, other.tokens_in, other.level("high"), other.usd_in) == (False, 32_768, "off", 0.0)
    gemini = capabilities_of("gemini", "gemini-3.1-flash-lite-001")
    assert (gemini.tokens_in, gemini.usd_in, gemini.usd_out) == (1_048_576, 0.25, 1.5)
    assert capabilities_of("gemini", "gemini-9").usd_in is None
    assert qwen.price_known
    assert not capabilities_of("openai", "Qwen/Qwen3.5-27B-FP8", cloud=True).price_known, "a provider's is not free"
    assert capabilities_of("gemini", "gemini-3.1-flash-lite", cloud=True).price_known


def test_thinking_falls_to_what_a_model_knows():
    assert Capabilities(levels=("off", "low")).level("high") == "low"
    assert Capabilities(levels=("low", "high")).level("off") == "low"
    assert Capabilities(levels=("low", "high")).level("medium") == "low"


def test_prices_are_exact_and_unknown_ones_stay_unknown():
    priced = capabilities_of("gemini", "gemini-3.1-flash-lite").priced(Usage(1_000_000, 0, 100_000, 100_000))
    assert priced.micro_usd == 250_000 + 300_000
    cached = Capabilities(usd_in=1.0, usd_cached=0.1, usd_out=2.0).priced(Usage(1000, 400, 10, 0))
    assert cached.micro_usd == 600 + 40 + 20
    assert Capabilities().priced(Usage(1, 0, 1)).micro_usd is None
    assert (Usage(micro_usd=3) + Usage(micro_usd=None)).micro_usd is None


def test_the_hash_names_all_that_shapes_an_answer_and_nothing_else():
    ask = an_ask(schema=SCHEMA)
    first = ask.content_hash("vllm m")
    same = (
        an_ask(schema=dict(SCHEMA)),
        dataclasses.replace(ask, scene="another", repeat_paid=True),
        dataclasses.replace(ask, limits=dataclasses.replace(ask.limits, deadline=1.0)),
    )
    assert {each.content_hash("vllm m") for each in same} == {first}
    others = [
        dataclasses.replace(ask, system="x"),
        dataclasses.replace(ask, schema=None),
        dataclasses.replace(ask, schema={**SCHEMA, "properties": {}}),
        dataclasses.replace(ask, thinking="low"),
        dataclasses.replace(ask, temperature=0.0),
        dataclasses.replace(ask, seed=1),
        dataclasses.replace(ask, limits=Limits(tokens=5)),
        dataclasses.replace(ask, messages=(user("a", "b"),)),
        dataclasses.replace(ask, messages=(user("ab"),)),
        dataclasses.replace(ask, messages=(user(Clip(b"a")),)),
        dataclasses.replace(ask, messages=(user(Clip(b"b")),)),
        ask.continued("a", Text("b")),
    ]
    hashes = {each.content_hash("vllm m") for each in others} | {first, ask.content_hash("gemini m")}
    assert len(hashes) == len(others) + 2
