"""`adstudio connect NAME --project P.adproj`: shows or changes whether a project may use a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.cli import model_options
from adstudio.cli.output import print_lines, say, unsaved_changes
from adstudio.connections import data_categories
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.policy import Policy, Sent


def connect_project(
    named: SavedConnection, path: Path, *, on_premises: bool, cloud: str | None, plain_http: bool = False
) -> int:
    """Print whether the project may use the model; with an option, permit it from now on for the project's film.

    Nothing but the project is opened. Returns exit code 1 if the project may not use the model.

    Raises:
        BadInputError: for an option that does not apply to this model, or if the provider's name was not confirmed.
        OutsideFailureError: if the project cannot be written, or the key is missing.
    """
    from adstudio.store.project import ProjectFile

    allowing = on_premises or cloud is not None
    with ProjectFile.open(path, read_only=not allowing) as project:
        if project.recoverable:
            raise BadInputError(unsaved_changes(path))
        allowed, wanted = project.policy, data_categories.drafting(project.saved_script.people)
        if not allowing:
            why = _why_not(named, allowed, wanted)
            print_lines([f"{path} may not use {named.name}: {why}" if why else f"{path} may use {named.name}"])
            return 1 if why else 0
        model_options.require_option(
            named, allowed, on_premises=on_premises, cloud=cloud, sends=wanted, plain_http=plain_http
        )
        if model_options.is_allowed(named, allowed, wanted):
            say(f"{path} may use {named.name} already")
            return 0
        now = [f"nothing is sent now; this sets what {path} may send to {named.name} from now on"]
        policy = model_options.policy_for(
            named,
            allowed,
            on_premises=on_premises,
            cloud=cloud,
            sends=wanted,
            estimated=now,
            plain_http=plain_http,
        )
        project.set_policy(policy)
        say(model_options.noted(path, allowed, policy))
    return 0


def _why_not(named: SavedConnection, allowed: Policy, wanted: frozenset[Sent]) -> str:
    if model_options.is_allowed(named, allowed, wanted):
        return ""
    provider = model_options.cloud_of(named)
    option = "--on-premises" if provider is None else f"--cloud {provider}"
    return f"{model_options.why_not(allowed)}; {option} allows it"
