"""The engines by name, with their voices or the reason why they have none; and eSpeak programs that are faulty."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adstudio.speech import engines, espeak, piper_engine, pyttsx3_engine
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import (
    Capabilities,
    Engine,
    EngineMissingError,
    EngineVoices,
    Notation,
    SpeechError,
    SpeechRequestError,
    Style,
    Voice,
    voices_for,
)
from adstudio.speech.engines import ENGINES, choose_engine, engine_voices, find_engine
from adstudio.speech.messages import VoiceList
from adstudio.speech.speaker import Speaker

ENGLISH, GERMAN = Voice("e", "E", "en-gb"), Voice("g", "G", "de")


class Listed:
    """An engine that only lists voices."""

    version = "1"

    def __init__(self, name: str, capabilities: Capabilities, *voices: Voice) -> None:
        self.name, self.capabilities, self._voices = name, capabilities, voices

    def voices(self, language: str) -> tuple[Voice, ...]:
        return voices_for(self._voices, language)


def missing() -> Engine:
    raise EngineMissingError("it is not installed: install it")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch):
    """Says which engines are there: each by its name, or missing."""

    def say(**found: object) -> None:
        for name in ENGINES:
            finder = found.get(name.replace("-", "_"))
            monkeypatch.setitem(engines._FINDERS, name, missing if finder is None else lambda finder=finder: finder)

    return say


@pytest.mark.parametrize(
    ("platform", "order"),
    [
        ("linux", ["espeak-ng", "pyttsx3", "piper"]),
        ("darwin", ["pyttsx3", "espeak-ng", "piper"]),
        ("win32", ["pyttsx3", "espeak-ng", "piper"]),
    ],
)
def test_all_engines_are_listed_the_first_choice_first(installed, platform: str, order: list[str]):
    installed()
    found = engine_voices("en", platform=platform)
    assert [each.engine for each in found] == order
    assert {each.problem for each in found} == {"it is not installed: install it"}
    assert VoiceList(found).first is None


def test_each_has_its_voices_for_the_language_and_what_it_can(installed):
    installed(
        espeak_ng=Listed("espeak-ng", Capabilities(Notation.ESPEAK), GERMAN),
        pyttsx3=Listed("pyttsx3", Capabilities(pitch=False), GERMAN, ENGLISH),
    )
    espeak_ng, other, piper = found = engine_voices("en", platform="linux")
    assert (espeak_ng.voices, espeak_ng.phonemes, espeak_ng.pitch) == ((), True, True)
    assert espeak_ng.problem == "espeak-ng has no voice for the language “en”: choose another engine, or a voice"
    assert other == EngineVoices("pyttsx3", (ENGLISH,), phonemes=False, pitch=False)
    assert piper == EngineVoices("piper", (), problem="it is not installed: install it", absent=True)
    assert VoiceList(found).first == other
    assert engine_voices("", "pyttsx3") == (EngineVoices("pyttsx3", (GERMAN, ENGLISH), phonemes=False, pitch=False),)


def test_on_linux_the_voices_of_espeak_are_listed_once(installed):
    pyttsx3 = Listed("pyttsx3", Capabilities(), ENGLISH)
    installed(espeak_ng=Listed("espeak-ng", Capabilities(), ENGLISH), pyttsx3=pyttsx3)

    def voices(platform: str) -> dict[str, tuple[Voice, ...]]:
        return {each.engine: each.voices for each in engine_voices("en", platform=platform)}

    assert voices("linux") == {"espeak-ng": (ENGLISH,), "pyttsx3": (), "piper": ()}
    assert voices("win32") == {"pyttsx3": (ENGLISH,), "espeak-ng": (ENGLISH,), "piper": ()}
    (named,) = engine_voices("en", "pyttsx3", platform="linux")
    assert named.voices == (ENGLISH,)
    installed(pyttsx3=pyttsx3)
    assert voices("linux")["pyttsx3"] == (ENGLISH,)


def test_an_engine_that_fails_is_not_called_absent(installed, monkeypatch: pytest.MonkeyPatch):
    installed(espeak_ng=Listed("espeak-ng", Capabilities(), GERMAN))

    def broken() -> Engine:
        raise SpeechError("piper is damaged")

    monkeypatch.setitem(engines._FINDERS, "piper", broken)
    found = engine_voices("en", platform="linux")
    assert {each.engine: each.absent for each in found} == {"espeak-ng": True, "pyttsx3": True, "piper": False}


def test_of_voices_that_fit_equally_those_of_countries_come_first():
    tags = ("en-029", "en-gb-scotland", "en-gb", "en-us-nyc", "en-us", "de")
    voices = [Voice(tag, tag, tag) for tag in tags]
    assert [voice.id for voice in voices_for(voices, "en")] == [
        "en-gb",
        "en-us",
        "en-029",
        "en-gb-scotland",
        "en-us-nyc",
    ]
    assert [voice.id for voice in voices_for(voices, "en-us")][:3] == ["en-us", "en-us-nyc", "en-gb"]


def test_without_a_name_the_first_that_is_there_speaks(installed):
    piper = Listed("piper", Capabilities(Notation.IPA), ENGLISH)
    installed(piper=piper)
    assert choose_engine(platform="linux") is piper
    espeak_ng = Listed("espeak-ng", Capabilities(Notation.ESPEAK), ENGLISH)
    installed(piper=piper, espeak_ng=espeak_ng)
    assert choose_engine(platform="darwin") is espeak_ng
    assert choose_engine("piper", platform="darwin") is piper


def test_a_named_engine_that_is_missing_is_not_replaced_by_another(installed):
    installed(espeak_ng=Listed("espeak-ng", Capabilities(), ENGLISH))
    with pytest.raises(SpeechError, match="it is not installed"):
        choose_engine("piper")


@pytest.mark.parametrize("name", ["festival", "ESPEAK-NG", "x" * 500, "../espeak"])
def test_a_name_that_is_no_engines_is_refused(name: str):
    for ask in (find_engine, choose_engine, lambda name: engine_voices("en", name)):
        with pytest.raises(SpeechRequestError, match="choose espeak-ng, pyttsx3 or piper") as caught:
            ask(name)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ENGINES)
def test_each_missing_engine_says_how_to_install_it(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for module in (piper_engine, pyttsx3_engine):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(
        SpeechError, match=rf"the speech engine {name} is not installed: run “.*install .* and try again"
    ):
        find_engine(name)


# An espeak-ng that is not what it should be


def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, voices: str, speaking: str = "exit 0") -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    file = folder / "espeak-ng"
    file.write_text(f'#!/bin/sh\ncase "$1" in --version) echo 1.99;; --voices*) {voices};; *) {speaking};; esac\n')
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


LISTING = {
    "nothing": ("exit 0", "espeak-ng has no voice for the language “en”"),
    "nonsense": ("head -c 100000 /dev/urandom", "espeak-ng has no voice for the language “en”"),
    "a failure": ("echo no data >&2; exit 1", "espeak-ng failed (no data)"),
    "killed": ("kill -9 $$", "espeak-ng failed"),
    "hanging": ("exec sleep 600", "espeak-ng did not finish"),
}


@pytest.mark.parametrize(("script", "what"), LISTING.values(), ids=LISTING.keys())
def test_one_that_does_not_list_its_voices_is_listed_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, what: str
):
    program(monkeypatch, tmp_path, script)
    monkeypatch.setattr(espeak, "_TIMEOUT_S", 1.0)
    (found,) = engine_voices("en", "espeak-ng")
    assert found.voices == ()
    assert what in found.problem
    assert "\n" not in found.problem


SPEAKING = {
    "nothing": ("exit 0", "produced no sound"),
    "a failure": ("echo bad voice >&2; exit 1", "espeak-ng failed (bad voice)"),
    "killed": ("kill -9 $$", "espeak-ng failed"),
    "hanging": ("exec sleep 600", "did not finish a line within 1 s and was stopped"),
    "nonsense": ('while [ "$1" != -w ]; do shift; done; echo nonsense > "$2"', "a file that is not WAV"),
    "an empty file": ('while [ "$1" != -w ]; do shift; done; : > "$2"', "an empty file"),
}


@pytest.mark.parametrize(("script", "what"), SPEAKING.values(), ids=SPEAKING.keys())
def test_one_that_does_not_speak_is_one_sentence_and_nothing_is_cached(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, what: str
):
    program(monkeypatch, tmp_path, "exit 0", script)
    with pytest.raises(SpeechError) as caught:
        Speaker(find_engine("espeak-ng"), SpeechCache(tmp_path / "cache"), limit=1.0).say("One.", Style("v"))
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("cache/*"))


def test_a_pyttsx3_without_voices_says_where_to_get_some(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pyttsx3_engine, "find_spec", lambda name: object())
    monkeypatch.setattr(
        pyttsx3_engine, "run", lambda *_: pyttsx3_engine.PROTOCOL.event_line(pyttsx3_engine.VoiceList(()))
    )
    with pytest.raises(SpeechError, match="finds no voice on this computer"):
        find_engine("pyttsx3")
