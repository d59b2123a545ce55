"""The unit in which a system counts distances."""

from __future__ import annotations

from ..values import NamedTuple


class Unit(NamedTuple):
    """A unit of distance: what it is called, and what sheets, maps and opponents need to know of it."""

    name: str
    """As it stands behind a number: "m", "ft", "zones"; one that ends in s loses it behind 1."""
    moved: str
    """The key of the JSON record for how far the actor moved: "metres"."""
    metres: float = 1
    """How many metres it stands for, where opponents judge how near danger is."""
    beside: int = 1
    """How far apart two fighters are who stand beside each other; 0: they share a place."""
    square: int = 1
    """How many of it the smallest square of the map measures on a side."""
    farthest: int = 64
    """How far opponents look for a place to go in one action."""
    apart: int = 0
    """How far apart sides begin a fight if nobody says; 0: some ten metres."""
    reach: int = 0
    """How far arms reach, for what is readied for `reach`; 0: as far as `beside`."""


METRES = Unit("m", "metres")
"""Metres, for systems that do not say otherwise."""
