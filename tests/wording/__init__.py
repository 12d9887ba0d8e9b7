"""Tests of the words that code and documentation use."""
