"""The voice model as it is read and run without torch."""

from __future__ import annotations

import pickle
from importlib.util import find_spec

import numpy as np
import pytest

from adstudio.characters import voice_weights
from adstudio.characters.voice_embeddings import VoiceEncoder
from adstudio.characters.voice_weights import SHAPES, parsed_weights
from adstudio.core.errors import OutsideFailureError

needs_model = pytest.mark.skipif(find_spec("resemblyzer") is None, reason="Resemblyzer is not installed")


class Sly:
    """Pickled, it has whoever reads it run a command."""

    def __reduce__(self):
        return (print, ("taken in",))


def test_a_model_that_would_run_code_is_refused(capsys):
    with pytest.raises(pickle.UnpicklingError):
        parsed_weights(pickle.dumps(Sly(), protocol=2) * 3)
    assert capsys.readouterr().out == ""


def test_another_file_in_its_place_is_refused_before_it_is_read(tmp_path, monkeypatch):
    (tmp_path / "pretrained.pt").write_bytes(pickle.dumps(Sly(), protocol=2))
    monkeypatch.setattr(voice_weights, "_file", lambda: tmp_path / "pretrained.pt")
    with pytest.raises(OutsideFailureError, match="not the voice model"):
        voice_weights.voice_weights()


def test_a_model_that_is_not_installed_is_said_to_be_missing(monkeypatch):
    monkeypatch.setattr(voice_weights, "find_spec", lambda _: None)
    with pytest.raises(OutsideFailureError, match="Resemblyzer"):
        voice_weights.voice_weights()


@needs_model
def test_the_weights_have_their_shapes():
    assert {name: values.shape for name, values in voice_weights.voice_weights().items()} == dict(SHAPES)


@needs_model
def test_a_voice_does_not_depend_on_its_level_and_silence_has_none():
    encoder = VoiceEncoder()
    noise = np.random.default_rng(1).normal(0, 0.001, 32_000).astype(np.float32)
    first, second = encoder.voice(noise), encoder.voice(noise * 3)
    assert first is not None
    assert second is not None
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-5)
    assert first @ second == pytest.approx(1, abs=1e-4)
    assert encoder.voice(np.zeros(32_000, np.float32)) is None
    assert encoder.voice(noise[:1000]) is None
