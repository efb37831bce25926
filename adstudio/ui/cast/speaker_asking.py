"""A model asked who speaks, in the background: what keeps it from being asked, and its names as one step."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from adstudio.characters.speakers import FROM_MODEL, known_from_screenplay, unnamed_cues
from adstudio.connections import data_categories
from adstudio.connections.saved_connections import SavedConnection, read_connections
from adstudio.core.cast import SpeakerSource
from adstudio.core.counts import counted
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Policy
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.drafting.model.request_store import name_of_film
from adstudio.drafting.speakers.events import PROTOCOL, AskEvent, AskSpeakers, ShareAsked, SpeakersAsked
from adstudio.editing.speakers import set_speakers
from adstudio.store.media import locate_source
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.drafts.model_request import connection_for, find_refusal, limit_for
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.formatting import as_sentence

ASKING = "asking who speaks"
CRASHED = "Asking who speaks stopped unexpectedly; see the log. What had arrived is saved: start again to continue."
NOBODY = "A model names nobody but the characters of the project, and there are none yet: add them first."
READ_ONLY = "This project was opened to read, so no name could be kept in it: save it under another name."
ALL_NAMED = "Labels, the screenplay and you name every cue: there is nothing to ask."
STOPPED_FOR_POLICY = "Asking who speaks stopped: the sharing policy changed."


class SpeakerAsking(QObject):
    """The job behind Edit › Ask a model who speaks. The model is the one that was chosen last in any panel."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.session)
        self._session, self._preferences = context.session, context.preferences
        self._policy, self._asked = Policy(), Script(context.session.script.film)
        self.client = JobClient[AskSpeakers, AskEvent](
            context.jobs, self, PROTOCOL, (SpeakersAsked,), JobTexts(CRASHED)
        )
        self.client.received.connect(self._report)
        self.client.ended.connect(self._take)
        context.session.opened.connect(self.client.forget)
        context.session.storage.models_changed.connect(self._check_policy)
        context.actions.connect("edit.ask_speakers", self.ask, self._can_ask)

    def ask(self) -> None:
        """Ask about the cues that neither labels, the screenplay nor the describer name, if the project permits it."""
        session, project = self._session, self._session.project
        session.flush()
        script = session.script
        if project is None:
            return
        named = self._named()
        refusal = find_refusal(project, named, data_categories.SPEAKERS)
        unnamed = unnamed_cues(script.cues, known_from_screenplay(script.cues))
        obstacle = (
            READ_ONLY
            if project.read_only
            else refusal.sentence
            if refusal is not None
            else NOBODY
            if not script.people
            else ALL_NAMED
            if not unnamed
            else ""
        )
        if obstacle or named is None:
            session.messages.say(obstacle)
            return
        written = script.film.screenplay
        request = AskSpeakers(
            connection_for(project, named),
            name_of_film(script),
            script.cues,
            # Of people no more than their names and what they are called.
            tuple(replace(person, portraits=(), merged=()) for person in script.people),
            None if written is None else locate_source(written, project.path),
            limit_for(self._preferences, project.identity, named),
        )
        self._policy, self._asked = project.policy, script
        title = f"Asking {named.name} who speaks {counted(len(unnamed), 'cue')}"
        try:
            self.client.start(title, request)
        except AdstudioError as error:
            session.messages.say(f"{title} cannot be started: {error}.")
        else:
            session.messages.say(f"{title}. You can work on meanwhile.")

    def _named(self) -> SavedConnection | None:
        try:
            known = read_connections()
        except AdstudioError as error:
            self._session.messages.report(error)
            return None
        chosen = self._preferences.text("model", "")
        return next((each for each in known if each.name == chosen), known[0] if known else None)

    def _can_ask(self) -> bool:
        return self._session.project is not None and bool(self._session.script.cues) and not self.client.busy

    def _check_policy(self) -> None:
        """Stop a run that the project's policy, which has changed since, may no longer allow."""
        project = self._session.project
        if self.client.busy and (project is None or project.policy != self._policy):
            self.client.stop()
            self._session.messages.say(STOPPED_FOR_POLICY)

    def _report(self, event: ShareAsked) -> None:
        self.client.report(event.fraction, ASKING)

    def _take(self, answer: SpeakersAsked | Failed | None) -> None:
        messages = self._session.messages
        match answer:
            case Failed(message):
                messages.say(as_sentence(message))
            case SpeakersAsked():
                self._session.edits.attempt(lambda script: self._step(script, answer))
                messages.say(_said(answer))
            case None:
                pass

    def _step(self, script: Script, answer: SpeakersAsked) -> Step | None:
        """The names of cues that still say what was asked about."""
        before = {cue.id: cue.text for cue in self._asked.cues}
        now = {cue.id: cue.text for cue in script.cues}
        names = {
            cue: (name, SpeakerSource.MODEL, FROM_MODEL)
            for cue, name in answer.names
            if cue in now and before.get(cue) == now[cue]
        }
        return set_speakers(script, names, others_stay=True)


def _said(answer: SpeakersAsked) -> str:
    parts = [f"The model names {len(answer.names):,} of {counted(answer.asked, 'cue')}."]
    if answer.names:
        parts.append("Find speakers by voice carries the names on.")
    if answer.failed:
        parts.append(f"{counted(answer.failed, 'cue')} got no answer: {answer.why.rstrip('.')}.")
    if answer.stopped:
        parts.append("Stopped: ask again to go on.")
    elif answer.halted:
        parts.append(as_sentence(answer.halted))
    return " ".join(parts)
