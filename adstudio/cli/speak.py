"""`adstudio speak`: one line of a project as it is spoken, as a sound file; and the voices that there are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli import options
from adstudio.cli.options import argument, flag, option
from adstudio.cli.output import print_lines, require_safe_target, require_writable_target, say, words, write_output
from adstudio.cli.plan_options import require_voice
from adstudio.cli.saved_script import line_named, saved_script
from adstudio.core.errors import BadInputError

if TYPE_CHECKING:
    from adstudio.core.plan import Plan
    from adstudio.core.script import Eventuality, Script
    from adstudio.speech.engine import Style
    from adstudio.speech.speaker import Spoken

_ALL = "all"


def speak(
    project: Annotated[Path | None, argument("P.adproj", "The project.")] = None,
    line: Annotated[
        str | None, option("LINE", "The line to speak: its number, or its id, “element” in export --format json.")
    ] = None,
    output: options.Output = None,
    *,
    engine: Annotated[
        str | None, option("NAME", "Speak with this engine instead of the project’s: espeak-ng, pyttsx3 or piper.")
    ] = None,
    voice: Annotated[str | None, option("ID", "Speak in this voice of the engine instead of the line’s.")] = None,
    rate: Annotated[int | None, option("WPM", "Speak at so many words a minute instead of the line’s rate.")] = None,
    unsaved: Annotated[bool, flag("--unsaved", "Speak the line as of the last step, not the last save.")] = False,
    voices: Annotated[
        str | None, option("LANGUAGE", f"List the engines and their voices for a language, or {_ALL}, and stop.")
    ] = None,
) -> None:
    """Speak one line of a project into a WAV file, or list the voices.

    The line is spoken in the wording of the saved plan, else in the locked one, else in full; in the project’s voice
    with what the line has otherwise, and as the project’s lexicon has it. A recorded take is not used.
    """
    if voices is not None:
        given = (project, line, output, voice, rate)
        if any(each is not None for each in given) or unsaved:
            raise BadInputError("--voices lists voices and speaks nothing: give at most --engine with it")
        _list_voices("" if voices == _ALL else voices, engine or "")
        return
    if project is None or line is None:
        raise BadInputError("a project and --line LINE are needed to speak; --voices LANGUAGE lists the voices")
    from adstudio.speech.sound import not_wav
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=True) as opened:
        for each in (opened.saved_script, opened.last_script):
            require_safe_target(output, project, script=each, project=project)
        saved = saved_script(opened, unsaved=unsaved)
    if output is not None and (sentence := not_wav(output)):
        raise BadInputError(sentence)
    require_writable_target(output)
    spoken = line_named(saved.script, line, project, saved.plan)
    _speak_line(saved.script, spoken, saved.plan, output, (engine, voice, rate))
    saved.print_notes(project)


def _speak_line(
    script: Script,
    line: Eventuality,
    plan: Plan | None,
    output: Path | None,
    instead: tuple[str | None, str | None, int | None],
) -> None:
    from adstudio.core.fusions import wording_of
    from adstudio.speech.cache import speech_cache
    from adstudio.speech.engine import SpeechError
    from adstudio.speech.engines import choose_engine
    from adstudio.speech.ignored import ignored_message
    from adstudio.speech.sound import encoded
    from adstudio.speech.speaker import Speaker
    from adstudio.speech.style import resolved_voice

    planned = None if plan is None else plan.spoken_as(line.id)
    said = None if planned is None else wording_of(script, planned)
    variant = said or line.variants[line.pin.variant or 0]
    narrator = script.narrator
    name, style = resolved_voice(narrator.voice, narrator.rate, line.voice)
    name, style = _chosen(name, style, *instead)
    cache = speech_cache()
    speaker = Speaker(choose_engine(name), cache)
    try:
        with words.status("speaking"):
            spoken = speaker.say(variant.text, style, narrator.language, narrator.lexicon)
    except SpeechError:
        # Engines know more voices than they list, and say nothing that could be relied on of those that they lack.
        if instead[1]:
            require_voice(speaker.engine, instead[1])
        raise
    finally:
        speaker.close()
        cache.close()
    sound = spoken.sound.with_gain(style.volume)
    write_output(encoded(sound.samples, sound.rate), output)
    target = "" if output is None else f"{output}: "
    say(f"{target}{spoken.sound.ms / 1000:.2f} s, spoken by {speaker.engine.name} ({spoken.style.voice})")
    if _is_limited(spoken, style):
        say(f"it is turned up by less than {style.volume / 10:g} dB, which would distort it")
    for ignored in spoken.ignored:
        say(ignored_message(ignored, speaker.engine.name))
    if variant.chosen_take is not None:
        say("a take of this line has been recorded, which is mixed instead of the voice")


def _chosen(name: str, style: Style, engine: str | None, voice: str | None, rate: int | None) -> tuple[str, Style]:
    """Engine and style, with what the options say instead; another engine has other voices."""
    if engine is not None and engine != name:
        name, style = engine, replace(style, voice="")
    if voice is not None:
        style = replace(style, voice=voice)
    return name, style if rate is None else replace(style, rate=rate)


def _is_limited(spoken: Spoken, style: Style) -> bool:
    return spoken.sound.peak * 10 ** (style.volume / 200) > 1


def _list_voices(language: str, engine: str) -> None:
    """Print the voices, one a line.

    Raises:
        SpeechError: where there is none.
    """
    from adstudio.speech.engine import SpeechError
    from adstudio.speech.engines import engine_voices

    found = engine_voices(language, engine)
    print_lines(
        f"{each.engine} · {voice.id} · {voice.name} · {voice.language}" for each in found for voice in each.voices
    )
    if not any(each.voices for each in found):
        raise SpeechError("; ".join(each.problem for each in found))
    for each in found:
        if each.problem and not each.absent:
            say(each.problem)
