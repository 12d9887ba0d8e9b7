"""Tests of the studies; `make research-test` runs them."""
