"""Gran a second time, written from the printed rules and our rulings alone: plain code that shares nothing with ours.

Slow and plain on purpose: whoever doubts a rule can read here what we think is printed. Only the numbers of actions and
outcomes, and what is done without asking because there is no choice, follow our version.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

STAY = 120
CARD, DIE = 6, 12
DECK = {0: 2, 2: 4, 3: 6, 4: 6, 5: 4, 6: 2}
STRENGTHS = list(DECK)
CHANCE, NOBODY = -1, -4


class Gran:
    """A game from the lots to the last seal."""

    def __init__(self, players: int, board: dict[str, Any], seals: str = "usual", starts: str = "lots") -> None:
        """Lay everything out."""
        self.read_map(board)
        self.players = players
        usual = 3 if players <= 4 else 2
        self.target = {"usual": usual, "two": 2, "three": 3, "four": 4}[seals]
        self.places = [self.start] * players
        self.amulets = [3] * players
        self.seals: list[set[str]] = [set() for _ in range(players)]
        self.unstarted, self.collared = set(range(players)), set[int]()
        self.bearer: int | None = None
        self.stones: set[int] = set()
        self.reserve = 16
        self.deck = dict(DECK)
        self.blocked = 0
        self.cut_off = 0
        self.flying_turn = False
        self.origin = self.start
        self.victim: int | None = None
        self.lifted: int | None = None
        self.strength = 0
        self.active = 0
        self.ask("lots", CHANCE, range(players))
        if starts != "lots":
            self.do(int(starts) - 1)

    def read_map(self, board: dict[str, Any]) -> None:
        """Read points and lines of a map."""
        self.kinds: list[str] = []
        self.kingdoms: list[str | None] = []
        numbers: dict[str, int] = {}
        for written in board["points"]:
            name, kind, *rest = written.split()
            numbers[name] = len(numbers)
            self.kinds.append(kind)
            self.kingdoms.append(None if kind == "white" else rest[0])
        self.lines: list[set[int]] = [set() for _ in numbers]
        for text in board["lines"]:
            points = [numbers[name] for name in text.split()]
            for one, other in itertools.pairwise(points):
                self.lines[one].add(other)
                self.lines[other].add(one)
        self.start = numbers[board["start"]]
        self.ring: int | None = numbers[board["ring"]]

    # --- Asking and hearing -----------------------------------------------------------------------------------
    def ask(self, phase: str, mover: int, wants: Iterable[int]) -> None:
        """Ask someone, or chance, for one of these."""
        self.phase, self.mover, self.wants = phase, mover, sorted(wants)

    def do(self, action: int) -> None:
        """Carry out what was chosen or what chance brought."""
        assert action in self.wants, (self.phase, action, self.wants)
        getattr(self, f"do_{self.phase}")(action)

    def do_lots(self, seat: int) -> None:
        """The first player is known."""
        self.begin_turn(seat)

    # --- Turns ------------------------------------------------------------------------------------------------
    def begin_turn(self, seat: int) -> None:
        """Take a collar off, wait where no move is possible, or move."""
        self.active = seat
        if seat in self.collared:
            self.collared.remove(seat)
            self.blocked = 0
            self.end_turn()
            return
        self.flying_turn = False
        self.origin = self.places[seat]
        moves = self.first_steps()
        if moves:
            self.blocked = 0
            self.ask("first", seat, moves)
            return
        self.blocked += 1
        if self.blocked == self.players:
            self.free_everybody()
        self.end_turn()

    def end_turn(self) -> None:
        """The next one clockwise."""
        seat = (self.active + 1) % self.players
        if seat == 0:
            self.look_for_ring()
        self.begin_turn(seat)

    def look_for_ring(self) -> None:
        """Nobody could get to the ring for five rounds: no stone stays."""
        self.cut_off = 0 if self.ring is None or self.can_be_fetched() else self.cut_off + 1
        if self.cut_off == 5:
            self.cut_off = 0
            self.reserve += len(self.stones)
            self.stones.clear()

    def can_be_fetched(self) -> bool:
        """Whether some knight can walk to the ring; one without amulets walks round dragons."""
        return any(self.ring in self.walks(seat) for seat in range(self.players))

    def walks(self, seat: int) -> set[int]:
        """Where a knight can walk, others being out of the way; a dragon with a knight on it bars nothing."""
        seen, todo = {self.places[seat]}, [self.places[seat]]
        while todo:
            for point in self.lines[todo.pop(0)] - self.stones - seen:
                if self.kinds[point] != "dragon" or self.amulets[seat] > 0 or point in self.places:
                    seen.add(point)
                    todo.append(point)
        return seen

    def free_everybody(self) -> None:
        """Nobody could move for a whole round: beside every knight a stone goes back to the reserve."""
        self.blocked = 0
        for place in self.places:
            beside = sorted(self.lines[place] & self.stones)
            if beside:
                self.stones.remove(beside[0])
                self.reserve += 1

    # --- What is where ----------------------------------------------------------------------------------------
    def others_at(self, point: int) -> list[int]:
        """Who else stands on a point."""
        return [seat for seat in range(self.players) if seat != self.active and self.places[seat] == point]

    def flies(self) -> bool:
        """The bearer of the ring flies, and who won a duel this turn."""
        return self.flying_turn or self.bearer == self.active

    def free_exile(self, but: int) -> list[int]:
        """White points without stone and knight; the knight that moves has left where it was."""
        white = {point for point, kind in enumerate(self.kinds) if kind == "white"}
        return sorted(point for point in white - self.stones - {but} if not self.others_at(point))

    def may_stop(self, point: int) -> bool:
        """Whether the knight whose turn it is may end a move on a point."""
        amulets = self.amulets[self.active]
        dragon = self.kinds[point] == "dragon"
        if point in self.stones:
            return False
        if not self.others_at(point):
            return amulets >= 1 or not dragon
        if self.kinds[point] == "city" or self.unstarted & set(self.others_at(point)):
            return False
        return amulets >= (2 if dragon else 1) and bool(self.free_exile(point))

    def may_pass(self, point: int, takes_ring: bool) -> bool:
        """Whether a knight may go on from a point; whoever arrives in a city with the ring has to stay."""
        bears = self.bearer == self.active or takes_ring
        if bears and self.kinds[point] == "city" and not self.others_at(point):
            return False
        obstacle = point in self.stones or self.kinds[point] == "dragon" or bool(self.others_at(point))
        return not obstacle or self.flies()

    # --- Moving -----------------------------------------------------------------------------------------------
    def first_steps(self) -> list[int]:
        """Points one may stop on, or pass over to another."""
        return [p for p in self.lines[self.origin] if self.may_stop(p) or self.second_steps(p)]

    def second_steps(self, point: int) -> list[int]:
        """Where a move may go on to."""
        if not self.may_pass(point, takes_ring=point == self.ring):
            return []
        return [p for p in self.lines[point] if p != self.origin and self.may_stop(p)]

    def do_first(self, action: int) -> None:
        """Step onto the first point, taking the ring that lies there, and stop or go on."""
        if action == STAY:
            self.end_turn()
            return
        further = self.second_steps(action)
        self.places[self.active] = action
        self.unstarted.discard(self.active)
        self.take_ring(action)
        if not further:
            self.arrive()
            return
        self.ask("second", self.active, further + [STAY] * self.may_stop(action))

    def do_second(self, action: int) -> None:
        """Stay on the first point or go on to the second."""
        if action != STAY:
            self.places[self.active] = action
            self.take_ring(action)
        self.arrive()

    def take_ring(self, point: int) -> None:
        """Take the ring that lies on a point."""
        if self.ring == point:
            self.ring, self.bearer = None, self.active

    # --- Arriving ---------------------------------------------------------------------------------------------
    def arrive(self) -> None:
        """Attack whoever stands here; then the point has its effect."""
        here = self.places[self.active]
        others = self.others_at(here)
        if not others:
            self.effect()
            return
        (self.victim,) = others
        self.amulets[self.active] -= 1
        self.collared.discard(self.victim)
        if self.bearer == self.victim:
            self.bearer = self.active
        self.ask("exile", self.active, self.free_exile(here))

    def do_exile(self, point: int) -> None:
        """Banish the victim."""
        assert self.victim is not None
        self.places[self.victim] = point
        self.victim = None
        self.effect()

    def effect(self) -> None:
        """Let the point have its effect."""
        here = self.places[self.active]
        kind = self.kinds[here]
        if kind == "dragon":
            self.ask("duel", CHANCE, (CARD + STRENGTHS.index(strength) for strength, left in self.deck.items() if left))
        elif kind == "city":
            self.enter_city(here)
        elif kind == "magic" and self.reserve:
            self.ask_for_stone()
        elif kind == "sword":
            self.ask_for_lift()
        else:
            self.end_turn()

    # --- Cities and the ring ----------------------------------------------------------------------------------
    def enter_city(self, city: int) -> None:
        """With the ring earn the seal and lay the ring down; amulets come back."""
        seat = self.active
        if self.bearer != seat:
            self.amulets[seat] = min(3, self.amulets[seat] + 1)
            self.end_turn()
            return
        kingdom = self.kingdoms[city]
        assert kingdom is not None
        self.seals[seat].add(kingdom)
        if len(self.seals[seat]) == self.target:
            self.ask("over", NOBODY, [])
            return
        self.amulets[seat] = min(3, self.amulets[seat] + 2)
        self.ask_for_drop()

    def ask_for_drop(self) -> None:
        """The ring goes to a free black point or crystal of another kingdom, where someone can walk to it."""
        here = self.kingdoms[self.places[self.active]]
        free = [
            point
            for point, kind in enumerate(self.kinds)
            if kind in ("black", "crystal") and self.kingdoms[point] != here
            if point not in self.stones and point not in self.places
        ]
        self.ask("drop", self.active, [point for point in free if self.reachable(point, self.stones)] or free)

    def do_drop(self, point: int) -> None:
        """Lay the ring down."""
        self.ring, self.bearer = point, None
        if self.kinds[self.places[self.active]] == "dragon":
            self.collared.add(self.active)
        self.end_turn()

    def reachable(self, goal: int, stones: set[int]) -> bool:
        """Whether some knight could walk to a point if no stone were in the way."""
        seen, todo = {goal}, [goal]
        while todo:
            for point in self.lines[todo.pop(0)] - stones - seen:
                seen.add(point)
                todo.append(point)
        return any(place in seen for place in self.places)

    # --- Dragons ----------------------------------------------------------------------------------------------
    def do_duel(self, card: int) -> None:
        """Turn a card; after the last one all are shuffled again."""
        self.strength = STRENGTHS[card - CARD]
        self.deck[self.strength] -= 1
        if not any(self.deck.values()):
            self.deck = dict(DECK)
        self.ask("die", CHANCE, range(DIE, DIE + 6))

    def do_die(self, outcome: int) -> None:
        """As many pips as the dragon is strong, or more, win an extra move; fewer cost an amulet, ring and a turn."""
        if outcome - DIE + 1 >= self.strength:
            self.flying_turn = True
            self.origin = self.places[self.active]
            steps = self.first_steps()
            if steps:
                self.ask("first", self.active, [*steps, STAY])
            else:
                self.end_turn()
            return
        self.amulets[self.active] -= 1
        if self.bearer == self.active:
            self.ask_for_drop()
            return
        self.collared.add(self.active)
        self.end_turn()

    # --- Stones -----------------------------------------------------------------------------------------------
    def places_for_stone(self, stones: set[int], but: int | None = None) -> list[int]:
        """Free black and white points where a stone does not wall the ring in."""
        free = [
            point
            for point, kind in enumerate(self.kinds)
            if kind in ("black", "white") and point not in stones and point not in self.places
            if point not in (self.ring, but)
        ]
        return [point for point in free if self.ring is None or self.reachable(self.ring, stones | {point})]

    def ask_for_stone(self) -> None:
        """A stone of the reserve comes onto the map, where there is a place for it."""
        places = self.places_for_stone(self.stones)
        if places:
            self.ask("stone", self.active, places)
        else:
            self.end_turn()

    def do_stone(self, point: int) -> None:
        """Lay a stone from the reserve, or the one in hand."""
        if self.lifted is None:
            self.reserve -= 1
        self.lifted = None
        self.stones.add(point)
        self.end_turn()

    def ask_for_lift(self) -> None:
        """A stone that can be laid elsewhere is lifted."""
        able = [stone for stone in self.stones if self.places_for_stone(self.stones - {stone}, but=stone)]
        if able:
            self.ask("lift", self.active, able)
        else:
            self.end_turn()

    def do_lift(self, stone: int) -> None:
        """Lift a stone; it has to be laid somewhere else."""
        self.stones.remove(stone)
        self.lifted = stone
        self.ask("stone", self.active, self.places_for_stone(self.stones, but=stone))

    # --- The end ----------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Seals of different cities."""
        return [len(seals) for seals in self.seals]

    def winners(self) -> list[int]:
        """Whoever has as many as agreed."""
        return [seat for seat, count in enumerate(self.scores()) if count >= self.target]
