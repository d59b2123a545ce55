"""What lines would come to, worked out while the player thinks, so that no key waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..context import Context, Session
from ..dice.distribution import OddsTable
from ..engine.scene import Scene
from ..systems import load

if TYPE_CHECKING:
    from ..engine.action_odds import ActionOdds
    from ..engine.legal_actions import Legal

Words = tuple[str, ...]


class Chances(NamedTuple):
    """What a line would come to."""

    hit: tuple[int, int] | None
    """Ways and total of success; None where it can neither succeed nor fail."""
    harm: float
    """What the others lose on average, all pools together, spent ones left out."""


class Outlook:
    """The chances of lines in one scene; a thread works out what has been asked for last, first."""

    def __init__(self, changed: Callable[[], None]):
        self.changed = changed
        self.found: dict[Words, Chances | None] = {}
        self.may: tuple[Legal, ...] | None = None
        """What those whose turn it is may do; None while that is being worked out."""
        self.ready = threading.Event()
        self._wanted: list[Words] = []
        self._desk: Context | None = None
        self._scene: Scene | None = None
        self._seen: Scene | None = None
        self._stir = threading.Condition()
        self._thread: threading.Thread | None = None

    def see(self, context: Context, scene: Scene) -> None:
        """Another scene: what was worked out for the one before is forgotten."""
        if scene is self._scene:
            return
        with self._stir:
            self._desk, self._scene = context, scene
            self.found, self.may, self._wanted = {}, None, []
            self.ready.clear()
            self._stir.notify()

    def begin(self) -> None:
        """Let the thread start, if it has not: what is drawn first comes before all thinking."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="outlook", daemon=True)
            self._thread.start()

    def of(self, words: Sequence[str]) -> Chances | None:
        """The chances of a line as far as they are known; where they are not, they are worked out."""
        key = tuple(words)
        if key in self.found:
            return self.found[key]
        with self._stir:
            if key not in self._wanted:
                self._wanted.append(key)
                self._stir.notify()
        return None

    def _work(self) -> None:
        # What is not needed before the first prompt is loaded after it.
        from .preview import line_odds

        odds_table = OddsTable()
        while True:
            with self._stir:
                self._stir.wait_for(lambda: self._scene is not self._seen or self._wanted)
                context, scene = self._desk, self._scene
                key = self._wanted.pop() if scene is self._seen else None
                self._seen = scene
            assert context is not None and scene is not None
            if key is None:
                odds_table = OddsTable(
                    context.decision_policy(Session(load(scene.system), scene, context.cached_journal))
                )
                self._keep(scene, may=_may(scene))
            else:
                self._keep(
                    scene, found={**self.found, key: _chances(scene, line_odds(context, key, odds_table))}
                )
            self.changed()

    def _keep(self, scene: Scene, **found: Any) -> None:
        """Keep what was found, unless the scene has gone on meanwhile."""
        with self._stir:
            if scene is self._scene:
                for name, value in found.items():
                    setattr(self, name, value)
                if self.may is not None:
                    self.ready.set()


def _may(scene: Scene) -> tuple[Legal, ...]:
    from ..engine import legal_actions

    system = load(scene.system)
    return tuple(one for who in scene.acting for one in legal_actions.of(system, scene, who))


def _chances(scene: Scene, told: ActionOdds | None) -> Chances | None:
    if told is None:
        return None
    system, side = load(scene.system), scene.fighters[told.intent.actor].side
    harm = sum(
        law.mean() if system.pools[pool].taken else -law.mean()
        for who, pools in told.effects.items()
        for pool, law in pools.items()
        if who in scene.fighters
        and scene.fighters[who].side != side
        and ":" not in pool
        and not system.pools[pool].spent
    )
    return Chances(told.success, harm)
