"""Asking a model to draft: what keeps it from being asked, the film's cost limit, an estimate, and the request.

The cost limit is over all that is asked about a film; it is stored on this machine for each project.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.connections import data_categories
from adstudio.connections.model_access import Connection
from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.policy import Policy, Sent, sent_names
from adstudio.core.script import Rules, Scene, Script
from adstudio.drafting.limits import cost_limit
from adstudio.drafting.model.context import given_texts
from adstudio.drafting.model.request_store import JobStore, default_place, name_of_film
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.request import DraftRequest, ModelDraft
from adstudio.drafting.run_state import drafted_scenes
from adstudio.editing.redraft import is_human_work
from adstudio.llm.messages import Thinking
from adstudio.llm.policy_enforcement import LAPSES, concerns
from adstudio.store.project import ProjectFile
from adstudio.ui.drafts.messages import estimate_words, exact_money
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.widgets.formatting import as_sentence

READ_ONLY = "This project was opened to read, so nothing that a model drafts could be kept in it."
NO_VIDEO = "A model is shown the film’s pictures, and this project has no video."
NO_SCENES = "The film is not cut into scenes yet, and a model is asked scene by scene."
NO_CONNECTION = "No model is known here yet: say which one may be asked, and where it is."
OFFLINE = "This project is offline: nothing of the film leaves this machine."
THE_LIMIT = "Limit…"
LIMIT_HELP = "Say how much the film may cost"
UNKNOWN = (
    "Some requests for this film went to a model whose price is not known, so the limit cannot be kept: remove it to"
    " continue."
)

OpenModels = Callable[[str], None]
"""Opens a page of the models' settings: policy, connections, people, prompts or log."""


@dataclass(frozen=True)
class Obstacle:
    """Why nothing can be started, and what leads out of it: a page of the models' settings, an action, or the limit."""

    sentence: str
    button: str = ""
    page: str = ""
    action: str = ""
    limit: bool = False
    """Whether it is the limit of what the film may cost."""


RAISE = Obstacle("", THE_LIMIT, limit=True)
"""Nothing is in the way, and the limit may be raised."""


def find_obstacle(project: ProjectFile | None, script: Script, named: SavedConnection | None) -> Obstacle | None:
    """What keeps a model from being asked; None where nothing does. Nothing is opened."""
    if project is None:
        return Obstacle("")
    if project.read_only:
        return Obstacle(READ_ONLY, "Save as…", action="file.save_as")
    if script.film.media is None:
        return Obstacle(NO_VIDEO, "Relink video…", action="file.relink")
    if not script.scenes:
        return Obstacle(NO_SCENES, "Scenes from shots…", action="scene.from_shots")
    return find_refusal(project, named, data_categories.drafting(script.people))


def find_refusal(project: ProjectFile, named: SavedConnection | None, sent: frozenset[Sent]) -> Obstacle | None:
    """Why no model may be sent this: none is known, or the policy forbids it; None where one may."""
    if named is None and project.policy.rule != "offline":
        return Obstacle(NO_CONNECTION, "Connections…", page="connections")
    sentence = forbidden(named, project.policy, sent)
    return Obstacle(sentence, "Privacy…", page="policy") if sentence else None


def forbidden(named: SavedConnection | None, policy: Policy, sent: frozenset[Sent]) -> str:
    """Why the policy does not let the model be sent this, as a sentence; empty where it does."""
    if policy.lapse is not None:
        return as_sentence(LAPSES[policy.lapse])
    if named is None or policy.rule == "offline":
        return OFFLINE
    try:
        named.connection(policy).require_allowed()
    except AdstudioError as error:
        return as_sentence(str(error))
    consent = policy.confirmed
    if consent is None or not concerns(consent, named.kind, named.host):
        return ""
    missing = sent_names(sent - consent.sends)
    return f"Sending this project’s {missing} to {consent.provider} was not confirmed." if missing else ""


def limit_key(identity: str) -> str:
    """The preference that stores the limit of a project, by its identity."""
    return f"draft_most_cost/{identity}"


def stored_limit(preferences: Preferences, identity: str) -> int | None:
    """What a project's film may cost, in millionths of a US dollar; None without a limit, or where none is open."""
    try:
        return cost_limit(preferences.text(limit_key(identity), "")) if identity else None
    except BadInputError:
        return None


def limit_for(preferences: Preferences, identity: str, named: SavedConnection | None) -> int | None:
    """The limit as it applies to a model: none to one that costs nothing, or whose price is not known."""
    bound = named is None or (named.capabilities.price_known and not named.capabilities.free)
    return stored_limit(preferences, identity) if bound else None


def over_limit(script: Script, most_micro_usd: int | None) -> Obstacle | None:
    """That the film has already cost what it may; None where it has not. Nothing is asked or opened."""
    if most_micro_usd is None or not default_place().exists():
        return None
    try:
        with JobStore(default_place()) as jobs:
            spent = jobs.totals(name_of_film(script)).usage.micro_usd
    except AdstudioError:
        # The error is reported when the draft is started.
        return None
    if spent is None:
        return Obstacle(UNKNOWN, THE_LIMIT, limit=True)
    if spent < most_micro_usd:
        return None
    text = f"The film has cost {exact_money(spent)} of the {exact_money(most_micro_usd)} that it may"
    return Obstacle(f"{text}: raise the limit to go on.", THE_LIMIT, limit=True)


def estimated(
    script: Script,
    scenes: Sequence[Scene],
    named: SavedConnection,
    cuts: Sequence[int],
    *,
    anew: bool = False,
    thinking: Thinking = "off",
) -> str:
    """What drafting these scenes will take, in words; rather too much than too little. `anew`: uncached."""
    from adstudio.drafting.model.estimate import estimate
    from adstudio.drafting.model.requests import FilmSeen

    film = FilmSeen(Path(), script.film.end, cuts=tuple(cuts), people=script.people)
    given = given_texts(script)
    texts = given.by_scene
    found = estimate(film, scenes, named.capabilities, described=texts, texts=texts, thinking=thinking)
    ids = {scene.id for scene in scenes}
    replaced = any(line.scene in ids and not is_human_work(script, line) for line in script.eventualities)
    reused = not anew and not ids.isdisjoint(drafted_scenes(script))
    described = len(ids.intersection(given.description))
    return estimate_words(found, replaced=replaced, reused=reused, described=described)


def connection_for(project: ProjectFile, named: SavedConnection) -> Connection:
    """The connection that a project has to a model."""
    identity = project.identity
    return named.connection(project.policy, project=project.path.name, salt=identity, identity=identity)


def request_for(
    project: ProjectFile, script: Script, named: SavedConnection, scenes: Sequence[Scene], options: ModelOptions
) -> DraftRequest:
    """What the process is asked to do: the script without what a model is not told."""
    needed = replace(script, eventualities=(), rules=Rules(), silences=(), openings=())
    return DraftRequest(
        project.path,
        script=needed,
        scenes=tuple(scene.id for scene in scenes),
        given=given_texts(script),
        model=ModelDraft(connection_for(project, named), named.name, options),
    )
