"""The answers to bash, zsh and fish. Their scripts pass the line in an environment variable; errors are not shown."""

from __future__ import annotations

from pathlib import Path

import click

from ..context import context_of
from ..environment import Environment
from .candidates import candidates, split

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_CRISIS_COMPLETE"
"""`bash_complete` asks for words, `bash_source` for the script; likewise for the other shells."""
LINE, BREAKS = "_CRISIS_LINE", "_CRISIS_BREAKS"
"""The line up to the cursor; and the characters at which bash has broken the word under it."""


def script(shell: str) -> str:
    """The script of a shell."""
    return (Path(__file__).parent / f"crisis.{shell}").read_text(encoding="utf-8")


def answer(group: click.Group, environment: Environment) -> int:
    """Print the candidates or the script that the shell asks for; the exit status is 0, or 2 for an unknown shell."""
    shell, _, what = environment.env[VARIABLE].partition("_")
    if shell not in SHELLS:
        return 2
    if what == "source":
        environment.out.write(script(shell))
        return 0
    words, begun = split(environment.env.get(LINE, ""))
    try:
        found = candidates(group, words[1:], begun, context_of(environment, color=False))
    except Exception:
        # A sheet, a journal or a folder may be broken in any way: a key press is no place to report it.
        return 0
    # Bash puts the answer in place of what follows the last break.
    breaks = environment.env.get(BREAKS, "") if shell == "bash" else ""
    cut = 1 + max((begun.rfind(sign) for sign in ":=" if sign in breaks), default=-1)
    for one in found:
        environment.out.write(f"{one.type}\t{one.value[cut:]}\t{one.help or ''}\n")
    return 0
