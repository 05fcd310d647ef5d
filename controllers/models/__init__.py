"""Published models of collective motion, each under its own parameters and with its published values."""
