"""Who speaks: how right, by the paper's F1: `python tests/bench/speakers.py`.

The sample film: its cues without labels, a quarter of each person's named (at least one), fifty times; the steps of the
cascade one by one; peers: the most frequent person, a random one of the cast, and names alone without voices. Without
any label: the screenplay, and a scripted model that names a quarter of the cues, 82.2 % of them rightly, as the paper's
did, asked through the real requests, answers and store: that shows what the step brings, not how good a model is. Real
speech: a conversation of two people with turns marked by hand, a quarter of them named.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "fakes")]

from scripted_model import ScriptedModel, ids_of, said  # noqa: E402
from speaker_model import UNKNOWN, shown_cues  # noqa: E402

from adstudio.characters.cue_sound import cue_sounds  # noqa: E402
from adstudio.characters.speaker_scores import SpeakerScore, speaker_score  # noqa: E402
from adstudio.characters.speakers import Evidence, name_speakers  # noqa: E402
from adstudio.characters.turn_files import read_turns  # noqa: E402
from adstudio.characters.voices import VoiceProcess, cue_voices  # noqa: E402
from adstudio.connections.model_access import Connection  # noqa: E402
from adstudio.core.cast import Person, SpeakerSource  # noqa: E402
from adstudio.core.policy import Host, Policy  # noqa: E402
from adstudio.core.script import Cue, CueKind  # noqa: E402
from adstudio.core.timebase import Span  # noqa: E402
from adstudio.drafting.speakers.asking import ask_speakers  # noqa: E402
from adstudio.drafting.speakers.events import AskSpeakers  # noqa: E402
from adstudio.drafting.text.align.align import align  # noqa: E402
from adstudio.llm.messages import Request  # noqa: E402
from adstudio.sample_film import sample_paths  # noqa: E402
from adstudio.screenplay.file import read_screenplay  # noqa: E402
from adstudio.subtitles.dialogue import dialogue  # noqa: E402
from adstudio.subtitles.reading import read_subtitles  # noqa: E402
from adstudio.system.locations import resource  # noqa: E402
from adstudio.system.stop_request import StopRequest  # noqa: E402

FILM = sample_paths(Path(resource("sample")))
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
ROUNDS = 50
NAMED, RIGHT = 0.25, 0.822
"""How many cues a model like the paper's names, and how many of these names are right."""
HERE = Connection("openai", "m", "http://127.0.0.1:9/v1", Policy("on premises", (Host("127.0.0.1", 9, plain=True),)))


def quarter(cues: Sequence[Cue], chance: random.Random) -> list[Cue]:
    """The cues, with a quarter of each person's named by the describer."""
    of_person: dict[str, list[str]] = {}
    for cue in cues:
        of_person.setdefault(cue.speaker or "", []).append(cue.id)
    named = {name for ids in of_person.values() for name in chance.sample(ids, -(-len(ids) // 4))}
    return [
        replace(cue, speaker_source=SpeakerSource.DESCRIBER) if cue.id in named else replace(cue, speaker=None)
        for cue in cues
    ]


def row(name: str, scores: Sequence[SpeakerScore]) -> None:
    print(
        f"{name:50} P {np.mean([s.precision for s in scores]):6.1%}  R {np.mean([s.recall for s in scores]):6.1%}  "
        f"F1 {np.mean([s.f1 for s in scores]):6.1%} (least {min(s.f1 for s in scores):.1%})"
    )


Predict = Callable[[Sequence[Cue], random.Random], Mapping[str, str]]


def score(cues: Sequence[Cue], predict: Predict, *, rounds: int = ROUNDS) -> list[SpeakerScore]:
    gold = {cue.id: cue.speaker or "" for cue in cues}
    found: list[SpeakerScore] = []
    for number in range(rounds):
        chance = random.Random(number)
        given = quarter(cues, chance)
        # What the describer named counts for nobody.
        asked = {cue.id: gold[cue.id] for cue in given if not cue.speaker}
        found.append(speaker_score(asked, predict(given, chance), set(gold.values())))
    return found


def named(given: Sequence[Cue], evidence: Evidence, people: Sequence[Person] = ()) -> dict[str, str]:
    return {each.cue: each.speaker for each in name_speakers(given, tuple(people), evidence)}


def table(cues: Sequence[Cue], voices: Mapping[str, np.ndarray], screenplay: Mapping[str, str] | None = None) -> None:
    people = [Person.named(name) for name in sorted({cue.speaker or "" for cue in cues})]
    counts = Counter(cue.speaker for cue in cues)
    row(
        "most frequent person",
        score(cues, lambda given, _: {cue.id: str(counts.most_common(1)[0][0]) for cue in given}),
    )
    row("random person", score(cues, lambda given, chance: {cue.id: chance.choice(people).name for cue in given}))
    row("a quarter named, nothing carried", score(cues, lambda given, _: named(given, Evidence({}, {}, {}))))
    row("… and voices", score(cues, lambda given, _: named(given, Evidence({}, {}, voices))))
    row("… and the cast", score(cues, lambda given, _: named(given, Evidence({}, {}, voices), people)))
    if screenplay is None:
        return
    row("… and the screenplay", score(cues, lambda given, _: named(given, Evidence(screenplay, {}, voices), people)))
    nobody = [replace(cue, speaker=None) for cue in cues]
    gold = {cue.id: cue.speaker or "" for cue in cues}
    alone = named(nobody, Evidence(screenplay, {}, {}))
    both = named(nobody, Evidence(screenplay, {}, voices))
    row("no label: the screenplay alone", [speaker_score(gold, alone, set(gold.values()))])
    row("no label: the screenplay and voices", [speaker_score(gold, both, set(gold.values()))])


def like_the_papers(gold: Mapping[str, str], seed: int) -> Callable[[Request], str]:
    """A model that names some cues, most of them rightly; it knows them by their words."""
    chance = random.Random(seed)
    people = sorted(set(gold.values()))
    by_text: dict[str, str] = {}
    for text, name in gold.items():
        other = chance.choice([each for each in people if each != name])
        given = name if chance.random() < RIGHT else other
        by_text[" ".join(text.split())] = given if chance.random() < NAMED else UNKNOWN

    def answer(ask: Request) -> str:
        texts = dict(shown_cues(said(ask)))
        return json.dumps(
            {"speakers": [{"id": each, "speaker": by_text.get(texts[each], UNKNOWN)} for each in ids_of(ask)]}
        )

    return answer


def asked(cues: Sequence[Cue], people: Sequence[Person], model: ScriptedModel) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        request = AskSpeakers(HERE, "film", tuple(cues), tuple(people), store=Path(folder) / "jobs.sqlite")
        return dict(ask_speakers(request, lambda _: model, StopRequest(), lambda _: None).names)


def with_a_model(cues: Sequence[Cue], voices: Mapping[str, np.ndarray], screenplay: Mapping[str, str]) -> None:
    """The cascade without any label, with a model's step and without."""
    nobody = [replace(cue, speaker=None) for cue in cues]
    people = [Person.named(name) for name in sorted({cue.speaker or "" for cue in cues})]
    gold = {cue.id: cue.speaker or "" for cue in cues}
    texts = {cue.text: cue.speaker or "" for cue in cues}
    names = [asked(nobody, people, ScriptedModel(like_the_papers(texts, seed))) for seed in range(ROUNDS // 5)]
    steps = {
        "no label: a model like the paper’s": [Evidence({}, each, {}) for each in names],
        "… and voices": [Evidence({}, each, voices) for each in names],
        "… and the screenplay": [Evidence(screenplay, each, voices) for each in names],
    }
    for step, evidence in steps.items():
        row(step, [speaker_score(gold, named(nobody, each, people), set(gold.values())) for each in evidence])


def main() -> None:
    cues = [cue for cue in dialogue(read_subtitles(FILM.sdh_srt)).cues if cue.kind is CueKind.SPEECH]
    began = time.perf_counter()
    with VoiceProcess() as process:
        voices = cue_voices(process, FILM.film, None, cues, {})
        took = time.perf_counter() - began
        print(f"sample film: {len(voices)} of {len(cues)} voices measured in {took:.1f} s")
        nameless = [replace(cue, speaker=None) for cue in cues]
        screenplay = dict(align(read_screenplay(FILM.screenplay), nameless).speakers)
        table(cues, voices, screenplay)
        with_a_model(cues, voices, screenplay)
        conversation = DATA / "media" / "vad" / "pyannote_sample.wav"
        if not conversation.is_file():
            print("the conversation is not in shared/data")
            return
        turns = [turn for turn in read_turns(conversation.with_suffix(".rttm")).turns if turn.span.length >= 500]
        spoken = [Cue(f"t{n}", t.span.start, t.span.end, "words", t.speaker) for n, t in enumerate(turns)]
        sounds = cue_sounds(conversation, None, [Span(cue.start, cue.end) for cue in spoken])
        found = {spoken[number].id: voice for number, sound in sounds if (voice := process.voice(sound)) is not None}
        print(f"conversation: {len(found)} of {len(spoken)} turns of half a second or more")
        table(spoken, found)


if __name__ == "__main__":
    main()
