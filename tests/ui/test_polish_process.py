"""The process that polishes, as the editor hears it: garbage without end, a sudden death, what it notes."""

from __future__ import annotations

import pytest
from model_work import ALLOWED, HOUSE, Scripted, film_script, says

from adstudio.drafting.events import Failed, Noted
from adstudio.drafting.polish.events import PROTOCOL, PolishFinished, PolishRequest
from adstudio.llm.messages import Usage
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.polish.polish_process import CRASHED, GARBLED, PolishProcess

OVER = PolishFinished(0, "", False, 2, Usage())


@pytest.fixture
def jobs(qapp):
    made = Jobs()
    yield made
    made.shut_down()
    made.deleteLater()


@pytest.fixture
def worker(tmp_path, monkeypatch) -> Scripted:
    return Scripted(tmp_path, monkeypatch)


@pytest.fixture
def run(jobs, worker, qtbot):
    """What a run ends with, by what the process does."""

    def ran(*course) -> tuple[PolishProcess, object]:
        worker.course = list(course)
        polisher, ends = PolishProcess(jobs, jobs), []
        polisher.ended.connect(ends.append)
        polisher.polish("Polishing", PolishRequest(film_script(), HOUSE.connection(ALLOWED), ()), 4)
        qtbot.waitUntil(lambda: bool(ends))
        assert not polisher.busy
        return polisher, ends[0]

    return ran


@pytest.mark.parametrize("noise", ["noise\n", '{"unknown": 1}\n'])
def test_endless_output_is_stopped(run, noise):
    assert run(["flood", noise])[1] == Failed(GARBLED)


def test_a_process_that_dies_is_told_of(run):
    assert run(["exit", 9])[1] == Failed(CRASHED)


def test_what_it_notes_is_kept_and_forgotten_with_the_next_run(run):
    (over,) = says(OVER, protocol=PROTOCOL)
    polisher, end = run(*says(Noted("one prompt was passed over"), protocol=PROTOCOL), over)
    assert (polisher.noted, end) == ("one prompt was passed over", OVER)
    polisher, end = run(over)
    assert polisher.noted == ""
