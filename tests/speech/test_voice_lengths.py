"""What is known of voices' lengths: found by everything that a length depends on, kept as bytes, read with care."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.narration import Lengths, LineVoice, Narrator, Pronunciation, VoiceSettings
from adstudio.speech import voice_lengths
from adstudio.speech.length_model import FEATURES, LengthModel
from adstudio.speech.voice_lengths import Manner, VoiceLengths, manner_of, spoken
from adstudio.system.codec import CodecError

GB = Narrator(VoiceSettings("espeak-ng", "en-gb"), 180, "en")
TEXT = "Nora opens the old umbrella."
OTHER = "Tom laughs."

manners = st.builds(
    Manner,
    engine=st.sampled_from(["espeak-ng", "piper"]),
    voice=st.text(max_size=5),
    rate=st.integers(40, 600),
    pitch=st.integers(-50, 50),
    language=st.sampled_from(["en", "de-AT"]),
)
batches = st.lists(
    st.tuples(manners, st.sampled_from(["1", "2"]), st.dictionaries(st.text(max_size=20), st.integers(1, 600_000))),
    max_size=8,
)


def known(text: str, ms: int, narrator: Narrator = GB, voice: LineVoice | None = None) -> VoiceLengths:
    said = spoken(text, narrator)
    assert said is not None
    return VoiceLengths().with_measured(manner_of(narrator, voice), "1.51", {said: ms})


def test_a_measured_length_is_found_by_its_text_and_voice() -> None:
    lengths: Lengths = known(TEXT, 1770)
    assert lengths.measured(TEXT, GB, None) == 1770
    assert lengths.measured("  Nora opens\nthe old umbrella. ", GB, None) == 1770, "spoken alike"
    assert lengths.measured(OTHER, GB, None) is None
    assert lengths.predicted(TEXT, GB, None) is None
    assert lengths.measured("…", GB, None) is None, "nothing to speak"
    assert lengths.measured("word " * 1000, GB, None) is None, "too long to be spoken"


@pytest.mark.parametrize(
    "other",
    [
        replace(GB, rate=181),
        replace(GB, language="de"),
        replace(GB, voice=VoiceSettings("piper", "en-gb")),
        replace(GB, voice=VoiceSettings("espeak-ng", "en-us")),
        replace(GB, voice=VoiceSettings("espeak-ng", "en-gb", pitch=5)),
    ],
)
def test_another_voice_rate_or_pitch_has_lengths_of_its_own(other: Narrator) -> None:
    lengths = known(TEXT, 1770)
    assert lengths.measured(TEXT, other, None) is None
    both = lengths.with_measured(manner_of(other), "1.51", {TEXT: 2000})
    assert (both.measured(TEXT, GB, None), both.measured(TEXT, other, None)) == (1770, 2000), "taken back, found again"


def test_the_volume_changes_no_length() -> None:
    assert (
        known(TEXT, 1770).measured(TEXT, replace(GB, voice=replace(GB.voice, volume=-60)), LineVoice(volume=20)) == 1770
    )


def test_a_line_has_the_lengths_of_its_own_voice() -> None:
    own = LineVoice(rate=140)
    lengths = known(TEXT, 2275, voice=own)
    assert lengths.measured(TEXT, GB, own) == 2275
    assert lengths.measured(TEXT, GB, None) is None
    assert lengths.measured(TEXT, replace(GB, rate=140), None) == 2275


def test_a_pronunciation_makes_the_texts_with_its_word_unmeasured_and_no_others() -> None:
    lengths = known(TEXT, 1770).with_measured(manner_of(GB), "1.51", {OTHER: 800})
    for entry in (Pronunciation("nora", "Norah"), Pronunciation("Nora", "nˈɔːɹə", phonemes=True)):
        with_entry = replace(GB, lexicon=(entry,))
        assert lengths.measured(TEXT, with_entry, None) is None
        assert lengths.measured(OTHER, with_entry, None) == 800
    assert lengths.measured(TEXT, replace(GB, lexicon=(Pronunciation("umbrellas", "x"),)), None) == 1770


def test_another_version_of_a_voice_is_measured_again() -> None:
    weights = LengthModel((1.0,) * len(FEATURES))
    lengths = known(TEXT, 1770).with_model(manner_of(GB), weights)
    newer = lengths.with_measured(manner_of(GB), "1.52", {OTHER: 800})
    assert newer.measured(TEXT, GB, None) is None
    assert newer.predicted(TEXT, GB, None) is None
    assert newer.measured(OTHER, GB, None) == 800
    assert lengths.measured(TEXT, GB, None) == 1770, "a value does not change"


def test_a_newer_model_predicts_anew() -> None:
    lengths = known(OTHER, 800).with_model(manner_of(GB), LengthModel((1000.0, *(0.0 for _ in FEATURES[1:]))))
    assert lengths.predicted(TEXT, GB, None) == 1000
    assert lengths.predicted("…", GB, None) is None
    newer = lengths.with_model(manner_of(GB), LengthModel((2000.0, *(0.0 for _ in FEATURES[1:]))))
    assert (newer.predicted(TEXT, GB, None), lengths.predicted(TEXT, GB, None)) == (2000, 1000)


@given(batches)
def test_what_was_measured_last_is_found_and_comes_back_from_bytes(found: list) -> None:
    lengths = VoiceLengths()
    expected: dict[Manner, tuple[str, dict[str, int]]] = {}
    for manner, version, batch in found:
        lengths = lengths.with_measured(manner, version, batch)
        before = expected.get(manner, (version, {}))
        expected[manner] = version, {**(before[1] if before[0] == version else {}), **batch}
    again = VoiceLengths.from_bytes(lengths.to_bytes())
    assert again == lengths
    for manner, (version, batch) in expected.items():
        assert again.known(manner).version == version
        assert dict(again.known(manner).lengths) == {voice_lengths.key_of(text): ms for text, ms in batch.items()}


def test_a_model_comes_back_from_bytes() -> None:
    model = LengthModel(tuple(number / 7 for number in range(len(FEATURES))))
    lengths = known(TEXT, 1770).with_model(manner_of(GB), model)
    assert VoiceLengths.from_bytes(lengths.to_bytes()).known(manner_of(GB)).model == model


def test_only_so_many_voices_and_lengths_are_kept_those_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice_lengths, "MOST_KNOWN", 3)
    lengths = VoiceLengths()
    for number in range(voice_lengths.MOST_VOICES + 1):
        lengths = lengths.with_measured(Manner("espeak-ng", str(number), 180, 0, "en"), "1", {"a": 1})
    assert not lengths.known(Manner("espeak-ng", "0", 180, 0, "en")).lengths
    for text in "abcde":
        lengths = lengths.with_measured(manner_of(GB), "1", {text: 5})
    assert set(lengths.known(manner_of(GB)).lengths) == {voice_lengths.key_of(text) for text in "cde"}


def test_of_too_many_lengths_those_of_the_voice_used_least_recently_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice_lengths, "MOST_LENGTHS", 5)
    first, second, third = (Manner("espeak-ng", voice, 180, 0, "en") for voice in "abc")
    lengths = VoiceLengths().with_measured(first, "1", {"a": 1, "b": 2}).with_measured(second, "1", {"a": 1, "b": 2})
    lengths = lengths.with_measured(first, "1", {"c": 3})
    assert lengths.manners == (second, first)
    assert lengths.with_measured(third, "1", {"a": 1}).manners == (first, third)


def test_impossible_lengths_are_not_taken() -> None:
    lengths = VoiceLengths().with_measured(manner_of(GB), "1", {"a": 0, "b": -5, "c": voice_lengths.LONGEST_MS + 1})
    assert not lengths.known(manner_of(GB)).lengths


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(CodecError):
        VoiceLengths.from_bytes(data)


@given(st.data())
def test_damaged_bytes_are_refused_or_read_as_lengths(data: st.DataObject) -> None:
    whole = known(TEXT, 1770).with_model(manner_of(GB), LengthModel((0.5,) * len(FEATURES))).to_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole)
    damaged[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        read = VoiceLengths.from_bytes(bytes(damaged))
    except CodecError:
        return
    length = read.measured(TEXT, GB, None)
    assert length is None or 0 < length <= voice_lengths.LONGEST_MS


def test_a_later_version_and_odd_numbers_are_refused() -> None:
    data = known(TEXT, 1770).with_model(manner_of(GB), LengthModel((0.5,) * len(FEATURES))).to_bytes()
    for change in ((b'"version":3,', b'"version":4,'), (b"[0.5,", b"[1e999,")):
        assert change[0] in data
        with pytest.raises(CodecError):
            VoiceLengths.from_bytes(data.replace(*change, 1))
    fewer = VoiceLengths.from_bytes(data.replace(b"[0.5,", b"[", 1))
    assert fewer.known(manner_of(GB)).model is None, "a model of other features is fitted anew"
    assert fewer.measured(TEXT, GB, None) == 1770


def test_a_model_that_counted_otherwise_is_fitted_anew_and_what_was_measured_is_kept() -> None:
    data = known(TEXT, 1770).with_model(manner_of(GB), LengthModel((0.5,) * len(FEATURES))).to_bytes()
    older = VoiceLengths.from_bytes(data.replace(b'"version":3,', b'"version":2,', 1))
    assert VoiceLengths.from_bytes(data).known(manner_of(GB)).model is not None
    assert older.known(manner_of(GB)).model is None
    assert older.measured(TEXT, GB, None) == 1770


def test_what_has_changed_is_found_by_text() -> None:
    before = known(TEXT, 1770)
    after = before.with_measured(manner_of(GB), "1.51", {OTHER: 800})
    may_differ = after.changed_from(before, GB)
    assert may_differ is not None
    assert [may_differ(text) for text in (TEXT, OTHER, "…", "Never said.")] == [False, True, False, False]
    back = before.changed_from(after, GB)
    assert back is not None
    assert back(OTHER), "what is no longer known"
    fitted = after.with_model(manner_of(GB), LengthModel((1.0,) * len(FEATURES)))
    assert fitted.changed_from(after, GB) is None, "all predictions change"


@given(batches, batches)
def test_what_may_not_differ_does_not(first: list, then: list) -> None:
    before = VoiceLengths()
    for manner, version, batch in first:
        before = before.with_measured(manner, version, batch)
    after = before
    for manner, version, batch in then:
        after = after.with_measured(manner, version, batch)
    texts = {text for _, _, batch in (*first, *then) for text in batch}
    for manner, _, _ in (*first, *then):
        narrator = Narrator(VoiceSettings(manner.engine, manner.voice, manner.pitch), manner.rate, manner.language)
        may_differ = after.changed_from(before, narrator)
        assert may_differ is not None
        for text in texts:
            if not may_differ(text):
                assert after.measured(text, narrator, None) == before.measured(text, narrator, None)


def test_at_another_rate_a_voice_is_predicted_by_what_is_known_of_it() -> None:
    lengths = known(OTHER, 900).with_model(manner_of(GB), LengthModel((1800.0, *(0.0 for _ in FEATURES[1:]))))
    fast = replace(GB, rate=360)
    assert lengths.predicted(TEXT, fast, None) == 900, "1.8 s at 180 words a minute"
    assert lengths.predicted(OTHER, fast, None) == 450, "measured as 0.9 s at 180 words a minute"
    assert lengths.measured(OTHER, fast, None) is None
    assert lengths.predicted(TEXT, GB, LineVoice(rate=90)) == 3600
    assert lengths.predicted(TEXT, GB, LineVoice(pitch=20)) is None
    assert lengths.predicted(TEXT, replace(GB, voice=VoiceSettings("espeak-ng", "en-us")), None) is None
    nearer = lengths.with_model(manner_of(replace(GB, rate=300)), LengthModel((1000.0, *(0.0 for _ in FEATURES[1:]))))
    assert nearer.predicted(TEXT, fast, None) == 833, "1 s at 300 words a minute"
    later = lengths.with_measured(manner_of(GB), "1.51", {spoken(TEXT, GB) or "": 1500})
    assert later.predicted(TEXT, fast, None) == 750
