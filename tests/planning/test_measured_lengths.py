"""Lengths that become known: only what they change is planned again, and the plan is the one planned from cold."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import pytest
from random_films import random_film

from adstudio.core.document import Document
from adstudio.core.narration import LineVoice, Narrator, Pronunciation, VoiceSettings
from adstudio.core.plan import Status
from adstudio.core.script import Approval, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.steps import Replace, SetLexicon
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.incremental_problem import IncrementalProblem
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.preview_worker import PROTOCOL, Preview, Previewed, Previewer, film_parts
from adstudio.planning.film.sent_lengths import lengths_sent

ROUNDS = 12


@dataclass(frozen=True)
class Known:
    """Lengths by text, and in a lexicon's voice half as long again; nothing is predicted."""

    by_text: dict[str, int] = field(default_factory=dict[str, int])

    def measured(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        length = self.by_text.get(text)
        return None if length is None or not narrator.lexicon else length * 3 // 2 if voice else length

    def predicted(self, text: str, narrator: Narrator, voice: LineVoice | None) -> int | None:
        length = self.by_text.get(text)
        return None if length is None or narrator.lexicon else length + len(text) * 10

    def changed_from(self, before: object, narrator: Narrator) -> None:
        return None


def voiced_film(seed: int) -> tuple[Script, Known, tuple]:
    """A film whose lines have texts in place of lengths of their own."""
    script, gaps = random_film(seed)
    known: dict[str, int] = {}
    lines = []
    for line in script.eventualities:
        texts = [f"{line.id} {number}" + " word" * number for number, _ in enumerate(line.variants)]
        known |= {text: variant.duration for text, variant in zip(texts, line.variants, strict=True)}
        lines.append(replace(line, variants=tuple(Variant(text) for text in texts)))
    voice = VoiceSettings("espeak-ng")
    return (
        replace(script, eventualities=tuple(lines), voice=voice, lexicon=(Pronunciation("a", "b"),)),
        Known(known),
        gaps,
    )


@pytest.mark.parametrize("seed", range(8))
def test_every_batch_of_lengths_gives_the_plan_that_is_planned_from_cold(seed: int) -> None:
    script, whole, gaps = voiced_film(seed)
    rng = random.Random(seed)
    document, planner = Document(script), FilmPlanner(script, gaps)
    for number in range(ROUNDS):
        some = dict(rng.sample(sorted(whole.by_text.items()), len(whole.by_text) * (number + 1) // ROUNDS))
        document.refresh_lengths(Known({text: length + rng.choice((0, 300)) for text, length in some.items()}))
        if number == ROUNDS // 2:
            document.apply(SetLexicon(document.script.lexicon, ()))
        outcome = planner.replan(document.script, gaps)
        assert planner.problem.elements == FilmPlanner(document.script, gaps).problem.elements
        cold = solve_exact(planner.problem)
        if cold.status is Status.OPTIMAL:
            assert outcome.plan.objective == cold.objective


def test_only_lines_that_last_otherwise_get_other_elements() -> None:
    script, known, gaps = voiced_film(3)
    problem = IncrementalProblem()
    document = Document(script)
    document.refresh_lengths(known)
    before = problem.update(document.script, gaps)
    text = script.eventualities[5].variants[0].text
    document.refresh_lengths(Known({**known.by_text, text: known.by_text[text] + 40}))
    after = problem.update(document.script, gaps)
    changed = [
        place for place, pair in enumerate(zip(before.elements, after.elements, strict=True)) if pair[0] is not pair[1]
    ]
    assert changed == [5]
    assert after.elements[5].durations[0] == before.elements[5].durations[0] + 40
    assert after == film_problem(document.script, gaps)
    document.refresh_lengths(Known(dict(known.by_text) | {text: known.by_text[text] + 40}))
    assert problem.update(document.script, gaps) is after, "the same lengths, known by another object"


def test_another_speaking_rate_changes_the_lines_that_go_by_it() -> None:
    script, known, gaps = voiced_film(3)
    document = Document(script)
    document.refresh_lengths(Known({"x": 1}))
    problem = IncrementalProblem()
    before = problem.update(document.script, gaps)
    faster = replace(document.script, settings=replace(script.settings, words_per_minute=100))
    after = problem.update(faster, gaps)
    assert after == film_problem(faster, gaps)
    assert all(one.durations != other.durations for one, other in zip(before.elements, after.elements, strict=True))
    assert known.by_text
    assert script.settings != Settings(words_per_minute=100)


def test_a_length_that_somebody_set_is_not_sent_as_the_voices() -> None:
    script, known, _ = voiced_film(3)
    first = script.eventualities[0]
    text = first.variants[0].text
    own = replace(first, variants=(replace(first.variants[0], duration=9_999), *first.variants[1:]))
    script = script.with_eventuality(0, own).with_changes(lengths=known)
    assert lengths_sent(script, (own,))[0] == known.by_text[text]


def test_an_accepted_line_is_planned_as_long_as_it_was_accepted() -> None:
    script, known, gaps = voiced_film(3)
    line = script.eventualities[2]
    accepted = replace(line, accepted=True, approval=Approval(0, 1000, 1234))
    document = Document(script)
    document.apply(Replace(line, accepted))
    document.refresh_lengths(known)
    assert film_problem(document.script, gaps).elements[2].durations[0] == 1234


def test_a_film_planned_ahead_in_a_process_goes_by_the_same_lengths() -> None:
    script, known, gaps = voiced_film(3)
    script = script.with_changes(lengths=known)
    plan = FilmPlanner(script, gaps).outcome.plan
    previewer = Previewer()
    for part in film_parts(script, plan):
        # Through the bytes that the process is sent.
        previewer.answer(PROTOCOL.read_request(PROTOCOL.request_line(part)))
    answer = previewer.answer(Preview(script.settings, script.film.language))
    assert isinstance(answer, Previewed)
    lengths = {each.element: each.end - each.start for each in answer.plan.deliveries}
    assert lengths
    for name, length in lengths.items():
        line = script.eventuality(name)
        variant = answer.plan.by_element[name].variant
        assert length == script.planned_duration(line, variant)
    twice = replace(script.settings, words_per_minute=2 * script.settings.words_per_minute)
    faster = previewer.answer(Preview(twice, script.film.language))
    assert isinstance(faster, Previewed)
    for delivery in faster.plan.deliveries:
        line = script.eventuality(delivery.element)
        assert abs(delivery.end - delivery.start - script.planned_duration(line, delivery.variant) / 2) <= 1
