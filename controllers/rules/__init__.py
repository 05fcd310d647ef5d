"""Rules: each maps what the agents perceive to a velocity contribution, View -> (A, D) m/s."""
