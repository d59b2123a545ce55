"""`crisis oracle`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ..completion import Source
from ..context import Context
from ..engine.kinds import guess
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, slug
from ..errors import Refused, Usage
from ..play.session import Session
from ..random_tables.draw import used_up
from ..random_tables.oracle import FIRST_TENSION, LIKELY, SIDES, odds
from ..render import data
from ..render.chances import chance
from ..render.charts import decimal, percent
from ..sheets.find_fighters import find_name
from ..values import NamedTuple
from . import options
from .aside import current_session, perform_and_show
from .tables.roll import draw_from, drawn_before, held

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
    """A question, and how likely yes is."""

    text: str
    likely: str
    """In a word, in percent, or how it was worked out."""
    chance: int
    """In percent."""
    recipe: str = ""
    """How the chance was worked out."""
    typed: tuple[str, ...] = ()
    """The words that ask it again."""


@click.command("oracle")
@click.argument("words", nargs=-1, metavar="QUESTION...", shell_complete=Source("names.questions"))
@click.option(
    "--odds",
    "likely",
    metavar="WORD|1-99",
    help="How likely yes is: nearly-impossible, very-unlikely, unlikely, even (the default), likely, very-likely, "
    "nearly-certain, a percentage, or fight:SIDE, by who is ahead.",
    shell_complete=Source("names.likelihoods"),
)
@click.option("--odds-table", is_flag=True, help="Show the exact chance of every answer.")
@options.seed_option
@click.option(
    "--dice",
    type=options.DiceResults(),
    metavar="37,1,9",
    help="Use these results instead of rolling: d100, d6, d12.",
)
@options.real_dice_option
@click.option("--explain", is_flag=True, help="Say how the chance was worked out.")
@click.option("--quiet", is_flag=True, help="Print the bare answer.")
@click.option("--exit-status", is_flag=True, help="Exit with status 1 if the answer is no.")
@click.option("--dry-run", is_flag=True, help="In a crisis: show the answer; record nothing.")
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context,
    /,
    run: options.Run,
    words: tuple[str, ...],
    likely: str | None,
    odds_table: bool,
) -> int:
    """Ask the oracle a yes-or-no question, or one that it knows.

    A d100 answers, a d6 says *and* or *but*, and a d12 at or below the tension of the fight brings a twist. The
    oracle knows: morale WHO, reinforcement [SIDE], target WHO, event, terrain, twist; and the name of a table. In an
    open crisis the answer is recorded in the log, and can be undone.

    \b
    Examples:
      crisis oracle 'Do they call for help?' --odds likely
      crisis oracle 'Is the gate locked?' --odds 40
      crisis oracle event
      crisis oracle --odds-table
    """
    if odds_table and not words and likely is None:
        session = current_session(context)
        _show_odds(context, LIKELY, _tension(session, _moment(session)), run)
        return 0
    if not words and not odds_table:
        words = (_asked(context),)
    session, store = current_session(context), context.desk.shelves.tables()
    first = words[0].lower() if words else ""
    if len(words) == 1 and (first in TABLES or first in store.named_tables()):
        if odds_table:
            raise Usage(
                f"{first} is answered by a table",
                hint=f"its odds: crisis tables show {TABLES.get(first, first)} --odds",
                code="bad_value",
            )
        draw_from(context, [TABLES.get(first, first)], run)
        return 0
    now, recipe = _moment(session), RECIPES.get(first)
    is_about_fight = first in ABOUT_FIGHT
    if is_about_fight and now is None:
        raise Refused(
            f"oracle {first} looks at the fight, and no crisis is open",
            hint="open one: crisis init WHO… --vs WHO… --open; or ask a question: "
            f"crisis oracle '{ABOUT_FIGHT[first]}'",
            code="no_crisis",
        )
    if is_about_fight and first != "reinforcement" and len(words) == 1:
        raise Usage("missing argument: WHO", hint=f"crisis oracle {first} WHO", code="missing_argument")
    if first == "target":
        who = find_name(session.scene, " ".join(words[1:]))
        weights = _weights(context, session, who)
        return (
            _show_targets(context, weights, run)
            if odds_table
            else _target(context, session, who, weights, run)
        )
    if recipe and now:
        question = recipe(session, now, " ".join(words[1:]))
    else:
        text = " ".join(" ".join(words).split()) or ("Is it?" if odds_table else "")
        question = _plain(session, now, text, likely or "even")
    tension = _tension(session, now)
    if odds_table:
        label = first if recipe and now else likely or "even"
        _show_odds(context, {label: question.chance}, tension, run)
        return 0
    entry = _ask(context, session, question, tension, run)
    yes, degree = bool(entry.outcome["success"]), str(entry.outcome["degree"])
    if not run.report.as_json and not run.report.quiet:
        if run.report.explain:
            chances = {"chance": question.recipe, "twist": _twists(tension)}
            context.output.say(
                *(f"  {context.output.ink('dim', name)}: {said}" for name, said in chances.items() if said)
            )
        context.output.say(*_ways_on(context, session, first, words, yes, degree))
    return 1 if run.report.exit_status and not yes else 0


def _asked(context: Context) -> str:
    """The question that the player types; Usage without a terminal."""
    if not context.environment.is_interactive:
        raise _no_question()
    return context.output.ask("question: ")


def _no_question() -> Usage:
    return Usage("missing argument: QUESTION", hint="crisis oracle 'Is it locked?'", code="missing_argument")


def _ask(context: Context, session: Session, question: Question, tension: int, run: options.Run) -> Entry:
    """Ask, record and show; gives the entry."""
    values = {
        "question": question.text,
        "likely": question.likely,
        "chance": question.chance,
        "typed": list(question.typed),
    }
    tables = context.desk.shelves.tables().with_references("twists")
    gone = {name: drawn_before(session, one) for name, one in tables.items() if one.deck}
    if len(gone.get("twists", ())) == len(tables["twists"].rows):
        # Refused before a die is rolled, whether the answer brings a twist or not.
        raise used_up(tables["twists"])
    intent = Intent("oracle", "", (), {**values, "tension": tension, **held(tables, gone)})
    return perform_and_show(context, session, intent, run)


def _plain(session: Session, now: Moment | None, text: str, likely: str) -> Question:
    """A question of the player's own; Usage where it is not said how likely yes is."""
    if not text:
        raise _no_question()
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
    found = max(10, min(90, round(50 + 40 * lead)))
    by = round(100 * lead)
    who = f"the {side} {'lead' if by > 0 else 'are behind'} by {abs(by)}" if by else "nobody leads"
    said = f"{found} %, {who} in round {session.scene.round}"
    return Question(text, said, found, f"50 + 40 × {lead:.2f}, 10 to 90", (text, "--odds", SIDE + side))


def _require_side(side: str, session: Session) -> None:
    """Raise Usage, with a suggestion, where no fighter is on a side of that name."""
    sides = dict.fromkeys(one.side for one in session.scene.fighters.values())
    if side not in sides:
        raise Usage(
            f"no side is called {side!r}{guess(side, sides)}",
            hint=f"sides: {', '.join(sides)}",
            code="unknown_name",
        )


def _moment(session: Session) -> Moment | None:
    """How the open crisis stands; None without one."""
    if session.crisis is None or session.crisis.is_story:
        return None
    from ..story.lead import moment

    return moment(session.crisis, session.system)


def _tension(session: Session, now: Moment | None) -> int:
    """The tension: that of the open crisis, else that of the campaign, else what every crisis begins with."""
    if now is not None:
        return now.tension
    return session.crisis.tension if session.crisis else FIRST_TENSION


def _twists(tension: int) -> str:
    """How often a twist comes, in words."""
    sides = SIDES[-1]
    return (
        f"tension {tension}, in {percent(tension, sides)} of the answers (1 to {tension} on the d{sides})"
        if tension
        else "none, the tension is 0"
    )


def _morale(session: Session, now: Moment, word: str) -> Question:
    """Whether a fighter holds: 60 %, 40 for all of its life, −10 for each fallen friend, 10 while its leader stands."""
    who = find_name(session.scene, word)
    one = session.scene.fighters[who]
    friends = [
        other for other in session.scene.fighters.values() if other.side == one.side and other.name != who
    ]
    fallen = sum(bool(session.system.fallen(other)) for other in friends)
    life, led = now.gauge.share(session.scene, who), _has_leader(session, now, [one, *friends])
    found = max(5, min(95, round(60 + 40 * life - 10 * fallen + 10 * led)))
    recipe = (
        f"60 + 40 × {life:.2f} life − 10 × {fallen} fallen friends + 10 × {int(led)} leader standing, 5 to 95"
    )
    return Question(f"Does {who} hold?", f"{found} %", found, recipe, ("morale", slug(who)))


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
    found = max(5, min(80, 10 * session.scene.round - 20 * joined))
    recipe = f"10 × round {session.scene.round} − 20 × {joined} joined, 5 to 80"
    question = f"Does help come for the {side}?"
    return Question(question, f"{found} %", found, recipe, ("reinforcement", side))


def _joined(entry: Entry) -> Sequence[str]:
    """Who joined the fight in an entry, by the player's hand or by an event of the encounter."""
    return entry.intent.targets if entry.intent.action == "join" else entry.outcome.get("joined", ())


RECIPES: Mapping[str, Callable[[Session, Moment, str], Question]] = {
    "morale": _morale,
    "reinforcement": _reinforcement,
}
"""Questions whose chance follows from the fight."""


def _ways_on(
    context: Context, session: Session, first: str, words: tuple[str, ...], yes: bool, degree: str
) -> list[str]:
    """What to type where the answer means something in the fight; it is never done by itself."""
    if session.crisis is None or session.crisis.is_story:
        return []
    if (first == "morale" and yes) or (first == "reinforcement" and not yes):
        return []
    if first == "morale" and len(words) > 1:
        who = slug(find_name(session.scene, " ".join(words[1:])))
        if degree == "and":
            return [f"  It runs: {context.output.ink.way(f'leave {who}')}"]
        return [f"  It surrenders: {context.output.ink.way(f'set {who} yielded on')}"]
    if first == "reinforcement":
        return [
            f"  Who comes: {context.output.ink.way('tables reinforcements')}, then {context.output.ink.way('join WHO')}"
        ]
    return []


def _weights(context: Context, session: Session, who: str) -> dict[str, int]:
    """How likely a fighter goes for each foe, by how good its best plan against that is; Refused without a foe."""
    from ..ai.deciding import AutoPlayer

    store = context.desk.shelves.doctrines()
    doctrine = session.scene.fighters[who].doctrine
    plans = AutoPlayer(session.system, store.named).plans(session.scene, who, doctrine)
    foes = [one.name for one in session.scene.foes(who) if not session.system.fallen(one)]
    if not foes:
        raise Refused(f"{who} has no foe who can fight", code="wrong_target")
    weights = dict.fromkeys(foes, 1)
    for plan in plans:
        for name in plan.first.targets if plan.first else ():
            if name in weights:
                weights[name] = max(weights[name], plan.worth)
    return weights


def _target(
    context: Context, session: Session, who: str, weights: Mapping[str, int], run: options.Run
) -> int:
    """Roll for the foe that a fighter would go for; the exit status."""
    rows, low = [], 1
    for name, weight in weights.items():
        rows.append([low, low + weight - 1, name])
        low += weight
    record = {"title": f"Target of {who}", "roll": "", "deck": False, "rows": rows}
    values = {"table": "target", "tables": {"target": record}, "typed": ["target", slug(who)]}
    perform_and_show(context, session, Intent("tables", "", (), values), run)
    if run.report.explain and not run.report.as_json:
        shares = ", ".join(f"{name} {percent(weight, low - 1)}" for name, weight in weights.items())
        context.output.say(f"  {context.output.ink('dim', 'chances')}: {shares}")
    return 0


def _show_targets(context: Context, weights: Mapping[str, int], run: options.Run) -> int:
    """Print the exact chance of every foe; the exit status."""
    whole, wide = sum(weights.values()), context.output.ink.widest(weights)
    for name, weight in weights.items():
        if run.report.as_json:
            record = {"target": name, "chance": chance(weight, whole)}
            context.output.print_json({"v": data.VERSION, "action": "oracle", **record})
        elif run.report.quiet:
            context.output.say(f"{slug(name)} {decimal(weight / whole)}")
        else:
            context.output.say(f"{context.output.ink.padded(name, wide)}  {percent(weight, whole):>8}")
    return 0


def _show_odds(context: Context, chances: Mapping[str, int], tension: int, run: options.Run) -> None:
    """Print the exact chance of every answer for each chance of yes in percent, by a word for it, and how often a twist
    comes by the tension."""
    as_json, quiet = run.report.as_json, run.report.quiet
    answers = [name for name, _ in odds(50)]
    if not (as_json or quiet):
        context.output.say(f"{'':<18}{'yes':>6}  " + "".join(f"{name:>9}" for name in answers))
    for word, likely in chances.items():
        shares = dict(odds(likely))
        if as_json:
            record = {
                "likely": word,
                "p": likely / 100,
                "answers": {name: chance(p.numerator, p.denominator) for name, p in shares.items()},
                "tension": tension,
                "twist": chance(tension, SIDES[-1]),
            }
            context.output.print_json({"v": data.VERSION, "action": "oracle", **record})
        elif quiet:
            context.output.say(
                " ".join([word, decimal(likely / 100), *map(decimal, map(float, shares.values()))])
            )
        else:
            row = "".join(f"{percent(p.numerator, p.denominator):>9}" for p in shares.values())
            context.output.say(f"{word:<18}{likely:>4} %  {row}")
    if not (as_json or quiet):
        context.output.say(f"twist: {_twists(tension)}")
