"""Word times: how right, how fast: `python tests/bench/word_times.py`.

Truth: what libespeak-ng itself reports of the words of the sample film's lines, laid where the film's maker laid them.
Under the film's own piano at 10, 5 and 0 dB; two cues joined and split again, also with the text of another cue for the
second; a German and a French dialogue for the engine of other languages, with music too. The texts of other cues are
those whose lengths are nearest. Beside each: words spread over their cue by their letters, as without sound.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path[:0] = [
    str(Path(__file__).resolve().parents[1] / "fakes"),
    str(Path(__file__).resolve().parents[2] / "packaging"),
]

from spoken_words import spoken  # noqa: E402

from adstudio.characters.alignment import Aligner  # noqa: E402
from adstudio.characters.alignment_process import AlignmentProcess  # noqa: E402
from adstudio.characters.cue_sound import cue_sounds  # noqa: E402
from adstudio.characters.pronunciation import cue_words  # noqa: E402
from adstudio.characters.word_times import KNOWN, NEAR_MS, find_words  # noqa: E402
from adstudio.core.script import Cue, CueKind  # noqa: E402
from adstudio.core.timebase import Span  # noqa: E402
from adstudio.sample_film import sample_paths  # noqa: E402
from adstudio.speech.sound import Sound, encoded  # noqa: E402
from adstudio.subtitles.dialogue import dialogue  # noqa: E402
from adstudio.subtitles.reading import read_subtitles  # noqa: E402
from adstudio.system.locations import resource  # noqa: E402
from sample_film.music import finale  # noqa: E402
from sample_film.source import read_source  # noqa: E402

FILM = sample_paths(Path(resource("sample")))
SURE = 900
GERMAN = (
    "Guten Abend, Frau Weber. Haben Sie wieder etwas verloren?",
    "Meinen Schirm. Den roten. Ich habe ihn im Zug liegen lassen.",
    "Nein. Nichts Rotes, fürchte ich.",
    "Der Zug nach Altenburg fährt heute von Gleis sieben.",
    "Bitte achten Sie auf Ihr Gepäck und Ihre Kinder.",
    "Was für eine Farbe hatte der Handschuh?",
)
FRENCH = (
    "Bonsoir, madame Vallet. Vous avez encore perdu quelque chose?",
    "Mon parapluie. Le rouge. Je l'ai laissé dans le train.",
    "Non. Rien de rouge, je le crains.",
    "Le train pour Mirebeau partira aujourd'hui de la voie sept.",
    "Veillez à ne rien oublier dans la voiture.",
    "De quelle couleur était le gant?",
)


@dataclass(frozen=True)
class Line:
    """A line: its text, its sound with 300 ms around, the true starts of words by their places, true end; in ms."""

    text: str
    sound: np.ndarray
    starts: dict[int, int]
    end: int


def sample_lines() -> list[Line]:
    cues = [cue for cue in dialogue(read_subtitles(FILM.sdh_srt)).cues if cue.kind is CueKind.SPEECH]
    spans = [Span(cue.start - NEAR_MS, cue.end + NEAR_MS) for cue in cues]
    sounds = dict(cue_sounds(FILM.film, None, spans))
    source = read_source()
    lines = [line for shot in source.shots for line in shot.lines]
    found: list[Line] = []
    for number, (line, cue) in enumerate(zip(lines, cues, strict=True)):
        voice = source.voices[line.voice]
        said = spoken(line.text, voice.espeak, voice.words_per_minute, voice.pitch).trimmed()
        starts = {place: NEAR_MS + 20 + sample * 1000 // said.rate for place, sample in said.words}
        found.append(Line(line.text, sounds[number], starts, cue.end - cue.start - 20 + NEAR_MS))
    return found


def spoken_lines(texts: Sequence[str], voice: str, rate: int = 150) -> list[Line]:
    found: list[Line] = []
    for text in texts:
        said = spoken(text, voice, rate, 40).trimmed()
        speech = Sound(said.samples, said.rate).at_rate(16_000).samples
        silence = np.zeros(NEAR_MS * 16, np.float32)
        starts = {place: NEAR_MS + sample * 1000 // said.rate for place, sample in said.words}
        sound = np.concatenate((silence, speech, silence))
        found.append(Line(text, sound, starts, NEAR_MS + len(speech) // 16))
    return found


def under_music(line: Line, decibels: float, music: np.ndarray, place: int) -> Line:
    """The line with music that its speech is so much louder than."""
    part = music[place : place + len(line.sound)]
    speech = line.sound[NEAR_MS * 16 : -NEAR_MS * 16]
    gain = np.sqrt((speech**2).mean() / (part**2).mean() / 10 ** (decibels / 10))
    return Line(line.text, line.sound + gain * part, line.starts, line.end)


Find = Callable[[Line], tuple[list[tuple[int, int]], int] | None]


def by_engine(aligner: Aligner, language: str) -> Find:
    def find(line: Line) -> tuple[list[tuple[int, int]], int] | None:
        found = aligner.align(line.sound, cue_words(line.text, language))
        return None if found is None else ([(word.start, word.end) for word in found.words], found.confidence)

    return find


def by_letters(line: Line) -> tuple[list[tuple[int, int]], int]:
    words = cue_words(line.text)
    first, length = NEAR_MS, len(line.sound) // 16 - 2 * NEAR_MS
    at = 0
    spans: list[tuple[int, int]] = []
    for word in words:
        at = line.text.index(word.text, at)
        spans.append((first + length * at // len(line.text), first + length * (at + len(word.text)) // len(line.text)))
    return spans, 1000


def row(name: str, lines: Sequence[Line], find: Find, language: str = "en") -> None:
    errors: list[int] = []
    begins: list[int] = []
    ends: list[int] = []
    known = 0
    began = time.perf_counter()
    for line in lines:
        found = find(line)
        if found is None or found[1] < KNOWN:
            continue
        known += 1
        at = 0
        for word, (start, _) in zip(cue_words(line.text, language), found[0], strict=True):
            at = line.text.index(word.text, at)
            if at in line.starts:
                errors.append(abs(start - line.starts[at]))
            at += len(word.text)
        begins.append(abs(found[0][0][0] - min(line.starts.values())))
        ends.append(abs(found[0][-1][1] - line.end))
    took = time.perf_counter() - began
    length = sum(len(line.sound) for line in lines) / 16_000
    if not errors:
        print(f"{name:34} none of {len(lines)} cues known")
        return
    e = np.array(errors)
    print(
        f"{name:34} {known:2} of {len(lines)} cues, {len(e):3} words: median {np.median(e):4.0f} ms  "
        f"p90 {np.percentile(e, 90):4.0f}  within 100 ms {(e <= 100).mean():4.0%}  "
        f"cue start {np.median(begins):3.0f}/{np.percentile(begins, 90):3.0f}  "
        f"end {np.median(ends):3.0f}/{np.percentile(ends, 90):3.0f}  {length / took:5.1f} x real time"
    )


def joined(lines: Sequence[Line], find: Find) -> None:
    """Pairs of neighbouring lines as one cue: how far the change of speaker is off."""
    off: list[int] = []
    shares: list[int] = []
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        sound = np.concatenate((first.sound[: -NEAR_MS * 16], second.sound[NEAR_MS * 16 :]))
        shift = len(first.sound) // 16 - 2 * NEAR_MS
        both = Line(f"{first.text} {second.text}", sound, {}, 0)
        found = find(both)
        start = min(second.starts.values()) + shift
        count = len(cue_words(first.text))
        if found is not None and found[1] >= KNOWN:
            off.append(abs(found[0][count][0] - start))
        whole = len(sound) // 16 - 2 * NEAR_MS
        words = count + len(cue_words(second.text))
        shares.append(abs(NEAR_MS + whole * count // words - start))
    print(
        f"{'two speakers in a cue':34} {len(off)} of {len(shares)} split: within 90 ms {sum(x <= 90 for x in off)}, "
        f"median {np.median(off):.0f} ms; in proportion to the words (without sound): {np.median(shares):.0f} ms"
    )


def other_text(line: Line, lines: Sequence[Line]) -> str:
    """The text of the other line that is nearest in length."""
    others = [each.text for each in lines if each.text != line.text]
    return min(others, key=lambda text: abs(len(text) - len(line.text)))


def halves(lines: Sequence[Line], aligner: Aligner, language: str) -> None:
    """Pairs of neighbouring lines as parts of one subtitle, the second with its own text and with another's."""
    counts = [0, 0]
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    with tempfile.TemporaryDirectory() as folder:
        for first, second in pairs:
            path = Path(folder, "pair.wav")
            sound = np.concatenate((first.sound[: -NEAR_MS * 16], second.sound[NEAR_MS * 16 :]))
            path.write_bytes(encoded(sound, 16_000))
            change, end = len(first.sound) // 16 - NEAR_MS, len(sound) // 16 - NEAR_MS
            for number, text in enumerate((second.text, other_text(second, lines))):
                cues = (Cue("c1a", NEAR_MS, change, first.text), Cue("c1b", change + 24, end, text))
                found = find_words(aligner, path, None, cues, language)
                counts[number] += "c1b" not in found.unknown
    print(
        f"{'the second part of two':34} {counts[0]} of {len(pairs)} known by their own texts, "
        f"{counts[1]} by another cue's"
    )


def main() -> None:
    music = np.tile(Sound(finale(0), 48_000).at_rate(16_000).samples, 3)
    places = random.Random(1)
    english = sample_lines()
    sets = [("English", "en", english)]
    sets += [("German", "de", spoken_lines(GERMAN, "de+f2")), ("French", "fr", spoken_lines(FRENCH, "fr+m3"))]
    for name, language, lines in sets:
        with AlignmentProcess(language) as aligner:
            aligner.prepare([word for line in lines for word in cue_words(line.text, language)])
            find = by_engine(aligner, language)
            row(f"{name}, clean", lines, find, language)
            for decibels in (10, 5, 0):
                mixed = [under_music(line, decibels, music, places.randrange(len(music) // 2)) for line in lines]
                row(f"{name}, music at {decibels} dB", mixed, find, language)
            others = [find(Line(other_text(line, lines), line.sound, {0: 0}, 0)) for line in lines]
            sure = [found[1] for found in others if found is not None]
            print(
                f"{name + ', the text of other cues':34} {sum(each >= KNOWN for each in sure)} of {len(lines)} cues "
                f"taken for known, {sum(each >= SURE for each in sure)} with confidence {SURE / 1000}"
            )
            joined(lines, find)
            halves(lines, aligner, language)
    row("English, spread by letters", english, by_letters)
    from adstudio.characters.synthesis_alignment import SynthesisAligner

    row("English, by the fallback", english, by_engine(SynthesisAligner("en"), "en"))


if __name__ == "__main__":
    main()
