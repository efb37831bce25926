"""Scores of the gaps beside a reference AD, computed in the background where the programs for it are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from adstudio.core.errors import AdstudioError
from adstudio.evaluation.gap_rows import GapRow
from adstudio.evaluation.gap_scores import CIDER_BELOW_MS
from adstudio.evaluation.row_scores import GapScore, GapTexts, texts_of
from adstudio.evaluation.row_scores_events import CRASHED, PROTOCOL, Event, GapsScored, ScoreGaps
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.worker_clients import JobClient, JobTexts
from adstudio.ui.widgets.formatting import as_sentence, counted, tenths

COMPUTING = "Computing METEOR and CIDEr…"
STOPPED = "Scoring was stopped."
ENGLISH = "METEOR and CIDEr are for English"
MISSING = "No scores: {}"


class GapScoring(QObject):
    """Has gaps scored, and knows their scores until another reference is compared."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._scores: dict[GapTexts, GapScore] = {}
        self._asked: tuple[GapTexts, ...] = ()
        self._said = ""
        self.tried = False
        """Whether it was asked for scores before."""
        self._client = JobClient[ScoreGaps, Event](jobs, self, PROTOCOL, (GapsScored,), JobTexts(CRASHED))
        self._client.ended.connect(self._ended)

    @property
    def busy(self) -> bool:
        """Whether scores are being computed."""
        return self._client.busy

    @property
    def any(self) -> bool:
        """Whether there are scores."""
        return bool(self._scores)

    def of(self, row: GapRow) -> GapScore | None:
        """The scores of a gap; None where there are none, as where what is said there has changed."""
        return self._scores.get(texts_of(row)) if row.is_gap and self._scores else None

    def compute(self, rows: Iterable[GapRow], language: str) -> None:
        """Have the gaps scored."""
        self.forget()
        self.tried = True
        if language.partition("-")[0].casefold() not in ("", "en"):
            self._said = as_sentence(MISSING.format(ENGLISH))
        else:
            self._asked = tuple(texts_of(row) for row in rows if row.is_gap)
            try:
                self._client.start("Scores of gaps", ScoreGaps(self._asked))
            except AdstudioError as error:
                self._said = as_sentence(MISSING.format(error))
        self.changed.emit()

    def stop(self) -> None:
        """Compute nothing any more; what there is stays."""
        if self.busy:
            self._client.forget()
            self._said = STOPPED
            self.changed.emit()

    def forget(self) -> None:
        """Another reference is compared."""
        self._client.forget()
        self._scores, self._said, self.tried = {}, "", False

    def summary(self, rows: Sequence[GapRow]) -> str:
        """What is to know of the scores of gaps."""
        if self.busy:
            return COMPUTING
        if not self._scores:
            return self._said
        spoken = [row for row in rows if row.is_gap and row.reference.lines]
        found = [score for row in spoken if (score := self.of(row)) is not None]
        if len(found) < len(spoken):
            changed = len(spoken) - len(found)
            return f"{counted(changed, 'gap')} changed since the scores were computed."
        short = [row for row in spoken if row.span.length < CIDER_BELOW_MS]
        ciders = [score.cider for row in short if (score := self.of(row)) is not None]
        parts = [f"METEOR {tenths(sum(score.meteor for score in found) / len(found))}"] if found else []
        parts += [f"CIDEr {tenths(sum(ciders) / len(ciders))}"] if ciders else []
        return f"On average over {counted(len(found), 'gap')}: {', '.join(parts)}." if parts else ""

    def _ended(self, answer: Event | None) -> None:
        match answer:
            case GapsScored(scores):
                pairs = zip(self._asked, scores, strict=False)
                self._scores = {texts: score for texts, score in pairs if score is not None}
            case Failed(message):
                self._said = as_sentence(MISSING.format(message))
            case None:
                self._said = STOPPED
        self.changed.emit()
