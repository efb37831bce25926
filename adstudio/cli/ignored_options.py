"""Options of a draft that goes on in a project and keeps what that has: which of those given change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import typer

from adstudio.cli.output import say
from adstudio.core.script import Film, Script, Settings

if TYPE_CHECKING:
    from adstudio.drafting.request import Sources

_SETTINGS: dict[str, Callable[[Settings], object]] = {
    "words_per_minute": lambda settings: settings.words_per_minute,
    "delta_max": lambda settings: settings.delta_max,
    "min_pause": lambda settings: settings.min_pause,
    "scope": lambda settings: settings.scope,
    "margin_before": lambda settings: settings.gaps.margin_before,
    "margin_after": lambda settings: settings.gaps.margin_after,
    "least_gap": lambda settings: settings.gaps.least,
    "keep_sound": lambda settings: settings.gaps.keep_sound,
    "keep_music": lambda settings: settings.gaps.keep_music,
    "free_sung": lambda settings: settings.gaps.keep_sung,
}
_FILM: dict[str, Callable[[Film], object]] = {
    "title": lambda film: film.title,
    "language": lambda film: film.language,
    "frame_rate": lambda film: film.frame_rate,
    "start_timecode": lambda film: film.start_timecode,
}
_TEXTS = ("candidates", "screenplay", "description", "suggest_rules")
"""What is of use to a model that drafts alone."""


def report(context: typer.Context, script: Script, sources: Sources, *, drafts: bool) -> None:
    """Say which of the options change nothing in a project that is gone on in, before anything is asked."""
    if line := ignored_text(without_effect(script, sources, given_options(context), drafts=drafts)):
        say(line)


def given_options(context: typer.Context) -> frozenset[str]:
    """The options (their parameters' names) that stand on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE")


def without_effect(script: Script, sources: Sources, given: frozenset[str], *, drafts: bool) -> tuple[str, ...]:
    """Those of the `given` options that say otherwise than a project that is gone on in, which keeps what it has.

    `drafts`: a model drafts in it; else its lines are only weighed.
    """
    return tuple(f"--{name.replace('_', '-')}" for name in _names(script, sources, given, drafts=drafts))


def ignored_text(options: tuple[str, ...]) -> str:
    """That these change nothing; empty for none."""
    if not options:
        return ""
    named = " and ".join(part for part in (", ".join(options[:-1]), options[-1]) if part)
    verb, they = ("have", "they are") if len(options) > 1 else ("has", "it is")
    return f"{named} {verb} no effect here: the project keeps what it has, and {they} only for a new project"


def _names(script: Script, sources: Sources, given: frozenset[str], *, drafts: bool) -> Iterator[str]:
    film = script.film
    wanted = {
        "title": sources.title,
        "language": sources.language,
        "frame_rate": sources.frame_rate,
        "start_timecode": sources.start_timecode,
    }
    yield from (name for name, of in _FILM.items() if name in given and of(film) != wanted[name])
    for name, setting in _SETTINGS.items():
        if name in given and setting(script.settings) != setting(sources.settings):
            yield name
    if not drafts:
        yield from (name for name in _TEXTS if name in given)
