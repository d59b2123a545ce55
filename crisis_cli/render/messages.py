"""The words for what fighters do; the only sentences about actions in the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.record import Entry
from ..engine.system import System
from ..engine.wording import OutcomeWord, RollWords, sentence

DEEDS: dict[str, dict[str, str]] = {
    "attack": {
        "melee": "{actor} swings the {gear} at {target}",
        "pistol": "{actor} fires the {gear} at {target}",
        "shotgun": "{actor} fires the {gear} at {target}",
        "rifle": "{actor} fires the {gear} at {target}",
        "ranged": "{actor} fires the {gear} at {target}",
        "thrown": "{actor} throws the {gear} at {target}",
        "unarmed": "{actor} goes for {target} with bare hands",
        "": "{actor} attacks {target} with the {gear}",
        "bare": "{actor} attacks {target}",
    },
    "throw": {"": "{actor} throws the {gear} at {target}", "bare": "{actor} throws something at {target}"},
    "heal": {
        "bare": "{actor} treats {target}",
        "self:bare": "{actor} treats their own wounds",
        "": "{actor} treats {target} with the {gear}",
        "self": "{actor} uses the {gear} on {actor}",
    },
    "walk": {"": "{actor} walks"},
    "run": {"": "{actor} runs"},
    "crawl": {"": "{actor} crawls"},
    "aim": {"": "{actor} takes aim"},
    "ready": {"": "{actor} readies the {gear}", "bare": "{actor} makes ready to {deed}"},
    "stand-up": {"": "{actor} gets up"},
    "coup-de-grace": {
        "": "{actor} means to finish {target} with the {gear}",
        "unarmed": "{actor} means to finish {target} with bare hands",
    },
    "rest": {"": "{target} rests for six hours"},
    "accurate": {"": "{actor} takes time to strike true"},
    "hunker": {"": "{actor} hunkers down"},
    "shield-block": {"": "{actor} holds the shield up"},
    "lower-shield": {"": "{actor} lowers the shield"},
    "support": {"": "{actor} rests the {gear} on something"},
    "use": {"": "{actor} uses the {gear}"},
    "put-out-fire": {"": "{actor} puts out the fire on {target}"},
    "free-weapon": {"": "{actor} pulls the weapon free"},
    "wake": {"": "{actor} shakes {target} awake"},
    "do": {"": "{actor} does something else"},
    "take-hits": {"": "{target} is struck"},
    "gain-action": {"": "{actor} spends a bonus die on an action"},
    "steal-action": {"": "{actor} spends a destiny die on an action of {target}"},
    "reload": {"": "{actor} reloads the {gear}"},
    "check": {"": "{actor} tries {skill}"},
}
"""What someone does, by action and variant, where the row of a system has no sentence of its own."""

WORDS = {
    "hit": OutcomeWord("a hit", True),
    "miss": OutcomeWord("a miss", False),
    "lost": OutcomeWord("too late, the action is lost", False),
    "success": OutcomeWord("success", True),
    "failure": OutcomeWord("failure", False),
    "healed": OutcomeWord("it helps", True),
    "stabilised": OutcomeWord("stabilised", True),
    "rested": OutcomeWord("time passes"),
    "critical_failure": OutcomeWord("a critical failure"),
    "done": OutcomeWord("done"),
}
"""How an outcome reads at the end of its line, where its system has no words of its own for it."""

DECIDING = ("attack", "check", "heal", "initiative")
"""The rolls that an action is about; those before them are told after them."""

ROLLED = {
    "alert": RollWords("quick to react", "slow to react"),
    "resist": RollWords("holds on", "gives way"),
}
"""What other rolls came to: success, failure."""

MARKED = {
    "aim": "aiming, +{count}",
    "accurate": "taking time, +{count}",
    "recoil": "recoil of {count}",
    "supported": "{what} supported",
    "stolen": "{count} of the next turn's actions stolen",
}
"""Marks as the board tells them; others are nobody's business."""

BEGUN = {
    "stuck": "{who}’s weapon is held fast.",
    "blocking": "{who} has the shield up.",
}
ENDED = {
    "dead": "{who} is alive again.",
    "dying": "{who} is not dying any more.",
    "stable": "{who} is no longer in need of care.",
    "hunkered": "{who} is on their feet again.",
    "stuck": "{who}’s weapon is free.",
    "blocking": "{who} has lowered the shield.",
    "asleep": "{who} is awake.",
    "unconscious": "{who} comes to.",
}


def listed(names: Sequence[str]) -> str:
    """Several names as a sentence lists them."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def outcome_word(word: str, system: System) -> OutcomeWord:
    """How an outcome of a system reads."""
    return system.words.get(word) or WORDS.get(word) or OutcomeWord(word)


def counted(system: System) -> tuple[str, ...]:
    """What outcomes and rolls of a system count, in the plural."""
    return ("criticals", *system.counted)


def begun(who: str, condition: str, system: System) -> str:
    """The sentence for a condition that begins."""
    known = system.conditions.get(condition)
    own = known.begins if known else ""
    return _said(own or BEGUN.get(condition, "{who} is {condition}."), who, condition)


def ended(who: str, condition: str, system: System) -> str:
    """The sentence for a condition that ends."""
    known = system.conditions.get(condition)
    own = known.ends if known else ""
    return _said(own or ENDED.get(condition, "{who} is no longer {condition}."), who, condition)


def _said(phrase: str, who: str, condition: str) -> str:
    """A sentence about a condition; what is injured-somewhere is injured in that place."""
    return phrase.format(
        who=who, condition=condition.replace("injured-", "injured in the ").replace("-", " ")
    )


def remarks(entry: Entry, system: System) -> Iterator[str]:
    """The sentences for what an outcome reports."""
    for key, output in system.outputs.items():
        value = entry.outcome.get(key)
        if value and output.says and not (output.unless and output.unless in entry.intent.options):
            yield sentence(output.says, (str(value),)).format(value=value)


def travelled(entry: Entry, system: System) -> str:
    """How far the actor went, with its unit; empty for an action in which nobody moves."""
    distance = entry.outcome.get(system.unit.moved)
    return "" if distance is None else measured(distance, system.unit.name)


def measured(number: int, unit: str) -> str:
    """So many of something as it is said: one tile, two tiles; one die, two dice."""
    if number == 1 and unit.endswith("dice"):
        return f"1 {unit.removesuffix('dice')}die"
    one = unit[: -2 if unit.endswith("sses") else -1] if unit.endswith("s") else unit
    return f"{number} {one if number == 1 else unit}"


def marked(mark: str, count: int, system: System) -> str:
    """A mark as the board shows it; empty for one that it does not show."""
    kind, _, what = mark.partition(":")
    known = system.marks.get(kind, "")
    phrase = MARKED.get(kind, "") if isinstance(known, str) else known.board
    return phrase.format(count=count, what=what.replace(":", " with ").replace("-", " "))


def covered(level: str) -> str:
    """Cover by its word, or by how many dice it has."""
    return f"cover of {level}" if level.isdigit() else f"{level} cover"


def stated(condition: str, level: int | bool, system: System) -> str:
    """A condition with its level, where it has one."""
    known = system.conditions.get(condition)
    name = known.board if known and known.board else condition.replace("-", " ")
    return name if level is True else f"{name} {level}"
