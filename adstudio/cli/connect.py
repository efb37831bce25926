"""`adstudio connect`: named connections to language models; their keys are stored in the system's keyring."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from adstudio.cli.model_options import (
    SendingOptions,
    is_allowed,
    noted,
    require_encrypted,
    require_key,
    why_not,
)
from adstudio.cli.options import argument, flag, grouped, option
from adstudio.cli.output import print_lines, say, unsaved_changes
from adstudio.connections import data_categories
from adstudio.core.errors import BadInputError, OutsideFailureError

if TYPE_CHECKING:
    from adstudio.connections.saved_connections import SavedConnection
    from adstudio.core.policy import Host
    from adstudio.llm.capabilities import Capabilities


SHOWN_MODELS = 20
LONGEST_LINE = 10_000
Kind = Literal["vllm", "openai", "gemini"]


@grouped
def connect(
    name: Annotated[str | None, argument("NAME", "Your name for it, for --llm NAME.")] = None,
    *,
    kind: Annotated[
        Kind | None,
        option("vllm|openai|gemini", "A vLLM server, another server that speaks the OpenAI protocol, or Gemini."),
    ] = None,
    url: Annotated[str | None, option("URL", "Its address, such as https://gpu.example:8000/v1.")] = None,
    model: Annotated[str | None, option("ID", "The name of the model on that server.")] = None,
    key: Annotated[
        bool | None,
        typer.Option("--key/--no-key", help="Ask for its key and store it in the system’s keyring; or it needs none."),
    ] = None,
    authority: Annotated[
        str | None, option("FILE", "Certificates (PEM) to trust instead of the system’s; '' goes back to those.")
    ] = None,
    every: Annotated[bool, flag("--list", "List all connections.")] = False,
    test: Annotated[bool, flag("--test", "Ask the server which models it has; nothing of a film is sent.")] = False,
    remove: Annotated[bool, flag("--remove", "Delete it, together with its key.")] = False,
    project: Annotated[Path | None, option("P.adproj", "Say whether this project may use it, and if not, why.")] = None,
    sending: SendingOptions,
) -> int:
    """Add, change, test or delete a connection to a model.

    A key is never an option: it is typed without being shown, or read from standard input if that is not a terminal.
    To another machine it goes over http:// only with --plain-http.
    With --project and --on-premises or --cloud, that project may use the connection from now on, for its current film.
    """
    from adstudio.connections.saved_connections import connection_named, read_connections

    name = None if name is None else name.strip()
    changes = any(each is not None for each in (kind, url, model, authority, key))
    if (sending.on_premises or sending.cloud is not None) and project is None:
        raise BadInputError("--on-premises and --cloud change a project's permissions: name it with --project P.adproj")
    if every + test + remove + (project is not None) > 1 or (changes and (every or remove or project is not None)):
        raise BadInputError("too many actions: change a connection, or use one of --list, --test, --remove, --project")
    if every:
        if name is not None:
            raise BadInputError("--list lists all connections: leave out the name")
        print_lines(_summary(each) for each in read_connections())
        return 0
    if name is None:
        raise BadInputError("no connection named: give its name, or --list to see them all")
    if remove:
        _forget(connection_named(name))
        return 0
    if changes:
        _save(name, kind, url, model, authority, key=key)
    named = connection_named(name)
    if test:
        return _test(named, plain_http=sending.plain_http)
    if project is not None:
        return _connect_project(named, project, sending)
    if not changes:
        print_lines([_summary(named)])
    return 0


def _connect_project(named: SavedConnection, path: Path, sending: SendingOptions) -> int:
    """Print whether the project may use the model; with an option, permit it from now on for the project's film.

    Nothing but the project is opened. Returns exit code 1 if the project may not use the model.

    Raises:
        BadInputError: for an option that does not apply to this model, or if the provider's name was not confirmed.
        OutsideFailureError: if the project cannot be written, or the key is missing.
    """
    from adstudio.store.project import ProjectFile

    allowing = sending.on_premises or sending.cloud is not None
    with ProjectFile.open(path, read_only=not allowing) as project:
        if project.recoverable:
            raise BadInputError(unsaved_changes(path))
        allowed, wanted = project.policy, data_categories.drafting(project.saved_script.people)
        may_use = is_allowed(named, allowed, wanted)
        if not allowing:
            option = "--on-premises" if named.cloud is None else f"--cloud {named.cloud}"
            why = "" if may_use else f": {why_not(allowed)}; {option} allows it"
            print_lines([f"{path} {'may' if may_use else 'may not'} use {named.name}{why}"])
            return 0 if may_use else 1
        if may_use:
            sending.require(named, allowed, wanted)
            say(f"{path} may use {named.name} already")
            return 0
        now = [f"nothing is sent now; this sets what {path} may send to {named.name} from now on"]
        policy = sending.policy(named, allowed, wanted, now)
        project.set_policy(policy)
        say(noted(path, allowed, policy))
    return 0


def _save(
    name: str, kind: Kind | None, url: str | None, model: str | None, authority: str | None, *, key: bool | None
) -> None:
    from adstudio.connections.saved_connections import (
        SavedConnection,
        change_connections,
        printable,
        read_connections,
        with_connection,
    )
    from adstudio.core.policy import OFFLINE
    from adstudio.llm.faults import KeyMissingError, NoKeyringError
    from adstudio.llm.keys import store_key, variable_of

    def wanted(known: Sequence[SavedConnection]) -> SavedConnection:
        before = next((each for each in known if each.name == name), None)
        if before is None:
            if kind is None:
                raise BadInputError(f"“{printable(name)}” is new: give its protocol with --kind vllm, openai or gemini")
            return SavedConnection(name, kind, model or "", url or "", bool(key), trusted)
        return replace(
            before,
            kind=before.kind if kind is None else kind,
            model=before.model if model is None else model,
            url=before.url if url is None else url,
            keyed=before.keyed if key is None else key,
            authority=before.authority if authority is None else trusted,
        )

    trusted = None if authority is None else _trusted(authority)
    before = read_connections()
    saved = wanted(before)
    is_new = all(each.name != name for each in before)
    saved.validate()
    if saved.kind == "gemini" and key is False:
        raise BadInputError("Gemini always needs a key: leave out --no-key")
    key_name = saved.connection(OFFLINE).key_name
    typed = _typed(f"Key for {key_name} (not shown): ") if key else ""
    without_keyring: NoKeyringError | None = None
    if key:
        try:
            # Before saving the connection, so that an invalid key changes nothing.
            store_key(key_name, typed)
        except NoKeyringError as error:
            without_keyring = error
        except KeyMissingError as error:
            what = "no key was typed" if not typed.strip() else str(error)
            raise BadInputError(f"{what}; nothing was changed") from None
    # Typing the key may have taken a while: the change applies to what is stored by now.
    change_connections(lambda known: with_connection(known, wanted(known), name))
    say(f"{'added' if is_new else 'changed'}: {_summary(saved)}")
    _warn_of_plain(saved)
    if without_keyring is not None:
        raise OutsideFailureError(
            f"the connection was saved, but not its key: {without_keyring}; or set the environment variable"
            f" {variable_of(key_name)} for each command"
        )
    if saved.kind == "gemini" and not key and not _has_key(key_name):
        say(f"it has no key yet: add one with adstudio connect {name} --key")


def _warn_of_plain(named: SavedConnection) -> None:
    """Warn that a key sent unencrypted is no secret: when it is stored, and when it is sent."""
    if named.keyed:
        warn_of_plain(named.host)


def warn_of_plain(host: Host) -> None:
    """Warn if a host is sent a key unencrypted."""
    from adstudio.llm.policy_enforcement import is_this_machine

    if host.plain and not is_this_machine(host.name):
        say(f"requests to {host} are not encrypted (http): anyone on the network in between can read its key")


def _has_key(key_name: str) -> bool:
    from adstudio.llm.faults import KeyMissingError
    from adstudio.llm.keys import key_of

    try:
        return key_of(key_name) is not None
    except KeyMissingError:
        return False


def _forget(named: SavedConnection) -> None:
    from adstudio.connections.saved_connections import change_connections
    from adstudio.core.policy import OFFLINE
    from adstudio.llm.faults import ClientMissingError, NoKeyringError
    from adstudio.llm.keys import delete_key, session_key, variable_of

    left = change_connections(lambda known: [each for each in known if each.name != named.name])
    say(f"removed: {_summary(named)}")
    mine = named.connection(OFFLINE)
    if not mine.keyed:
        return
    others = (each.connection(OFFLINE) for each in left)
    if any(other.keyed and other.key_name == mine.key_name for other in others):
        say(f"the key of {mine.key_name} was not removed: another connection uses it")
        return
    given = session_key(mine.key_name)
    try:
        delete_key(mine.key_name)
    except (NoKeyringError, ClientMissingError) as error:
        raise OutsideFailureError(
            f"the connection was removed, but a stored key of {mine.key_name} may remain: {error}; if there is one,"
            " remove it from the keyring (under adstudio)"
        ) from None
    if given is not None:
        say(f"the environment variable {variable_of(mine.key_name)} still holds a key: unset it")


def _test(named: SavedConnection, *, plain_http: bool) -> int:
    import asyncio

    from adstudio.connections.model_access import models_of
    from adstudio.core.policy import OFFLINE
    from adstudio.llm.faults import KeyRefusedError

    connection = named.connection(OFFLINE).for_test()
    if connection.keyed and not plain_http:
        require_encrypted(connection.host)
    require_key(named)
    host = connection.host
    _warn_of_plain(named)
    say(f"asking {host} which models it has; no film material is sent")

    try:
        models, capabilities = asyncio.run(models_of(connection))
    except KeyRefusedError as error:
        if connection.keyed:
            raise
        raise OutsideFailureError(
            f"{host} requires a key, and this connection has none: add one with adstudio connect {named.name} --key"
        ) from error
    if named.model not in models:
        shown = ", ".join(models[:SHOWN_MODELS]) or "none"
        more = f" and {len(models) - SHOWN_MODELS} more" if len(models) > SHOWN_MODELS else ""
        say(
            f"{host} responds, but has no model “{named.model}”: it has {shown}{more}; choose one with adstudio connect"
            f" {named.name} --model ID"
        )
        return 1
    say(f"{host} responds, and has {named.model}")
    for line in capable(named.model, capabilities):
        say(line)
    return 0


def capable(model: str, known: Capabilities) -> Iterator[str]:
    """What is known about a model, one sentence a line."""
    size = f"up to {known.tokens_in:,} tokens in and {known.tokens_out:,} out, {known.images} faces"
    if known.known:
        yield f"known model: {size}; thinking levels: {', '.join(known.levels)}"
    else:
        yield f"{model} is not a known model, so cautious limits apply: {size}"
    if not known.schema:
        yield "it does not support structured output, so more of its answers will have to be requested again"
    if known.usd_in is None or known.usd_out is None:
        yield "its price is unknown, so the cost of a film cannot be estimated"
    elif known.usd_in or known.usd_out:
        yield f"price for a million tokens: {known.usd_in:.2f} US dollars in, {known.usd_out:.2f} out"


def _summary(named: SavedConnection) -> str:
    parts = [named.name, named.kind, named.model, named.url or "at Google’s own address"]
    if named.keyed or named.kind == "gemini":
        parts.append("with a key")
    if named.authority is not None:
        parts.append(f"trusting {named.authority}")
    return " · ".join(parts)


def _typed(question: str) -> str:
    """A key typed on a terminal without echo, or the first line of standard input."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - it is where it is closed
        raise BadInputError("no terminal to type the key on, and no standard input to read it from")
    if not sys.stdin.isatty():
        return sys.stdin.readline(LONGEST_LINE)
    from getpass import getpass

    try:
        return getpass(question)
    except EOFError:
        raise BadInputError("no key was typed; nothing was changed") from None


def _trusted(authority: str) -> Path | None:
    """The file of trusted certificates; None for the system's, if the name is empty."""
    from adstudio.connections.saved_connections import require_certificates

    if not authority.strip():
        return None
    require_certificates(Path(authority))
    return Path(authority).absolute()
