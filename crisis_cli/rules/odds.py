"""Quicker odds: what they and simulated fights may leave out of an action."""

from ..engine.exact_odds import ExactOdds

__all__ = ["ExactOdds"]
