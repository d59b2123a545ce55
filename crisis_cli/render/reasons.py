"""The reasons of automatic fighters in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..engine.record import Entry
from ..engine.wording import with_the
from .charts import signed

BRIEF, ALL, NONE = "brief", "all", "none"
LEVELS = (ALL, BRIEF, NONE)
"""How many reasons are shown: every one, those of choices that may surprise, or none."""
SURPRISING = {
    "draws": "{thing} does more here than {other}",
    "reloads": "reloads: ready in {turns} turns",
    "covers": "harder to hit this way",
    "steadies": "attacks better this way",
    "closes-in": "closes in on {foe}: {here} % to hit from here, {there} % from there",
    "stalled": "three rounds without effect: closes in",
    "awaits": "lets them come",
    "watches": "waits, ready to attack those who come",
    "keeps-ready": "keeps something to react with",
    "stays-with": "stays with {ward}",
    "heads-for": "heads for {place}",
    "holds-place": "bars the way to {place}",
    "keeps-off": "keeps its distance",
    "takes-cover": "goes where it is harder to hit",
    "finds-place": "goes where it attacks better",
    "flees": "runs: {cause}",
    "leaves": "leaves the field: {cause}",
    "surrenders": "surrenders: {cause}",
    "gets-up": "gets up to run: {cause}",
    "cornered": "has nowhere to run ({cause})",
    "nothing": "can do nothing now",
    "nothing-better": "nothing worth doing",
}
"""The sentence by the key of a reason, where the choice may surprise; shown only if its numbers are known."""
PLAIN = {
    "attacks": "{chance} % to hit",
    "treats": "{chance} % to treat the wounds",
    "readies": "gets ready",
    "moves": "closes in",
    "draws": "draws {thing}",
    "reloads": "reloads",
    "closes-in": "closes in",
    "spent": "no attack left this turn",
    "settles": "changes its posture",
    "goes": "takes another place",
    "later": "does nothing more now",
    "ran": "can run no farther this turn",
    "alone": "no opponent is left",
}
"""The sentence of every other reason."""
PLACES = {
    "moves": "closes in",
    "closes-in": "closes in",
    "stalled": "closes in",
    "keeps-off": "keeps away",
    "takes-cover": "takes cover",
    "finds-place": "takes a better place",
    "goes": "takes another place",
} | {key: SURPRISING[key] for key in ("stays-with", "heads-for", "holds-place")}
"""What somebody does who moves for a reason, in few words."""
TACIT = ("spent", "alone")
"""Reasons for ending a turn that are shown with no level."""
CAUSES = {
    "hurt": "badly hurt",
    "fallen": "{down} of {of} {are} down",
    "outnumbered": "{number} to one",
    "leader": "its leader is down",
    "stalled": "three rounds without effect",
    "no-target": "no foe can be attacked",
}
"""Why somebody's morale breaks."""
FLIGHT = ("flees", "gets-up")
"""Keys of what somebody does turn after turn once its morale has broken."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def chance_of(entry: Entry) -> int | None:
    """The chance in percent that an automatic fighter saw; None where the entry does not say."""
    chance = entry.reason.get("chance")
    return chance if isinstance(chance, int) else None


def reason(said: Mapping[str, Any], level: str = ALL) -> str:
    """The reason of a decision in words, empty where the level shows none; older records may tell it otherwise."""
    if level == NONE:
        return ""
    about = {key: value for key, value in said.items() if isinstance(value, (int, str))}
    about |= {key: with_the(str(about[key])) for key in ("place", "thing", "other") if key in about}
    about["cause"] = cause(said)
    key = str(about.get("key", ""))
    surprising = _filled(SURPRISING.get(key, ""), about)
    if level == BRIEF:
        return surprising
    words = surprising or _filled(PLAIN.get(key, key), about)
    parts = [words]
    if about.get("down") and "cause" not in said:
        parts.append(f"{about['down']} % to bring it down")
    return f"{about.get('doctrine', '')}: {', '.join(filter(None, parts))}"


def cause(said: Mapping[str, Any]) -> str:
    """Why somebody's morale breaks, in words: `one of three is down`; empty where it does not."""
    about = {key: in_words(value) if key in ("down", "of") else value for key, value in said.items()}
    about["are"] = "is" if said.get("down") == 1 else "are"
    return _filled(CAUSES.get(str(said.get("cause")), ""), about)


def place_words(said: Mapping[str, Any]) -> str:
    """What somebody does who moves for this reason: `closes in`; empty where the way of moving says it."""
    place = {"place": with_the(str(said["place"]))} if "place" in said else {}
    return _filled(PLACES.get(str(said.get("key")), ""), {**said, **place})


def is_repeated(entry: Entry, past: Sequence[Entry]) -> bool:
    """Whether the fighter's last action in the entries before had this reason: in the same turn, or in one flight."""
    said = entry.reason
    actor, key = entry.intent.actor, said.get("key")
    for one in reversed(past if said else ()):
        if one.intent.actor != actor:
            continue
        last = one.reason
        if one.intent.action == "next":
            if key not in FLIGHT:
                return False
        elif key in FLIGHT:
            return last.get("key") in FLIGHT and last.get("cause") == said.get("cause")
        else:
            return bool(last.get("key") == key and last.get("thing") == said.get("thing"))
    return False


def is_wait(entry: Entry) -> bool:
    """Whether an automatic fighter ended its turn early, though it had something left to pay with."""
    said = entry.reason
    return entry.intent.action == "next" and bool(said) and said.get("key") not in TACIT


def waiting(said: Mapping[str, Any], level: str = ALL) -> str:
    """What follows "Drone 2 waits" for this reason: `: it lets them come`; empty where the level shows none."""
    why = reason(said, level)
    if why.startswith("waits"):
        return why.removeprefix("waits")
    is_verb = why.partition(" ")[0].endswith("s") or why.startswith("can ")
    return f": {'it ' if is_verb and level == BRIEF else ''}{why}" if why else ""


def plans(said: Mapping[str, Any]) -> Iterator[str]:
    """The plans that were weighed, the best first, each with what it was worth; none in older records."""
    weighed = said.get("plans", ())
    for one in weighed if isinstance(weighed, (list, tuple)) else ():
        if isinstance(one, Mapping) and isinstance(one.get("worth"), int):
            yield f"{signed(one['worth']):>4}  {one.get('plan', '')}"


def in_words(number: Any) -> Any:
    """A number up to ten in words; anything else as it is."""
    return NUMBERS[number] if isinstance(number, int) and 0 <= number < len(NUMBERS) else number


def _filled(template: str, about: Mapping[str, Any]) -> str:
    try:
        return template.format(**about)
    except (KeyError, IndexError, ValueError):
        return ""
