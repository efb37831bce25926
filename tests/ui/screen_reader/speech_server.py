"""A speech dispatcher without sound: takes what a screen reader would say, and knows how long saying it would last.

Speaks SSIP, speech-dispatcher's protocol (its manual, "SSIP"), as far as Orca uses it. What is queued is spoken at
`WORDS_PER_MINUTE`, eSpeak's own rate; what is stopped is not spoken on.
"""

from __future__ import annotations

import html
import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

WORDS_PER_MINUTE = 175
SECONDS_PER_WORD = 60 / WORDS_PER_MINUTE
_ANSWERS = {
    "HISTORY GET CLIENT_ID": "245-1\r\n245 OK CLIENT ID SENT",
    "LIST OUTPUT_MODULES": "250-silent\r\n250 OK MODULE LIST SENT",
    "LIST SYNTHESIS_VOICES": "249-English\ten-GB\tnone\r\n249 OK VOICE LIST SENT",
    "LIST VOICES": "249-male1\r\n249 OK VOICE LIST SENT",
}


@dataclass
class Utterance:
    """One thing that was to be said: when it came, and when it was stopped, if it was (seconds of the monotonic clock).

    `begins` is when its first word would be heard: once all that came before it has been said.
    """

    text: str
    came: float
    begins: float
    stopped: float | None = None

    @property
    def words(self) -> list[str]:
        """Its words."""
        return self.text.split()

    @property
    def ends(self) -> float:
        """When its last word would be heard."""
        ends = self.begins + len(self.words) * SECONDS_PER_WORD
        return ends if self.stopped is None else min(ends, self.stopped)

    @property
    def spoken(self) -> str:
        """What of it would be heard, "…" where it was cut off."""
        if self.stopped is None:
            return self.text
        count = max(0, int((self.ends - self.begins) / SECONDS_PER_WORD + 1e-6))
        return self.text if count >= len(self.words) else " ".join([*self.words[:count], "…"])


@dataclass
class Speech:
    """All that was to be said, in order."""

    utterances: list[Utterance] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Queue a text; blanks are not heard."""
        if not text.strip():
            return
        now = time.monotonic()
        free = max((each.ends for each in self.utterances[-20:]), default=now)
        self.utterances.append(Utterance(text, now, max(now, free)))

    def stop(self) -> None:
        """Say no more of what is queued."""
        now = time.monotonic()
        for each in self.utterances:
            if each.stopped is None and each.ends > now:
                each.stopped = now


class SpeechServer:
    """Listens on a socket while it is entered."""

    def __init__(self, socket_path: Path) -> None:
        self.speech = Speech()
        self._path = socket_path
        self._server = socket.socket(socket.AF_UNIX)
        self._threads: list[threading.Thread] = []
        self._clients: list[socket.socket] = []

    def __enter__(self) -> Self:
        self._server.bind(str(self._path))
        self._server.listen()
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._server, *self._clients):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self._threads:
            thread.join(5)

    @property
    def address(self) -> str:
        """What SPEECHD_ADDRESS has to be."""
        return f"unix_socket:{self._path}"

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                self._clients.append(client)
                self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        text: list[str] | None = None  # the lines of a text that is being sent
        with suppress(OSError, ValueError), client.makefile("r", encoding="utf-8", newline="\r\n") as lines:
            for each in lines:
                line = each.removesuffix("\r\n")
                if text is None:
                    text = [] if line.upper() == "SPEAK" else None
                    answer = "230 OK RECEIVING DATA" if text is not None else self._answer(line)
                elif line != ".":
                    text.append(line)
                    continue
                else:
                    self.speech.say(plain(" ".join(text)))
                    text, answer = None, "225-1\r\n225 OK MESSAGE QUEUED"
                client.sendall(f"{answer}\r\n".encode())

    def _answer(self, command: str) -> str:
        word, _, rest = command.partition(" ")
        match word.upper():
            case "CHAR" | "KEY" | "SOUND_ICON":
                self.speech.say(rest)
                return "225-1\r\n225 OK MESSAGE QUEUED"
            case "STOP" | "CANCEL":
                self.speech.stop()
                return "210 OK STOPPED"
            case "GET":
                return "251-50\r\n251 OK GET RETURNED"
            case "QUIT":
                return "231 HAPPY HACKING"
            case _:
                return _ANSWERS.get(command.upper(), "200 OK")


def plain(marked: str) -> str:
    """A text without the marks of SSML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", marked)).split())
