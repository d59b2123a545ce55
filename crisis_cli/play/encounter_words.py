"""An encounter as it is shown before it is played: as a record, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.encounter import NOBODY, PLAYERS, encounter_of, reward_of
from ..engine.field import said, spelled
from ..engine.goals import goals
from ..render.goals import Cast, clauses, goal_text, goals_block
from ..render.loot import reward_words
from ..render.messages import listed
from ..sheets.encounter_check import groups_of, most_of

if TYPE_CHECKING:
    from ..engine.encounter import Trigger
    from ..render.style import Ink
    from ..sheets.encounter_store import EncounterFile

SPOILERS = ("event", "won", "lost", "reward")
"""Keys of a file that are shown only to those who ask for them."""


def record_of(file: EncounterFile, spoilers: bool) -> dict[str, Any]:
    """The checked file with its defaults, and what stands in the cells of the map."""
    hidden = () if spoilers else SPOILERS
    values = {key: value for key, value in file.values.items() if key not in hidden}
    rewards = [reward_of(one) for one in values.get("reward", ())]
    if tables := [one.to_dict() for one in rewards if not one.words]:
        values |= {"reward": [one.words for one in rewards if one.words], "rewards": tables}
    record: dict[str, Any] = {"file": file.stem, "values": values}
    encounter = encounter_of(file.values, file.stem)
    if file.field is not None:
        if not spoilers and values.get("legend"):
            known = encounter.known_field(file.field).legend
            values["legend"] = {key: one for key, one in values["legend"].items() if key in known}
        cells = {spelled(file.field.place(at)): at for at in file.field.cells}
        record["cells"] = {place: said(file.field.terrain(at)) for place, at in cells.items()}
    cast = _cast(file)
    found = goals(encounter, cast.sides, cast.own, spoilers)
    record["goals"] = [
        {
            "side": goal.side or None,
            "event": goal.number,
            "text": goal_text(goal, cast),
            "needs": goal.number_needed,
        }
        for goal in found
    ]
    return record | {"events": len(encounter.triggers)}


def _cast(file: EncounterFile) -> Cast:
    """The sides and fighters that words of an encounter can mean, from the side of the players."""
    names: list[str] = []
    groups = [group for _, group in groups_of(file.values)]
    for group in groups:
        name = str(group.get("name") or file.sheet_of(group)["name"])
        names += (
            [name] if "count" not in group else [f"{name} {number + 1}" for number in range(most_of(group))]
        )
    return Cast(PLAYERS, tuple(dict.fromkeys([PLAYERS, *(group["side"] for group in groups)])), tuple(names))


def lines_of(file: EncounterFile, ink: Ink, spoilers: bool, who: Sequence[str] = ()) -> Iterator[str]:
    """What an encounter is about, who is there, and how it begins; with `spoilers` also what happens in it. `who` plays
    it in place of its party."""
    values = file.values
    yield f"{ink('bold', file.title)}, {file.system.name}"
    yield from filter(None, (values.get("about"),))
    if values.get("open"):
        yield ""
        yield from values["open"].splitlines()
    encounter, cast = encounter_of(values, file.stem), _cast(file)
    yield from goals_block(encounter, cast, ink)
    yield ""
    party = values.get("party", {})
    if sheets := who or party.get("sheets"):
        yield f"{ink('dim', 'party')}: {listed(sheets)}{_where(party)}"
    yield from (f"{ink('dim', one['side'])}: {_group(file, one)}" for one in values["fighter"])
    for one in values.get("circumstance", ()):
        yield f"{ink('dim', 'circumstance')}: {_circumstance(one)}"
    events = values.get("event", ())
    if not spoilers:
        count = len(events)
        yield f"{ink('dim', 'events')}: {count}" + ("; to see them: --spoilers" if count else "")
        return
    for trigger, event in zip(encounter.triggers, events, strict=True):
        what = "; ".join(_what(file, event))
        yield f"{ink('dim', f'event {trigger.number}')}: {_when(trigger, cast)}: {what}"
    for key in ("won", "lost"):
        if values.get(key):
            yield f"{ink('dim', key)}: {' '.join(values[key].split())}"
    rewards = map(reward_of, values.get("reward", ()))
    yield from (f"{ink('dim', 'reward')}: {reward_words(one)}" for one in rewards)


def _where(one: Mapping[str, Any]) -> str:
    at = one.get("at")
    if not at:
        return ""
    return f" · at {at if isinstance(at, str) else listed([spelled(point) for point in at])}"


def _group(file: EncounterFile, one: Mapping[str, Any]) -> str:
    name = one.get("name") or file.sheet_of(one)["name"]
    many = f" ({one['count']})" if "count" in one else ""
    doctrine = f" · doctrine {one['doctrine']}" if one.get("doctrine") else ""
    return f"{name}{many}{_where(one)}{doctrine}"


def _circumstance(one: Mapping[str, Any]) -> str:
    who = f" for {one['who']}" if one.get("who") else ""
    far = f" from {one['range']} on" if one.get("range") else ""
    return f"{one['name']}, {one['value']:+d} to {listed(one['rolls'])}{who}{far}"


def _when(event: Trigger, cast: Cast) -> str:
    """When an event happens, in words."""
    chance = "" if event.chance is None else f", {event.chance} %"
    return " and ".join(clauses(event, cast)) + chance + (", each time" if event.again else "")


def _what(file: EncounterFile, event: Mapping[str, Any]) -> Iterator[str]:
    """What an event does, in words."""
    if event.get("text"):
        yield " ".join(event["text"].split())
    yield from (f"comes: {_group(file, one)}" for one in event.get("add", ()))
    if event.get("remove"):
        yield f"leaves: {listed(event['remove'])}"
    yield from (f"{one['to']} at {spelled(one['at'])}" for one in event.get("terrain", ()))
    yield from (f"{who}: {listed([*some])}" for who, some in event.get("conditions", {}).items())
    yield from (f"doctrine of {who}: {one}" for who, one in event.get("doctrine", {}).items())
    yield from map(_circumstance, event.get("circumstance", ()))
    if event.get("tension"):
        yield f"tension {event['tension']:+d}"
    if event.get("wins"):
        yield f"{event['wins']} {'wins' if event['wins'] == NOBODY else 'win'}"
