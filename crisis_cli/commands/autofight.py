"""A crisis that fights itself to its end (`play --auto`)."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..context import Context, DiceOptions, Session
from ..engine.events import apply_all
from ..engine.record import Entry
from ..engine.scene import Intent
from ..engine.sides import standing
from ..errors import FileTrouble, Interrupted
from ..render.board import board
from ..sheets import save_sheets
from ..signals import Stop
from . import autoplay, run_action


class Screen:
    """Shows a fight for as long as that succeeds: the fight does not depend on it."""

    def __init__(self) -> None:
        self.failed: FileTrouble | None = None
        """Why nothing more is shown, unless the reader has had enough."""
        self.latest: Session | None = None
        """The fight after the last entry."""
        self._ended = False

    def show(self, showing: Callable[[], None]) -> None:
        """Show something, if all before it could be shown."""
        if self._ended:
            return
        try:
            showing()
        except BrokenPipeError:
            self._ended = True
        except FileTrouble as trouble:
            if trouble.code != "recorded":
                raise
            self._ended, self.failed = True, trouble


Begins = Callable[[Callable[[Callable[[], None]], None]], tuple[Session, dict[str, Any]]]
"""Opens a crisis, or takes the open one up, given what shows its opening; the sitting, and the options of the fight."""


def fought(context: Context, begins: Begins, rounds: int, save: bool) -> int:
    """Let a fight play itself for so many rounds at most, end the crisis, and show who holds the field.

    Interrupted where a signal stops it: the crisis is ended undecided then, and no sheet is written.
    """
    screen = Screen()
    with context.environment.signals.deferred() as stop:
        session, given = begins(screen.show)
        autoplay.heard(context, session.scene.fighters.values())
        given = {**given, "seed": None, "order": None, "alone": True}
        try:
            session = _fought(context, session, rounds, screen, stop, given)
        except (KeyboardInterrupt, Interrupted):
            # While someone was asked for the faces of dice.
            stop.signal = stop.signal or signal.SIGINT
            session = screen.latest or session
        if stop.signal:
            raise _stopped(context, session, stop, given)
        last, seed, ended = run_action.performed(
            context, session, Intent("end", "", (), {"save": save}), given
        )
        journal = _finished(context, ended)
    screen.show(lambda: _result(context, session, ended, last, seed, given))
    if screen.failed:
        raise FileTrouble(
            f"{screen.failed.message}; the fight went on to its end",
            hint=f"nothing is lost; the journal is {journal}",
            code="recorded",
        )
    return 0


def _fought(
    context: Context, session: Session, rounds: int, screen: Screen, stop: Stop, given: dict[str, Any]
) -> Session:
    """The sitting after the fight has fought itself to its end, for as many rounds as it may, or until a signal."""

    def told(session: Session, entry: Entry, seed: int | None) -> None:
        screen.latest = session
        if not given["quiet"]:
            screen.show(lambda: run_action.show(context, session, entry, seed, given))

    def until(now: Session, intent: Intent) -> bool:
        if stop.signal:
            return True
        if now.scene.round < rounds or intent.action in now.system.actions:
            return False
        # The round goes on in the same way whatever the dice show: nobody throws for a try.
        entry, _ = run_action.entered(context, DiceOptions(is_automatic=True), now, intent)
        return apply_all(now.scene, entry.events).round > rounds

    return autoplay.played(context, session, autoplay.minds_of(context, session), given, told, until)


def _stopped(context: Context, session: Session, stop: Stop, given: dict[str, Any]) -> Interrupted:
    """End a fight undecided that a signal has stopped, and say where its journal is."""
    why = {"save": False, "why": f"undecided: stopped by {signal.Signals(stop.signal).name}"}
    _, _, ended = run_action.performed(context, session, Intent("end", "", (), why), given)
    journal = _finished(context, ended)
    stopped = Interrupted(
        f"stopped: the fight is undecided{f', and its journal is {journal}' if journal else ''}",
        hint="the sheets are as they were" + ("; to go on: crisis undo, then crisis play" if journal else ""),
        journal=journal,
    )
    stopped.status = stop.status
    return stopped


def _finished(context: Context, ended: Session) -> str:
    """Write the sheets of a crisis that has ended, and put its journal away; the journal, empty where there is none."""
    journal = ended.journal
    assert journal is not None
    if journal.on_disk:
        archive = save_sheets.finish(context.store(), context.warn, journal).archive
        return str(Path(context.file).with_name(archive.name)) if archive else context.file
    if journal.crisis.ending:
        allowed = save_sheets.in_reach(context.store(), context.warn, journal.path.parent)
        save_sheets.carried_out(context.store(), context.warn, journal.crisis.ending.sheets, allowed)
    return ""


def _result(
    context: Context, fight: Session, ended: Session, last: Entry, seed: int | None, given: dict[str, Any]
) -> None:
    """Show how the fighters stand at the end of the fight, and who holds the field."""
    if given["as_json"]:
        run_action.show(context, ended, last, seed, given)
        return
    if not given["quiet"]:
        context.say("", *board(fight.scene, fight.system, context.ink, context.environment.width), "")
    sides = list(standing(fight.system, fight.scene))
    won = f"The {sides[0]} hold the field" if len(sides) == 1 else "A draw" if sides else "Nobody is left"
    rounds = ended.scene.round
    after = "1 round" if rounds == 1 else f"{rounds} rounds"
    context.say(context.ink("bold", f"{won} after {after}."))
