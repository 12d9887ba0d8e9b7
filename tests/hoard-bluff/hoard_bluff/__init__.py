"""Hoard Bluff: thieves play hidden cards at once, and the highest that no one else plays takes the hoard."""

from dracotheque import GameDefinition, Option

GAME = GameDefinition(
    name="hoard-bluff",
    title="Hoard Bluff",
    package=__name__,
    min_players=2,
    max_players=3,
    options={"hoards": Option(("equal", "rising"), "hoard.worth", "rising")},
    simultaneous=True,
    hidden_information=True,
    max_moves=60,
)
