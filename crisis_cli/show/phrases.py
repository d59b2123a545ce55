"""The words for what fighters do; the only sentences about actions in the program."""

from __future__ import annotations

DEEDS = {
    "attack:melee": "{actor} swings the {gear} at {target}",
    "attack:ranged": "{actor} fires the {gear} at {target}",
    "attack:thrown": "{actor} throws the {gear} at {target}",
    "attack:unarmed": "{actor} goes for {target} with bare hands",
    "attack": "{actor} attacks {target} with the {gear}",
    "throw": "{actor} throws the {gear} at {target}",
    "heal": "{actor} treats {target} with the {gear}",
    "heal:self": "{actor} uses the {gear} on {actor}",
    "use-item": "{actor} uses the {gear} on {target}",
    "use-item:self": "{actor} uses the {gear}",
    "draw": "{actor} draws the {gear}",
    "hide": "{actor} hides",
    "move": "{actor} moves",
    "sneak": "{actor} sneaks along",
    "stand-up": "{actor} gets up",
    "drop-prone": "{actor} drops to the ground",
    "reload": "{actor} reloads the {gear}",
    "check": "{actor} tries {skill}",
    "init": "Turn order",
    "next": "Next",
    "set": "The GM sets {what} of {target}",
    "join": "{target} joins the fight",
    "leave": "{target} leaves the fight",
    "end": "The crisis ends",
}
"""What someone does, by action, and where it matters by the kind of weapon or by oneself as the target."""

SETS = {
    "condition": "The GM decides whether {who} is {name}",
    "cover": "The GM says how {who} is covered from {name}",
    "at": "The GM puts {who} somewhere",
    "held": "The GM says what {who} holds",
}
"""What the GM's hand does, by what it sets; anything else is a pool."""

WORDS = {
    "hit": "a hit",
    "miss": "a miss",
    "success": "success",
    "failure": "failure",
    "healed": "it helps",
    "done": "done",
}
"""How an outcome reads at the end of its line."""

GOOD = {"hit", "success", "healed"}
BAD = {"miss", "failure"}

BEGUN = {
    "dead": "{who} is dead.",
    "prone": "{who} is prone.",
    "stunned": "{who} is stunned.",
    "hidden": "{who} is hidden.",
    "drunk": "{who} is drunk.",
}
ENDED = {
    "dead": "{who} is alive again.",
    "prone": "{who} is on their feet again.",
    "stunned": "{who} is no longer stunned.",
    "hidden": "{who} is seen again.",
    "drunk": "{who} is sober again.",
}


def begun(who: str, condition: str) -> str:
    """The sentence for a condition that begins."""
    return BEGUN.get(condition, "{who} is {condition}.").format(
        who=who, condition=condition.replace("-", " ")
    )


def ended(who: str, condition: str) -> str:
    """The sentence for a condition that ends."""
    return ENDED.get(condition, "{who} is no longer {condition}.").format(
        who=who, condition=condition.replace("-", " ")
    )
