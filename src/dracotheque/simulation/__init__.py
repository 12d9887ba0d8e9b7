"""Many games: statistics, tournaments, and the check that compiled and interpreted rules agree."""
