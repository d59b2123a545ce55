"""The fast path: answers plain `roll` and `odds` lines before click is loaded.

`roll EXPR…` and `odds EXPR` with no options but `--json` and `--seed`, `--version`, and a bare `play` where there
is an open crisis. It leaves everything else to `cli`, which prints the same for what both handle; a test checks
that.
"""

from __future__ import annotations

import os
import sys

from . import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO

    from .dice import Limits
    from .render.style import Ink

ACTION_VERBS = ("attack", "throw", "heal", "check", "act", "duel", "init")
"""Words after `odds` that name an action, not an expression."""


class PlainLine:
    """A parsed `roll` or `odds` line: its expressions, and the two options the fast path knows."""

    __slots__ = ("as_json", "expressions", "seed", "verb")

    def __init__(self, verb: str, expressions: list[str], as_json: bool, seed: int | None):
        self.verb = verb
        self.expressions = expressions
        self.as_json = as_json
        self.seed = seed


def parse_plain(arguments: list[str]) -> PlainLine | None:
    """The parsed line; None if it is not one for the fast path."""
    if len(arguments) < 2 or arguments[0] not in ("roll", "odds"):
        return None
    verb, expressions, as_json, seed = arguments[0], [], False, None
    words = iter(arguments[1:])
    for word in words:
        if word == "--json":
            as_json = True
        elif word == "--seed" and verb == "roll":
            value = next(words, "")
            if not (value.isascii() and value.isdigit() and len(value) < 19):
                return None
            seed = int(value)
        elif word[:1] == "-" or not word:
            return None
        else:
            expressions.append(word)
    if not expressions or (verb == "odds" and (len(expressions) > 1 or expressions[0] in ACTION_VERBS)):
        return None
    return PlainLine(verb, expressions, as_json, seed)


def random_number() -> float:
    """A random number of the system's, 0 or more and less than 1: slower than those of a generator, which takes
    longer to load than a few dice take to roll."""
    return (int.from_bytes(os.urandom(7), "big") >> 3) / (1 << 53)


def print_plain(line: PlainLine, env: Mapping[str, str], out: IO[str], terminal: bool) -> str | None:
    """The text to print for a line; None if there is an error, which `cli` then reports."""
    from .configuration.files import SettingsFile, read_settings, said, user_file, with_color
    from .dice import limits
    from .errors import CrisisError
    from .render.style import Ink, width

    # JSON is the same whatever the settings say.
    settings = SettingsFile() if line.as_json else read_settings(user_file(env), env, "user")
    if settings.faults:
        return None
    env = with_color(env, settings.text("color"), terminal)
    theme, is_ascii, columns_set = (
        settings.text(key) if terminal else "" for key in ("theme", "ascii", "width")
    )
    ink = Ink.fitting(env, out, terminal, None, theme, is_ascii == "true")
    try:
        bounds = limits(env)
        columns = width({"COLUMNS": said(env, "COLUMNS") or columns_set}, terminal)
        lines = _rolls(line, bounds, ink) if line.verb == "roll" else _odds(line, bounds, ink, columns)
    except CrisisError:
        return None
    return "\n".join(lines) + "\n"


def _odds(line: PlainLine, bounds: Limits, ink: Ink, columns: int) -> list[str]:
    """The lines that show the odds of an expression."""
    from .expressions import odds_lines
    from .notation.parser import parse

    output = "json" if line.as_json else ""
    lines = odds_lines(parse(line.expressions[0], bounds), ink, columns, output=output, limits=bounds)
    return list(lines if line.as_json else map(ink.clean, lines))


def _rolls(line: PlainLine, bounds: Limits, ink: Ink) -> list[str]:
    """A line for each roll of the expressions, as `expressions.Roller` gives them: that one takes longer to load."""
    from .notation.parser import expressions, parse
    from .notation.pools import Rolling
    from .notation.roller import compiled, rolls
    from .render.rolls import teller

    seed, random = line.seed, random_number
    if seed is not None or line.as_json:
        from .dice.generator import generator

        # JSON shows the seed, by which the same dice can be rolled again.
        seed = int.from_bytes(os.urandom(4), "big") >> 1 if seed is None else seed
        random = generator(seed).random
    rolling = Rolling(random=random, limits=bounds)
    lines: list[str] = []
    for text in expressions(line.expressions, bounds):
        notation = parse(text, bounds)
        made = compiled(notation.expression)
        if line.as_json:
            from .render import roll_json

            tell = roll_json.teller(notation, made, seed)
        else:
            tell = teller(notation, made, ink)
        lines += [tell(rolling, total) for total in rolls(notation, rolling)]
    return lines


def resume_play(before_play: Callable[[], None]) -> Callable[[], int] | None:
    """Resume the open crisis at the prompt; gives a function that returns the exit status or raises the error.

    None if there is no open crisis, or no terminal. `before_play` is called just before the prompt starts.
    """
    from .context import context_of
    from .environment import real_environment, with_settings
    from .errors import CrisisError

    try:
        environment = with_settings(real_environment())
        # The verb `play` says what is wrong with settings.
        if not environment.is_interactive or (environment.settings and environment.settings.warning):
            return None
        context = context_of(environment)
        journal = context.desk.journals.active()
        # Where the player rolls, the verb `play` says so first.
        if journal is None or journal.crisis.asks_for_dice:
            return None
        from .repl.game import Game

        game = Game(context)
    except CrisisError:
        return None
    wrong = None
    environment.signals.raise_on_ctrl_c()
    before_play()
    try:
        status = game.play()
    except BaseException as error:
        wrong = error

    def outcome() -> int:
        if wrong is not None:
            raise wrong
        return status

    return outcome


def escape_unencodable(wrong: UnicodeError) -> tuple[str, int]:
    """Codec error handler: what stands for characters that cannot be encoded, and the position after them.

    In JSON, which is objects, these are its own escapes; help, which nothing else cleans, has signs of ours.
    """
    from .render.jsontext import escape
    from .render.style import in_ascii

    assert isinstance(wrong, UnicodeEncodeError)
    if not wrong.object.startswith("{"):
        return in_ascii(wrong)
    return "".join(map(escape, wrong.object[wrong.start : wrong.end])), wrong.end


GC_THRESHOLD = 100_000
"""Allocations before a garbage collection."""


def main() -> None:
    """The command `crisis`."""
    try:
        _main()
    except KeyboardInterrupt:
        # Interrupted when nothing was left to do or report.
        os._exit(130)


def _main() -> None:
    import codecs
    import gc
    import io

    # Modules stay loaded to the end: collecting garbage among them takes time and finds none.
    gc.disable()
    # What the parent process has closed: fill the descriptor, or the next file opened would get its number. Nothing can
    # be written to stdout then; errors on stderr are lost.
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    # A character that the encoding of a stream lacks is printed as what stands for it.
    codecs.register_error("crisis", escape_unencodable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="crisis")
    arguments, completes = sys.argv[1:], "_CRISIS_COMPLETE" in os.environ
    if arguments in (["--version"], ["-V"]):
        printed: str | None = f"crisis, version {__version__}\n"
    else:
        line = None if completes else parse_plain(arguments)
        printed = print_plain(line, os.environ, sys.stdout, sys.stdout.isatty()) if line else None
    if not printed:
        # More modules are imported now: the first garbage collection comes after that.
        gc.set_threshold(GC_THRESHOLD)
        outcome = resume_play(gc.enable) if arguments == ["play"] and not completes else None
        from .cli import main as run_cli

        gc.freeze()
        gc.enable()
        run_cli(outcome)
        return
    try:
        sys.stdout.write(printed)
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)
    except OSError as failure:
        from .errors import of_system
        from .render.jsontext import plain_error

        error = of_system(failure)
        sys.stderr.write(plain_error(error, "--json" in arguments))
        os._exit(error.status)
    # Nothing is left open: exiting without the interpreter's cleanup saves a third of the time.
    os._exit(0)
