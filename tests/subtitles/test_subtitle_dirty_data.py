"""Public files that broke other programs: what their sources say of them, and what we say."""

from __future__ import annotations

from pathlib import Path

import pytest

from adstudio.core.script import CueKind
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import SubtitleFile
from adstudio.subtitles.reading import read_subtitles

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
DIRTY = DATA / "dirty"
pytestmark = pytest.mark.skipif(
    not DIRTY.is_dir(), reason="the collection of public files is not beside the repository"
)

TYPICAL = [
    (0, 1234, "This is the first subtitle."),
    (2345, 3456, "This is the second subtitle.\nSecond subtitle with second line."),
    (7_204_567, 7_208_901, "This is the third subtitle."),
]


def read(name: str) -> SubtitleFile:
    return read_subtitles(DIRTY / name)


def cues(name: str) -> list[tuple[int, int, str]]:
    return [(cue.start, cue.end, cue.text) for cue in read(name).cues]


def lines(name: str) -> list[int | None]:
    return [oddity.line for oddity in read(name).oddities]


@pytest.mark.parametrize(
    "path",
    [path for ending in ("srt", "vtt", "ass", "ttml", "dfxp.xml") for path in DATA.rglob(f"*.{ending}")],
    ids=lambda path: path.name,
)  # fmt: skip
def test_every_file_is_read(path: Path) -> None:
    file = read_subtitles(path)
    assert file.cues or file.oddities


@pytest.mark.parametrize("name", ["exo_typical", "exo_typical_utf16be", "exo_typical_utf16le"])
def test_one_file_in_three_encodings(name: str) -> None:
    assert cues(f"srt/{name}.srt") == TYPICAL
    assert lines(f"srt/{name}.srt") == []


def test_srt_with_override_tags() -> None:
    file = read("srt/exo_typical_with_tags.srt")
    assert len(file.cues) == 14
    assert file.cues[3].text.startswith("This { \\an2} is not")
    assert "{" not in "".join(cue.text for k, cue in enumerate(file.cues) if k != 3)
    assert file.cues[4].start == 13_567
    assert len(file.oddities) == 10


def test_srt_faults() -> None:
    assert cues("srt/exo_empty.srt") == []
    assert lines("srt/exo_empty.srt") == [1]
    assert len(cues("srt/wvpy_invalid_timeframe.srt")) == 5
    assert [start for start, *_ in cues("srt/wvpy_missing_timeframe.srt")] == [500, 11_890, 16_320, 21_580]
    assert lines("srt/wvpy_missing_timeframe.srt") == [5]
    assert len(dialogue(read("srt/wvpy_missing_caption_text.srt")).cues) == 4
    assert lines("srt/wvpy_missing_caption_text.srt") == [6]


def test_vtt_times() -> None:
    bad = "vtt/exo_typical_with_bad_timestamps.vtt"
    # Its player discards the last one too; here a cue with a start keeps its place: seven words at 160 a minute.
    assert [(start, end) for start, end, _ in cues(bad)] == [(0, 1234), (2345, 3456), (6789, 6789 + 2625)]
    assert lines(bad) == [4, 7, 10, 13]
    assert [(start, end) for start, end, _ in cues("vtt/exo_with_bad_cue_header.vtt")] == [(0, 1234), (4000, 5000)]
    assert lines("vtt/exo_with_bad_cue_header.vtt") == [6]
    assert [start for start, *_ in cues("vtt/exo_with_x-timestamp-map_header.vtt")] == [958_715_679, 958_717_433]
    assert [text for *_, text in cues("vtt/exo_with_x-timestamp-map_header.vtt")] == ["Cue text one", "Cue text two"]
    overlapping = cues("vtt/exo_with_overlapping_timestamps.vtt")
    assert [(a, b) for a, b, _ in overlapping] == [(0, 3000), (1000, 2000), (4000, 6000), (5000, 7000)]
    assert [start for start, *_ in cues("vtt/wvpy_invalid_timeframe.vtt")] == [
        500,
        7000,
        11_890,
        16_320,
        21_580,
        23_880,
        27_280,
    ]
    assert lines("vtt/wvpy_invalid_timeframe.vtt") == [6]
    twice = cues("vtt/wvpy_invalid_timeframe_in_cue_text.vtt")
    assert [text for *_, text in twice] == ["Caption text #1", "", "Caption text #2", "Caption text #3"]
    assert cues("other/mantas_vtt_without_hours_in_timestamp.vtt") == [(0, 10_000, "I've spent nearly two decades")]


def test_vtt_blocks_and_tags() -> None:
    assert len(cues("vtt/exo_typical_with_comments.vtt")) == 2
    assert len(cues("vtt/wvpy_metadata_headers_multiline.vtt")) == 2
    assert [text for *_, text in cues("vtt/wvpy_cue_tags.vtt")] == [
        "When the moon hits your eye", "Like a big-a pizza pie", "That's amore",
    ]  # fmt: skip
    assert cues("other/mantas_vtt_with_html.vtt")[0][2] == "Sur les playground, ici à Montpellier"
    rolling = [text for *_, text in cues("vtt/wvpy_youtube_dl.vtt")]
    assert rolling == ["yeah", "yeah\nwhat", "this will happen is I'm telling", "this will happen is I'm telling"]
    for empty in ("exo_empty", "wvpy_empty", "wvpy_no_captions"):
        assert cues(f"vtt/{empty}.vtt") == []
        assert len(lines(f"vtt/{empty}.vtt")) == 1


def test_vtt_that_is_no_utf8() -> None:
    file = read("vtt/popcorn_data.vtt")
    assert (file.encoding, file.guessed) == ("windows-1252", True)
    assert file.cues[8].text == "When we e-mailed—"
    assert {cue.speaker for cue in file.cues} == {"Roger Bingham", "Neil DeGrass Tyson"}


def test_ass() -> None:
    # The second and the fifth have a start: ten words, of which the third's start cuts some off, and five.
    assert cues("ass/exo_invalid_timecodes.ass") == [
        (2340, 4560, "This is the second subtitle  with a newline\nand another."),
        (4560, 8900, "This is the third subtitle, with a comma."),
        (12_900, 12_900 + 1875, "This is the fifth subtitle."),
    ]
    assert lines("ass/exo_invalid_timecodes.ass") == [10, 11, 13, 14]
    assert [(a, b) for a, b, _ in cues("ass/exo_typical_utf16be.ass")] == [(0, 1230), (2340, 3450), (4560, 8900)]


def test_ttml() -> None:
    assert [text for *_, text in cues("ttml/exo_rubies.ttml")] == [
        *["Cue with annotated text."] * 4, "Cue with text.", *["Cue with annotated text."] * 3,
    ]  # fmt: skip
    example = cues("ttml/pysubs2_ttml_example.ttml")
    assert len(example) == 11
    assert example[:2] == [
        (760, 3450, "It seems a paradox, does it not,"),
        (5000, 10_000, "that the image formed on\nthe Retina should be inverted?"),
    ]
    second = cues("ttml/pysubs2_ttml_example2.ttml")
    assert second[0] == (1375, 5750, "TOP SAMPLE TEXT")
    assert [c.text for c in dialogue(read("ttml/pysubs2_ttml_example2.ttml")).cues][5:7] == [
        "Did he tell you what it was about?", "He did",
    ]  # fmt: skip
    assert cues("other/mantas_ttml_with_multiple_divs.ttml") == [
        (1464, 2423, "Senator, we're making\nour final approach into Coruscant."),
        (2423, 5432, "Very good, Lieutenant."),
        (10_886, 10_928, "CLUB SHOU-TIME"),
    ]
    apple = read("ttml/pysubs2_ttml_example_apple.ttml")
    assert [(c.start, c.end, c.speaker) for c in apple.cues[:2]] == [
        (19_764, 21_900, "Radiohead"), (24_594, 26_898, "Radiohead"),
    ]  # fmt: skip


def test_a_two_hour_dfxp_with_speakers_above_the_text() -> None:
    file = read("big/pycaption_example.dfxp.xml")
    assert file.cues[0].start == 9209
    assert file.cues[-1].end == 6_537_731
    found = dialogue(file).cues
    assert found[0].kind is CueKind.SOUND
    assert (found[1].speaker, found[1].text) == ("MAN", "When we think\nof E equals m c-squared,")


@pytest.mark.parametrize(
    "name", ["big/pycaption_example.sami", "other/mantas_smi_formatted.smi", "other/mantas_lrc.lrc",
             "other/mantas_sub_microdvd_with_styles.sub", "other/wvpy_sample.sbv"],
)  # fmt: skip
def test_other_formats_are_refused_by_name(name: str) -> None:
    with pytest.raises(SubtitleError, match="is not supported: convert it"):
        read(name)


def test_films() -> None:
    sintel = read_subtitles(DATA / "film/sintel/sintel.en.srt")
    assert sintel.oddities == ()
    assert (sintel.cues[0].start, sintel.cues[0].text) == (107_250, "This blade has a dark past.")
    trailer = dialogue(read_subtitles(DATA / "film/plan9-trailer/captions.en.vtt")).cues
    assert [(cue.kind, cue.speaker) for cue in trailer] == [
        (CueKind.SPEECH, "ANNOUNCER"), (CueKind.SPEECH, None), (CueKind.SPEECH, None), (CueKind.MUSIC, None),
        (CueKind.SPEECH, None), (CueKind.SPEECH, None),
    ]  # fmt: skip
