"""The door in front of the verbs: it answers the plainest lines before click is loaded.

`roll EXPR…` and `odds EXPR` with no options but `--json` and `--seed`, `--version`, and a bare `play` where there
is a crisis to go on with. Whatever it does not know it leaves to the front door proper, which prints the same for
what both know; a test holds that.
"""

from __future__ import annotations

import sys

from . import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO

VERBS = ("attack", "throw", "heal", "check", "act", "duel", "init")
"""What may stand after `odds` and is no expression."""


class Plain:
    """A plain line: an expression or several, and the two options the door knows."""

    __slots__ = ("as_json", "expressions", "seed", "verb")

    def __init__(self, verb: str, expressions: list[str], as_json: bool, seed: int | None):
        self.verb = verb
        self.expressions = expressions
        self.as_json = as_json
        self.seed = seed


def plain(arguments: list[str]) -> Plain | None:
    """The line as the door reads it; None where it is not plain."""
    if len(arguments) < 2 or arguments[0] not in ("roll", "odds"):
        return None
    verb, expressions, as_json, seed = arguments[0], [], False, None
    words = iter(arguments[1:])
    for word in words:
        if word == "--json":
            as_json = True
        elif word == "--seed" and verb == "roll":
            said = next(words, "")
            if not (said.isascii() and said.isdigit() and len(said) < 19):
                return None
            seed = int(said)
        elif word[:1] == "-" or not word:
            return None
        else:
            expressions.append(word)
    if not expressions or (verb == "odds" and (len(expressions) > 1 or expressions[0] in VERBS)):
        return None
    return Plain(verb, expressions, as_json, seed)


def answer(asked: Plain, env: Mapping[str, str], out: IO[str], terminal: bool, fresh_seed: int) -> str | None:
    """What to print for a plain line; None where something is wrong, and the front door shall say what."""
    from .dice.table import Seeded, generator
    from .errors import CrisisError
    from .expressions import Roller, limits, odds_lines
    from .notation.parser import parse
    from .render.style import Ink, width

    ink = Ink.fitting(env, out, terminal)
    try:
        bounds = limits(env)
        if asked.verb == "odds":
            lines = list(
                odds_lines(
                    parse(asked.expressions[0], bounds),
                    ink,
                    width(env, terminal),
                    how="json" if asked.as_json else "",
                    limits=bounds,
                )
            )
        else:
            seed = fresh_seed if asked.seed is None else asked.seed
            dice = Seeded(generator(seed).random)
            roller = Roller(dice, seed, bounds, ink, as_json=asked.as_json)
            for expression in asked.expressions:
                roller.notation(expression)
            lines = [line for expression in asked.expressions for line in roller.lines(expression)]
    except CrisisError:
        return None
    shown = lines if asked.as_json else [ink.clean(line) for line in lines]
    return "\n".join(shown) + "\n"


def played(begins: Callable[[], None]) -> Callable[[], int] | None:
    """Go on with the open crisis at the prompt, and hand back what came of it; None where that cannot begin."""
    from .context import Context, real_environment
    from .errors import CrisisError

    try:
        world = real_environment()
        if not world.interactive:
            return None
        context = Context(world)
        if context.ledger() is None:
            return None
        from .repl.game import Game

        game = Game(context)
    except CrisisError:
        return None
    wrong = None
    world.signals.raise_on_ctrl_c()
    begins()
    try:
        status = game.play()
    except BaseException as trouble:
        wrong = trouble

    def came() -> int:
        if wrong is not None:
            raise wrong
        return status

    return came


def escaped(wrong: UnicodeError) -> tuple[str, int]:
    """What is printed for characters that cannot be encoded, and where to go on."""
    from .render.jsontext import escape

    assert isinstance(wrong, UnicodeEncodeError)
    return "".join(map(escape, wrong.object[wrong.start : wrong.end])), wrong.end


YOUNG = 100_000
"""Objects made before Python looks which of them are waste."""


def main() -> None:
    """The command `crisis`."""
    import os

    try:
        _main()
    except KeyboardInterrupt:
        # It came where nothing was left to do, or to report.
        os._exit(130)


def _main() -> None:
    import codecs
    import gc
    import io
    import os

    # What is loaded now stays to the end: looking through it for waste takes time and finds none.
    gc.disable()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Closed by whoever started us: taken by nothing, or the next file opened would get its number.
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (open as long as we are)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # A character that the encoding of the output lacks is printed as JSON escapes it, in text too.
        codecs.register_error("crisis", escaped)
        sys.stdout.reconfigure(errors="crisis")
    arguments, completes = sys.argv[1:], "_CRISIS_COMPLETE" in os.environ
    if arguments == ["--version"]:
        printed: str | None = f"crisis, version {__version__}\n"
    else:
        asked = None if completes else plain(arguments)
        seed = int.from_bytes(os.urandom(4), "big") >> 1
        printed = answer(asked, os.environ, sys.stdout, sys.stdout.isatty(), seed) if asked else None
    if not printed:
        # More is loaded by whatever is done: the first look for waste comes after that.
        gc.set_threshold(YOUNG)
        came = played(gc.enable) if arguments == ["play"] and not completes else None
        from .cli import main as front

        gc.freeze()
        gc.enable()
        front(came)
        return
    try:
        sys.stdout.write(printed)
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)
    except OSError as trouble:
        sys.stderr.write(f"error: nothing can be written: {trouble.strerror}\n")
        os._exit(4)
    # Nothing is left open: leaving without the interpreter's own clearing up saves a third of the time.
    os._exit(0)
