"""`python -m swarm` is the `swarm` command."""

from swarm.cli.main import entry

if __name__ == "__main__":
    entry()
