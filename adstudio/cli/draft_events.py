"""What `adstudio draft` prints while it works, and at the end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.cli.interrupt import Stopped, stopping
from adstudio.cli.model_options import not_noted, noted
from adstudio.cli.output import length, oddities_json, print_oddities, say, words
from adstudio.core.counts import counted
from adstudio.core.errors import Oddity, OutsideFailureError
from adstudio.core.json_reading import json_bytes
from adstudio.core.policy import Policy
from adstudio.core.progress import Progress, progress_text
from adstudio.drafting import events
from adstudio.drafting.events import DraftEvent, Estimated, Finished, ModelFinished, PlanSummary, Weighed
from adstudio.drafting.model.cost import dollars
from adstudio.drafting.model.events import Delayed, SceneDraft, SceneState, Spent
from adstudio.drafting.request import Existing

if TYPE_CHECKING:
    from adstudio.drafting.request import DraftRequest
    from adstudio.drafting.servers import Permit
    from adstudio.llm.messages import Usage

PRINTED_TIMES = 10
"""How many times progress is printed where standard error is not a terminal."""
MOST_NAMES = 8
"""Characters of the cast that are printed by name."""
MOST_TROUBLES = 5
"""How many different reasons for retrying are printed there."""

_BEFORE = {
    events.Answered.REUSED: (
        "what was answered before is reused, as long as the same model is asked in exactly the same way"
    ),
    events.Answered.ASKED_ANEW: "everything is asked again, whatever was answered before",
    events.Answered.RESUMED_ANEW: (
        "an earlier draft of this film with --anew was interrupted; it continues, and reuses what was answered since it"
        " began"
    ),
}


class DraftPrinter:
    """Prints the events of one draft.

    `previous` is the policy that the project had before; the lines of `passed_over` are printed at the end.
    """

    def __init__(
        self, request: DraftRequest, previous: Policy, report: Path | None, passed_over: Sequence[str] = ()
    ) -> None:
        self._request, self._previous, self._report, self._passed_over = request, previous, report, passed_over
        self._name = "" if request.model is None else request.model.name
        self._status = words.status("drafting")
        self._scenes, self._done, self._due, self._spent = 0, 0, 1, ""
        self._troubles: set[str] = set()
        self._model: ModelFinished | None = None
        self._weighed: Weighed | None = None
        self._finished: Finished | None = None

    def run(self, permit: Permit | None) -> None:
        """Run the request and print its events; `permit` is called before a model is asked.

        Raises:
            OutsideFailureError: if something is missing at the end; the project is written all the same.
            Stopped: if the user stopped it.
        """
        from adstudio.drafting.servers import StoppedDraftError
        from adstudio.drafting.service import DraftRun

        def with_terminal(permit: Permit) -> Permit:
            def permitted(estimated: Estimated) -> Policy:
                # The user may have to type a name.
                self._status.stop()
                try:
                    return permit(estimated)
                finally:
                    self._status.start()

            return permitted

        run = DraftRun(self._request, self, None if permit is None else with_terminal(permit))
        with stopping(run.stop) as signals:
            try:
                with self._status:
                    run.run()
            except (StoppedDraftError, KeyboardInterrupt):
                if self._model is not None:
                    self._tell_stopped(self._model)
                if signals:
                    raise Stopped(signals[0]) from None
                raise
        self._tell_finished()

    def __call__(self, event: DraftEvent) -> None:
        """Print an event, or store it for the end."""
        match event:
            case Progress():
                self._status.update(progress_text(event))
            case Spent(usage):
                self._spent = f", {usage_words(usage)}"
                self._show()
            case SceneDraft(state=state):
                self._done += state not in (SceneState.STOPPED, SceneState.LIMITED)
                self._show()
            case Delayed(why=why):
                self._tell_delayed(why)
            case Estimated():
                self._scenes = event.estimate.scenes
            case Weighed():
                self._weighed = event
            case Finished():
                self._finished = event
            case _:
                for line in self._lines(event):
                    say(line)

    def _lines(self, event: DraftEvent) -> Iterator[str]:
        output = self._request.project
        match event:
            case events.Noted(sentence):
                yield sentence
            case ModelFinished():
                self._model = event
                yield from spent_lines(event, self._name)
            case events.PolicyUnchanged():
                yield not_noted(output)
            case events.PolicyChanged(before, after):
                yield noted(output, before, after)
            case events.Resumed():
                yield (
                    f"{output} exists and is of this film, so the draft continues in it: its scenes, dialogue, settings"
                    " and everything people did in it stay; it is re-planned"
                )
            case events.NothingToDraft(people):
                yield (
                    "nothing to ask: every scene that is not reviewed is already complete (--anew asks for everything"
                    " again)"
                )
                if people:
                    yield "--person has no effect here, because nothing was asked: the project’s people stay"
            case events.Landed():
                yield from _landed_lines(event, output)
            case _:
                pass

    def _show(self) -> None:
        line = f"{self._name}: {self._done} of {counted(self._scenes, 'scene')}{self._spent}"
        self._status.update(line)
        if not words.is_terminal and self._done * PRINTED_TIMES >= self._due * self._scenes:
            self._due = self._done * PRINTED_TIMES // max(self._scenes, 1) + 1
            say(line)

    def _tell_delayed(self, why: str) -> None:
        line = f"{self._name}: {why.rstrip('.')}; retrying"
        self._status.update(line)
        if not words.is_terminal and why not in self._troubles and len(self._troubles) < MOST_TROUBLES:
            self._troubles.add(why)
            say(line)

    def _tell_stopped(self, model: ModelFinished) -> None:
        done = model.states.get(SceneState.DONE, 0) + model.states.get(SceneState.PARTIAL, 0)
        say(
            f"stopped after {done} of {counted(model.scenes, 'scene')}; everything received is kept, and the same"
            " command continues from there without asking again for what was answered"
        )

    def _tell_finished(self) -> None:
        from adstudio.system.files import write_atomically

        finished, weighed = self._finished, self._weighed
        if finished is None:
            return
        if self._report is not None:
            odd = [*finished.oddities, *finished.notes, *self._not_weighed()]
            write_atomically(self._report, json_bytes(oddities_json(odd)))
        print_oddities(finished.oddities)
        for line in (*_timed_lines(finished), *self._passed_over):
            say(line)
        if weighed is not None:
            self._tell_weighed(weighed)
        for line in _plan_lines(finished):
            say(line)
        self._require_whole(finished)

    def _tell_weighed(self, weighed: Weighed) -> None:
        weighing = self._request.weighing
        if weighing is None:
            return
        if weighed.left:
            lines = "1 line of a reviewed scene keeps its salience"
            lines = lines if weighed.left == 1 else f"{weighed.left:,} lines of reviewed scenes keep their salience"
            say(f"{lines} (--weigh-reviewed scores them too)")
        took = (
            f"{counted(weighed.asked, 'request')}, {weighed.usage.tokens_in:,} tokens in"
            if weighed.asked
            else "from cached answers"
        )
        say(f"{counted(weighed.lines, 'line')} scored by {weighing.name} ({weighing.method}): {took}")
        print_oddities(self._not_weighed())
        if not weighed.asked and not weighed.missing and weighing.connection.policy != self._previous:
            say(not_noted(self._request.project))

    def _not_weighed(self) -> list[tuple[str, Oddity]]:
        """Why scenes were not weighed."""
        weighing, weighed = self._request.weighing, self._weighed
        if weighing is None or weighed is None:
            return []
        return [
            (weighing.name, Oddity(f"scene {scene} was not scored and keeps its salience: {why}"))
            for scene, why in weighed.missing.items()
        ]

    def _require_whole(self, finished: Finished) -> None:
        # Without the video, the project cannot be recognised as one of this film.
        forced = self._request.existing is Existing.REPLACE
        again = "the same command with --force"
        if self._request.sources.video is not None:
            again = f"the same command{' without --force' * forced}"
        missing = 0 if self._weighed is None else len(self._weighed.missing)
        if missing:
            raise OutsideFailureError(
                f"{missing} of {max(finished.scenes, missing)} scenes were not scored, for the reasons above: once that"
                f" is fixed, {again} asks only for those"
            )
        if self._model is not None and self._model.incomplete:
            raise OutsideFailureError(
                f"{self._model.incomplete} of {finished.scenes} scenes are incomplete, for the reasons above;"
                f" {finished.project} holds what was received. Once that is fixed, {again} continues in it and asks"
                " only for what is missing (with --again, also for what was withheld or cut off); or draft them in the"
                " editor"
            )


def estimate_lines(estimated: Estimated) -> Iterator[str]:
    """How much a model will be asked, and whether earlier answers are reused."""
    found = estimated.estimate
    scenes = f"{counted(found.scenes, 'scene')} of {length(estimated.length)}"
    yield f"{scenes}: about {found.requests_text}, some {usage_words(found.usage)}"
    if estimated.before in _BEFORE:
        yield _BEFORE[estimated.before]


def spent_lines(model: ModelFinished, name: str) -> Iterator[str]:
    """What was drafted, what this run used, and what all runs have used if that is more."""
    whole, part = model.states.get(SceneState.DONE, 0), model.states.get(SceneState.PARTIAL, 0)
    some = f", {part} in part" if part else ""
    scenes = f"{whole} of {counted(model.scenes, 'scene')}"
    reused = sum(model.reused.values())
    models = ", ".join(sorted(model.reused))
    if model.requests or not reused:
        before = f"; {counted(reused, 'answer')} of {models} reused" if reused else ""
        took = (
            f"{name} drafted {scenes}{some}: {counted(model.requests, 'request')}, {usage_words(model.usage)}{before}"
        )
    else:
        took = f"{scenes} complete{some}: no request was made, {counted(reused, 'answer')} of {models} reused"
    more = model.asked > model.requests
    so_far = f" (so far in total: {counted(model.asked, 'request')}, {usage_words(model.total)})" if more else ""
    yield f"{took}{so_far}"


def usage_words(usage: Usage) -> str:
    """Tokens and money for a person."""
    thought = f", {usage.tokens_thought:,} thought" if usage.tokens_thought else ""
    tokens = f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} out{thought}"
    if usage.micro_usd is None:
        return f"{tokens}, price unknown"
    return f"{tokens}, {dollars(usage.micro_usd)}" if usage.micro_usd else tokens


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return f"{', '.join(names[:MOST_NAMES])}{f' and {more:,} more' if more > 0 else ''}"


def _landed_lines(landed: events.Landed, output: Path) -> Iterator[str]:
    if landed.scenes:
        yield f"{counted(landed.scenes, 'scene')} inserted into {output}"
    if landed.steps and not landed.saved:
        these = "1 unsaved step" if landed.steps == 1 else f"{landed.steps:,} unsaved steps"
        yield (
            f"people have worked on {output}, so what is new is in it as {these}: in the editor each can be"
            " undone; adstudio save keeps all, with --discard none (export --unsaved exports them as they are)"
        )


def _timed_lines(finished: Finished) -> Iterator[str]:
    """How many of the lines that a model wrote with times can be spoken (the paper's realistic filter)."""
    from adstudio.drafting.model.timed_lines import FASTEST

    found = finished.realistic
    if found is None:
        return
    yield (
        f"of {counted(found.lines, 'line')} that the model wrote, {found.realistic} can be spoken as written:"
        f" {found.fast} faster than {FASTEST} words a minute, {found.outside} overlapping dialogue by more than a"
        f" second, {found.overlapping} starting before the previous line ends"
    )
    if found.unheld:
        yield (
            f"{counted(found.unheld, 'line')} not entirely within a gap: locked where the model put "
            f"{'it' if found.unheld == 1 else 'them'} anyway"
        )


def _plan_lines(finished: Finished) -> Iterator[str]:
    """How well the screenplay matches the film, which rules the lines suggest, and the plan in figures."""
    from adstudio.delivery.spoken_counts import described_in_lines
    from adstudio.drafting.text.align.match import match_summary

    report, plan = finished.report, finished.plan
    if report is not None:
        yield from match_summary(report.words, report.scenes)
        penalties, requires = len(report.repetitions), len(report.needs)
        if penalties or requires:
            kinds = [f"{counted(penalties, 'pair')} of lines that say the same"] if penalties else []
            kinds += [f"{counted(requires, 'line')} to be spoken only with another"] if requires else []
            state = "applied" if report.rules_set else "suggested"
            hint = "" if report.rules_set else " (--suggest-rules applies them)"
            yield f"rules {state}: {', '.join(kinds)}{hint}"
        if report.characters:
            yield f"{counted(len(report.characters), 'character')} in the cast: {_listed(report.characters)}"
        if report.described:
            lines = counted(len(report.described), "line")
            say_what = "says" if len(report.described) == 1 else "say"
            yield f"{lines} {say_what} what people are (“a clerk”), coming before the film has named them"
    if plan is not None:
        yield f"timecode: {plan.rate} frames a second, starting at {plan.first_label}"
        yield (
            f"{finished.project}: {plan.status.value}, {described_in_lines(plan.counts)},"
            f" {length(plan.used)} of {length(plan.free)} free in {counted(plan.gaps, 'gap')} used"
        )
        if plan.counts.items and not plan.counts.spoken:
            yield f"nothing is spoken: {_why_silent(plan, finished)}"


def _why_silent(plan: PlanSummary, finished: Finished) -> str:
    if not plan.gaps:
        return "under these settings no gap is left, so take other margins or a shorter least gap"
    return f"adstudio explain {shlex.quote(str(finished.project))} says why of each line"
