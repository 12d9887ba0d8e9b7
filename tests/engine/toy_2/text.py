"""The second edition of the toy in phrases: the same, its words say the rest."""

from tests.engine.toy.text import CRESTS, action, events, outcome

__all__ = ["CRESTS", "action", "events", "outcome"]
