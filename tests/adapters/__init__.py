"""Tests of the adapters: every library's own checks, and that no secret gets through."""
