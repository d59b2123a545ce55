"""`crisis mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..context import Context
from ..errors import Usage
from . import options

if TYPE_CHECKING:
    from ..engine.scene import Intent
    from ..play.session import Session


@click.command("mcp")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Let a language model play: a server of the Model Context Protocol (MCP) on stdin and stdout.

    A program such as a chat client starts it and calls its tools: roll, odds, begin, legal, do, answer, undo, status,
    explain, oracle, log and end. The model decides for the players' fighters, doctrines for all others; dice, rules
    and state are the program's. The fight is in the journal, so that every other command works on it meanwhile.

    It writes files and sheets only below the working directory, and replaces none but the sheets there. Warnings go
    to stderr.

    \b
    Examples:
      crisis mcp
      crisis mcp --file arena.jsonl
    """
    from ..protocol.json_lines import limited_line
    from ..protocol.mcp import LONGEST, McpServer
    from ..sheets.files import confined

    def read(session: Session, line: str) -> Intent:
        # Loaded for the first action: a client waits for the server to start.
        from .reading import read_line

        return read_line(context, session, line)

    environment, places = context.environment, context.desk.places
    if not environment.from_shell:
        # A script may not say which journal is written beside its folder.
        raise Usage(
            "a line cannot start a server", hint="a client starts it: crisis help mcp", code="at_prompt"
        )
    if environment.stdin is None:
        raise Usage(
            "no requests come from stdin",
            hint="a client starts it, and sends them through a pipe: crisis help mcp",
            code="no_terminal",
        )
    lines = getattr(environment.stdin, "buffer", environment.stdin)
    words = {"writer": "crisis mcp", "remedy": "leave it as it is, or start crisis mcp in its folder"}
    with environment.signals.deferred() as stop, confined(places.cwd, places.may_be_written(), **words):
        server = McpServer(context.desk, read, lambda: bool(stop.signal))
        try:
            while True:
                with environment.signals.interruptible():
                    line = b"" if stop.signal else limited_line(lines, LONGEST)
                if not line:
                    break
                response = server.answered(line)
                with environment.signals.interruptible():
                    if response is not None and not stop.signal:
                        environment.out.write(f"{response}\n")
                        environment.out.flush()
        except KeyboardInterrupt:
            # While it waits, nothing is under way.
            pass
        return stop.status if stop.signal else 0
