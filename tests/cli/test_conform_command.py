"""`adstudio conform`: a project follows a new cut of its film; other films and unusable files leave it alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from cli_running import Run, process
from numpy.typing import NDArray

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.core.script import Cue, Eventuality, Pin, Scene, Script, Variant
from adstudio.core.steps import SetFilm
from adstudio.core.timebase import RATES, Span, clock
from adstudio.media.probe import probe
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile

SECONDS = 40
SOUND_RATE = 16_000
WORDS = ("amber", "birch", "cedar", "dune", "ember", "fern", "grove", "heath", "inlet", "jetty", "knoll", "ledge")


def sound(seed: int, seconds: float = SECONDS) -> NDArray[np.float32]:
    """Noise with the rhythm of speech."""
    rng = np.random.default_rng(seed)
    count = int(seconds * SOUND_RATE)
    rhythm = np.repeat(rng.gamma(1.2, 0.12, count // 2500 + 1), 2500)[:count]
    return (rng.normal(0, 0.3, count) * rhythm).clip(-1, 1).astype(np.float32)


def film(path: Path, samples: NDArray[np.float32], rate: int = 25) -> Path:
    """A film of grey pictures with this sound."""
    with av.open(str(path), "w") as container:
        pictures = container.add_stream("mpeg4", rate=rate)
        pictures.width, pictures.height, pictures.pix_fmt = 32, 32, "yuv420p"
        track = container.add_stream("aac", rate=SOUND_RATE)
        track.layout = "mono"
        for number in range(len(samples) * rate // SOUND_RATE):
            picture = av.VideoFrame(32, 32, "yuv420p")
            picture.pts = number
            container.mux(pictures.encode(picture))
        container.mux(pictures.encode(None))
        for at in range(0, len(samples), 1024):
            frame = av.AudioFrame.from_ndarray(samples[at : at + 1024][None], "fltp", "mono")
            frame.sample_rate, frame.pts = SOUND_RATE, at
            container.mux(track.encode(frame))
        container.mux(track.encode(None))
    return path


def cues() -> tuple[Cue, ...]:
    rng = np.random.default_rng(5)
    said = [" ".join(rng.choice(WORDS, 5)) for _ in range(SECONDS // 4)]
    return tuple(Cue(f"c{k}", k * 4000 + 1000, k * 4000 + 2500, text) for k, text in enumerate(said))


def srt(path: Path, cues: Sequence[Cue]) -> Path:
    def time(ms: int) -> str:
        return clock(ms, separator=",")

    blocks = (f"{k}\n{time(cue.start)} --> {time(cue.end)}\n{cue.text}\n" for k, cue in enumerate(cues, 1))
    path.write_text("\n".join(blocks), "utf-8")
    return path


def cut_out(cues: Sequence[Cue], start: int, end: int) -> list[Cue]:
    """The cues without those of a stretch."""
    left = [cue for cue in cues if cue.end <= start or cue.start >= end]
    return [
        replace(cue, start=cue.start - end + start, end=cue.end - end + start) if cue.start >= end else cue
        for cue in left
    ]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The former film, one without the seconds from 12 to 20, one at 25 instead of 24, and another film."""
    folder = tmp_path_factory.mktemp("films")
    samples = sound(1)
    faster = np.interp(np.arange(len(samples) * 24 // 25) * 25 / 24, np.arange(len(samples)), samples)
    shorter = np.concatenate([samples[: 12 * SOUND_RATE], samples[20 * SOUND_RATE :]])
    return {
        "former": film(folder / "former.mp4", samples, 24),
        "shorter": film(folder / "shorter.mp4", shorter, 24),
        "faster": film(folder / "faster.mp4", faster.astype(np.float32), 25),
        "other": film(folder / "other.mp4", sound(2), 24),
    }


@pytest.fixture
def project(tmp_path: Path, films: dict[str, Path]) -> Path:
    """A project with a line in every four seconds; the one at 28 s is locked."""
    path = tmp_path / "film.adproj"
    known, measured = source_file(films["former"], path), probe(films["former"])
    media = measured.media(known.path, known.relative_path, known.size, known.fingerprint)
    lines = tuple(
        Eventuality(
            f"e{k}",
            (Variant("Rain."),),
            Span(k * 4000 + 2800, k * 4000 + 3600),
            500_000,
            pin=Pin(selected=True, start=31_000) if k == 7 else Pin(),
        )
        for k in range(SECONDS // 4)
    )
    script = Script(
        Film("Film", measured.duration, frame_rate=RATES["24"], media=media),
        scenes=(Scene("s1", Span(0, 12_000)), Scene("s2", Span(12_000, 20_000)), Scene("s3", Span(20_000, 40_000))),
        cues=cues(),
        eventualities=lines,
    )
    ProjectFile.create(path, script).close()
    return path


def saved(project: Path) -> ProjectFile:
    return ProjectFile.open(project, read_only=True)


def test_a_new_cut_is_followed_planned_and_saved(project: Path, films: dict[str, Path], tmp_path: Path) -> None:
    new = srt(tmp_path / "new.srt", cut_out(cues(), 12_000, 20_000))
    before = project.read_bytes()
    with saved(project) as file:
        former = file.saved_script
    dry = process("conform", project, "--film", films["shorter"], "--subtitles", new, "--dry-run")
    assert (dry.code, project.read_bytes()) == (0, before)
    assert "nothing was changed (--dry-run)" in dry.err
    ran = process("conform", project, "--film", films["shorter"], "--subtitles", new)
    assert ran.code == 0
    out = ran.out.decode()
    assert out == dry.out.decode()
    assert "removed 00:00:12:00–00:00:20:00 (8.0 s)" in out
    assert out.count("“Rain.” (was at 00:00:1") == 2
    assert "10 lines: 3 unchanged, 5 shifted, 2 without film; 10 cues: 8 in both cuts, 2 went" in ran.err
    with saved(project) as file:
        script, plan = file.saved_script, file.saved_plan
        starts = [line.occurrence and line.occurrence.start for line in script.eventualities]
        right = [2800, 6800, 10_800, None, None, 14_800, 18_800, 22_800, 26_800, 30_800]
        assert all(abs((a or 0) - (b or 0)) <= 40 for a, b in zip(starts, right, strict=True))
        assert abs((script.eventuality("e7").pin.start or 0) - 23_000) <= 40
        assert [scene.id for scene in script.scenes] == ["s1", "s3"]
        assert script.film.media is not None
        assert Path(script.film.media.path) == films["shorter"]
        assert str(films["former"]) in {source.path for source in script.film.other_sources}
        assert abs(script.film.end - 32_000) < 200
        assert plan is not None
        assert {"e3", "e4"}.isdisjoint(plan.by_element)
    copy = Path(ran.err.strip().splitlines()[-1].rpartition("as it was before: ")[2])
    with saved(copy) as file:
        assert file.saved_script == former
    conformed = project.read_bytes()
    again = process("conform", project, "--film", films["shorter"], "--subtitles", new)
    assert "nothing changes" in again.err
    assert project.read_bytes() == conformed


def test_another_speed_is_recognised_and_counted_in_its_frames(run: Run, project: Path, films: dict[str, Path]) -> None:
    ran = run("conform", project, "--film", films["faster"], "--json")
    assert ran.code == 0
    report = json.loads(ran.out)
    assert (report["format"], report["ratio"], report["speed"]) == ("adstudio-conform/1", "24/25", "24 to 25 fps")
    assert [each["fate"] for each in report["stretches"]] == ["shifted"]
    assert "no subtitles were given" not in ran.err
    with saved(project) as file:
        script = file.saved_script
    assert script.film.frame_rate == RATES["25"]
    assert abs(script.cues[9].start - 37_000 * 24 / 25) <= 40
    assert abs((script.eventuality("e7").pin.start or 0) - 31_000 * 24 / 25) <= 40


def test_without_the_former_film_dialogue_shows_the_cut(
    run: Run, project: Path, films: dict[str, Path], tmp_path: Path
) -> None:
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=lambda _: None)
        media = document.script.film.media
        assert media is not None
        gone = replace(media, path="/gone/former.mp4", relative_path="", fingerprint="blake2b:00")
        document.apply(SetFilm(document.script.film, replace(document.script.film, media=gone)))
        file.save()
    new = srt(tmp_path / "new.srt", cut_out(cues(), 12_000, 20_000))
    ran = run("conform", project, "--film", films["shorter"], "--subtitles", new)
    assert ran.code == 0
    assert "the former film was not found" in ran.err
    assert "removed 00:00:12:00–00:00:20:00 (8.0 s)" in ran.out.decode()


def test_a_new_cut_that_replaced_the_former_file_is_compared_with_its_cached_waveform(
    run: Run, project: Path, films: dict[str, Path], tmp_path: Path
) -> None:
    here = tmp_path / "film.mp4"
    here.write_bytes(films["former"].read_bytes())
    with ProjectFile.open(project) as file:
        document = file.document(on_failure=lambda _: None)
        known, media = source_file(here, project), document.script.film.media
        assert media is not None
        moved = replace(media, path=known.path, relative_path=known.relative_path)
        document.apply(SetFilm(document.script.film, replace(document.script.film, media=moved)))
        file.save()
    assert "nothing changes" in run("conform", project, "--film", here).err
    here.write_bytes(films["shorter"].read_bytes())
    ran = run("conform", project, "--film", here)
    assert ran.code == 0
    assert "removed 00:00:12:00–00:00:20:00 (8.0 s)" in ran.out.decode()
    assert "no subtitles were given" not in ran.err
    back = run("conform", project, "--film", films["former"])
    assert "inserted 00:00:12:00–00:00:20:00 (8.0 s)" in back.out.decode()
    assert "no subtitles were given" in back.err


def test_new_subtitles_alone_unlink_the_film(run: Run, project: Path, tmp_path: Path) -> None:
    faster = [
        replace(cue, start=round(cue.start * Fraction(24, 25)), end=round(cue.end * Fraction(24, 25))) for cue in cues()
    ]
    ran = run("conform", project, "--subtitles", srt(tmp_path / "new.srt", faster))
    assert ran.code == 0
    assert "the former one was unlinked" in ran.err
    with saved(project) as file:
        found = file.saved_script.film
    assert (found.media, found.frame_rate) == (None, RATES["25"])
    assert abs(found.end - 38_400) <= 100


def test_new_subtitles_at_the_same_times_keep_the_film(run: Run, project: Path, tmp_path: Path) -> None:
    with saved(project) as file:
        before = file.saved_script.film
    corrected = [replace(cue, text=f"{cue.text} {WORDS[0]}") for cue in cues()]
    ran = run("conform", project, "--subtitles", srt(tmp_path / "corrected.srt", corrected))
    assert (ran.code, "unlinked" in ran.err) == (0, False)
    with saved(project) as file:
        assert [cue.text for cue in file.saved_script.cues] == [cue.text for cue in corrected]
        assert (file.saved_script.film.media, file.saved_script.film.end) == (before.media, before.end)


def test_subtitles_of_another_cut_than_the_film_are_told(
    run: Run, project: Path, films: dict[str, Path], tmp_path: Path
) -> None:
    later = [replace(cue, start=cue.start + 3000, end=cue.end + 3000) for cue in cues()]
    ran = run("conform", project, "--film", films["former"], "--subtitles", srt(tmp_path / "later.srt", later))
    assert ran.code == 0
    assert "not those of the new film: by its sound, what they say is 3.0 s too late" in ran.err


def test_subtitles_of_other_words_than_the_former_ones_are_told(
    run: Run, project: Path, films: dict[str, Path], tmp_path: Path
) -> None:
    german = [replace(cue, text=f"Wo ist der {cue.text[::-1]}?") for cue in cues()]
    subtitles = srt(tmp_path / "de.srt", german)
    ran = run("conform", project, "--film", films["former"], "--subtitles", subtitles)
    assert ran.code == 0
    assert f"{subtitles}: the subtitles share hardly any words with the previous ones" in ran.err


def test_what_fails_or_is_stopped_while_planning_leaves_the_project_as_it_was(
    run: Run, project: Path, films: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise BadInputError("no plan")

    monkeypatch.setattr("adstudio.delivery.export.plan_to_export", failing)
    before = project.read_bytes()
    ran = run("conform", project, "--film", films["shorter"])
    assert (ran.code, project.read_bytes()) == (2, before)


def test_a_project_that_could_not_be_backed_up_says_so_and_names_no_copy(
    run: Run, project: Path, films: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr("adstudio.store.backups.backups_folder", lambda: tmp_path / "file" / "backups")
    ran = run("conform", project, "--film", films["shorter"])
    assert ran.code == 0
    assert "no backup could be made" in ran.err
    assert "as it was before" not in ran.err


def test_another_film_is_refused(run: Run, project: Path, films: dict[str, Path], tmp_path: Path) -> None:
    before = project.read_bytes()
    other = srt(tmp_path / "o.srt", [replace(cue, text=f"Nobody {cue.id} speaks so here") for cue in cues()])
    ran = run("conform", project, "--film", films["other"], "--subtitles", other)
    assert (ran.code, project.read_bytes()) == (2, before)
    assert "this seems to be another film, not a new cut of the project’s" in ran.err
    assert "0 % of the dialogue matches" in ran.err
    assert "0 % of the sound matches" in ran.err


def test_unusable_files_are_refused_in_one_sentence(run: Run, project: Path, tmp_path: Path) -> None:
    before = project.read_bytes()
    sounds = tmp_path / "sounds.srt"
    srt(sounds, [Cue("c1", 0, 1000, "(door creaks)")])
    for arguments in (
        (),
        ("--subtitles", sounds),
    ):
        ran = run("conform", project, *arguments)
        assert (ran.code, project.read_bytes()) == (2, before)
        assert len(ran.err.strip().splitlines()) == 1
        assert "--without-dialogue" not in ran.err


def test_the_same_film_changes_nothing(run: Run, project: Path, films: dict[str, Path]) -> None:
    before = project.read_bytes()
    ran = run("conform", project, "--film", films["former"])
    assert (ran.code, project.read_bytes()) == (0, before)
    assert "nothing changes" in ran.err
