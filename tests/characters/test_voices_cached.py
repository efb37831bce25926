"""Voices are measured once for each stretch of a film, and go with everything of a person."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adstudio.characters.voice_embeddings import SIZE
from adstudio.characters.voices import cue_voices
from adstudio.characters.voices_cached import cached_voices, delete_voices, encode_voices, parse_voices, store_voices
from adstudio.core.film import Film, Media
from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.media.cache import DamagedCacheError, source_of
from adstudio.store.media import fingerprint
from adstudio.system.locations import resource

CUES = (Cue("c1", 11_200, 14_520, "Good evening."), Cue("c2", 109_600, 111_200, "Good evening."))


class Measuring:
    """Counts what it measures; each stretch has the voice of its length, and a very short one none."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def voice(self, sound):
        self.lengths.append(len(sound))
        if len(sound) < 16_00:
            return None
        vector = np.zeros(SIZE, np.float32)
        vector[len(sound) % SIZE] = 1
        return vector


class Failing(Measuring):
    """Fails at its second stretch."""

    def voice(self, sound):
        if self.lengths:
            raise RuntimeError("stopped")
        return super().voice(sound)


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = tmp_path / "film.mp4"
    shutil.copy(Path(resource("sample")) / "film.mp4", video)
    return video


def test_a_second_run_measures_nothing_and_finds_the_same(film):
    first, second = Measuring(), Measuring()
    found = cue_voices(first, film, None, CUES, {})
    again = cue_voices(second, film, None, CUES, {})
    assert (len(first.lengths), second.lengths) == (2, [])
    assert found.keys() == again.keys() == {"c1", "c2"}
    assert all((found[name] == again[name]).all() for name in found)


def test_only_what_changed_is_measured_and_what_has_no_voice_is_not_asked_again(film):
    cue_voices(Measuring(), film, None, CUES, {})
    short = replace(CUES[1], end=CUES[1].start + 50)
    second, third = Measuring(), Measuring()
    assert cue_voices(second, film, None, (CUES[0], short), {}).keys() == {"c1"}
    assert second.lengths == [800]
    assert cue_voices(third, film, None, (CUES[0], short, CUES[1]), {}).keys() == {"c1", "c2"}
    assert third.lengths == [], "cues that come back are known too"


def test_what_was_measured_before_a_failure_is_kept(film):
    with pytest.raises(RuntimeError):
        cue_voices(Failing(), film, None, CUES, {})
    second = Measuring()
    cue_voices(second, film, None, CUES, {})
    assert len(second.lengths) == 1


def test_a_changed_film_is_measured_anew(film):
    cue_voices(Measuring(), film, None, CUES, {})
    with film.open("ab") as file:
        file.write(b"\0" * 8)
    second = Measuring()
    cue_voices(second, film, None, CUES, {})
    assert len(second.lengths) == 2


@pytest.mark.parametrize("is_gone", [False, True], ids=["film there", "film gone"])
def test_voices_are_deleted_with_everything_of_a_person(film, tmp_path, is_gone):
    cue_voices(Measuring(), film, None, CUES, {})
    cue_voices(Measuring(), film, 1, CUES, {})
    media = Media(str(film), "film.mp4", film.stat().st_size, fingerprint(film), 164_200)
    assert len(list((tmp_path / "cache").rglob("voices*.bin"))) == 2
    if is_gone:
        film.unlink()
    delete_voices(Film("f", 164_200, media=media), tmp_path / "x.adproj")
    assert list((tmp_path / "cache").rglob("voices*.bin")) == []


def test_voices_come_back_as_they_were_kept(film):
    vector = np.zeros(SIZE, np.float32)
    vector[3] = 1
    store_voices(source_of(film), {Span(0, 10): vector, Span(5, 7): None})
    found = cached_voices(source_of(film))
    assert list(found) == [Span(0, 10), Span(5, 7)]
    assert (found[Span(0, 10)] == vector).all()
    assert found[Span(5, 7)] is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"{}\n" + data,
        lambda data: data.replace(b'"count":1', b'"count":2'),
        lambda data: data.replace(b'"count":1', b'"count":-1'),
        lambda data: data[:12] + b"\xff" * (len(data) - 12),
        lambda data: data[:-4] + np.float32("nan").tobytes(),
    ],
)
def test_damaged_data_is_refused(damage):
    vector = np.zeros(SIZE, np.float32)
    vector[0] = 1
    data = encode_voices({Span(0, 10): vector})
    assert parse_voices(data).keys() == {Span(0, 10)}
    with pytest.raises(DamagedCacheError):
        parse_voices(damage(data))
