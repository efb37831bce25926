"""A draft by a model in words: states with their signs, an estimate, the progress, and the outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.counts import percent
from adstudio.drafting.model.events import STOPPED, SceneState
from adstudio.drafting.run_state import Hold, LeftOut, RunState, SceneStatus, StopReason
from adstudio.llm.messages import Usage
from adstudio.ui.widgets.formatting import as_sentence, counted

if TYPE_CHECKING:
    from adstudio.drafting.model.estimate import Estimate

STATES = {
    SceneState.WAITING: ("○", "It waits for its turn."),
    SceneState.SHOWING: ("◔", "The model is being shown the scene."),
    SceneState.DESCRIBING: ("◑", "The model describes what it sees."),
    SceneState.CUTTING: ("◑", "The description is being divided into items."),
    SceneState.FINDING: ("◕", "The model is finding the time, wordings and salience of each item."),
    SceneState.MENDING: ("◕", "Wordings that were not right are asked for again."),
    SceneState.DONE: ("✓", "All its lines have come."),
    SceneState.PARTIAL: ("△", "Lines have come, but not all of them."),
    SceneState.BLOCKED: ("⊘", "The provider withheld the answer."),
    SceneState.FAILED: ("✕", "Nothing came of it."),
    SceneState.STOPPED: ("■", "It was stopped; what had come is kept for the next time."),
    SceneState.LIMITED: ("▣", "The cost limit is reached. Finished work is kept; raise the limit to continue."),
}
"""A sign, fuller as the scene progresses (no two ends have the same one), and a sentence."""
REPLACED = " · the machine’s lines in them are replaced, yours kept"
FREE, UNPRICED = "costs nothing by the token", "at a price that is not known"
NOT_ASKED_AGAIN = " (what is kept is not asked again)"
TAKEN_OUT = "You undid inserting this scene: redo it, or draft the scene again."
TROUBLE = frozenset({SceneState.PARTIAL, SceneState.BLOCKED, SceneState.FAILED})
LEFT_OUT = {
    LeftOut.RECUT: "its bounds changed meanwhile, so its new lines were left out: draft it again",
    LeftOut.SCENE_GONE: "it is not in the film any more",
}
LEFT_OUT_SHORT = {LeftOut.RECUT: "bounds changed", LeftOut.SCENE_GONE: "not in the film any more"}
HELD = {
    Hold.EDITING: "they come in as soon as you leave the line that you are writing",
    Hold.REDO: (
        "press “Bring in”, redo what you have undone, or change something else, and they come in; what is still undone"
        " can then no longer be redone"
    ),
}
WILL_WAIT = "New scenes are on hold, because inserting them would clear your redo history."
"""Said until a scene that waits for that reason says so itself."""
STOP_CAUSES = {StopReason.OFFLINE: "the project is offline now", StopReason.POLICY: "the sharing policy changed"}
TRIED_AGAIN = "No answer at the moment; trying again"
_ENDS = {
    **{each: each.value for each in (SceneState.PARTIAL, SceneState.BLOCKED, SceneState.FAILED, SceneState.STOPPED)},
    SceneState.LIMITED: "left at the limit",
}
_CENT = 10_000  # millionths of a dollar


@dataclass(frozen=True)
class SceneView:
    """A scene as it is shown: its status, None where it is in no run, and why its lines wait for the describer.

    `lines` are those by a model that it has: after a run that brought none they are from before.
    """

    title: str
    status: SceneStatus | None
    held: Hold | None
    lines: int
    reviewed: bool

    @property
    def running(self) -> bool:
        """Whether it is in a run, and more may come of it."""
        return self.status is not None and not self.status.over

    @property
    def is_trouble(self) -> bool:
        """Whether its state needs somebody."""
        return self.status is not None and (self.status.state in TROUBLE or self.status.left_out is not None)

    @property
    def state(self) -> tuple[str, str]:
        """Its state as a sign, and as a word."""
        status = self.status
        if status is None:
            if self.reviewed:
                return ("✓", "drafted, reviewed") if self.lines else ("·", "reviewed")
            return ("✓", "drafted") if self.lines else ("·", "not drafted")
        if self.held is not None:
            return "◉", "waits for you"
        if status.taken_out:
            return "↶", "taken out"
        sign, word = STATES[status.state][0], status.state.value
        if status.left_out is not None:
            sign, word = STATES[SceneState.PARTIAL][0], LEFT_OUT_SHORT[status.left_out]
        before = self.lines if status.over and (status.left_out is not None or not status.lines) else 0
        return sign, f"{word} · {counted(before, 'line')} from before" if before else word

    @property
    def help(self) -> str:
        """Its state in a sentence."""
        if self.status is None:
            drafted = "A model’s lines stand in it" if self.lines else "No model has drafted it"
            return f"{drafted}, and you have marked it as reviewed." if self.reviewed else f"{drafted}."
        if self.held is not None:
            return f"Its lines are there: {HELD[self.held]}."
        return as_sentence(self.why) or STATES[self.status.state][1]

    @property
    def why(self) -> str:
        """Why it is incomplete, or its lines are not in the script; empty where nothing is missing.

        The remedy comes first, since the end may be cut off.
        """
        status = self.status
        if status is None:
            return ""
        if status.taken_out:
            return TAKEN_OUT
        if status.left_out is not None:
            return LEFT_OUT[status.left_out]
        stop = stop_words(status.stop) if status.state is SceneState.STOPPED else ""
        delay = f"it is tried again: {status.delay.rstrip('.')}" if status.delay else ""
        return "; ".join(filter(None, (stop, status.why))) or delay

    @property
    def sentence(self) -> str:
        """The scene and its state, for a screen reader."""
        text, status = f"{self.title}, {self.state[1]}", self.status
        if status is None:
            return text
        if status.found and status.left_out is None:
            text += f", {counted(status.found, 'item')}"
        why = self.why if self.held is None else HELD[self.held]
        return f"{text}: {why}" if why else text


def stop_words(reason: StopReason) -> str:
    """That a run was stopped, and why where that was not simply asked for; without a full stop."""
    cause = STOP_CAUSES.get(reason, "")
    return f"{STOPPED}: {cause}" if cause else STOPPED


def tokens(count: int) -> str:
    """A number of tokens, short: 940, 12 k, 1.9 M."""
    if count < 1_000:
        return str(count)
    if count < 999_500:
        return f"{round(count / 1_000):,} k"
    return f"{count / 1_000_000:.1f} M"


def money(micro_usd: int | None) -> str:
    """A price; empty where it is not known, and for what costs nothing."""
    if not micro_usd:
        return ""
    return "under $0.01" if micro_usd < _CENT else f"${micro_usd / 1_000_000:,.2f}"


def exact_money(micro_usd: int) -> str:
    """A price to its last figure, as it was set."""
    whole, _, small = f"{micro_usd / 1_000_000:,.6f}".partition(".")
    return f"${whole}.{small.rstrip('0'):0<2}"


def usage_words(usage: Usage) -> str:
    """Tokens and price of what has been asked."""
    cached = f" ({tokens(usage.tokens_cached)} of them cached)" if usage.tokens_cached else ""
    words = [
        f"{tokens(usage.tokens_in)} tokens in{cached}",
        f"{tokens(usage.tokens_out + usage.tokens_thought)} out",
        money(usage.micro_usd),
    ]
    return " · ".join(word for word in words if word)


def estimate_words(found: Estimate, *, replaced: bool = False, reused: bool = False, described: int = 0) -> str:
    """What a draft will take, before it begins; the number of scenes is on the button.

    `replaced`: these scenes have machine-drafted lines; `reused`: a model has drafted some of them before;
    `described`: how many of them the film's own description covers.
    """
    if not found.scenes:
        return ""
    usage = found.usage
    requests = (
        f"At most {counted(found.most, 'request')}{NOT_ASKED_AGAIN}" if reused else f"About {found.requests_text}"
    )
    price = FREE if usage.micro_usd == 0 else money(usage.micro_usd) or UNPRICED
    out = tokens(usage.tokens_out + usage.tokens_thought)
    more = REPLACED if replaced else ""
    if described:
        some = "" if described == found.scenes else f" in {described:,} of them"
        more += f" · described by your own text{some}, which is kept"
    return f"{requests}, some {tokens(usage.tokens_in)} tokens in, {out} out · {price}{more}"


def time_left(seconds: float | None) -> str:
    """Roughly how long it will still take; empty where that is not known."""
    if seconds is None:
        return ""
    if seconds < 50:
        return "less than a minute left"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {max(minutes, 1)} min left"
    return f"about {seconds / 3600:.1f} h left"


def progress_words(run: RunState) -> str:
    """How far the run is."""
    if run.detecting_cuts is not None and run.detecting_cuts < 1:
        return f"Looking for the film’s cuts · {percent(run.detecting_cuts)}"
    words = [_delayed(run), f"{_drafted(run)} drafted", *ends(run)]
    words += [usage_words(run.usage)] if run.usage.tokens_in else []
    words += [time_left(run.seconds_left)] if run.ended < len(run.scenes) else []
    return " · ".join(word for word in words if word)


def _drafted(run: RunState) -> str:
    """How many scenes, of how many, have all their lines."""
    return f"{run.drafted:,} of {counted(len(run.scenes), 'scene')}"


def _delayed(run: RunState) -> str:
    """That some scenes, or all that are under way, are delayed; empty where none is."""
    active = [each for each in run.scenes.values() if not each.over and each.state is not SceneState.WAITING]
    delayed = sum(bool(each.delay) for each in run.scenes.values())
    if not delayed:
        return ""
    return TRIED_AGAIN if delayed >= len(active) else f"{counted(delayed, 'scene')} tried again"


def ends(run: RunState) -> list[str]:
    """How many scenes have ended in each way but the best."""
    counts = run.counts
    said = [f"{counts[state]:,} {ending}" for state, ending in _ENDS.items() if counts.get(state)]
    out = Counter(LEFT_OUT_SHORT[each.left_out] for each in run.scenes.values() if each.left_out is not None)
    said += [f"{count:,} {words}" for words, count in out.items()]
    taken = sum(each.taken_out and each.left_out is None for each in run.scenes.values())
    return [*said, f"{taken:,} taken out"] if taken else said


def outcome_words(run: RunState, halted: str = "", held: int = 0) -> str:
    """The outcome of a run, in a sentence or two; `held` scenes of it wait for the describer."""
    done, others, total = run.drafted, ends(run), len(run.scenes)
    others += [f"{held:,} of them {'waits' if held == 1 else 'wait'} for you"] if held else []
    said = f"{counted(done, 'scene')} drafted" if done == total else f"{done:,} of {counted(total, 'scene')} drafted"
    said += f"; {', '.join(others)}." if others else "."
    said = f"Limit reached: {said}" if run.counts.get(SceneState.LIMITED) else said
    return " ".join([said, *(as_sentence(each) for each in (halted, run.noted) if each)])


def standing_words(run: RunState) -> str:
    """The progress as a short sentence, for announcements."""
    others = ends(run)
    said = f"{_drafted(run)} drafted"
    return f"{said}, {', '.join(others)}." if others else f"{said}."


def detail(why: str, description: str, elements: Sequence[str], notes: Sequence[str]) -> str:
    """The text about a scene: why it is incomplete, the description, what was found, and what was repaired."""
    parts = [each for each in (as_sentence(why), description) if each]
    parts += ["\n".join(f"– {element}" for element in elements)] if elements else []
    parts += ["\n".join(f"· {note}" for note in notes)] if notes else []
    return "\n\n".join(parts)
