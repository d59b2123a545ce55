"""How the marks, rolls and outcomes of a system read: the texts that a rulebook hands to the screens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..values import NamedTuple

DETERMINERS = {
    *("a", "an", "the", "this", "that", "these", "those"),
    *("my", "your", "his", "her", "its", "our", "their"),
}
"""First words of names that take no article."""
OF_SOMEBODY = re.compile(r"[A-Z]\S*(?:['\u2019]s|s['\u2019])\s")
"""How names begin that say whose a thing is: `Ada's cart`."""
SPOKEN_WITH_VOWEL = re.compile(r"(?!one\b|uni|use|eu)[aeiou]|8|1[18](?!\d)", re.IGNORECASE)
"""How names begin that are spoken with a vowel: open door, 8, 11, 18."""


def is_plural(name: str) -> bool:
    """Whether a name is that of several things, such as crates."""
    return name.endswith("s") and not name.endswith("ss")


def has_determiner(name: str) -> bool:
    """Whether a name takes no article, because it begins with one, or with a word in its place."""
    return name.partition(" ")[0].casefold() in DETERMINERS or bool(OF_SOMEBODY.match(name))


def with_a(name: str) -> str:
    """A name with its indefinite article: `an encounter`, `a wall`; as it is where it takes none."""
    if has_determiner(name):
        return name
    return f"an {name}" if SPOKEN_WITH_VOWEL.match(name) else f"a {name}"


def with_the(name: str) -> str:
    """A name with its definite article: `the stair`; as it is where it takes none."""
    return name if has_determiner(name) else f"the {name}"


NOUN = re.compile(r"^.+?(?=\s(?:at|for|from|in|left|of|on|per|to|with)\b|$)")
"""The noun of a unit, without the words behind: swigs of rum, rounds in the magazine."""
SINGULARS = (
    (r"dice$", "die"),
    (r"\b(kn|l|w)ives$", r"\1ife"),
    (r"(?<=[a-z]{2})ies$", "y"),
    (r"(ss|sh|ch|x)es$", r"\1"),
    (r"(?<=[^\W_su])s$", ""),
)
"""Endings of plurals, each with that of the singular; the first that fits counts."""


def measured(number: int, unit: str) -> str:
    """A number with its unit, in the singular or plural: 1 tile, 2 tiles; 1 die, 2 dice; 1 swig of rum."""
    return f"{number} {singular(unit) if number == 1 else unit}"


def singular(unit: str) -> str:
    """The singular of a unit: action point, swig of rum, injury, torch; the unit itself where it is no plural."""
    return NOUN.sub(lambda noun: _singular_noun(noun[0]), unit, count=1)


def _singular_noun(noun: str) -> str:
    fitting = (re.sub(ending, one, noun) for ending, one in SINGULARS if re.search(ending, noun))
    return next(fitting, noun)


class Mark(NamedTuple):
    """A counter of a fighter that is cleared automatically."""

    scope: str
    """When the core clears it: after the next "action", at the end of the "turn", "round" or "crisis", or when the
    "next turn" of the fighter starts."""
    board: str = ""
    """How the board shows it, with {count} and {what}, the key it is about; empty: not at all."""
    lost_by: str = ""
    """For a mark that is built up for a later action: the rule by which any action of the fighter clears it that does
    not list it in `Action.keeps`. Empty: none does."""
    holds_round: bool = False
    """Whether the value of the mark is the number of a round: exact odds of fights count it from the present one."""


class RollText(NamedTuple):
    """A further roll of an action and its result, in words."""

    success: str = ""
    """The word for its success, such as "resisted"; empty: "success"."""
    failure: str = ""
    """The word for its failure; empty: "failure"."""
    stops: str = ""
    """For a roll that stops hits: what it does to them, such as "parried"; shown with `stopped` and `left` of its
    result."""
    unit: str = "hits"
    """What such a roll stops, in the plural."""
    title: str = ""
    """The name of a roll whose label has a `cause`, with {who} and {cause}: "{who} resists {cause}"."""


class OutcomeText(NamedTuple):
    """How an outcome reads at the end of its line."""

    text: str
    """The words for it: "misses"."""
    good: bool | None = None
    """Whether the outcome is shown as good news, or False as bad news; None: as neither."""


class OutputField(NamedTuple):
    """A value that actions report: a key of the JSON record and, where it has one, its sentence."""

    doc: str
    """What the value is, for crisis-json(5): "how far off a missed throw lands, in metres"."""
    says: str | Mapping[str, str] = ""
    """The line below the action, with {value}, where there is a value and it is not 0; or a line for each value."""
    unless: str = ""
    """The option of the command line beside which the line is left out."""


COMMON_OUTPUTS = {
    "gear": OutputField("the weapon or item that was used"),
    "hits": OutputField("how many hits there were, where they are counted"),
    "criticals": OutputField("how many criticals there were"),
    "paid": OutputField("what has been paid of a long action"),
    "of": OutputField("what a long action costs in all"),
    "round": OutputField("the round now"),
    "turn": OutputField("whose turn it is"),
    "question": OutputField("the question to the oracle"),
    "likely": OutputField("how likely yes was, in words or in percent"),
    "p": OutputField("the chance of yes, from 0 to 1"),
    "answer": OutputField("the answer of the oracle, `yes` or `no`"),
    "degree": OutputField("what qualifies the answer: `and`, `but`, or nothing"),
    "twist": OutputField("something unexpected that comes with the answer: `table`, `row` and `text`"),
    "tension": OutputField("the tension before and after the answer: `was` and `now`"),
    "encounter": OutputField("the title of the encounter that begins or ends"),
    "event": OutputField("the number of the encounter's event that came up"),
    "joined": OutputField("the fighters that it brought"),
    "kept_out": OutputField("how many more it would have brought, had the crisis room for them"),
    "wins": OutputField("the side that it made the winner, or `nobody`"),
    "tension_by": OutputField("what it added to the tension"),
    "reward": OutputField("what a victory brought, in words"),
    "rewards": OutputField(
        "what else it brought: tables with `give` or `ammo` and `count`, or `award` and `to`"
    ),
    "now": OutputField("after `crisis take`: how much of each thing added is on the sheet now"),
    "table": OutputField("the random table of a draw"),
    "row": OutputField("the number of the row that was drawn"),
    "text": OutputField(
        "the text of a note, of the row that was drawn, of an event, or of the opening or the end of an encounter"
    ),
    "inside": OutputField("the rows of other tables in that text: objects with `table`, `row` and `text`"),
    "surplus": OutputField(
        'what was asked for beyond what counts, and what limits it: pairs such as `["aim", "perception 3"]`'
    ),
}
"""What actions of every system may report."""


def sentence(says: str | Mapping[str, str], variants: Iterable[str] = (), bare: bool = False) -> str:
    """The sentence for the first of the variants that has one, else that for the rest; empty where there is none.

    `bare`: nothing is used for the action, which "VARIANT:bare" and "bare" are for.
    """
    if isinstance(says, str):
        return says
    names = (
        name
        for variant in (*variants, "")
        for name in (f"{variant}:bare".lstrip(":") if bare else variant, variant)
    )
    return next((says[name] for name in names if name in says), "")
