"""Measuring texts: which ones, in which order, what is sent, and engines that do not do their work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from script_engines import WRITE_SOUND, ScriptEngine

from adstudio.core.film import Film
from adstudio.core.narration import LineVoice, Narrator, Pronunciation, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.speech import measuring_worker, unmeasured, voice_lengths
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import SpeechError, SpeechRequestError, Style
from adstudio.speech.length_model import LEAST_TEXTS, LengthModel
from adstudio.speech.measuring import (
    LengthsMeasured,
    MeasureLengths,
    MeasuringEvent,
    MeasuringFinished,
    ModelFitted,
    TextGroup,
)
from adstudio.speech.script_measuring import measured_lengths
from adstudio.speech.speaker import Speaker
from adstudio.speech.unmeasured import unmeasured_texts
from adstudio.speech.voice_lengths import VoiceLengths, manner_of

VOICE = VoiceSettings("the script", "one")
NARRATOR = Narrator(VOICE, 180, "en")
SLOW = LineVoice(rate=120)
SENTENCES = tuple(f"Number {number} passes by{' again' * (number % 5)}." for number in range(LEAST_TEXTS + 4))


class Engine(ScriptEngine):
    """Speaks 10 ms for each character, without a process."""

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        self.asked.append(text)
        if "mute" in text:
            raise SpeechError("it is mute")
        target.write_bytes(_wav(len(text) * 80))


def _wav(samples: int) -> bytes:
    data = b"\x00\x40" * samples
    head = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    head += b"\x01\x00\x01\x00" + (8000).to_bytes(4, "little") + (16000).to_bytes(4, "little") + b"\x02\x00\x10\x00"
    return head + b"data" + len(data).to_bytes(4, "little") + data


@pytest.fixture(autouse=True)
def calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring_worker, "calibration_sentences", lambda language: SENTENCES)


def ran(request: MeasureLengths, tmp_path: Path, engine: Engine | None = None) -> tuple[list[MeasuringEvent], Engine]:
    sent: list[MeasuringEvent] = []
    engine = engine or Engine(WRITE_SOUND)
    measuring_worker.measure(request, sent.append, lambda narrator: Speaker(engine, SpeechCache(tmp_path)))
    return sent, engine


def lengths_of(sent: list[MeasuringEvent], group: int) -> dict[int, int]:
    return {
        event.first + place: length
        for event in sent
        if isinstance(event, LengthsMeasured) and event.group == group
        for place, length in enumerate(event.lengths)
    }


def test_a_voice_is_calibrated_first_and_then_the_texts_are_spoken(tmp_path: Path) -> None:
    request = MeasureLengths(NARRATOR, (TextGroup(None, ("One.", "Two is long."), cached=1, calibrate=True),))
    sent, engine = ran(request, tmp_path)
    assert engine.asked == [*SENTENCES, "One.", "Two is long."]
    assert isinstance(sent[0], ModelFitted)
    assert abs(LengthModel(sent[0].weights).predict("Number 3 passes by.") - 190) < 20
    assert lengths_of(sent, 0) == {0: 40, 1: 120}
    assert sent[-1] == MeasuringFinished()
    assert {event.version for event in sent[:-1] if not isinstance(event, MeasuringFinished)} == {"one 1"}
    # The calibration and the one that was to be cached.
    assert len(list(tmp_path.glob("*.wav"))) == len(SENTENCES) + 1


@pytest.mark.parametrize("film", [2, len(SENTENCES)])
def test_the_rest_of_the_calibration_comes_after_a_short_film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, film: int
) -> None:
    monkeypatch.setattr(measuring_worker, "FIRST_SENTENCES", LEAST_TEXTS)
    texts = tuple(f"Line {number}." for number in range(film))
    sent, engine = ran(MeasureLengths(NARRATOR, (TextGroup(None, texts, calibrate=True),)), tmp_path)
    rest = SENTENCES[LEAST_TEXTS:] if film == 2 else ()
    assert engine.asked == [*SENTENCES[:LEAST_TEXTS], *texts, *rest]
    # A film with as many texts of its own has taught as much.
    assert [type(event) for event in sent[-2:]] == [ModelFitted if rest else LengthsMeasured, MeasuringFinished]


def test_what_is_known_is_not_calibrated_again_for_a_few_texts(tmp_path: Path) -> None:
    sent, engine = ran(MeasureLengths(NARRATOR, (TextGroup(None, ("One.",)), TextGroup(SLOW, ("Two.",)))), tmp_path)
    assert engine.asked == ["One.", "Two."]
    assert (lengths_of(sent, 0), lengths_of(sent, 1)) == ({0: 40}, {0: 40})
    assert not any(isinstance(event, ModelFitted) for event in sent)


def test_many_texts_make_the_model_better(tmp_path: Path) -> None:
    texts = tuple(f"Word {'and word ' * (number % 7)}{number}" for number in range(measuring_worker.FITTED_AT[0] + 10))
    sent, _ = ran(MeasureLengths(NARRATOR, (TextGroup(None, texts),)), tmp_path)
    assert sum(isinstance(event, ModelFitted) for event in sent) == 1
    assert len(lengths_of(sent, 0)) == len(texts)


def test_an_empty_group_asks_for_the_version(tmp_path: Path) -> None:
    sent, engine = ran(MeasureLengths(NARRATOR, (TextGroup(None, ()),)), tmp_path)
    assert sent == [LengthsMeasured(0, "one 1", 0, ()), MeasuringFinished()]
    assert engine.asked == []


def test_texts_that_cannot_be_spoken_are_counted_and_a_dead_engine_ends_it(tmp_path: Path) -> None:
    sent, _ = ran(MeasureLengths(NARRATOR, (TextGroup(None, ("…", "One.", "A mute one.", "Two.")),)), tmp_path)
    assert lengths_of(sent, 0) == {0: 0, 1: 40, 2: 0, 3: 40}
    assert sent[-1] == MeasuringFinished(1, "it is mute")
    mute = tuple(f"{number} mute" for number in range(measuring_worker.MOST_FAILURES))
    with pytest.raises(SpeechError, match="it is mute"):
        ran(MeasureLengths(NARRATOR, (TextGroup(None, mute),)), tmp_path)


class Particular(Engine):
    """Knows no voice but its own, and says so as piper does, or as eSpeak does."""

    early = True

    def fingerprint(self, voice: str) -> str:
        if voice != "one" and self.early:
            raise SpeechRequestError(f"{voice} is not here")
        return super().fingerprint(voice)

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        if style.voice != "one":
            raise SpeechError(f"{style.voice} is not here")
        super().synthesise(text, style, target, limit)


@pytest.mark.parametrize("early", [True, False])
def test_a_lines_voice_that_is_not_here_costs_no_other_line_its_length(tmp_path: Path, early: bool) -> None:
    texts = tuple(f"Line {number}." for number in range(2 * measuring_worker.MOST_FAILURES))
    groups = (TextGroup(LineVoice("foreign"), texts, calibrate=True), TextGroup(None, ("One.",)))
    engine = Particular(WRITE_SOUND)
    engine.early = early
    sent, _ = ran(MeasureLengths(NARRATOR, groups), tmp_path, engine)
    assert lengths_of(sent, 0) == dict.fromkeys(range(len(texts)), 0)
    assert lengths_of(sent, 1) == {0: 40}
    assert isinstance(sent[-1], MeasuringFinished)
    assert sent[-1].why == "foreign is not here"
    assert sent[-1].failed >= len(texts)


def test_the_lexicon_and_a_lines_voice_are_those_that_speak(tmp_path: Path) -> None:
    narrator = replace(NARRATOR, lexicon=(Pronunciation("Siobhan", "Shivawn"),))
    _, engine = ran(MeasureLengths(narrator, (TextGroup(SLOW, ("Siobhan smiles.",)),)), tmp_path)
    assert engine.asked == ["Shivawn smiles."]


def test_a_whole_script_is_measured_request_by_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(WRITE_SOUND)

    def speaker(narrator: Narrator) -> Speaker:
        return Speaker(engine, SpeechCache(tmp_path))

    monkeypatch.setattr(measuring_worker, "_speaker_for", speaker)
    monkeypatch.setattr(unmeasured, "MOST_TEXTS", 2)
    fractions: list[float | None] = []
    script = SCRIPT.with_changes(eventualities=(line("m", "A mute one."), *SCRIPT.eventualities))
    lengths, finished = measured_lengths(script, lambda each: fractions.append(each.fraction))
    assert finished == MeasuringFinished(1, "it is mute")
    asked = [text for text in engine.asked if text not in SENTENCES]
    assert sorted(asked) == ["A long wording.", "A mute one.", "A.", "B long.", "C."]
    narrator = SCRIPT.narrator
    assert lengths.measured("A long wording.", narrator, None) == 150
    assert lengths.measured("C.", narrator, SLOW) == 20
    assert lengths.measured("A mute one.", narrator, None) is None
    assert lengths.known(manner_of(narrator)).model is not None
    assert fractions == [None, *sorted(each for each in fractions if each is not None)]


def line(identity: str, *texts: str, voice: LineVoice | None = None) -> Eventuality:
    return Eventuality(identity, tuple(Variant(text) for text in texts), voice=voice)


SCRIPT = Script(
    Film("f", 60_000),
    voice=VOICE,
    eventualities=(
        line("a", "A long wording.", "A."),
        line("b", "B long.", "A."),
        line("c", "C.", voice=SLOW),
        line("d", "…", "  "),
    ),
)
PLAN = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("b", 0, 0, 900),))


def known(*texts: str) -> VoiceLengths:
    lengths = VoiceLengths().with_measured(manner_of(SCRIPT.narrator), "1", dict.fromkeys(texts, 500))
    return lengths.with_model(manner_of(SCRIPT.narrator), LengthModel(tuple(1.0 for _ in range(weights()))))


def weights() -> int:
    from adstudio.speech.length_model import FEATURES

    return len(FEATURES)


def test_what_the_plan_speaks_comes_first_and_each_text_once() -> None:
    found = unmeasured_texts(SCRIPT, PLAN, VoiceLengths())
    assert found.narrator == SCRIPT.narrator
    assert found.groups == (
        TextGroup(None, ("B long.",), 1, calibrate=True),
        TextGroup(None, ("A long wording.", "A."), 0, calibrate=True),
        TextGroup(SLOW, ("C.",), 0),
    )


def test_what_is_known_or_was_tried_in_vain_is_left_out() -> None:
    slow = manner_of(SCRIPT.narrator, SLOW)
    found = unmeasured_texts(SCRIPT, PLAN, known("A."), {(slow, "C.")})
    assert found.groups == (TextGroup(None, ("B long.",), 1), TextGroup(None, ("A long wording.",)))


def test_a_voice_is_calibrated_even_if_nothing_is_left_to_measure() -> None:
    lengths = known("A.", "B long.", "A long wording.").with_model(manner_of(SCRIPT.narrator), None)
    failed = {(manner_of(SCRIPT.narrator, SLOW), "C.")}
    assert unmeasured_texts(SCRIPT, PLAN, lengths, failed).groups == (TextGroup(None, (), 0, calibrate=True),)
    assert unmeasured_texts(SCRIPT, PLAN, known("A.", "B long.", "A long wording."), failed).groups == ()


def test_measuring_ends_however_many_wordings_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice_lengths, "MOST_KNOWN", 3)
    monkeypatch.setattr(unmeasured, "MOST_KNOWN", 3)
    monkeypatch.setattr(unmeasured, "MOST_TEXTS", 2)
    script = replace(SCRIPT, eventualities=tuple(line(f"e{number}", f"Line {number}.") for number in range(5)))
    lengths, asked = known(), list[str]()
    while groups := [group for group in unmeasured_texts(script, PLAN, lengths).groups if group.texts]:
        asked += groups[0].texts
        assert len(asked) < 10, "what was measured is measured over and over"
        lengths = lengths.with_measured(manner_of(script.narrator), "1", dict.fromkeys(groups[0].texts, 500))
    assert sorted(asked) == ["Line 0.", "Line 1.", "Line 2."]


@pytest.mark.parametrize("most", [4, 100])
def test_measuring_ends_however_many_lines_have_a_voice_of_their_own(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice_lengths, "MOST_VOICES", most)
    monkeypatch.setattr(unmeasured, "MOST_VOICES", most)
    script = replace(
        SCRIPT,
        eventualities=tuple(line(f"e{rate}", "Rain.", voice=LineVoice(rate=rate)) for rate in range(100, 130)),
    )
    lengths, rounds = known(), 0
    while groups := unmeasured_texts(script, PLAN, lengths).groups:
        rounds += 1
        assert rounds < 10, "what was measured is measured over and over"
        for group in groups:
            manner = manner_of(script.narrator, group.voice)
            lengths = lengths.with_measured(manner, "1", dict.fromkeys(("Rain.",), 500))
    found = [lengths.measured("Rain.", script.narrator, each.voice) for each in script.eventualities]
    assert sum(length is not None for length in found) == min(most - 1, 30)
