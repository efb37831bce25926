"""How commands declare options, and those that several share.

Options that belong together are one dataclass, whose fields are annotated as options are.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, cast, get_args, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from adstudio.core.errors import BadInputError
from adstudio.core.settings import GapSettings
from adstudio.core.timebase import RATES, FrameRate, ms_from_seconds, standard_rate

R = TypeVar("R")
_TAG = re.compile(r"(\[[a-z#/@][^\[]*?\])")
"""What rich takes for a tag (its `markup.RE_TAGS`); a backslash before anything else would be shown."""


def as_written(text: str) -> str:
    """A help text in which rich takes nothing in square brackets, as an extra’s name, for markup."""
    return _TAG.sub(r"\\\1", text)


def option(metavar: str, text: str, *names: str) -> OptionInfo:
    """An option with a value; without names, it is called as its parameter is."""
    # Whoever reads the file says why it cannot be read, and what to do about it.
    return typer.Option(*names, metavar=metavar, help=as_written(text), readable=False)


def output_option(text: str) -> OptionInfo:
    """`--output` of a command that writes to standard output without it: `-` means that, as everywhere."""
    names = ("--output", "-o")
    return typer.Option(*names, metavar="FILE", help=as_written(text), readable=False, callback=_file_named)


def _file_named(file: Path | None) -> Path | None:
    return None if file == Path("-") else file


def language_option(text: str) -> OptionInfo:
    """`--language`: a tag in its usual form; what is no language is refused."""
    return typer.Option(metavar="TAG", help=as_written(text), callback=_language)


def _language(asked: typer.CallbackParam, tag: str | None) -> str | None:
    if tag is None or tag == asked.default:
        return tag
    from adstudio.system.languages import require_language

    try:
        return require_language(tag)
    except BadInputError as error:
        raise BadInputError(f"--language: {error}") from None


def argument(metavar: str, text: str) -> ArgumentInfo:
    """An argument, as an option is."""
    return typer.Argument(metavar=metavar, help=as_written(text), readable=False)


def flag(name: str, text: str) -> OptionInfo:
    """An option without a value, and without a `--no-` form."""
    return typer.Option(name, metavar="", help=as_written(text))


def grouped(command: Callable[..., R]) -> Callable[..., R]:
    """The command as typer sees it: groups as single options, listed in `--help` under the `TITLE` of each group."""
    groups: dict[str, type[Any]] = {}
    flat: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        kind = parameter.annotation
        if not (isinstance(kind, type) and is_dataclass(kind)):
            flat.append(parameter)
            continue
        groups[parameter.name] = kind
        hints = get_type_hints(kind, include_extras=True)
        for each in fields(kind):
            default = inspect.Parameter.empty if each.default is MISSING else each.default
            keyword = inspect.Parameter.KEYWORD_ONLY
            annotation = _in_panel(hints[each.name], vars(kind)["TITLE"])
            flat.append(inspect.Parameter(each.name, keyword, default=default, annotation=annotation))

    def run(**given: object) -> R:
        filled = {
            name: cast("object", kind(**{each.name: given.pop(each.name) for each in fields(kind)}))
            for name, kind in groups.items()
        }
        return command(**given, **filled)

    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined] - typer asks for it
    return run


def _in_panel(hint: Any, title: str) -> Any:  # noqa: ANN401 - an annotation is any object
    """The annotation of an option that `--help` shows under a title."""
    kind, shared = get_args(hint)
    option = copy(shared)
    option.rich_help_panel = title
    return Annotated[kind, option]


def given_options(group: object) -> Iterator[str]:
    """The options of a group that differ from their defaults."""
    for each in fields(group):  # type: ignore[arg-type] - a dataclass
        if getattr(group, each.name) != each.default:
            yield f"--{each.name.replace('_', '-')}"


Output = Annotated[Path | None, output_option("The file to write, or - (default: standard output).")]
End = Annotated[str | None, option("SECONDS", "Length of the film, such as 312.5 or 5:12.5.", "--end")]
Encoding = Annotated[
    str | None,
    option("NAME", "Encoding of the subtitles, and of other texts that are not UTF-8, if the guess is wrong."),
]

Rate = Annotated[str | None, option("RATE", "Frame rate for timecode: 23.976, 25, 29.97df, 29.97ndf …", "--frame-rate")]
AudioTrack = Annotated[
    int | None, option("N", "Number of the film’s sound track to listen to (default: chosen by purpose, then flag).")
]
StartTimecode = Annotated[str, option("HH:MM:SS:FF", "Timecode of the first frame.")]
Subtitles = Annotated[Path | None, option("FILE", "Dialogue subtitles (default: detect dialogue from the audio).")]
WithoutDialogue = Annotated[bool, flag("--without-dialogue", "Use the subtitles even if no dialogue is found in them.")]
InStep = Annotated[bool, flag("--in-step", "Sync the subtitles to the film’s speech, where they are certainly off.")]
Force = Annotated[
    bool,
    flag(
        "--force",
        "Replace an existing project. One that a person has worked on is only replaced if it is of another film, and"
        " then kept beside the new one.",
    ),
]


def rate(text: str, start: str, option: str = "--frame-rate") -> FrameRate:
    """The frame rate of an option; plain 29.97 is drop-frame or not as the `start` timecode is.

    Raises:
        BadInputError: for a rate that is not a standard one.
    """
    found = standard_rate(text, start)
    if found is None:
        raise BadInputError(f"{option}: “{text[:40]}” is not a standard frame rate: use {', '.join(RATES)}")
    return found


_SECONDS = re.compile(r"[+-]?(?:[0-9]{1,12}(?:[.,][0-9]{0,12})?|[.,][0-9]{1,12})\Z")
"""As people write them, with a point or a comma."""

_CLOCK = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,2}):([0-5]?[0-9](?:[.,][0-9]{1,3})?)\Z")
"""`MM:SS`, `HH:MM:SS`, both with decimals where wanted."""


def ms(seconds: str, option: str, *, least: int = 0) -> int:
    """The milliseconds of an option in seconds, or in minutes or hours and seconds.

    Raises:
        BadInputError: for what is no number of seconds, or less than `least` milliseconds.
    """
    text = seconds.strip()
    clock = _CLOCK.match(text)
    if clock is None and not _SECONDS.match(text):
        raise BadInputError(f"{option}: “{text[:40]}” is not a time (write seconds such as 312.5, or 5:12.5)")
    try:
        found = ms_from_seconds((clock[3] if clock else text).replace(",", "."))
        found += 0 if clock is None else (int(clock[1] or 0) * 3600 + int(clock[2]) * 60) * 1000
    except BadInputError as error:
        raise BadInputError(f"{option}: {error}") from None
    if found < least:
        raise BadInputError(f"{option}: {text} s is too little (at least {least / 1000:g} s)")
    return found


def _either(name: str, text: str) -> OptionInfo:
    """An option that says yes by the first of two names, no by the second."""
    return typer.Option(name, metavar="", help=text, show_default=False)


@dataclass(frozen=True)
class GapOptions:
    """How gaps are made. None: as it is without the option."""

    TITLE: ClassVar[str] = "Gaps"

    margin_before: Annotated[str | None, option("SECONDS", "Time kept free before dialogue.")] = None
    margin_after: Annotated[str | None, option("SECONDS", "Time kept free after dialogue.")] = None
    least_gap: Annotated[str | None, option("SECONDS", "Ignore gaps shorter than this.")] = None
    keep_sound: Annotated[
        bool | None, _either("--keep-sound/--free-sound", "Whether sounds such as (door creaks) are kept free.")
    ] = None
    keep_music: Annotated[
        bool | None, _either("--keep-music/--free-music", "Whether instrumental music is kept free.")
    ] = None
    keep_sung: Annotated[bool | None, _either("--keep-sung/--free-sung", "Whether songs are kept free.")] = None
    word_edges: Annotated[
        bool,
        flag("--word-edges", "Count dialogue from its first word to its last, as they are found in the film’s sound."),
    ] = False

    @property
    def of_subtitles(self) -> bool:
        """Whether an option is given that only applies to subtitles."""
        return any(each is not None for each in (self.keep_sound, self.keep_music, self.keep_sung))

    def settings(self, base: GapSettings) -> GapSettings:
        """The options, read; what is not given is as in `base`.

        Raises:
            BadInputError: for what is no time.
        """

        def time(text: str | None, name: str, otherwise: int) -> int:
            return otherwise if text is None else ms(text, name)

        def choice(given: bool | None, otherwise: bool) -> bool:
            return otherwise if given is None else given

        return GapSettings(
            margin_before=time(self.margin_before, "--margin-before", base.margin_before),
            margin_after=time(self.margin_after, "--margin-after", base.margin_after),
            least=time(self.least_gap, "--least-gap", base.least),
            keep_sound=choice(self.keep_sound, base.keep_sound),
            keep_music=choice(self.keep_music, base.keep_music),
            keep_sung=choice(self.keep_sung, base.keep_sung),
            word_edges=self.word_edges or base.word_edges,
        )
