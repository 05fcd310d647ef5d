"""Pheromones: scents on a plane that agents lay and follow."""
