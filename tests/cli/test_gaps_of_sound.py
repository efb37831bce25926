"""Gaps of a film without subtitles, and subtitles beside the film they belong to."""

import json
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from cli_contracts import check_gaps
from cli_running import SRT

from adstudio.characters.word_messages import NO_WORDS, OTHER_SOUND
from adstudio.sample_film import sample_paths
from adstudio.system.locations import resource

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "media"))
from media_clips import even, make_clip, tone

pytest.importorskip("onnxruntime")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_gaps_of_a_film(shared_data: Path, run, tmp_path: Path):
    video = shared_data / "film" / "plan9-trailer" / "plan9.av1.mp4"
    ran = run("gaps", video)
    value = check_gaps(ran.out)
    assert (ran.code, value["encoding"]) == (0, "")
    assert float(value["end"]) == pytest.approx(35.3, abs=0.1)
    # The announcer speaks from about 3.1 to 16.4 s and from 22.3 to 31.8 s.
    edges = [3.1, 16.4, 22.3, 31.8]
    found = [float(edge) for gap in value["gaps"] for edge in gap][1:-1]
    assert found == pytest.approx(edges, abs=0.2)
    assert {(cue["text"], cue["speaker"], cue["kind"]) for cue in value["dialogue"]} == {("", None, "speech")}
    assert value["problems"][0]["line"] is None
    assert "does not know the words" in value["problems"][0]["what"]

    wider = check_gaps(run("gaps", video, "--margin-before", "0.5", "--margin-after=1", "--least-gap=2").out)
    assert [float(edge) for gap in wider["gaps"] for edge in gap] == pytest.approx(
        [0, found[0] - 0.5, found[1] + 1, found[2] - 0.5, found[3] + 1, float(value["end"])], abs=0.001
    )
    assert check_gaps(run("gaps", video, "--end", "20").out)["end"] == 20
    without_ending = tmp_path / "a film"
    shutil.copy(video, without_ending)
    assert run("gaps", without_ending).out == ran.out
    told = run("gaps", video, "--keep-music", "-o", tmp_path / "g.json")
    assert "does not know the words" in told.err
    assert "ignored" in check_gaps((tmp_path / "g.json").read_bytes())["problems"][1]["what"]


def test_a_film_without_sound_or_speech_is_free(tmp_path: Path, run):
    silent = make_clip(tmp_path / "a.mp4", even(25, 4))
    value = check_gaps(run("gaps", silent).out)
    assert value["gaps"] == [[0, 4]]
    assert "no sound" in value["problems"][0]["what"]
    mute = make_clip(tmp_path / "b.mp4", even(25, 4), sound=tone(4, []))
    value = check_gaps(run("gaps", mute).out)
    assert value["dialogue"] == []
    assert "no speech was detected" in value["problems"][0]["what"]


def test_what_cannot_be_listened_to(tmp_path: Path, srt: Path, run, monkeypatch):
    broken = tmp_path / "a.mp4"
    broken.write_bytes(b"\0\0\0\x18ftypisom" + bytes(3000))
    run("gaps", broken).refused(2, str(broken))
    run("gaps", srt, "--against", broken).refused(2, str(broken))
    run("gaps", srt, "--against", tmp_path / "none.mp4").refused(2, "none.mp4")
    run("gaps", srt, "--in-step").refused(2, "--against")
    clip = make_clip(tmp_path / "b.mp4", even(25, 2), sound=tone(2, []))
    run("gaps", clip, "--against", clip).refused(2, "--against")
    run("gaps", srt, "--against", clip, "-o", clip).refused(2, str(clip))
    from adstudio.media import silero

    monkeypatch.setattr(silero, "find_spec", lambda _: None)
    fresh = make_clip(tmp_path / "c.mp4", even(25, 3), sound=tone(3, []))
    run("gaps", fresh).refused(3, "packaging/setup.sh")


def test_subtitles_that_are_out_of_step_are_told_and_mended(shared_data: Path, tmp_path: Path, run):
    sound = shared_data / "media" / "shadow-radio.mp3"
    captions = shared_data / "media" / "shadow-radio.captions.vtt"
    right = run("gaps", captions, "--against", sound)
    assert "in sync" in right.err
    value = check_gaps(right.out)
    assert [problem for problem in value["problems"] if "step" in problem["what"]] == []
    assert float(value["end"]) == pytest.approx(174, abs=0.2)

    late = tmp_path / "late.srt"
    late.write_text(srt_of(value["dialogue"], 5.0), encoding="utf-8")
    told = check_gaps(run("gaps", late, "--against", sound).out)
    (problem,) = [problem["what"] for problem in told["problems"] if "step" in problem["what"]]
    assert "s too late" in problem
    assert "--in-step" in problem
    assert float(told["dialogue"][3]["start"]) == float(value["dialogue"][3]["start"]) + 5
    mended = run("gaps", late, "--against", sound, "--in-step")
    cues = json.loads(mended.out)["dialogue"]
    assert [cue["start"] for cue in cues] == pytest.approx([float(c["start"]) for c in value["dialogue"]], abs=0.2)
    assert "taken out here" in mended.err


def test_subtitles_of_another_film_are_left_as_they_are(shared_data: Path, tmp_path: Path, run):
    sound = shared_data / "media" / "nasa_13013.mp4"
    captions = shared_data / "media" / "shadow-radio.captions.vtt"
    alone, beside = run("gaps", captions), run("gaps", captions, "--against", sound, "--in-step", "--end", "173.71")
    assert beside.code == 0
    assert json.loads(beside.out)["dialogue"] == json.loads(alone.out)["dialogue"]
    assert "cannot tell for sure" in json.loads(beside.out)["problems"][-1]["what"]


def test_subtitles_beside_a_film_without_sound(tmp_path: Path, srt: Path, run):
    silent = make_clip(tmp_path / "a.mp4", even(25, 20))
    value = check_gaps(run("gaps", srt, "--against", silent, "--in-step").out)
    assert value["gaps"] == [[0, 1], [3, 10], [12, 20]]
    assert "no sound" in value["problems"][-1]["what"]


def srt_of(dialogue, later: float) -> str:
    def time(seconds: float) -> str:
        whole = round((float(seconds) + later) * 1000)
        return f"{whole // 3_600_000:02}:{whole // 60_000 % 60:02}:{whole // 1000 % 60:02},{whole % 1000:03}"

    return "\n".join(
        f"{number}\n{time(cue['start'])} --> {time(cue['end'])}\n{cue['text']}\n"
        for number, cue in enumerate(dialogue, 1)
    )


@pytest.mark.parametrize(
    ("head", "media"),
    [
        (b"\x1a\x45\xdf\xa3", True), (b"\0\0\0\x20ftypmp42", True), (b"RIFF\x10\0\0\0WAVE", True), (b"OggS\0", True),
        (b"ID3\x04\0", True), (b"\xff\xfb\x90", True), ((b"\x47" + bytes(187)) * 3, True), (b"fLaC\0\0", True),
        (SRT.encode(), False), (SRT.encode("utf-16"), False), (b"", False), (b"ID3 is a tag", False),
        (b"FORM of a letter", False), (b"The free world", False), (b"WEBVTT", False), (bytes(600), False),
    ],
)  # fmt: skip
def test_what_a_film_begins_with(tmp_path: Path, head: bytes, media: bool):
    from adstudio.media.probe import is_media

    path = tmp_path / "a"
    path.write_bytes(head)
    assert is_media(path) is media
    assert not is_media(tmp_path)
    assert not is_media(tmp_path / "none")


def test_what_is_odd_is_told_beside_the_file(run, tmp_path: Path):
    subtitles = tmp_path / "odd.srt"
    subtitles.write_text("1\n00:00:03,000 --> 00:00:01,000\nEnds first.\n\n2\n10:00:00,000 --> 10:00:02,000\nLate.\n")
    ran = run("gaps", subtitles, "--end", "20", "-o", tmp_path / "g.json")
    problems = check_gaps((tmp_path / "g.json").read_bytes())["problems"]
    assert len(problems) == 2
    assert all(problem["what"] in ran.err for problem in problems)
    assert f"{subtitles}, line 2: " in ran.err


def test_a_draft_with_subtitles_that_are_late_puts_them_in_step(sample_folder: Path, run, tmp_path: Path):
    from adstudio.store.project import ProjectFile

    source = (sample_folder / "dialogue.srt").read_text("utf-8")
    late = tmp_path / "late.srt"
    late.write_text(re.sub(r"\d\d:\d\d:\d\d,\d\d\d", lambda time: _later(time[0], 1300), source), "utf-8")
    asked = ("draft", sample_folder / "film.mp4", "--candidates", sample_folder / "candidates.json")
    run(*asked, "--subtitles", sample_folder / "dialogue.srt", "-o", tmp_path / "right.adproj")
    ran = run(*asked, "--subtitles", late, "--in-step", "-o", tmp_path / "mended.adproj")
    assert "too late; that is taken out here" in ran.err
    right, mended = (ProjectFile.open(tmp_path / f"{name}.adproj", read_only=True) for name in ("right", "mended"))
    with right, mended:
        pairs = list(zip(right.saved_script.cues, mended.saved_script.cues, strict=True))
    assert len(pairs) > 20
    assert all(abs(one.start - other.start) <= 100 for one, other in pairs)
    without_film = ("draft", "--end", "165", "--subtitles", late, *asked[2:], "-o", tmp_path / "x.adproj")
    run(*without_film, "--in-step").refused(2, "--in-step")


def test_subtitles_of_another_film_are_said_to_hardly_agree(
    sample_folder: Path, shared_data: Path, run, tmp_path: Path
) -> None:
    film, said = sample_folder / "film.mp4", "hardly agree with what is spoken in the film: 39 % of their cues"
    asked = ("draft", film, "--description", sample_folder / "description.txt")
    for name, subtitles, accused in (
        ("other", shared_data / "media" / "shadow-radio.captions.vtt", True),
        ("own", sample_folder / "dialogue.srt", False),
    ):
        ran = run(*asked, "--subtitles", subtitles, "-o", tmp_path / f"{name}.adproj")
        assert (ran.code, said in ran.err) == (0, accused), ran.err
        ran = run("gaps", subtitles, "--against", film, "-o", tmp_path / f"{name}.json")
        assert (ran.code, said in ran.err) == (0, accused), ran.err


def _later(time: str, ms: int) -> str:
    hours, minutes, seconds, rest = map(int, re.split("[:,]", time))
    total = ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest + ms
    return f"{total // 3600000:02}:{total // 60000 % 60:02}:{total // 1000 % 60:02},{total % 1000:03}"


needs_sphinx = pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="pocketsphinx is not installed")


@needs_sphinx
def test_what_subtitles_are_held_longer_than_their_words_is_free(tmp_path: Path, run):
    film = sample_paths(Path(resource("sample"))).film
    subtitles = tmp_path / "held.srt"
    # Said until 111.2 s.
    subtitles.write_text("1\n00:01:49,600 --> 00:01:54,000\nGood evening, Miss Vale.\n", "utf-8")
    by_cue = check_gaps(run("gaps", subtitles, "--against", film).out)
    ran = run("gaps", subtitles, "--against", film, "--word-edges")
    by_words = check_gaps(ran.out)
    assert by_cue["gaps"][1][0] == 114
    assert float(by_words["gaps"][1][0]) == pytest.approx(111.3, abs=0.2)
    assert by_words["dialogue"] == by_cue["dialogue"], "the subtitle itself is not changed"
    assert "4 words of 1 cue found" in ran.err


@needs_sphinx
@pytest.mark.parametrize(("cues", "said"), [(24, OTHER_SOUND), (2, NO_WORDS)], ids=["many", "few"])
def test_gaps_go_by_the_subtitles_where_the_sound_says_none_of_their_words(
    tmp_path: Path, run, cues: int, said: str
) -> None:
    """Text of another film: two cues, before anybody speaks, are too few to say so of the film."""
    film = sample_paths(Path(resource("sample"))).film
    subtitles = tmp_path / "other.srt"
    times = (f"00:{start // 60:02}:{start % 60:02}" for start in range(0, 6 * cues, 6))
    words = "Wir haben heute leider keine Zeit."
    subtitles.write_text("\n\n".join(f"1\n{time},000 --> {time},900\n{words}" for time in times), "utf-8")
    output = tmp_path / "gaps.json"
    ran = run("gaps", subtitles, "--against", film, "--word-edges", "-o", output)
    assert ran.code == 0
    told = " ".join(ran.err.split())
    assert f"{said}, and gaps go by the subtitles’ times" in told
    assert "by the words" not in told
    by_words = check_gaps(output.read_bytes())
    assert any(said in problem["what"] for problem in by_words["problems"])
    assert by_words["gaps"] == check_gaps(run("gaps", subtitles, "--against", film).out)["gaps"]


@pytest.mark.parametrize("arguments", [(), ("--end", "60"), ("--language", "no language")])
def test_words_need_their_film_and_a_language(tmp_path: Path, run, arguments: tuple[str, ...]):
    subtitles = tmp_path / "a.srt"
    subtitles.write_text(SRT, "utf-8")
    ran = run("gaps", subtitles, "--word-edges", *arguments)
    assert ran.code == 2
    assert "--against" in ran.err or "language" in ran.err
