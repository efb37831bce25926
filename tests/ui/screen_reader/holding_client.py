"""A screen reader that never lets go: holds everything it has ever met in the editor, and asks everything of it.

`holding_client.py WINDOW KEYS SEED` presses so many keys in the window and prints HELD with figures at the end. For the
system's Python, which has the bindings of AT-SPI. What it holds are paths on the accessibility bus: of one that is gone
it asks on, as a client does that has not been told.
"""

from __future__ import annotations

import random
import subprocess
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402 - once their version is chosen

KEYS = (
    *("Down", "Up", "Right", "x", "p", "a", "u", "t", "w", "bracketright", "bracketleft", "F8", "F8", "m"),
    *("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+shift+z", "Delete", "alt+Down", "alt+Up", "ctrl+End", "ctrl+Right", "F6"),
)
EVERY = 50
"""Keys after which everything is met anew."""
SAMPLE = 14
"""Things that are asked everything after each key."""
IN_FLIGHT = 150
TIMEOUT = 60_000

ACCESSIBLE, PROPERTIES = "org.a11y.atspi.Accessible", "org.freedesktop.DBus.Properties"
QUESTIONS = (
    *((ACCESSIBLE, name, None) for name in ("GetRole", "GetState", "GetIndexInParent", "GetRelationSet")),
    *((ACCESSIBLE, name, None) for name in ("GetAttributes", "GetInterfaces", "GetApplication", "GetRoleName")),
    *((PROPERTIES, "Get", ("(ss)", (ACCESSIBLE, name))) for name in ("Name", "Description", "Parent", "ChildCount")),
    ("org.a11y.atspi.Component", "GetExtents", ("(u)", (0,))),
    ("org.a11y.atspi.Text", "GetText", ("(ii)", (0, -1))),
    ("org.a11y.atspi.Action", "GetActions", None),
    ("org.a11y.atspi.Selection", "GetSelectedChild", ("(i)", (0,))),
    ("org.a11y.atspi.TableCell", "GetRowColumnSpan", None),
    (PROPERTIES, "Get", ("(ss)", ("org.a11y.atspi.Value", "CurrentValue"))),
)


class Client:
    def __init__(self) -> None:
        session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        found = session.call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, -1, None
        )
        flags = Gio.DBusConnectionFlags
        self._bus = Gio.DBusConnection.new_for_address_sync(
            found.unpack()[0], flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None
        )
        self._open = 0
        self.held: dict[str, None] = {}
        self.asked = self.refused = self.events = 0
        self._listener = Atspi.EventListener.new(self._event)
        for event in ("object:state-changed", "object:property-change", "object:children-changed", "focus:", "window:"):
            self._listener.register(event)
        self.name = self._editor()

    def _event(self, _event: object) -> None:
        self.events += 1

    def _editor(self) -> str:
        root = "/org/a11y/atspi/accessible/root"
        for _ in range(600):
            answer = self._bus.call_sync(
                "org.a11y.atspi.Registry", root, ACCESSIBLE, "GetChildren", None, None, Gio.DBusCallFlags.NONE, -1, None
            )
            for name, path in answer.unpack()[0]:
                question = GLib.Variant("(ss)", (ACCESSIBLE, "Name"))
                reply = self._bus.call_sync(
                    name, path, PROPERTIES, "Get", question, None, Gio.DBusCallFlags.NONE, TIMEOUT, None
                )
                if "adstudio" in reply.unpack()[0]:
                    return name
            GLib.usleep(100_000)
        raise SystemExit("the editor is not on the accessibility bus")

    def _ask(self, path: str, interface: str, method: str, argument: object, take=None) -> None:
        while self._open >= IN_FLIGHT:
            GLib.MainContext.default().iteration(True)
        self._open += 1
        self.asked += 1

        def answered(bus: Gio.DBusConnection, result: Gio.AsyncResult) -> None:
            self._open -= 1
            try:
                reply = bus.call_finish(result)
            except GLib.Error as error:
                self.refused += 1
                if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT):
                    raise SystemExit(f"no answer of {path}: {method}") from None
                return
            if take is not None:
                take(reply.unpack())

        variant = None if argument is None else GLib.Variant(*argument)
        none = Gio.DBusCallFlags.NONE
        self._bus.call(self.name, path, interface, method, variant, None, none, TIMEOUT, None, answered)

    def settle(self) -> None:
        """Wait for every answer."""
        while self._open:
            GLib.MainContext.default().iteration(True)

    def meet(self) -> None:
        """Hold everything that is there now."""
        seen: set[str] = set()

        def children(found: tuple[list[tuple[str, str]]]) -> None:
            for _, path in found[0]:
                if path not in seen:
                    seen.add(path)
                    self.held[path] = None
                    fresh.append(path)

        fresh = ["/org/a11y/atspi/accessible/root"]
        while fresh or self._open:
            if fresh:
                self._ask(fresh.pop(), ACCESSIBLE, "GetChildren", None, children)
            else:
                GLib.MainContext.default().iteration(True)

    def ask_everything(self, paths: list[str]) -> None:
        """Ask all questions of these."""
        for path in paths:
            for interface, method, argument in QUESTIONS:
                self._ask(path, interface, method, argument)
        self.settle()


def main(window: str, keys: int, seed: int) -> None:
    """Press, hold and ask."""
    client, chance = Client(), random.Random(seed)
    subprocess.run(["xdotool", "windowfocus", "--sync", window], check=True)
    for number in range(keys):
        if number % EVERY == 0:
            client.meet()
        subprocess.run(["xdotool", "key", chance.choice(KEYS)], check=True)
        held = list(client.held)
        newest = held[-SAMPLE // 2 :]
        client.ask_everything([*newest, *chance.sample(held, min(SAMPLE // 2, len(held)))])
    client.meet()
    client.ask_everything(list(client.held))
    print(f"HELD {len(client.held)} ASKED {client.asked} GONE {client.refused} EVENTS {client.events}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
