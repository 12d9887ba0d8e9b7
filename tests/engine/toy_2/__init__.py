"""Version 2 of the toy game, which can still play version 1: only for two, and the die counts twice."""

from dataclasses import replace

from tests.engine import toy

GAME = replace(toy.GAME, max_players=2, package=__name__, previous_versions={1: toy.GAME.package})
