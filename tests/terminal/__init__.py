"""Tests of the terminal player."""
