"""`crisis log`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import click

from ..completion import Source
from ..context import Context
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import Usage
from ..play import telling
from ..render import data, jsontext, text
from ..render.style import Ink, harmless
from ..systems import load
from . import options

if TYPE_CHECKING:
    from ..sheets.journal_file import JournalFile

STORIES = ("recap", *telling.FORMS)
"""The options that tell the crisis as a whole."""
FOLLOWED = ("lonelog",)
"""Those of them that --follow can go on with."""


class Rounds(click.ParamType):  # type: ignore[type-arg]
    """The type of --round: a round, or the first and the last of several, such as `2-4`."""

    name = "rounds"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """The first and the last round."""
        if isinstance(value, tuple):
            return value
        first, dash, last = value.partition("-")
        words = (first, last if dash else first)
        if not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
            self.fail(f"{value!r} is not a round, and not two as A-B", param, ctx)
        if int(words[0]) > int(words[1]):
            self.fail(f"{value!r} ends before it begins", param, ctx)
        return int(words[0]), int(words[1])


@click.command("log")
@click.argument(
    "which", required=False, metavar="[N|FILE]", shell_complete=Source("names.entries_and_journals")
)
@click.option("--entry", type=click.IntRange(1), metavar="N", help="Show entry N alone.")
@click.option("--since", type=click.IntRange(1), metavar="N", help="Begin with entry N.")
@click.option(
    "--until", type=click.IntRange(1), metavar="N", help="End with entry N: the crisis as it was then."
)
@click.option("--round", "rounds", type=Rounds(), metavar="A-B", help="Show rounds A to B, or round A alone.")
@click.option("--follow", is_flag=True, help="Go on with each entry as it is written, until the crisis ends.")
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@click.option("--recap", is_flag=True, help="Sum up the fight: harm, luck, turning points, what was used up.")
@click.option("--markdown", is_flag=True, help="Print it as Markdown.")
@click.option("--lonelog", is_flag=True, help="Print it in the Lonelog notation.")
@click.option("--html", is_flag=True, help="Make a page that replays it in a browser.")
@click.option("--script", is_flag=True, help="Print it as lines that crisis run plays again.")
@click.option("--title", metavar="TEXT", help="Title of the Markdown, the page, or the scene in Lonelog.")
@click.option(
    "--theme",
    type=click.Choice(("auto", "light", "dark")),
    default="auto",
    help="Colours of the page (default: as the reader's system).",
)
@click.option("--no-odds", is_flag=True, help="Leave the odds of attacks out of the page.")
@click.option("--with-journal", is_flag=True, help="Put the journal itself at the foot of the page.")
@options.to_file_options
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    which: str | None,
    entry: int | None,
    since: int | None,
    until: int | None,
    rounds: tuple[int, int] | None,
    follow: bool,
    explain: bool,
    title: str | None,
    theme: str,
    no_odds: bool,
    with_journal: bool,
    to: str | None,
    overwrite: bool,
    as_json: bool,
    **stories: bool,
) -> int:
    """Show the log, or entry N alone; or tell the whole crisis in another form.

    FILE is the journal of another crisis, open or ended. Undone entries are left out. --since, --until and --round
    show a part of it, in every form but a script, which begins at the beginning.

    \b
    Examples:
      crisis log
      crisis log 7 --explain
      crisis log --since 5
      crisis log --round 1 --markdown
      crisis log --recap
      crisis log crisis-20261120T190702Z.jsonl --markdown --to fight.md
      crisis log --html --to fight.html
      crisis log --script --to again.txt
    """
    path, number = _journal_and_entry(which, entry)
    desk, output = context.desk, context.output
    journal = telling.read_journal(desk, path, "log") if path else desk.journals.latest()
    story = _only_story(stories, as_json, number, to, overwrite)
    _check_part(story, number, since, until, rounds, follow)
    _check_page(story, no_odds, with_journal)
    if follow:
        _follow(context, journal, story, since or 1, as_json, explain)
        return 0
    crisis = journal.crisis
    if rounds:
        since, until = telling.entries_of(crisis, *rounds)
    if not story:
        crisis = crisis if until is None else crisis.until(until)
        chosen = (
            crisis.done[(since or 1) - 1 :] if number is None else (telling.entry_numbered(crisis, number),)
        )
        _show(context, crisis, chosen, as_json, explain)
        if as_json and not chosen:
            output.print_record("log", entries=0, last=len(crisis.done))
        return 0
    is_terminal = context.environment.is_terminal
    if story == "html" and is_terminal and not to:
        raise Usage(
            "--html makes a page, not lines for a terminal",
            hint="write it: --to fight.html",
            code="missing_option",
        )
    if story == "recap":
        story_text = _recap_text(context, telling.told(crisis, since, until), as_json, bool(to))
    else:
        from ..story.page import Dress

        dress = Dress(title or "", theme, not no_odds, telling.text_of(journal) if with_journal else "")
        story_text = telling.export(desk, crisis, story, dress, since, until)
    if story == "script" and is_terminal:
        story_text = harmless(story_text)
    if to:
        write_story(context, to, story_text, overwrite, journal)
    elif story == "recap" and not as_json:
        output.say(*story_text.splitlines())
    else:
        output.print_text(story_text)
    return 0


def _show(context: Context, crisis: Crisis, entries: Iterable[Entry], as_json: bool, explain: bool) -> None:
    """Print entries, as objects or as lines with their numbers."""
    system = load(crisis.scene.system)
    lines: list[str] = []
    done = tuple(entries)
    try:
        for at, one in enumerate(done):
            with text.legible(one):
                if as_json:
                    record = data.entry(one, system, crisis.seed, True, explain)
                    if one.intent.action == "end":
                        record |= data.outcome_so_far(crisis.last_scene, system)
                    context.output.print_json(record)
                    continue
                said = text.entry_lines(
                    one, crisis.scene, system, context.output.ink, explain, past=done[:at]
                ) or [""]
                # The empty line before a new round stays empty: the number stands before words.
                apart = [*takewhile(lambda line: not line, said[:-1])]
                first, *rest = said[len(apart) :]
                lines += [
                    *apart,
                    f"{context.output.ink('dim', f'{one.number:3}')} {first}",
                    *(f"    {line}" for line in rest),
                ]
    finally:
        # Entries before one that cannot be shown are shown.
        context.output.say(*lines)


def _check_part(
    story: str,
    number: int | None,
    since: int | None,
    until: int | None,
    rounds: tuple[int, int] | None,
    follow: bool,
) -> None:
    """Raise Usage where options for a part of the log do not go with each other, or with a story."""
    given = {"--since": since, "--until": until, "--round": rounds, "--follow": follow or None}
    parts = [name for name, value in given.items() if value is not None]
    apart = [
        ("--entry" if number is not None else "", parts),
        (f"--{story}" if story not in ("", *FOLLOWED) else "", ["--follow"]),
        ("--script" if story == "script" else "", ["--since", "--round"]),
        ("--round" if rounds else "", ["--since", "--until", "--follow"]),
        ("--follow" if follow else "", ["--until", *(["--since"] if story else [])]),
    ]
    for name, others in apart:
        wrong = [one for one in others if name and one in parts]
        if wrong:
            raise Usage(f"{wrong[0]} and {name} cannot go together", code="conflicting_options")
    if since and until and since > until:
        raise Usage(f"--since {since} is after --until {until}", code="bad_value")


def _check_page(story: str, no_odds: bool, with_journal: bool) -> None:
    """Raise Usage where an option of the page stands without it."""
    for name, given in (("--no-odds", no_odds), ("--with-journal", with_journal)):
        if given and story != "html":
            raise Usage(f"{name} is for --html", hint="crisis log --html --to FILE", code="unheeded_option")


def _follow(
    context: Context, journal: JournalFile, story: str, since: int, as_json: bool, explain: bool
) -> None:
    """Show the log as it grows."""
    from ..play.tail_log import follow
    from ..story.page import Dress

    printed: list[str] = []
    for crisis, undone, new in follow(journal, since):
        if story:
            now = telling.export(context.desk, crisis, story, Dress()).splitlines()
            kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(printed, now, strict=False)))
            taken_back = [f"(note: undone to entry {len(crisis.done) - len(new)})"] if undone else []
            context.output.print_text("".join(f"{line}\n" for line in (*taken_back, *now[kept:])))
            printed = now
            continue
        for one in undone:
            if as_json:
                context.output.print_record("undo", number=one.number)
            else:
                context.output.say(f"{context.output.ink('dim', f'{one.number:3}')} undone")
        _show(context, crisis, new, as_json, explain)


def _journal_and_entry(which: str | None, entry: int | None) -> tuple[str, int | None]:
    """The journal named, empty for the one in place, and the number of the entry to show, None for all."""
    if which is None:
        return "", entry
    if not which.lstrip("-").isdecimal():
        return which, entry
    if entry is not None:
        raise Usage(f"two entries are named: {which} and {entry}", code="extra_argument")
    if int(which) < 1:
        raise Usage(f"{which} is not the number of an entry; the first one is 1", code="bad_value")
    return "", int(which)


def _only_story(
    stories: dict[str, bool], as_json: bool, number: int | None, to: str | None, overwrite: bool
) -> str:
    """The form of the story asked for, empty for the log itself; Usage where options exclude each other."""
    named = [f"--{story}" for story in STORIES if stories[story]]
    if len(named) > 1 or (named and as_json and not stories["recap"]):
        both = " and ".join((*named, *(["--json"] if as_json else [])))
        raise Usage(f"{both} exclude each other", code="conflicting_options")
    if named and number is not None:
        raise Usage(
            f"{named[0]} tells the whole crisis, not entry {number} alone", code="conflicting_options"
        )
    if to and not named:
        raise Usage(
            "--to writes one of " + ", ".join(f"--{story}" for story in STORIES), code="missing_option"
        )
    if overwrite and not to:
        raise Usage("--overwrite goes with --to FILE", code="missing_option")
    return named[0].removeprefix("--") if named else ""


def _recap_text(context: Context, crisis: Crisis, as_json: bool, is_file: bool) -> str:
    """The recap of a crisis as lines or as an object."""
    from ..story import recap_text
    from ..story.recap import recap

    system = load(crisis.scene.system)
    with text.fit_to_show("the journal"):
        found = recap(crisis, system)
        if as_json:
            return jsontext.dumped(found.to_dict()) + "\n"
        ink = Ink() if is_file else context.output.ink
        lines = recap_text.lines(crisis, system, found, ink, context.environment.width)
        return "".join(f"{line}\n" for line in lines)


def write_story(
    context: Context, name: str, content: str, overwrite: bool, journal: JournalFile | None
) -> None:
    """Write a text to a file, and say so at a terminal."""
    telling.write(context.desk, name, content, overwrite, journal)
    if context.environment.is_terminal:
        context.output.say(f"written: {name}")
