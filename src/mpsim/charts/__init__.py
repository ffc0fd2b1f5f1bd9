"""Figures of what the studies find."""
