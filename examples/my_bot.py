"""A bot of your own: `dracotheque simulate emerald --games 200 --bots examples/my_bot.py:Brave,random,random`."""

from dracotheque.bots.player_view import PlayerView
from dracotheque.games.emerald.rules.state import CAPTURE, CAPTURE_MOVED, PASS, SURRENDER


class Brave:
    """Leads its foremost knight, prefers gold to gems, and pays the dragon with its smallest gold."""

    def __init__(self, seed: int) -> None:
        """Begin a match; a bot that leaves something to chance starts `random.Random(seed)` here."""

    def choose(self, view: PlayerView) -> int:
        """Choose one of `view.legal_actions`; `view.state` has every field of the state that this seat may see."""
        unloved = (PASS, SURRENDER, CAPTURE + view.seat, CAPTURE_MOVED)
        wanted = [action for action in view.legal_actions if action not in unloved] or view.legal_actions
        return wanted[0] if SURRENDER in view.legal_actions else wanted[-1]
