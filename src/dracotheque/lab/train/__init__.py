"""Learning to judge a game by playing it: many games side by side, on a graphics card or a processor."""

GROUPS: dict[str, tuple[tuple[int, ...], ...]] = {
    "emerald": ((2,), (3, 4, 5)),
    "gran": ((3,),),
    "dragons-cave": ((2,),),
}
"""The games that can be learned, and which numbers of players share what is learned (docs/learned.md says why)."""
