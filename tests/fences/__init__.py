"""Tests of the layout of the sources."""
