"""What is remembered of a step is what the rules give: for scenes met in fights, by any outcome of the dice."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, Path, least_harm
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.engine.events import apply_all
from crisis_cli.engine.legal_actions import of
from crisis_cli.engine.perform import perform
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.errors import Refused
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.outcomes import Law, Outcome, Rest
from crisis_cli.simulation.watched import State
from crisis_cli.systems import load

SAMPLE, LONG = 12, int(os.environ.get("CRISIS_SCENES", "2000"))
EXACT = {"3d6": 3, "d100": 6, "d6pool": 0, "step": 0, "2d20": 3}
"""How many steps of the sample are compared with all that can be rolled: what can be in d6pool and step is a lot."""
CLOSE = 1e-9
LONGEST = 60
"""Steps of a fight with random intents, which may go on for ever."""


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
    return repr(in_order(scene._replace(fighters=fighters))).replace("RoundNumber", "")


def in_order(value: Any) -> Any:
    """A value with all mappings in it sorted: in which order their keys were set makes no difference."""
    if isinstance(value, Mapping):
        return sorted((key, in_order(one)) for key, one in value.items())
    if hasattr(value, "_replace"):
        return value._replace(**{name: in_order(getattr(value, name)) for name in value._fields})
    return value


def by_the_memo(memo: Memo, state: State, law: Law) -> dict[object, float]:
    """The same as it is remembered."""
    found: dict[object, float] = {}
    for outcome, chance in law.chances:
        for last, more in turned(memo, memo.after(state, outcome), outcome):
            key = "stuck" if last is None else said(memo, last)
            found[key] = found.get(key, 0.0) + chance * more
    return found


def turned(memo: Memo, after: State, outcome: Outcome) -> Iterator[tuple[State | None, float]]:
    """The states that an outcome leads to from the state that it leaves, where it ends the turn; None where stuck."""
    if not outcome.ends_turn:
        yield None if outcome.stuck else after, 1.0
        return
    for change, chance in memo.next(after, after[memo.size].turn)[0].chances:
        yield None if change.stuck else memo.after(after, change), chance


def steps(memo: Memo, seed: int) -> Iterator[tuple[State, Law, Intent]]:
    """Steps of random fights, each with the state before it, what is remembered of it, and the intent."""
    dice = Random(seed)
    while True:
        rolls, taken = generator(seed, dice.randrange(10**9)), 0
        random = rolls.random
        ((state, _),) = memo.opened(1, rolls)
        while not memo.is_decided(state):
            who = state[memo.size].scene.turn
            taken += 1
            if not who or taken > LONGEST:
                break
            step, _ = memo.act(state)
            if isinstance(step, Rest):
                # What is too wide for a law is rolled by the rules themselves.
                state = memo.after(state, memo.rolled(state, step.intent, random))
                continue
            if step is None:
                law, intent = memo.next(state, memo.leaving(state))[0], Intent("next", who)
            else:
                assert isinstance(step, Law) and step.intent is not None
                law, intent = step, step.intent
            yield state, law, intent
            outcome = dice.choices([*law.chances], [chance for _, chance in law.chances])[0][0]
            after, chances = zip(*turned(memo, memo.after(state, outcome), outcome), strict=True)
            state = dice.choices(after, chances)[0]
            if state is None:
                break


def any_intent(scene: Scene, who: str) -> Intent:
    """What the rules allow a fighter in its turn, drawn by the scene without its round, often with a target."""
    fighters = [
        (one.pools, one.conditions, one.held, one.gone, one.yielded) for one in scene.fighters.values()
    ]
    dice = Random(repr((fighters, scene.order, who)))
    ways = [one.intent for one in of(load(scene.system), scene, who) if one.window == "turn"]
    aimed = [intent for intent in ways if intent.targets]
    return dice.choice(aimed if aimed and dice.random() < 0.5 else [*ways, Intent("next", who)])


def agree(
    system: str,
    many: int,
    exact: int,
    seed: int,
    size: int = 1,
    duel: tuple[str, str] | None = None,
    decide: Callable[[Scene, str], Intent] | None = None,
) -> None:
    """Compare so many steps with one roll by the rules each, and some of them with all that can be rolled."""
    memo = Memo(opening(system, *(duel or DUELS[system]), size), OddsTable(least_harm), decide)
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


@pytest.mark.parametrize(
    ("system", "exact"),
    [
        pytest.param(*one, marks=() if one[0] in ("3d6", "d6pool") else pytest.mark.slow)
        for one in EXACT.items()
    ],
)
def test_what_is_remembered_is_what_the_rules_give(system: str, exact: int) -> None:
    agree(system, SAMPLE, exact, 3)


def test_a_pool_may_have_words_in_its_name() -> None:
    agree("2d20", SAMPLE, 0, 3, duel=("doc", "robot"))


@pytest.mark.parametrize("system", DUELS)
def test_any_intent_comes_to_what_the_rules_give(system: str) -> None:
    agree(system, SAMPLE, 0, 4, decide=any_intent)


@pytest.mark.long
@pytest.mark.parametrize("system", DUELS)
def test_any_intent_comes_to_what_the_rules_give_in_many_scenes(system: str) -> None:
    agree(system, LONG, 0, 6, 2, decide=any_intent)


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("system", DUELS)
def test_what_is_remembered_is_what_the_rules_give_in_many_scenes(system: str, size: int) -> None:
    agree(system, LONG, LONG // 20, 5, size)
