"""Automatic play: decisions for fighters that nobody else plays, by the doctrines in `doctrines/`.

An `AutoPlayer(system, doctrines)` serves a whole crisis and caches odds; `doctrines` gives the doctrine of a name
(`DoctrineStore.named`).

- `autoplayer.decide(scene, who, past=()) -> Decision(intent, reason)`: what `who` does next in its turn. `past` are
  the entries so far. The intent is legal, or one of the core actions `next`, `leave` and `yield`; its option `reason`
  holds the reason (a mapping: `doctrine`, `key`, numbers), which the entry keeps; render/reasons.py has the sentences.
- commands/autoplay.py performs decisions the way commands do: for an action, a turn, a whole fight.
"""
