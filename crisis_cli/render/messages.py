"""The words for what fighters do; the only sentences about actions in the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.record import Entry

DEEDS = {
    "attack:melee": "{actor} swings the {gear} at {target}",
    "attack:pistol": "{actor} fires the {gear} at {target}",
    "attack:shotgun": "{actor} fires the {gear} at {target}",
    "attack:rifle": "{actor} fires the {gear} at {target}",
    "attack:ranged": "{actor} fires the {gear} at {target}",
    "attack:thrown": "{actor} throws the {gear} at {target}",
    "attack:small-guns": "{actor} fires the {gear} at {target}",
    "attack:big-guns": "{actor} fires the {gear} at {target}",
    "attack:energy": "{actor} fires the {gear} at {target}",
    "attack:throwing": "{actor} throws the {gear} at {target}",
    "attack:explosives": "{actor} throws the {gear} at {target}",
    "attack:unarmed": "{actor} goes for {target} with bare hands",
    "attack": "{actor} attacks {target} with the {gear}",
    "attack:bare": "{actor} attacks {target}",
    "throw": "{actor} throws the {gear} at {target}",
    "attack:heavy": "{actor} fires the {gear} at {target}",
    "execute": "{actor} means to finish {target} with the {gear}",
    "execute:unarmed": "{actor} means to finish {target} with bare hands",
    "heal:bare": "{actor} treats {target}",
    "heal:self:bare": "{actor} treats their own wounds",
    "natural-healing": "{target} rests",
    "heal": "{actor} treats {target} with the {gear}",
    "heal:self": "{actor} uses the {gear} on {actor}",
    "use-item": "{actor} uses the {gear} on {target}",
    "use-item:self": "{actor} uses the {gear}",
    "draw": "{actor} draws the {gear}",
    "hide": "{actor} hides",
    "move": "{actor} moves",
    "run": "{actor} runs",
    "crawl": "{actor} crawls",
    "crouch": "{actor} moves at a crouch",
    "kneel": "{actor} kneels",
    "prone": "{actor} lies down",
    "rise": "{actor} gets up",
    "sprint": "{actor} sprints",
    "aim": "{actor} takes aim",
    "assist": "{actor} means to help {target}",
    "command": "{actor} tells {target} what to do",
    "defend": "{actor} takes care not to be hit",
    "rally": "{actor} rallies the others",
    "interact": "{actor} sees to something",
    "take-chem": "{actor} gives {target} the {gear}",
    "take-chem:self": "{actor} takes the {gear}",
    "test": "{actor} tries {skill}",
    "first-aid:bare": "{actor} treats {target}",
    "first-aid:self": "{actor} treats their own wounds",
    "first-aid:self:bare": "{actor} treats their own wounds",
    "take-aim": "{actor} takes aim",
    "overwatch": "{actor} keeps watch, ready to fire",
    "sneak": "{actor} sneaks along",
    "walk": "{actor} walks",
    "grab": "{actor} grabs it",
    "push": "{actor} pushes it",
    "ready": "{actor} readies the {gear}",
    "stand-up": "{actor} gets up",
    "coup-de-grace": "{actor} means to finish {target} with the {gear}",
    "coup-de-grace:unarmed": "{actor} means to finish {target} with bare hands",
    "throw:bare": "{actor} throws something at {target}",
    "rest": "{target} rests for six hours",
    "accurate": "{actor} takes time to strike true",
    "hunker": "{actor} hunkers down",
    "shield-block": "{actor} holds the shield up",
    "lower-shield": "{actor} lowers the shield",
    "ready:bare": "{actor} makes ready to {deed}",
    "support": "{actor} rests the {gear} on something",
    "use": "{actor} uses the {gear}",
    "put-out-fire": "{actor} puts out the fire on {target}",
    "free-weapon": "{actor} pulls the weapon free",
    "wake": "{actor} shakes {target} awake",
    "do": "{actor} does something else",
    "take-hits": "{target} is struck",
    "gain-action": "{actor} spends a bonus die on an action",
    "steal-action": "{actor} spends a destiny die on an action of {target}",
    "drop-prone": "{actor} drops to the ground",
    "reload": "{actor} reloads the {gear}",
    "check": "{actor} tries {skill}",
    "init": "Turn order",
    "next": "Next",
    "set": "The GM sets {what} of {target}",
    "join": "{target} joins the fight",
    "join:many": "{target} join the fight",
    "leave": "{target} leaves the fight",
    "leave:many": "{target} leave the fight",
    "yield": "{target} surrenders",
    "end": "The crisis ends",
    "note": "Note",
}
"""What someone does, by action, and where it matters by the kind of weapon or by oneself as the target."""

SETS = {
    "condition": "The GM decides whether {who} is {name}",
    "cover": "The GM says how {who} is covered from {name}",
    "at": "The GM places {who}",
    "held": "The GM says what {who} holds",
}
"""What the GM's hand does, by what it sets; anything else is a pool."""

WORDS = {
    "hit": "a hit",
    "miss": "a miss",
    "lost": "too late, the action is lost",
    "success": "success",
    "failure": "failure",
    "healed": "it helps",
    "unnoticed": "unnoticed",
    "noticed": "noticed",
    "stabilised": "stabilised",
    "rested": "time passes",
    "unseen": "unseen",
    "seen": "seen",
    "critical_failure": "a critical failure",
    "done": "done",
}
"""How an outcome reads at the end of its line."""

GOOD = {"hit", "success", "healed", "stabilised", "unseen", "unnoticed"}
BAD = {"miss", "lost", "failure", "seen", "noticed"}

EARNED = {
    "criticals": ("critical", "criticals"),
    "extras": ("extra", "extras"),
    "complications": ("complication", "complications"),
}
"""What an outcome or a roll can have earned, one of it and many."""

DECIDING = ("attack", "check", "heal", "initiative")
"""The rolls that an action is about; those before them are told after them."""

ROLLED = {
    "dodge": ("out of the way", "too late"),
    "aid": ("that helps", "no help"),
    "alert": ("quick to react", "slow to react"),
    "resist": ("holds on", "gives way"),
}
"""What other rolls came to: success, failure."""

GONE = {"metres": "m", "tiles": "tiles", "zones": "zones"}
"""How far somebody went, and in what."""

MARKED = {
    "aim": "aiming, +{count}",
    "overwatch": "keeps watch",
    "dodged": "has dodged",
    "stealth": "stealth {count}",
    "readied": "ready to {what}",
    "aimed": "has taken aim",
    "assists": "helps {what}",
    "commanded": "has been told to act",
    "defending": "on guard, +{count}",
    "reach": "in reach of {what}",
    "broken": "armour broken by {count}: {what}",
    "accurate": "taking time, +{count}",
    "recoil": "recoil of {count}",
    "supported": "{what} supported",
    "stolen": "{count} of the next turn's actions stolen",
}
"""Marks as the board tells them; others are nobody's business."""

BEGUN = {
    "dead": "{who} is dead.",
    "prone": "{who} is prone.",
    "stunned": "{who} is stunned.",
    "hidden": "{who} is hidden.",
    "drunk": "{who} is drunk.",
    "sneaking": "{who} is sneaking, unseen.",
    "down": "{who} is down.",
    "dying": "{who} is dying.",
    "stable": "{who} is stable.",
    "incapacitated": "{who} is out of action.",
    "persistent": "{who} goes on suffering.",
    "stuck": "{who}’s weapon is held fast.",
    "blocking": "{who} has the shield up.",
    "unconscious": "{who} is unconscious.",
}
ENDED = {
    "dead": "{who} is alive again.",
    "prone": "{who} is on their feet again.",
    "stunned": "{who} is no longer stunned.",
    "hidden": "{who} is seen again.",
    "drunk": "{who} is sober again.",
    "sneaking": "{who} no longer sneaks.",
    "down": "{who} is up again.",
    "dying": "{who} is not dying any more.",
    "stable": "{who} is no longer in need of care.",
    "kneeling": "{who} is no longer on one knee.",
    "hunkered": "{who} is on their feet again.",
    "stuck": "{who}’s weapon is free.",
    "blocking": "{who} has lowered the shield.",
    "asleep": "{who} is awake.",
    "incapacitated": "{who} can act again.",
    "unconscious": "{who} comes to.",
    "persistent": "{who} suffers no more.",
}

SUGGESTED = {
    "empty": "A complication: perhaps the magazine is empty (--complication empty).",
    "drop": "A complication: perhaps something slips, breaks, or is heard.",
    "obey": "It is done now, before the turn ends: crisis attack TARGET --by WHO.",
}
"""What a complication might do, in the GM's hands; what is to come next."""
REMARKED = {
    "spent": "{0} AP spent on it.",
    "wanted": "More AP than that could not be had: {0} were wanted.",
}
"""What else there is to say of an outcome."""


def listed(names: Sequence[str]) -> str:
    """Several names as a sentence lists them."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def begun(who: str, condition: str) -> str:
    """The sentence for a condition that begins."""
    return _said(BEGUN.get(condition, "{who} is {condition}."), who, condition)


def ended(who: str, condition: str) -> str:
    """The sentence for a condition that ends."""
    return _said(ENDED.get(condition, "{who} is no longer {condition}."), who, condition)


def _said(phrase: str, who: str, condition: str) -> str:
    """A sentence about a condition; what is injured-somewhere is injured in that place."""
    return phrase.format(
        who=who, condition=condition.replace("injured-", "injured in the ").replace("-", " ")
    )


def remarks(entry: Entry) -> Iterator[str]:
    """What else an outcome says: means used, means lacking, what a complication might do."""
    for key, phrase in REMARKED.items():
        if entry.outcome.get(key):
            yield phrase.format(entry.outcome[key])
    if entry.outcome.get("suggestion") in SUGGESTED and "complication" not in entry.intent.options:
        yield SUGGESTED[entry.outcome["suggestion"]]


def covered(level: str) -> str:
    """Cover by its word, or by how many dice it has."""
    return f"cover of {level}" if level.isdigit() else f"{level} cover"


def stated(condition: str, level: int | bool) -> str:
    """A condition with its level, where it has one."""
    name = condition.replace("-", " ")
    return name if level is True else f"{name} {level}"
