"""A page for each verb, made from its command: what it takes, what it does, its options and examples."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping

import click

from ..commands import encounter_odds, odds_duel, odds_expression
from ..commands import options as shared
from ..configuration.keys import KEYS
from . import mdoc
from .markup import marked_up, sections, terms
from .options import GROUPS, is_of_some_systems, listed, names, spelled, typed

FAMILIES = (
    ("attack", "throw", "heal", "check", "act", "odds"),
    ("roll", "odds"),
    (
        *("init", "play", "auto", "questions", "join", "leave", "next"),
        *("status", "goal", "map", "set", "end", "save"),
    ),
    ("undo", "redo", "rewind", "log", "explain", "note"),
    ("replay", "verify", "log"),
    ("simulate", "foe", "odds", "play"),
    ("oracle", "tables"),
    ("campaign", "tend", "rest", "take", "inv", "chronicle", "note", "end"),
    ("heal", "tend"),
    ("encounter", "play", "init"),
    ("mcp", "play", "run"),
    ("character", "rules"),
    ("system", "rules"),
    ("config", "doctor", "completion"),
)
"""Verbs whose pages point at one another."""
ODDS = {
    "odds of an expression": ("odds", odds_expression.command),
    "odds of an encounter": ("odds encounter", encounter_odds.command),
    "odds of a duel": ("odds duel", odds_duel.command),
}
"""What `odds` passes words on to that has no page of its own: by the title of its section, how it is typed."""
SETTINGS_FILES = {"user": "config.toml", "folder": ".crisis.toml"}
"""Files of settings, by whose they are."""
JOURNALLED = ("init", "end", "save", "undo", "redo", "rewind", "note", "log", "explain", "replay", "verify")
"""Verbs about the journal."""

Statuses = Mapping[str, Mapping[str, list[str]]]
"""What exit statuses mean, in mdoc: those of every verb under "crisis", those of one verb under its name."""


def page(
    name: str,
    command: click.Command,
    about: str,
    verbs: Iterable[str],
    notes: Mapping[str, str],
    meanings: Statuses,
) -> mdoc.Page:
    """The page of a verb; `notes` say more than its help, by verb."""
    lines = [mdoc.section("Synopsis"), *_synopsis(name, command)]
    text, examples = described(command)
    lines += [mdoc.section("Description"), *marked_up(typed(text))]
    if name in notes:
        lines += [".Pp", *marked_up(notes[name], {"settings": _settings()} if name == "config" else None)]
    lines += [*_options(command, notes)]
    inner = _inner(command)
    passed_on = {title: words for title, (words, _) in ODDS.items()}
    if isinstance(command, click.Group):
        lines += [mdoc.section("Sub-verbs")]
        for sub, one in inner.items():
            lines += [mdoc.subsection(f"crisis {name} {sub}"), *_part(f"{name} {sub}", one, _shared())]
    else:
        for title, one in inner.items():
            own_page = one is odds_expression.command
            elsewhere = {"--help"} if own_page else _shared()
            lines += [mdoc.section(title), *_part(passed_on[title], one, elsewhere)]
            if passed_on[title] in notes and not own_page:
                lines += [".Pp", *marked_up(notes[passed_on[title]])]
    for one in inner.values():
        examples += [line for line in described(one)[1] if line not in examples]
    lines += [mdoc.section("Exit status"), *_statuses(meanings, name, command, inner)]
    if examples:
        lines += [mdoc.section("Examples"), *mdoc.example(examples)]
    near = {verb for family in FAMILIES if name in family for verb in family} & set(verbs) - {name}
    seen = [("crisis", 1), ("crisis-json", 5), ("crisis-rules", 7), *((f"crisis-{verb}", 1) for verb in near)]
    extra = {
        "character": [("crisis-character", 5)],
        "auto": [("crisis-doctrine", 5)],
        "play": [("crisis-doctrine", 5), ("crisis-encounter", 5), ("crisis-protocol", 5)],
        "mcp": [("crisis-doctrine", 5), ("crisis-protocol", 5)],
        "campaign": [("crisis-campaign", 7)],
        "rest": [("crisis-campaign", 7)],
        "tend": [("crisis-campaign", 7)],
        "take": [("crisis-campaign", 7), ("crisis-encounter", 5)],
        "chronicle": [("crisis-campaign", 7), ("crisis-lonelog", 7)],
        "encounter": [("crisis-encounter", 5)],
        "system": [("crisis-rules-api", 7), ("crisis-system", 7)],
        "config": [("crisis-questions", 1), ("crisis-campaign", 7)],
        "roll": [("crisis-notation", 7)],
        "odds": [("crisis-notation", 7)],
    }
    journal = [("crisis-journal", 5)] if name in JOURNALLED else []
    lines += [mdoc.section("See also")]
    lines += mdoc.see_also([*seen, *extra.get(name, ()), *journal])
    return mdoc.Page(f"crisis-{name}", 1, about[:1].lower() + about[1:].rstrip("."), tuple(lines))


def _settings() -> Iterator[str]:
    """The keys of config.toml, with their values and what holds above them."""
    pairs = []
    for key in KEYS:
        files = [SETTINGS_FILES[owner] for owner in key.files]
        above = f" Above it: {' and '.join(f'`${name}`' for name in key.variables)}." if key.variables else ""
        said = f"{key.about} Values: {key.values}. In {' and '.join(files)}.{above}"
        pairs.append((mdoc.words(key.name), list(mdoc.paragraph(said))))
    yield from mdoc.terms(pairs)


def statuses() -> Statuses:
    """The exit statuses and what they mean."""
    return {name: dict(terms(text.strip().split("\n"))) for name, text in sections("status").items()}


def described(command: click.Command) -> tuple[str, list[str]]:
    """The paragraphs of a verb's help, and its examples."""
    text = inspect.cleandoc(command.help or "").split("\f")[0]
    before, _, after = re.sub(r"\x08\n", "", text).partition("\nExample")
    examples = [line.strip() for line in after.split("\n")[1:] if line.strip()]
    return before.strip(), examples


def _synopsis(name: str, command: click.Command) -> Iterator[str]:
    yield ".Nm crisis"
    yield f".Cm {mdoc.words(name)}"
    if name == "odds" and command is not odds_expression.command:
        yield from (".Ar verb ...", ".Nm crisis", ".Cm odds", ".Op Ar option ...", ".Ar EXPR")
        yield from (".Nm crisis", ".Cm odds")
    if isinstance(command, click.Group):
        yield ".Ar sub-verb ..."
        return
    if len(_own(command)) > 1:
        yield ".Op Ar option ..."
    for argument in (param for param in command.params if isinstance(param, click.Argument)):
        yield re.sub(
            r"[A-Za-z]{2,}(?:[A-Z,=]*)", lambda word: f"\\fI{word[0]}\\fR", mdoc.words(argument.metavar or "")
        )


def _own(command: click.Command) -> list[click.Option]:
    return [
        param
        for param in command.get_params(click.Context(command, help_option_names=["-h", "--help"]))
        if isinstance(param, click.Option) and not param.hidden
    ]


def _part(words: str, command: click.Command, elsewhere: set[str]) -> Iterator[str]:
    """A sub-verb, without the options described elsewhere."""
    yield from _synopsis(words, command)
    yield ".Pp"
    yield from marked_up(typed(described(command)[0]))
    yield from listed(option for option in _own(command) if spelled(option) not in elsewhere)


def _shared() -> set[str]:
    return {"--help", *names(shared.common_options)}


def _inner(command: click.Command) -> dict[str, click.Command]:
    """What has help of its own behind a verb: by sub-verb, or by the title of its section."""
    if command.name == "odds":
        return {title: one for title, (_, one) in ODDS.items()}
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: one for name, one in found.items() if one is not None}


def _options(command: click.Command, notes: Mapping[str, str]) -> Iterator[str]:
    """The section of options: the verb's own, those that verbs share, then those of some systems, as in --help."""
    left = _own(command)
    yield mdoc.section("Options")
    if isinstance(command, click.Group):
        yield from marked_up(notes["every sub-verb"])
        found = {spelled(option): option for one in _inner(command).values() for option in _own(one)}
        yield from listed(found[name] for name in sorted(_shared()))
        return
    parts = []
    for title, decorator in GROUPS:
        group = names(decorator)
        parts.append((title, [one for one in left if spelled(one) in group and not is_of_some_systems(one)]))
    parts[-1][1].extend(one for one in left if spelled(one) == "--help")
    parts.append(("Of some systems", [one for one in left if is_of_some_systems(one)]))
    grouped = [one for _, some in parts for one in some]
    yield from listed([one for one in left if one not in grouped])
    for title, some in parts:
        if some:
            yield mdoc.subsection(title)
            yield from listed(some)


def _statuses(
    meanings: Statuses, name: str, command: click.Command, inner: Mapping[str, click.Command]
) -> Iterator[str]:
    has = {spelled(option) for one in (command, *inner.values()) for option in _own(one)}
    own = meanings.get(name, {})
    yield from mdoc.terms(
        (status, own.get(status, meaning))
        for status, meaning in meanings["crisis"].items()
        if status != "1" or status in own or "--exit-status" in has
    )
