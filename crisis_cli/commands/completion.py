"""`crisis completion`."""

from __future__ import annotations

import click

from ..completion.shells import SHELLS, script
from ..context import Context
from . import options


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@options.common_options
@click.pass_obj
def command(context: Context, /, shell: str, as_json: bool) -> int:
    """Print the script that lets SHELL complete crisis: bash, zsh or fish.

    It completes verbs, options, sheets, the fighters of the open crisis, their weapons and
    items, skills, actions, rules. Source it where your shell starts.

    \b
    Examples:
      eval "$(crisis completion bash)"     # in ~/.bashrc
      eval "$(crisis completion zsh)"      # in ~/.zshrc, after compinit
      crisis completion fish | source      # in ~/.config/fish/config.fish
    """
    if as_json:
        context.output.print_record("completion", shell=shell, script=script(shell))
    else:
        context.environment.out.write(script(shell))
    return 0
