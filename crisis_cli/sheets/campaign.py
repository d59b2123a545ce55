"""Campaigns: a folder with campaign.toml, found by walking up, and what that file says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..engine.kinds import DiceText, Fault, ListOf, MapOf, OneOf, Text, Whole, guess
from ..engine.schema import Field, Section
from ..errors import FileError
from ..random_tables.oracle import FIRST_TENSION, MOST_TENSION
from ..systems import load, names
from ..values import NamedTuple
from .check import faults_error, new_faults, toml_of
from .store import CAMPAIGN as FILE

STORY = "story.jsonl"
"""The file of what happens between fights."""
MOST_DAYS = 100_000
"""The last day of a campaign."""


class Campaign(NamedTuple):
    """What the file of a campaign says, and its folder."""

    folder: str
    name: str
    system: str
    party: tuple[str, ...]
    day: int
    """The day on which it begins."""
    tension: int
    """The tension with which it begins."""
    rest: Mapping[str, str | int] | None
    """Its rule for healing by rest, an amount a night for each pool; None: the system's own."""


class SystemName(NamedTuple):
    """The name of a rule system."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The name."""
        return OneOf(tuple(names())).read(value, path, faults)

    def schema(self) -> dict[str, Any]:
        """Any text: more systems can be installed."""
        return {"type": "string"}


SCHEMA = Section(
    {
        "name": Field(Text(most=60), "title", required=True),
        "system": Field(SystemName(), "rule system of all its sheets", required=True),
        "party": Field(ListOf(Text(), 20), "sheets of those who rest and are shown", default=[]),
        "day": Field(Whole(1, MOST_DAYS), "day on which it begins", default=1),
        "tension": Field(
            Whole(0, MOST_TENSION), "tension of the oracle with which it begins", default=FIRST_TENSION
        ),
        "rest": Field(
            MapOf(DiceText(least=0), lower=True),
            'house rule: what a night of rest gives back, an amount for each pool, as `health = "d3"`',
        ),
    }
)
"""The schema of campaign.toml."""


class CampaignFile(NamedTuple):
    """A campaign.toml as it stands, with all that is wrong in it."""

    display_path: str
    text: str
    campaign: Campaign
    """What it says, with a default in place of what is wrong."""
    faults: Sequence[Fault]


def read(folder: str, display_path: str) -> Campaign:
    """The campaign in a folder; FileError listing every fault of its file."""
    return sound(as_written(folder, display_path))


def sound(file: CampaignFile) -> Campaign:
    """What the file of a campaign says; FileError listing every fault of it."""
    if file.faults:
        raise faults_error(file.display_path, file.text, file.faults, "campaign")
    return file.campaign


def as_written(folder: str, display_path: str) -> CampaignFile:
    """The file of the campaign in a folder; FileError if it cannot be read."""
    if not os.path.isfile(os.path.join(folder, FILE)):
        raise FileError(
            f"{display_path} is missing", hint="make a campaign: crisis campaign new NAME", code="not_found"
        )
    text, raw = toml_of(os.path.join(folder, FILE), display_path, "campaign")
    faults: list[Fault] = []
    values = _values(raw, faults)
    campaign = Campaign(
        folder,
        values["name"],
        values["system"],
        tuple(values["party"]),
        values["day"],
        values["tension"],
        values.get("rest"),
    )
    return CampaignFile(display_path, text, campaign, faults)


def _values(raw: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """The values of the file; what is wrong between its keys is added to the faults."""
    values = SCHEMA.read(raw, (), faults)
    faults += new_faults(faults, [*_wrong_rest(raw, values, faults), *_twice_in_party(values)])
    return values


def _twice_in_party(values: Mapping[str, Any]) -> Iterator[Fault]:
    seen: set[str] = set()
    for at, name in enumerate(values["party"]):
        if name.casefold() in seen:
            yield Fault(("party", at), f"names {name} twice")
        seen.add(name.casefold())


def _wrong_rest(raw: Mapping[str, Any], values: Mapping[str, Any], known: Sequence[Fault]) -> Iterator[Fault]:
    """The amounts of the house rule that the system cannot give back."""
    if any(fault.path[:1] == ("system",) for fault in known):
        return
    system = load(values["system"])
    pools = [name for name, pool in system.pools.items() if pool.lasting and not pool.gear]
    for pool in values.get("rest", {}):
        if pool not in pools:
            there = f"pools: {', '.join(pools)}"
            path = ("rest", _written(raw, pool))
            yield Fault(path, f"{system.name} has no such pool that lasts{guess(pool, pools)}; {there}")


def _written(raw: Mapping[str, Any], pool: str) -> str:
    """A pool as the file spells it."""
    return next(str(key) for key in raw["rest"] if key.lower().replace("_", "-") == pool)
