"""Errors of click in our words and codes."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click
from click.exceptions import BadOptionUsage, MissingParameter, NoSuchOption

from .engine.kinds import nearest
from .errors import CrisisError, Usage

UNBOUNDED = 10_000_000_000
"""Bounds of numbers from here on are not worth naming."""


def as_usage(error: click.ClickException) -> CrisisError:
    """An error of click as one of crisis, with the command whose help to read."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "crisis"
    hint = f"options: {path} --help"
    name = path.removeprefix("crisis ")
    if isinstance(error, NoSuchOption):
        known = (
            [word for one in context.command.params for word in (*one.opts, *one.secondary_opts)]
            if context
            else []
        )
        return unknown_option(name, error.option_name, known, hint)
    if isinstance(error, MissingParameter) and error.param is not None:
        return _missing(error.param, hint)
    if isinstance(error, BadOptionUsage):
        return _bad_usage(error, context, hint)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return Usage(_bad_value(error, error.param), hint=hint, code="bad_value", option=_name(error.param))
    # Click says only in its sentence which arguments are too many: "… (foo bar)".
    extra = re.search(r"argument.*\((.*)\)", error.format_message())
    if extra:
        return Usage(f"{name} takes no further argument: {extra[1]}", hint=hint, code="extra_argument")
    return Usage(error.format_message(), hint=hint)


def unknown_option(command: str, word: str, known: Iterable[str], hint: str) -> Usage:
    """The error for an option that a command does not have, with the nearest one that it has."""
    # Without the dashes, which all have in common.
    word = word.partition("=")[0]
    names = [one[2:] for one in known if one.startswith("--") and one != word]
    near = nearest(word.lstrip("-"), names)
    message = f"{command} has no option {word}" + (f" (did you mean --{near}?)" if near else "")
    return Usage(message, hint=hint, code="unknown_option", option=word)


def _name(param: click.Parameter) -> str:
    """An option as it is typed, or the metavar of an argument."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return re.sub(r"[\[\].]", "", param.metavar or (param.name or "").upper())


def _missing(param: click.Parameter, hint: str) -> Usage:
    if isinstance(param, click.Option):
        return Usage(f"missing option: {_name(param)}", hint=hint, code="missing_option", option=_name(param))
    return Usage(f"missing argument: {_name(param)}", hint=hint, code="missing_argument")


def _bad_usage(error: BadOptionUsage, context: click.Context | None, hint: str) -> Usage:
    """An option without its value, with what it is for; or a flag with one.

    Click says only in its sentence which of the two it is.
    """
    word = error.option_name
    params = context.command.params if context else ()
    about = next((one.help for one in params if isinstance(one, click.Option) and word in one.opts), None)
    if about:
        hint = f"{about.rstrip('.')}; {hint}"
    if "not take" in error.format_message():
        return Usage(f"{word} takes no value", hint=hint, code="bad_value", option=word)
    return Usage(f"{word} needs a value", hint=hint, code="missing_value", option=word)


def _bad_value(error: click.BadParameter, param: click.Parameter) -> str:
    name, kind = _name(param), param.type
    given = re.match(r"'[^']*'|[+-]?(?:[\d.]+(?:e[+-]?\d+)?|inf)", error.message)
    instead = f", not {given[0]}" if given else ""
    if isinstance(kind, click.Choice):
        return f"{name} is one of {', '.join(map(str, kind.choices))}{instead}"
    if isinstance(kind, click.IntRange):
        # A bound that is far off is named to those alone who have gone beyond it.
        far = UNBOUNDED if given is None or "'" in given[0] else max(UNBOUNDED, abs(float(given[0])))
        low, high = (None if end is None or abs(end) >= far else end for end in (kind.min, kind.max))
        parts = [
            "a whole number",
            f"from {low:,}" if low is not None else "",
            f"to {high:,}" if high is not None else "",
        ]
        return f"{name} takes {' '.join(filter(None, parts))}{instead}"
    if isinstance(kind, click.FloatRange):
        least = f"above {kind.min}, up" if kind.min_open else f"from {kind.min}"
        return f"{name} takes a number {least} to {kind.max}{instead}"
    return f"{name}: {error.message}"
