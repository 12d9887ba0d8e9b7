"""The totals of a batch of games: whole numbers only, so that neither order nor machine matters."""

WHOLE = 60  # a win counts 60, a victory shared by k players 60 / k for each of them
MOST_SEATS, MOST_ENDINGS = 6, 6
GAMES, DECISIONS, DECISIONS_SQUARED = 0, 1, 2
WINS = 3
SCORES = WINS + MOST_SEATS
SCORES_SQUARED = SCORES + MOST_SEATS
ENDED = SCORES_SQUARED + MOST_SEATS
SIZE = ENDED + MOST_ENDINGS
