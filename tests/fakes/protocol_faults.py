"""What goes wrong in the same way whichever protocol is spoken, as each of them says it."""

from __future__ import annotations

from fake_server import Act

from adstudio.llm import faults
from adstudio.llm.messages import State


def refusals(said, model):
    """Status, body, fault and a part of its sentence; `said(status)` is how the protocol words a refusal."""
    return [
        (401, said(401), faults.KeyRefusedError, "enter it again"),
        (403, said(403), faults.KeyRefusedError, "ask its administrator"),
        (404, said(404), faults.ModelMissingError, f"has no model “{model}”"),
        (413, b"<html>Too large</html>", faults.TooLargeError, "send smaller ones, or split the scene"),
        (429, said(429), faults.RateError, "too many requests"),
        (500, said(500), faults.ServerError, "error 500"),
        (502, b"<html>", faults.OverloadedError, "too busy or still starting"),
        (503, said(503), faults.OverloadedError, "too busy"),
        (504, b"", faults.OverloadedError, "too busy"),
        (302, b"", faults.GarbledError, "another address, which is never followed"),
    ]


def streams(piece, answers, limit):
    """Act, fault, state and a part of its sentence; `piece` is one of an answer, `limit` what its limit is called."""
    return [
        # the server goes down in the middle
        (Act(blocks=[piece("He parks")], then="drop"), faults.LostError, State.TRUNCATED, "was lost"),
        (Act(then="drop", head=False), faults.LostError, State.FAILED, "was lost"),
        (Act(blocks=[piece("He parks")]), faults.LostError, State.TRUNCATED, "broke off during"),
        # cut, or empty
        (answers("He parks", reason=limit), faults.CutShortError, State.TRUNCATED, "limit of 4096 tokens"),
        (answers(reason=limit, thoughts=("hm",)), faults.ThoughtError, State.FAILED, "for reasoning"),
        (answers(" "), faults.EmptyError, State.FAILED, "an empty response"),
        (answers(), faults.EmptyError, State.FAILED, "an empty response"),
        # not the protocol
        (Act(blocks=[b"data: {half\n\n"]), faults.GarbledError, State.FAILED, "malformed response"),
        # running away
        (Act(endless=piece(" \n " * 20)), faults.RunawayError, State.FAILED, "degenerated into whitespace"),
        (
            Act(blocks=[piece('{"a": 0.')], endless=piece("3" * 20)),
            faults.RunawayError,
            State.TRUNCATED,
            "degenerated into digits",
        ),
        (Act(endless=piece("He parks the car. ")), faults.RunawayError, State.TRUNCATED, "repeating itself"),
    ]
