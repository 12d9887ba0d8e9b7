"""The toy in phrases."""

from dracotheque.engine.phrases import phrase

CRESTS = ("lion", "tower", "star")


def action(game, seat, action):
    return phrase("number", number=action)


def outcome(game, outcome):
    return phrase("die", number=outcome + 1)


def events(before, actor, action, after):
    return []
