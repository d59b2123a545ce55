"""Answers expressions one by one, each in a process of its own under limits of time and memory.

Reads lines of a verb, a tab and an expression; writes for each its processor seconds, its megabytes, and its end.
"""

from __future__ import annotations

import os
import resource
import sys

from crisis_cli.dice import limits
from crisis_cli.dice.generator import generator
from crisis_cli.errors import CrisisError
from crisis_cli.expressions import Roller, odds_lines
from crisis_cli.notation.parser import parse
from crisis_cli.render.style import Ink

SECONDS = 20
"""Processor seconds after which an answer is given up: ten times what it may take."""


def answered(verb: str, text: str) -> str:
    """How the program takes an expression: `ok`, or the code of its refusal."""
    ink = Ink.fitting({}, sys.stdout, False)
    try:
        if verb == "roll":
            roller = Roller(generator(1).random, 1, limits({}), ink, as_json=True)
            lines = roller.lines(text)
        else:
            lines = odds_lines(parse(text), ink, 80, output="" if verb == "odds" else verb)
        for _ in lines:
            pass
    except CrisisError as refused:
        return refused.code
    return "ok"


def measured(verb: str, text: str) -> tuple[float, float, str]:
    """The processor seconds and megabytes that an expression takes, and its end."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        try:
            end = answered(verb, text)
        except BaseException as wrong:
            end = f"{type(wrong).__name__}: {wrong}"[:200]
        os.write(writing, end.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        end = pipe.read()
    _, _, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, end or "killed"


if __name__ == "__main__":
    for line in sys.stdin:
        asked, _, expression = line.rstrip("\n").partition("\t")
        seconds, megabytes, end = measured(asked, expression)
        print(f"{seconds:.3f}\t{megabytes:.1f}\t{end}", flush=True)
