"""A bot of your own: `dracotheque simulate emerald --games 200 --bots examples/my_bot.py:Brave,random,random`."""

from dracotheque.bots.view import View
from dracotheque.games.emerald.state import CAPTURE, CAPTURE_MOVED, PASS, SURRENDER


class Brave:
    """Leads its foremost knight, prefers gold to gems, and pays the dragon with its smallest gold."""

    def __init__(self, seed: int) -> None:
        """Begin a match; a bot that leaves something to chance starts `random.Random(seed)` here."""

    def choose(self, view: View) -> int:
        """Choose one of `view.legal`; `view.table` has every field of the state that this seat may see."""
        unloved = (PASS, SURRENDER, CAPTURE + view.seat, CAPTURE_MOVED)
        wanted = [action for action in view.legal if action not in unloved] or view.legal
        return wanted[0] if SURRENDER in view.legal else wanted[-1]
