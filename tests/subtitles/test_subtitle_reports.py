"""Files after public reports of what other programs got wrong: their right values."""

from __future__ import annotations

from pathlib import Path

import pytest

from adstudio.core.script import Cue, CueKind
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.parsed_file import SubtitleFile
from adstudio.subtitles.reading import read_subtitles

REPORTS = Path(__file__).resolve().parents[2] / "../shared/data/reports"
pytestmark = pytest.mark.skipif(not REPORTS.is_dir(), reason="the collection of reports is not beside the repository")


def read(name: str) -> SubtitleFile:
    return read_subtitles(REPORTS / name)


def said(name: str) -> list[Cue]:
    return list(dialogue(read(name)).cues)


def odd(name: str) -> list[tuple[int | None, str]]:
    file = read(name)
    return [(oddity.line, oddity.what) for oddity in (*file.oddities, *dialogue(file).oddities)]


@pytest.mark.parametrize(
    ("name", "starts"),
    [("57/order.srt", [2000, 8000, 20_000]), ("57/order.ass", [1820, 8630, 12_390, 15_370, 1_434_000])],
)
def test_cues_in_disorder_are_sorted_and_no_overlap_is_listed(name: str, starts: list[int]) -> None:
    assert [cue.start for cue in said(name)] == starts
    (found,) = odd(name)
    assert "sorted by time" in found[1]


def test_utf8_encoded_twice_is_read_and_told() -> None:
    assert [cue.text for cue in said("53/fr.double.srt")] == [
        "Où étais-tu hier soir ? À la gare.",
        "Ça suffit, j’en ai assez, Zoé.",
    ]
    ((line, what),) = odd("53/fr.double.srt")
    assert line == 3
    assert "encoded in UTF-8 twice" in what


def test_iso_2022_jp_is_read() -> None:
    assert read("53/ja.iso2022.srt").encoding == "iso-2022-jp"
    assert [(cue.text, cue.speaker, cue.kind) for cue in said("53/ja.iso2022.srt")] == [
        ("ゆうべ駅であなたを見かけました。", None, CueKind.SPEECH),
        ("まさか。ずっと家で寝ていたんだ。", None, CueKind.SPEECH),
        ("（呼び鈴の音）", None, CueKind.SOUND),
        ("こんな時間に誰だろう？", "田中", CueKind.SPEECH),
    ]
    assert odd("53/ja.iso2022.srt") == []


@pytest.mark.parametrize(
    ("name", "encoding", "first"),
    [
        ("53/04-koi8.srt", "koi8-r", "Ты поставила чайник, милая?"),
        ("53/ar.cp1256.srt", "windows-1256", "لست مستعدا بعد."),
    ],
)
def test_short_files_in_other_scripts_are_read_and_the_guess_is_shown(name: str, encoding: str, first: str) -> None:
    assert (read(name).encoding, read(name).guessed) == (encoding, True)
    assert said(name)[0].text == first
    assert f"{encoding} was guessed, which makes this line “{first}”" in odd(name)[0][1]


def test_karaoke_is_one_song_and_a_sign_is_no_speech() -> None:
    assert [(cue.start, cue.end, cue.text, cue.speaker, cue.kind) for cue in said("51/karaoke.ass")] == [
        (2000, 3400, "sakura", None, CueKind.SUNG),
        (10_000, 13_000, "One more time.", "Mika", CueKind.SUNG),
        (30_000, 32_000, "First line\nSecond line here", "Mika", CueKind.SPEECH),
    ]
    assert odd("51/karaoke.ass") == [(23, "“LOST PROPERTY” is a sign in the picture (style “Signs”), not speech")]


def test_names_before_colons_are_speakers_and_no_other_word_is_lost() -> None:
    assert [(cue.speaker, cue.text) for cue in said("55/colon.srt")] == [
        (None, "He showed up last night at\n10:42 pm, like a thief."),
        (None, "Bank?"),
        (None, "IMF:s stordator."),
        (None, "...but now I was back with a new look,\nJohn: an earring and long hair."),
        (None, "Listen to me: run."),
        (None, "The score: two to one."),
        ("MIKE", "Over here!"),
        (None, "Warning: this bag is hot."),
        (None, "It says: https://lost.example/box"),
        (None, "Stay, little one"),
        ("WOMAN", "Stay, little one"),
        ("MAN 1", "Looks like a tie."),
        ("DR. O'HARA-SMITH", "It is."),
        (None, "Psalm 23:4, Matthew: 5."),
    ]
    assert odd("55/colon.srt") == []
