"""The texts of imported sheets: where each is from, what it lacks, and digests by which a later import sees what the
player has edited since."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from .. import __version__
from ..engine.schema import Section
from ..errors import FileError
from ..values import NamedTuple
from .check import BYTE_ORDER_MARK, parsed
from .new_sheet import sheet_text
from .toml_patch import amend, value_text

ORIGIN = re.compile(r"# .*, imported from .* \((?P<importer>\S+) (?P<ident>\S+)\) by crisis \S+\.")
LICENCE, CHANGED, LOST, DIGESTS = (
    "# Licence of the source: ",
    "# Changed: ",
    "# Not carried: ",
    "# as imported: ",
)
LONGEST_LINE = 1_000
"""Characters of a comment that lists what was changed or lost."""
LONGEST_VALUE = 30
"""Characters of a value of the source in a message."""
PartPath = tuple[str, ...]


class SourceOfSheet(NamedTuple):
    """Where an imported sheet is from, and what of its source it does not have."""

    importer: str
    ident: str
    """What the source calls it."""
    file: str
    licence: str
    changed: str
    """What was changed, in words; so for what was lost."""
    lost: str


class UpdatedSheet(NamedTuple):
    """The text of a sheet after an update, and what became of its parts, by names such as `weapons.claws`."""

    text: str
    taken: list[str]
    """The parts that were taken over."""
    kept: list[str]
    """The parts that the player has edited."""
    newer: Mapping[str, str]
    """What the source has now for those of them that have changed there since the last import, in words."""


def source_of(text: str) -> tuple[str, str]:
    """The importer of a sheet and what the source calls it; two empty texts for a sheet that was not imported."""
    origin = ORIGIN.fullmatch(text.partition("\n")[0].rstrip("\r").removeprefix(BYTE_ORDER_MARK))
    return (origin["importer"], origin["ident"]) if origin else ("", "")


def imported_text(
    sheet: Mapping[str, Any], schema: Section, source: SourceOfSheet, state: Mapping[str, Any] | None = None
) -> str:
    """The text of an imported sheet below its comments, with the state that a former one had."""
    order = {key: at for at, key in enumerate(schema.fields)}
    values = dict(sorted(sheet.items(), key=lambda pair: order.get(pair[0], len(order))))
    where = f"({source.importer} {source.ident}) by crisis {__version__}."
    head = [f"# {sheet['name']}, imported from {source.file} {where}"]
    for mark, said in ((LICENCE, source.licence), (CHANGED, source.changed), (LOST, source.lost)):
        if said:
            head.append(mark + (said if len(said) <= LONGEST_LINE else f"{said[: LONGEST_LINE - 1]}…"))
    head.append(DIGESTS + " ".join(f"{_label(path)}={_digest(part)}" for path, part in _parts(values)))
    return sheet_text({**values, **({"state": state} if state else {})}, schema, "\n".join([*head, ""]))


def updated(text: str, new: str) -> UpdatedSheet:
    """A valid sheet that was imported, with the values of the text of a new import wherever the player has not edited
    it: edited parts, added ones and the state stay. FileError where it cannot be patched."""
    known = re.search(rf"^{DIGESTS}(.*)$", text, re.MULTILINE)
    was = dict(word.rpartition("=")[::2] for word in known[1].split()) if known else {}
    now, then = parsed(text, "the sheet"), parsed(new, "the new sheet")
    own, theirs = dict(_parts(now)), dict(_parts(then))
    wanted, taken, kept, newer = deepcopy(now), list[str](), list[str](), dict[str, str]()
    for path in {**own, **theirs}:
        mine, part = own.get(path), theirs.get(path)
        if mine == part:
            continue
        name, before = ".".join(path), was.get(_label(path))
        if before == _digest(mine):
            taken.append(name)
            _put(wanted, path, part)
        else:
            kept.append(name)
            if before != _digest(part):
                newer[name] = _in_words(part)
    patched = amend(text, {key: value for key, value in wanted.items() if value != {} or now.get(key) == {}})
    if patched is None:
        raise FileError("the sheet cannot be patched: --overwrite writes it anew", code="wrong_sheet")
    line_end = "\r" if "\r\n" in patched else ""
    lines = patched.split("\n")[1:]
    end = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    comments = [line for line in lines[:end] if not line.startswith((LICENCE, CHANGED, LOST, DIGESTS))]
    head = [f"{line}{line_end}" for line in new.partition("\n\n")[0].split("\n")]
    whole = "\n".join([*head, *comments, *lines[end:]])
    # Where the file of the source alone has another name, nothing is new.
    is_new = taken or whole.partition("\n")[2] != text.partition("\n")[2]
    return UpdatedSheet(whole if is_new else text, taken, kept, newer)


def _put(values: dict[str, Any], path: PartPath, part: Any) -> None:
    """Put a part in its place, or take it away where it is None."""
    table = values
    for key in path[:-1]:
        table = table.setdefault(key, {})
    if part is None:
        table.pop(path[-1], None)
    else:
        table[path[-1]] = part


def _parts(sheet: Mapping[str, Any]) -> Iterator[tuple[PartPath, Any]]:
    """What is compared one by one: every key, and of a table every entry."""
    for key, value in sheet.items():
        if key == "state":
            continue
        if isinstance(value, dict) and value:
            yield from (((key, name), one) for name, one in value.items())
        else:
            yield (key,), value


def _label(path: PartPath) -> str:
    """A part as the line of digests names it."""
    return "/".join(path).replace(" ", "_")


def _in_words(part: object) -> str:
    """What a source has for a part, in a few words."""
    if part is None:
        return "nothing"
    text = "" if isinstance(part, dict) else value_text(part)
    return text if 0 < len(text) <= LONGEST_VALUE else "another one"


def _digest(part: object) -> str | None:
    """Six digits that tell one value of a part from another; None for a part that is not there."""
    if part is None:
        return None
    return hashlib.sha256(json.dumps(part, sort_keys=True, default=str).encode()).hexdigest()[:6]
