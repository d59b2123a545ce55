"""What decides in simulated fights: the plain policy, or the doctrines of automatic play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..ai.choosing import chooser
from ..ai.deciding import AutoPlayer
from ..ai.doctrine import Doctrine, doctrine_of_fighter
from ..dice.distribution import OddsTable, compared

if TYPE_CHECKING:
    from ..dice.table import Alternative, Chooser, Decided
    from ..engine.record import Entry
    from ..engine.scene import Intent, Scene
    from ..engine.system import System
    from .plain import Plain

Doctrines = Callable[[str], Doctrine]


class DoctrineMind:
    """Decides as `play --auto` does: every fighter by the doctrine that it follows."""

    def __init__(self, system: System, doctrines: Doctrines, odds_table: OddsTable):
        self.player = AutoPlayer(system, doctrines, odds_table)
        self.doctrines = doctrines

    def decide(self, scene: Scene, who: str, past: Sequence[Entry]) -> Intent:
        """What a fighter does next in its turn."""
        return self.player.decide(scene, who, past).intent

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry]) -> Intent | None:
        """What somebody does before an action takes effect; None if nobody does anything."""
        return self.player.respond(scene, action, past)

    def chooser(self, scene: Scene) -> Chooser:
        """What decides in the middle of an action in a scene."""
        return chooser(
            None,
            self.player.evaluator.odds_table,
            lambda who: False,
            None,
            lambda who: doctrine_of_fighter(scene.fighters[who], self.doctrines),
        )


class PlainMind:
    """Decides by the plain policy, which looks at nothing but the scene."""

    def __init__(self, plain: Plain):
        self.plain = plain

    def decide(self, scene: Scene, who: str, past: Sequence[Entry]) -> Intent:
        """What a fighter does next in its turn."""
        return self.plain.decide(scene, who)

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry]) -> Intent | None:
        """Nobody does anything in the turns of others."""
        return None

    def chooser(self, scene: Scene) -> Chooser:
        """What decides in the middle of an action: the least expected harm."""

        def choose(who: str, options: tuple[Alternative, ...]) -> Decided | None:
            free = [option for option in options if not option.willed]
            return compared(free, self.plain.odds_table) if len(free) > 1 else None

        return choose
