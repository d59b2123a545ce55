"""`crisis encounter new`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...engine.kinds import Absent
from ...engine.system import System
from ...engine.wording import measured
from ...errors import FileError
from ...render import data
from ...sheets.files import file_stem
from ...sheets.store import values_in
from ...sheets.toml_patch import value_text
from ...systems import load
from .. import options
from ..own_file import create_new, stem_of
from ..setup import encounters_option

SKELETON = """\
# {title}, an encounter for crisis: crisis-encounter(5) has all keys.
name   = {title_text}
system = "{system}"
about  = "what it is about, in one line"

open = \"\"\"
What the players see when it begins.
\"\"\"
won    = "What they read when they win."
lost   = "What they read when they lose."
reward = ["what they find"]

# A character is a cell{unit}; the bottom left one is at 0,0. Open ground: . or a space.
map = \"\"\"
############
#A........B#
#A..o.....B#
#A.....o..B#
#A........B#
############
\"\"\"

[legend]
"#" = {{ name = "wall", stops = ["move", "sight"] }}
o   = {{ name = "crates", slow = true{cover} }}
A   = {{ place = "west side" }}
B   = {{ place = "east side" }}

[party]                   # who plays, unless others are named: crisis play {stem} WHO…
sheets = [{hero}]
at     = "west side"

[[fighter]]               # those who are there
sheet = {foe}
count = 2
at    = "east side"

[[event]]                 # help in round 3, if a die says so
round = 3
odds  = "likely"
text  = "Somebody comes running."
add   = [{{ sheet = {foe}, name = "Runner", at = "east side" }}]

[[event]]                 # another way to win
reach = "east side"
all   = true
wins  = "players"
"""


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--system",
    required=True,
    metavar="SYSTEM",
    help="The rule system.",
    shell_complete=Source("names.systems"),
)
@encounters_option
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, system: str, as_json: bool) -> int:
    """Make an encounter of your own in ./encounters: a file with a map, two sides and two events, to be edited.

    \b
    Example:
      crisis encounter new cellar --system 3d6
    """
    played = load(system)
    hero, foe = (_sheet(context, played, is_player) for is_player in (True, False))
    cover = "" if isinstance(played.cover, Absent) else f", cover = {_level(played)}"
    unit = "" if not played.unit.beside else f" of {measured(played.unit.square, played.unit.name)}"
    content = SKELETON.format(
        title=" ".join(name.split()),
        title_text=value_text(name),
        system=played.name,
        cover=cover,
        unit=unit or ", a zone",
        hero=value_text(hero),
        foe=value_text(foe),
        stem=stem_of(name),
    )
    shown = create_new(context, context.desk.shelves.encounters().store, stem_of(name), content)
    if as_json:
        context.output.print_json({"v": data.VERSION, "action": "encounter new", "file": shown})
    else:
        context.output.say(f"made {shown}; edit it, then: crisis play {stem_of(name)}")
    return 0


def _level(system: System) -> str:
    """A level of cover that the system knows."""
    words = [word for word in getattr(system.cover, "words", ()) if word != "none"]
    return value_text(words[0]) if words else "1"


def _sheet(context: Context, system: System, is_player: bool) -> str:
    """The name of a sheet of the system for a player, or for an opponent; FileError if there is none."""
    for _, path in context.desk.shelves.sheets().all():
        raw = values_in(path)
        if raw.get("system") == system.name and bool(raw.get("player", True)) == is_player:
            return file_stem(path)
    raise FileError(
        f"there is no sheet of {system.name} yet",
        hint=f"make one: crisis character new NAME --system {system.name}",
        code="not_found",
    )
