"""The command line: the click group of all verbs, and where an error becomes an exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

import click

from . import __version__, systems
from .cache_file import Unwritten
from .context import Context, context_of
from .environment import Environment, real_environment, with_settings
from .errors import Cancelled, CrisisError, FileError, NotationError, Usage, of_system, require_utf8
from .lazy_group import LazyGroup
from .play.places import NO_CAMPAIGN, wrong_campaign
from .render.jsontext import dumped, error_record, plain_error, warning_line
from .sheets.files import UNCHANGED, exists
from .verbs import MODULES, VERBS

TELLS_SETTINGS = ("config", "doctor")
"""The verbs that tell what is wrong with settings."""
FOLDERLESS = (*TELLS_SETTINGS, "help", "completion")
"""The verbs that do their work where the working folder is gone, too."""
ABOUT_PROGRAM = ("--version", "-V", "--help", "-h")
"""The options that print what the program says of itself."""
GROUPS = ("character", "encounter", "tables", "campaign", "system", "config")
"""The verbs that have sub-verbs."""
CONTEXT = {"help_option_names": ["-h", "--help"], "token_normalize_func": lambda word: word.replace("_", "-")}


class Verbs(LazyGroup):
    """The group of all verbs."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb and the words after it, an alias replaced; Usage with a suggestion if there is no such verb."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from .aliases import expand

            context = ctx.find_object(Context)
            environment = context.environment if context else ctx.find_object(Environment)
            args = expand(args, environment.settings if environment else None, VERBS)
            self._point_to_sub_verb(ctx, args)
        return super().resolve_command(ctx, args)

    def _point_to_sub_verb(self, ctx: click.Context, args: list[str]) -> None:
        """Raise Usage where the first word is no verb but the sub-verb of others, which are named."""
        if self.get_command(ctx, args[0]) is not None:
            return
        groups = {name: self.get_command(ctx, name) for name in GROUPS}
        ways = []
        for name, group in groups.items():
            inner = group.get_command(ctx, args[0]) if isinstance(group, LazyGroup) else None
            if inner is not None:
                pieces = inner.collect_usage_pieces(click.Context(inner))
                ways.append(" ".join(["crisis", name, str(inner.name), *pieces[1:]]))
        if ways:
            raise Usage(
                f"no command is called {args[0]!r}",
                hint=f"there is: {', or '.join(ways)}",
                code="unknown_command",
            )

    def invoke(self, ctx: click.Context) -> object:
        """Run the verb; with --json an interrupt is raised as an error, before click prints an empty line for it."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            # An option without its value is found before its command has a context.
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            if error.ctx is None and command is not None:
                error.ctx = click.Context(command, ctx, ctx.invoked_subcommand)
            raise
        except CrisisError as error:
            context = ctx.find_object(Context)
            if context is not None and context.desk.last_recorded and isinstance(error, FileError):
                say_what_stands(error, context.desk.last_recorded)
            elif context is not None and "crisis " in error.hint:
                from .preview import checked_hint

                error.hint = checked_hint(self, context, error.hint)
            raise
        except KeyboardInterrupt:
            context = ctx.find_object(Context)
            if context is not None and context.desk.last_recorded:
                said = f"stopped; {context.desk.last_recorded} is recorded"
                where = "status" if exists(context.desk.places.journal_path) else "campaign"
                raise Cancelled(said, hint=f"nothing is lost; see: crisis {where}") from None
            if context is None or not context.output.wants_json:
                raise
            raise Cancelled("stopped", hint="nothing was changed") from None


def say_what_stands(error: FileError, last_recorded: str) -> None:
    """Let the error for a file that cannot be written say what this command has recorded before."""
    if error.hint.startswith(UNCHANGED) and not error.about.get("recorded"):
        error.message = f"{last_recorded} is recorded, but {error.message}"
        error.hint = error.hint.removeprefix(UNCHANGED)
        error.about["recorded"] = True


def _use_path(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Use another folder or journal for this one line (at the prompt, and when a line is completed)."""
    context = ctx.find_object(Context)
    if value and context:
        ctx.obj = context.with_places(**{str(param.name): value})
    return value


@click.group(
    cls=Verbs,
    package=str(__package__),
    modules=MODULES,
    table=VERBS,
    heading="Verbs",
    context_settings=CONTEXT,
    invoke_without_command=True,
)
@click.version_option(__version__, "-V", "--version", prog_name="crisis")
@click.option(
    "--characters",
    metavar="DIR",
    callback=_use_path,
    type=click.Path(file_okay=False),
    help="Look for sheets in this folder first ($CRISIS_CHARACTERS).",
)
@click.option(
    "--file",
    metavar="FILE",
    callback=_use_path,
    type=click.Path(),
    help="Use this journal ($CRISIS_FILE; default: crisis.jsonl).",
)
@click.option(
    "--campaign",
    metavar="DIR",
    callback=_use_path,
    type=click.Path(file_okay=False),
    help="Use the campaign in this folder ($CRISIS_CAMPAIGN; default: the one around this folder; - for none).",
)
@click.option("--color/--no-color", default=None, help="Use colour, or none, whatever the terminal supports.")
@click.pass_context
def cli(
    ctx: click.Context, characters: str | None, file: str | None, campaign: str | None, color: bool | None
) -> None:
    """Tabletop combat from the command line: rolls, exact odds, whole fights, nothing lost.

    \b
    Try these first:
      crisis attack jack drone          one attack, from the shipped sheets
      crisis odds attack jack drone     its exact odds
      crisis play jack --vs drone --auto   a whole fight
    """
    if not isinstance(ctx.obj, Context):
        environment = ctx.obj if isinstance(ctx.obj, Environment) else real_environment()
        # Everything is imported: from here on an interrupted command reports what it has done.
        environment.signals.raise_on_ctrl_c()
        named = environment.env.get("CRISIS_CAMPAIGN", "") if campaign is None else campaign
        if ctx.invoked_subcommand == "doctor" and wrong_campaign(environment.cwd, named):
            campaign = NO_CAMPAIGN  # doctor tells what is wrong with it
        ctx.obj = context_of(
            environment, characters=characters or "", file=file or "", campaign=campaign or "", color=color
        )
        _warn_of_settings(ctx.obj, str(ctx.invoked_subcommand))
    if ctx.invoked_subcommand is None:
        _show_where_we_are(ctx, ctx.obj)


def _warn_of_settings(context: Context, verb: str) -> None:
    """Print what is wrong with the files of settings, unless the verb tells that itself."""
    settings = context.environment.settings
    if settings and settings.warning and verb not in TELLS_SETTINGS:
        context.output.wants_json = context.environment.wants_json
        context.output.warn(settings.warning, "settings")


def _show_where_we_are(ctx: click.Context, context: Context) -> None:
    """Print the open crisis, or the campaign of this folder; where there is neither, what to begin with."""
    places = context.desk.places
    verb = "status" if exists(places.journal_path) else "campaign" if places.campaign_folder else ""
    if not verb:
        from .render.first_screen import FIRST_SCREEN

        context.output.say(*FIRST_SCREEN.splitlines())
        return
    if verb == "status":
        _show_crisis(context)
        return
    command = cli.get_command(ctx, verb)
    assert command is not None
    with command.make_context(verb, [], parent=ctx) as inner:
        command.invoke(inner)


def _show_crisis(context: Context) -> None:
    """Print the state of the crisis, and how to go on; in brief where the rows of all fighters would not fit the
    terminal."""
    from .render.board import board, title_line
    from .systems import load

    scene = context.desk.journals.latest().crisis.scene
    system, ink, environment = load(scene.system), context.output.ink, context.environment
    ways = [] if environment.at_prompt else [f"To go on: {ink.way('play')}"]
    lines = [*board(scene, system, ink, environment.width)]
    # The line that was typed and the next one stand there, too.
    room = context.output.rows_above(("", *ways, ""))
    if ways and 0 < room < len(lines):
        from .render.summary import glance

        head = title_line(scene, ink)
        lines = [*head, *glance(scene, system, ink, environment.width, room - len(head))]
    context.output.say(*lines, *ways)


def run(arguments: list[str], environment: Environment | None = None, context: Context | None = None) -> int:
    """Run one command line and return its exit status; the prompt hands in its own `context`."""
    verb = next((word for word in arguments if word in VERBS), "")
    needs_folder = verb not in FOLDERLESS and not {*ABOUT_PROGRAM} & {*arguments}
    environment = environment or (context.environment if context else real_environment(needs_folder))
    if verb == "doctor":
        with Unwritten():
            return _run(arguments, environment, context)
    return _run(arguments, environment, context)


def _run(arguments: list[str], environment: Environment, context: Context | None) -> int:
    """Run one command line and return its exit status."""
    wants_json = "--json" in arguments
    environment = context.environment if context else with_settings(environment, wants_json)
    if wants_json and len(arguments) == 2 and {"--version", "-V"} & {*arguments}:
        environment.out.write(dumped(version_record()) + "\n")
        return 0
    if "_CRISIS_COMPLETE" in environment.env:
        from .completion.shells import answer

        return answer(cli, environment)

    return exit_status(lambda: run_command(arguments, context or environment), environment, wants_json)


def version_record() -> dict[str, object]:
    """The versions of the program, of Python, of the JSON and of journals, and the systems that can be played."""
    from .engine.journal import FORMAT
    from .render.jsontext import VERSION

    python = sys.version.split()[0]
    names = [*systems.names()]
    return {
        "v": VERSION,
        "version": __version__,
        "python": python,
        "json": VERSION,
        "journal": FORMAT,
        "systems": names,
    }


def run_command(arguments: list[str], world: Context | Environment) -> int:
    """Run one command line and return its exit status; what is wrong is raised."""
    for word in arguments:
        require_utf8(word)
    try:
        return int(cli.main(arguments, "crisis", standalone_mode=False, obj=world) or 0)
    finally:
        environment = world.environment if isinstance(world, Context) else world
        _warn(environment, "--json" in arguments)


def exit_status(action: Callable[[], int], environment: Environment, wants_json: bool = False) -> int:
    """Run an action and return its exit status; errors are reported on stderr."""
    try:
        return action()
    except CrisisError as error:
        return report_error(error, environment, wants_json)
    except SystemExit as exit_:
        # Click exits this way after a broken pipe.
        raise BrokenPipeError from exit_
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        from .click_errors import as_usage

        return report_error(as_usage(error), environment, wants_json)
    except (KeyboardInterrupt, click.Abort):
        return report_error(Cancelled("stopped", hint="nothing was changed"), environment, wants_json)
    except BrokenPipeError:
        raise
    except OSError as failure:
        return report_error(of_system(failure), environment, wants_json)
    except Exception as failure:
        broken = None if environment.env.get(systems.TRACEBACK) else systems.blamed(failure)
        if broken is None:
            raise
        return report_error(broken, environment, wants_json)


def _warn(environment: Environment, as_json: bool) -> None:
    """Print a warning on stderr for each installed system that cannot be used, once a run."""
    from .render.style import Ink

    ink = Ink()
    with suppress(OSError):
        for warning in systems.warnings():
            line = warning_line(" ".join(warning.split()), "broken_system", as_json)
            environment.err.write(f"{line if as_json else ink.clean(line)}\n")


def report_error(refusal: CrisisError, environment: Environment, as_json: bool) -> int:
    """Print an error and its hint on stderr, or as one JSON object; returns the exit status."""
    if as_json:
        with suppress(OSError):
            environment.err.write(dumped(error_record(refusal)) + "\n")
        return refusal.status
    from .render.command_text import at_prompt

    terminal = getattr(environment.err, "isatty", bool)()
    ink = environment.ink(environment.err, terminal)
    caret = refusal.pointed(ink.carried) if isinstance(refusal, NotationError) else []
    # Several faults of a file stand on a line each; no other message has lines.
    first, *rest = refusal.message.split("\n") if "faults" in refusal.about else [refusal.message]
    lines = [f"{ink('red', 'error:')} {first}", *rest, *caret]
    hint = at_prompt(refusal.hint) if environment.at_prompt else refusal.hint
    lines += [f"{ink('dim', 'hint:')} {hint}"] if hint else []
    if terminal and not caret:
        lines = [part for line in lines for part in ink.broken(line, environment.width)]
    # If stderr cannot be written, the exit status still reports the error.
    with suppress(OSError):
        environment.err.write("".join(ink.clean(line) + "\n" for line in lines))
    return refusal.status


def _write_bare(error: CrisisError, as_json: bool) -> None:
    """Print an error on stderr where there is no environment to print with."""
    with suppress(OSError):
        sys.stderr.write(plain_error(error, as_json))


def main(outcome: Callable[[], int] | None = None) -> None:
    """The command `crisis`; the fast path may hand in an `outcome` that gives the status of what it ran itself."""
    import os

    status = 0
    wants_json = "--json" in sys.argv
    try:
        status = exit_status(outcome, with_settings(real_environment())) if outcome else run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads the output any more.
        pass
    except OSError as failure:
        if status < FileError.status:
            error = of_system(failure)
            status = error.status
            _write_bare(error, wants_json)
    except CrisisError as refusal:
        # The environment itself could not be set up.
        status = refusal.status
        _write_bare(refusal, wants_json)
    with suppress(OSError):
        sys.stderr.flush()
    # Everything is on disk: exiting without the interpreter's cleanup saves time at every command.
    os._exit(status)
