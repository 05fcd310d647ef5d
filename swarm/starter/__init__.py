"""The files that `swarm init` writes."""
