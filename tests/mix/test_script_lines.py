"""The lines of a script and its plan as they are mixed: who speaks them, when, how loud, and in which gap."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "speech"))
from script_engines import WRITE_SOUND, ScriptEngine

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.narration import LineVoice, Take, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Cue, Eventuality, Pin, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.options import ExportOptions
from adstudio.mix.request import MixStoppedError
from adstudio.mix.script_lines import Narration, mix_lines
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import SpeechError, SpeechRequestError
from adstudio.speech.sound import Sound
from adstudio.speech.speaker import Speaker
from adstudio.speech.takes import encoded_recording

RECORDING = encoded_recording(Sound((0.3 * np.sin(np.arange(96_000) / 20)).astype(np.float32), 48_000))
KEY = hashlib.sha256(RECORDING).hexdigest()
TAKE = Take("t1", KEY, 2_000, "She waits.", start=500, end=1_700, level=-60)

SCRIPT = Script(
    Film("Film", 60_000),
    cues=(Cue("c1", 10_000, 14_000, "Who's there?"),),
    eventualities=(
        Eventuality("e1", (Variant("She parks,"),), Span(0, 1000), 1, accepted=True),
        Eventuality(
            "e2", (Variant("takes it off"), Variant("unmasks ")), Span(1000, 2000), 1, joined=True, accepted=True
        ),
        Eventuality("e3", (Variant("She waits.", takes=(TAKE,), take="t1"),), Span(3000, 4000), 1, duck=45),
        Eventuality(
            "e4", (Variant("Rain."),), Span(11_000, 12_000), 1, pin=Pin(selected=True, start=11_000, override=True),
            voice=LineVoice(volume=-30),
        ),
        Eventuality("e5", (Variant("A long view."), Variant("A view.")), Span(20_000, 21_000), 1, extended=True),
        Eventuality("e6", (Variant(" "),), Span(30_000, 31_000), 1),
    ),
)  # fmt: skip
PLAN = Plan(
    Status.OPTIMAL,
    "exact",
    deliveries=(
        Delivery("e1", 0, 1000, 1500),
        Delivery("e2", 1, 2500, 3000),
        Delivery("e3", 0, 5000, 6200),
        Delivery("e4", 0, 11_000, 11_500),
        Delivery("e6", 0, 30_000, 30_500),
    ),
)


@pytest.fixture
def narration(tmp_path: Path):
    def made(script: Script = SCRIPT, behaviour: str = WRITE_SOUND) -> Narration:
        cache = SpeechCache(tmp_path / "cache")
        found = Narration(script, {KEY: RECORDING}.__getitem__, cache)
        found.speaker = Speaker(ScriptEngine(behaviour), cache)
        return found

    return made


def test_lines_are_where_the_plan_has_them(narration) -> None:
    lines = mix_lines(SCRIPT, PLAN, narration())
    assert [(line.id, line.number, line.start, line.text) for line in lines] == [
        # Fragments that are exported as one line are spoken each at its own time.
        ("e1", 1, 1000, "She parks,"),
        ("e2", 1, 2500, "unmasks "),
        ("e3", 2, 5000, "She waits."),
        ("e4", 3, 11_000, "Rain."),
        ("e5", 4, 20_000, "A long view."),
    ]
    gap = Span(0, 10_000)
    assert [(line.gap, line.override, line.extended, line.duck) for line in lines] == [
        (gap, False, False, None),
        (gap, False, False, None),
        (gap, False, False, 45),
        (None, True, False, None),
        (None, False, True, None),
    ]


def test_a_line_knows_how_long_it_is_planned(narration) -> None:
    lines = mix_lines(SCRIPT, PLAN, narration())
    assert [(line.id, line.planned) for line in lines] == [
        ("e1", 500), ("e2", 500), ("e3", 1_200), ("e4", 500), ("e5", None)
    ]  # fmt: skip


def test_a_line_sounds_as_its_take_else_as_the_voice(narration) -> None:
    found = narration()
    lines = {line.id: line for line in mix_lines(SCRIPT, PLAN, found)}
    # The script engine speaks half a second; silence around it is cut off.
    assert lines["e1"].length == 500
    assert lines["e1"].load().ms == 500
    assert lines["e3"].length == 1_200
    sound = lines["e3"].load()
    assert sound.ms == 1_200
    assert sound.peak == pytest.approx(0.3 * 10 ** (-6 / 20), rel=0.01)
    assert found.engine == "the script"
    assert "She waits." not in found.speaker.engine.asked


def test_a_take_of_other_words_is_not_heard(narration) -> None:
    changed = replace(
        SCRIPT.eventualities[2], variants=(replace(SCRIPT.eventualities[2].variants[0], text="She sits."),)
    )
    script = replace(SCRIPT, eventualities=(*SCRIPT.eventualities[:2], changed, *SCRIPT.eventualities[3:]))
    found = narration(script)
    assert mix_lines(script, PLAN, found)[2].length == 500
    assert "She sits." in found.speaker.engine.asked


def test_a_line_is_as_loud_as_its_voice_and_a_take_by_its_own_level(narration) -> None:
    script = replace(SCRIPT, voice=VoiceSettings(volume=20))
    lines = {line.id: line.gain for line in mix_lines(script, PLAN, narration(script))}
    assert lines == {"e1": 20, "e2": 20, "e3": 0, "e4": -30, "e5": 20}


def test_a_wording_of_an_extended_line_is_the_locked_one(narration) -> None:
    def extended(pin: Pin) -> list[str]:
        line = replace(SCRIPT.eventualities[4], pin=pin)
        script = replace(SCRIPT, eventualities=(*SCRIPT.eventualities[:4], line, SCRIPT.eventualities[5]))
        return [each.text for each in mix_lines(script, PLAN, narration(script)) if each.extended]

    assert extended(Pin(variant=1)) == ["A view."]
    assert extended(Pin(selected=False)) == []


def test_only_accepted_lines_if_that_is_wanted(narration) -> None:
    lines = mix_lines(SCRIPT, PLAN, narration(), ExportOptions(accepted_only=True))
    assert [line.id for line in lines] == ["e1", "e2"]


def test_texts_of_a_pool_are_spoken_too(narration) -> None:
    plan = Plan(Status.FEASIBLE, "random", deliveries=(Delivery("", 0, 1000, 2000, text="Somebody comes."),))
    (line,) = mix_lines(replace(SCRIPT, eventualities=()), plan, narration())
    assert (line.id, line.start, line.text) == ("line-1", 1000, "Somebody comes.")


@pytest.mark.parametrize(
    ("behaviour", "error", "named"),
    [
        ("sys.exit(3)", SpeechError, "the script"),
        ("pass", SpeechError, "no sound"),
    ],
)
def test_a_line_that_cannot_be_spoken_is_named(narration, behaviour: str, error: type, named: str) -> None:
    with pytest.raises(error) as failed:
        mix_lines(SCRIPT, PLAN, narration(behaviour=behaviour))
    assert "line 1, “She parks,”" in str(failed.value)
    assert named in str(failed.value)


@pytest.mark.parametrize("text", ["word " * 2_000, "\u2060\u200e"])
def test_a_line_that_no_voice_can_speak_is_named(narration, text: str) -> None:
    script = replace(SCRIPT, eventualities=(replace(SCRIPT.eventualities[0], variants=(Variant(text),)),))
    plan = replace(PLAN, deliveries=PLAN.deliveries[:1])
    with pytest.raises(SpeechRequestError) as failed:
        mix_lines(script, plan, narration(script))
    assert str(failed.value).startswith("line 1")
    assert len(str(failed.value)) < 300
    assert str(failed.value).isprintable()


def test_a_missing_recording_is_named_before_anything_is_rendered(narration) -> None:
    def missing(key: str) -> bytes:
        raise BadInputError("the recording of a take is missing or damaged; record it again")

    found = narration()
    found.recording = missing
    with pytest.raises(BadInputError, match=r"line 2, “She waits\.”: the recording of a take is missing"):
        mix_lines(SCRIPT, PLAN, found)


def test_a_sound_that_is_gone_from_the_cache_is_spoken_again(narration, tmp_path: Path) -> None:
    found = narration()
    line = mix_lines(SCRIPT, PLAN, found)[0]
    for file in (tmp_path / "cache").rglob("*.wav"):
        file.unlink()
    assert line.load().ms == 500


def test_progress_is_reported_and_it_can_be_stopped(narration) -> None:
    seen: list[Progress] = []
    mix_lines(SCRIPT, PLAN, narration(), progress=seen.append)
    assert [each.stage for each in seen] == [Stage.SPEAKING] * 5
    assert [each.fraction for each in seen] == [0, 0.2, 0.4, 0.6, 0.8]
    with pytest.raises(MixStoppedError):
        mix_lines(SCRIPT, PLAN, narration(), stop=lambda: True)
