"""The examples that new files begin as: texts with something of everything, to be edited."""

from __future__ import annotations

from ..engine.kinds import Absent
from ..engine.system import System
from ..engine.wording import measured
from .files import stem_of
from .toml_patch import value_text

TABLE = """\
# {title}, a random table for crisis: crisis-tables(5) has all keys.
name  = {title_text}
about = "what it is for, in one line"
rows  = [
  "A row: one of these is drawn.",
  "Dice and choices: {{2d6}} steps to the {{left|right}}.",
  {{ text = "A row that comes twice as often.", weight = 2 }},
]
"""
ENCOUNTER = """\
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
DOCTRINE = """\
# {title}, a doctrine for crisis: crisis-doctrine(5) has all keys.
about = "how it fights, in one line"
"""


def table(name: str) -> str:
    """The text of a table with three rows."""
    return TABLE.format(title=_title(name), title_text=value_text(name))


def encounter(name: str, system: System, hero: str, foe: str) -> str:
    """The text of an encounter with a map, two sides, which have a sheet each, and two events."""
    levels = [word for word in getattr(system.space.cover, "words", ()) if word != "none"]
    cover = (
        ""
        if isinstance(system.space.cover, Absent)
        else f", cover = {value_text(levels[0]) if levels else 1}"
    )
    return ENCOUNTER.format(
        title=_title(name),
        title_text=value_text(name),
        system=system.name,
        cover=cover,
        unit=f" of {measured(system.space.square, system.space.unit)}" if system.space.beside else ", a zone",
        hero=value_text(hero),
        foe=value_text(foe),
        stem=stem_of(name),
    )


def doctrine(name: str) -> str:
    """The text of a doctrine that decides as usual."""
    return DOCTRINE.format(title=_title(name))


def _title(name: str) -> str:
    """A name on one line, fit for a comment."""
    return " ".join(name.split())
