"""All pages of the manual, by their place under man/."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..ai.doctrine import SCHEMA
from ..cli import cli
from ..sheets.campaign import SCHEMA as CAMPAIGN
from ..sheets.table_store import SCHEMA as TABLES
from ..systems import every
from ..verbs import VERBS
from . import books, mdoc, rules_api, schemas, verbs
from .markdown import markdown
from .markup import page, sections
from .options import listed

CAMPAIGN_VERBS = ("campaign", "tend", "rest", "take", "inv", "chronicle", "note")
"""Verbs about campaigns."""


def pages() -> dict[str, str]:
    """The text of every page in mdoc(7), by its path under man/."""
    return {page.path: page.text() for page in _all()}


def as_markdown() -> dict[str, str]:
    """The text of every page in Markdown, by the name of its file."""
    return {f"{page.name}.{page.number}.md": markdown(page) for page in _all()}


def _all() -> Iterator[mdoc.Page]:
    notes, statuses = sections("verbs"), verbs.statuses()
    yield _front(statuses)
    for name, about in VERBS.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        yield verbs.page(name, command, about, VERBS, notes, statuses)
    keys = {
        "character": [line for system in every() for line in schemas.keys(system)],
        "doctrine": list(schemas.tables(SCHEMA)),
        "tables": list(schemas.tables(TABLES)),
        "campaign": list(schemas.tables(CAMPAIGN)),
    }
    outputs = list(schemas.outputs(every()))
    rules = [(f"crisis-rules-{system.name}", 7) for system in every()]
    others = {
        "character": [("crisis-character", 1), *rules],
        "journal": [("crisis-replay", 1), ("crisis-verify", 1), ("crisis-json", 5)],
        "json": [("crisis-journal", 5), ("crisis-notation", 7)],
        "doctrine": [("crisis-auto", 1), ("crisis-play", 1)],
        "lonelog": [("crisis-log", 1), ("crisis-journal", 5)],
        "tables": [("crisis-tables", 1), ("crisis-notation", 7)],
        "campaign": [*((f"crisis-{verb}", 1) for verb in CAMPAIGN_VERBS), ("crisis-journal", 5)],
        "tutorial": [("crisis-play", 1), ("crisis-oracle", 1), ("crisis-campaign", 7), ("crisis-tables", 5)],
        "import": [
            *(("crisis-character", 1), ("crisis-tables", 1), ("crisis-character", 5), ("crisis-tables", 5)),
            ("crisis-system", 7),
        ],
        "cookbook": [
            *(("crisis-odds", 1), ("crisis-roll", 1), ("crisis-simulate", 1)),
            *(("crisis-json", 5), ("crisis-notation", 7)),
        ],
        "encounter": [
            ("crisis-encounter", 1),
            ("crisis-play", 1),
            ("crisis-doctrine", 5),
            ("crisis-tables", 5),
        ],
        "protocol": [("crisis-play", 1), ("crisis-json", 5), ("crisis-doctrine", 5), ("crisis-python", 7)],
        "python": [
            *(("crisis-character", 5), ("crisis-json", 5), ("crisis-journal", 5), ("crisis-doctrine", 5)),
            *(("crisis-notation", 7), ("crisis-campaign", 7)),
        ],
        "notation": [("crisis-odds", 1), ("crisis-roll", 1)],
        "system": [
            *(("crisis-rules", 1), ("crisis-character", 5), ("crisis-journal", 5), ("crisis-rules", 7)),
            ("crisis-rules-api", 7),
        ],
        "rules-api": [("crisis-system", 7), ("crisis-rules", 7)],
    }
    for name, seen in others.items():
        yield page(
            name,
            {
                "keys": keys.get(name, []),
                "outputs": outputs,
                "names": rules_api.names(),
                "also": mdoc.see_also([("crisis", 1), *seen]),
            },
        )
    yield from books.pages()


def _front(statuses: verbs.Statuses) -> mdoc.Page:
    context = click.Context(cli, help_option_names=["-h", "--help"])
    others = [("crisis-character", 5), ("crisis-journal", 5), ("crisis-json", 5), ("crisis-notation", 7)]
    others += [("crisis-doctrine", 5), ("crisis-encounter", 5), ("crisis-protocol", 5), ("crisis-tables", 5)]
    others += [
        ("crisis-tutorial", 7),
        ("crisis-campaign", 7),
        ("crisis-cookbook", 7),
        ("crisis-import", 7),
        ("crisis-lonelog", 7),
        ("crisis-system", 7),
    ]
    others += [
        ("crisis-python", 7),
        ("crisis-rules", 7),
        ("crisis-rules-api", 7),
        *((f"crisis-rules-{system.name}", 7) for system in every()),
    ]
    options = [param for param in cli.get_params(context) if isinstance(param, click.Option)]
    return page(
        "crisis",
        {
            "verbs": mdoc.terms(
                (f"Cm {mdoc.words(name)}", [*mdoc.paragraph(about), f".Xr crisis-{name} 1"])
                for name, about in VERBS.items()
            ),
            "options": listed(options),
            "synopsis": [".Nm crisis", ".Op Ar option ...", ".Ar verb", ".Op Ar word ..."],
            "also": mdoc.see_also(others),
            "status": mdoc.terms(statuses["crisis"].items()),
        },
    )
