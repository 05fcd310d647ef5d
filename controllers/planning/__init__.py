"""Planning: the way of a formation through a known world, worked out once before it is flown."""
