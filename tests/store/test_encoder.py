"""What is encoded item by item and joined is what would have been encoded whole; no more of it is kept than said."""

from __future__ import annotations

import weakref
from dataclasses import replace

import pytest
from example_scripts import E1, E2, EVERY_EXAMPLE, MEDIA, SCRIPT, fitting_steps
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Script, Span, Variant
from adstudio.core.steps import Insert, Replace, Several, Step
from adstudio.store import encoder
from adstudio.store.codec import CodecError, decode, decode_step, encode, encode_step
from adstudio.store.encoder import ScriptEncoder


@pytest.mark.parametrize("script", [SCRIPT, Script(Film("", 0))])
def test_a_script_is_the_same_joined_and_whole_the_first_and_every_time(script: Script) -> None:
    ours = ScriptEncoder(script)
    assert [ours.script(script) for _ in range(3)] == [encode(script)] * 3


@pytest.mark.parametrize("step", EVERY_EXAMPLE, ids=lambda step: type(step).__name__)
def test_a_step_is_the_same_joined_and_whole(step: Step) -> None:
    ours = ScriptEncoder(SCRIPT)
    for each in (step, step.inverse(), step):
        assert ours.step(each) == encode_step(each)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_history_is_the_same_joined_and_whole(data: st.DataObject) -> None:
    script, ours, done = SCRIPT, ScriptEncoder(SCRIPT), []
    for number in range(data.draw(st.integers(1, 10))):
        act = data.draw(st.sampled_from(["do", "do", "undo", "prepare", "whole"]))
        if act == "do":
            done.append(data.draw(fitting_steps(script, new_id=number)))
            script = done[-1].apply(script)
            assert ours.step(done[-1]) == encode_step(done[-1])
        elif act == "undo" and done:
            step = done.pop().inverse()
            script = step.apply(script)
            assert ours.step(step) == encode_step(step)
        elif act == "prepare":
            ours.prepare(script, 3)
        elif act == "whole":
            assert ours.script(script) == encode(script)
    assert ours.script(script) == encode(script)


def test_items_are_prepared_bite_by_bite() -> None:
    ours = ScriptEncoder(SCRIPT)
    items = sum(
        len(each)
        for each in (
            SCRIPT.sequences,
            SCRIPT.scenes,
            SCRIPT.cues,
            SCRIPT.silences,
            SCRIPT.openings,
            SCRIPT.eventualities,
            SCRIPT.people,
            SCRIPT.fusions,
            SCRIPT.named_faces,
            SCRIPT.word_times,
        )
    )
    for _ in range(items // 2):
        ours.prepare(SCRIPT, 2)
        assert not ours.prepared
    ours.prepare(SCRIPT, 2)
    assert ours.prepared
    assert ours.script(SCRIPT) == encode(SCRIPT)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(E1, note="x" * 100_001),
        replace(E1, id="x" * 201),
        replace(E1, occurrence=Span(0, 360_000_001)),
        replace(E1, salience=10**31),
        E2,
        SCRIPT.cues[0],
    ],
)
def test_what_cannot_be_written_is_refused_with_its_place_as_ever(wrong: Eventuality) -> None:
    script = replace(SCRIPT, eventualities=(E2, wrong))
    with pytest.raises(CodecError) as whole:
        encode(script)
    ours = ScriptEncoder(SCRIPT)
    ours.script(SCRIPT)
    for _ in range(2):
        with pytest.raises(CodecError) as joined:
            ours.script(script)
        assert str(joined.value) == str(whole.value)
    assert ours.script(SCRIPT) == encode(SCRIPT)


def test_a_step_that_cannot_be_written_is_refused_with_its_place_as_ever() -> None:
    for step in (
        Several("", (Insert(E2), Replace(E1, replace(E1, note="x" * 100_001)))),
        Several("x" * 100_001, ()),
        Insert(E1, "x" * 201),
        Insert(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(CodecError) as whole:
            encode_step(step)
        with pytest.raises(CodecError) as joined:
            ScriptEncoder(SCRIPT).step(step)
        assert str(joined.value) == str(whole.value)


def test_steps_in_steps_are_bounded() -> None:
    step: Step = Insert(E2)
    for _ in range(20):
        step = Several("", (step,))
    with pytest.raises(CodecError, match="too deep"):
        ScriptEncoder(SCRIPT).step(step)


def test_a_path_that_is_no_text_survives() -> None:
    film = replace(SCRIPT.film, media=replace(MEDIA, path=b"/films/\xff.mp4".decode(errors="surrogateescape")))
    odd = replace(E1, note="\udcff")
    script = replace(SCRIPT, film=film, eventualities=(odd, E2))
    ours = ScriptEncoder(script)
    assert decode(ours.script(script), Script) == script
    step = Replace(E1, odd)
    assert decode_step(ours.step(step)) == step


def test_what_has_left_the_script_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "_SPARE", 10)
    ours = ScriptEncoder(SCRIPT)
    ours.script(SCRIPT)
    references: list[weakref.ref[Eventuality]] = []
    for number in range(220):
        line = Eventuality(f"n{number}", (Variant("She waits."),))
        references.append(weakref.ref(line))
        ours.step(Insert(line))
        ours.prepare(SCRIPT, 0)
    del line
    there = sum(each() is not None for each in references)
    assert 0 < there < 50
    ours.script(SCRIPT)
    assert not any(each() is not None for each in references)
