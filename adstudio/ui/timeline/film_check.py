"""Finds out in the background whether the open project's video is, all of it, the film that may be shared.

Only a project with a permission is checked, and only once for each state of its file, by a job after those of the
timeline. Drafting does not rely on that: it checks the film itself before anything is sent.
"""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QObject

from adstudio.core.errors import AdstudioError
from adstudio.core.policy import Lapse
from adstudio.llm.policy_enforcement import LAPSES
from adstudio.media.messages import HASHING, PROTOCOL, Event, FilmHashed, HashFilm, Request, crashed
from adstudio.store.film_contents import FileState, known_content, state_of
from adstudio.system.worker import Failed
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader

log = logging.getLogger(__name__)

TITLE = "Check of the video"


class FilmCheck(QObject):
    """Has the film of `films` hashed, binds the project's permission to it, or says that it is another film."""

    def __init__(self, context: Context, films: FilmLoader) -> None:
        super().__init__(context.session)
        self._session, self._films = context.session, films
        self._client = JobClient[Request, Event](
            context.jobs, self, PROTOCOL, (FilmHashed,), JobTexts(crashed(HASHING))
        )
        self._client.received.connect(lambda event: self._client.report(event.fraction, HASHING))
        self._client.ended.connect(self._hashed)
        self._read: tuple[Path, FileState] | None = None
        """The file that was read last, whether that succeeded or not."""
        self._was_other = False
        films.finished.connect(self._check)
        context.session.opened.connect(self._forget)
        context.session.storage.models_changed.connect(self._check)

    @property
    def working(self) -> bool:
        """Whether a film is being read."""
        return self._client.busy

    def _forget(self) -> None:
        self._client.forget()
        self._read, self._was_other = None, False

    def _check(self) -> None:
        project, source = self._session.project, self._films.source
        if project is None or source is None or self._client.busy:
            return
        video, state = source[0], state_of(source[0])
        permitted = project.policy.rule != "offline"
        if permitted and state is not None and not known_content(video) and self._read != (video, state):
            self._read = video, state
            self._client.start(TITLE, HashFilm(video))
        else:
            self._settle()

    def _hashed(self, answer: FilmHashed | Failed | None) -> None:
        if isinstance(answer, Failed):
            # The film may still be shared, by its size and samples.
            log.warning("the film cannot be checked: %s", answer.message)
        # There may be another film by now.
        self._check()

    def _settle(self) -> None:
        """Bind the permission to what is known of the film by now, or say that it was given for another."""
        project = self._session.project
        if project is None:
            return
        try:
            bound = project.bind_policy()
        except AdstudioError as error:
            self._session.messages.report(error)
            return
        was_other, self._was_other = self._was_other, project.policy.lapse is Lapse.CHANGED_FILM
        if self._was_other and not was_other:
            self._session.messages.say(f"Nothing of the film is shared: {LAPSES[Lapse.CHANGED_FILM]}.")
        if bound or self._was_other != was_other:
            self._session.storage.models_changed.emit()
