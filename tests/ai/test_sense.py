"""Decisions that no player would call senseless: what is prepared is used, and what is drawn pays."""

from __future__ import annotations

import pytest
from bouts import SHELF, begun, met, roster

from crisis_cli.ai.deciding import AutoPlayer, Decision
from crisis_cli.engine.scene import Scene
from crisis_cli.systems import load


def plans_of(now: Scene) -> list[str]:
    """The plans of the fighter whose turn it is, in words."""
    doctrine = now.fighters[now.turn].doctrine
    return [one.words for one in AutoPlayer(load(now.system), SHELF.named).plans(now, now.turn, doctrine)]


def at_turn(name: str, sheets: tuple[str, str], doctrine: str, gap: int) -> Scene:
    """One sheet of a system against another so far apart, at the first one's turn."""
    shipped = {one.values["name"]: one for one in roster(name)}
    return begun(load(name), met(load(name), [shipped[one] for one in sheets], (doctrine, "careful"), gap))


def decided(now: Scene) -> Decision:
    """What the fighter whose turn it is decides."""
    return AutoPlayer(load(now.system), SHELF.named).decide(now, now.turn)


@pytest.mark.parametrize("doctrine", ["beast", "careful", "cunning", "guard"])
@pytest.mark.parametrize("sheet", ["Ghoul", "Mutant"])
def test_nobody_aims_in_a_turn_that_goes_on_the_way(sheet: str, doctrine: str) -> None:
    """An aim counts for this turn's first attack, and there is none from two zones away."""
    now = at_turn("2d20", (sheet, "Cass"), doctrine, 2)
    me = now.fighters[now.turn]
    now = now._replace(fighters={**now.fighters, me.name: me._replace(held=("board",))})
    decision = decided(now)
    assert decision.intent.action != "aim"
    assert not any(one["plan"].startswith("aim, close in") for one in decision.reason["plans"])


def test_one_who_does_not_look_ahead_draws_what_strikes_where_the_weapon_in_hand_is_of_no_use() -> None:
    """A shotgun hits at 3 % beside a foe in reach; the board on the back at 84 %."""
    now = at_turn("2d20", ("Mutant", "Doc"), "reckless", 0)
    first, other = now.fighters
    me = now.fighters[first]
    me = me._replace(conditions={"prone": True}, held=("shotgun",), marks={**me.marks, f"reach:{other}": 1})
    assert decided(now._replace(fighters={**now.fighters, first: me})).intent.get("thing") == "board"


@pytest.mark.parametrize("doctrine", ["careful", "coward", "cunning", "guard"])
def test_nobody_plans_to_draw_what_it_would_not_attack_with(doctrine: str) -> None:
    """A stimpak in hand beside a pipe bomb adds nothing to a throw."""
    now = at_turn("2d20", ("Doc", "Mutant"), doctrine, 2)
    me = now.fighters[now.turn]
    hurt = me._replace(held=("pipe bomb",), pools={**me.pools, "minor": 0})
    for one in (me, hurt):
        plans = plans_of(now._replace(fighters={**now.fighters, me.name: one}))
        assert plans and not [words for words in plans if "draw stimpak" in words and "attack" in words]


@pytest.mark.parametrize("doctrine", ["careful", "cunning", "guard"])
def test_nobody_falls_back_from_where_it_hardly_hits(doctrine: str) -> None:
    """Two zones away a shotgun hits at 2 %: farther back it would only have to come again."""
    now = at_turn("2d20", ("Mutant", "Cass"), doctrine, 2)
    assert not [words for words in plans_of(now) if "shotgun, fall back" in words]


def test_the_careful_does_not_lie_down_in_reach_for_a_better_aim() -> None:
    """A foe beside it answers with a blade: the aim is gone, and the fighter lies."""
    now = at_turn("step", ("Raider", "Vera"), "careful", 1)
    me = now.fighters[now.turn]
    me = me._replace(held=("carbine",), pools={**me.pools, "ap": 2})
    assert decided(now._replace(fighters={**now.fighters, me.name: me})).intent.action == "attack"
