"""Ways around everything solid: the world sampled on a grid, the grid searched, the ways followed."""
