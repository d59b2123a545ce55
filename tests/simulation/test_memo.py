"""What is remembered of a step is what the rules give: for scenes met in fights, by any outcome of the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, Path, least_harm
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.errors import Refused
from crisis_cli.simulation.memo import Law, Memo
from crisis_cli.simulation.watched import State

SAMPLE, LONG = 12, 2_000
EXACT = {"3d6": 3, "d100": 6, "d6pool": 0, "step": 0, "2d20": 3}
"""How many steps of the sample are compared with all that can be rolled: what can be in d6pool and step is a lot."""
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


def rolled(memo: Memo, scene: Scene, intent: Intent, random: Callable[[], float]) -> object:
    """The scene that one roll of the dice leads to."""
    try:
        entry = perform(memo.system, scene, intent, Table(Seeded(random), memo.mind.chooser(scene)))
    except Refused as refusal:
        assert refusal.code == "nobody_can_act"
        return "stuck"
    return said(memo, memo.state_of(apply_all(scene, entry.events)))


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


def agree(
    system: str, many: int, exact: int, seed: int, size: int = 1, duel: tuple[str, str] | None = None
) -> None:
    """Compare so many steps with one roll by the rules each, and some of them with all that can be rolled."""
    memo = Memo(opening(system, *(duel or DUELS[system]), size), OddsTable(least_harm))
    random = generator(seed, 1).random
    for number, (state, law, intent) in enumerate(steps(memo, seed)):
        if number == many:
            return
        found, scene = by_the_memo(memo, state, law), memo.scene_of(state)
        assert rolled(memo, scene, intent, random) in found, intent
        if number < exact:
            expected = by_the_rules(memo, scene, intent)
            assert found.keys() == expected.keys(), intent
            assert all(abs(found[key] - chance) < CLOSE for key, chance in expected.items()), intent


@pytest.mark.parametrize(("system", "exact"), EXACT.items())
def test_what_is_remembered_is_what_the_rules_give(system: str, exact: int) -> None:
    agree(system, SAMPLE, exact, 3)


def test_a_pool_may_have_words_in_its_name() -> None:
    agree("2d20", SAMPLE, 0, 3, duel=("doc", "robot"))


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("system", DUELS)
def test_what_is_remembered_is_what_the_rules_give_in_many_scenes(system: str, size: int) -> None:
    agree(system, LONG, LONG // 20, 5, size)
