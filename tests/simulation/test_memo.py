"""What is remembered of a step is what the rules give: for scenes met in fights, by any outcome of the dice."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, Path, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.errors import Refused
from crisis_cli.simulation.memo import Law, Memo
from crisis_cli.simulation.watched import State

SAMPLE, LONG = 8, 400
CLOSE = 1e-9


class Walked(Path):
    """A path through a whole action, which `perform` takes for a table."""

    throws = ()
    choices = ()
    parts = ()


def by_the_rules(memo: Memo, scene: Scene, intent: Intent) -> dict[object, float]:
    """The chance of every scene that an intent can lead to, by `perform` on every path of the dice."""
    found: dict[object, float] = {}
    path = Walked(memo.odds_table)
    while True:
        try:
            entry = perform(memo.system, scene, intent, path)  # type: ignore[arg-type]
            key: object = said(memo, memo.state_of(apply_all(scene, entry.events)))
        except Refused as refusal:
            assert refusal.code == "nobody_can_act"
            key = "stuck"
        found[key] = found.get(key, 0.0) + path.ways[-1] / path.totals[-1]
        if not path.turn():
            return found


def said(memo: Memo, state: State) -> str:
    """A state in words that two states share only if they are equal."""
    scene = memo.scene_of(state)
    fighters = {name: one._replace(sheet={}, limits={}) for name, one in scene.fighters.items()}
    return repr(scene._replace(fighters=fighters)).replace("RoundNumber", "")


def by_the_memo(memo: Memo, state: State, law: Law) -> dict[object, float]:
    """The same as it is remembered."""
    found: dict[object, float] = {}
    for outcome, chance in law.chances:
        after = [*state]
        memo.apply(after, outcome)
        key = "stuck" if outcome.stuck else said(memo, after)
        found[key] = found.get(key, 0.0) + chance
    return found


def steps(memo: Memo, seed: int) -> Iterator[tuple[State, Law, Intent]]:
    """Steps of random fights, each with the state before it, what is remembered of it, and the intent."""
    dice = Random(seed)
    while True:
        state = memo.opened(generator(seed, dice.randrange(10**9)).random)
        while not memo.is_decided(state):
            who = state[memo.size].scene.turn
            step = memo.act(state)
            if step is None:
                leaving = who if who in state[memo.size].scene.group else ""
                law, intent = memo.next(state, leaving), Intent("next", who)
            else:
                assert isinstance(step, Law) and step.intent is not None
                law, intent = step, step.intent
            yield [*state], law, intent
            outcome = dice.choices([*law.chances], [chance for _, chance in law.chances])[0][0]
            if outcome.stuck:
                break
            memo.apply(state, outcome)


def agree(system: str, many: int, seed: int, size: int = 1) -> None:
    memo = Memo(opening(system, *DUELS[system], size), OddsTable(least_harm))
    every = Random(seed)
    checked = 0
    for state, law, intent in steps(memo, seed):
        if checked < many // 4 or every.random() < 0.3:
            expected = by_the_rules(memo, memo.scene_of(state), intent)
            found = by_the_memo(memo, state, law)
            assert found.keys() == expected.keys(), intent
            assert all(abs(found[key] - chance) < CLOSE for key, chance in expected.items()), intent
            checked += 1
            if checked == many:
                return


@pytest.mark.parametrize("system", DUELS)
def test_what_is_remembered_is_what_the_rules_give(system: str) -> None:
    agree(system, SAMPLE, 3)


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("system", DUELS)
def test_what_is_remembered_is_what_the_rules_give_in_many_scenes(system: str, size: int) -> None:
    agree(system, LONG, 5, size)
