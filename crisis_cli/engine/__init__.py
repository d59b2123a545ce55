"""One crisis: scene, events, costs, turns, legal actions, odds, journal, verification, and the types of a rulebook."""
