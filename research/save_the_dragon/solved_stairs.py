"""What perfect play of Save the Dragon for two looks like: read from the solution, and from games of the Oracle.

make study GAME=solved                           docs/explanation/reports/save-the-dragon-solved.md and its pictures
make study GAME=solved ARGS=--quick              a rough look, printed only
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dracotheque.games.save_the_dragon.rules.state import (
    CHANGE,
    FLOOR,
    LANES,
    LET_GO,
    PUT_SHIELD,
    SHUT_DOOR,
    SPOTS,
    STAY,
    STEPS,
    THROUGH,
    THROW,
    TOKENS,
    WALK,
)  # fmt: skip
from dracotheque.games.save_the_dragon.tablebase import bot as oracle
from dracotheque.games.save_the_dragon.tablebase import reference_model, tablebase
from research.save_the_dragon.solved_games import QUESTIONS, Chosen, Pair, cost, measured, points, ratio
from research.save_the_dragon.solved_plots import DAY, NIGHT, Board, Panel, board_picture, heat_picture
from research.shared.study import Share, Store, key_of, percent, processor, table, write_between

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGE, PICTURES = DOCS / "explanation" / "reports" / "save-the-dragon-solved.md", DOCS / "pictures"
KEPT = ROOT / "build" / "solved.json"
GAMES, QUICK = 2_000, 50
PERFECT = 2 / tablebase.FULL  # what a choice may cost by the rounding of the table alone
CLEARLY = 0.01  # by so much likelier a pawn is felled through one door than through the other
SIDES = ("left", "middle", "right")
Found = dict[str, list[Pair]]
"""Pairs of games by rival."""


# --- Read from the table --------------------------------------------------------------------------------------------
def opening(values: tablebase.Values) -> str:
    """Describe the value of the opening."""
    first = values[:, FLOOR, FLOOR, :, :, 0, 0]
    middle, side = first[..., 1].mean(), first[..., [0, 2]].mean()
    low, high = first[:, :LANES].mean(), first[:, 4 * LANES : 7 * LANES].mean()
    return (
        f"Whoever begins frees the dragon in **{100 * first.mean():.2f} %** of games, whoever waits in "
        f"{100 * (1 - first.mean()):.2f} %. The set-up hardly changes that: {100 * middle:.1f} % where the middle door "
        f"is shut, {100 * side:.1f} % where one at the side is; {100 * low:.1f} % with the shield on the lowest step, "
        f"{100 * high:.1f} % with it on steps 5 to 7. Of all {LANES * SPOTS} set-ups the best for the beginner gives "
        f"{100 * first.max():.1f} %, the worst {100 * first.min():.1f} %."
    )


def tokens(values: tablebase.Values) -> str:
    """Lay out the value of tokens at the foot of the stairs."""
    value = values[:, FLOOR, FLOOR].mean(axis=(0, 1, 2))
    counts = range(TOKENS + 1)
    rows = [[f"**{own}**", *(f"{100 * value[own, other]:.1f} %" for other in counts)] for own in counts]
    more = [f"{100 * (value[own + 1, 0] - value[own, 0]):.1f}" for own in range(TOKENS)]
    said = (
        f"The first token is worth {more[0]} points of 100, the second {more[1]}, the third {more[2]}. One token "
        f"nearly makes up for not beginning: whoever has one and waits wins {100 * (1 - value[0, 1]):.1f} %, whoever "
        f"has none and begins {100 * value[0, 0]:.1f} %."
    )
    return f"{table(['your tokens', *(f'the other has {other}' for other in counts)], rows)}\n\n{said}"


def tumbles(values: tablebase.Values) -> str:
    """Compare a pawn on each step with one on the floor that has a token more."""
    rows = []
    for theirs in (0, 3, 6):
        floor = mean_at(values, 0, theirs, 1)
        gained = [f"{100 * (floor - mean_at(values, mine, theirs)):+.1f}".replace("-", "−") for mine in range(1, 6)]
        rows.append(["on the floor" if theirs == 0 else f"on step {theirs}", *gained])
    return table(["the other stands", *(f"from step {mine}" for mine in range(1, 6))], rows)


def heights(values: tablebase.Values) -> Panel:
    """The chance of who rolls next by both pawns' steps: the mean over lanes, shields and doors, without tokens."""
    cells = [[mean_at(values, mine, theirs) for theirs in range(STEPS + 1)] for mine in range(STEPS, -1, -1)]
    names = ["floor", *map(str, range(1, STEPS + 1))]
    return Panel("You roll next: your pawn’s step (rows), the other’s (columns)", cells, names[::-1], names, even=True)


def mean_at(values: tablebase.Values, mine: int, theirs: int, own: int = 0) -> float:
    """The mean over everything that the steps of both pawns and the own tokens do not say."""
    first, second = ([FLOOR] if each == 0 else range((each - 1) * LANES, each * LANES) for each in (mine, theirs))
    known = tablebase.possible()
    places = [(a, b, s) for a in first for b in second for s in range(SPOTS) if known[a, b, s]]
    return float(np.mean([values[:, a, b, s, :, own, 0].mean() for a, b, s in places]))


# --- Read from the Oracle's games -----------------------------------------------------------------------------------
def by_oracle(found: Found) -> list[Chosen]:
    """All that the Oracle chose, and in its games against itself the other too."""
    both = [each for pair in found["oracle"] for each in pair.rival]
    return both + [each for pairs in found.values() for pair in pairs for each in pair.oracle]


def shield_panel(choices: Sequence[Chosen]) -> Panel:
    """Where the Oracle puts the shield, as the other's pawn on the stairs sees it."""
    seen = [(spot, each.theirs) for each in choices if (spot := shield_of(each)) is not None and each.theirs != FLOOR]
    counts = Counter((spot // LANES - at // LANES, spot % LANES - at % LANES) for spot, at in seen)
    ups, sides = range(4, -3, -1), range(1 - LANES, LANES)
    cells = [[counts[up, side] / len(seen) for side in sides] for up in ups]
    names = [f"{abs(up)} {'above' if up > 0 else 'below'}" if up else "same step" for up in ups]
    lanes = ["2 left", "1 left", "its lane", "1 right", "2 right"]
    return Panel("The shield’s place, seen from the other’s pawn", cells, names, lanes)


def shield_of(at: Chosen) -> int | None:
    """Where the shield was put, if it was."""
    return at.action - PUT_SHIELD if at.phase == CHANGE and at.action < SHUT_DOOR else None


def about_shield(choices: Sequence[Chosen]) -> str:
    """Say how often shield or door is moved, and how near to whom the shield goes."""
    asked = sum(each.phase == CHANGE for each in choices)
    put = [(spot, each) for each in choices if (spot := shield_of(each)) is not None]
    other = [(spot, each.theirs) for spot, each in put if each.theirs != FLOOR]
    before = sum(spot == at + LANES for spot, at in other)
    roofs = sum(spot in (each.mine + LANES, each.mine + 2 * LANES) for spot, each in put if each.mine != FLOOR)
    return (
        f"Asked {asked:,} times, the Oracle moved the shield in {percent(Share.of(len(put), asked))} % and the door in "
        f"the others. With the other’s pawn on the stairs the shield went right before its nose, one step up in the "
        f"same lane, in {percent(Share.of(before, len(other)))} % of {len(other):,} cases. One or two steps above the "
        f"own pawn, as a roof against rocks, it was put in {percent(Share.of(roofs, len(put)))} %."
    )


class Throw(NamedTuple):
    """A throw: how likely each pawn is to be moved through the door taken, and through the other open one."""

    chosen: Chosen
    own: tuple[float, float]
    theirs: tuple[float, float]

    @property
    def at_oneself(self) -> bool:
        """Whether the door was clearly worse for the own pawn, and no better a shot at the other's."""
        return self.own[0] - self.own[1] > CLEARLY and self.theirs[0] <= self.theirs[1]


def throws(choices: Sequence[Chosen]) -> list[Throw]:
    """Work out who might have been felled by every throw, and by the one that was not made."""
    found = []
    for each in choices:
        if each.phase == THROW:
            taken = each.action - LET_GO
            (left,) = {*range(LANES)} - {taken, each.shut}
            (own, theirs), (own_left, theirs_left) = felled(each, taken), felled(each, left)
            found.append(Throw(each, (own, own_left), (theirs, theirs_left)))
    return found


def felled(at: Chosen, door: int) -> tuple[float, float]:
    """How likely a throw is to move the pawn of who throws, and the other's."""
    ends = reference_model.ends(at.places, at.shield, door)
    both = [sum(chance for after, chance in ends.items() if after[seat] != at.places[seat]) for seat in range(2)]
    return both[at.seat], both[1 - at.seat]


def about_throws(thrown: Sequence[Throw]) -> str:
    """Say when the Oracle throws the rock at itself."""
    matter = [each for each in thrown if max(*each.own, *each.theirs) > CLEARLY]
    own = [each for each in matter if each.at_oneself]
    steps = Counter(0 if each.chosen.mine == FLOOR else each.chosen.mine // LANES + 1 for each in own)
    low = sum(count for at, count in steps.items() if at <= 2)
    alone = sum(each.chosen.theirs == FLOOR for each in own)
    return (
        f"Of {len(matter):,} throws of the Oracle by which somebody could be felled, "
        f"{percent(Share.of(len(own), len(matter)), 1)} % were of that kind: it took the door that was worse for its "
        f"own pawn and no better a shot at the other’s. In {100 * low / len(own):.0f} % of these its pawn stood on "
        f"step 1 or 2; in {100 * alone / len(own):.0f} % the other’s stood on the floor, where no rock can touch it."
    )


# --- Positions for pictures -----------------------------------------------------------------------------------------
def values_of(at: Chosen) -> dict[int, float]:
    """The exact chance of every choice in a position."""
    known, doors = tablebase.solution(), [door for door in range(LANES) if door != at.shut]
    if at.phase == THROW:
        rest = at.shield, at.shut, at.tokens
        return {LET_GO + door: known.thrown(at.seat, at.places, *rest, door) for door in doors}
    if at.phase == CHANGE:
        spots = [spot for spot in range(SPOTS) if spot != at.shield and spot not in at.places]
        moved = {PUT_SHIELD + spot: known.passed(at.seat, at.places, spot, at.shut, at.tokens) for spot in spots}
        return moved | {SHUT_DOOR + at_: known.passed(at.seat, at.places, at.shield, at_, at.tokens) for at_ in doors}
    found = dict[int, float]()
    for end, spent in reference_model.walks(at.mine, at.theirs, at.shield, at.shut, at.die, at.tokens[at.seat]) or ():
        places = tablebase.put(at.places, at.seat, end)
        left = tablebase.put(at.tokens, at.seat, at.tokens[at.seat] - spent)
        action = STAY if end == at.mine else spent * SPOTS + end
        found[action] = known.walked(at.seat, places, at.shield, at.shut, left, at.die)
    return found


def board_of(at: Chosen, title: str, about: Sequence[str]) -> Board:
    """Lay a position out with the chance of every choice; of walks to one spot the best."""
    spots, doors = dict[int, float](), dict[int, float]()
    for action, chance in values_of(at).items():
        if action < THROUGH or PUT_SHIELD <= action < SHUT_DOOR:
            spot = action % SPOTS if action < THROUGH else action - PUT_SHIELD
            spots[spot] = max(chance, spots.get(spot, 0.0))
        elif action != STAY:
            doors[action - (LET_GO if action >= LET_GO else SHUT_DOOR)] = chance
    held = (at.tokens[at.seat], at.tokens[1 - at.seat])
    return Board(title, at.mine, at.theirs, at.shield, at.shut, held, spots, doors, about)


def boards(found: Found, thrown: Sequence[Throw]) -> list[Board]:
    """Choose the throw at oneself that gains most, and the choice that cost a Dragon most."""
    own = max((each for each in thrown if each.at_oneself), key=lambda each: gain(each.chosen))
    worst = max((each for pair in found["dragon"] for each in pair.rival), key=lambda each: each.cost)
    asked = {WALK: f"you rolled a {worst.die}", CHANGE: "shield or door", THROW: "which door"}[worst.phase]
    return [
        board_of(own.chosen, "A rock for oneself", [
            f"the better door moves you in {100 * own.own[0]:.0f} %",
            f"of falls, the other one in {100 * own.own[1]:.0f} %",
        ]),
        board_of(worst, f"A Dragon’s worst: {asked}", [
            f"it {named(worst)},", f"{100 * worst.cost:.1f} points of 100 below the best",
        ]),
    ]  # fmt: skip


def gain(at: Chosen) -> float:
    """By how much the best choice is better than the worst."""
    values = values_of(at).values()
    return max(values) - min(values)


def named(at: Chosen) -> str:
    """Say what was chosen."""
    if at.phase == THROW:
        return f"threw through the {SIDES[at.action - LET_GO]} door"
    if at.phase == CHANGE and at.action >= SHUT_DOOR:
        return f"shut the {SIDES[at.action - SHUT_DOOR]} door"
    if at.action == STAY:
        return "stayed"
    spot = shield_of(at) if at.phase == CHANGE else at.action % SPOTS
    assert spot is not None
    where = f"step {spot // LANES + 1}, {SIDES[spot % LANES]}"
    if at.phase == CHANGE:
        return f"put the shield on {where}"
    spent = at.action // SPOTS
    return f"walked to {where}" + (f", spending {spent}" if spent else "")


# --- The page -------------------------------------------------------------------------------------------------------
def rivals(found: Found) -> str:
    """Lay out how the Oracle does against everybody, and what their choices cost them."""
    rows = []
    for rival, pairs in found.items():
        choices = [each for pair in pairs for each in pair.rival]
        given = ratio([(sum(each.cost for each in pair.rival), 2) for pair in pairs])
        perfect = ratio([(sum(each.cost <= PERFECT for each in pair.rival), len(pair.rival)) for pair in pairs])
        rows.append([
            f"`{rival}`", f"{2 * len(pairs):,}", f"{points(*ratio([(pair.won, 2) for pair in pairs]), 1)} %",
            f"{points(0.5 + given[0], given[1], 1)} %", f"{len(choices):,}", points(*cost(pairs)),
            f"{points(*perfect, 1)} %", f"{100 * max(each.cost for each in choices):.1f}",
        ])  # fmt: skip
    headings = [
        "against", "games", "the Oracle wins", "should win", "the rival’s choices", "one costs", "perfect", "dearest",
    ]  # fmt: skip
    return table(headings, rows)


def dragons(pairs: Sequence[Pair]) -> str:
    """Say what a Dragon's choices cost, question by question."""
    by_question = ", ".join(f"{points(*cost(pairs, [phase]))} for {asked}" for phase, asked in QUESTIONS.items())
    return f"A **Dragon** gives away {points(*cost(pairs))} points of 100 a choice: {by_question}."


def begun(pairs: Sequence[Pair], values: tablebase.Values) -> str:
    """Hold games of the Oracle against itself beside what the table says."""
    share, half = ratio([(pair.begun, 2) for pair in pairs])
    return (
        f"In its {2 * len(pairs):,} games against itself whoever began won {points(share, half, 1)} %; the table says "
        f"{100 * values[:, FLOOR, FLOOR, :, :, 0, 0].mean():.1f} %."
    )


def words(values: tablebase.Values, found: Found, thrown: Sequence[Throw]) -> Iterator[tuple[str, str]]:
    """Everything that is measured, by the mark where it stands on the page."""
    yield "opening", opening(values)
    yield "tokens", tokens(values)
    yield "tumbles", tumbles(values)
    yield "changes", about_shield(by_oracle(found))
    yield "throws", about_throws(thrown)
    yield "rivals", rivals(found)
    yield "dragons", dragons(found["dragon"])
    yield "begun", begun(found["oracle"], values)
    pairs = [*chain.from_iterable(found.values())]
    turns = sum(pair.turns for pair in pairs) / len(pairs) / 2
    yield "machine", f"{2 * len(pairs):,} games of {turns:.1f} turns on average; {processor()}, {os.cpu_count()} cores."


def main() -> None:
    """Play, and write the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} games a rival, printed only")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games a rival (default: {GAMES})")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many (default: one a core)")
    given = parser.parse_args()
    values = tablebase.read()
    files = [tablebase.FILE, Path(oracle.__file__), *sorted((ROOT / "src/dracotheque/bots").glob("*.py"))]
    store = Store(key_of(files), None if given.quick else KEPT)
    found = measured(store, QUICK if given.quick else given.games, given.processes)
    thrown = throws(by_oracle(found))
    said = dict(words(values, found, thrown))
    if given.quick:
        print(*chain.from_iterable(said.items()), sep="\n\n")
        return
    page = PAGE.read_text("utf-8")
    for name, text in said.items():
        page = write_between(page, name, text)
    PAGE.write_text(page, "utf-8")
    shown = boards(found, thrown)
    for light, ending in ((DAY, ""), (NIGHT, "-night")):
        pictures = {
            "heights": heat_picture(heights(values), light),
            "shield": heat_picture(shield_panel(by_oracle(found)), light),
            "boards": board_picture(shown, light),
        }
        for name, picture in pictures.items():
            (PICTURES / f"solved-{name}{ending}.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
