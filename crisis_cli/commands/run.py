"""`crisis run`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import click

from .. import systems
from ..aliases import expand
from ..context import Context
from ..errors import Cancelled, CrisisError, FileError, Usage, require_utf8
from ..play.advice import roll_line
from ..play.table import require_player
from ..sheets.files import confined, read_bytes
from ..values import NamedTuple
from ..verbs import VERBS
from . import options
from .parse_line import as_command, check_first_word, options_first, parse_line, verb_first

STOP, RESUME = "stop", "resume"
"""What --on-error says: end with the first error, or go on with the next line."""
COMMENT, JOINED = "#", "\\"
"""What begins a comment, and what at the end of a line joins it with the next."""


ASKING = ("--real-dice", "--mine")
"""Options that ask, beside --react ask."""
MOST = 10_000_000
"""The largest script that is read, in bytes."""


class ScriptLine(NamedTuple):
    """A line of a script that says something."""

    number: int
    """Of its first line in the file, from 1."""
    text: str


@click.command("run")
@click.argument("path", metavar="FILE", type=click.Path(allow_dash=True))
@click.option(
    "--on-error",
    type=click.Choice([STOP, RESUME]),
    default=STOP,
    help="After an error, stop, or resume with the next line (default: stop).",
)
@click.option("--check", is_flag=True, help="Only report what is wrong with the lines; run nothing.")
@click.option(
    "--seed", type=options.SEED, metavar="N", help="Seed of every line that takes one and has none."
)
@click.option("--quiet", is_flag=True, help="Do not repeat the lines on stderr.")
@click.option(
    "--allow-files",
    is_flag=True,
    help="Let lines write outside the working directory, replace files, and use a --cluster.",
)
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    path: str,
    on_error: str,
    check: bool,
    seed: int | None,
    quiet: bool,
    allow_files: bool,
    as_json: bool,
) -> int:
    """Run the lines of FILE (- for stdin) one after the other, as typed at the prompt.

    A line needs no `crisis` and no `act`. Empty lines and lines that begin with # are skipped; a \\ at the end of a
    line joins it with the next. Every line is repeated on stderr before it runs, except with --json or --quiet.

    Lines write files and sheets only below the working directory, and replace none but the sheets there; with
    --allow-files they do all that commands do.

    \b
    Examples:
      crisis run fight.txt
      crisis run fight.txt --check
      crisis run - --json --on-error resume < fight.txt
    """
    name = "stdin" if path == "-" else path
    lines = list(script_lines(_read(context, path)))
    if check:
        return _check(context, name, lines, as_json)
    added = (["--json"] if as_json else []) + (["--seed", str(seed)] if seed is not None else [])
    first_status, failed = 0, 0
    reach = context.environment.cwd, context.desk.places.may_be_written()
    for done, line in enumerate(lines):
        if not (quiet or as_json):
            context.output.say(f"> {line.text}", to_stderr=True)
        try:
            with nullcontext() if allow_files else confined(*reach):
                status = _run_line(context, line, added)
        except (KeyboardInterrupt, Cancelled) as stopped:
            raise Cancelled(
                f"stopped at {name}, line {line.number}", hint=f"{done} of {len(lines)} lines have been run"
            ) from stopped
        except CrisisError as error:
            located = _located(error, name, line)
            if on_error == STOP:
                raise located from error
            _report(context, located, as_json)
            status, failed = error.status, failed + 1
            first_status = first_status or status
    if as_json and not lines:
        context.output.print_record("run", lines=0)
    if failed and as_json:
        context.output.warn(_failed(failed, len(lines)), "lines_failed")
    elif failed:
        context.output.say(_failed(failed, len(lines)), to_stderr=True)
    return first_status


def _failed(failed: int, number: int) -> str:
    return f"{failed} of {number} lines failed" if number > 1 else "the line failed"


def script_lines(text: str) -> Iterator[ScriptLine]:
    """The lines of a script that say something, joined ones as one."""
    joined, begun = "", 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not joined and line.lstrip().startswith(COMMENT):
            continue
        begun = begun if joined else number
        joined += line
        if joined.endswith(JOINED):
            joined = joined.removesuffix(JOINED)
            continue
        if joined.strip():
            yield ScriptLine(begun, joined.strip())
        joined = ""
    if joined.strip():
        yield ScriptLine(begun, joined.strip())


def _read(context: Context, path: str) -> str:
    """The text of a script; FileError where it cannot be read."""
    if path == "-":
        if context.environment.stdin is None:
            raise Usage(
                "no lines come from stdin",
                hint="crisis run FILE, or: crisis run - < FILE",
                code="missing_argument",
            )
        return _limited(context.environment.stdin)
    if not path:
        raise Usage("missing argument: FILE", hint="crisis run FILE", code="missing_argument")
    content = read_bytes(
        os.path.join(context.environment.cwd, path), path, MOST, "script", "wrong_script", takes_pipe=True
    )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is no text in UTF-8", hint="write it in UTF-8", code="unreadable") from error


def _limited(lines: Iterable[str]) -> str:
    """The text of lines; FileError for more than a script may have, Usage for what is not UTF-8."""
    found, size = [], 0
    for line in lines:
        require_utf8(line)
        found.append(line)
        size += len(line)
        if size > MOST:
            raise FileError(f"stdin has more than {MOST:,} characters", code="wrong_script")
    return "".join(found)


def _run_line(context: Context, line: ScriptLine, added: Sequence[str]) -> int:
    """The exit status of a line."""
    from ..cli import cli
    from ..click_errors import as_usage

    own = context.for_line(context.environment)
    words = _words(own, line.text)
    words += _taken(words, added)
    own = own.for_line(own.environment._replace(is_interactive=_may_ask(own, words), in_script=True))
    try:
        return int(cli.main(words, "crisis", standalone_mode=False, obj=own) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        raise as_usage(error) from error


def _may_ask(context: Context, words: Sequence[str]) -> bool:
    """Whether a line may ask: a script is run the same everywhere, so that only a line that says so asks."""
    asks = any(word.partition("=")[0] in ASKING or word in ("ask", "--react=ask") for word in words)
    return context.environment.is_interactive and asks


def _words(context: Context, text: str) -> list[str]:
    """The words of a line as the shell would pass them; Usage where the first one is no verb and no action."""
    if context.desk.journals.active() is None:
        actions = {action for system in systems.every() for action in system.actions}
        words = parse_line(text, VERBS, actions)
        words = as_command(expand(words, context.environment.settings, {*VERBS, *actions}), VERBS, actions)
    else:
        session = context.desk.open_session()
        actions = {*session.system.actions}
        own, rest = options_first(parse_line(text, VERBS, actions))
        rest = as_command(expand(rest, context.environment.settings, {*VERBS, *actions}), VERBS, actions)
        words = [*own, *verb_first(rest, session.scene, actions)]
    verb = options_first(words)[1]
    if verb[:1] == ["run"]:
        raise Usage(
            "a script cannot run another one", hint="put its lines in its place", code="unknown_command"
        )
    _check_verb(context, verb)
    return words


def _check_verb(context: Context, words: Sequence[str]) -> None:
    """Raise Usage, with a suggestion, if a line begins with no verb and no action."""
    if not words or words[0] in VERBS:
        return
    journal = context.desk.journals.active()
    for name in (journal.crisis.scene.system,) if journal else systems.names()[:1]:
        check_first_word(words, systems.load(name), lambda: roll_line(words))


def _taken(words: Sequence[str], added: Sequence[str]) -> Iterator[str]:
    """Those of the added options that the command of a line takes, and that it does not have already."""
    from ..cli import cli

    found = cli.get_command(click.Context(cli), words[0]) if words else None
    known = {one for param in found.params for one in param.opts} if found else set()
    given = {word.partition("=")[0] for word in words}
    for at, word in enumerate(added):
        name = word if word.startswith("--") else added[at - 1]
        if name in known and name not in given:
            yield word


def _check(context: Context, name: str, lines: Sequence[ScriptLine], as_json: bool) -> int:
    """Report every line that has no verb, or whose options or arguments cannot be read; the exit status."""
    faults = 0
    for line in lines:
        try:
            _parse(context, line)
        except CrisisError as error:
            faults += 1
            _report(context, _located(error, name, line), as_json)
    if as_json:
        context.output.print_record("run", lines=len(lines), wrong=faults)
    else:
        number = f"{len(lines)} line{'' if len(lines) == 1 else 's'}"
        context.output.say(f"{number}, {faults or 'none'} wrong")
    return Usage.status if faults else 0


def _parse(context: Context, line: ScriptLine) -> None:
    """Read a line without running it; CrisisError for what is wrong with it."""
    from ..cli import cli
    from ..click_errors import as_usage

    words = options_first(_words(context, line.text))[1]
    if not words:
        return
    found = cli.get_command(click.Context(cli, obj=context), words[0])
    try:
        if found:
            outer = click.Context(cli, info_name="crisis", obj=context)
            given = found.make_context(words[0], words[1:], parent=outer).params
            if words[0] == "play" and not (given["auto"] or given["protocol"]):
                from .terminal import require_terminal

                require_terminal(_may_ask(context, words))
            _require_answers(context, given)
    except click.exceptions.Exit:
        return
    except click.ClickException as error:
        raise as_usage(error) from error


def _require_answers(context: Context, given: Mapping[str, Any]) -> None:
    """Raise Usage where the options of a line ask a player, and there is none at a terminal."""
    asking = {
        "--real-dice": given.get("real_dice"),
        "--mine": given.get("mine") and "real_dice" in given,
    }
    if given.get("react") == "ask":
        require_player(context.desk.has_player, "--react ask", "--react best")
    for option, is_given in asking.items():
        if is_given:
            require_player(context.desk.has_player, option)


def _located(error: CrisisError, name: str, line: ScriptLine) -> CrisisError:
    """An error with the line of the script it comes from."""
    error.message = f"{name}, line {line.number}: {error.message}"
    error.about["line"] = line.number
    return error


def _report(context: Context, error: CrisisError, as_json: bool) -> None:
    from ..cli import report_error

    report_error(error, context.environment, as_json)
