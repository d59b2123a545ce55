"""What one run of a command works with: environment, output, and the desk of what play works with."""

from __future__ import annotations

from . import __version__
from .environment import Environment, with_settings
from .output import Console
from .play.caches import Caches
from .play.campaigns import World
from .play.desk import Desk
from .play.places import places_of
from .values import NamedTuple


class Context(NamedTuple):
    """What one run of a command works with."""

    environment: Environment
    output: Console
    desk: Desk

    def for_line(self, environment: Environment) -> Context:
        """The context of the next line of a prompt, a script or a program; what was read before is kept."""
        recorded: list[str] = []
        output = self.output.for_line(environment, recorded)
        has_player = environment.is_interactive
        desk = self.desk._replace(
            warn=output.warn,
            recorded=recorded,
            has_player=has_player,
            is_sparing=has_player and not environment.in_script,
            overrides=(),
        )
        return Context(environment, output, desk)

    def with_places(self, **named: str) -> Context:
        """A copy that looks for the files of these kinds elsewhere: `characters`, `encounters`, `file`, `campaign`."""
        places = self.desk.places.with_named(**named)
        return self._replace(desk=self.desk._replace(places=places))

    def with_color(self, color: bool) -> Context:
        """A copy that prints with colour, or without any."""
        output = self.output.with_color(color)
        return self._replace(output=output, desk=self.desk._replace(warn=output.warn))


def context_of(
    environment: Environment,
    *,
    characters: str = "",
    file: str = "",
    campaign: str = "",
    color: bool | None = None,
) -> Context:
    """The context of a run in an environment, with the places and the colour that options say.

    FileError where there is no campaign in the folder that is named.
    """
    environment = with_settings(environment)
    ink = environment.ink(environment.out, environment.is_terminal, color)
    recorded: list[str] = []
    output = Console(environment, ink, recorded)
    places = places_of(environment.env, environment.cwd, characters=characters, file=file, campaign=campaign)
    world = World(environment.clock, environment.fresh_seed, __version__)
    has_player = environment.is_interactive
    desk = Desk(places, world, output.warn, Caches(), recorded, has_player=has_player, is_sparing=has_player)
    return Context(environment, output, desk)
