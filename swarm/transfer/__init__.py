"""A mission made for points, as drones fly it: lengths and speeds by one factor, the rules as they are."""
