"""The texts for outcomes, conditions and marks: those of the system, or else the shared ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.events import Event
from ..engine.record import Entry
from ..engine.system import System
from ..engine.wording import OutcomeText, measured, sentence
from .charts import signed

WORDS = {
    "hit": OutcomeText("a hit", True),
    "miss": OutcomeText("a miss", False),
    "success": OutcomeText("success", True),
    "failure": OutcomeText("failure", False),
    "healed": OutcomeText("it helps", True),
    "done": OutcomeText("done"),
}
"""The texts for outcomes that a system does not define itself."""

DECIDING = ("attack", "check", "heal", "initiative")
"""The rolls that decide an action; they are shown first."""


def listed(names: Sequence[str]) -> str:
    """Names as a list in a sentence: `Jack, Ada and Doc`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def outcome_word(word: str, system: System) -> OutcomeText:
    """The text for an outcome of a system."""
    return system.says.words.get(word) or WORDS.get(word) or OutcomeText(word)


def counted(system: System) -> tuple[str, ...]:
    """What outcomes and rolls of a system count, in the plural."""
    return ("criticals", *system.says.counted)


def begun(who: str, condition: str, system: System) -> str:
    """The sentence for a condition that begins."""
    known = system.conditions.get(condition)
    own = known.begins if known else ""
    return (own or "{who} is {name}.").format(who=who, name=condition_name(condition, system))


def ended(who: str, condition: str, system: System) -> str:
    """The sentence for a condition that ends."""
    known = system.conditions.get(condition)
    if known is None or not known.ends:
        return no_longer(who, condition, system)
    return known.ends.format(who=who, name=known.title)


def no_longer(who: str, condition: str, system: System) -> str:
    """The sentence for a condition that ends, whatever becomes of the fighter."""
    return f"{who} is no longer {condition_name(condition, system)}."


def condition_name(condition: str, system: System) -> str:
    """The title of a condition."""
    known = system.conditions.get(condition)
    return known.title if known else condition.replace("-", " ")


def remarks(entry: Entry, system: System) -> Iterator[str]:
    """The sentences for what an outcome reports."""
    for key, output in system.says.outputs.items():
        value = entry.outcome.get(key)
        if value and output.says and not (output.unless and output.unless in entry.intent.options):
            yield sentence(output.says, (str(value),)).format(value=value)


def travelled(entry: Entry, system: System) -> str:
    """How far the actor went, with its unit; empty for an action in which nobody moves."""
    distance = entry.outcome.get(system.space.moved)
    return "" if distance is None else measured(distance, system.space.unit)


def says_where(entry: Entry, event: Event, system: System) -> bool:
    """Whether the line of an action that moves its actor names the place of this event."""
    return event[:2] == (entry.intent.actor, "at") and bool(event.now) and bool(travelled(entry, system))


def changed_by(by: int, label: str) -> str:
    """A change of a pool with its sign, in the singular or plural: +2 Luck, −1 re-roll."""
    return f"{signed(by)} {measured(abs(by), label).partition(' ')[2]}"


def off_by(number: int, unit: str) -> str:
    """A distance in words: 3 m, 1 tile; `same zone` where none is 0 of an area, within which there is no distance."""
    area = measured(1, unit).removeprefix("1 ")
    return measured(number, unit) if number or area == unit else f"same {area}"


def marked(mark: str, count: int, system: System) -> str:
    """A mark as the board shows it, its phrase filled with {count}, {what} or {parts}; empty if it is not shown."""
    kind, _, what = mark.partition(":")
    known = system.marks.get(kind)
    phrase = known.board if known else ""
    parts = what.replace("-", " ").split(":")
    return phrase.format(count=count, what=" with ".join(parts), parts=parts)


def covered(level: str) -> str:
    """Cover by its word, or by how many dice it has."""
    return f"cover of {level}" if level.isdigit() else f"{level} cover"


def stated(condition: str, level: int | bool, system: System) -> str:
    """A condition with its level, where it has one; of one that defeats only a level above 1."""
    known = system.conditions.get(condition)
    name = known.board if known and known.board else condition.replace("-", " ")
    is_plain = level is True or (level == 1 and known is not None and bool(known.defeated))
    return name if is_plain else f"{name} {level}"
