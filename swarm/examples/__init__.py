"""Short scripts to start from; each runs as `python -m swarm.examples.NAME`."""
