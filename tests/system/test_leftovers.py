"""Temporary files of processes that were killed are cleared at the next large write; those of the living never are."""

from __future__ import annotations

import fcntl
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adstudio.system import temporaries
from adstudio.system.files import write_atomically, written_atomically
from adstudio.system.temporaries import TEMPORARY, clear_leftovers, temporary_in

WRITE = """
import sys
from pathlib import Path
from adstudio.system.files import written_atomically
with written_atomically(Path(sys.argv[1])) as temporary:
    temporary.write_bytes(bytes(1000))
    print("ready", flush=True)
    sys.stdin.read()
"""
FOLDER = """
import sys
from pathlib import Path
from adstudio.system.temporaries import temporary_in
with temporary_in(Path(sys.argv[1]).parent, Path.mkdir) as temporary:
    (temporary / "0001-e1.wav").write_bytes(bytes(1000))
    print("ready", flush=True)
    sys.stdin.read()
"""


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if TEMPORARY.fullmatch(path.name))


@pytest.mark.parametrize("code", [WRITE, FOLDER])
def test_what_a_killed_process_left_is_cleared_and_what_a_living_one_writes_is_not(tmp_path: Path, code: str) -> None:
    arguments = [sys.executable, "-c", code, str(tmp_path / "a.wav")]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        (living,) = left(tmp_path)
        with written_atomically(tmp_path / "b.wav"):
            assert living in left(tmp_path)
        process.kill()
    assert left(tmp_path) == [living]
    with written_atomically(tmp_path / "b.wav"):
        assert living not in left(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["b.wav"]


def test_what_this_process_is_writing_stays(tmp_path: Path) -> None:
    with written_atomically(tmp_path / "a.wav") as one, written_atomically(tmp_path / "b.wav") as other:
        clear_leftovers(tmp_path)
        assert left(tmp_path) == sorted((one.name, other.name))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.wav", "b.wav"]


def leftover(folder: Path) -> Path:
    """A file as a process that was killed leaves it."""
    with temporary_in(folder, Path.touch) as path:
        name = path
    name.write_bytes(b"left")
    return name


def test_what_is_not_certainly_ours_stays(tmp_path: Path) -> None:
    own = leftover(tmp_path)
    elsewhere = tmp_path / re.sub("-[0-9a-f]{8}-", "-00000000-", own.name)
    former = tmp_path / ".adstudio-0123456789ab.tmp"
    odd = tmp_path / f"{own.name[:-4]}.mine.tmp"
    for path in (elsewhere, former, odd):
        path.write_bytes(b"mine")
    aim = tmp_path / "aim"
    aim.mkdir()
    (aim / "mine.txt").write_bytes(b"mine")
    link = leftover(tmp_path)
    link.unlink()
    link.symlink_to(aim)
    clear_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        path.name for path in (elsewhere, former, odd, aim, link)
    )
    assert (aim / "mine.txt").exists()


@pytest.mark.parametrize("granted", [True, False])
def test_nothing_is_cleared_where_locks_mean_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, granted: bool
) -> None:
    own = leftover(tmp_path)

    def flock(*_: object) -> None:
        if not granted:
            raise OSError

    monkeypatch.setattr(fcntl, "flock", flock)
    clear_leftovers(tmp_path)
    assert own.exists()
    # It is written to all the same.
    with written_atomically(tmp_path / "a.wav") as temporary:
        temporary.write_bytes(b"new")
    assert (tmp_path / "a.wav").read_bytes() == b"new"


def test_one_that_is_cleared_before_it_is_locked_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked, cleared = temporaries._locked, []

    def late(path: Path) -> int | None:
        if not cleared:
            cleared.append(path)
            path.unlink()
        return locked(path)

    monkeypatch.setattr(temporaries, "_locked", late)
    with temporary_in(tmp_path, Path.touch) as path:
        assert path.exists()
        assert [path] != cleared
    assert list(tmp_path.iterdir()) == []


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    leftover(tmp_path)
    descriptors = Path("/dev/fd")
    before = len(list(descriptors.iterdir()))
    write_atomically(tmp_path / "a", b"")
    with written_atomically(tmp_path / "b"):
        pass
    assert len(list(descriptors.iterdir())) == before
