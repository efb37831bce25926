"""`adstudio mix`: files, what is printed, what is refused, and what a signal leaves."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import wave
from dataclasses import replace
from pathlib import Path

import pytest
from cli_running import Run, command, listing

from adstudio.core.film import Film
from adstudio.core.narration import VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")

SCRIPT = Script(
    Film("Film", 12_000),
    cues=(Cue("c1", 5_000, 7_000, "Who is there?"),),
    eventualities=(
        Eventuality("e1", (Variant("She parks the car."),), Span(1000, 2000), 1),
        Eventuality("e2", (Variant("Rain."),), Span(8000, 9000), 1),
    ),
    voice=VoiceSettings("espeak-ng"),
)
PLAN = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 1000, 3000), Delivery("e2", 0, 8000, 9000)))


@pytest.fixture
def make(tmp_path: Path):
    def made(script: Script = SCRIPT, plan: Plan | None = PLAN) -> Path:
        path = tmp_path / "P.adproj"
        ProjectFile.create(path, script, plan=plan).close()
        return path

    return made


def with_film(tmp_path: Path, name: str = "film.wav") -> Script:
    """The script with a film, which is a sound file of 12 s."""
    from adstudio.core.film import Media

    path = tmp_path / name
    with wave.open(str(path), "w") as file:
        file.setparams((1, 2, 48_000, 0, "NONE", ""))
        file.writeframes((b"\0\x08" * 100 + b"\0\xf8" * 100) * 2_880)
    source = source_file(path, tmp_path / "P.adproj")
    media = Media(**vars(source), duration=12_000, has_audio=True)
    return replace(SCRIPT, film=replace(SCRIPT.film, media=media))


def length(path: Path) -> tuple[int, int, int, int]:
    with wave.open(str(path)) as file:
        return file.getnchannels(), file.getsampwidth(), file.getframerate(), file.getnframes()


@pytest.mark.parametrize(("kind", "bits", "channels"), [("mix", 24, 2), ("mix", 16, 2), ("stem", 24, 1)])
def test_a_file_is_written_and_what_came_of_it_is_printed(
    run: Run, make, tmp_path: Path, kind: str, bits: int, channels: int
) -> None:
    project, target = make(with_film(tmp_path)), tmp_path / "out.wav"
    done = run("mix", project, "--kind", kind, "--bits", bits, "-o", target)
    assert (done.code, done.out) == (0, b"")
    assert length(target) == (channels, bits // 8, 48_000, 12_000 * 48)
    first = done.err.splitlines()[0]
    assert first.startswith(f"{target}: 00:00:12, {'stereo' if channels == 2 else 'mono'}; 2 lines; −")
    assert "film −" in first
    assert "The film’s sound is mono: it is rendered as stereo." in done.err
    assert "2 of 2 lines have not been seen." in done.err


@pytest.mark.parametrize(("kind", "name"), [("stem", "."), ("control", "a.mp3"), ("film", "."), ("extended", "a.wav")])
def test_a_name_that_does_not_fit_is_refused_by_that_name(run: Run, make, kind: str, name: str) -> None:
    run("mix", make(), "--kind", kind, "-o", name).refused(2, f"adstudio: {name}: ", "choose a name that ends in")


def test_lines_are_written_into_a_folder(run: Run, make, tmp_path: Path) -> None:
    done = run("mix", make(), "--kind", "lines", "-o", tmp_path / "lines")
    assert done.code == 0
    assert sorted(path.name for path in (tmp_path / "lines").iterdir()) == ["0001-e1.wav", "0002-e2.wav"]


def test_lines_longer_than_planned_are_said(run: Run, make, tmp_path: Path) -> None:
    plan = replace(PLAN, deliveries=(Delivery("e1", 0, 1000, 1300), PLAN.deliveries[1]))
    script = replace(SCRIPT, voice=VoiceSettings())
    done = run("mix", make(script, plan), "--kind", "stem", "-o", tmp_path / "out.wav")
    assert done.code == 0
    assert "1 line lasts longer than planned, by up to " in done.err
    assert " s: number 1. Choose a voice in the project" in done.err


def test_the_preset_and_the_options_say_how_loud_it_is(run: Run, make, tmp_path: Path) -> None:
    project, target = make(with_film(tmp_path)), tmp_path / "out.wav"

    def summary(*options: str) -> str:
        done = run("mix", project, "--kind", "mix", "-o", target, *options)
        assert done.code == 0
        return done.err.splitlines()[0]

    assert "; −23.0 LUFS" in summary()
    assert "; −24.0 LUFS" in summary("--preset", "us")
    kept = summary("--preset", "us", "--keep-level", "--duck", "0")
    film = float(kept.partition("film ")[2].partition(" ")[0].replace("−", "-"))
    mixed = float(kept.partition("lines; ")[2].partition(" ")[0].replace("−", "-"))
    # Narration as loud as the film, beside it for some of the time.
    assert film <= mixed <= film + 3


def test_without_a_film_there_is_silence_under_the_narration(run: Run, make, tmp_path: Path) -> None:
    done = run("mix", make(), "--kind", "mix", "-o", tmp_path / "out.wav")
    assert done.code == 0
    assert "The project has no film: there is silence under the narration." in done.err


def test_without_a_plan_one_is_made(run: Run, make, tmp_path: Path) -> None:
    done = run("mix", make(plan=None), "--kind", "stem", "-o", tmp_path / "out.wav")
    assert done.code == 0
    assert "; 2 lines; " in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["--kind", "loud"], 2, "loud"),
        (["--kind", "mix", "--bits", "20"], 2, "20"),
        (["--kind", "mix", "--duck", "61"], 2, "choose 0 to 60 dB"),
        (["--kind", "mix", "--duck", "nan"], 2, "choose 0 to 60 dB"),
        (["--kind", "mix", "--preset", "none"], 2, "no preset “none”"),
        (["--kind", "mix", "--audio-track", "3"], 2, "no sound track 3"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    run: Run, make, tmp_path: Path, arguments: list[str], code: int, named: str
) -> None:
    project = make(with_film(tmp_path))
    before = listing(tmp_path)
    done = run("mix", project, *arguments, "-o", tmp_path / "out.wav")
    assert done.code == code
    assert named in done.err
    assert listing(tmp_path) == before


@pytest.mark.parametrize("name", ["P.adproj", "film.wav", "other.mp4", "none/out.wav"])
def test_targets_that_must_not_be_written(run: Run, make, tmp_path: Path, name: str) -> None:
    project = make(with_film(tmp_path))
    before = listing(tmp_path)
    done = run("mix", project, "--kind", "mix", "-o", tmp_path / name)
    assert done.code in {2, 3}
    assert done.err.count("\n") == 1
    assert name.split("/", maxsplit=1)[0] in done.err
    assert listing(tmp_path) == before


@pytest.mark.parametrize("there", [False, True])
def test_a_film_that_is_gone_or_another_one_is_one_sentence(run: Run, make, tmp_path: Path, *, there: bool) -> None:
    project = make(with_film(tmp_path))
    (tmp_path / "film.wav").unlink()
    if there:
        (tmp_path / "film.wav").write_bytes(b"RIFF" + bytes(1_000))
    done = run("mix", project, "--kind", "mix", "-o", tmp_path / "out.wav")
    done.refused(2, "is not the film of" if there else "is not there")
    assert not (tmp_path / "out.wav").exists()


def test_a_line_that_no_voice_can_speak_is_named(run: Run, make, tmp_path: Path) -> None:
    long = replace(SCRIPT.eventualities[0], variants=(Variant("word " * 2_000),))
    done = run(
        "mix", make(replace(SCRIPT, eventualities=(long, SCRIPT.eventualities[1]))), "--kind", "mix", "-o",
        tmp_path / "out.wav",
    )  # fmt: skip
    done.refused(2, "line 1, “word word")


@pytest.mark.parametrize("voice", [VoiceSettings(), VoiceSettings("espeak-ng")])
def test_who_speaks_a_project_without_a_voice_is_said(run: Run, make, tmp_path: Path, voice: VoiceSettings) -> None:
    done = run("mix", make(replace(SCRIPT, voice=voice)), "--kind", "stem", "-o", tmp_path / "out.wav")
    assert ("The project has no voice: espeak-ng speaks its lines." in done.err) == (not voice.engine)


def test_a_missing_engine_is_one_sentence(run: Run, make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make()
    monkeypatch.setenv("PATH", str(tmp_path))
    run("mix", project, "--kind", "mix", "-o", tmp_path / "out.wav").refused(3, "espeak-ng is not installed")


def size_of(path: Path) -> int:
    """The bytes of a file, 0 where it has gone: whether a folder can be written to is tried with an empty one."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def test_a_signal_in_a_render_leaves_nothing(make, tmp_path: Path) -> None:
    film = replace(SCRIPT.film, end=600_000)
    project = make(replace(SCRIPT, film=film))
    target = tmp_path / "out.wav"
    arguments = command("mix", project, "--kind", "mix", "-o", target)
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, env=os.environ) as running:
        while not any(size_of(path) for path in tmp_path.iterdir() if path.suffix == ".tmp"):
            assert running.poll() is None, running.stderr and running.stderr.read()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=300)
    assert running.returncode == 130
    assert err == b"adstudio: interrupted\n"
    assert [path.name for path in tmp_path.iterdir()] == ["P.adproj"]


def test_what_a_killed_render_left_is_cleared_by_the_next(run: Run, make, tmp_path: Path) -> None:
    project = make(replace(SCRIPT, film=replace(SCRIPT.film, end=600_000)))
    with subprocess.Popen(
        command("mix", project, "--kind", "mix", "-o", tmp_path / "out.wav"), env=os.environ
    ) as killed:
        while not any(size_of(path) for path in tmp_path.iterdir() if path.suffix == ".tmp"):
            assert killed.poll() is None
        killed.kill()
    assert [path.suffix for path in tmp_path.iterdir() if path.name != "P.adproj"] == [".tmp"]
    assert run("mix", project, "--kind", "lines", "-o", tmp_path / "lines").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["P.adproj", "lines"]
