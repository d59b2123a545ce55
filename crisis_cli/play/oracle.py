"""Questions to the oracle: those that it knows and those in words, how likely each answer is, and the answer."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..engine.kinds import guess
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, slug
from ..errors import Refused, Usage
from ..random_tables.draw import used_up
from ..random_tables.oracle import FIRST_TENSION, LIKELY
from ..sheets.find_fighters import find_name
from ..values import NamedTuple
from .answers import Player
from .desk import Desk
from .dice import KEPT, Dice, Keep
from .drawing import Draws, draw, drawing_options, drawn_before
from .perform import perform_and_record
from .results import Result
from .session import Session

if TYPE_CHECKING:
    from ..story.lead import Moment

TABLES = {"event": "events", "terrain": "terrain-turns", "twist": "twists"}
"""Questions that a table answers."""
ABOUT_FIGHT = {
    "target": "Does it go for me?",
    "morale": "Does the guard hold?",
    "reinforcement": "Does help come?",
}
"""Questions about the open fight, each with one to ask in its place where there is no fight."""
SIDE = "fight:"
"""What stands before the side whose lead gives the chance."""
LEADS_BY = 1.2
"""Who leads a side has so many times the life of the next."""


class Question(NamedTuple):
    """A question that is answered with yes or no, and how likely yes is."""

    text: str
    likely: str
    """In a word, in percent, or how it was worked out."""
    chance: int
    """In percent."""
    recipe: str = ""
    """How the chance was worked out."""
    typed: tuple[str, ...] = ()
    """The words that ask it again."""
    kind: str = ""
    """`morale` or `reinforcement`; empty for a question in words."""
    tension: int = FIRST_TENSION
    """In how many of twelve answers a twist comes."""


class Aim(NamedTuple):
    """The question which foe a fighter goes for."""

    who: str
    weights: Mapping[str, int]
    """How likely each foe is, in shares of their sum."""


def parse_question(
    desk: Desk, session: Session, words: Sequence[str], odds: str = "even"
) -> Question | Aim | Draws:
    """The question that words ask: one about the fight, one that a table answers, or one in words, to which yes is as
    likely as `odds` says: a word of `LIKELY`, a percentage, or `fight:SIDE`, by who is ahead.

    Usage where a word cannot be read; Refused for a question about the fight where no crisis is open.
    """
    if not words:
        raise no_question()
    first, rest = words[0].lower(), " ".join(words[1:])
    if not words[1:] and (first in TABLES or first in desk.shelves.tables().names()):
        return Draws((TABLES.get(first, first),))
    now, recipe = _moment(session), RECIPES.get(first)
    if first in ABOUT_FIGHT and now is None:
        raise Refused(
            f"oracle {first} looks at the fight, and no crisis is open",
            hint="open one: crisis init WHO… --vs WHO… --open; or ask a question: "
            f"crisis oracle '{ABOUT_FIGHT[first]}'",
            code="no_crisis",
        )
    if first in ABOUT_FIGHT and first != "reinforcement" and not words[1:]:
        raise Usage("missing argument: WHO", hint=f"crisis oracle {first} WHO", code="missing_argument")
    if first == "target":
        return _aim(desk, session, find_name(session.scene, rest))
    question = (
        recipe(session, now, rest)
        if recipe and now
        else _in_words(session, now, " ".join(" ".join(words).split()), odds)
    )
    return question._replace(tension=_tension(session, now))


def ask(
    desk: Desk,
    session: Session,
    question: Question | Aim | Draws,
    dice: Dice,
    keep: Keep = KEPT,
    player: Player | None = None,
) -> Result:
    """Ask the oracle, and record the answer in the open crisis or the story of the campaign."""
    if isinstance(question, Draws):
        return next(draw(desk, question, dice, keep, player, session))
    intent = _aiming(question) if isinstance(question, Aim) else _asking(desk, session, question)
    return perform_and_record(desk, session, intent, dice, keep, player)


def tension(session: Session) -> int:
    """The tension: that of the open crisis, else that of the campaign, else what every crisis begins with."""
    return _tension(session, _moment(session))


def _tension(session: Session, now: Moment | None) -> int:
    if now is not None:
        return now.tension
    return session.crisis.tension if session.crisis else FIRST_TENSION


def _moment(session: Session) -> Moment | None:
    """How the open crisis stands; None without one."""
    if session.crisis is None or session.crisis.is_story:
        return None
    from ..story.lead import moment

    return moment(session.crisis, session.system)


def no_question() -> Usage:
    """The error where nothing is asked."""
    return Usage("missing argument: QUESTION", hint="crisis oracle 'Is it locked?'", code="missing_argument")


def _asking(desk: Desk, session: Session, question: Question) -> Intent:
    """The intent of a question that is answered with yes or no; Refused where all twists have been drawn."""
    values = {
        "question": question.text,
        "likely": question.likely,
        "chance": question.chance,
        "typed": list(question.typed),
        "tension": question.tension,
    }
    tables = desk.shelves.tables().with_references("twists")
    gone = drawn_before(session, tables)
    if len(gone.get("twists", ())) == len(tables["twists"].rows):
        # Refused before a die is rolled, whether the answer brings a twist or not.
        raise used_up(tables["twists"])
    return Intent("oracle", "", (), {**values, **drawing_options(tables, gone)})


def _in_words(session: Session, now: Moment | None, text: str, likely: str) -> Question:
    """A question in words; Usage where it is not said how likely yes is."""
    if not text:
        raise no_question()
    asked, _, last = text.rpartition(" ")
    if last.lower().startswith(SIDE):
        raise Usage(
            f"{last} says how likely yes is; it is no part of a question",
            hint=f"crisis oracle {shlex.quote(asked or 'QUESTION')} --odds {last.lower()}",
            code="bad_value",
        )
    word = likely.lower().replace("_", "-").replace(" ", "-")
    if word in LIKELY:
        return Question(text, f"{word}, {LIKELY[word]} %", LIKELY[word], "", (text, "--odds", word))
    digits = word.removesuffix("%")
    if digits.isascii() and digits.isdigit() and len(digits) < 3 and int(digits):
        return Question(text, f"{int(digits)} %", int(digits), "", (text, "--odds", digits))
    if word.startswith(SIDE):
        return _by_lead(session, now, text, word.removeprefix(SIDE))
    raise Usage(
        f"--odds takes a word or a number from 1 to 99, not {likely!r}{guess(word, LIKELY)}",
        hint=f"words: {', '.join(LIKELY)}",
        code="bad_value",
    )


def _by_lead(session: Session, now: Moment | None, text: str, side: str) -> Question:
    """A question whose chance follows from who is ahead: 50 %, and 40 for the whole lead of the side."""
    if now is None:
        raise Refused(
            f"{SIDE}{side} goes with an open crisis", hint="give a word: --odds likely", code="no_crisis"
        )
    _require_side(side, session)
    lead = now.lead if side == now.gauge.side else -now.lead
    chance = max(10, min(90, round(50 + 40 * lead)))
    by = round(100 * lead)
    who = f"the {side} {'lead' if by > 0 else 'are behind'} by {abs(by)}" if by else "nobody leads"
    said = f"{chance} %, {who} in round {session.scene.round}"
    return Question(text, said, chance, f"50 + 40 × {lead:.2f}, 10 to 90", (text, "--odds", SIDE + side))


def _require_side(side: str, session: Session) -> None:
    """Raise Usage, with a suggestion, where no fighter is on a side of that name."""
    sides = dict.fromkeys(one.side for one in session.scene.fighters.values())
    if side not in sides:
        raise Usage(
            f"no side is called {side!r}{guess(side, sides)}",
            hint=f"sides: {', '.join(sides)}",
            code="unknown_name",
        )


def _morale(session: Session, now: Moment, word: str) -> Question:
    """Whether a fighter holds: 60 %, 40 for all of its life, −10 for each fallen friend, 10 while its leader stands."""
    who = find_name(session.scene, word)
    fighter = session.scene.fighters[who]
    friends = [
        other for other in session.scene.fighters.values() if other.side == fighter.side and other.name != who
    ]
    fallen = sum(bool(session.system.fallen(other)) for other in friends)
    life, led = now.gauge.share(session.scene, who), _has_leader(session, now, [fighter, *friends])
    chance = max(5, min(95, round(60 + 40 * life - 10 * fallen + 10 * led)))
    recipe = (
        f"60 + 40 × {life:.2f} life − 10 × {fallen} fallen friends + 10 × {int(led)} leader standing, 5 to 95"
    )
    return Question(f"Does {who} hold?", f"{chance} %", chance, recipe, ("morale", slug(who)), "morale")


def _has_leader(session: Session, now: Moment, side: list[Fighter]) -> bool:
    """Whether a side has one fighter of clearly more life than the others, who can still fight."""
    lives = sorted(((now.gauge.whole.get(one.name, 0), one.name) for one in side), reverse=True)
    leads = len(lives) > 1 and lives[0][0] >= LEADS_BY * lives[1][0]
    return leads and not session.system.fallen(session.scene.fighters[lives[0][1]])


def _reinforcement(session: Session, now: Moment, word: str) -> Question:
    """Whether help comes: 10 % for each round, −20 for each fighter of the side who has joined."""
    crisis = session.crisis
    assert crisis is not None
    sides = dict.fromkeys(one.side for one in session.scene.fighters.values())
    side = word or next((one for one in sides if one != now.gauge.side), now.gauge.side)
    _require_side(side, session)
    came = [name for entry in crisis.done for name in _joined(entry)]
    joined = sum(session.scene.fighters[name].side == side for name in came)
    chance = max(5, min(80, 10 * session.scene.round - 20 * joined))
    recipe = f"10 × round {session.scene.round} − 20 × {joined} joined, 5 to 80"
    typed = ("reinforcement", side)
    return Question(f"Does help come for the {side}?", f"{chance} %", chance, recipe, typed, typed[0])


def _joined(entry: Entry) -> Sequence[str]:
    """Who joined the fight in an entry, by the player's hand or by an event of the encounter."""
    return entry.intent.targets if entry.intent.action == "join" else entry.outcome.get("joined", ())


RECIPES: Mapping[str, Callable[[Session, Moment, str], Question]] = {
    "morale": _morale,
    "reinforcement": _reinforcement,
}
"""Questions whose chance follows from the fight."""


def _aim(desk: Desk, session: Session, who: str) -> Aim:
    """How likely a fighter goes for each foe, by how good its best plan against that is; Refused without a foe."""
    from ..ai.deciding import AutoPlayer

    doctrine = session.scene.fighters[who].doctrine
    plans = AutoPlayer(session.system, desk.shelves.doctrines().named).plans(session.scene, who, doctrine)
    foes = [one.name for one in session.scene.foes(who) if not session.system.fallen(one)]
    if not foes:
        raise Refused(f"{who} has no foe who can fight", code="wrong_target")
    weights = dict.fromkeys(foes, 1)
    for plan in plans:
        for name in plan.first.targets if plan.first else ():
            if name in weights:
                weights[name] = max(weights[name], plan.worth)
    return Aim(who, weights)


def _aiming(aim: Aim) -> Intent:
    """The intent of rolling for the foe that a fighter goes for."""
    rows, low = [], 1
    for name, weight in aim.weights.items():
        rows.append([low, low + weight - 1, name])
        low += weight
    record = {"title": f"Target of {aim.who}", "roll": "", "deck": False, "rows": rows}
    values = {"table": "target", "tables": {"target": record}, "typed": ["target", slug(aim.who)]}
    return Intent("tables", "", (), values)
