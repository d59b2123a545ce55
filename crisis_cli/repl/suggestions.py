"""Legal actions and odds of lines, computed in a thread so that keys never wait for them."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..context import Context
from ..dice.distribution import OddsTable
from ..engine.scene import Intent, Scene
from ..errors import CrisisError
from ..play.session import Session
from ..play.table import decision_policy
from ..systems import load
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..engine.action_odds import ActionOdds
    from ..engine.legal_actions import LegalAction

Words = tuple[str, ...]


class LineOdds(NamedTuple):
    """The odds of a line in short."""

    hit: tuple[int, int] | None
    """The probability of success as (numerator, denominator); None if it can neither succeed nor fail."""
    harm: float
    """The mean loss of the other side, armour and other gear left out."""
    target: str = ""
    """For a move: the foe that the actor could attack from there with these odds."""
    down: float = 0.0
    """The highest chance to defeat a foe."""
    turns: tuple[str, ...] = ()
    """What it may begin or end for others if it does no harm, in words with chances."""


class BegunPlan(NamedTuple):
    """A plan over several turns, by the line that begins it."""

    line: Words
    """The words of the line, options spelled out."""
    worth: int
    """In percent of a fighter's life: harm done less harm suffered."""


class Suggestions:
    """The legal actions in one scene, the plans that they begin, and odds of lines; a thread computes the latest
    request first."""

    def __init__(self, changed: Callable[[], None]):
        self.changed = changed
        self.found: dict[Words, LineOdds | None] = {}
        self.legal: tuple[LegalAction, ...] | None = None
        """The legal actions of those whose turn it is; None while they are being computed."""
        self.plans: tuple[BegunPlan, ...] = ()
        """The plans of those whose turn it is, the best first."""
        self.ready = threading.Event()
        self._wanted: list[Words] = []
        self._context: Context | None = None
        self._scene: Scene | None = None
        self._computed_scene: Scene | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def set_scene(self, context: Context, scene: Scene) -> None:
        """Set the current scene; results for the one before are dropped."""
        if scene is self._scene:
            return
        with self._changed:
            self._context, self._scene = context, scene
            self.found, self.legal, self.plans, self._wanted = {}, None, (), []
            self.ready.clear()
            self._changed.notify()

    def start(self) -> None:
        """Start the thread, if it is not running; called after the first drawing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="suggestions", daemon=True)
            self._thread.start()

    def legal_now(self) -> tuple[LegalAction, ...]:
        """The legal actions of those whose turn it is, computed here if they are not known yet."""
        assert self._scene is not None
        return _legal_actions(self._scene) if self.legal is None else self.legal

    def of(self, words: Sequence[str]) -> LineOdds | None:
        """The odds of a line if they are known; None if not, and they are requested from the thread."""
        key = tuple(words)
        if key in self.found:
            return self.found[key]
        with self._changed:
            if key not in self._wanted:
                self._wanted.append(key)
                self._changed.notify()
        return None

    def _run(self) -> None:
        # Imported late: not needed before the first prompt.
        from ..cli import cli
        from ..preview import line_odds

        odds_table = OddsTable()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._scene is not self._computed_scene or self._wanted)
                context, scene = self._context, self._scene
                key = self._wanted.pop() if scene is self._computed_scene else None
                self._computed_scene = scene
            assert context is not None and scene is not None
            if key is None:
                session = Session(load(scene.system), scene, context.desk.caches.journal)
                odds_table = OddsTable(decision_policy(context.desk, session))
                self._keep(scene, legal=_legal_actions(scene), plans=_plans(context, session))
            else:
                odds = line_odds(cli, context, key, odds_table)
                moves = odds is not None and odds.intent.get("to") is not None
                found = _chances_from_there(scene, odds, odds_table) if moves else _chances(scene, odds)
                self._keep(scene, found={**self.found, key: found})
            self.changed()

    def _keep(self, scene: Scene, **found: Any) -> None:
        """Keep results, unless the scene has changed meanwhile."""
        with self._changed:
            if scene is self._scene:
                for name, value in found.items():
                    setattr(self, name, value)
                if self.legal is not None:
                    self.ready.set()


def _legal_actions(scene: Scene) -> tuple[LegalAction, ...]:
    from ..engine import legal_actions

    system = load(scene.system)
    return tuple(one for who in scene.acting for one in legal_actions.of(system, scene, who))


def _plans(context: Context, session: Session) -> tuple[BegunPlan, ...]:
    """The plans of those whose turn it is, as `odds` weighs them, the best first."""
    from ..play.weighing import plans_by_first_action
    from ..story.command_line import command_line

    found = []
    try:
        for who in session.scene.acting:
            for one in plans_by_first_action(context.desk, session, who):
                intent = one.first or Intent("next", who)
                line = shlex.split(command_line(session.system, session.scene, intent))
                found.append(BegunPlan(tuple(line), one.worth))
    except CrisisError:
        # The list goes without them, and `odds` says what is wrong.
        return ()
    return tuple(sorted(found, key=lambda one: -one.worth))


def _chances_from_there(scene: Scene, odds: ActionOdds | None, odds_table: OddsTable) -> LineOdds | None:
    """The odds of the most harmful attack after a move; None if none is possible from there."""
    from ..ai.movement import scene_after
    from ..engine import legal_actions
    from ..engine.action_odds import action_odds

    assert odds is not None
    system = load(scene.system)
    after = scene_after(system, scene, odds.intent)
    found: list[LineOdds] = []
    for one in legal_actions.of(system, after, odds.intent.actor) if after else ():
        if one.intent.action == "attack" and after is not None:
            chances = _chances(after, action_odds(system, after, one.intent, odds_table))
            if chances is not None:
                found.append(chances._replace(target=one.intent.target))
    return max(found, key=lambda one: one.harm, default=None)


def _chances(scene: Scene, odds: ActionOdds | None) -> LineOdds | None:
    from ..engine.ranking import losses
    from ..render.turned import turned_briefly

    if odds is None:
        return None
    system, side = load(scene.system), scene.fighters[odds.intent.actor].side
    foes = {name for name, fighter in scene.fighters.items() if fighter.side != side}
    harm = sum(lost for who, lost in losses(system, odds).items() if who in foes)
    down = max((ways / total for who, (ways, total) in odds.down.items() if who in foes), default=0.0)
    return LineOdds(odds.success, harm, down=down, turns=() if harm else tuple(turned_briefly(odds, system)))
