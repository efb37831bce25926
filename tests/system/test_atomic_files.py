"""Atomic writing and bounded reading: nothing half-done, nothing waited for, one sentence for each failure."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.system import files
from adstudio.system.files import (
    read_bounded,
    require_writable,
    require_writable_folder,
    write_atomically,
    written_atomically,
)

NAMES = ["plain.srt", "#1 %20 &.srt", "-dash.srt", "Gün ter – ä.srt", "日本 ñ v.srt", "n" * 200, "n" * 255, "é" * 127]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_written_and_read_and_nothing_else_is_left(tmp_path: Path, name: str) -> None:
    path = tmp_path / "Gün ter – ä" / "日本" / name
    path.parent.mkdir(parents=True)
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert read_bounded(path, 3, "subtitle file") == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == [name]


def test_permissions_of_an_existing_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_what_a_link_points_to_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    real = tmp_path / "real" / "script.srt"
    real.parent.mkdir()
    link = tmp_path / "link.srt"
    link.symlink_to(real)
    write_atomically(link, b"first, through a link to nothing yet")
    write_atomically(link, b"second")
    assert link.is_symlink()
    assert real.read_bytes() == b"second"


def test_circular_links_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OutsideFailureError, match="loop"):
        write_atomically(tmp_path / "a", b"x")
    with pytest.raises(BadInputError, match="loop"):
        read_bounded(tmp_path / "a", 9, "project")


@pytest.mark.parametrize(
    ("code", "words"),
    [(errno.ENOSPC, "disk is full"), (errno.EROFS, "read-only"), (errno.EIO, "disk reports an error")],
)
@pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
def test_a_failure_at_any_moment_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, code: int, words: str
) -> None:
    path = tmp_path / "a.srt"
    path.write_bytes(b"old")

    def fail(*_args: object) -> None:
        raise OSError(code, os.strerror(code))

    if failing == "write":
        monkeypatch.setattr(files, "_write", lambda temporary, *_, **__: (temporary.write_bytes(b"ne"), fail()))
    elif failing == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OutsideFailureError, match=words) as caught:
        write_atomically(path, b"new")
    assert str(path) in str(caught.value)
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a.srt", b"old")]


def test_an_interrupt_leaves_the_old_file_and_no_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.srt"
    path.write_bytes(b"old")

    def interrupt(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a.srt", b"old")]


@pytest.mark.parametrize("raised", [RuntimeError, KeyboardInterrupt, ValueError, GeneratorExit])
def test_what_is_raised_while_a_large_file_is_written_leaves_the_old_file(
    tmp_path: Path, raised: type[BaseException]
) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(b"old")

    def write() -> None:
        with written_atomically(path) as temporary:
            temporary.write_bytes(b"half")
            raise raised

    with pytest.raises(raised):
        write()
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("a.wav", b"old")]


def test_a_large_file_is_seen_only_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    with written_atomically(path) as temporary, temporary.open("wb") as file:
        for part in (b"one ", b"two"):
            file.write(part)
            assert not path.exists()
            assert temporary.parent == tmp_path
    assert path.read_bytes() == b"one two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_stops_a_large_file(tiny_disk: Path) -> None:
    def write() -> None:
        with written_atomically(tiny_disk / "a.wav") as temporary, temporary.open("wb", buffering=0) as file:
            for _ in range(40):
                file.write(bytes(100_000))

    with pytest.raises(OutsideFailureError, match="disk is full"):
        write()
    assert list(tiny_disk.iterdir()) == []


def test_a_full_disk_keeps_the_old_bytes(tiny_disk: Path) -> None:
    path = tiny_disk / "a.srt"
    write_atomically(path, b"o" * 500_000)
    with pytest.raises(OutsideFailureError, match="disk is full"):
        write_atomically(path, b"n" * 900_000)
    assert path.read_bytes() == b"o" * 500_000
    assert [entry.name for entry in tiny_disk.iterdir()] == ["a.srt"]


def test_a_disk_that_can_only_be_read(tiny_disk: Path) -> None:
    write_atomically(tiny_disk / "a.srt", b"old")
    subprocess.run(["mount", "-o", "remount,ro", tiny_disk], check=True)
    for name in ("a.srt", "b.srt"):
        with pytest.raises(OutsideFailureError, match="could not be written: the disk is read-only"):
            write_atomically(tiny_disk / name, b"new")
    assert read_bounded(tiny_disk / "a.srt", 3, "subtitle file") == b"old"


@pytest.mark.parametrize("act", [lambda path: write_atomically(path, b"x"), require_writable])
def test_targets_that_cannot_be(tmp_path: Path, act) -> None:
    marked = tmp_path / "marked"
    marked.write_bytes(b"old")
    marked.chmod(0o444)
    os.mkfifo(tmp_path / "pipe")
    for path, words in [
        (tmp_path / "missing" / "a", "folder does not exist"),
        (marked / "a", "not a folder"),
        (tmp_path, "is a folder"),
        (marked, "marked read-only"),
        (tmp_path / "pipe", "device or pipe"),
        (Path("/dev/null"), "device or pipe"),
        # An administrator has access to this folder, which takes no files even so.
        (Path("/proc/report.html"), "could not be written"),
    ]:
        with pytest.raises(OutsideFailureError, match=words):
            act(path)
    assert marked.read_bytes() == b"old"
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("act", [lambda path: write_atomically(path, b"x"), require_writable])
@pytest.mark.parametrize(
    ("read_only_disk", "why"),
    [(False, "you do not have permission: ask for access"), (True, "the disk is read-only: choose a folder")],
)
def test_a_file_that_may_not_be_written_is_not_called_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act, read_only_disk: bool, why: str
) -> None:
    path = tmp_path / "others.srt"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda _path, mode: not mode & os.W_OK)
    flags = os.statvfs(path).f_flag & ~os.ST_RDONLY | read_only_disk * os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda _path: SimpleNamespace(f_flag=flags))
    with pytest.raises(OutsideFailureError, match=f"others.srt could not be written: {why}"):
        act(path)
    assert path.read_bytes() == b"old"


def test_a_file_in_a_folder_that_may_not_be_written_is_refused_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not (mode & os.W_OK and Path(path) == tmp_path))
    for check in (require_writable, require_writable_folder):
        with pytest.raises(OutsideFailureError, match=r"new could not be written: you do not have permission"):
            check(tmp_path / "new")
    with pytest.raises(OutsideFailureError, match="could not be written: you do not have permission"):
        require_writable_folder(tmp_path)


def test_folders_that_can_and_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("", "link", "new", "file.d"):
        require_writable_folder(tmp_path / name)
    for name, words in [
        ("file", "is a file: choose a folder"),
        ("file/lines", "not a folder"),
        ("missing/lines", "folder does not exist"),
        ("n" * 300, "too long"),
        ("a\0b", "not a path"),
    ]:
        with pytest.raises((BadInputError, OutsideFailureError), match=words):
            require_writable_folder(tmp_path / name)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "link"]


@pytest.mark.parametrize("path", ["", ".", "./"])
def test_the_current_folder_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutsideFailureError) as writing:
        write_atomically(Path(path), b"x")
    with pytest.raises(BadInputError) as reading:
        read_bounded(Path(path), 9, "project")
    assert str(writing.value) == f"{tmp_path} is a folder: add a file name"
    assert str(reading.value) == f"{tmp_path} is a folder, not a project; choose a file in it"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout here")
@pytest.mark.parametrize("kind", ["pipe", "file"])
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_the_shell_has_opened_is_no_file_to_be_replaced(tmp_path: Path, kind: str, name: str) -> None:
    code = (
        "import sys; from pathlib import Path; from adstudio.system.files import write_atomically\n"
        "try: write_atomically(Path(sys.argv[1]), b'new')\n"
        "except Exception as error: print(error, file=sys.stderr)"
    )
    shell = tmp_path / "shell.txt"
    with shell.open("wb") as file:
        out = subprocess.PIPE if kind == "pipe" else file
        done = subprocess.run([sys.executable, "-c", code, name], stdout=out, stderr=subprocess.PIPE, check=True)
    assert f"{name} is a device or pipe, not a file" in done.stderr.decode()
    assert shell.read_bytes() == b""


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(OutsideFailureError, match="too long"):
        write_atomically(tmp_path / ("n" * 256), b"x")
    with pytest.raises(BadInputError, match="too long"):
        read_bounded(tmp_path / ("n" * 256), 9, "project")
    assert list(tmp_path.iterdir()) == []


def test_a_path_with_a_nul_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="not a path"):
        write_atomically(tmp_path / "a\0b", b"x")
    with pytest.raises(BadInputError, match="not a path"):
        read_bounded(tmp_path / "a\0b", 9, "project")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
def test_a_file_that_grows_while_it_is_read_is_still_bounded() -> None:
    # Files of /proc say that they hold 0 bytes.
    with pytest.raises(BadInputError, match=r"larger than a log can be \(10 bytes\)"):
        read_bounded(Path("/proc/self/status"), 10, "log")


@pytest.mark.timeout(20)
def test_what_cannot_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "big").write_bytes(b"12345")
    for path, words in [
        (tmp_path / "missing", "no such subtitle file"),
        (tmp_path / "big" / "a", "no such subtitle file"),
        (tmp_path, "is a folder"),
        (tmp_path / "pipe", "device or pipe"),
        (Path("/dev/zero"), "device or pipe"),
        (tmp_path / "big", "larger than"),
    ]:
        with pytest.raises(BadInputError, match=words):
            read_bounded(path, 4, "subtitle file")
    assert read_bounded(tmp_path / "big", 5, "subtitle file") == b"12345"


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.srt"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BadInputError, match="20 MB"):
        read_bounded(path, 20_000_000, "subtitle file")


def test_a_disk_that_fails_while_reading_is_an_outside_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x")

    def fail(*_args: object, **_more: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(OutsideFailureError, match="cannot be read: you do not have permission"):
        read_bounded(path, 9, "subtitle file")
