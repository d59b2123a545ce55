"""The rules in words are complete, can be found by the words that players use, and are fit to be read."""

import pytest

from crisis_cli import rulebooks
from crisis_cli.errors import Usage
from crisis_cli.systems import SYSTEMS

NUMBERED = {
    "3d6": range(1, 31),
    "step": range(1, 38),
    "d100": range(1, 30),
    "2d20": range(1, 34),
    "d6pool": range(1, 42),
    "shared": range(1, 8),
}
"""How far the ids of each rulebook run; there is no rule that is not shown."""
READINGS = {
    "3d6": {4, 5, 7, 8, 9, 10, 12, 14, 15, 16, 17, 19, 21, 22, 23, 24, 26, 28, 29, 30},
    "step": {3, 5, 8, 9, 12, 14, 15, 16, 17, 21, 22, 25, 26, 27, 28, 29, 30, 32, 33, 34, 36, 37},
    "2d20": {3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 19, 20, 22, 24, 25, 27, 28, 29, 30, 31, 32, 33},
    "d6pool": {
        3,
        5,
        6,
        7,
        9,
        10,
        12,
        14,
        15,
        18,
        19,
        20,
        22,
        23,
        24,
        25,
        28,
        30,
        31,
        32,
        33,
        34,
        35,
        36,
        37,
        38,
        39,
        40,
        41,
    },
}
"""Rules that the original leaves open in some way."""
ELSEWHERE = {
    "3d6": {1, 2, 3, 4, 14, 18, 23, 28},
    "step": {1, 2, 3, 4, 5, 8, 9, 10, 16, 17, 19, 21, 22, 25, 28, 29},
    "2d20": {1, 2, 3, 4, 5, 6, 7, 8, 11, 15, 17, 18, 19, 20, 21, 22, 23, 24, 28, 29, 30, 31, 32},
    "d6pool": {1, 2, 3, 4, 5, 6, 7, 24, 25, 37, 38, 39},
}
"""Rules with facts from another chapter of the original."""
BOOKS = {name: rulebooks.load(name) for name in rulebooks.names()}


def number(rule):
    return int(rule.id.rpartition("-")[2])


def test_every_system_has_its_rules():
    assert {*SYSTEMS, rulebooks.SHARED} <= set(BOOKS)
    assert list(BOOKS)[-1] == rulebooks.SHARED


@pytest.mark.parametrize("name", NUMBERED)
def test_every_rule_is_reported_once(name):
    prefix = {"shared": "ALL", "d6pool": "POOL"}.get(name, name.upper())
    ids = sorted((rule.id for rule in BOOKS[name].rules()), key=lambda one: int(one.rpartition("-")[2]))
    assert ids == [f"{prefix}-{at}" for at in NUMBERED[name]]


@pytest.mark.parametrize("name", BOOKS)
def test_rules_are_fit_to_be_read(name):
    book = BOOKS[name]
    for rule in book.rules():
        texts = [*rule.text, *rule.readings, *rule.elsewhere, *([rule.example] if rule.example else [])]
        for text in texts:
            assert text and text[0] != " " and text[-1] in ".:", (rule.id, text)
            assert text.count("`") % 2 == 0, (rule.id, text)
            assert "*" not in text, (rule.id, "no other markup than backquotes")
        assert len({len(row) for row in rule.table}) <= 1, (rule.id, "a table of one width")


@pytest.mark.parametrize("name", READINGS)
def test_readings_and_borrowed_facts_are_marked(name):
    rules = list(BOOKS[name].rules())
    assert {number(rule) for rule in rules if rule.readings} == READINGS[name]
    assert {number(rule) for rule in rules if rule.elsewhere} == ELSEWHERE[name]


@pytest.mark.parametrize("name", BOOKS)
def test_no_word_means_two_topics(name):
    topics = BOOKS[name].topics
    names = [topic.name for topic in topics]
    also = [(word, topic.name) for topic in topics for word in topic.also]
    assert len(set(names)) == len(names)
    words = [word for word, _ in also]
    twice = {word for word in words if words.count(word) > 1} | {
        word for word, owner in also if word in names and word != owner
    }
    assert not twice


def test_what_the_code_names_is_in_the_book():
    import re
    from pathlib import Path

    ids = {rule.id for rule in BOOKS["3d6"].rules()}
    page = Path(rulebooks.__file__).parent.parent / "systems" / "three_d6"
    named = {
        found for path in page.rglob("*.py") for found in re.findall(r"3D6-\d+", path.read_text("utf-8"))
    }
    assert named <= ids


@pytest.mark.parametrize(
    ("word", "topic", "ids"),
    [
        ("attack", "attack", ["3D6-18"]),
        ("Cover", "cover", ["3D6-21", "3D6-22"]),
        ("stand_up", "actions", ["3D6-14"]),
        ("stunned", "conditions", ["3D6-15", "3D6-16", "3D6-17"]),
        ("3D6-28", "criticals", ["3D6-28"]),
        ("3d6-28", "criticals", ["3D6-28"]),
        ("28", "criticals", ["3D6-28"]),
        ("dam", "damage", ["3D6-24", "3D6-26", "3D6-27"]),
        ("action points", "action-points", ["3D6-10", "3D6-11", "3D6-12", "3D6-13"]),
        ("act", "actions", ["3D6-14"]),
        ("flintl", None, "unknown"),
        ("a", None, "could be action-points, actions, attack, armour"),
        ("crtical", None, "did you mean criticals?"),
        ("3d6-77", None, "did you mean 3D6-"),
        ("", None, "no topic"),
    ],
)
def test_a_topic_is_found_by_many_words(word, topic, ids):
    if topic is None:
        with pytest.raises(Usage) as refused:
            BOOKS["3d6"].look_up(word)
        assert refused.value.status == 2 and "attack" in refused.value.hint
        assert ids in refused.value.message or ids == "unknown"
    else:
        found = BOOKS["3d6"].look_up(word)
        assert (found.name, [rule.id for rule in found.rules]) == (topic, ids)


def test_the_list(crisis):
    shown = crisis.ok("rules").out
    assert "3d6  Three dice and action points" in shown and "criticals" in shown and "rounding" in shown
    record = crisis.ok("rules --json").records[0]
    assert record["system"] == "3d6"
    assert {"name": "attack", "title": "Attacking", "rules": ["3D6-18"]} in record["topics"]


def test_a_topic_shows_its_rules_alone(crisis):
    shown = crisis.ok("rules 3d6 cover").out
    assert "3D6-21" in shown and "3D6-22" in shown and "3D6-20 " not in shown
    assert "Reading: Plain cover does not change." in shown
    assert crisis.ok("rules 3D6-22").out.startswith("COVER\n3D6-22")
    assert crisis.ok("rules 3d6 ALL-1").out == crisis.ok("rules all-1").out
    assert crisis.ok("rules 3d6 action points").out == crisis.ok("rules 3d6 action-points").out


def test_the_whole_book_holds_every_rule(crisis):
    shown = crisis.ok("rules 3d6").out
    assert [f"3D6-{at}  " in shown for at in NUMBERED["3d6"]] == [True] * 30
    assert "Order of the dice" in shown


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("terminal", [False, True])
def test_lines_fit_the_width(crisis, width, terminal):
    for topic in ("attack", "initiative", "armour", "surprise"):
        shown = crisis.ok(f"rules 3d6 {topic}", width=width, terminal=terminal)
        assert max(map(seen, shown.lines)) <= max(width, 45)


def seen(line):
    import re

    return len(re.sub(r"\x1b\[[0-9;]*m", "", line))


def test_json_is_a_rule_a_line(crisis):
    first, second = crisis.ok("rules 3d6 cover --json").records
    assert (first["rule"], second["rule"]) == ("3D6-21", "3D6-22")
    assert first["table"][1] == ["none", "none", "+0"]
    assert len(second["readings"]) == 2 and second["elsewhere"] == []


@pytest.mark.parametrize(
    "words", ["rules 3d7", "rules attack", "rules 3d6 nonsense", "rules 3D6-31", "rules ''"]
)
def test_unknown_rules_are_refused(crisis, words):
    shown = crisis.refused(2, words)
    assert "hint:" in shown.err


def test_a_topic_alone_names_the_systems_that_have_it(crisis):
    error = crisis.refused(2, "rules attack --json").error
    assert error["message"] == "attack is a topic of 3d6, step, d100, 2d20, d6pool, not a system"
    assert error["hint"] == "name the system: crisis rules 3d6 attack"
