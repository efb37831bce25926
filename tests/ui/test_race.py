"""Two thousand edits, undos, redos and playhead moves while CP-SAT answers: nothing is lost, nothing comes late."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on, line
from PySide6.QtTest import QTest

from adstudio.core.film import Film
from adstudio.core.script import Cue, Scene, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import lines, occurrences, pins, regions, rules, scenes, wordings
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film import partition
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.film.live_plan import ProofState
from adstudio.planning.verify import verify
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.second_opinion import SecondOpinion
from adstudio.ui.session.session import Session

SCENES, SCENE_MS = 4, 30_000


def crowded_script(seed: int) -> Script:
    """Two minutes in four scenes, ten lines a scene, dialogue of three seconds every ten."""
    rng = random.Random(seed)
    end = SCENES * SCENE_MS
    found = []
    for number, start in enumerate(sorted(rng.sample(range(0, end - 3_000, 500), 10 * SCENES))):
        full = rng.randrange(1_500, 5_000, 300)
        found.append(
            line(f"e{number}", start, start + 2_000, rng.randint(1, 9) / 10, full, full * 6 // 10 // 300 * 300)
        )
    return Script(
        Film("A race", end),
        scenes=tuple(Scene(f"s{n}", Span(n * SCENE_MS, (n + 1) * SCENE_MS)) for n in range(SCENES)),
        cues=tuple(Cue(f"c{n}", at, at + 3_000, "So they say.") for n, at in enumerate(range(7_000, end, 10_000))),
        eventualities=tuple(found),
    )


class Hand:
    """Makes one random edit after the other; each is a function of the script, so that it can be done again."""

    def __init__(self, session: Session, rng: random.Random) -> None:
        self._session = session
        self._rng = rng

    def step(self) -> Step | None:
        rng, script, plan = self._rng, self._session.script, self._session.plan
        names = [e.id for e in script.eventualities]
        one = rng.choice(names)
        at = rng.randrange(0, script.film.end, 250)
        ids = self._session.edits.ids
        match rng.randrange(16):
            case 0:
                return pins.pin_in(script, (one,))
            case 1:
                return pins.pin_out(script, (one,))
            case 2 | 3 | 4:
                return pins.unpin(script, rng.sample(names, min(len(names), 8)))
            case 5:
                return lines.set_salience(script, (one,), rng.randrange(0, 1_000_000, 1_000))
            case 6:
                return wordings.rewrite(script, one, 0, " ".join(rng.choices(("a", "cat", "runs", "slowly"), k=7)))
            case 7:
                start = plan.by_element[one].start if one in plan.by_element else at
                return pins.pin_start(script, one, start + rng.choice((0, 0, 400)))
            case 8:
                return occurrences.move_occurrence(script, (one,), rng.choice((-500, 500)))
            case 9:
                return regions.draw_silence(script, ids, at, at + 1_000)
            case 10:
                return regions.delete_regions(script, [s.id for s in script.silences])
            case 11:
                return lines.new_line(script, ids, at, "Somebody passes by.") if len(names) < 60 else None
            case 12:
                return lines.delete_lines(script, (one,)) if len(names) > 30 else None
            case 13:
                pair = [names[place] for place in sorted(rng.sample(range(len(names)), 2))]
                make = rng.choice((rules.make_alternatives, rules.make_together))
                return make(script, pair)
            case 14:
                tied = [e for e in names if e in script.rules.mentioned]
                return rules.remove_rules_between(script, tied) if tied else None
            case _:
                return scenes.set_reviewed(script, (rng.choice(script.scenes).id,), on=rng.random() < 0.5)


@pytest.mark.parametrize("seed", [1, 2])
def test_two_thousand_edits_while_the_second_opinion_is_at_work(qapp, tmp_path: Path, monkeypatch, seed: int):
    monkeypatch.setattr(partition, "AT_ONCE", 0)  # what rules tie is left to the second opinion, which has news then
    rng = random.Random(seed)
    with desk_on(tmp_path, crowded_script(seed)) as desk:
        session = desk.session
        opinions = SecondOpinion(desk.session, desk.jobs, desk.actions)
        opinions._pause.setInterval(0)  # no waiting for the hand to rest: every state is asked about while edits go on
        news: list[ChangeEvent] = []
        answers = 0
        session.current_plan.changed.connect(news.append)
        hand = Hand(session, rng)
        past, future, here = [], [], session.script
        for number in range(1_000):
            news.clear()
            kind = rng.random()
            if kind < 0.12 and past:
                assert session.undo()
                future.append(here)
                here = past.pop()
            elif kind < 0.2 and future:
                assert session.redo()
                past.append(here)
                here = future.pop()
            elif kind < 0.35:
                session.cursor.show_playhead(rng.randrange(session.script.film.end))
                session.cursor.select_line(rng.choice(session.script.eventualities).id)
            else:
                made: list[Step] = []

                def make(_: Script, made: list[Step] = made) -> Step | None:
                    step = hand.step()
                    made.extend([] if step is None else [step])
                    return step

                if session.edits.attempt(make):
                    past.append(here)
                    future.clear()
                    here = made[0].apply(here)
                    assert len(news) == 1
            assert session.script == here, f"edit {number} was lost"
            sound(session, number)
            before = len(news)
            QTest.qWait(rng.choice((0, 0, 0, 0, 0, 5, 30)))
            if number % 100 == 99:
                until_answered(session, opinions)  # now and then the hand rests
            for each in news[before:]:
                answers += each.change is None
                sound(session, number)
            assert session.script == here
        assert answers > 0, "the second opinion never spoke, so there was no race"
        until_answered(session, opinions)
        sound(session, -1)
        whole = plan_film(session.script, session.gaps)
        if whole.objective is not None:
            assert session.plan.objective == whole.objective
        assert session.current_plan.outcome.proof.state is not ProofState.DISPUTED
        project = session.project
        assert project is not None
        opinions.close()
        copy = tmp_path / "copy.adproj"
        copy.write_bytes(project.path.read_bytes())
        with ProjectFile.open(copy) as again:
            assert again.document(RestorePoint.LAST_STEP, on_failure=pytest.fail).script == here


def sound(session: Session, number: int) -> None:
    """The plan that is shown keeps every rule and pin of the very script that is there, conflicts apart."""
    script, outcome = session.script, session.current_plan.outcome
    assert session.gaps == gaps_of(script).gaps
    assert set(outcome.plan.by_element) <= set(script.eventuality_index), f"after edit {number} the plan is stale"
    if outcome.suspended:
        return
    problem = film_problem(script, session.gaps)
    found = verify(problem_json(problem), plan_json(outcome.plan))
    assert not found, f"after edit {number}: {found[:3]}"


def until_answered(session: Session, opinions: SecondOpinion) -> None:
    for _ in range(3_000):
        if not session.current_plan.outcome.open and not opinions.working:
            return
        QTest.qWait(10)
    pytest.fail(f"still open: {[(request.scene, request.purpose) for request in session.current_plan.outcome.open]}")


def test_the_same_race_gives_the_same_script(qapp, tmp_path: Path):
    found = []
    for run in range(2):
        folder = tmp_path / str(run)
        folder.mkdir()
        with desk_on(folder, replace(crowded_script(7))) as desk:
            hand = Hand(desk.session, random.Random(7))
            for _ in range(60):
                desk.session.edits.attempt(lambda _, hand=hand: hand.step())
            found.append(desk.session.script)
    assert found[0] == found[1]
