"""A two-hour film and its screenplay, made up of the sample film's sentences, with every element's true time known.

Unlike the alignment's, these films do not keep the pace of their text: how long an action goes on varies from paragraph
to paragraph and from sentence to sentence by a factor (log-normal, σ = 0.6), and shots are cut at about three in four
beginnings of paragraphs and every five seconds or so besides.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.screenplay.parsed_screenplay import Action, Part, Screenplay, ScreenplayScene, Speech
from sample_film.source import read_source

NAMES = ("Nora", "Tom", "Mikael", "Greta", "Oskar", "Ines", "Viktor", "Leila", "Paul", "Hanna", "Samir", "Ruth")
THINGS = {
    "umbrella": ("umbrella", "lantern", "briefcase", "violin", "coat", "ladder", "parcel"),
    "glove": ("glove", "letter", "key", "ring", "photograph", "watch", "ticket"),
    "bench": ("bench", "table", "wall", "stone", "crate", "bed"),
    "ledger": ("ledger", "notebook", "map", "diary", "newspaper"),
    "counter": ("counter", "desk", "bar", "window", "piano"),
    "train": ("train", "ferry", "bus", "van"),
}
WORD_MS = 375
VARIES = 0.6
COMMON = re.findall(
    r"\w+",
    """i you the to a is not it and that do of what are in we me have he my no this was on for know your be so they all
    just with can but she go am here there get if out at up will like her his right want now one how""",
)


@dataclass
class ToldFilm:
    """The screenplay, the film's cues and cuts, and when each sentence of each action is seen, by its paragraph."""

    screenplay: Screenplay
    cues: list[Cue] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    seen: dict[tuple[int, int], list[tuple[int, int, Span]]] = field(default_factory=dict)
    end: int = 0

    def middle(self, scene: int, part: int, start: int, end: int) -> float:
        """When what stands from `start` to `end` in a paragraph is seen, in the middle (ms)."""
        return (self._at(scene, part, start) + self._at(scene, part, end)) / 2

    def _at(self, scene: int, part: int, place: int) -> float:
        for first, last, span in self.seen[scene, part]:
            if place <= last:
                return span.start + span.length * max(0, place - first) / max(1, last - first)
        return self.seen[scene, part][-1][2].end


def told_film(*, minutes: int = 120, seed: int = 1) -> ToldFilm:
    """A film of that length, with about as much dialogue as action."""
    rng = random.Random(seed)
    sentences = _sentences()
    vocabulary = [
        f"{a}{b}" for a in ("bar", "mon", "tel", "cor", "sul", "den") for b in ("ter", "ly", "den", "row", "ish")
    ]
    film = ToldFilm(Screenplay(()))
    scenes: list[ScreenplayScene] = []
    while film.end < minutes * 60_000:
        cast = rng.sample(NAMES, 3)
        parts: list[Part] = []
        for _ in range(rng.randint(4, 14)):
            if rng.random() < 0.5 or not parts:
                text = " ".join(_retold(rng.choice(sentences), cast, rng) for _ in range(rng.randint(1, 4)))
                parts.append(Action(text, line=len(parts) + 1))
                _see(film, (len(scenes), len(parts) - 1), text, rng)
            else:
                words = [rng.choice(COMMON if rng.random() < 0.6 else vocabulary) for _ in range(rng.randint(3, 18))]
                said = " ".join(words).capitalize() + "."
                parts.append(Speech(rng.choice(cast).upper(), said, len(parts) + 1))
                _say(film, said, rng)
        scenes.append(ScreenplayScene(f"INT. ROOM {len(scenes) + 1} - DAY", tuple(parts)))
    film.screenplay = Screenplay(tuple(scenes), language="en")
    film.cuts = sorted(set(film.cuts) | {rng.randrange(film.end) for _ in range(film.end // 5_000)})
    return film


def changed(film: ToldFilm, share: float, *, seed: int = 1) -> Screenplay:
    """The screenplay with that share of its speeches saying something else."""
    rng = random.Random(seed)

    def other(part: Part) -> Part:
        if isinstance(part, Speech) and rng.random() < share:
            return replace(part, text=" ".join(rng.choice(COMMON) for _ in range(count_words(part.text))))
        return part

    scenes = (replace(scene, parts=tuple(other(part) for part in scene.parts)) for scene in film.screenplay.scenes)
    return replace(film.screenplay, scenes=tuple(scenes))


def _sentences() -> list[str]:
    texts = [element.text for scene in read_source().scenes for element in scene.elements]
    return [text for text in texts if text[0].isupper() and text.endswith(".") and count_words(text) > 3]


def _retold(text: str, cast: Sequence[str], rng: random.Random) -> str:
    text = text.replace("Nora Vale", "Nora").replace("Tom Finch", "Tom")
    text = re.sub(r"\b(Nora|Tom)\b", lambda name: cast[0] if name[0] == "Nora" else cast[1], text)
    for thing, others in THINGS.items():
        text = text.replace(thing, rng.choice(others))
    return text


def _see(film: ToldFilm, place: tuple[int, int], text: str, rng: random.Random) -> None:
    if rng.random() < 0.75:
        film.cuts.append(film.end)
    pace = rng.lognormvariate(0, VARIES)
    found: list[tuple[int, int, Span]] = []
    for sentence in re.finditer(r"[^.]+\.", text):
        length = max(500, round(WORD_MS * count_words(sentence[0]) * pace * rng.lognormvariate(0, VARIES)))
        found.append((sentence.start(), sentence.end(), Span(film.end, film.end + length)))
        film.end += length
    film.seen[place] = found


def _say(film: ToldFilm, text: str, rng: random.Random) -> None:
    length = WORD_MS * count_words(text)
    film.cues.append(Cue(f"c{len(film.cues) + 1}", film.end, film.end + length, text))
    film.end += length + rng.randint(100, 900)
