"""The model of how long a voice speaks: what it counts, that it finds a voice that it can describe, and real voices."""

from __future__ import annotations

import shutil
from pathlib import Path
from statistics import median, quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import Style
from adstudio.speech.engines import find_engine
from adstudio.speech.length_model import (
    CALIBRATED,
    FEATURES,
    LEAST_TEXTS,
    SHORTEST_MS,
    LengthModel,
    calibration_sentences,
    features,
    fit,
)
from adstudio.speech.speaker import Speaker
from adstudio.speech.spoken_text import spoken_text

HELD_OUT = (
    "Rain falls at dusk on a small country station with one lit window.",
    "Nora hurries along the wet wall to a door.",
    "Tom writes in a ledger at the counter.",
    "She wipes the rain from her forehead and looks around.",
    "An umbrella stands in the corner, red and dry.",
    "He climbs the ladder, takes down a box and opens it.",
    "Inside, a glove and a trumpet.",
    "The train pulls out. Nobody waves.",
    "Two children press their noses against the glass.",
    "Night falls over the empty tracks.",
    "A moth circles the lamp; Tom watches it.",
    "Her smile fades.",
    "The stationmaster, a portly man with a whistle, checks his watch.",
    "Later, in the waiting room, she finds the letter.",
    "Leaves blow across the platform.",
    "Nora laughs out loud and hugs him.",
    "On the bench lies a forgotten newspaper from Tuesday.",
    "He shuts the door behind her and leans on it.",
    "Through the window: a field, a horse, a distant church.",
    "The clock strikes nine.",
)


def counted(text: str) -> dict[str, float]:
    return {name: number for name, number in zip(FEATURES, features(text), strict=True) if number}


def test_what_is_counted_in_a_text() -> None:
    found = counted("The cook, 41, taps it: “Stop!” She stops. BBC")
    # Without the frequent words: cook taps stop stops bbc.
    assert found["edges"] == 1
    assert found["words"] == 9, "the, cook, 41, taps, it, stop, she, stops, BBC"
    assert found["letters"] == 4 + 4 + 4 + 5 + 3
    assert (found["digits"], found["numbers"]) == (2, 1)
    assert found["stops"] == 2, "after Stop and after stops; nothing follows the last word"
    assert found["long"] == 1
    assert found["short"] == 4, "two commas, two quotation marks"
    assert found["spelt"] == 3
    assert (found["“the”"], found["“it”"], found["“she”"], found["light"]) == (1, 1, 1, 3)
    assert (found["p"], found["oo"]) == (3, 1)


def test_what_follows_the_last_word_is_not_counted() -> None:
    assert counted("The door:") == counted("The door") == counted("The door …”")


def test_letters_with_accents_are_their_letters_and_other_alphabets_are_counted() -> None:
    assert counted("Für Zoë: à Noël") == counted("Fur Zoe: a Noel")
    assert counted("Für Zoë: à Noël")["words"] == 4
    assert counted("дверь")["foreign"] == 5
    for one_word in ("йод", "हिन्दी", "שָׁלוֹם", "مَرْحَبًا", "Ảnh"):
        assert counted(one_word)["words"] == 1, one_word
    assert counted("雨が降る")["unspaced"] == 4


@given(st.text(max_size=200))
def test_every_text_has_a_length(text: str) -> None:
    model = LengthModel((100.0,) * len(FEATURES))
    assert model.predict(text) >= SHORTEST_MS
    assert LengthModel((-100.0,) * len(FEATURES)).predict(text) == SHORTEST_MS


def test_it_needs_some_texts_and_finds_a_voice_that_says_each_letter_in_the_same_time() -> None:
    sentences = [spoken_text(text).text for text in calibration_sentences("en")]
    spoken = {text: 200 + 60 * sum(map(str.isalpha, text)) for text in sentences}
    assert fit(dict(list(spoken.items())[: LEAST_TEXTS - 1])) is None
    assert fit({}) is None
    model = fit(spoken)
    assert model is not None
    off = [
        abs(model.predict(text) - length) / length
        for text in HELD_OUT
        for length in [200 + 60 * sum(map(str.isalpha, text))]
    ]
    assert median(off) < 0.02
    assert max(off) < 0.06


def test_a_text_without_a_length_is_left_out() -> None:
    assert fit(dict.fromkeys(map(str, range(50)), 0)) is None


@pytest.mark.parametrize("language", CALIBRATED)
def test_each_language_has_sentences_that_can_be_spoken(language: str) -> None:
    found = calibration_sentences(f"{language}-XX")
    assert len(found) >= 120
    assert len(set(found)) == len(found)
    assert all(spoken_text(text).text for text in found)


def test_another_language_is_calibrated_with_the_english_ones() -> None:
    assert calibration_sentences("tlh") == calibration_sentences("en") == calibration_sentences("")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize(("voice", "rate"), [("en-gb", 200), ("en-us+f3", 150)])
def test_a_real_voice_is_predicted_from_its_calibration(voice: str, rate: int, tmp_path: Path) -> None:
    speaker = Speaker(find_engine("espeak-ng"), SpeechCache(tmp_path))

    def measured(texts: tuple[str, ...]) -> dict[str, int]:
        return {spoken_text(text).text: speaker.say(text, Style(voice, rate)).sound.ms for text in texts}

    model = fit(measured(calibration_sentences("en")))
    assert model is not None
    off = [abs(model.predict(text) - ms) / ms for text, ms in measured(HELD_OUT).items()]
    # The bench has the real figures: 3 to 4 % and about 10 %.
    assert median(off) < 0.06
    assert quantiles(off, n=20)[-1] < 0.16
