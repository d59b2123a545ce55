"""The front door: a table of verbs, and the one place where a refusal becomes an exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

import click

from . import __version__, systems
from .context import Context, Environment, real_environment
from .errors import CrisisError, Interrupted
from .lazy_group import LazyGroup
from .render import data
from .render.jsontext import dumped
from .verbs import MODULES, VERBS

CONTEXT = {"help_option_names": ["-h", "--help"], "token_normalize_func": lambda word: word.replace("_", "-")}


class Verbs(LazyGroup):
    """The verbs."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb and what follows it; Usage with a guess where there is no such verb."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from .engine.kinds import guess
            from .errors import Usage

            raise Usage(
                f"no command is called {args[0]!r}{guess(args[0], VERBS)}", hint="options: crisis --help"
            )
        return super().resolve_command(ctx, args)


def _looks_in(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """At the prompt, and where a line is completed, another folder or journal is for this one line."""
    context = ctx.find_object(Context)
    if value and context:
        ctx.obj = context.elsewhere(**{str(param.name): value})
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
@click.version_option(__version__, prog_name="crisis")
@click.option(
    "--characters",
    metavar="DIR",
    callback=_looks_in,
    type=click.Path(file_okay=False),
    help="Look for sheets in this folder first ($CRISIS_CHARACTERS).",
)
@click.option(
    "--file",
    metavar="FILE",
    callback=_looks_in,
    type=click.Path(),
    help="Use this journal ($CRISIS_FILE; default: crisis.jsonl).",
)
@click.option("--color/--no-color", default=None, help="Use colour, or none, whatever the terminal supports.")
@click.pass_context
def cli(ctx: click.Context, characters: str | None, file: str | None, color: bool | None) -> None:
    """Tabletop combat from the command line: rolls, exact odds, whole fights, nothing lost.

    \b
    Try these first:
      crisis attack jack drone          one attack, from the shipped sheets
      crisis odds attack jack drone     its exact odds
      crisis play jack --vs drone --auto   a whole fight
    """
    if not isinstance(ctx.obj, Context):
        world = ctx.obj if isinstance(ctx.obj, Environment) else real_environment()
        # Everything is loaded: what is stopped now says what it has done.
        world.signals.raise_on_ctrl_c()
        ctx.obj = Context(world, characters=characters or "", file=file or "", color=color)
    if ctx.invoked_subcommand is None:
        if ctx.obj.journal.exists():
            command = cli.get_command(ctx, "status")
            assert command is not None
            ctx.invoke(command)
        else:
            ctx.obj.say(*ctx.get_help().splitlines())


def run(arguments: list[str], world: Environment | None = None, context: Context | None = None) -> int:
    """Carry out one command line, and give its exit status; at the prompt it is done at the player's `desk`."""
    world = context.world if context else world or real_environment()
    if "_CRISIS_COMPLETE" in world.env:
        from .completion.shells import answer

        return answer(cli, world)

    def done() -> int:
        _readable(arguments)
        try:
            return int(cli.main(arguments, "crisis", standalone_mode=False, obj=context or world) or 0)
        finally:
            _warn(world)

    return status_of(done, world, "--json" in arguments)


def status_of(doing: Callable[[], int], world: Environment, wants_json: bool = False) -> int:
    """Do it, and give its exit status; what goes wrong is told on stderr."""
    try:
        return doing()
    except CrisisError as refusal:
        return refused(refusal, world, wants_json)
    except SystemExit as left:
        # Click leaves so where nobody reads any more.
        raise BrokenPipeError from left
    except click.exceptions.Exit as left:
        return left.exit_code
    except click.ClickException as wrong:
        return refused(_worded(wrong), world, wants_json)
    except (KeyboardInterrupt, click.Abort):
        return refused(Interrupted("stopped", hint="nothing was changed"), world, wants_json)


def _warn(world: Environment) -> None:
    """Name on stderr the installed systems that cannot be played, a line for each, once a run."""
    from .render.style import Ink

    ink = Ink()
    with suppress(OSError):
        for warning in systems.warnings():
            world.err.write(f"warning: {ink.clean(' '.join(warning.split()))}\n")


def _readable(arguments: list[str]) -> None:
    """Usage where a word of the command is no text."""
    from .errors import Usage

    for word in arguments:
        try:
            word.encode()
        except UnicodeEncodeError as wrong:
            raise Usage(f"{word!r} is no text in UTF-8", hint="write it in UTF-8") from wrong


def _worded(wrong: click.ClickException) -> CrisisError:
    from .errors import Usage

    context = getattr(wrong, "ctx", None)
    path = context.command_path if context else "crisis"
    return Usage(wrong.format_message(), hint=f"what there is: {path} --help")


def refused(refusal: CrisisError, world: Environment, as_json: bool) -> int:
    """Tell of a refusal on stderr: a line what, a line how to go on; or an object."""
    if as_json:
        with suppress(OSError):
            world.err.write(dumped(data.error(refusal)) + "\n")
        return refusal.status
    from .render.style import Ink
    from .render.typed import at_prompt

    terminal = getattr(world.err, "isatty", bool)()
    ink = Ink.fitting(world.env, world.err, terminal)
    caret = getattr(refusal, "caret", "")
    lines = [f"{ink('red', 'error:')} {refusal.message}", *(caret.split("\n") if caret else ())]
    hint = at_prompt(refusal.hint) if world.prompt else refusal.hint
    lines += [f"{ink('dim', 'hint:')} {hint}"] if hint else []
    if terminal and not caret:
        lines = [part for line in lines for part in ink.broken(line, world.width)]
    # Where nobody can be told, the status still says it.
    with suppress(OSError):
        world.err.write("".join(ink.clean(line) + "\n" for line in lines))
    return refusal.status


def main(came: Callable[[], int] | None = None) -> None:
    """The command `crisis`; the door may hand in what came of something it has done itself."""
    import os

    status, wrong = 0, ""
    try:
        status = status_of(came, real_environment()) if came else run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has had enough; nothing more can be said, nor need be.
        pass
    except OSError as trouble:
        if status < 4:
            status, wrong = 4, f"error: nothing can be written: {trouble.strerror}\n"
    except CrisisError as refusal:
        # There is no world to tell it in.
        status, wrong = refusal.status, f"error: {refusal.message}\nhint: {refusal.hint}\n"
    with suppress(OSError):
        sys.stderr.write(wrong)
        sys.stderr.flush()
    # Everything is on disk: leaving without the interpreter's own clearing up saves time at every command.
    os._exit(status)
