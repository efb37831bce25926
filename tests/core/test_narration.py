"""How long a wording takes, by its best source; and what takes, voices and lexicons can be."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from example_scripts import SCRIPT

from adstudio.core.narration import (
    LengthSource,
    LineVoice,
    Narrator,
    Pronunciation,
    Take,
    VoiceSettings,
    lexicon_error,
)
from adstudio.core.script import Approval, Script, Variant

KEY = "0f" * 32
TEXT = "She parks her motorbike by the wall."  # seven words


@dataclass(frozen=True)
class Known:
    """Lengths that are known of one text."""

    spoken: int | None
    expected: int | None

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        return self.spoken if text == TEXT and voice is None and narrator == script().narrator else None

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        return self.expected

    def changed_from(self, before: object, narrator: Narrator) -> None:
        return None


def script(lengths: Known | None = None) -> Script:
    voiced = SCRIPT.with_changes(lengths=lengths, voice=VoiceSettings("espeak-ng", "en-gb"))
    return replace(voiced, film=replace(SCRIPT.film, language="en"))


def test_the_best_source_of_a_length_is_taken() -> None:
    read = Variant(TEXT, takes=(Take("t", KEY, 3000, TEXT, 200, 2700),), take="t")
    assert script(Known(2400, 2300)).length(replace(read, duration=1900)) == (1900, LengthSource.OWN)
    assert script(Known(2400, 2300)).length(read) == (2500, LengthSource.TAKE)
    assert script(Known(2400, 2300)).length(replace(read, take=None)) == (2400, LengthSource.MEASURED)
    assert script(Known(None, 2300)).length(Variant(TEXT)) == (2300, LengthSource.PREDICTED)
    # 7 words at 180 a minute are 2,333.3 ms, rounded up.
    assert script(Known(None, None)).length(Variant(TEXT)) == (2334, LengthSource.RATE)
    assert script().length(Variant(TEXT)) == (2334, LengthSource.RATE)


def test_a_lines_own_rate_counts_where_the_voice_has_not_spoken_it() -> None:
    assert script(Known(2400, None)).length(Variant(TEXT), LineVoice(rate=140)) == (3000, LengthSource.RATE)


def test_without_a_voice_nothing_that_is_known_of_voices_counts() -> None:
    assert replace(script(Known(2400, 2300)), voice=VoiceSettings()).length(Variant(TEXT))[1] is LengthSource.RATE


def test_an_accepted_wording_keeps_the_length_that_it_was_accepted_with() -> None:
    accepted = replace(
        SCRIPT.eventualities[0],
        variants=(Variant(TEXT), Variant(TEXT)),
        accepted=True,
        approval=Approval(0, 1000, 2500),
        voice=None,
    )
    known = script(Known(2400, None))
    assert known.planned_length(accepted, 0) == (2500, LengthSource.ACCEPTED)
    assert known.planned_length(accepted, 1) == (2400, LengthSource.MEASURED), "the other wording was not accepted"
    assert known.planned_length(replace(accepted, accepted=False), 0) == (2400, LengthSource.MEASURED)
    assert replace(known, voice=VoiceSettings()).planned_length(accepted, 0)[1] is LengthSource.RATE
    assert script(Known(2500, None)).planned_length(accepted, 0) == (2500, LengthSource.MEASURED)
    own = replace(accepted, variants=(Variant(TEXT, duration=900),))
    assert known.planned_length(own, 0) == (900, LengthSource.OWN), "the describer acted"


def test_a_take_of_other_words_is_not_used() -> None:
    read = Variant("She parks.", takes=(Take("t", KEY, 3000, TEXT),), take="t")
    assert read.chosen_take is None
    assert script().length(read)[1] is LengthSource.RATE


def test_what_is_known_of_lengths_is_carried_by_every_change_and_by_no_comparison() -> None:
    lengths = Known(1, 2)
    changed = script(lengths).with_eventuality(0, replace(SCRIPT.eventualities[0], note="x"))
    assert changed.lengths is lengths
    assert script(lengths) == script()


@pytest.mark.parametrize(
    "take",
    [
        {"length": 0},
        {"start": 500, "end": 500},
        {"start": -1},
        {"end": 1001},
        {"sound": "../../etc/passwd"},
        {"sound": "0F" * 32},
    ],
)
def test_a_take_that_cannot_be_is_refused(take: dict[str, int | str]) -> None:
    fields: dict[str, int | str] = {"id": "t", "sound": KEY, "length": 1000, "text": "", **take}
    with pytest.raises(ValueError, match="take"):
        Take(**fields)  # type: ignore[arg-type]


def test_voices_and_pronunciations_have_limits() -> None:
    for pitch, volume in ((51, 0), (-51, 0), (0, 101), (0, -201)):
        with pytest.raises(ValueError, match=r"a (pitch|volume) is"):
            VoiceSettings(pitch=pitch, volume=volume)
        with pytest.raises(ValueError, match=r"a (pitch|volume) is"):
            LineVoice(pitch=pitch, volume=volume)
    for word, spoken in (("", "x"), ("x", " "), ("x" * 201, "x"), ("x", "a\nb")):
        with pytest.raises(ValueError, match="1 to 200 characters"):
            Pronunciation(word, spoken)
    twice = (Pronunciation("Vanger", "a"), Pronunciation("Blom", "b"), Pronunciation("VANGER", "c"))
    assert lexicon_error(twice) == "“Vanger” is in the lexicon twice: remove one of them"
    assert lexicon_error(twice[:2]) == ""
