"""Helpers to show games: pieces, narration, score rows, SVG and the terminal canvas."""
