"""How sure lines from a screenplay are of their times, and how often they are right within 5 s: a reliability diagram.

    .venv/bin/python tests/bench/screenplay_confidence.py [--minutes 40] [--data ../shared/data]

The clips are short films with their own descriptions, which stand as action between what is said; their times are
those of people. The made-up films (`told_films`, whose pace varies) have other seeds than those that the grounding was
set by; the others are made of real screenplays (`changed_films`, which keep the pace of their text). Nothing was set on
them. Of each a share of the speeches is changed. “As written”: the film shows all of the action, whatever is said.
“Shot anew”: that share of the scenes is another in the film, dialogue and action, so that every line of theirs that
gets a place is wrong. Films lie between the two: the less of the dialogue is as written, the more action is another.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, log
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fakes"))

from changed_films import WORD_MS, made_film, speeches
from prose_placement import Described, films
from told_films import COMMON, changed, told_film

from adstudio.core.script import Cue
from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text.align.align import align
from adstudio.drafting.text.chapters import screenplay_chapters, slugs
from adstudio.drafting.text.ground.evidence import Passage, Seen
from adstudio.drafting.text.ground.ground import calibrated, ground
from adstudio.drafting.text.segment.elements import Element, elements_of
from adstudio.screenplay.file import read_screenplay
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayScene, Speech

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SEEDS = (5, 6)
FITTED = (5, 6, 7, 8, 9, 10)
"""The made-up films that `CALIBRATION` was fitted to; each is judged by a fit to the others."""
FITTED_MINUTES = 20
SHARES = (0.0, 0.1, 0.3, 0.6)
NEAR_S = 5
BINS = (0, 200, 400, 600, 800, 1001)
Place = tuple[int, int]
Truth = Callable[[Place, Element], float | None]
"""When an element is seen, in the middle (ms); None if never."""
Found = list[tuple[float, int]]
"""For each line how far off it is (s; infinite where the film does not show it), and its confidence in thousandths
before it is calibrated."""
_CUT: dict[str, tuple[Element, ...]] = {}


def elements(texts: Sequence[str]) -> list[tuple[Element, ...]]:
    wanted = [text for text in dict.fromkeys(texts) if text not in _CUT]
    _CUT.update(zip(wanted, elements_of(wanted), strict=True))
    return [_CUT[text] for text in texts]


def lines(screenplay: Screenplay, seen: Seen, cues: Sequence[Cue], truth: Truth) -> Found:
    """The lines that get a place."""
    left_out = {id(each) for each in slugs(screenplay)}
    places = [
        (s, p)
        for s, scene in enumerate(screenplay.scenes)
        for p, part in enumerate(scene.parts)
        if isinstance(part, Action) and id(part) not in left_out
    ]
    cut = elements([screenplay.scenes[s].parts[p].text for s, p in places])
    alignment = align(screenplay, cues)
    paragraphs = [each for chapter in screenplay_chapters(screenplay, alignment) for each in chapter.paragraphs]
    passages = [
        Passage(tuple(element.text for element in those), each.after, each.before, each.sure)
        for those, each in zip(cut, paragraphs, strict=True)
    ]
    found: Found = []
    for place, those, groundings in zip(places, cut, ground(passages, seen), strict=True):
        for element, grounding in zip(those, groundings, strict=True):
            if grounding.occurrence is None:
                continue
            at = truth(place, element)
            error = float("inf") if at is None else abs(grounding.occurrence.doubled_midpoint / 2 - at) / 1000
            found.append((error, round(grounding.confidence * alignment.match.as_filmed)))
    return found


def clip(film: Described, share: float, seed: int) -> tuple[Screenplay, dict[Place, Span]]:
    """A clip's descriptions and dialogue as a screenplay in one scene, with other speeches; when its action is seen."""
    rng = random.Random(seed)
    parts: list[tuple[int, Action | Speech, Span | None]] = [
        (line.span.doubled_midpoint, Action(line.text), line.span) for line in film.lines
    ]
    for cue in film.footage.cues:
        other = " ".join(rng.choice(COMMON) for _ in range(count_words(cue.text)))
        said = other if rng.random() < share else cue.text
        parts.append((cue.start + cue.end, Speech("ANNA", said), None))
    parts.sort(key=lambda part: part[0])
    truth = {(0, at): span for at, (_, _, span) in enumerate(parts) if span is not None}
    return Screenplay((ScreenplayScene("INT. ROOM - DAY", tuple(part for _, part, _ in parts)),)), truth


def of_clips(clips: Sequence[Described], share: float) -> Found:
    found: Found = []
    for film in clips:
        for seed in SEEDS:
            screenplay, spans = clip(film, share, seed)

            def truth(place: Place, element: Element, spans=spans, play=screenplay) -> float | None:
                span = spans[place]
                text = play.scenes[0].parts[place[1]].text
                return span.start + span.length * (element.start + element.end) / 2 / max(1, len(text))

            found += lines(screenplay, film.footage.seen, film.footage.cues, truth)
    return found


def anew(screenplay: Screenplay, share: float, seed: int) -> tuple[Screenplay, frozenset[int]]:
    """The screenplay with other speeches in that share of its scenes, and which they are."""
    rng = random.Random(seed)
    scenes = frozenset(rng.sample(range(len(screenplay.scenes)), round(share * len(screenplay.scenes))))

    def other(text: str) -> str:
        return " ".join(rng.choice(COMMON) for _ in range(count_words(text)))

    return replace(
        screenplay,
        scenes=tuple(
            replace(
                scene,
                parts=tuple(
                    replace(part, text=other(part.text)) if isinstance(part, Speech) else part for part in scene.parts
                ),
            )
            if number in scenes
            else scene
            for number, scene in enumerate(screenplay.scenes)
        ),
    ), scenes


def made_up(minutes: int, share: float, *, shot_anew: bool, seeds: Sequence[int] = SEEDS) -> Found:
    found: Found = []
    for seed in seeds:
        film = told_film(minutes=minutes, seed=seed)
        seen = Seen(film.end, tuple(film.cuts), tuple(Span(cue.start, cue.end) for cue in film.cues))
        screenplay, others = changed(film, share), frozenset[int]()
        if shot_anew:
            screenplay, others = anew(film.screenplay, share, seed)

        def truth(place: Place, element: Element, film=film, others=others) -> float | None:
            return None if place[0] in others else film.middle(*place, element.start, element.end)

        found += lines(screenplay, seen, film.cues, truth)
    return found


def of_screenplays(screenplays: dict[str, Screenplay], share: float, *, shot_anew: bool) -> Found:
    found: Found = []
    for name, screenplay in screenplays.items():
        others = [each.text for other, play in screenplays.items() if other != name for each in speeches(play).values()]
        for seed in SEEDS:
            film = made_film(screenplay, 0.0 if shot_anew else share, others=others, seed=seed)
            written, scenes = anew(screenplay, share, seed) if shot_anew else (screenplay, frozenset[int]())
            seen = Seen(film.end, (), tuple(Span(cue.start, cue.end) for cue in film.cues))

            def truth(place: Place, element: Element, film=film, scenes=scenes, play=screenplay) -> float | None:
                if place[0] in scenes:
                    return None
                span = film.actions[place]
                text = play.scenes[place[0]].parts[place[1]].text
                middle = count_words(text[: element.start]) + count_words(element.extract) / 2
                return span.start + min(WORD_MS * middle, span.length)

            found += lines(written, seen, film.cues, truth)
    return found


def fit(films: Sequence[Found]) -> tuple[float, float]:
    """Offset and slope on the logit by which confidences are right most often; every film weighs alike."""
    offset, slope = 0.0, 1.0
    for _ in range(50):
        gradient, curve = [0.0, 0.0], [0.0, 0.0, 0.0]
        for found in films:
            for error, sure in found:
                x = logit(sure)
                chance = 1 / (1 + exp(-(offset + slope * x)))
                off, bend = ((error <= NEAR_S) - chance) / len(found), (chance * (1 - chance) + 1e-9) / len(found)
                gradient = [gradient[0] + off, gradient[1] + off * x]
                curve = [curve[0] + bend, curve[1] + bend * x, curve[2] + bend * x * x]
        whole = curve[0] * curve[2] - curve[1] ** 2
        offset += (curve[2] * gradient[0] - curve[1] * gradient[1]) / whole
        slope += (curve[0] * gradient[1] - curve[1] * gradient[0]) / whole
    return offset, slope


def logit(sure: int) -> float:
    within = min(max(sure / 1000, 0.001), 0.999)
    return log(within / (1 - within))


def leave_one_out(films: Sequence[Found]) -> Iterator[str]:
    """The diagram of films each of which is judged by a fit to the others."""
    pairs: list[tuple[float, int]] = []
    for number, found in enumerate(films):
        offset, slope = fit([*films[:number], *films[number + 1 :]])
        pairs += [(error, round(1000 / (1 + exp(-(offset + slope * logit(sure)))))) for error, sure in found]
    return diagram(pairs)


def rows(found: Found) -> Iterator[str]:
    return diagram([(error, calibrated(sure)) for error, sure in found])


def diagram(found: Found) -> Iterator[str]:
    for low, high in pairwise(BINS):
        band = [(error <= NEAR_S, sure) for error, sure in found if low <= sure < high]
        if band:
            said = statistics.mean(sure for _, sure in band) / 1000
            right = statistics.mean(near for near, _ in band)
            name = f"{low / 10:.0f}–{min(high, 1000) / 10:.0f} %"
            yield f"{name:>10} {len(band):6} {said:6.2f} {right:6.2f}  {'█' * round(40 * right)}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--minutes", type=int, default=40)
    asked.add_argument("--data", type=Path, default=DATA)
    given = asked.parse_args()
    plays = {path.stem: read_screenplay(path) for path in sorted((given.data / "screenplay").glob("*.fountain"))}
    clips = [film for film in films(given.data) if film.footage.cues]
    everything: dict[str, Found] = {}
    for share in SHARES:
        found = of_clips(clips, share)
        print(f"clips, {share:.0%} changed")
        print("\n".join(rows(found)), flush=True)
        everything.setdefault("clips", []).extend(found)
    for anew_ in (False, True):
        what = "shot anew" if anew_ else "as written"
        for share in SHARES[anew_:]:
            for name, found in (
                ("made up", made_up(given.minutes, share, shot_anew=anew_)),
                ("of screenplays", of_screenplays(plays, share, shot_anew=anew_)),
            ):
                print(f"{name}, {what}, {share:.0%} changed")
                print("\n".join(rows(found)), flush=True)
                everything.setdefault(what, []).extend(found)
    fitted = [
        [
            each
            for anew_ in (False, True)
            for share in SHARES[anew_:]
            for each in made_up(FITTED_MINUTES, share, shot_anew=anew_, seeds=(seed,))
        ]
        for seed in FITTED
    ]
    print("made-up films of varied pace, each by a fit to the others")
    print("\n".join(leave_one_out(fitted)))
    print("fit to all: {:.2f}, {:.2f}".format(*fit(fitted)))
    for what, found in everything.items():
        print(f"all films {what}")
        print("\n".join(rows(found)))
    print("all films")
    print("\n".join(rows([each for found in everything.values() for each in found])))


if __name__ == "__main__":
    main()
