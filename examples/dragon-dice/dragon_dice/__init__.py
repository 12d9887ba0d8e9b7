"""Dragon Dice: a game for Dracothèque as small as one can be."""

from dracotheque import GameDefinition

GAME = GameDefinition(name="dragon-dice", title="Dragon Dice", package=__name__, min_players=2, max_players=4)
