"""`crisis verify`."""

from __future__ import annotations

import click

from ..desk import Desk
from ..play.verify import differences
from ..show import data
from ..systems import load
from . import options
from .replay import journal_at


@click.command("verify")
@click.argument("journal", required=False, metavar="[FILE]", type=click.Path())
@options.here
@click.pass_obj
def command(desk: Desk, /, journal: str | None, as_json: bool) -> int:
    """Run today's rules on the recorded dice of a crisis, and tell where they part: status 1 if they do.

    \b
    Examples:
      crisis verify
      crisis verify crisis-20261120T190702Z.jsonl
    """
    crisis = journal_at(desk, journal, "verify").crisis
    found = list(differences(load(crisis.scene.system), crisis))
    if as_json:
        told = [{"number": one.number, "what": one.what} for one in found]
        desk.tell(
            {"v": data.VERSION, "verified": not found, "entries": len(crisis.done), "differences": told}
        )
    elif found:
        desk.say(*(f"entry {one.number}: {one.what}" for one in found))
    else:
        count = len(crisis.done)
        whole = "1 entry: today's rules agree with it." if count == 1 else ""
        desk.say(whole or f"{count} entries: today's rules agree with every one of them.")
    return 1 if found else 0
