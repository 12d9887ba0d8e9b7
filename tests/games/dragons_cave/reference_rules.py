"""Dragon's Cave a second time, written from the printed rules alone: plain code that shares nothing with ours.

Slow and plain on purpose: whoever doubts a rule can read here what we think is printed. Only the numbers of the actions
and the forced Chest, which is laid without asking, follow our version.
"""

from __future__ import annotations

from typing import Any

CHEST = 5
NICHE, LEFT_FIST, HOLD = 12, 17, 19


class Cave:
    """A game from its first round to its end."""

    def __init__(self, players: int, board: dict[str, Any], first_dragon: int) -> None:
        """Lay everything out."""
        spaces = [space.split() for space in board["path"]]
        pictures = list(dict.fromkeys(picture for picture, _ in spaces))
        self.pictures = [-1, *(pictures.index(picture) for picture, _ in spaces)]
        self.coins = [0, *(int(coins) for _, coins in spaces)]
        self.length, self.lair, self.treasure = len(spaces), board["lair"], board["treasure"]
        self.players, self.dragon_seat = players, first_dragon
        self.hands = [set(range(6)) for _ in range(players)]
        self.purses, self.chests = [0] * players, [0] * players
        self.dwarves = [[0] * (2 if players == 2 else 1) for _ in range(players)]
        self.niche: int | None = None
        self.ending: str | None = None
        self.begin_round()

    # --- A round ----------------------------------------------------------------------------------------------
    def begin_round(self) -> None:
        """Everybody but the dragon lays a card; whoever has only the Chest has laid it."""
        self.phase = "seal"
        self.cards: dict[int, int] = {}
        self.named: dict[int, int] = {}
        self.missing = [seat for seat in range(self.players) if seat != self.dragon_seat]
        for seat in [seat for seat in self.missing if self.hands[seat] == {CHEST}]:
            self.lay(seat, CHEST, 0)
        if not self.missing:
            self.phase = "place"

    def lay(self, seat: int, card: int, dwarf: int) -> None:
        """Lay a card for a dwarf."""
        self.cards[seat], self.named[seat] = card, dwarf
        self.missing.remove(seat)
        if not self.missing:
            self.phase = "place"

    def choices(self) -> dict[int, list[int]]:
        """What everybody may choose who has to."""
        if self.phase == "seal":
            return {seat: self.cards_of(seat) for seat in self.missing}
        if self.phase == "place":
            return {self.dragon_seat: [NICHE + picture for picture in range(5)]}
        if self.phase == "split":
            return {seat: [HOLD + coins for coins in range(self.purses[seat] + 1)] for seat in self.missing}
        return {self.dragon_seat: [LEFT_FIST, LEFT_FIST + 1]} if self.phase == "guess" else {}

    def cards_of(self, seat: int) -> list[int]:
        """The cards in hand, for each dwarf that is not in the lair."""
        away = [dwarf for dwarf, place in enumerate(self.dwarves[seat]) if place <= self.length]
        return [card + 6 * dwarf for dwarf in away for card in sorted(self.hands[seat])]

    def choose(self, seat: int, action: int) -> None:
        """Carry a choice out."""
        if self.phase == "seal":
            self.lay(seat, action % 6, action // 6)
        elif self.phase == "place":
            self.niche = action - NICHE
            self.reveal(self.niche)
        elif self.phase == "split":
            self.left[seat] = action - HOLD
            self.missing.remove(seat)
            self.phase = "split" if self.missing else "guess"
        else:
            self.guess(self.fists.pop(0), action)

    def reveal(self, niche: int) -> None:
        """All dwarves move; then coins are collected; then the frightened split theirs."""
        self.frightened: list[int] = []
        due: dict[int, int] = {}
        for seat, card in self.cards.items():
            if card == CHEST:
                continue
            dwarves, dwarf = self.dwarves[seat], self.named[seat]
            if card == niche:
                self.frightened.append(seat)
                dwarves[dwarf] = self.behind(dwarves[dwarf], card)
            else:
                place = dwarves[dwarf] = self.ahead(dwarves[dwarf], card)
                due[seat] = self.lair if place > self.length else self.coins[place]
        self.collect({seat: coins for seat, coins in due.items() if coins})

    def ahead(self, place: int, picture: int) -> int:
        """The first space ahead with a picture, or its niche."""
        spaces = (space for space in range(place + 1, self.length + 1) if self.pictures[space] == picture)
        return next(spaces, self.length + 1 + picture)

    def behind(self, place: int, picture: int) -> int:
        """The first space behind with a picture, or the start."""
        return next((space for space in range(place - 1, 0, -1) if self.pictures[space] == picture), 0)

    def collect(self, due: dict[int, int]) -> None:
        """Pay what is due, or share what is left; an empty treasure ends the game."""
        if sum(due.values()) > self.treasure:
            share = self.treasure // len(due)
            due = dict.fromkeys(due, share)
            self.ending = "coins.shortage"
        for seat, coins in due.items():
            self.purses[seat] += coins
            self.treasure -= coins
        if self.treasure == 0 and not self.ending:
            self.ending = "end.treasure"
        if self.ending:
            self.phase = "over"
            return
        with_coins = [seat for seat in self.frightened if self.purses[seat]]
        self.fists = sorted(with_coins, key=lambda seat: (seat - self.dragon_seat) % self.players)
        self.missing, self.left = sorted(with_coins), dict[int, int]()
        self.phase = "split"
        if not with_coins:
            self.end_round()

    def guess(self, seat: int, fist: int) -> None:
        """What is in the fist goes back."""
        lost = self.left[seat] if fist == LEFT_FIST else self.purses[seat] - self.left[seat]
        self.purses[seat] -= lost
        self.treasure += lost
        if not self.fists:
            self.end_round()

    def end_round(self) -> None:
        """Fill chests, take cards back; then the game ends or the dragon passes on."""
        for seat, card in self.cards.items():
            if card == CHEST:
                self.chests[seat] += self.purses[seat]
                self.purses[seat] = 0
            if card == CHEST or seat in self.frightened:
                self.hands[seat] = set(range(6))
            else:
                self.hands[seat].remove(card)
        if any(min(dwarves) > self.length for dwarves in self.dwarves):
            self.ending, self.phase = "two.end" if self.players == 2 else "end.lair", "over"
            return
        if self.players > 2 or self.frightened or CHEST in self.cards.values():
            self.dragon_seat = (self.dragon_seat + 1) % self.players
        self.begin_round()

    # --- The end ----------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Purse and chest together."""
        return [purse + chest for purse, chest in zip(self.purses, self.chests, strict=True)]

    def winners(self) -> list[int]:
        """Most coins, then the longest way."""
        ways = [sum(min(place, self.length + 1) for place in dwarves) for dwarves in self.dwarves]
        ranks = list(zip(self.scores(), ways, strict=True))
        return [seat for seat in range(self.players) if ranks[seat] == max(ranks)]
