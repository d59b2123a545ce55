"""`3d6`: three dice against a defence, paid for in action points."""
