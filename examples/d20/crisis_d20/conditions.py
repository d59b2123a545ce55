"""Conditions, and when they end (D20-10, D20-16, D20-17)."""

from __future__ import annotations

from crisis_cli.rules import Condition, End, Fighter, Scene

HELD, HELPLESS = ("grappled", "restrained", "paralysed", "stunned"), ("paralysed", "asleep", "unconscious")
"""D20-17: who is held cannot move; who is helpless is hit critically from beside."""
ADVANTAGES = {
    "prone": (-1, 0),
    "restrained": (-1, 1),
    "poisoned": (-1, 0),
    "frightened": (-1, 0),
    "blinded": (-1, 1),
    "invisible": (1, -1),
    "stunned": (0, 1),
    "paralysed": (0, 1),
    "asleep": (0, 1),
    "unconscious": (0, 1),
    "dodging": (0, -1),
}
"""D20-17: what a condition does to attacks of its owner, and to attacks on it: 1 is an advantage, -1 a disadvantage."""


def end_of_next_turn(scene: Scene, who: str) -> End | None:
    """D20-17: the end of the fighter's next turn."""
    return ("end-turn", scene.round + scene.acted(who)) if scene.open else None


def start_of_next_turn(scene: Scene, who: str) -> End | None:
    """D20-10: the start of the fighter's next turn."""
    return ("start-turn", scene.round + 1) if scene.open else None


def is_dead(fighter: Fighter) -> bool:
    """D20-16: three failed death saves."""
    return fighter.pools["failures"] >= 3


def is_down(fighter: Fighter) -> bool:
    """D20-16: no hit points, and not dead."""
    return fighter.pools["hp"] <= 0 and not is_dead(fighter)


def is_stable(fighter: Fighter) -> bool:
    """D20-16: down, and three death saves made."""
    return is_down(fighter) and fighter.pools["successes"] >= 3


CONDITIONS = {
    "dead": Condition("dead", "D20-16", when=is_dead, defeated="dead", cannot_act=True, ends="{who} is alive again."),
    "dying": Condition(
        "dying",
        "D20-16",
        when=lambda fighter: is_down(fighter) and not is_stable(fighter),
        defeated="dying",
        ends="{who} is no longer dying.",
    ),
    "stable": Condition("stable", "D20-16", when=is_stable, defeated="down"),
    "unconscious": Condition(
        "unconscious",
        "D20-17",
        when=is_down,
        cannot_act=True,
        brings=("prone",),
        clears=("dodging", "asleep", "invisible"),
        ends="{who} comes to.",
    ),
    "asleep": Condition("asleep", "D20-17", end_of_next_turn, lasting=False, cannot_act=True),
    "paralysed": Condition("paralysed", "D20-17", end_of_next_turn, lasting=False, cannot_act=True),
    "stunned": Condition("stunned", "D20-17", end_of_next_turn, lasting=False, cannot_act=True),
    "blinded": Condition("blinded", "D20-17", end_of_next_turn, lasting=False),
    "frightened": Condition("frightened", "D20-17", end_of_next_turn, lasting=False),
    "restrained": Condition("restrained", "D20-17", rest_ends=True),
    "grappled": Condition("grappled", "D20-17", lasting=False),
    "poisoned": Condition("poisoned", "D20-17"),
    "invisible": Condition("invisible", "D20-17", rest_ends=True, ends="{who} can be seen again."),
    "prone": Condition("prone", "D20-17", rest_ends=True, ends="{who} is standing again."),
    "dodging": Condition("dodging", "D20-10", start_of_next_turn, lasting=False),
}
INFLICTED = ("asleep", "blinded", "frightened", "grappled", "paralysed", "poisoned", "prone", "restrained", "stunned")
"""D20-17: what weapons and spells may put on those they hit."""
