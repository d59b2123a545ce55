"""Parts of the manual as plain text: `crisis help json`, `crisis help exit-status` and others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap

from ..engine.journal import FORMAT
from ..engine.schema import Section
from ..engine.system import System
from ..engine.wording import COMMON_OUTPUTS
from ..rulebooks import SHARED
from ..systems import every
from ..values import NamedTuple
from .schema_words import tables_of

TEXTS = Path(__file__).parent.parent / "manual" / "text"
"""The folder of the prose of the manuals, of which `crisis_cli.manual` makes pages."""


PAGE = "crisis-"
"""The beginning of the name of a page of the manual."""
RULES = "rules-"
"""The beginning of the name of a page with the rules of a system."""


class ManualTopic(NamedTuple):
    """A file of the manual, or one section of it."""

    file: str
    about: str
    section: str = ""
    """The head of the section; empty for the whole file."""


TOPICS = {
    "tutorial": ManualTopic("tutorial", "your first evening"),
    "cookbook": ManualTopic("cookbook", "twenty pipelines for the shell"),
    "import": ManualTopic("import", "bring your sheets, monsters and tables"),
    "json": ManualTopic("json", "what --json prints"),
    "protocol": ManualTopic("protocol", "how programs play"),
    "python": ManualTopic("python", "crisis as a Python package"),
    "notation": ManualTopic("notation", "the notation of dice"),
    "exit-status": ManualTopic("status", "what the exit status means", "crisis"),
    "environment": ManualTopic("crisis", "the variables that crisis reads", "Environment"),
    "doctrine": ManualTopic("doctrine", "how fighters play automatically"),
    "system": ManualTopic("system", "how to write a rule system"),
    "rules-api": ManualTopic("rules-api", "what a rulebook imports"),
    "lonelog": ManualTopic("lonelog", "a crisis as text for solo play"),
    "journal": ManualTopic("journal", "what the file of a crisis holds"),
    "files": ManualTopic("crisis", "the files that crisis reads and writes", "Files"),
    "sheet-files": ManualTopic("character", "what a sheet holds"),
    "table-files": ManualTopic("tables", "what a random table holds"),
    "encounter-files": ManualTopic("encounter", "what an encounter holds"),
    "campaign-files": ManualTopic("campaign", "what a campaign holds"),
}
"""The topics of `crisis help`, by name."""


def topic_of_page(word: str) -> str:
    """The topic that a page of the manual is, by its name as `crisis-tables`, `crisis-tables(5)` or `tables(5)`; empty
    for another word, and for a page without a topic."""
    name, _, number = word.partition("(")
    is_page = name.startswith(PAGE) or number in ("5)", "7)")
    if not is_page or number not in ("", "5)", "7)"):
        return ""
    page = name.removeprefix(PAGE)
    if page == "rules":
        return RULES + SHARED
    topics = (topic for topic, about in TOPICS.items() if about.file == page and not about.section)
    return next(topics, page if page.startswith(RULES) else "")


def prose(file: str) -> str:
    """A file of the manual, with the format of journals where it says `{format}`."""
    return (TEXTS / f"{file}.md").read_text(encoding="utf-8").replace("{format}", str(FORMAT))


def topic_lines(name: str, width: int, schema: Section | None = None) -> Iterator[str]:
    """A topic of the manual as lines of plain text that fit the width; `schema` has the keys of the files that it
    describes."""
    topic = TOPICS[name]
    text = prose(topic.file)
    sections = re.split(r"^# ", text, flags=re.M)
    yield f"{name}: {topic.about}"
    for section in sections[1:]:
        head, _, body = section.partition("\n")
        if head == "See also" or (topic.section and head != topic.section):
            continue
        if body.strip() == "{keys}":
            continue
        if not topic.section:
            yield from ("", head.upper())
        for block in body.split("\n\n"):
            yield from _block([line for line in block.split("\n") if line.strip()], width)
    if schema:
        yield from ("", "KEYS")
        yield from _keys(schema, width)
    elif "{keys}" in text:
        yield from ("", "all keys: crisis character schema SYSTEM")
    if "{names}" in text:
        yield from ("", f"all names: man {text.split()[1].partition('(')[0]}")


def _keys(schema: Section, width: int) -> Iterator[str]:
    """The tables of a schema, each with its keys."""
    for table in tables_of(schema):
        yield from ("", f"[{table.path}]" if table.path else "At the top", "")
        for said in table.alike:
            yield from wrap(said.replace("`", ""), width, break_on_hyphens=False)
        within = ((f"[{path}]", f"Table: {said}.") for path, said in table.tables)
        yield from _terms((*table.keys, *within), width)


def _block(lines: list[str], width: int) -> Iterator[str]:
    """A paragraph, a head, an example, a table or a list of terms, with an empty line before it."""
    if not lines or lines[0] == "{names}":
        return
    yield ""
    first = lines[0]
    if first == "{outputs}":
        yield from _terms(output_rows(every()), width)
    elif first.startswith("## "):
        yield first[3:]
        yield from _block(lines[1:], width)
    elif first.startswith(("    ", "|")):
        yield from (line.replace("`", "") for line in lines)
    elif first.startswith("- "):
        joined = re.sub(r"\n(?!- )\s*", " ", "\n".join(lines)).split("\n")
        yield from _terms((line[2:].partition(" :: ")[::2] for line in joined), width)
    elif not first.startswith("{"):
        yield from wrap(" ".join(lines).replace("`", ""), width, break_on_hyphens=False)


def _terms(pairs: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    for term, said in pairs:
        yield f"  {term.replace('`', '')}"
        yield from wrap(
            said.replace("`", ""),
            width,
            initial_indent="      ",
            subsequent_indent="      ",
            break_on_hyphens=False,
        )


def output_rows(systems: Iterable[System]) -> Iterator[tuple[str, str]]:
    """The keys of outcomes with what they report: those of all systems, then those of some, with their systems."""
    rows = [(key, output.doc, "") for key, output in COMMON_OUTPUTS.items()]
    own: dict[tuple[str, str], list[str]] = {}
    for system in systems:
        for key, output in system.says.outputs.items():
            own.setdefault((key, output.doc), []).append(system.name)
    rows += [(key, doc, f" ({', '.join(names)})") for (key, doc), names in own.items()]
    return ((f"`{key}`", f"{doc[:1].upper()}{doc[1:]}{names}.") for key, doc, names in rows)
