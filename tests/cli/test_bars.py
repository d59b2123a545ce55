"""Bars of odds: what is too rare to tell apart is one row, and only in the picture."""

from __future__ import annotations

from conftest import Player


def rows(lines: list[str]) -> list[str]:
    return [line for line in lines if " %" in line and "·" not in line]


def test_the_tail_of_an_exploding_die_is_one_row(crisis: Player) -> None:
    shown = rows(crisis.ok("odds 1d6!").lines)
    assert shown[-1].split()[0] == "≥" and not any("<0.01" in row for row in shown[:-1])
    values = crisis.ok("odds 1d6! --json").record["distribution"]
    assert len(values) > 40, "JSON is complete"
    least = int(shown[-1].split()[1])
    beyond = sum(one["p"] for one in values if one["value"] >= least)
    assert f"{100 * beyond:.2f} %" in shown[-1] and beyond < 0.001


def test_both_ends_of_many_dice_are(crisis: Player) -> None:
    shown = rows(crisis.ok("odds 20d6").lines)
    assert shown[0].split()[0] == "≤" and shown[-1].split()[0] == "≥"
    report = [float(row.split(" %")[0].split()[-1]) for row in shown]
    assert abs(sum(report) - 100) < 0.2, "nothing is left out"


def test_distributions_without_tails_are_reported_value_by_value(crisis: Player) -> None:
    assert [row.split()[0] for row in rows(crisis.ok("odds 3d6").lines)] == [str(at) for at in range(3, 19)]


def test_negative_numbers_are_written_one_way(crisis: Player) -> None:
    words = "attack moss raider --shots 3 --seed 1 --explain"
    shown = crisis.ok(words).out
    assert "−2  shot 2" in shown and " -2" not in shown
    ascii_only = crisis.ok(words, encoding="ascii").out
    assert ascii_only.isascii() and "-2  shot 2" in ascii_only
