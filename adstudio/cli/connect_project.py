"""`adstudio connect NAME --project P.adproj`: whether a project may ask a model, else why not; and letting it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.cli import model_options
from adstudio.cli.output import answer, say
from adstudio.connections import data_categories
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import Named
    from adstudio.core.policy import Policy, Sent


def connect_project(named: Named, path: Path, *, on_premises: bool, cloud: str | None, plain_http: bool = False) -> int:
    """Say whether the project may ask the model; with an option it may from now on, for the film that it has.

    Nothing is opened but the project. The exit code is 1 where it may not.

    Raises:
        BadInputError: for an option that is not about this model, or a provider's name that was not given.
        OutsideFailureError: where the project cannot be written, or the key is not there.
    """
    from adstudio.store.project import ProjectFile

    allowing = on_premises or cloud is not None
    with ProjectFile.open(path, read_only=not allowing) as project:
        if project.recoverable:
            raise BadInputError(
                f"{path} has steps after the last save: open it in the editor, keep them or let them go, and save"
            )
        kept, wanted = project.policy, data_categories.drafting(project.saved_script.people)
        if not allowing:
            why = _why_not(named, kept, wanted)
            answer([f"{path} may not ask {named.name}: {why}" if why else f"{path} may ask {named.name}"])
            return 1 if why else 0
        model_options.require_option(
            named, kept, on_premises=on_premises, cloud=cloud, sends=wanted, plain_http=plain_http
        )
        if model_options.is_allowed(named, kept, wanted):
            say(f"{path} may ask {named.name} already")
            return 0
        now = [f"nothing is sent now; this is about what {path} may send to {named.name} from now on"]
        policy = model_options.policy_for(
            named,
            kept,
            on_premises=on_premises,
            cloud=cloud,
            sends=wanted,
            estimated=now,
            plain_http=plain_http,
        )
        project.set_policy(policy)
        say(model_options.noted(path, kept, policy))
    return 0


def _why_not(named: Named, kept: Policy, wanted: frozenset[Sent]) -> str:
    if model_options.is_allowed(named, kept, wanted):
        return ""
    provider = model_options.cloud_of(named)
    option = "--on-premises" if provider is None else f"--cloud {provider}"
    return f"{model_options.why_not(kept)}; {option} allows it"
