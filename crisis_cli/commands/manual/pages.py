"""All pages of the manual, by their place under man/."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ...cli import cli
from ...minds.doctrine import SCHEMA
from ...systems import every
from ...verbs import VERBS
from . import books, mdoc, schemas, verbs
from .markup import prose
from .options import listed


def pages() -> dict[str, str]:
    """The text of every page, by its path."""
    return {page.path: page.text() for page in _all()}


def _all() -> Iterator[mdoc.Page]:
    notes = verbs.notes()
    yield mdoc.Page("crisis", 1, "tabletop combat from the command line", tuple(_front()))
    for name, about in VERBS.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        yield verbs.page(name, command, about, VERBS, notes)
    keys = {
        "character": [line for system in every() for line in schemas.keys(system)],
        "doctrine": list(schemas.tables(SCHEMA)),
    }
    rules = [(f"crisis-rules-{system.NAME}", 7) for system in every()]
    for name, number, about, others in (
        ("character", 5, "the sheet of a fighter", [("crisis-character", 1), *rules]),
        (
            "journal",
            5,
            "the journal of a crisis",
            [("crisis-replay", 1), ("crisis-verify", 1), ("crisis-json", 5)],
        ),
        ("json", 5, "what crisis prints with --json", [("crisis-journal", 5), ("crisis-notation", 7)]),
        ("doctrine", 5, "how fighters play themselves", [("crisis-auto", 1), ("crisis-play", 1)]),
        ("notation", 7, "dice notation", [("crisis-odds", 1), ("crisis-roll", 1)]),
    ):
        seen = [("crisis", 1), *others]
        lines = prose(name, {"keys": keys.get(name, []), "also": mdoc.see_also(seen)})
        yield mdoc.Page(f"crisis-{name}", number, about, tuple(lines))
    yield from books.pages()


def _front() -> Iterator[str]:
    context = click.Context(cli, help_option_names=["-h", "--help"])
    others = [("crisis-character", 5), ("crisis-journal", 5), ("crisis-json", 5), ("crisis-notation", 7)]
    others += [("crisis-doctrine", 5)]
    others += [("crisis-rules", 7), *((f"crisis-rules-{system.NAME}", 7) for system in every())]
    options = [param for param in cli.get_params(context) if isinstance(param, click.Option)]
    yield from prose(
        "crisis",
        {
            "verbs": mdoc.terms(
                (f"Cm {mdoc.words(name)}", [*mdoc.paragraph(about), f".Xr crisis-{name} 1"])
                for name, about in VERBS.items()
            ),
            "options": listed(options),
            "synopsis": [".Nm crisis", ".Op Ar option ...", ".Ar verb", ".Op Ar word ..."],
            "also": mdoc.see_also(others),
            "status": mdoc.terms(
                (str(status), list(mdoc.paragraph(said))) for status, said in verbs.STATUS.items()
            ),
        },
    )
