"""`adstudio serve`: starts vLLM on this machine's GPUs behind one front; `--check` tests a running server."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from adstudio.cli.options import argument, flag, grouped, option
from adstudio.cli.output import print_lines, say, shows_progress, write_output
from adstudio.cli.streams import on_one_line
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.serving.check.client import CheckedServer
    from adstudio.serving.check.findings import Finding
    from adstudio.serving.keys import Keys
    from adstudio.serving.serve import Listener


@dataclass(frozen=True)
class ServerOptions:
    """What is started."""

    TITLE: ClassVar[str] = "Server"

    model: Annotated[str | None, option("ID", "The model or its folder (default: Qwen/Qwen3.5-27B-FP8).")] = None
    host: Annotated[str, option("H", "The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65_535, help="The port to listen on.")] = 8000
    gpus: Annotated[str | None, option("0,1", "GPUs to use: numbers, all (default) or none.")] = None
    weights: Annotated[float | None, option("GB", "Size of the model, if its name does not say.")] = None
    tls_cert: Annotated[Path | None, option("F", "TLS certificate (PEM).")] = None
    tls_key: Annotated[Path | None, option("F", "TLS key (PEM).")] = None
    body_mb: Annotated[int, typer.Option(metavar="MB", min=1, max=2_000, help="Largest request accepted.")] = 96
    vllm: Annotated[str | None, option("COMMAND", "The vLLM command (default: the one on the path).")] = None
    show: Annotated[bool, flag("--print", "Only print what would be started, with its environment.")] = False


@dataclass(frozen=True)
class CheckOptions:
    """Which running server is checked instead."""

    TITLE: ClassVar[str] = "Check"

    check: Annotated[str | None, option("URL", "Start nothing; check the server at this address.")] = None
    llm: Annotated[str | None, option("NAME", "For --check: the connection whose model and key to use.")] = None
    authority: Annotated[Path | None, option("F", "For --check: certificates to trust instead of the system’s.")] = None
    json_out: Annotated[bool, flag("--json", "For --check: print the findings as JSON.")] = False


@grouped
def serve(
    extra: Annotated[list[str] | None, argument("-- VLLM-OPTIONS", "Further options for vLLM, after --.")] = None,
    *,
    server: ServerOptions,
    checked: CheckOptions,
    key_file: Annotated[
        Path | None, option("F", "Keys, one per line (default: a key is generated once and stored in the keyring).")
    ] = None,
    plain: Annotated[
        bool,
        flag(
            "--plain", "Allow a network --host, or a key for --check, without TLS, because something else provides it."
        ),
    ] = False,
) -> int:
    """Serve a model to your describers with vLLM, or check such a server.

    With --check, the exit code is 1 if a check fails.
    """
    if checked.check is not None or checked.llm is not None:
        if extra or server.model is not None or server.show:
            raise BadInputError("--check tests a running server: leave out the options that start one")
        return _check(checked, key_file, plain=plain)
    if checked != CheckOptions():
        raise BadInputError("--authority and --json only apply to --check: leave them out")
    return _serve(extra or [], server, key_file, plain=plain)


def _serve(extra: list[str], options: ServerOptions, key_file: Path | None, *, plain: bool) -> int:
    from adstudio.serving.gpus import chosen_gpus, gpus_here
    from adstudio.serving.launch import DEFAULT_MODEL, flags_for
    from adstudio.serving.model_config import model_named
    from adstudio.serving.serve import Listener, commands, serve
    from adstudio.serving.vllm_program import vllm_here, vllm_to_show
    from adstudio.system.core_dumps import forbid_core_dumps

    if not options.show:
        forbid_core_dumps()  # before there are keys in memory
    listener = Listener(options.host, options.port, options.tls_cert, options.tls_key, options.body_mb * 1_000_000)
    listener.validate(plain=plain)
    served = model_named(options.model or DEFAULT_MODEL, options.weights)
    gpus = chosen_gpus(gpus_here(), options.gpus)
    keys = None if key_file is None else _keys_from_file(key_file)
    program = vllm_to_show(options.vllm) if options.show else vllm_here(options.vllm)
    fleet = flags_for(gpus, served, extra, flashinfer=program.flashinfer)
    for word in (*program.notes, *fleet.notes):
        say(word)
    if not options.show:
        return serve(fleet, program, served, listener, keys or _keys_from_keyring(listener), say)
    started = commands(fleet, program, served, Path("/run/adstudio"))
    for replica, planned in zip(started, fleet.replicas, strict=True):
        settings = [f"{name}={shlex.quote(value)}" for name, value in planned.environment]
        print_lines([" ".join([*settings, shlex.join(replica.command)])])
    return 0


def _keys_from_file(file: Path) -> Keys:
    from adstudio.serving.keys import keys_of_file, readable_by_others

    if file == Path():
        raise BadInputError("--key-file is empty: name a file that holds a key, or leave it out to generate one")
    keys = keys_of_file(file)
    if readable_by_others(file):
        say(f"{file} is readable by other users of this machine: run chmod 600 on it")
    return keys


def _keys_from_keyring(listener: Listener) -> Keys:
    from adstudio.llm.policy_enforcement import host_of
    from adstudio.serving.keys import hints, keys_of_keyring

    place = str(host_of(listener.url))
    keys = keys_of_keyring(place)
    if not keys.generated:
        say(f"using the stored key for {place} ({hints(keys.secrets)})")
    elif not shows_progress() and not keys.stored:
        raise BadInputError("no keyring to store a key in and no terminal to show it on: give --key-file")
    else:
        storage = (
            f"stored in the keyring for {place}" if keys.stored else "for this run only: use --key-file to keep one"
        )
        say(f"a key was generated, {storage}" + ("; it is shown only once:" if shows_progress() else ""))
        if shows_progress():
            say(keys.secrets[0].reveal())
    return keys


def _check(options: CheckOptions, key_file: Path | None, *, plain: bool) -> int:
    import asyncio

    from adstudio.core.json_reading import json_bytes
    from adstudio.llm.faults import FaultError
    from adstudio.serving.check.findings import report
    from adstudio.serving.check.run import unchecked

    place = _place(options, key_file, plain=plain)
    models = [place.model]
    try:
        findings = tuple(asyncio.run(_checked(place, models.append, shown=not options.json_out)))
    except FaultError as error:
        if options.json_out:
            write_output(json_bytes(report(place.base, place.model, unchecked(str(error)))), None)
        raise
    if options.json_out:
        write_output(json_bytes(report(place.base, models[-1], findings)), None)
    return 1 if any(finding.outcome == "failed" for finding in findings) else 0


async def _checked(place: CheckedServer, chosen: Callable[[str], None], *, shown: bool) -> list[Finding]:
    from contextlib import aclosing

    from adstudio.cli.output import words
    from adstudio.connections.model_access import default_log
    from adstudio.serving.check.run import TITLES, findings

    found: list[Finding] = []
    with words.status("") as status:

        def begun(number: int, title: str) -> None:
            status.update(f"check {number} of {len(TITLES)}: {title}")

        async with aclosing(findings(place, default_log(), begun, chosen)) as each:
            async for finding in each:
                found.append(finding)
                if shown:
                    write_output("".join(f"{line}\n" for line in finding.lines(on_one_line)).encode(), None)
    return found


def _place(options: CheckOptions, key_file: Path | None, *, plain: bool) -> CheckedServer:
    from adstudio.cli.connect import warn_of_plain
    from adstudio.cli.model_options import require_encrypted
    from adstudio.connections.saved_connections import connection_named
    from adstudio.llm.faults import FaultError
    from adstudio.llm.keys import key_of
    from adstudio.llm.policy_enforcement import host_of
    from adstudio.serving.check.client import CheckedServer
    from adstudio.serving.keys import keys_of_file

    named = None if options.llm is None else connection_named(options.llm)
    if named is not None and named.kind == "gemini":
        raise BadInputError(f"“{named.name}” is Google’s service: only an on-premises server can be checked")
    url = options.check or (named.url if named is not None else "")
    host = host_of(url)
    if named is not None and named.url and str(host_of(named.url)) != str(host):
        raise BadInputError(f"“{named.name}” is on {host_of(named.url)}, not on {host}: leave one of them out")
    if key_file is not None:
        key = keys_of_file(key_file).secrets[0]
    elif named is not None and not named.keyed:
        key = None
    else:
        try:
            key = key_of(str(host))
        except FaultError:
            if named is not None:
                raise
            key = None  # perhaps the server needs none; if it does, the first check says so
    if key is not None:
        if not plain:
            require_encrypted(host, "--plain")
        warn_of_plain(host)
    known = None if named is None else named.authority
    return CheckedServer(url, key, options.authority or known, "" if named is None else named.model)
