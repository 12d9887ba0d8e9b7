"""Save the Dragon a second time, written from the printed rules and our rulings alone: plain code, nothing of ours.

Slow and plain on purpose: whoever doubts a rule can read here what we think is printed. Walks are all listed, spot by
spot; choices and what chance brings are words. Only the order of what chance brings, and what is done without asking
because there is no choice, follow our version; how likely a fall is comes from the rock's tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import NamedTuple

LANES = "abc"
STEPS = range(1, 10)
SPOTS = [f"{lane}{step}" for step in STEPS for lane in LANES]
FLOOR, CHAMBER = "floor", "chamber"
CRESTS = ["lion", "tower", "star", "oak"]
CHANCE, NOBODY = -1, -4

Walk = list[str]


class Sighting(NamedTuple):
    """Where the rock was seen: the step (10 is the door), its lane, None once it is gone, and what it struck there."""

    step: int
    lane: int | None
    struck: str


# The rows of the rock's tables, in their order.
KINDS_OF_WAY: list[tuple[object, ...]] = [("thrown", down) for down in STEPS]
KINDS_OF_WAY += [
    kind
    for kind in itertools.product(
        ("nothing", "pawn", "shield"), ("door", "left", "right"), ("just now", "earlier"), (1, 2, 3, 4)
    )
    if kind[:3] != ("nothing", "door", "just now")
]
AWAY = (0, 1, 2, "gone")
RELATIONS: list[tuple[object, ...]] = [
    *itertools.product(("door", "one step", "further"), AWAY, AWAY, (False, True), (False, True))
]


def lane_of(spot: str) -> int:
    """Number the lanes from the left."""
    return LANES.index(spot[0])


def step_of(spot: str) -> int:
    """Number the steps from below; the floor is none of them."""
    return 0 if spot == FLOOR else int(spot[1:])


class SaveTheDragon:
    """A game from the lots to the freed dragon."""

    def __init__(self, players: int, model: ModuleType, youngest: str = "nobody", starts: str = "lots") -> None:
        """Put everything where it begins."""
        self.players, self.model = players, model
        self.young = set[int]() if youngest == "nobody" else set(range(players))
        if youngest[0].isdigit():
            self.young = {int(seat) - 1 for seat in youngest.split("+")}
        self.starts = None if starts == "lots" else int(starts) - 1
        self.pawns = [FLOOR] * players
        self.tokens = [0] * players
        self.shut: str | None = None
        self.shield: str | None = None
        self.active = 0
        self.face = 0
        self.forget_fall()
        self.weights: dict[str, int] = {}
        self.chance("shut", {f"shut {door}": 1 for door in LANES})

    # --- Asking and hearing -----------------------------------------------------------------------------------
    def ask(self, phase: str, wants: Iterable[str]) -> None:
        """Ask whose turn it is for one of these."""
        self.phase, self.mover, self.wants, self.weights = phase, self.active, set(wants), {}

    def chance(self, phase: str, weights: dict[str, int]) -> None:
        """Ask chance for one of these."""
        self.phase, self.mover, self.wants, self.weights = phase, CHANCE, set(weights), weights

    def do(self, choice: str) -> None:
        """Carry out what was chosen or what chance brought."""
        assert choice in self.wants, (self.phase, choice, self.wants)
        self.chosen = choice
        getattr(self, f"do_{self.phase}")(choice.rsplit(maxsplit=1)[-1])

    # --- Set-up -----------------------------------------------------------------------------------------------
    def do_shut(self, door: str) -> None:
        """The door stands in one of the three openings; the shield comes next."""
        self.shut = door
        self.chance("shield", {f"shield {spot}": 1 for spot in SPOTS})

    def do_shield(self, spot: str) -> None:
        """The shield stands in one of the 27 notches; then it is known, or drawn, who begins."""
        self.shield = spot
        if self.starts is not None:
            self.begin_turn(self.starts)
        else:
            self.chance("lots", {f"first {crest}": 1 for crest in CRESTS[: self.players]})

    def do_lots(self, crest: str) -> None:
        """The first player is known."""
        self.begin_turn(CRESTS.index(crest))

    # --- Turns ------------------------------------------------------------------------------------------------
    def begin_turn(self, seat: int) -> None:
        """Roll the movement die."""
        self.active, self.face = seat, 0
        self.chance("die", {f"die {face}": 2 for face in (1, 2, 3)})

    def end_turn(self) -> None:
        """The next one clockwise."""
        self.begin_turn((self.active + 1) % self.players)

    def do_die(self, face: str) -> None:
        """Walk."""
        self.face = int(face)
        self.ask_for_walk()

    # --- Walking ----------------------------------------------------------------------------------------------
    def onward(self, here: str) -> list[str]:
        """One step left, right or up; up from the highest step is through a door."""
        if here == FLOOR:
            beside = [f"{lane}1" for lane in LANES]
        else:
            lane, step = lane_of(here), step_of(here)
            beside = [f"{LANES[other]}{step}" for other in (lane - 1, lane + 1) if 0 <= other <= 2]
            beside.append(f"{LANES[lane]}{step + 1}" if step < 9 else f"door {LANES[lane]}")
        return [spot for spot in beside if spot not in (self.shield, f"door {self.shut}")]

    def paths(self, path: Walk, steps: int) -> Iterator[Walk]:
        """List every way of at most so many steps that goes on from here, no spot twice; a door is the end of it."""
        yield path
        if steps == 0 or path[-1].startswith("door"):
            return
        for spot in self.onward(path[-1]):
            if spot not in path:
                yield from self.paths([*path, spot], steps - 1)

    def walks(self, steps: int) -> tuple[list[Walk], list[Walk]]:
        """List the walks that win, and those that stay on the stairs and end where no one else stands."""
        here = self.pawns[self.active]
        others = {pawn for seat, pawn in enumerate(self.pawns) if seat != self.active}
        every = [path for path in self.paths([here], steps) if len(path) > 1]
        winning = [path for path in every if path[-1].startswith("door")]
        staying = [path for path in every if not path[-1].startswith("door") and path[-1] not in others]
        return winning, staying

    def allowed(self, declared: int) -> list[Walk]:
        """With so many tokens every walk that wins; of the others those as long as the longest there is, of all."""
        winning, staying = self.walks(self.face + declared)
        longest = max((len(path) for path in winning + staying), default=0)
        return winning + [path for path in staying if len(path) == longest]

    def choices(self) -> dict[str, Walk]:
        """Add as many tokens as one likes, then walk: `b4 +1` costs one token; who cannot walk stays.

        Several walks to a spot for the same price are one choice; through a door one goes by the shortest way.
        """
        found: dict[str, Walk] = {}
        for declared in range(self.tokens[self.active] + 1):
            walks = self.allowed(declared)
            for path in walks:
                paid = max(0, len(path) - 1 - self.face)
                choice = path[-1] if path[-1].startswith("door") or not paid else f"{path[-1]} +{paid}"
                found[choice] = min(found.get(choice, path), path, key=len)
            if not walks:
                found["stay"] = [self.pawns[self.active]]
        return found

    def ask_for_walk(self) -> None:
        """Tokens and walk are one choice."""
        self.ask("walk", self.choices())

    def do_walk(self, _: str) -> None:
        """Walk, and pay for the steps beyond the die."""
        walked = self.choices()[self.chosen]
        self.tokens[self.active] -= max(0, len(walked) - 1 - self.face)
        if walked[-1].startswith("door"):
            self.pawns[self.active] = CHAMBER
            self.phase, self.mover, self.wants, self.weights = "over", NOBODY, set(), {}
            return
        self.pawns[self.active] = walked[-1]
        self.after_walk()

    def after_walk(self) -> None:
        """After a 1 or a 2 the action die is rolled."""
        if self.face == 3:
            self.end_turn()
        else:
            self.chance("action", {"action rock": 3, "action change": 3})

    def do_action(self, face: str) -> None:
        """Throw the rock from an open door, or move shield or door."""
        if face == "rock":
            self.ask("throw", [f"throw {door}" for door in LANES if door != self.shut])
            return
        shields = [f"shield {spot}" for spot in SPOTS if spot != self.shield and spot not in self.pawns]
        doors = [f"shut {door}" for door in LANES if door != self.shut]
        self.ask("change", shields + doors + ["leave it"] * (self.active in self.young))

    def do_change(self, where: str) -> None:
        """The shield goes to a spot, the door to an opening, or all stays as it is."""
        if where in SPOTS:
            self.shield = where
        elif where in LANES:
            self.shut = where
        self.end_turn()

    # --- The rock ---------------------------------------------------------------------------------------------
    def forget_fall(self) -> None:
        """No rock is on its way."""
        self.sightings: list[Sighting] = []
        """Where the rock was seen, the door first."""
        self.ahead: list[int] = []
        """The steps where it will be looked at, from the top."""
        self.step = 0
        self.rests: dict[int, str] = {}
        """Where fallen pawns lie."""
        self.fates: set[int] = set()
        """Who already knows."""
        self.fallen = 0

    def do_throw(self, door: str) -> None:
        """It rolls down, and is looked at where pawns stand and at the shield, if any stand there or lower."""
        steps = {step_of(pawn) for pawn in self.pawns} - {0}
        if not steps:
            self.end_turn()
            return
        assert self.shield
        if any(step <= step_of(self.shield) for step in steps):
            steps.add(step_of(self.shield))
        self.ahead = sorted(steps, reverse=True)
        self.sightings = [Sighting(10, LANES.index(door), "nothing")]
        self.roll_on()

    def roll_on(self) -> None:
        """On to the next step where it is looked at, unless that was the last."""
        if not self.ahead:
            self.right()
            return
        self.step = self.ahead.pop(0)
        lane = self.sightings[-1].lane
        if lane is None:
            self.sightings.append(Sighting(self.step, None, "nothing"))
            self.next_pawn()
            return
        row = self.model.TRAVEL[KINDS_OF_WAY.index(self.way())][lane][self.lane_of_shield()]
        self.chance("lane", dict(zip(("rock a", "rock b", "rock c", "rock gone"), row, strict=True)))

    def lane_of_shield(self) -> int:
        """Return where the shield stands on this step; 3 where it does not."""
        assert self.shield
        return lane_of(self.shield) if step_of(self.shield) == self.step else 3

    def way(self) -> tuple[object, ...]:
        """Return how the rock comes here: how far, what it struck last, and how it came into its lane."""
        last, down = self.sightings[-1], self.sightings[-1].step - self.step
        if len(self.sightings) == 1:
            return "thrown", down
        lanes = [sighting.lane for sighting in self.sightings if sighting.lane is not None]
        turns = [(before, after) for before, after in itertools.pairwise(lanes) if before != after]
        whence = "door" if not turns else "left" if turns[-1][0] < turns[-1][1] else "right"
        when = "earlier" if lanes[-2] == lanes[-1] else "just now"
        return last.struck, whence, when, min(down, 4)

    def do_lane(self, lane: str) -> None:
        """The rock is here, or it is gone; it may have struck a pawn, or the shield in the lane in which it came."""
        struck = "shield" if self.sightings[-1].lane == self.lane_of_shield() else "nothing"
        if f"{lane}{self.step}" in self.pawns:
            struck = "pawn"
        self.sightings.append(Sighting(self.step, None if lane == "gone" else LANES.index(lane), struck))
        self.next_pawn()

    def next_pawn(self) -> None:
        """Whoever stood on this step, the left one first, falls or does not."""
        here = [seat for seat, pawn in enumerate(self.pawns) if step_of(pawn) == self.step and seat not in self.fates]
        if not here:
            self.roll_on()
            return
        self.fallen = min(here, key=lambda seat: lane_of(self.pawns[seat]))
        weights = self.model.FELL[RELATIONS.index(self.relation(self.pawns[self.fallen]))]
        fates = {"fate stands": weights[0]}
        fates |= {f"fate {down}": weights[1 + down] for down in range(self.step)}
        fates["fate floor"] = sum(weights[1 + self.step :])
        self.chance("fate", fates)

    def relation(self, spot: str) -> tuple[object, ...]:
        """Return how the rock came by, and what stood higher up."""
        before, now = self.sightings[-2:]
        lane, step = lane_of(spot), step_of(spot)
        came = "door" if before.step == 10 else "one step" if before.step - now.step == 1 else "further"
        above, own = ("gone" if at.lane is None else abs(at.lane - lane) for at in (before, now))
        sheltered = self.shield in (f"{LANES[lane]}{step + 1}", f"{LANES[lane]}{step + 2}")
        return came, above, own, sheltered, f"{LANES[lane]}{step + 1}" in self.pawns

    def do_fate(self, fate: str) -> None:
        """It stands, lies on the stairs, or on the floor."""
        self.fates.add(self.fallen)
        if fate == "stands":
            self.next_pawn()
        elif fate == "floor":
            self.rests[self.fallen] = FLOOR
            self.next_pawn()
        else:
            down, lane = int(fate), lane_of(self.pawns[self.fallen])
            self.rests[self.fallen] = f"?{self.step - down}"
            row = self.model.SHIFT[min(down, 2)][lane]
            self.chance("side", {f"side {LANES[other]}": row[other] for other in range(3)})

    def do_side(self, lane: str) -> None:
        """It lies in this lane."""
        self.rests[self.fallen] = f"{lane}{step_of(self.rests[self.fallen])}"
        self.next_pawn()

    # --- Righting ---------------------------------------------------------------------------------------------
    def right(self) -> None:
        """Who lies where it stood keeps its spot; the others from the top step down, the lower seat first."""
        moved = [seat for seat, rest in self.rests.items() if rest != self.pawns[seat]]
        upright = {pawn for seat, pawn in enumerate(self.pawns) if seat not in moved and pawn != FLOOR}
        for seat in sorted(moved, key=lambda seat: (-step_of(self.rests[seat]), seat)):
            self.pawns[seat] = self.room(self.rests[seat], upright)
            if self.pawns[seat] == FLOOR:
                self.tokens[seat] = min(3, self.tokens[seat] + 1)
            else:
                upright.add(self.pawns[seat])
        self.forget_fall()
        self.end_turn()

    def room(self, lies: str, upright: set[str]) -> str:
        """Its own spot, else the nearest of the step, the left one first, else the step below, …, else the floor."""
        if lies == FLOOR:
            return FLOOR
        near = sorted(LANES, key=lambda lane: (abs(LANES.index(lane) - lane_of(lies)), lane))
        for step in range(step_of(lies), 0, -1):
            for lane in near:
                if f"{lane}{step}" != self.shield and f"{lane}{step}" not in upright:
                    return f"{lane}{step}"
        return FLOOR

    # --- The end ----------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """One point for who freed the dragon."""
        return [int(pawn == CHAMBER) for pawn in self.pawns]

    def winners(self) -> list[int]:
        """Who freed it."""
        return [seat for seat, pawn in enumerate(self.pawns) if pawn == CHAMBER]
