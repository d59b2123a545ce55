"""How every verb runs an action: perform it, record it, and show what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from ..context import Context
from ..engine.events import apply_all, revert_all
from ..engine.record import Entry
from ..engine.scene import Scene
from ..engine.sides import decided
from ..engine.system import System
from ..errors import Cancelled
from ..play.acting import act
from ..play.attacking import Planned
from ..play.perform import with_events
from ..play.results import Result
from .options import Report, Run
from .terminal import Terminal


def perform(context: Context, planned: Planned, run: Run) -> int:
    """Perform a plan, record it and show it; the exit status."""
    session, intent, remark = planned
    success = None
    for done in act(context.desk, session, intent, run.dice, run.keep, Terminal(context)):
        success = done.entry.success
        is_own = (done.entry.intent.actor, done.entry.intent.action) == (intent.actor, intent.action)
        show_done(context, run, done, remark if is_own else "")
    return 1 if run.report.exit_status and success is False else 0


def show_done(context: Context, run: Run, done: Result, remark: str = "") -> None:
    """Print an action with a remark below it; Cancelled, which says what is recorded, where that is stopped."""
    try:
        show_entry(context, done, run.report, run.keep.is_dry, remark)
    except KeyboardInterrupt as stopped:
        if done.session.journal is None or run.keep.is_dry:
            raise
        file = context.desk.places.file
        raise Cancelled("stopped", hint=f"the action is done and recorded in {file}: crisis log") from stopped


def show_entry(
    context: Context, done: Result, report: Report, is_dry: bool = False, remark: str = ""
) -> None:
    """Print an entry as the options of the command say, with a remark below, and the events that followed from it."""
    session, output = done.session, context.output
    entries = with_events(session, done.entry)
    is_kept = session.crisis is not None and not session.crisis.is_story and not is_dry
    is_for_people = not (report.as_json or report.quiet)
    scenes = _scenes(session.scene, entries) if is_kept and is_for_people else []
    if report.folded is not None:
        # Another program may have acted since the last entry.
        report.folded.scene = scenes[0]
    for at, entry in enumerate(entries):
        _show_one(context, done._replace(entry=entry), report, is_dry)
        if remark and is_for_people and not at:
            output.say(f"  {remark}")
        if scenes and session.scene.encounter is not None and report.folded is None:
            from ..render.goals import count_lines

            output.say(*count_lines(session.system, scenes[at], scenes[at + 1], output.ink))
    if not is_for_people:
        return
    if session.crisis is not None:
        _show_left_out(context, session.crisis.done[: -len(entries)])
    if is_kept and not report.is_automatic and _decides_crisis(session.system, entries, scenes):
        from ..render.closing import outcome

        output.say(*report.rest())
        # An event that decides the crisis says itself who wins, unless it is shown in brief.
        is_said = report.folded is None and any(entry.outcome.get("wins") for entry in entries)
        words = "" if is_said else f"{outcome(session.scene, session.system)}. "
        output.say(output.ink("cyan", f"  {words}To end the crisis: {output.ink.way('end')}"))
    if is_dry:
        output.say(output.ink("dim", "  (a dry run: nothing was changed)"))


def _show_left_out(context: Context, before: Sequence[Entry]) -> None:
    """Print what the player was not asked for in the course of an action, unless an entry before it has such a choice:
    once in a fight."""
    caches, output = context.desk.caches, context.output
    if not caches.left_out:
        return
    what, way = caches.left_out[0], output.ink.way("questions all")
    if all(choice.asked or choice.holds for entry in before for choice in entry.choices):
        output.say(output.ink("dim", f"  (not asked: {what}; {way})"))
    caches.left_out = None


def _show_one(context: Context, done: Result, report: Report, is_dry: bool) -> None:
    """Print one entry as the options of the command say."""
    from ..render import text

    session, entry, _ = done
    if report.folded is not None:
        context.output.say(*report.folded.lines(entry))
    elif report.as_json:
        context.output.print_json(done.to_dict(report.explain))
    elif report.quiet:
        context.output.say(*text.quiet(entry))
    else:
        scene = apply_all(session.scene, entry.events) if is_dry else session.scene
        past = session.done[: entry.number - 1]
        context.output.say(
            *text.entry_lines(
                entry, scene, session.system, context.output.ink, report.explain, report.reasons, past
            )
        )


def _scenes(scene: Scene, entries: Sequence[Entry]) -> list[Scene]:
    """The scene before the last entries and the scene after each of them; `scene` is the last."""
    scenes = [scene]
    for entry in reversed(entries):
        scenes.insert(0, revert_all(scenes[0], entry.events))
    return scenes


def _decides_crisis(system: System, entries: Sequence[Entry], scenes: Sequence[Scene]) -> bool:
    """Whether the crisis was open before these entries, its last ones, and is decided with them (ALL-5)."""
    is_over = decided(system, scenes[-1]) and entries[0].intent.action != "end"
    return is_over and not decided(system, scenes[0])
