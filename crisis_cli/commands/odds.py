"""`crisis odds`."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import click

from ..completion import Source
from ..context import Context
from ..engine.kinds import guess
from ..engine.scene import Intent
from ..errors import Refused, Usage
from ..output import Ranking
from ..play.attacking import Planned
from ..play.weighing import (
    AssumedChoices,
    chances,
    in_own_turn,
    plans_by_first_action,
    ranking,
    ranking_by_plan,
    where_able,
)
from ..preview import Weighable
from ..questions import LONG, typed_number
from ..render import bars, charts
from ..render.command_text import slug
from ..sheets.find_fighters import find_name, is_present
from ..sheets.names import fighter_names, match_name
from ..systems import load
from ..verbs import VERBS
from . import options, sweeping
from .naming import join_names

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..engine.scene import Scene

ACTIONS = ("attack", "throw", "heal", "check", "act", "rest", "encounter", "duel")
"""Verbs that have odds."""
DUEL_HELP = "Show the exact probability of winning a duel."
MODULES = {"encounter": "encounter_odds", "duel": "odds_duel"}
"""The modules of those whose odds have a command of their own."""
PLANS = 3
"""Plans that are shown with a ranking."""
HOSTILE = ("attack", "throw")


def show_odds(context: Context, planned: Planned, run: options.Run) -> None:
    """Print the exact odds of an intent instead of performing it: bars, or JSON with exact fractions."""
    report, output = run.report, context.output
    sweeping.refuse_together("", report)
    system, session = planned.session.system, in_own_turn(planned.session, planned.intent)
    assumed = AssumedChoices()
    odds = chances(context.desk, planned._replace(session=session), run.dice, assumed)
    if session is not planned.session and not (report.as_json or report.quiet):
        output.say(output.ink("dim", f"In {planned.intent.actor}'s own turn:"))
    if report.as_json:
        output.print_json(bars.forecast_record(odds, system))
    elif report.quiet:
        output.say(charts.bare_chance(odds.success))
    else:
        lines = list(bars.forecast(odds, system, output.ink, context.environment.width))
        if choices := assumed.line():
            lines.append(output.ink("dim", choices))
        output.say(*lines, last=int(bars.sums_up(odds, system, output.ink)))
        if report.explain:
            from ..engine.record import Entry
            from ..render.text import explained

            output.say(*explained(Entry(1, planned.intent), odds.modifiers, output.ink))


def show_csv(context: Context, planned: Planned, run: options.Run) -> None:
    """Print every distribution of an intent as CSV."""
    from ..render.sweeps import distributions

    sweeping.refuse_together("csv", run.report)
    planned = planned._replace(session=in_own_turn(planned.session, planned.intent))
    context.output.say(*distributions(chances(context.desk, planned, run.dice)))


class OddsCommand(click.Command):
    """The command `odds`: it passes its words on to a verb or to `odds EXPR`; without words it ranks actions."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of a ranking, or --help; any other words are kept for another command."""
        if args and args[0] not in ACTIONS:
            args = join_names(ctx, args)
        if (args and args[0] in self.get_help_option_names(ctx)) or self._is_ranking(ctx, args):
            return super().parse_args(ctx, args)
        ctx.args = args
        return args

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The usage: what is passed on is no argument of its own."""
        return [*super().collect_usage_pieces(ctx), "[EXPR | VERB ...]"]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The verbs that have odds; after a verb or an expression, its own completions."""
        from ..completion.candidates import candidates
        from ..completion.line import CommandLine, candidate

        if not ctx.args:
            found = [
                candidate(name, VERBS.get(name, DUEL_HELP)) for name in ACTIONS if name.startswith(incomplete)
            ]
            return [*found, *super().shell_complete(ctx, incomplete)]
        _, verb, words = _find_command(ctx.args)
        return candidates(verb, words, incomplete, CommandLine(ctx, incomplete).context)

    def _is_ranking(self, ctx: click.Context, args: list[str]) -> bool:
        """Whether the arguments are only options of a ranking."""
        lenient = click.Context(self, parent=ctx.parent, ignore_unknown_options=True, resilient_parsing=True)
        return not self.make_parser(lenient).parse_args(list(args))[1]


@click.command("odds", cls=OddsCommand)
@click.option(
    "--by",
    metavar="WHO",
    help="Who would act, if not the fighter whose turn it is.",
    shell_complete=Source("names.all_fighters"),
)
@click.option("--top", type=click.IntRange(1, 1_000), metavar="N", help="Show only the best N.")
@click.option(
    "--quiet",
    is_flag=True,
    help="Print the single actions without plans: for each its worth, its chance and what to type.",
)
@options.common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    by: str | None = None,
    top: int | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    """Show exact odds of a roll or an action; nothing is rolled or changed.

    crisis odds EXPR shows those of a roll (--ge N, --le N, --eq N, --compare EXPR, --csv); crisis odds VERB …
    those of an action: attack, throw, heal, check or act, with its own arguments and options; crisis odds encounter
    NAME compares the sides of an encounter, and crisis odds duel A B shows who wins a fight of two. In an open crisis
    crisis odds without arguments shows plans of the fighter whose turn it is, with what each is worth, and ranks all
    actions that it can take now, each by itself. Line 1, which Best: names again, is what the best plan begins with.
    Plans buy nothing extra, such as luck or dice; what that adds to an attack is shown in its own line. With --quiet
    there are no plans.

    \b
    Examples:
      crisis odds 4d6kh3
      crisis odds 2d6+3 --ge 10
      crisis odds attack jack drone --cover light
      crisis odds check jack melee --difficulty 12 --json
      crisis odds --top 3
      crisis odds encounter bridge
      crisis odds duel bruno marshal
    """
    context: Context = ctx.find_object(Context)  # type: ignore[assignment]
    words = _actor_first(context, ctx.args)
    if not words or (len(words) == 1 and _is_fighter(context, words[0])):
        return _show_ranking(context, by or "".join(words), top, as_json, quiet)
    name, verb, words = _find_command(words)
    if name.removeprefix("odds ") in ACTIONS and name.removeprefix("odds ") not in MODULES:
        words, as_csv, sweeps = sweeping.split_words(words)
        assert isinstance(verb, Weighable)
        if sweeps:
            return sweeping.show_sweep(context, ctx.parent, (name, verb, words), sweeps, as_csv)
        with verb.make_context(name, words, parent=ctx.parent) as inner:
            # An option of the verb, such as --no-color, may have changed the context.
            verb.weigh(inner, partial(show_csv if as_csv else show_odds, inner.obj))
        return 0
    with verb.make_context(name, words, parent=ctx.parent) as inner:
        return int(verb.invoke(inner) or 0)


def _actor_first(context: Context, words: list[str]) -> list[str]:
    """The words with a fighter of the open crisis who stands first as `--by`: `drone attack jack`, `attack drone jack`.

    What somebody may do outside its turn is asked about as often as what those may do whose turn it is.
    """
    crisis = context.desk.journals.peek() if words else None
    if crisis is None or "--by" in words:
        return words
    scene, actions = crisis.scene, load(crisis.scene.system).actions
    first = words[0].lower().replace("_", "-")
    if first in actions and first not in ACTIONS:
        return ["act", first, *words[1:]]
    if is_present(scene, words[0]) and len(words) > 1:
        who, action, *rest = words
        verb = action.lower().replace("_", "-")
        if verb in ACTIONS or verb in actions:
            return [*([verb] if verb in ACTIONS else ["act", verb]), *rest, "--by", who]
    names = [word for word in words[1:3] if is_present(scene, word)]
    if words[0] in HOSTILE and len(names) == 2:
        actor, target = (find_name(scene, name) for name in names)
        if actor not in scene.acting and scene.fighters[actor].side != scene.fighters[target].side:
            return [words[0], *words[2:], "--by", words[1]]
    return words


def _is_fighter(context: Context, word: str) -> bool:
    """Whether a word names a fighter of the open crisis, or several."""
    crisis = context.desk.journals.peek()
    return crisis is not None and bool(match_name(word, fighter_names(crisis.scene)).names)


def _find_command(words: list[str]) -> tuple[str, click.Command, list[str]]:
    """The name and the command for the words after `odds`, and the words left for that command."""
    first = words[0].replace("_", "-")
    if first in ACTIONS:
        verb = import_module(f"{__package__}.{MODULES.get(first, first)}").command
        return f"odds {first}", verb if first in MODULES else options.for_odds(verb), words[1:]
    if first.isalpha() and (near := guess(first, ACTIONS)):
        verbs = " | ".join(ACTIONS)
        raise Usage(
            f"odds has no verb called {words[0]!r}{near}",
            hint=f"crisis odds EXPR, or crisis odds {verbs} …",
            code="unknown_command",
        )
    return "odds", import_module(f"{__package__}.odds_expression").command, [*words]


def line_of_ranking(scene: Scene, ranking: Ranking, line: str, is_for_turn: bool) -> Intent:
    """What the line of a ranking does whose number was typed.

    Usage where no ranking was shown, the ranking has no such line, or is of somebody whose turn it is not; where it
    `is_for_turn`, also if it was shown in an earlier turn.
    """
    whose, lines, then = ranking.who, ranking.lines, ranking.scene
    wrong = ""
    if not whose:
        wrong = "no ranking has been shown"
    elif whose not in scene.acting:
        wrong = f"it is {scene.turn}'s turn, and the last ranking was {whose}'s"
    elif is_for_turn and (then is None or _turn(then) != _turn(scene)):
        wrong = "the last ranking is of an earlier turn"
    elif not 1 <= (number := typed_number(line)) <= len(lines):
        last = f"; its last is {len(lines)}" if lines else ""
        wrong = f"{whose}'s ranking has no line {line[:LONG]}{last}"
    else:
        return lines[number - 1]
    hint = f"rank what {scene.turn} can do: crisis odds" if scene.turn else ""
    raise Usage(wrong, hint=hint, code="no_such_line")


def _turn(scene: Scene) -> tuple[int, tuple[str, ...]]:
    """The round, and those whose turn it is."""
    return scene.round, scene.together or scene.acting


def _show_ranking(context: Context, by: str | None, top: int | None, as_json: bool, quiet: bool) -> int:
    """Print the ranking of a fighter's possible actions in the open crisis; the exit status."""
    from ..engine.ranking import NEXT
    from ..render import ranking as show

    desk, output = context.desk, context.output
    if desk.journals.active() is None and not (by or top):
        raise Usage(
            "missing argument: EXPR or VERB",
            hint=f"crisis odds EXPR, or crisis odds {' | '.join(ACTIONS)} …; in a crisis, without arguments, it ranks "
            "the actions",
            code="missing_argument",
        )
    desk.journals.require()
    as_it_stands = desk.open_session()
    if not (by or as_it_stands.scene.turn):
        raise Refused("no turn has begun", hint="crisis odds --by WHO", code="no_turn")
    who = find_name(as_it_stands.scene, by) if by else as_it_stands.scene.turn
    session = where_able(as_it_stands, who)
    system, scene = session.system, session.scene
    by_worth = as_json or quiet
    entries, plans = (ranking(desk, session, who), []) if by_worth else ranking_by_plan(desk, session, who)
    if not any(one.legal.intent.action != NEXT for one in entries):
        way_on = "end the turn: crisis next; " if who in scene.acting else ""
        hint = f"{way_on}why not: crisis act {slug(who)} --list"
        raise Refused(f"{who} has no action left", hint=hint, code="nothing_legal")
    output.ranking = Ranking(who, show.lines(entries), as_it_stands.scene)
    entries = entries[:top]
    if quiet and not as_json:
        output.say(*show.bare(entries, scene))
        return 0
    if as_json:
        plans = plans_by_first_action(desk, session, who)
        for entry, record in zip(entries, show.records(entries, scene, system), strict=True):
            best = next((plan for plan in plans if plan.first == entry.legal.intent), None)
            output.print_json(record | ({"plan": best.words, "plan_worth": best.worth} if best else {}))
        return 0
    own_turn = [] if session is as_it_stands else [output.ink("dim", f"In {who}'s own turn:")]
    width, height = context.environment.width, 0 if top else context.environment.height
    summed = [(plan.worth, plan.words) for plan in plans]
    # On a low screen the ranking comes first: plans give way to its second row, and that to its summary.
    ways = [(few, 2) for few in range(PLANS, -1, -1)] if height else [(top or PLANS, 2)]
    for few, least in (*ways, (0, 1)):
        above = [*own_turn, *show.plans(summed[:few], output.ink)]
        room = max(1, height - len(above)) if height else 0
        lines, shown = show.table(who, entries, scene, system, output.ink, width, room, least)
        if not room or len(lines) <= room:
            break
    if context.environment.at_prompt:
        # A number takes no line that the player has not seen.
        output.ranking = output.ranking._replace(lines=show.lines(show.numbered(entries)[:shown]))
    output.say(*above, *lines, last=show.summary_lines(lines))
    return 0
