"""Safety filters: the last stage, which takes a wanted velocity and gives one that can still be stopped in time."""
