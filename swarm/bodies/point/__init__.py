"""Points: agents that take up the velocity they are told, in two or three dimensions, any number of them."""
