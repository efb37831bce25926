"""`adstudio demo`: what is written, and what is kept."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from cli_contracts import check_plan, check_reframed
from cli_running import SRT, listing

from adstudio.core.script import Pin
from adstudio.core.steps import Replace
from adstudio.store.project import ProjectFile


@pytest.fixture
def quick(monkeypatch):
    """In place of the sample film, two seconds of grey and one eventuality."""
    from adstudio import sample_film

    def quickly(out: Path):
        out.mkdir(exist_ok=True)
        sample = sample_film.sample_paths(out)
        for path in sample.paths:
            path.write_text("")
        sample.srt.write_text(SRT.replace("00:00:01", "00:00:00").replace("00:00:03", "00:00:00"))
        element = {"audio_description": "A door.", "occurrence_start": 1, "occurrence_end": 2, "salience": 0.5}
        sample.candidates.write_text(json.dumps([element]))
        with av.open(str(sample.film), "w") as film:
            video = film.add_stream("libx264", rate=25)
            video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
            for _ in range(100):
                film.mux(video.encode(av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")))
            film.mux(video.encode())
        return sample

    monkeypatch.setattr(sample_film, "copy_sample_film", quickly)


@pytest.mark.parametrize(
    ("called", "shown"), [("/x/adstudio/__main__.py", "adstudio"), ("/x/bin/adstudio", "/x/bin/adstudio")]
)
def test_the_next_command_can_be_called(called: str, shown: str, monkeypatch, quick, tmp_path: Path, run):
    monkeypatch.setattr("sys.argv", [called])
    ran = run("demo", "--out", tmp_path / "demo", "--headless")
    assert ran.err.splitlines()[-1] == f"{shown} explain {tmp_path / 'demo' / 'problem.json'}"


def test_everything_is_written(quick, tmp_path: Path, run):
    out = tmp_path / "demo"
    ran = run("demo", "--out", out, "--headless")
    assert (ran.code, ran.out) == (0, b"")
    assert "optimal" in ran.err
    assert ran.err.splitlines()[-1].endswith(f"explain {out / 'problem.json'}")
    assert "1 of 1" in ran.err
    assert check_plan((out / "plan.json").read_bytes())["status"] == "optimal"
    # By the rules of the house: two words at 170 a minute take 0.706 s, centred on 1.5 s.
    assert check_reframed((out / "reframed.json").read_bytes())["1"]["text"] == "A door."
    assert run("verify", out / "problem.json", out / "plan.json").code == 0
    assert (out / "script.srt").read_text().startswith("1\n00:00:01,147 --> 00:00:01,853\nA door.\n")
    before = listing(out)
    assert run("demo", "--out", out).code == 0
    assert listing(out).keys() == before.keys()


def test_the_sample_film_is_planned_by_the_house(quick, tmp_path: Path, run):
    from adstudio.presets.library import preset_named

    assert run("demo", "--out", tmp_path / "demo", "--headless").code == 0
    with ProjectFile.open(tmp_path / "demo" / "sample.adproj", read_only=True) as opened:
        assert opened.saved_script.settings == preset_named("house").settings


@pytest.mark.parametrize("headless", [True, False])
def test_the_editor_opens_at_its_end_where_there_is_a_display(quick, tmp_path: Path, run, monkeypatch, headless: bool):
    from adstudio.cli import demo, edit

    opened: list[Path] = []
    monkeypatch.setattr(demo, "has_display", lambda: True)
    monkeypatch.setattr(edit, "open_editor", lambda project: opened.append(project) or 0)
    out = tmp_path / "demo"
    assert run("demo", "--out", out, *(["--headless"] if headless else [])).code == 0
    assert opened == ([] if headless else [out / "sample.adproj"])


def test_a_demo_that_was_worked_on_is_kept(quick, tmp_path: Path, run):
    out = tmp_path / "demo"
    assert run("demo", "--out", out).code == 0
    with ProjectFile.open(out / "sample.adproj") as opened:
        document = opened.document(on_failure=lambda error: pytest.fail(str(error)))
        (only,) = document.script.eventualities
        document.apply(Replace(only, replace(only, pin=Pin(selected=False))))
        mine = document.script
    ran = run("demo", "--out", out)
    assert ran.code == 0
    kept = out / "sample (yours 1).adproj"
    assert str(kept) in ran.err
    with ProjectFile.open(kept, read_only=True) as opened:
        assert opened.last_script == mine
    assert (out / "sample.adproj").exists()


@pytest.mark.parametrize("name", ["film.mp4", "script.srt", "sample.adproj"])
def test_files_of_the_describers_are_not_written_over(name: str, quick, tmp_path: Path, run, nothing_written):
    (tmp_path / name).write_text("mine")
    nothing_written()
    run("demo", "--out", tmp_path).refused(2, str(tmp_path / name), "--out")


def test_a_demo_needs_no_voice(quick, tmp_path: Path, monkeypatch, run):
    from adstudio.speech.engine import SpeechError

    def missing(name: str = "") -> None:
        raise SpeechError("no voice is installed")

    monkeypatch.setattr("adstudio.mix.script_lines.choose_engine", missing)
    ran = run("demo", "--out", tmp_path / "demo", "--headless")
    assert ran.code == 0
    assert "the film is not mixed: line 1, “A door.”: no voice is installed" in ran.err
    assert not (tmp_path / "demo" / "described.mp4").exists()


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_a_demo_ends_with_a_mixed_film(quick, tmp_path: Path, run):
    out = tmp_path / "demo"
    assert run("demo", "--out", out, "--headless").code == 0
    with av.open(str(out / "described.mp4")) as film:
        (sound,) = film.streams.audio
        assert sound.metadata["handler_name"] == "Audio description"
        samples = np.concatenate([frame.to_ndarray()[0] for frame in film.decode(sound)])
    loud = np.flatnonzero(np.abs(samples) > 0.01) / sound.rate
    # As planned: from 1.147 s on; the film itself is silent.
    assert loud[0] == pytest.approx(1.147, abs=0.05)


def test_a_demo_where_nothing_can_be_written(tmp_path: Path, run, nothing_written):
    (tmp_path / "file").write_text("mine")
    nothing_written()
    run("demo", "--out", tmp_path / "file" / "demo").refused(3, "demo", "folder")


@pytest.mark.attack(1)
def test_sources_that_were_edited_since_an_earlier_demo_stay(quick, tmp_path: Path, run):
    out = tmp_path / "demo"
    assert run("demo", "--out", out).code == 0
    assert run("demo", "--out", out).code == 0
    edited = out / "dialogue.srt"
    edited.write_text(SRT.replace("Who", "What"))
    run("demo", "--out", out).refused(2, str(edited), "--out")
    assert edited.read_text() == SRT.replace("Who", "What")


@pytest.mark.attack(1)
@pytest.mark.parametrize("name", ["script.srt", "film.mp4", "plan.json"])
def test_a_demo_writes_through_no_link(name: str, quick, tmp_path: Path, run):
    out, mine = tmp_path / "demo", tmp_path / "mine"
    mine.write_text("mine")
    assert run("demo", "--out", out).code == 0
    (out / name).unlink()
    (out / name).symlink_to(mine)
    run("demo", "--out", out).refused(2, str(out / name), "--out")
    assert mine.read_text() == "mine"
