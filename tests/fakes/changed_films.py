"""Films made from screenplays, at known times, with a share of the lines changed: for tests and the benchmark.

Everybody speaks at 160 words a minute and an action takes as long as it takes to read out, at least two seconds. Of
the lines that are changed, equal shares are rewritten (as a line of other screenplays), half rewritten (every second
word), dropped, given to the next speech's place, or followed by a line that the screenplay does not have.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from adstudio.core.script import Cue, CueKind, Scene
from adstudio.core.timebase import Span
from adstudio.drafting.text.align.anchors import Anchor
from adstudio.screenplay.parsed_screenplay import Action, Screenplay, ScreenplayScene, Speech

Place = tuple[int, int]
WORD_MS = 375
WAYS = ("rewritten", "half", "dropped", "swapped", "inserted")


@dataclass
class MadeFilm:
    cues: list[Cue] = field(default_factory=list)
    actions: dict[Place, Span] = field(default_factory=dict)
    speeches: dict[Place, Span] = field(default_factory=dict)
    changed: set[Place] = field(default_factory=set)
    swapped: set[Place] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    scenes: list[Scene] = field(default_factory=list)
    end: int = 0

    def say(self, text: str, speaker: str) -> Span:
        """Cues of up to twelve words, one after the other."""
        start = self.end
        words = text.split()
        for k in range(0, len(words), 12):
            line = words[k : k + 12]
            cue = Cue(f"c{len(self.cues)}", self.end, self.end + WORD_MS * len(line), " ".join(line))
            self.cues.append(cue)
            self.names[cue.id] = speaker
            self.end = cue.end
        span = Span(start, self.end)
        self.end += 400
        return span


def speeches(screenplay: Screenplay) -> dict[Place, Speech]:
    return {
        (s, p): part
        for s, scene in enumerate(screenplay.scenes)
        for p, part in enumerate(scene.parts)
        if isinstance(part, Speech) and part.text.strip()
    }


def made_film(
    screenplay: Screenplay, share: float = 0.0, *, others: Sequence[str] = ("They left before noon.",), seed: int = 1
) -> MadeFilm:
    """A film of a screenplay in which that share of the lines is changed; `others` are lines to put in."""
    rng = random.Random(seed)
    lines = speeches(screenplay)
    order = list(lines)
    chosen = set(rng.sample(order, round(share * len(order))))
    film = MadeFilm(changed=chosen)
    texts: dict[Place, list[tuple[str, str]]] = {place: [(line.text, line.speaker)] for place, line in lines.items()}
    for number, place in enumerate(order):
        if place not in chosen:
            continue
        line, new = lines[place], rng.choice(others)
        way = WAYS[rng.randrange(len(WAYS))]
        if way == "rewritten":
            texts[place] = [(new, line.speaker)]
        elif way == "half":
            fill = new.split()
            words = [fill[k % len(fill)] if k % 2 else word for k, word in enumerate(line.text.split())]
            texts[place] = [(" ".join(words), line.speaker)]
        elif way == "dropped":
            texts[place] = []
        elif way == "swapped" and number + 1 < len(order):
            after = order[number + 1]
            texts[place], texts[after] = texts[after], texts[place]
            chosen.add(after)
            film.swapped |= {place, after}
        else:
            texts[place] = [*texts[place], (new, "")]
    for s, scene in enumerate(screenplay.scenes):
        begin = film.end
        for p, part in enumerate(scene.parts):
            if isinstance(part, Action):
                film.actions[s, p] = Span(film.end, film.end + max(2_000, WORD_MS * len(part.text.split())))
                film.end = film.actions[s, p].end
                if rng.random() < 0.1:
                    film.cues.append(
                        Cue(f"c{len(film.cues)}", film.end - 1_000, film.end, "the door", None, CueKind.SOUND)
                    )
            elif (s, p) in texts:
                for text, speaker in texts[s, p]:
                    film.speeches[s, p] = film.say(text, speaker)
        film.scenes.append(Scene(f"s{s}", Span(begin, film.end)))
    return film


def bounds_of(anchor: Anchor, film_end: int) -> Span:
    """An anchor's bounds, with the film's own start and end where it has none."""
    start = min(max(anchor.after or 0, 0), film_end)
    return Span(start, min(max(start, film_end if anchor.before is None else anchor.before), film_end))


def judged(screenplay: Screenplay, film: MadeFilm, anchors) -> tuple[dict[str, int], list[Place]]:
    """How many anchors are right within two seconds, and which are wrong.

    Right: the whole action lies between the bounds, give or take two seconds, and where the speeches on both sides are
    unchanged the bounds are theirs, give or take two seconds.
    """
    order = sorted(speeches(screenplay))
    counts = {"actions": 0, "right": 0, "between unchanged": 0, "tight": 0}
    wrong: list[Place] = []
    for place, span in film.actions.items():
        counts["actions"] += 1
        anchor = bounds_of(anchors[place], film.end)
        right = anchor.start - 2_000 <= span.start and span.end <= anchor.end + 2_000
        before = [p for p in order if p < place][-1:]
        after = [p for p in order if p > place][:1]
        if before and after and not film.changed & {*before, *after}:
            counts["between unchanged"] += 1
            true = (film.speeches[before[0]].end, film.speeches[after[0]].start)
            tight = abs(anchor.start - true[0]) <= 2_000 and abs(anchor.end - true[1]) <= 2_000
            counts["tight"] += tight
            right = right and tight
        counts["right"] += right
        if not right:
            wrong.append(place)
    return counts, wrong


COMMON = """
i you the to a is not it and that do of what are in we me have he my no this was on for know your be so
they all just with can but she go am here there get if out at up will like her his right want now one how
"""


def long_screenplay(*, seed: int = 1, spoken: int = 12_000, vocabulary: int = 4_000) -> Screenplay:
    """A made-up screenplay of about so many spoken words; words are as frequent as in talk, but say nothing."""
    rng = random.Random(seed)
    rare = [
        "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
        for _ in range(vocabulary)
    ]
    words = [*COMMON.split(), *rare]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def text(length: int) -> str:
        return " ".join(rng.choices(words, cum_weights=weights, k=length))

    scenes: list[ScreenplayScene] = []
    said = 0
    while said < spoken:
        parts: list[Action | Speech] = [Action(text(rng.randint(5, 40)))]
        for _ in range(rng.randint(0, 20)):
            if rng.random() < 0.35:
                parts.append(Action(text(rng.randint(4, 30))))
            length = min(40, 1 + int(rng.expovariate(1 / 9)))
            said += length
            parts.append(Speech(rng.choice(("ANNA", "TOM", "MIKAEL", "OFFICER")), text(length)))
        scenes.append(ScreenplayScene(f"INT. PLACE {len(scenes)} - DAY", tuple(parts)))
    return Screenplay(tuple(scenes))
