"""Rolls on tables and questions to the oracle: recorded in an open crisis, shown alone without one."""

from __future__ import annotations

from .. import systems
from ..context import Context
from ..engine.record import Entry
from ..engine.scene import Intent, Scene
from ..play.perform import perform_and_record
from ..play.session import Session
from ..render import data, text
from . import options
from .terminal import Terminal


def current_session(context: Context) -> Session:
    """The session of the open crisis, or of the story of the campaign; without either one without fighters, which
    belongs to no system."""
    if context.desk.journals.active() is not None:
        return context.desk.open_session()
    if (story := context.desk.campaigns.story_session()) is not None:
        return story
    system = systems.load(systems.names()[0])
    return Session(system, Scene(system.name, {}))


def perform_and_show(context: Context, session: Session, intent: Intent, run: options.Run) -> Entry:
    """Perform an intent of no fighter, record it in an open crisis (unless a dry run), and show it."""
    session, entry, seed = perform_and_record(
        context.desk, session, intent, run.dice, run.keep, Terminal(context)
    )
    if run.report.as_json:
        record = data.entry(entry, session.system, seed, session.journal is not None)
        if session.journal is None:
            del record["system"]
        context.output.print_json(record)
    elif run.report.quiet:
        context.output.say(*text.quiet(entry))
    else:
        context.output.say(*text.entry_lines(entry, session.scene, session.system, context.output.ink))
    return entry
