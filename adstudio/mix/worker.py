"""Renders in a process of its own, for the editor: `python -m adstudio.mix.worker`, see `job.PROTOCOL`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.core.progress import Progress, Stage
from adstudio.delivery.options import ExportOptions
from adstudio.mix.job import PROTOCOL, MixEvent, MixFinished, MixJob, MixRemark
from adstudio.mix.request import MixKind, MixReport, MixStoppedError
from adstudio.mix.script_mix import ScriptMix, mix_script
from adstudio.speech.sound import LARGEST
from adstudio.speech.takes import RecordingError
from adstudio.system.files import read_bounded
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import STOPPED, run_job

STEPS = 500
"""Steps of a stage's progress that are reported at most."""


def main() -> int:
    """Do what is requested, and return the exit code."""
    stop = StopRequest()

    def work(job: MixJob, send: Callable[[MixEvent], None]) -> int:
        script = job.script
        media = script.film.media
        mix = ScriptMix(
            MixKind(job.kind),
            script,
            job.plan,
            job.target,
            job.settings,
            job.video,
            None if media is None else media.sound_track,
            job.bits,
            ExportOptions(accepted_only=job.accepted_only),
            job.voice,
        )

        def recording(key: str) -> bytes:
            if job.recordings is None:
                raise RecordingError("the recording of a take is missing; record it again")
            return read_bounded(job.recordings / key, LARGEST, "recording")

        try:
            send(_finished(*mix_script(mix, recording, _sparingly(send), lambda: stop.asked)))
        except MixStoppedError:
            return STOPPED
        return 0

    return run_job(PROTOCOL, work, stop=stop)


def _sparingly(send: Callable[[MixEvent], None]) -> Callable[[Progress], None]:
    """Reports progress that can be seen."""
    last: tuple[Stage, int, str] | None = None

    def report(progress: Progress) -> None:
        nonlocal last
        now = progress.stage, round((progress.fraction or 0) * STEPS), progress.detail
        if now != last:
            last = now
            send(progress)

    return report


def _finished(report: MixReport, remarks: tuple[MixRemark, ...]) -> MixFinished:
    return MixFinished(
        kind=report.kind.value,
        files=report.files,
        length=report.length,
        channels=report.channels,
        lines=report.line_count,
        loudness=report.loudness,
        true_peak=report.true_peak,
        programme_loudness=report.programme_loudness,
        narration_loudness=report.narration_loudness,
        remarks=remarks,
    )


if __name__ == "__main__":
    sys.exit(main())
