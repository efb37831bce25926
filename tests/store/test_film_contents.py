"""A film is known by all of its content: read once, and again whenever its file may be another."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import fail
from example_scripts import MEDIA, SCRIPT

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.policy import OFFLINE, Consent, Host, Lapse, Policy
from adstudio.core.steps import SetFilm
from adstudio.store import film_contents
from adstudio.store.film_contents import hash_film, known_content, require_unchanged, state_of
from adstudio.store.media import fingerprint, relink
from adstudio.store.project import ProjectFile
from adstudio.system import keyring_access

HOUSE = Policy("on premises", (Host("gpu.house", 8000),))
CLOUD = Policy("cloud", (), Consent("gemini", frozenset(("text", "clips")), "2026-11-28T06:00:00Z"))
UNSAMPLED = 2 << 20
"""In a video of 8 MB, the samples are the first, the middle and the last megabyte."""
pytestmark = pytest.mark.attack(2)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(film_contents, "user_data", lambda file: tmp_path / "home" / file)
    return tmp_path / "home"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hashes of films that were read, in their order."""
    found: list[str] = []
    remember = film_contents._remember

    def remembered(film: film_contents.FilmContent) -> None:
        found.append(film.content)
        remember(film)

    monkeypatch.setattr(film_contents, "_remember", remembered)
    return found


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "film.mov"
    path.write_bytes(b"film" * (2 << 20))
    return path


def other(video: Path) -> Path:
    """Another film beside this one, of the same size and samples."""
    data = bytearray(video.read_bytes())
    data[UNSAMPLED : UNSAMPLED + 5] = b"other"
    path = video.with_name("other.mov")
    path.write_bytes(data)
    assert fingerprint(path) == fingerprint(video)
    return path


def script_of(video: Path):
    media = replace(
        MEDIA,
        path=str(video),
        relative_path=video.name,
        size=video.stat().st_size,
        fingerprint=fingerprint(video),
    )
    return SCRIPT.with_changes(film=replace(SCRIPT.film, media=media))


def policy_of(path: Path) -> Policy:
    with ProjectFile.open(path, read_only=True) as project:
        return project.policy


# BLAKE2b with a digest of 32 bytes (RFC 7693), by `b2sum -l 256`.
HASH_OF_ABC = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"


def test_the_hash_is_that_of_all_bytes_by_the_standard(tmp_path: Path) -> None:
    path = tmp_path / "abc.mov"
    path.write_bytes(b"abc")
    assert hash_film(path).content.endswith(HASH_OF_ABC)


def test_an_unchanged_film_is_read_once_and_tells_how_far_it_is(video: Path, reads: list[str], home: Path) -> None:
    progress: list[float] = []
    found = hash_film(video, progress.append)
    assert progress == [0.5, 1.0]
    assert hash_film(video, progress.append) == found
    assert (len(reads), known_content(video), len(progress)) == (1, found.content, 2)
    assert (home / "films.json").stat().st_mode & 0o077 == 0


def touch(video: Path) -> None:
    os.utime(video, ns=(1, 1))


def overwrite(video: Path) -> None:
    """In place, with the time of writing set back."""
    times = video.stat()
    with video.open("r+b") as file:
        file.seek(UNSAMPLED)
        file.write(b"other")
    os.utime(video, ns=(times.st_atime_ns, times.st_mtime_ns))


def replace_file(video: Path) -> None:
    """By a rename, with the time of writing set back."""
    times, path = video.stat(), other(video)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    path.replace(video)


@pytest.mark.parametrize(("change", "is_same"), [(touch, True), (overwrite, False), (replace_file, False)])
def test_whatever_may_have_changed_the_film_has_it_read_again(video: Path, reads: list[str], change, is_same) -> None:
    hash_film(video)
    change(video)
    assert known_content(video) == ""
    hash_film(video)
    assert len(reads) == 2
    assert (reads[0] == reads[1]) is is_same


def test_a_film_that_is_written_meanwhile_is_not_taken_for_either(video: Path, reads: list[str]) -> None:
    with pytest.raises(OutsideFailureError, match="was changed while it was read"):
        hash_film(video, lambda _share: overwrite(video))
    assert (reads, known_content(video)) == ([], "")


def test_stopping_leaves_nothing_behind(video: Path, home: Path) -> None:
    def stop(_share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hash_film(video, stop)
    assert not home.exists()


def test_what_is_no_film_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="not found"):
        hash_film(tmp_path / "none.mov")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInputError, match="not found"):
        hash_film(tmp_path / "pipe")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"films":[{}]}', b"\xff" * 100, b"x" * 2_000_000])
def test_a_damaged_list_is_no_reason_to_stop_and_is_replaced(video: Path, home: Path, damage: bytes) -> None:
    hash_film(video)
    (home / "films.json").write_bytes(damage)
    assert known_content(video) == ""
    assert hash_film(video).content == known_content(video)


def test_the_list_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_contents, "MOST", 2)
    films = [tmp_path / f"{number}.mov" for number in range(3)]
    for number, film in enumerate(films):
        film.write_bytes(bytes([number]) * 100)
        hash_film(film)
    assert [bool(known_content(film)) for film in films] == [False, True, True]


def test_a_file_that_has_changed_since_is_noticed(video: Path) -> None:
    state = hash_film(video).state
    require_unchanged(video, state)
    overwrite(video)
    with pytest.raises(BadInputError, match="nothing more of it was sent"):
        require_unchanged(video, state)
    video.unlink()
    with pytest.raises(BadInputError, match="nothing more of it was sent"):
        require_unchanged(video, state)


# What that means for permissions.


@pytest.mark.parametrize("policy", [HOUSE, CLOUD])
@pytest.mark.parametrize("change", [overwrite, replace_file])
def test_another_film_of_the_same_size_and_samples_has_no_permission(path, video, policy, change) -> None:
    hash_film(video)
    ProjectFile.create(path, script_of(video), policy=policy).close()
    change(video)
    assert policy_of(path).lapse is None, "until its hash is known, by size and samples"
    hash_film(video)
    found = policy_of(path)
    assert (found.rule, found.lapse) == ("offline", Lapse.CHANGED_FILM)
    with ProjectFile.open(path) as project:
        project.set_policy(policy)
    assert (policy_of(path), policy_of(path).lapse) == (policy, None)


def test_a_permission_is_bound_as_soon_as_the_hash_is_known_and_only_once(path: Path, video: Path) -> None:
    with ProjectFile.create(path, script_of(video), policy=HOUSE) as project:
        assert not project.bind_policy()
        content = hash_film(video).content
        assert project.bind_policy()
        assert (project.policy, project.policy.content) == (HOUSE, content)
        assert not project.bind_policy()
        assert [change.policy for change in project.policies] == [HOUSE, HOUSE]
    replace_file(video)
    hash_film(video)
    assert policy_of(path).lapse is Lapse.CHANGED_FILM
    with ProjectFile.open(path) as project:
        assert not project.bind_policy(), "only a person gives a permission for another film"
        project.set_policy(OFFLINE)
        assert not project.bind_policy()


def test_nobody_elses_permission_is_bound(path: Path, video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ProjectFile.create(path, script_of(video), policy=HOUSE).close()
    keyring_access.user_secret.cache_clear()
    monkeypatch.setattr(keyring_access, "user_data", lambda file: path.parent / "colleague" / file)
    hash_film(video)
    with ProjectFile.open(path) as project:
        assert not project.bind_policy()
        assert project.policy.lapse is Lapse.OTHER_USER
    keyring_access.user_secret.cache_clear()


def test_a_permission_that_is_widened_while_the_hash_is_unknown_stays_bound(path: Path, video: Path) -> None:
    hash_film(video)
    ProjectFile.create(path, script_of(video), policy=HOUSE).close()
    replace_file(video)
    with ProjectFile.open(path) as project:
        project.set_policy(CLOUD)
    hash_film(video)
    assert policy_of(path).lapse is Lapse.CHANGED_FILM


def test_a_renamed_moved_touched_or_copied_film_keeps_its_permission(path: Path, video: Path, tmp_path: Path) -> None:
    hash_film(video)
    ProjectFile.create(path, script_of(video), policy=HOUSE).close()

    def require_permitted(where: Path) -> None:
        for _ in range(2):
            assert policy_of(path).lapse is None
            hash_film(where)

    touch(video)
    require_permitted(video)
    video.rename(tmp_path / "renamed.mov")
    with ProjectFile.open(path) as project:
        document = project.document(on_failure=fail)
        document.apply(relink(document.script.film, tmp_path / "renamed.mov", path))
        project.save()
    require_permitted(tmp_path / "renamed.mov")
    copy = tmp_path / "copy.mov"
    copy.write_bytes((tmp_path / "renamed.mov").read_bytes())
    copy.replace(tmp_path / "renamed.mov")
    require_permitted(tmp_path / "renamed.mov")


def test_a_relinked_film_of_the_same_samples_has_no_permission_and_undo_brings_it_back(path: Path, video: Path) -> None:
    hash_film(video)
    with ProjectFile.create(path, script_of(video), policy=HOUSE) as project:
        document = project.document(on_failure=fail)
        elsewhere = video.with_name("folder")
        elsewhere.mkdir()
        hash_film(other(video).rename(elsewhere / "film.mov"))
        document.apply(relink(document.script.film, elsewhere / "film.mov", path))
        assert project.policy.lapse is Lapse.CHANGED_FILM
        assert document.undo()
        assert project.policy.lapse is None
        film = document.script.film
        document.apply(SetFilm(film, replace(film, media=None)))
        assert project.policy.lapse is Lapse.OTHER_FILM


def test_a_film_that_cannot_be_read_is_known_by_size_and_samples(path: Path, video: Path) -> None:
    hash_film(video)
    ProjectFile.create(path, script_of(video), policy=HOUSE).close()
    video.unlink()
    assert policy_of(path).lapse is None
    assert state_of(video) is None


def test_save_as_keeps_what_the_permission_is_bound_to(path: Path, video: Path) -> None:
    content = hash_film(video).content
    copy = path.with_name("copy.adproj")
    with ProjectFile.create(path, script_of(video), policy=HOUSE) as project:
        ProjectFile.create(copy, project.saved_script, like=project).close()
    assert (policy_of(copy), policy_of(copy).content) == (HOUSE, content)
