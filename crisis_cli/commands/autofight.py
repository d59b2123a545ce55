"""A whole fight played automatically (`play --auto`)."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

from ..context import Context, DiceOptions
from ..engine.events import apply_all
from ..engine.record import Entry
from ..engine.scene import Intent
from ..errors import FileError, Interrupted, Refused
from ..play.session import Session
from ..render.board import board
from ..render.closing import bare_verdict, closing
from ..sheets import save_sheets
from ..signals import Stop
from . import autoplay, run_action
from .end import show_journal_name


class Screen:
    """Prints a fight until printing fails; the fight itself goes on."""

    def __init__(self) -> None:
        self.failed: FileError | None = None
        """The error that stopped the output; None for a closed pipe."""
        self.latest: Session | None = None
        """The session after the last entry."""
        self._ended = False

    def show(self, draw: Callable[[], None]) -> None:
        """Call a function that prints, unless printing failed before."""
        if self._ended:
            return
        try:
            draw()
        except BrokenPipeError:
            self._ended = True
        except FileError as error:
            if error.code != "recorded":
                raise
            self._ended, self.failed = True, error


StartFight = Callable[[Callable[[Callable[[], None]], None]], tuple[Session, dict[str, Any]]]
"""Opens or resumes a crisis, given a function that calls what prints its opening; gives the session and options."""


def run_fight(context: Context, start: StartFight, rounds: int, save: bool) -> int:
    """Play a fight automatically for at most `rounds` rounds, end the crisis, and print the result.

    Returns the exit status. Interrupted if a signal stops it: the crisis ends undecided and no sheet is written.
    """
    screen = Screen()
    with context.environment.signals.deferred() as stop:
        session, options = start(screen.show)
        is_seeded = options["seed"] is not None
        autoplay.check_doctrines(context, session.scene.fighters.values())
        options = {**options, "seed": None, "order": None, "automatic": True}
        try:
            session = _play_to_end(context, session, rounds, screen, stop, options)
        except (KeyboardInterrupt, Interrupted):
            # Interrupted while asking for results of real dice.
            stop.signal = stop.signal or signal.SIGINT
            session = screen.latest or session
        if stop.signal:
            raise _end_undecided(context, session, stop, options)
        last, seed, ended = run_action.perform_and_record(
            context, session, Intent("end", "", (), {"save": save}), options
        )
        journal_name = finish_journal(context, ended)
    screen.show(lambda: _show_result(context, session, ended, last, seed, options))
    if not options["as_json"] and not options["quiet"]:
        screen.show(lambda: show_journal_name(context, journal_name, is_seeded))
    if not save and journal_name and context.desk.places.story_folder and not options["quiet"]:
        context.output.warn(
            "the fight counts in the campaign, and its wounds are not on the sheets; to save them: crisis undo, then "
            "crisis end (next time: --save)",
            "not_saved",
        )
    if screen.failed:
        raise FileError(
            f"{screen.failed.message}; the fight went on to its end",
            hint=f"nothing is lost; the journal is {journal_name}",
            code="recorded",
        )
    return 0


def _play_to_end(
    context: Context, session: Session, rounds: int, screen: Screen, stop: Stop, options: dict[str, Any]
) -> Session:
    """Play until the fight is decided, the rounds are over, no fighter can act any more, or a signal has come.

    Gives the session after it.
    """

    def show(session: Session, entry: Entry, seed: int | None) -> None:
        screen.latest = session
        if not options["quiet"]:
            screen.show(lambda: run_action.show_entry(context, session, entry, seed, options))

    def should_stop(now: Session, intent: Intent) -> bool:
        if stop.signal:
            return True
        return is_last_round_over(context, now, intent, rounds)

    try:
        return autoplay.play_turns(
            context, session, autoplay.make_autoplayer(context, session), options, show, should_stop
        )
    except Refused as refusal:
        if refusal.code != "nobody_can_act":
            raise
        return screen.latest or session


def is_last_round_over(context: Context, now: Session, intent: Intent, rounds: int) -> bool:
    """Whether a round after the last of so many would begin with an intent."""
    if now.scene.round < rounds or intent.action in now.system.actions:
        return False
    # Tries what comes next, only to see its round: dice do not change that, so the player is not asked for them.
    asks, context.choosing = context.choosing, None
    try:
        entry, _ = run_action.make_entry(context, DiceOptions(is_automatic=True), now, intent)
    finally:
        context.choosing = asks
    return apply_all(now.scene, entry.events).round > rounds


def _end_undecided(context: Context, session: Session, stop: Stop, options: dict[str, Any]) -> Interrupted:
    """End a fight that a signal stopped, as undecided; gives the error to raise, which names the journal."""
    why = {"save": False, "why": f"undecided: stopped by {signal.Signals(stop.signal).name}"}
    _, _, ended = run_action.perform_and_record(context, session, Intent("end", "", (), why), options)
    journal_name = finish_journal(context, ended)
    about: dict[str, Any] = {"journal": journal_name} if journal_name else {}
    return Interrupted(
        f"stopped: the fight is undecided{f', and its journal is {journal_name}' if journal_name else ''}",
        hint="the sheets are as they were"
        + ("; to go on: crisis undo, then crisis play" if journal_name else ""),
        status=stop.status,
        **about,
    )


def finish_journal(context: Context, ended: Session) -> str:
    """Write the sheets of an ended crisis and archive its journal; gives the journal's name, empty if it has none."""
    journal = ended.journal
    assert journal is not None
    if journal.is_on_disk:
        archive = context.desk.campaigns.finish_end(journal).archive
        return context.desk.places.shown_archive(archive) if archive else context.desk.places.file
    if journal.crisis.ending:
        allowed = save_sheets.only_in_reach(
            context.desk.shelves.sheets(), context.output.warn, os.path.dirname(journal.path)
        )
        save_sheets.write_changes(
            context.desk.shelves.sheets(), context.output.warn, journal.crisis.ending.sheets, allowed
        )
    return ""


def _show_result(
    context: Context, fight: Session, ended: Session, last: Entry, seed: int | None, options: dict[str, Any]
) -> None:
    """Print the final state of all fighters, and who won after how many rounds."""
    if options["as_json"]:
        run_action.show_entry(context, ended, last, seed, options)
        return
    if not options["quiet"]:
        context.output.say(
            "", *board(fight.scene, fight.system, context.output.ink, context.environment.width), ""
        )
        assert ended.journal is not None
        context.output.say(*closing(ended.journal.crisis.done, fight.scene, fight.system, context.output.ink))
        return
    context.output.say(bare_verdict(fight.scene, fight.system))
