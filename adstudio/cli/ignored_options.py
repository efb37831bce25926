"""Which of the options given have no effect on a draft that continues in a project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import typer

from adstudio.cli.output import say
from adstudio.core.script import Script
from adstudio.core.settings import Settings

if TYPE_CHECKING:
    from adstudio.drafting.request import Sources

_FILM = ("title", "language", "frame_rate", "start_timecode")
_SETTINGS: dict[str, Callable[[Settings], object]] = {
    "preset": lambda settings: settings,
    "words_per_minute": lambda settings: settings.words_per_minute,
    "min_pause": lambda settings: settings.min_pause,
    "max_share": lambda settings: settings.max_share,
    "delta_max": lambda settings: (settings.early, settings.late),
    "early": lambda settings: settings.early,
    "late": lambda settings: settings.late,
    "near_early": lambda settings: settings.near,
    "near_late": lambda settings: settings.near,
    "far_gain": lambda settings: settings.near,
    "reach": lambda settings: settings.reach,
    "scope": lambda settings: settings.scope,
    "margin_before": lambda settings: settings.gaps.margin_before,
    "margin_after": lambda settings: settings.gaps.margin_after,
    "least_gap": lambda settings: settings.gaps.least,
    "keep_sound": lambda settings: settings.gaps.keep_sound,
    "keep_music": lambda settings: settings.gaps.keep_music,
    "keep_sung": lambda settings: settings.gaps.keep_sung,
    "word_edges": lambda settings: settings.gaps.word_edges,
}
_TEXTS = ("candidates", "screenplay", "description", "suggest_rules")
"""Without effect where lines are only scored."""


def report(context: typer.Context, script: Script, sources: Sources, *, drafts: bool) -> None:
    """Print which of the options given have no effect, before anything is asked.

    `drafts`: whether a model drafts in the project, or its lines are only scored.
    """
    unused = _unused(script, sources, drafts=drafts)
    ignored = [_option(context, name) for name in unused if _is_given(context, name)]
    if ignored:
        named = " and ".join(part for part in (", ".join(ignored[:-1]), ignored[-1]) if part)
        verb, they = ("have", "they are") if len(ignored) > 1 else ("has", "it is")
        say(f"{named} {verb} no effect here: the project keeps what it has, and {they} only for a new project")


def _option(context: typer.Context, name: str) -> str:
    """An option as it was given: what is not kept free has a name of its own."""
    text = name.replace("_", "-")
    return f"--{text.replace('keep-', 'free-')}" if context.params.get(name) is False else f"--{text}"


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _unused(script: Script, sources: Sources, *, drafts: bool) -> Iterator[str]:
    """The options whose values differ from those of the project, which keeps what it has."""
    yield from (name for name in _FILM if getattr(script.film, name) != getattr(sources, name))
    if script.film.media is None or script.film.media.sound_track != sources.sound_track:
        yield "audio_track"
    if script.voice != sources.voice:
        yield "voice"
    for name, setting in _SETTINGS.items():
        if setting(script.settings) != setting(sources.settings):
            yield name
    if not drafts:
        yield from _TEXTS
