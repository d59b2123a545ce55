"""`crisis play`."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import click

from ..commands import options, placing, setup, system_options
from ..commands.autofight import report_interrupt
from ..commands.campaign.show import previously
from ..commands.reading import read_line
from ..commands.terminal import Terminal, require_terminal
from ..completion import Source
from ..context import Context
from ..engine.journal import PROGRAM
from ..engine.kinds import nearest
from ..engine.question_settings import QUESTIONS, SETTINGS, setting_for
from ..engine.scene import Intent, Scene
from ..errors import Cancelled, FileError, Refused, Usage
from ..play.attacking import Planned
from ..play.dice import Dice
from ..play.opening import Opening, PreparedOpening, prepare, with_doctrines
from ..play.party import those_who_play
from ..protocol.program import Settings
from ..render.reasons import ALL
from ..sheets.store import copies, is_path
from ..systems import load

MOST_JOURNALS, LARGEST_JOURNAL = 20, 1_000_000
"""Journals of a folder that are looked at for one to go on with, and the largest of them in bytes."""


@click.command("play", cls=system_options.SidesCommand)
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.who_plays"))
@setup.opening_options
@click.option("--apart", type=options.CountRange(0, 1_000), metavar="N", help=placing.APART_HELP)
@click.option("--auto", is_flag=True, help="All sides play automatically.")
@click.option(
    "--rounds",
    type=options.CountRange(1, 10_000),
    default=200,
    metavar="N",
    help="Stop after N rounds, decided or not (default: 200).",
)
@options.dice_options
@click.option("--digital-dice", is_flag=True, help="Let the program roll again, after --real-dice or --mine.")
@click.option("--save", is_flag=True, help="Save the sheets at the end.")
@click.option("--protocol", is_flag=True, help="Let a program decide, by JSON lines on stdin and stdout.")
@click.option(
    "--ask",
    default="all",
    metavar="WHO",
    help="With --protocol: the fighters it decides for: all (the default), players, opponents, or names with commas.",
)
@click.option(
    "--odds",
    type=click.Choice(("none", "quick", "full")),
    default="quick",
    help="With --protocol: how many rows get odds (default: quick, the first 24).",
)
@click.option(
    "--hide", is_flag=True, help="With --protocol: leave out what is in the pools of the other side."
)
@click.option("--lenient", is_flag=True, help="With --protocol: take the default after three bad answers.")
@click.option("--no-journal", is_flag=True, help="With --auto: write no journal.")
@click.option(
    "--questions",
    type=click.Choice(SETTINGS),
    help="What you are asked in the middle of actions: all, few (the default) or none.",
)
@options.reasons_option
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--full", is_flag=True, help="Tell automatic turns entry by entry, as crisis log does.")
@click.option(
    "--quiet", is_flag=True, help="Print only the winning side and the number of rounds: players 10."
)
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context,
    /,
    run: options.Run,
    who: tuple[str, ...],
    auto: bool,
    protocol: bool,
    questions: str | None,
    rounds: int,
    digital_dice: bool,
    vs: tuple[str, ...],
    encounter: str | None,
    no_journal: bool,
    full: bool,
    **given: Any,
) -> int:
    """Play a crisis at a prompt: the open one, a new one of WHO against those after --vs, or an encounter.

    You play your fighters; the others follow their doctrines. With --auto all sides play automatically, without a
    prompt. Automatic turns are shown in brief: what matters on a line each, the rest of a round in one sentence.
    --full tells every entry, as do --explain and --reasons all. If a fight of --auto is stopped (Ctrl-C, or a
    signal to terminate), the crisis ends without a winner: the journal is kept, the sheets are not written, and
    crisis undo opens it again. --real-dice and --mine apply to the whole crisis, even when it is resumed.

    In a campaign WHO is its party unless it is named, and a few lines say what happened before, unless --quiet.

    Without --place the sides begin in two rows, as far apart as the sheets suggest, else 10 m (step: 7 tiles,
    2d20: 1 zone); --apart N sets the distance, and --apart 0 gives nobody a position. Ctrl-C at a question before the
    first turn begins no crisis.

    \b
    Examples:
      crisis play jack ada --vs drone:3
      crisis play
      crisis play bridge
      crisis play bridge jack --auto
      crisis play jack --vs drone --auto
      crisis play jack --vs drone:2 --auto --seed 7
      crisis play jack --vs drone:2 --doctrine cunning
    """
    settings = {name: given.pop(name) for name in PROTOCOL_OPTIONS}
    _check_protocol(protocol, auto, settings)
    dice, report = run.dice, run.report
    # Modifiers and all reasons stand at the entries that only the whole fight has.
    is_folded = not (full or report.explain or report.reasons == ALL or report.as_json or report.quiet)
    if dice.results is not None or dice.choices or dice.is_automatic:
        raise Usage(
            f"a whole fight takes no list of {'choices' if dice.results is None else 'results'}",
            hint="use a seed: --seed N",
            code="conflicting_options",
        )
    who, encounter = _encounter_named(context, who, vs, encounter)
    who = those_who_play(context.desk, who, bool(vs or encounter))
    is_new = bool(who or vs or encounter)
    if no_journal and not (auto and is_new):
        raise Usage(
            "--no-journal is for a new fight that plays itself: the prompt needs a journal to undo and to show",
            hint="crisis play WHO… --vs WHO… --auto --no-journal",
            code="conflicting_options",
        )
    if is_new:
        asked = setup.read_opening(who, vs=vs, encounter=encounter, no_journal=no_journal, **given)
        asked = placing.with_apart_told(context, asked)
        _check_doctrines(context, asked)
    if not auto and not protocol:
        require_terminal(context.environment.is_interactive)
    if questions and (auto or protocol):
        raise Usage(
            "--questions and --auto cannot go together: nobody is asked"
            if auto
            else "--questions and --protocol cannot go together: a program is asked everything",
            code="conflicting_options",
        )
    if digital_dice and (dice.real or dice.mine):
        raise Usage(
            f"--digital-dice and --{'mine' if dice.mine else 'real-dice'} cannot go together",
            code="conflicting_options",
        )
    before = [] if report.quiet or report.as_json or not is_new else [*previously(context)]
    begins, wanted = None, questions or ""
    if is_new:
        wanted = wanted or ("" if auto or protocol else context.environment.shown_as(QUESTIONS))
        begins = prepare(context.desk, asked._replace(keeps_dice=True), dice, run.keep)
    else:
        _resume(context, dice, digital_dice)
    if auto:
        from ..commands.autofight import run_fight

        return run_fight(context, begins, before, report, dice, rounds, run.keep.saves, is_folded)
    if protocol:
        return _play_with_program(context, begins, Settings(**settings, rounds=rounds, save=run.keep.saves))
    if begins is not None:
        if before:
            context.output.say(*before)
        is_told = (dice.real or dice.mine) and not (report.quiet or report.as_json)
        if is_told:
            from ..render.folded import opening

            # What is at stake stands before the first real die.
            session, output = begins.session, context.output
            output.say(*opening(session.scene, session.system, output.ink, context.environment.width))
        try:
            desk = context.desk._replace(questions=wanted)
            done = begins.created(desk, Terminal(context._replace(desk=desk)))
        except (KeyboardInterrupt, Cancelled) as stopped:
            raise _stopped(is_open=bool(context.desk.last_recorded)) from stopped
        from ..commands import run_action

        if is_told:
            shown = {key: value for key, value in done.entry.outcome.items() if key != "encounter"}
            done = done._replace(entry=done.entry._replace(outcome=shown))
        if not report.quiet:
            run_action.show_entry(context, done, report)
    _set_questions(context, wanted, report)
    from .game import Game

    crisis = context.desk.journals.require().crisis
    if crisis.start.encounter and not (is_new or report.quiet):
        from ..render.goals import goal_lines

        scene, output = crisis.scene, context.output
        output.say(*goal_lines(load(scene.system), scene, output.ink, context.environment.width))
    usual = Dice(real=crisis.dice == "real", mine=crisis.dice == "mine")
    return Game(context._replace(desk=context.desk._replace(dice=usual)), report.reasons, is_folded).play()


def _set_questions(context: Context, wanted: str, report: options.Report) -> None:
    """Record the setting of questions that the player wants, if it is new to the crisis; empty for none."""
    from ..commands import run_action

    session = context.desk.open_session()
    if wanted and wanted != setting_for(session.done):
        intent = Intent(QUESTIONS, "", (), {"value": wanted, "who": None})
        run_action.perform(context, Planned(session, intent), options.Run(report=report))


def _play_with_program(context: Context, begins: PreparedOpening | None, settings: Settings) -> int:
    """Let a program at stdin and stdout decide; the exit status."""
    from ..protocol.program import play

    environment = context.environment
    if environment.stdin is None:
        raise Usage(
            "no answers come from stdin",
            hint="a program gives them, through a pipe: crisis-protocol(5)",
            code="no_terminal",
        )
    with report_interrupt(context, "crisis play --protocol"):
        play(context.desk, environment.stdin, environment.out, begins, settings, partial(read_line, context))
    return 0


def _stopped(is_open: bool) -> Cancelled:
    """The error where the player stops it before the first prompt."""
    if is_open:
        return Cancelled("stopped", hint="the crisis is open; to go on: crisis play")
    return Cancelled(
        "stopped before the first turn", hint="no crisis was begun: type the same line again to begin it"
    )


def _encounter_named(
    context: Context, who: tuple[str, ...], vs: tuple[str, ...], encounter: str | None
) -> tuple[tuple[str, ...], str | None]:
    """The fighters named, and the encounter that is played: the first word where it is an encounter and no sheet.

    Usage where it is the name of both (the file of a path is one or the other), or where an encounter stands elsewhere;
    FileError where the first word is neither.
    """
    if encounter:
        return who, encounter
    encounters, sheets = context.desk.shelves.encounters(), context.desk.shelves.sheets()

    def is_sheet(word: str) -> bool:
        return not is_path(word) and sheets.has(copies(word)[0])

    if who and not vs and encounters.is_one(who[0]):
        if is_sheet(who[0]):
            raise Usage(
                f"{who[0]!r} is a sheet and an encounter",
                hint=f"play the encounter: crisis play --encounter {who[0]}; "
                f"the sheet: crisis play {who[0]} --vs WHO…",
                code="ambiguous",
            )
        return who[1:], who[0]
    for word in (*who, *vs):
        if not is_sheet(word) and encounters.is_one(word):
            raise Usage(
                f"{word!r} is an encounter: it stands alone or before its players, and has its own opponents",
                hint=f"play it: crisis play {word}; with others than its party: crisis play {word} WHO…",
                code="bad_value",
            )
    if who and not vs and not is_path(who[0]) and not is_sheet(who[0]):
        near = nearest(who[0].casefold(), (*encounters.store.names(), *sheets.names()))
        raise FileError(
            f"no sheet and no encounter is called {who[0]!r}",
            hint=(f"did you mean {near}? " if near else "")
            + "all there are: crisis encounter list, crisis character list",
            code="not_found",
        )
    return who, None


def _check_doctrines(context: Context, asked: Opening) -> None:
    """Raise FileError if a doctrine of a new crisis is not there."""
    if asked.encounter:
        context.desk.shelves.encounters().read(asked.encounter)
        return
    system, fighters = context.desk.gather(asked.who, asked.vs, decide_sides=True)
    scene = Scene(system.name, {one.name: one for one in fighters})
    scene = with_doctrines(context.desk, scene, asked.doctrines, bool(asked.vs))
    for one in scene.fighters.values():
        context.desk.shelves.doctrine_of(one)


def _open_elsewhere(context: Context) -> str:
    """The name of another journal in this folder whose crisis is open, the one changed last; empty if there is none."""
    with os.scandir(context.environment.cwd) as there:
        found = [one for one in there if one.name.endswith(".jsonl")]
    found.sort(key=lambda one: one.stat().st_mtime, reverse=True)
    for one in found[:MOST_JOURNALS]:
        is_open_here = one.path == context.desk.places.journal_path
        crisis = None if is_open_here else context.desk.journals.peek(one.name, LARGEST_JOURNAL)
        # The story of a campaign is a journal too, and no crisis.
        if crisis is not None and "story" not in crisis.header:
            return one.name
    return ""


def _check_protocol(protocol: bool, auto: bool, settings: dict[str, Any]) -> None:
    """Raise Usage where options of --protocol stand without it, or it stands beside --auto."""
    own = [name for name, usual in PROTOCOL_OPTIONS.items() if settings[name] != usual]
    if own and not protocol:
        raise Usage(
            f"--{own[0]} is for --protocol", hint="crisis play … --protocol", code="conflicting_options"
        )
    if protocol and auto:
        raise Usage("--protocol and --auto cannot go together", code="conflicting_options")


PROTOCOL_OPTIONS = {"ask": "all", "odds": "quick", "hide": False, "lenient": False}
"""Options that go with --protocol, with what they are if nothing is said."""


def _resume(context: Context, dice: Dice, digital: bool) -> None:
    """Go on with the open crisis: note whose dice are asked for from now on. Refused if no crisis is open."""
    journal = context.desk.journals.active()
    if journal is None:
        other = _open_elsewhere(context)
        way = f"; go on with {other}: crisis --file {other} play" if other else ""
        raise Refused(
            f"no crisis is open here ({context.desk.places.file})",
            hint="begin one: crisis play ENCOUNTER (all: crisis encounter list), or "
            f"crisis play WHO… --vs WHO…{way}",
            code="no_crisis",
        )
    asked = "real" if dice.real else "mine" if dice.mine else ""
    wanted = PROGRAM if digital else asked or journal.crisis.dice
    if wanted != journal.crisis.dice:
        journal.with_dice(wanted)
    elif wanted != PROGRAM and not asked and context.environment.is_interactive:
        whose = "All dice are" if wanted == "real" else "The dice of your side are"
        context.output.say(f"{whose} yours, as before. To let the program roll: crisis play --digital-dice")
