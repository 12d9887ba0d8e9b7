"""Tests of solved games."""
