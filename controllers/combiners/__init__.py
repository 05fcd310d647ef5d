"""Combiners: controllers made of rules."""
