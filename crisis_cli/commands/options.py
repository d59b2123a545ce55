"""Command options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ..completion import Source
from ..configuration.settings import with_system_checked
from ..context import Context
from ..errors import Usage
from ..play.dice import KEPT, Dice, Keep
from ..render.reasons import BRIEF, LEVELS
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..render.folded import Folded

Verb = TypeVar("Verb", bound=Callable[..., Any])


class DiceResults(click.ParamType):  # type: ignore[type-arg]
    """The type of --dice: results of dice, such as `4,5,1`."""

    name = "faces"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int | str, ...]:
        """The results as whole numbers, and as names of cards; those with spaces stand between commas."""
        if isinstance(value, tuple):
            return value
        words = value.replace(",", " ").split()
        if not all(map(_is_number, words)):
            words = [word.strip() for word in value.split(",")]
        if not all(_is_number(word) or any(map(str.isalpha, word)) for word in words):
            self.fail(f"{value!r} is not a list of results; write 4,5,1", param, ctx)
        return tuple(int(word) if _is_number(word) else word for word in words)


def _is_number(word: str) -> bool:
    """Whether a word is the face of a die."""
    return word.isascii() and word.isdigit() and len(word) < 10


LONGEST_TEXT = 2_000
"""Most characters of a text that is recorded: a note, a reason, the name of a fight."""


class TextLine(click.ParamType):  # type: ignore[type-arg]
    """The type of texts that are recorded: one line, in which line breaks become spaces."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """The text as one line, of at most LONGEST_TEXT characters."""
        if len(value) > LONGEST_TEXT:
            self.fail(f"at most {LONGEST_TEXT:,} characters, not {len(value):,}", param, ctx)
        return " ".join(value.splitlines())


class Position(click.ParamType):  # type: ignore[type-arg]
    """The type of positions on the field, such as `3,4`."""

    name = "x,y"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[float, float]:
        """The coordinates; whole ones stay whole numbers."""
        if isinstance(value, tuple):
            return value
        from ..play.placing import parse_position

        try:
            return parse_position(value)
        except Usage as wrong:
            self.fail(wrong.message, param, ctx)


class Choices(click.ParamType):  # type: ignore[type-arg]
    """The type of --choose: names of options, such as `dodge,keep`."""

    name = "choices"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        """The names, in order."""
        if isinstance(value, tuple):
            return value
        names = tuple(word.strip().lower() for word in value.split(","))
        if not all(names):
            self.fail(f"{value!r} is not a list of choices; write dodge,keep", param, ctx)
        return names


def combine(*options: Callable[[Any], Any]) -> Callable[[Verb], Verb]:
    """Combine click options into one decorator; help shows them in this order."""

    def decorate(verb: Verb) -> Verb:
        for option in reversed(options):
            verb = option(verb)
        return verb

    return decorate


def system_option(about: str, *, required: bool = False) -> Callable[[Any], Any]:
    """The option --system with its help."""
    source = Source("names.systems")
    return click.option("--system", required=required, metavar="SYSTEM", help=about, shell_complete=source)


def preset_system(context: Context) -> str:
    """The system that the settings name for lines that name none; with --json that of the folder alone."""
    settings = context.environment.settings
    if settings is None:
        return ""
    for file in (settings.folder,) if context.output.wants_json else (settings.folder, settings.user):
        checked = with_system_checked(file)
        if system := checked.text("system"):
            return system
        if checked is not file:
            (message,) = (said for key, _, said in checked.faults if key == "system")
            context.output.warn(f"{message}; it counts for nothing", "settings")
    return ""


def common_options(verb: Verb) -> Verb:
    """Add --json, --file and --characters, which every verb that prints has."""
    return combine(
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            callback=_use_json,
            help="Print one JSON object per line and nothing else.",
        ),
        click.option(
            "--file",
            metavar="FILE",
            expose_value=False,
            callback=use_path,
            help="Use this journal (default: crisis.jsonl).",
            type=click.Path(),
        ),
        click.option(
            "--characters",
            metavar="DIR",
            expose_value=False,
            callback=use_path,
            help="Look for sheets in this folder first.",
            type=click.Path(file_okay=False),
        ),
        click.option(
            "--campaign",
            metavar="DIR",
            expose_value=False,
            callback=use_path,
            help="Use the campaign in this folder; - for none.",
            type=click.Path(file_okay=False),
        ),
        click.option(
            "--color/--no-color",
            default=None,
            expose_value=False,
            callback=_use_color,
            help="Use colour, or none, whatever the terminal supports.",
        ),
    )(verb)


def _use_json(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Print the warnings of this command as JSON, too."""
    context = ctx.find_object(Context)
    if value and context:
        context.output.wants_json = True
    return value


def _use_color(ctx: click.Context, param: click.Parameter, value: bool | None) -> None:
    """Use colour, or none, in the output of this one command."""
    context = ctx.find_object(Context)
    if value is not None and context:
        ctx.obj = context.with_color(value)


def use_path(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Use another folder or journal for this one command, at the prompt too."""
    context = ctx.find_object(Context)
    if value and context:
        ctx.obj = context.with_places(**{str(param.name): value})


class CountRange(click.IntRange):
    """A whole number within bounds that help writes with commas."""

    def _describe_range(self) -> str:
        return f"{self.min:,}<=x<={self.max:,}"


class Portion(click.FloatRange):
    """A number within bounds, which nan is not, though it is neither below nor above them."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The number."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter as error:
            # Click names the number that it has read, such as 2.0 for 2.
            word = repr(value) if "'" in error.message else value
            self.fail(f"{word} is not a number within the bounds", param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class WholeNumber(click.ParamType):  # type: ignore[type-arg]
    """A whole number within bounds so wide that help does not show them."""

    name = "whole number"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The value as a whole number; a typographic minus sign is accepted."""
        try:
            number = int(str(value).replace("−", "-"))
        except ValueError:
            self.fail(f"{value!r} is not a whole number", param, ctx)
        if not self.least <= number <= self.most:
            self.fail(f"{number} is not within {self.least}…{self.most}", param, ctx)
        return number


WHOLE, SEED = WholeNumber(-999_999_999, 999_999_999), WholeNumber(0, 2**63)
seed_option = click.option("--seed", type=SEED, metavar="N", help="Seed for the dice.")
results_option = click.option(
    "--dice", type=DiceResults(), metavar="4,5,1", help="Use these results instead of rolling, in order."
)
real_dice_option = click.option("--real-dice", is_flag=True, help="Ask for the results of real dice.")
roll_options = combine(seed_option, results_option, real_dice_option)
"""Where the dice come from, for verbs that ask nothing else."""
dice_options = combine(
    seed_option,
    results_option,
    click.option(
        "--choose",
        type=Choices(),
        metavar="A,B",
        help="Answer the questions of the action, in order; auto: as doctrines decide.",
    ),
    click.option("--no-responses", is_flag=True, help="No automatic fighter responds to the action."),
    real_dice_option,
    click.option("--mine", is_flag=True, help="Ask for the results of the player's side only."),
    click.option(
        "--mod", type=WHOLE, metavar="N", help="Situational modifier to the actor's first roll; + helps."
    ),
    click.option("--mod-damage", type=WHOLE, metavar="N", help="Situational modifier to the damage."),
    click.option("--why", type=TextLine(), metavar="TEXT", help="Record this reason in the log."),
    click.option("--force", is_flag=True, help="Override the rules as a GM may; the log says so."),
)
"""Where the dice come from, and the GM's situational modifiers."""
to_file_options = combine(
    click.option("--to", metavar="FILE", type=click.Path(), help="Write to this file."),
    click.option("--overwrite", is_flag=True, help="Replace the file of --to if it exists."),
)
"""Where a story is written."""
reasons_option = click.option(
    "--reasons",
    type=click.Choice(LEVELS),
    default=BRIEF,
    help="Reasons of automatic play: all, brief (surprising choices; the default) or none.",
)
"""How many reasons of fighters that play automatically are shown."""
system_argument = click.argument("system", metavar="SYSTEM", shell_complete=Source("names.systems"))
quiet_option = click.option("--quiet", is_flag=True, help="Print the bare result.")
quiet_list_option = click.option("--quiet", is_flag=True, help="Print only the names, one per line.")
quiet_check_option = click.option("--quiet", is_flag=True, help="Print only what is wrong.")
report_options = combine(
    click.option("--explain", is_flag=True, help="Show every modifier with its rule."),
    quiet_option,
    click.option("--exit-status", is_flag=True, help="Exit with status 1 if it failed or missed."),
    click.option("--dry-run", is_flag=True, help="Show the result; change nothing."),
    click.option("--save", is_flag=True, help="Outside a crisis: save the effects to the sheets."),
    click.option(
        "--by",
        metavar="WHO",
        help="Who acts, if not the fighter whose turn it is.",
        shell_complete=Source("names.all_fighters"),
    ),
)
"""How a result is shown, and whether it counts."""
IGNORED = ("mod_damage", "exit_status", "save")
"""Options of these groups that mean nothing where nobody attacks and nothing fails."""


def without_ignored(command: click.Command) -> click.Command:
    """The command with the options that it ignores left out of its help; old scripts may still give them."""
    for one in command.params:
        if isinstance(one, click.Option) and one.name in IGNORED:
            one.hidden = True
    return command


PERFORMED = (
    *("seed", "dice", "real_dice", "mine", "no_responses", "why"),
    *("dry_run", "save", "exit_status", "lists"),
)
"""Options that say how an action is rolled, recorded and reported; odds roll and record nothing."""


def for_odds(command: click.Command) -> click.Command:
    """A verb as `odds` takes it: it refuses the options of `PERFORMED`, and does not offer them."""
    from copy import copy

    verb = copy(command)
    verb.params = [copy(one) for one in command.params]
    for one in verb.params:
        if isinstance(one, click.Option) and one.name in PERFORMED:
            one.hidden, one.callback = True, _refuse_given
    return verb


def _refuse_given(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Raise Usage if the option was given."""
    if ctx.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE:
        verb, option = str(ctx.info_name).removeprefix("odds "), param.opts[0]
        raise Usage(
            f"{option} cannot go with odds: nothing is rolled or recorded",
            hint=f"leave it out, or do it: crisis {verb} … {option}",
            code="conflicting_options",
            option=option,
        )
    return value


attack_options = combine(
    click.option(
        "--weapon",
        metavar="NAME",
        help="Weapon to use, or unarmed (default: the one in hand).",
        shell_complete=Source("names.weapons"),
    ),
    click.option("--range", metavar="DISTANCE", help="Distance to the target."),
    click.option(
        "--cover",
        metavar="LEVEL",
        help="Target's cover: none, light, heavy or total; some systems take others.",
        shell_complete=Source("actions.cover_levels"),
    ),
    click.option("--penetrable", is_flag=True, help="Shots pass through the cover."),
    click.option(
        "--enemies", type=click.IntRange(1, 100), metavar="N", help="Number of enemies around the target."
    ),
    click.option("--behind", is_flag=True, help="Attack from behind."),
    click.option(
        "--react",
        metavar="HOW",
        help="Target's reaction, in systems that have any: its name (such as dodge), none, best or ask.",
        shell_complete=Source("actions.reactions"),
    ),
)
"""Options of attacks and throws."""


def _use_overrides(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> None:
    context = ctx.find_object(Context)
    if value and context:
        ctx.obj = context._replace(desk=context.desk._replace(overrides=(*context.desk.overrides, *value)))


override_option = click.option(
    "--set",
    "override",
    multiple=True,
    metavar="WHO.KEY=VALUE",
    expose_value=False,
    callback=_use_overrides,
    help="Override a value of a sheet, or what is in hand (ada.held=knife), for this command.",
)
"""Values of sheets that hold for one command; a fighter with one is not saved to its sheet."""
position_option = click.option(
    "--at", type=Position(), metavar="X,Y", help="Aim at a position instead of a fighter."
)
AUTO = "auto"
"""The value of --choose with which doctrines decide for the player's fighters too."""
TYPED = (
    *("seed", "dice", "choose", "real_dice", "mine"),
    *("dry_run", "save", "no_responses"),
    *("as_json", "quiet", "explain", "exit_status", "reasons"),
)
"""Options that say how an action is rolled, kept and shown; all others are words of the rules."""


class Report(NamedTuple):
    """How the result of a command is shown."""

    as_json: bool = False
    quiet: bool = False
    explain: bool = False
    exit_status: bool = False
    """Whether a failure or a miss is the exit status 1."""
    reasons: str = BRIEF
    """How many reasons of automatic play are shown: one of `LEVELS`."""
    is_automatic: bool = False
    """Whether the fight plays itself, so that nobody is told how to end it."""
    folded: Folded | None = None
    """Shows the fight in brief; None where each entry is shown whole."""

    def rest(self) -> list[str]:
        """The lines that a fight in brief has put off so far; each comes once."""
        return self.folded.rest() if self.folded else []


class Run(NamedTuple):
    """What the options of a command say beside the words of the rules."""

    dice: Dice = Dice()
    keep: Keep = KEPT
    report: Report = Report()
    is_weighed: bool = False
    """Whether the action is only weighed or looked at, and not performed."""


def parse_run(given: Mapping[str, Any]) -> Run:
    """What the options of a command say of its dice, of what is kept, and of how it is shown.

    Usage where the dice come from two places.
    """
    return _run(**{name: value for name, value in given.items() if name in TYPED and value is not None})


def _run(
    *,
    seed: int | None = None,
    dice: tuple[int, ...] | None = None,
    choose: tuple[str, ...] = (),
    real_dice: bool = False,
    mine: bool = False,
    dry_run: bool = False,
    save: bool = False,
    no_responses: bool = False,
    reasons: str = BRIEF,
    as_json: bool = False,
    quiet: bool = False,
    explain: bool = False,
    exit_status: bool = False,
) -> Run:
    is_automatic = choose == (AUTO,)
    source = Dice(seed, dice, real_dice, mine, is_automatic, () if is_automatic else choose)
    keep = Keep(dry_run, save, not no_responses)
    return Run(source.checked(), keep, Report(as_json, quiet, explain, exit_status, reasons))


def typed(command: Callable[..., int]) -> Callable[..., int]:
    """A command that is called with `run` in place of the options of `TYPED`, and with all others by their names."""

    @wraps(command)
    def called(context: Context, /, **given: Any) -> int:
        return command(context, run=parse_run(given), **words_of(given))

    return called


def words_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a command but for those of `TYPED`."""
    return {name: value for name, value in given.items() if name not in TYPED}
