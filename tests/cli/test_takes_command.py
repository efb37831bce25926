"""`adstudio takes import`: a folder of sound files becomes takes, whose lengths are planned; nothing else changes."""

from __future__ import annotations

import io
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
from cli_running import Run, process

sys.path.append(str(Path(__file__).resolve().parents[1] / "editing"))
from editing_scripts import SCRIPT

from adstudio.editing.pins import pin_start
from adstudio.store.project import ProjectFile


def wav(ms: int) -> bytes:
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44_100)
        sound = 9000 * np.sin(2 * np.pi * 300 * np.arange(44_100 * ms // 1000) / 44_100)
        file.writeframes(np.repeat(np.rint(sound).astype("<i2"), 2).tobytes())
    return target.getvalue()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "film.adproj"
    ProjectFile.create(path, SCRIPT).close()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "takes"
    path.mkdir()
    for name, data in {"0002_t1.wav": wav(1200), "0002_t2.wav": wav(2000), "0003.wav": b"?", "notes.txt": b""}.items():
        (path / name).write_bytes(data)
    return path


def test_takes_are_imported_planned_and_saved(project: Path, folder: Path) -> None:
    before = project.read_bytes()
    dry = process("takes", "import", project, folder, "--dry-run")
    assert (dry.code, project.read_bytes()) == (0, before)
    assert dry.err.strip().endswith("2 takes of 1 line to import, 2 files not imported")
    ran = process("takes", "import", project, folder)
    assert ran.code == 0
    lines = ran.out.decode().splitlines()
    assert lines[0] == "0002_t1.wav: line 2, “Tom waits.”, 1.2 s"
    assert lines[2].startswith("0003.wav: not imported: it is not a sound file, whatever its name")
    assert lines[3] == "notes.txt: not imported: it is no sound file"
    assert "3 lines spoken, optimal" in ran.err
    with ProjectFile.open(project, read_only=True) as file:
        wording = file.saved_script.eventuality("e2").variants[0]
        assert [take.name for take in wording.takes] == ["0002_t1", "0002_t2"]
        assert all(file.sound(take.sound)[:4] == b"fLaC" for take in wording.takes)
        assert file.saved_plan is not None
        (spoken,) = (delivery for delivery in file.saved_plan.deliveries if delivery.element == "e2")
        assert spoken.end - spoken.start == wording.takes[1].duration == 2000
    again = process("takes", "import", project, folder)
    assert again.out.decode().splitlines()[0] == (
        "0002_t1.wav: not imported: it is already a take of line 2, “Tom waits.”"
    )
    assert again.code == 2


def test_takes_can_be_imported_without_being_used(run: Run, project: Path, folder: Path) -> None:
    assert run("takes", "import", project, folder, "--no-choice").code == 0
    with ProjectFile.open(project, read_only=True) as file:
        wording = file.saved_script.eventuality("e2").variants[0]
        assert (len(wording.takes), wording.take) == (2, None)


def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(
    run: Run, project: Path, folder: Path, tmp_path: Path
) -> None:
    run("takes", "import", tmp_path / "none.adproj", folder).refused(2, "none.adproj")
    run("takes", "import", project, tmp_path / "none").refused(2, "is not a folder")
    with ProjectFile.open(project) as file:
        run("takes", "import", project, folder).refused(3, "is in use by another window")
        step = pin_start(SCRIPT, "e1", 500)
        assert step is not None
        file.document(on_failure=lambda error: None).apply(step)
    run("takes", "import", project, folder).refused(2, "has unsaved changes")
    empty = tmp_path / "empty"
    empty.mkdir()
    ProjectFile.create(tmp_path / "other.adproj", SCRIPT).close()
    ran = run("takes", "import", tmp_path / "other.adproj", empty)
    assert (ran.code, ran.out) == (2, b"")
    assert f"no sound files in {empty}" in ran.err
    (empty / "2.wav").mkdir()
    (empty / "Anna.wav").write_bytes(wav(900))
    ran = run("takes", "import", tmp_path / "other.adproj", empty)
    assert ran.code == 2
    assert ran.out.decode().splitlines() == [
        "Anna.wav: not imported: there is no line’s number in its name: begin it with one",
        "2.wav: not imported: it is a folder; what is in it is not read",
    ]
    assert "nothing imported from 2 files" in ran.err


def test_what_a_take_that_is_too_long_changes_is_told_and_recordings_are_known(
    run: Run, project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "2 – Anna.wav").write_bytes(wav(1200))
    (folder / "1.wav").write_bytes(wav(20_000))
    exported = tmp_path / "script.json"
    assert run("export", project, "--format", "json", "-o", exported).code == 0
    dry = run("takes", "import", project, folder, "--dry-run")
    ran = run("takes", "import", project, folder)
    assert (dry.code, ran.code) == (0, 0)
    lost = "no longer spoken: line 1, “She parks her motorbike. She pulls off h…”, with its take of 20.0 s"
    assert lost in dry.out.decode()
    assert lost in ran.out.decode()
    # What was line 3 is line 2 now, and the same recordings are still those of their lines.
    again = run("takes", "import", project, folder)
    assert again.code == 0
    assert "2 – Anna.wav: not imported: it is already a take of line 1, “Tom waits.”" in again.out.decode()
    (folder / "3.wav").write_bytes(wav(900))
    more = run("takes", "import", project, folder)
    assert "“2 – Anna” is of line 1 now" in more.err
    # Its next delivery still has the numbers of the script that the studio got.
    (folder / "3.wav").unlink()
    (folder / "3 – later.wav").write_bytes(wav(1100))
    batch = run("takes", "import", project, folder, "--numbers", exported, "--dry-run")
    assert "3 – later.wav: line 3, “A train leaves.”, 1.1 s" in batch.out.decode()
    assert "2 – Anna.wav: not imported: it is already a take of line 2, “Tom waits.”" in batch.out.decode()
    assert "other numbers" not in batch.err
    run("takes", "import", project, folder, "--numbers", tmp_path / "none.json").refused(2, "none.json")
    forced = run("takes", "import", project, folder, "--again", "--dry-run")
    assert "2 – Anna.wav: line 2, “A train leaves.”" in forced.out.decode()
