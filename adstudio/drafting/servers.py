"""The servers of a draft: a model that drafts, one that scores the lines; and what a project allows them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from adstudio.connections.model_access import Connection, provider_of
from adstudio.core.errors import BadInputError
from adstudio.core.policy import OFFLINE, Policy, merged
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Scene, Script
from adstudio.drafting import events
from adstudio.drafting.events import Emit, Estimated, ModelFinished, Noted
from adstudio.drafting.model.client import StoppedError, open_for_run
from adstudio.drafting.model.context import GivenTexts
from adstudio.drafting.model.direct import write_part
from adstudio.drafting.model.estimate import estimate
from adstudio.drafting.model.events import SceneDraft, SceneEvent
from adstudio.drafting.model.film_context import ready_segmenter
from adstudio.drafting.model.prompts import passed_over, prompts
from adstudio.drafting.model.request_store import FINISHED, JobStore, default_place
from adstudio.drafting.model.requests import FilmSeen, faces_left_out
from adstudio.drafting.model.run import Outcome, draft_film, film_name
from adstudio.drafting.model.scenes import draft_part
from adstudio.drafting.request import DraftRequest, ModelDraft
from adstudio.drafting.text.stages import Segmenter
from adstudio.drafting.weigh.script_weighing import left_alone, sends, weighed
from adstudio.llm.capabilities import capabilities_of
from adstudio.llm.policy_enforcement import LAPSES
from adstudio.llm.provider import FirstResponseProvider, Provider
from adstudio.media.clips import tidy
from adstudio.store.film_contents import FileState, hash_film, require_unchanged
from adstudio.system.stop_request import StopRequest

Permit = Callable[[Estimated], Policy]
"""Returns the policy for a draft with this estimate; raises if it is not permitted."""
OpenProvider = Callable[[Connection, bool], Provider]
"""Creates the provider of a connection, for embeddings if true."""


class StoppedDraftError(Exception):
    """The draft was stopped; what was received is cached, and the same request resumes there."""


def open_provider(connection: Connection, embeds: bool) -> Provider:
    """The provider of a connection; nothing is opened yet."""
    return provider_of(connection, embeds=embeds)


@dataclass
class Servers:
    """The servers of one draft. Without a `permit` the request's own policy applies, and nothing is estimated."""

    request: DraftRequest
    emit: Emit
    permit: Permit | None
    stop: StopRequest
    opened: OpenProvider
    segmenter: Segmenter | None
    drafted_under: list[Policy] = field(default_factory=list[Policy])
    weighed_under: list[Policy] = field(default_factory=list[Policy])

    def draft(
        self,
        model: ModelDraft,
        script: Script,
        scenes: Sequence[Scene],
        film: FilmSeen,
        given: GivenTexts,
        named: Callable[[SceneDraft], SceneDraft] | None = None,
    ) -> Outcome:
        """Have the model draft these scenes, under the policy that permits it; `named` words each as it comes.

        Raises:
            BadInputError: if that is not permitted.
            OutsideFailureError: if the film cannot be read.
            StoppedDraftError: if it was stopped.
        """
        film = replace(film, state=self.require_film(film.video))
        own, connection = dict(script.prompts), model.connection
        model = replace(model, options=replace(model.options, prompts=prompts(own)))
        segmenter, noted = self.segmenter, passed_over(own)
        if self.permit is not None:
            able = capabilities_of(connection.kind, connection.model, cloud=connection.cloud is not None)
            self._note(noted, faces_left_out(film, able.images))
            noted = ""
            estimated = _estimated(model, scenes, film, given, script.film.end)
            self.emit(estimated)
            connection = replace(connection, policy=self.permit(estimated))
            connection.require_allowed()
            if segmenter is None and not model.direct:
                segmenter = ready_segmenter(film.language)

        self.emit(Progress(Stage.DRAFTING))
        try:
            outcome = asyncio.run(
                self._ask_scenes(replace(model, connection=connection), scenes, film, given, segmenter, noted, named)
            )
        finally:
            tidy()
        states, totals = Counter(draft.state for draft in outcome.scenes), outcome.totals
        spent = (totals.asked, totals.usage, outcome.requests, outcome.usage, outcome.reused)
        self.emit(ModelFinished(states, outcome.halted, *spent))
        if self.permit is not None and not outcome.requests and connection.policy != model.connection.policy:
            self.emit(events.PolicyUnchanged())
        if self.stop.asked:
            raise StoppedDraftError
        return outcome

    @property
    def shows_film(self) -> bool:
        """Whether pictures of the film are sent."""
        weighing = self.request.weighing
        return self.request.model is not None or (weighing is not None and "clips" in sends(weighing.method))

    def require_film(self, video: Path) -> FileState:
        """Check that no permission was given for other content of the film, which is read for that if it is not known.

        Raises:
            BadInputError: if one was, or the film is missing.
            OutsideFailureError: if it cannot be read.
        """
        film = hash_film(video, lambda share: self.emit(Progress(Stage.CHECKING_VIDEO, share)))
        for each in (self.request.model, self.request.weighing):
            given = OFFLINE if each is None else each.connection.policy
            lapse = None if given.lapsed else given.valid_for_content(film.content).lapse
            if lapse is not None:
                raise BadInputError(f"nothing was sent: {LAPSES[lapse]}")
        return film.state

    async def _ask_scenes(
        self,
        model: ModelDraft,
        scenes: Sequence[Scene],
        film: FilmSeen,
        given: GivenTexts,
        segmenter: Segmenter | None,
        noted: str,
        named: Callable[[SceneDraft], SceneDraft] | None,
    ) -> Outcome:
        def hear(event: SceneEvent) -> None:
            self.emit(named(event) if named is not None and isinstance(event, SceneDraft) else event)

        async with open_for_run(lambda: self._provider(model.connection), self.stop, model.store) as run:
            provider, store, stop = run
            if self.permit is None:
                self._note(noted, faces_left_out(film, provider.capabilities.images))
            outcome = await draft_film(
                film,
                scenes,
                provider,
                store,
                model.options,
                texts=given.screenplay,
                descriptions=given.description,
                segmenter=segmenter,
                hear=hear,
                stop=stop,
                drafting=write_part if model.direct else draft_part,
            )
            return outcome if named is None else replace(outcome, scenes=tuple(map(named, outcome.scenes)))

    def weigh(self, script: Script) -> Script:
        """The script with its lines scored, as the request says; see `weigh.script_weighing.weighed`."""
        weighing = self.request.weighing
        if weighing is None:
            return script
        left = 0 if weighing.reviewed else left_alone(script)
        embeds, media = weighing.method != "model", script.film.media
        state = self.require_film(Path(media.path)) if media is not None and "clips" in sends(weighing.method) else None

        def opened() -> Provider:
            if media is not None and state is not None:
                # All clips are ready by now.
                require_unchanged(Path(media.path), state)
            return self._provider(weighing.connection, embeds=embeds, weighs=True)

        try:
            script, found = weighed(
                script,
                weighing,
                opened,
                self.emit,
                self.stop,
            )
        except StoppedError:
            raise StoppedDraftError from None
        self.emit(events.Weighed(len(found.saliences), found.asked, found.usage, found.missing, left))
        if self.stop.asked:
            raise StoppedDraftError
        return script

    def _provider(self, connection: Connection, *, embeds: bool = False, weighs: bool = False) -> Provider:
        """The provider of a connection; its policy counts as used once the server has answered."""
        used = self.weighed_under if weighs else self.drafted_under
        return FirstResponseProvider(self.opened(connection, embeds), lambda: used.append(connection.policy))

    def policy(self, previous: Policy) -> Policy:
        """What the project allows from now on: what this run was allowed, if the server has answered."""
        drafted = OFFLINE if self.request.model is None else (*self.drafted_under, previous)[0]
        if self.request.weighing is None:
            return drafted
        return merged(drafted, (*self.weighed_under, previous)[0])

    def _note(self, *sentences: str) -> None:
        if sentence := "; ".join(filter(None, sentences)):
            self.emit(Noted(sentence))


def _estimated(model: ModelDraft, scenes: Sequence[Scene], film: FilmSeen, given: GivenTexts, length: int) -> Estimated:
    connection, options, texts = model.connection, model.options, given.by_scene
    found = estimate(
        film,
        scenes,
        capabilities_of(connection.kind, connection.model, cloud=connection.cloud is not None),
        described=frozenset(texts),
        texts=texts,
        direct=model.direct,
        thinking=options.thinking,
    )
    before, store = events.Answered.NOTHING, model.store or default_place()
    if store.exists():
        name = film_name(film)
        with JobStore(store) as jobs:
            states = jobs.totals(name).states
            begun = options.anew and any(jobs.anew_since(name, scene.id) is not None for scene in scenes)
        # How many of them match the coming requests is not known before the clips are made.
        if not FINISHED.isdisjoint(states):
            anew = events.Answered.RESUMED_ANEW if begun else events.Answered.ASKED_ANEW
            before = anew if options.anew or begun else events.Answered.REUSED
    return Estimated(found, length, before)
