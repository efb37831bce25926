"""`adstudio speakers`: who speaks each cue of a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from adstudio.cli.model_options import SendingOptions
from adstudio.cli.options import argument, flag, grouped, option
from adstudio.cli.output import print_lines, print_oddities, say, unsaved_changes, write_output
from adstudio.cli.project_film import film_to_hear
from adstudio.cli.speakers_by_model import ModelOptions, asked_model
from adstudio.core.counts import percent
from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import json_bytes

if TYPE_CHECKING:
    from adstudio.characters.speakers import Evidence, NamedCue
    from adstudio.core.script import Script


@grouped
def speakers(
    project: Annotated[Path, argument("P.adproj", "The project, as last saved.")],
    turns: Annotated[
        Path | None,
        option(
            "FILE",
            "Who speaks when, by another program: RTTM, CTM, WebVTT with voices, or JSON (speaker, start, end).",
            "--turns",
        ),
    ] = None,
    *,
    model: ModelOptions,
    sending: SendingOptions,
    dry_run: Annotated[bool, flag("--dry-run", "Say who would be named, and change nothing.")] = False,
    as_json: Annotated[bool, flag("--json", "Print who speaks each cue as JSON.")] = False,
) -> None:
    """Find who speaks each cue: by labels, the screenplay, a model if you name one, the voice, and the cast.

    Names by labels and by the describer stay, and are carried to the cues of the same voice. Voices are told apart in
    the film’s sound; nothing leaves the machine. With --llm, a model is asked about the cues that neither labels nor
    the screenplay name: it is sent the dialogue around them and the names of the cast, where the project permits that.
    With --turns, another program’s voices are used in place of ours. Who is not sure stays unknown.
    """
    from adstudio.characters.speakers import cues_by_turns, name_speakers
    from adstudio.characters.voices import without_voice
    from adstudio.cli.saved_script import save_step
    from adstudio.core.cast import SpeakerSource
    from adstudio.editing.machine_steps import as_command
    from adstudio.editing.speakers import set_speakers
    from adstudio.store.project import ProjectFile

    with ProjectFile.open(project, read_only=dry_run) as opened:
        if opened.recoverable:
            raise BadInputError(unsaved_changes(project))
        script = opened.saved_script
        by_model = asked_model(opened, model, sending, dry_run=dry_run)
        evidence = _evidence(script, project, turns, by_model)
        named = name_speakers(script.cues, script.people, evidence)
        guessed = {
            each.cue: (each.speaker, each.source, each.confidence or 0)
            for each in named
            if each.source is not None and each.confidence is not None
        }
        step = set_speakers(script, guessed)
        if step is not None and not dry_run:
            save_step(opened, as_command(step))
    if as_json:
        write_output(json_bytes(_json(script, named)), None)
    else:
        _print(script, named)
    by_turns = cues_by_turns(script.cues, evidence.turns)
    by_name = {each.cue: each for each in named}
    if turns is None and (silent := without_voice(script.cues, evidence.voices, by_name)):
        say(f"{project}: {silent}")
    if shared := len(by_turns.shared):
        are = "1 cue is" if shared == 1 else f"{shared:,} cues are"
        say(f"{turns}: {are} covered by turns of several speakers about alike, which do not say who speaks")
    unknown = any(cue not in by_name for cues in by_turns.by_tag.values() for cue in cues)
    if unknown and not any(each.source is SpeakerSource.DIARISATION for each in named):
        say(f"{turns} named no cue: name a cue of each of its voices, and run this again")
    elif not named and not by_turns.shared:
        say("nobody is named yet: name a cue of each voice, or give subtitles with labels or a screenplay")
    if step is None or dry_run:
        say(f"{project}: nothing was changed" + (" (--dry-run)" if dry_run else ""))


def _evidence(script: Script, project: Path, turns: Path | None, by_model: Mapping[str, str]) -> Evidence:
    from adstudio.characters.speakers import Evidence, cues_by_turns
    from adstudio.characters.turn_files import names_of, read_turns
    from adstudio.characters.voices import VoiceProcess, cue_voices
    from adstudio.characters.word_times import spoken
    from adstudio.cli.output import words as standard_error
    from adstudio.drafting.speakers.evidence import speakers_by_screenplay

    by_screenplay = speakers_by_screenplay(script, project)
    if turns is not None:
        file = read_turns(turns, script.film.end, names_of(script.film))
        print_oddities([(str(turns), oddity) for oddity in file.oddities], "the others are alike")
        found = cues_by_turns(script.cues, file.turns)
        if any(map(spoken, script.cues)) and not (found.by_tag or found.shared):
            raise BadInputError(
                f"{turns} has nobody speaking where the subtitles have speech: check that it is of this film, and that"
                " its times are in seconds"
            )
        return Evidence(by_screenplay, by_model, {}, file.turns)
    video = film_to_hear(script.film, project)
    media = script.film.media
    track, fingerprint = (media.sound_track, media.fingerprint) if media is not None else (None, "")
    with standard_error.status("telling voices apart") as status, VoiceProcess() as process:

        def show(share: float) -> None:
            status.update(f"telling voices apart: {percent(share)}")

        voices = cue_voices(process, video, track, script.cues, script.words_by_cue, show, fingerprint=fingerprint)
    return Evidence(by_screenplay, by_model, voices)


def _print(script: Script, named: Sequence[NamedCue]) -> None:
    from adstudio.characters.word_times import spoken
    from adstudio.core.counts import counted

    by_cue = {each.cue: each for each in named}
    said = [cue for cue in script.cues if spoken(cue)]
    lines: list[str] = []
    for cue in said:
        each = by_cue.get(cue.id)
        who = "?" if each is None else each.speaker
        how = "unknown" if each is None else "given" if each.source is None else each.source.value
        sure = "" if each is None or each.confidence is None else f" {percent(each.confidence / 1000)}"
        lines.append(f"{script.film.timecode(max(cue.start, 0))} {who} ({how}{sure}): {' '.join(cue.text.split())}")
    print_lines(lines)
    sources = Counter("given" if each.source is None else each.source.value for each in named)
    parts = ", ".join(
        f"{count:,} by {source}" if source != "given" else f"{count:,} given" for source, count in sources.items()
    )
    unknown = len(said) - len(named)
    say(f"{len(named):,} of {counted(len(said), 'cue')} named ({parts or 'none'}), {unknown:,} unknown")


def _json(script: Script, named: Sequence[NamedCue]) -> dict[str, object]:
    from adstudio.characters.word_times import spoken

    by_cue = {each.cue: each for each in named}
    return {
        "format": "adstudio-speakers/1",
        "film": script.film.title,
        "cues": [
            {
                "cue": cue.id,
                "speaker": None if (each := by_cue.get(cue.id)) is None else each.speaker,
                "source": None if each is None or each.source is None else each.source.value,
                "confidence": None if each is None or each.confidence is None else each.confidence / 1000,
            }
            for cue in script.cues
            if spoken(cue)
        ],
    }
