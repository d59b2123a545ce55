"""`crisis character restore`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...errors import FileError
from ...sheets.check import check_text
from ...sheets.files import create, inside
from ...sheets.restoring import last_known
from .. import options


@click.command("restore")
@click.argument("name", metavar="NAME", shell_complete=Source("campaigns.lost_sheets"))
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, as_json: bool) -> int:
    """Restore a sheet of a campaign that is gone, as the last fight or rest left it.

    \b
    Example:
      crisis character restore ada
    """
    campaign = context.desk.campaigns.campaign()
    story = context.desk.campaigns.story()
    known = last_known(story, name) if story else None
    if known is None:
        raise FileError(
            f"no fight and no rest of this campaign knows {name!r}",
            hint="make a new sheet: crisis character new NAME",
            code="not_found",
        )
    if not known.file.endswith(".toml"):
        raise FileError(f"{known.file} is no sheet: the file of a sheet ends in .toml", code="outside")
    path = inside(campaign.folder, known.file, known.file)
    shown = context.desk.shelves.sheets().display_path(path)
    check_text(path, known.text, "the restored sheet", lines=False)
    create(path, known.text, shown, "sheets", "move it away first", campaign.folder)
    if as_json:
        record = {"name": known.name, "file": shown, "source": known.source}
        context.output.print_record("character restore", **record)
    else:
        context.output.say(f"restored {shown} from {known.source}")
    return 0
