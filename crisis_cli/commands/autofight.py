"""A whole fight played automatically (`play --auto`)."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..context import Context
from ..engine.events import apply_all
from ..engine.scene import Intent
from ..errors import Cancelled, FileError, Refused
from ..play.dice import AUTOMATIC, Dice
from ..play.ending import is_over, require_undecided
from ..play.fight import Fight
from ..play.next_steps import play_again
from ..play.opening import PreparedOpening
from ..play.results import Result
from ..play.session import Session
from ..play.turns import NOBODY
from ..render.board import board
from ..render.closing import bare_verdict, closing
from ..render.next_steps import NextStep, lines
from ..render.text import because
from ..signals import Stop
from . import run_action
from .end import show_journal_name
from .options import Report
from .terminal import Terminal

if TYPE_CHECKING:
    from ..render.folded import Folded


@contextmanager
def report_interrupt(context: Context, resume_with: str) -> Iterator[None]:
    """A block in which an interrupt is reported with what stays recorded, and the command to resume with."""
    try:
        yield
    except (KeyboardInterrupt, Cancelled) as stopped:
        file = context.desk.places.file
        hint = f"what has been done stays in {file}; to go on: {resume_with}"
        raise Cancelled("stopped", hint=hint) from stopped


class Screen:
    """Prints a fight until printing fails; the fight itself goes on."""

    def __init__(self) -> None:
        self.failed: FileError | None = None
        """The error that stopped the output; None for a closed pipe."""
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


def run_fight(
    context: Context,
    begins: PreparedOpening | None,
    before: Sequence[str],
    report: Report,
    dice: Dice,
    rounds: int,
    save: bool,
    is_folded: bool,
) -> int:
    """Play a fight automatically for at most `rounds` rounds, end the crisis, and print the result; the exit status.

    With `is_folded` it is told in brief, and else entry by entry. `begins` is the crisis that is opened, after the
    lines of `before`; None goes on with the open one. `dice` are as they were asked for. Cancelled if a signal stops
    the fight: the crisis ends undecided and no sheet is written.
    """
    screen, desk = Screen(), context.desk
    with context.environment.signals.deferred() as stop:
        if begins is None:
            session = desk.open_session()
            require_undecided(session)
        else:
            opened = begins.created(desk, Terminal(context))
            session = opened.session
            if before:
                screen.show(lambda: context.output.say(*before))
            if not report.quiet and not is_folded:
                screen.show(lambda: run_action.show_entry(context, opened, report))
        assert session.crisis is not None
        if is_folded:
            report = report._replace(
                folded=_begin_folded(context, screen, session, begins is not None, report.reasons)
            )
        for fighter in session.scene.fighters.values():
            desk.shelves.doctrine_of(fighter)
        report = report._replace(is_automatic=True)
        # Without a terminal the program rolls, unless real dice were asked for.
        whose = session.crisis.dice if desk.has_player or dice.real or dice.mine else ""
        usual = AUTOMATIC._replace(real=whose == "real", mine=whose == "mine")

        def show(done: Result) -> None:
            if not report.quiet:
                screen.show(lambda: run_action.show_entry(context, done, report))

        def tell_rest() -> None:
            screen.show(lambda: context.output.say(*report.rest()))

        fight = Fight(desk, session, NOBODY, usual, show)
        _play_to_end(Terminal(context, tell_rest), fight, rounds, stop)
        last = fight.session
        if stop.signal:
            raise _end_undecided(fight, stop)
        ended = fight.end(save)
    steps = ended.next if save else ()
    screen.show(lambda: _show_result(context, last, ended.result, report, steps))
    if not report.as_json and not report.quiet:
        screen.show(lambda: show_journal_name(context, ended.archive, dice.seed is not None))
    if not save and ended.archive and desk.places.story_folder and not report.quiet:
        context.output.warn(
            "the fight counts in the campaign, and its wounds are not on the sheets; to save them: crisis undo, then "
            "crisis end (next time: --save)",
            "not_saved",
        )
    if screen.failed:
        raise FileError(
            f"{screen.failed.message}; the fight went on to its end",
            hint=f"nothing is lost; the journal is {ended.archive}",
            code="recorded",
        )
    return 0


def _begin_folded(context: Context, screen: Screen, session: Session, is_new: bool, reasons: str) -> Folded:
    """What tells the fight in brief, from its opening on or from where it stands now."""
    from ..render import folded

    assert session.crisis is not None
    crisis, ink, width = session.crisis, context.output.ink, context.environment.width
    scene = apply_all(crisis.start, crisis.done[0].events) if is_new else session.scene
    teller = folded.Folded(scene, session.system, ink, width, reasons)
    teller.begin_round()
    if is_new:
        lines = folded.opening(scene, session.system, ink, width)
        lines[-1:-1] = because(crisis.done[0], ink)
        lines += [line for entry in crisis.done[1:] for line in teller.lines(entry)]
        screen.show(lambda: context.output.say(*lines))
    return teller


def _play_to_end(terminal: Terminal, fight: Fight, rounds: int, stop: Stop) -> None:
    """Play until the fight is decided, the rounds are over, no fighter can act any more, or a signal has come."""

    def stops(now: Session, intent: Intent) -> bool:
        return bool(stop.signal) or is_over(fight.desk, now, intent, rounds)

    try:
        terminal.carry(fight, stops)
    except (KeyboardInterrupt, Cancelled):
        # Cancelled while asking for results of real dice.
        stop.signal = stop.signal or signal.SIGINT
    except Refused as refusal:
        if refusal.code != "nobody_can_act":
            raise


def _end_undecided(fight: Fight, stop: Stop) -> Cancelled:
    """End a fight that a signal stopped, as undecided; gives the error to raise, which names the journal."""
    ended = fight.end(False, f"undecided: stopped by {signal.Signals(stop.signal).name}")
    name = ended.archive
    return Cancelled(
        f"stopped: the fight is undecided{f', and its journal is {name}' if name else ''}",
        hint="the sheets are as they were" + ("; to go on: crisis undo, then crisis play" if name else ""),
        status=stop.status,
        **({"journal": name} if name else {}),
    )


def _show_result(
    context: Context, fight: Session, ended: Result, report: Report, steps: Sequence[NextStep]
) -> None:
    """Print the final state of all fighters, and who won after how many rounds; then what to do now, or without that
    how to play the fight oneself."""
    output, width = context.output, context.environment.width
    assert ended.session.journal is not None
    crisis = ended.session.journal.crisis
    if report.as_json:
        run_action.show_entry(context, ended, report)
    elif report.quiet:
        output.say(bare_verdict(fight.scene, fight.system))
    elif report.folded is None:
        output.say("", *board(fight.scene, fight.system, output.ink, width), "")
        output.say(*closing(crisis.done, fight.scene, fight.system, output.ink))
    else:
        from ..story.recap_text import end_lines

        output.say("", *end_lines(crisis, fight.system, output.ink, width))
        if steps:
            output.say("", *lines(steps, output.ink))
        else:
            output.say(f"Now you: {output.ink.way(shlex.join(('play', *play_again(crisis))))}")
