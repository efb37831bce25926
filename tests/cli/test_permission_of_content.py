"""A film is known by all of its content: another one of the same name, size and samples is not sent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.core.policy import Host, Policy
from adstudio.store.media import fingerprint
from adstudio.store.project import ProjectFile

pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")
pytestmark = pytest.mark.attack(2)

UNSAMPLED = 3 << 20
"""Of 12 MB, only the first, the middle and the last megabyte are in the fingerprint."""
CHANGED = (
    "the video is not the one for which the project’s sharing settings were confirmed, although its size is the same"
)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None):
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def server(run, tmp_path):
    with serving(tmp_path) as served:
        run("connect", "house", "--kind", "vllm", "--url", f"{served.address}/v1", "--model", MODEL)
        yield served


@pytest.fixture
def film(tmp_path) -> Path:
    """A film of 12 MB, mostly a box of MP4 that players skip (ISO/IEC 14496-12, 8.1.2)."""
    video, _ = film_of(tmp_path / "film.mp4", 30)
    padding = 12 * (1 << 20) - video.stat().st_size
    with video.open("ab") as file:
        file.write(padding.to_bytes(4, "big") + b"free" + bytes(padding - 8))
    return video


def swap(video: Path) -> None:
    """Another film in the place of this one; size, samples and time of writing are the same."""
    before, state = fingerprint(video), video.stat()
    other = video.with_name("other.mp4")
    data = bytearray(video.read_bytes())
    data[UNSAMPLED : UNSAMPLED + 5] = b"other"
    other.write_bytes(data)
    os.utime(other, ns=(state.st_atime_ns, state.st_mtime_ns))
    other.replace(video)
    assert (fingerprint(video), video.stat().st_size) == (before, state.st_size)


def swap_in_place(video: Path) -> None:
    """As `swap`, in the same file, with the same inode and the same time of writing."""
    state = video.stat()
    with video.open("r+b") as file:
        file.seek(UNSAMPLED)
        file.write(b"OTHER")
    os.utime(video, ns=(state.st_atime_ns, state.st_mtime_ns))


@pytest.fixture
def draft(run, film, tmp_path):
    path = tmp_path / "p.adproj"
    words = ("draft", film, "--subtitles", film.with_suffix(".srt"), "-o", path, "--llm", "house")
    return lambda *more: run(*words, *more)


@pytest.mark.parametrize("exchange", [swap, swap_in_place])
def test_another_film_of_the_same_size_and_samples_is_not_sent(run, server, film, draft, tmp_path, exchange):
    done = draft("--on-premises")
    assert done.code == 0, done.err
    asked = len(server.asked)
    assert asked > 0
    exchange(film)
    draft("--anew").refused(2, "nothing was sent", CHANGED, "--on-premises")
    assert len(server.asked) == asked
    said = run("connect", "house", "--project", tmp_path / "p.adproj")
    assert (said.code, CHANGED in said.out.decode()) == (1, True), "what has been found out is known to all commands"
    done = draft("--anew", "--on-premises")
    assert done.code == 0, done.err
    assert len(server.asked) > asked
    assert draft("--anew").code == 0, "it was allowed for this film"


def test_a_permission_from_before_the_hash_is_bound_by_the_next_draft(run, server, film, draft, tmp_path):
    assert draft("--on-premises").code == 0
    path = tmp_path / "p.adproj"
    (tmp_path / "DATA" / "adstudio" / "films.json").unlink()
    with ProjectFile.open(path) as project:
        project.set_policy(Policy())
        project.set_policy(Policy("on premises", (Host("127.0.0.1", int(server.port), plain=True),)))
        assert project.policy.content == ""
    assert draft("--anew").code == 0
    asked = len(server.asked)
    with ProjectFile.open(path, read_only=True) as project:
        assert project.policy.content
    swap(film)
    draft("--anew").refused(2, CHANGED)
    assert len(server.asked) == asked


def test_a_film_that_was_only_touched_or_copied_is_still_itself(run, server, film, draft):
    assert draft("--on-premises").code == 0
    os.utime(film)
    assert draft("--anew").code == 0
    copy = film.with_name("copy.mp4")
    copy.write_bytes(film.read_bytes())
    copy.replace(film)
    assert draft("--anew").code == 0
