"""The library's meshes, made from numbers. `python -m swarm.worlds.modelling` writes their files anew."""
