"""Asks the player at the terminal for a choice in the middle of an action."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..columns import columns, padded
from ..context import Context
from ..engine.question_settings import ALWAYS
from ..engine.wording import measured
from ..play.answers import Always
from ..play.asking import OptionQuestion, OptionRow
from ..questions import BACK, typed_number


def ask_choice(
    context: Context, who: str, asked: OptionQuestion, history: Callable[[list[str]], list[str]]
) -> str | None:
    """Ask `who` to choose a row of a question; the name of its option, as `Always` where the player wants it for the
    rest of the fight. None takes the last answer back.

    Enter takes the usual row, which stands in brackets. `history` takes the lines that will stand below, and gives
    those about what has happened in this action so far.
    """
    output, width = context.output, context.environment.width
    shown, behind = list(asked.rows), list(asked.behind)
    titles = dict.fromkeys(row.title for row in behind)
    below = [f"  {row.option.asks}" for row in (*shown, *behind) if row.option.asks]
    below = below or [f"  {asked.dying} is dying."] * bool(asked.dying)
    below += [*_numbered(shown, 1), *([f"  more: {', '.join(titles)}"] if titles else [])]
    line = _choice_line(who, asked, shown, bool(behind), width)
    output.say(*history([*below, line]), *below, to_stderr=True)
    while True:
        names = [row.option.name for row in (*shown, *behind)]
        typed = output.ask(line, [*names, *["more"] * bool(behind)]).strip().casefold()
        answer = typed.removesuffix(ALWAYS).rstrip()
        if typed in BACK:
            return None
        if behind and answer == "more":
            output.say(*_numbered(behind, len(shown) + 1), to_stderr=True)
            shown, behind = [*shown, *behind], []
            line = _choice_line(who, asked, shown, False, width)
            continue
        row = _row_named(answer, shown, behind) if answer else asked.usual
        if row is not None:
            name = row.option.name
            return Always(name) if typed.endswith(ALWAYS) and not asked.is_whole else name
        output.say(
            f"one of {', '.join(names)}, or its number; Enter takes {asked.usual.title}, "
            "b or undo takes the last answer back, Ctrl-C gives up",
            to_stderr=True,
        )


def _row_named(answer: str, shown: Sequence[OptionRow], behind: Sequence[OptionRow]) -> OptionRow | None:
    """The row that an answer means: by its number, its name, or the beginning of a name, of those shown first."""
    rows = [*shown, *behind]
    if 1 <= (number := typed_number(answer)) <= len(rows):
        return rows[number - 1]
    exact = [row for row in rows if row.option.name.casefold() == answer]
    begun = ([row for row in some if row.option.name.startswith(answer)] for some in (shown, behind))
    return next((some[0] for some in (exact, *begun) if len(some) == 1), None)


def _numbered(rows: Sequence[OptionRow], first: int) -> list[str]:
    """Rows with their numbers, their prices, and what comes of them."""
    wide = max(columns(row.label) for row in rows) + 4
    return [f"  {at}. {padded(row.label, wide)}{_outcome(row)}" for at, row in enumerate(rows, start=first)]


def _choice_line(
    who: str, asked: OptionQuestion, shown: Sequence[OptionRow], has_more: bool, width: int
) -> str:
    """The line of a question, the answer of Enter in brackets; in short where it would be wider than the terminal."""
    answers = [f"[{row.title}]" if row is asked.usual else str(at) for at, row in enumerate(shown, start=1)]
    lasting = [asked.lasts(row.option) for row in shown]
    is_always = all(lasting)
    if not is_always:
        answers = [
            f"{answer}{' (later too)' * lasts}" for answer, lasts in zip(answers, lasting, strict=True)
        ]
    words = [*answers, *["more"] * has_more, *[ALWAYS] * (not (asked.is_whole or is_always))]
    line = f"{who}: {', '.join(words)}"
    explained = f"{line}{'' if asked.is_whole else ' for the rest of the fight'}? "
    return explained if columns(explained) <= width else f"{line}? "


def _outcome(row: OptionRow) -> str:
    """What comes of an option in words."""
    option, odds, mean = row.option, row.odds, row.mean
    if odds is None:
        return "too wide to weigh"
    none = odds.unhurt
    if option.leaves:
        return f"{100 * none:.1f} % to {option.gains}, {mean:.1f} {option.leaves} on average"
    if row.saves:
        if not option.cost and none in (0, 1):
            # Nothing is rolled for it, so there are no odds.
            return option.gains if none and option.gains else "it stays as it fell"
        return f"{100 * none:.1f} % {f'for {option.gains}' if option.gains else 'to succeed'}"
    used = f", {row.worn:.1f} {option.wears} used up" if round(row.worn, 1) else ""
    if len(odds.harms.ways) == 1:
        return (measured(round(mean), option.counts) if mean else f"no {option.counts}") + used
    return f"{mean:.1f} {option.counts} on average" + (f", none {100 * none:.0f} %" if none else "") + used
