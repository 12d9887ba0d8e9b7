"""Save the Dragon's board as text: the stairs, the dice, what each player has, and the score.

The stairs climb to the right between two rails, a line for every step, or two where the screen is high enough. Above
them are the doors and the dragon, below is the floor. Letters and shapes show everything; colour only helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.presentation import terminal_canvas

# isort: off
from dracotheque.games.save_the_dragon.rules import mechanics, scoring
from dracotheque.games.save_the_dragon.rules.actions import legal_actions
from dracotheque.presentation.terminal_canvas import (
    CREST_STYLES, DRAGON, GOLD, LOOKS_LEFT, MARK, PLAIN, SOFT, TURN_SIGN, Canvas, Signs, styled,
)  # fmt: skip
from dracotheque.presentation.terminal_canvas import ROCK as STONE
from dracotheque.presentation.narration import points
from dracotheque.games.save_the_dragon.names import CRESTS, LETTERS, spot_name
from dracotheque.games.save_the_dragon.rules.state import (
    ACTIONS, CHAMBER, CHANGE, DOOR, FATE, FLOOR, GONE, LANE, LANES, LET_GO, LOTS, NOTCH, NOWHERE, NO_CHANGE, OVER,
    PUT_SHIELD, SHUT_DOOR, SIDE, SPOTS, STANDS, STAY, STEPS, THROUGH, THROW, TOKENS, WALK,
)  # fmt: skip

Position = Any  # a PlainState with the fields of `rules.state.State`

RESULT_RULES = ("score.winner",)
"""The rules whose events say who won."""
DRAWN_RULES = ("turn.order", "change.must")
"""The rules whose events need no words, because the board shows them."""

SHELTER = (LANES, 2 * LANES)  # the shield shelters the spots one and two steps below it
DOORS = NOWHERE + 1  # on the board the doors follow all other places, by their lanes
SPOT_SIGN, LANE_SIGN, RISER_SIGN, SHUT_SIGN = "·", "┊", "░", "▓"
SHIELD_SIGN, ROCK_SIGN, TOKEN_SIGN, WIN_SIGN = "▜█▛", "●", "♦", "⚑"
SHELTER_SIGN, LIES_SIGN, HIT_SIGN, PIP = "▼", "┠", "!", "•"
SHIELD_STYLE = Style(color="#4a86d8", bold=True)
SHUT_STYLE = STONE + MARK
ROCK_STYLE = Style(color="#908a7c", bold=True)
CHOSEN = Style(bold=True, reverse=True)

MARGIN = 1  # columns left of the picture
NUMBERED = 2  # columns of a step's number
WIDEST = 20  # columns of a spot, the line to the next lane included
LEAST_CELL = 7
SHALLOW, DEEP = 1, 2  # lines of a step
TOP = 3  # lines above the steps: the dragon, the lintel and the doors
BELOW = 18  # lines that should be left for everything else
STEEP = 1  # columns from a step to the next one where room is needed most
NARROW, BROAD = 76, 104  # columns from which the steps are deeper
SIDE_BY_SIDE = 2  # players in a line
SPACED = 100  # columns from which there is room between the columns
DIE_WIDTH = 9


# --- Names in short ---------------------------------------------------------------------------------------------
def label(words: Catalog, name: str) -> str:
    """Find a word that stands on the board."""
    return words.entries[f"drawn.{name}"]


def caption(position: Position, words: Catalog) -> str:
    """Return where the shield stands and which door is shut, as far as that is settled."""
    shield = [words.say(phrase("drawn.shield_on", spot=spot_name(position.shield)))] if _has_shield(position) else []
    door = [words.say(phrase("drawn.door_shut", door=LETTERS[position.shut]))] if _has_door(position) else []
    return " · ".join(shield + door)


def _has_door(position: Position) -> bool:
    """Whether it is settled which door is shut."""
    return position.phase != DOOR


def _has_shield(position: Position) -> bool:
    """Whether the shield stands somewhere."""
    return position.phase not in (DOOR, NOTCH)


# --- Who and what is where --------------------------------------------------------------------------------------
def _rock_place(position: Position) -> int | None:
    """Find the spot or the door where the rock is, if one falls, or where it was seen before."""
    if position.step == 0 or position.lane == GONE:
        return None
    step = position.step + (position.down if position.phase == LANE else 0)
    return DOORS + position.lane if step > STEPS else (step - 1) * LANES + position.lane


def _lies(position: Position, seat: int) -> bool:
    """Whether the rock has thrown a pawn down that is not righted yet."""
    return position.step > 0 and position.fate[seat] != STANDS


def _place(position: Position, seat: int) -> int:
    """Find where a pawn stands or lies."""
    return position.fate[seat] if _lies(position, seat) else position.place[seat]


def _is_hit(position: Position, seat: int) -> bool:
    """Whether a pawn's fate is just being seen."""
    return position.phase in (FATE, SIDE) and position.hit == seat


def _pawns(position: Position, words: Catalog, place: int) -> list[Signs]:
    """Write who stands or lies on a place by the initials of their crests."""
    here = [seat for seat in range(position.players) if _place(position, seat) == place]
    return [_pawn(words, seat, lies=_lies(position, seat), hit=_is_hit(position, seat)) for seat in here]


def _pawn(words: Catalog, seat: int, *, lies: bool = False, hit: bool = False) -> Signs:
    """Write a pawn: standing, lying on its side, or about to fall."""
    crest = CRESTS[seat]
    before, after = LIES_SIGN if lies else " ", HIT_SIGN if hit else " "
    return styled(f"{before}{terminal_canvas.letter(words, crest)}{after}", CREST_STYLES[crest])


def _joined(parts: Sequence[Signs]) -> Signs:
    """Join signs with a space between them."""
    joined: Signs = []
    for part in parts:
        joined += [*styled(" " if joined else "", PLAIN), *part]
    return joined


# --- The stairs -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Stairs:
    """One position, as large as the screen allows."""

    position: Position
    words: Catalog
    cell: int
    shift: int
    depth: int
    marks: Mapping[int, str]
    canvas: Canvas

    def left(self, step: int) -> int:
        """Return where the left rail of a step begins."""
        return MARGIN + NUMBERED + (step - 1) * self.shift

    def row(self, step: int) -> int:
        """Say in which line a step is drawn, the floor being step 0."""
        return TOP + (STEPS - step) * self.depth

    # --- What lies on a place
    def mark(self, place: int, room: int) -> Signs:
        """Write the numbers of the choices that lead to a place, as many as there is room for."""
        if place not in self.marks:
            return []
        numbers = self.marks[place]
        while len(numbers) > room - 2 and "," in numbers:
            numbers = numbers.removesuffix(",…").rpartition(",")[0] + ",…"
        return styled(f"[{numbers}]", CHOSEN)

    def things(self, place: int) -> list[Signs]:
        """List the pawns, the shield and the rock that are on a place."""
        found = _pawns(self.position, self.words, place)
        if _has_shield(self.position) and self.position.shield == place:
            found.append(styled(SHIELD_SIGN, SHIELD_STYLE))
        if _rock_place(self.position) == place:
            found.append(styled(ROCK_SIGN, ROCK_STYLE))
        return found

    def filled(self, place: int, room: int) -> Signs:
        """Write all that is on a place, side by side if there is room."""
        parts = self.things(place)
        mark = self.mark(place, room - sum(map(len, parts)))
        parts += [mark] if mark else []
        joined = _joined(parts)
        return (joined if len(joined) <= room else [sign for part in parts for sign in part])[:room]

    def centre(self, x: int, y: int, signs: Signs, room: int) -> None:
        """Write signs into the middle of some room."""
        self.canvas.put_signs(x + (room - len(signs)) // 2, y, signs)

    # --- The parts of the picture
    def draw_steps(self) -> None:
        """Draw the steps from the highest to the lowest."""
        for step in range(STEPS, 0, -1):
            self.draw_step(step)
            for y in range(self.row(step) + 1, self.row(step - 1)):
                self.draw_riser(step, y)

    def draw_step(self, step: int) -> None:
        """Draw a step: its number, the rails at both sides, and its three spots."""
        x, y = self.left(step), self.row(step)
        self.canvas.put(x - NUMBERED, y, str(step), MARK)
        rail = "┌" + "─" * (self.shift - 1) + "┘"
        inside = x + len(rail)
        self.canvas.put(x, y, rail, STONE)
        self.canvas.put(inside + LANES * self.cell - 1, y, rail, STONE)
        for lane in range(LANES):
            spot, begins = (step - 1) * LANES + lane, inside + lane * self.cell
            here = self.filled(spot, self.cell - 1) or styled(SPOT_SIGN, SOFT)
            self.centre(begins, y, here, self.cell - 1)
            if lane > 0:
                self.canvas.put(begins - 1, y, LANE_SIGN, SOFT)

    def draw_riser(self, step: int, y: int) -> None:
        """Draw the front of a step."""
        x, width = self.left(step), LANES * self.cell + self.shift
        self.canvas.put(x, y, "│" + RISER_SIGN * (width - 1) + "│", STONE + SOFT)

    @property
    def gates(self) -> list[int]:
        """Where the walls beside and between the doors stand."""
        width = LANES * self.cell + self.shift
        return [self.left(STEPS + 1) + width * lane // LANES for lane in range(LANES + 1)]

    def draw_doors(self) -> None:
        """Draw the wall at the top of the stairs with its three openings, each with its letter; one of them is shut."""
        walls = self.gates
        self.canvas.put(walls[0], TOP - 2, "╔" + "═" * (walls[-1] - walls[0] - 1) + "╗", STONE)
        for wall in walls:
            self.canvas.put(wall, TOP - 1, "║", STONE)
        for wall in walls[1:-1]:
            self.canvas.put(wall, TOP - 2, "╦", STONE)
        for lane in range(LANES):
            self.draw_door(lane, walls[lane] + 1, walls[lane + 1] - walls[lane] - 1)

    def draw_door(self, lane: int, x: int, room: int) -> None:
        """Draw an opening: the wood of the door if it is shut, else what is there."""
        self.centre(x, TOP - 2, styled(f" {LETTERS[lane]} ", MARK), room)
        here = self.filled(DOORS + lane, room)
        if _has_door(self.position) and self.position.shut == lane:
            self.canvas.put(x, TOP - 1, SHUT_SIGN * room, SHUT_STYLE)
            word = f" {label(self.words, 'shut')} "
            here = here or styled(word if len(word) < room - 1 else "", MARK)
        self.centre(x, TOP - 1, here, room)

    def draw_dragon(self) -> None:
        """Draw the dragon above the doors, and the pawns that have come to it."""
        dragon = _joined([*_pawns(self.position, self.words, CHAMBER), styled(LOOKS_LEFT, DRAGON)])
        walls = self.gates
        self.centre(walls[0], 0, dragon, walls[-1] - walls[0] + 1)

    def draw_floor(self) -> None:
        """Draw the floor below the stairs, and who stands there."""
        y, x = self.row(0), self.left(1)
        end = x + self.shift + LANES * self.cell
        self.canvas.put(0, y, "─" * x + "┘" + "─" * (end - x - 1) + "┘", STONE)
        word, room = styled(f" {label(self.words, 'floor')} ", MARK), end - x - 3
        here = self.filled(FLOOR, room - len(word) - 1)
        self.canvas.put_signs(x + 2, y, [*word, *here, *styled(" " if here else "", PLAIN)])

    def draw_prices(self) -> None:
        """Write beside the lowest steps which choices take tokens: a small screen has no room for a long list."""
        lines = [f"{numbers} {spent}{TOKEN_SIGN}" for spent, numbers in _prices(self.position).items()]
        width = len(self.canvas.rows[0])
        for y, line in enumerate(lines, self.row(0) + 1 - len(lines)):
            self.canvas.put(width - len(line), y, line, GOLD)

    # --- The dice
    def draw_dice(self) -> None:
        """Draw the dice that have been rolled in this turn, beside the doors."""
        faces = [self.steps_face()] if self.position.die else []
        faces += [face] if (face := self.action_face()) else []
        for number, face in enumerate(faces):
            self.draw_die(MARGIN + number * (DIE_WIDTH + 1), face)

    def draw_die(self, x: int, face: Signs) -> None:
        """Draw a die that shows a face."""
        for y, line in enumerate(("╭─╮", "│ │", "╰─╯")):
            self.canvas.put(x, y, line[0] + line[1] * (DIE_WIDTH - 2) + line[2])
        self.centre(x + 1, 1, face, DIE_WIDTH - 2)

    def steps_face(self) -> Signs:
        """Write what the movement die shows."""
        return styled(" ".join(PIP * self.position.die), MARK)

    def action_face(self) -> Signs:
        """Write what the action die shows, as long as it counts: the rock, or shield and door."""
        if self.position.phase == CHANGE:
            return [*styled(SHIELD_SIGN, SHIELD_STYLE), *styled(f" {SHUT_SIGN}", SHUT_STYLE)]
        return styled(ROCK_SIGN, ROCK_STYLE) if self.position.phase == THROW or self.position.step else []


def _prices(position: Position) -> dict[int, str]:
    """Find for every number of tokens the numbers of the walks that take so many, which follow each other."""
    choices = _choices(position)
    prices: dict[int, str] = {}
    for spent in range(1, TOKENS + 1):
        numbers = [number for number, action in enumerate(choices, 1) if action < THROUGH and action // SPOTS == spent]
        if numbers:
            prices[spent] = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
    return prices


def _choices(position: Position) -> list[int]:
    """List what may be chosen now, in the order of its numbers."""
    out = [0] * ACTIONS
    return out[: legal_actions(position, position.to_move, out)]


def _measures(width: int, marks: Mapping[int, str]) -> tuple[int, int, int]:
    """Find how far a step stands from the one below, the columns of a spot, and those of the picture.

    Where the numbers of choices have no room, the stairs are drawn as steep as can be, which leaves more to each spot.
    """
    shift = 2 if width < NARROW else 3 if width < BROAD else 4
    cell = _cell(width, shift)
    columns = _around(shift) + LANES * cell
    longest = max((len(numbers) + 2 for numbers in marks.values()), default=0)
    if longest < cell:
        return shift, cell, columns
    cell = min(longest + 1, _cell(width, STEEP))
    return STEEP, cell, max(columns, _around(STEEP) + LANES * cell)


def _around(shift: int) -> int:
    """Count the columns of the picture that belong to no spot."""
    return MARGIN + NUMBERED + (STEPS + 1) * shift + 1


def _cell(width: int, shift: int) -> int:
    """Find how wide a spot can be, the line to the next lane included."""
    return max(min((width - _around(shift) - 1) // LANES, WIDEST), LEAST_CELL)


def board(
    position: Position, words: Catalog, width: int, marks: Mapping[int, str] | None = None, height: int = 0
) -> Text:  # fmt: skip
    """Draw the stairs for a screen of some size; `marks` numbers the choices that lead to a place."""
    shift, cell, columns = _measures(width, marks or {})
    depth = DEEP if height >= TOP + DEEP * STEPS + 1 + BELOW else SHALLOW
    canvas = Canvas(columns, TOP + depth * STEPS + 1)
    stairs = Stairs(position, words, cell, shift, depth, marks or {}, canvas)
    stairs.draw_dragon()
    stairs.draw_doors()
    stairs.draw_steps()
    stairs.draw_floor()
    stairs.draw_dice()
    if marks and position.phase == WALK:
        stairs.draw_prices()
    return canvas.text()


def place(position: Position, seat: int, action: int) -> int:
    """Find the place of a choice: who stays chooses the pawn's place, who changes nothing the shield's."""
    if action < THROUGH:
        return action % SPOTS
    if action < STAY:
        return DOORS + action - THROUGH
    if action == STAY:
        return position.place[seat]
    if action < SHUT_DOOR:
        return action - PUT_SHIELD
    if action == NO_CHANGE:
        return position.shield
    return DOORS + (action - SHUT_DOOR if action < NO_CHANGE else action - LET_GO)


# --- Choices in short -------------------------------------------------------------------------------------------
def brief(position: Position, words: Catalog, seat: int, action: int) -> tuple[Text, Text]:
    """Name a choice and what it leads to in signs, for a screen too small for sentences."""
    if action in (STAY, NO_CHANGE):
        return Text(label(words, "brief.stay" if action == STAY else "brief.no_change")), Text()
    if action < THROUGH:
        sheltered = position.shield - action % SPOTS in SHELTER
        return _brief_walk(action), Text(SHELTER_SIGN, SHIELD_STYLE) if sheltered else Text()
    if PUT_SHIELD <= action < SHUT_DOOR:
        return Text(spot_name(action - PUT_SHIELD)), _brief_shelter(position, words, action - PUT_SHIELD)
    lane = place(position, seat, action) - DOORS
    spent = _spent(_tokens_through(position, seat, lane)) if action < STAY else Text()
    return Text.assemble(_door_sign(action), f" {LETTERS[lane]}", spent), Text()


def _door_sign(action: int) -> tuple[str, Style]:
    """Return the sign for what is done at a door: to go through it, to shut it, or to let the rock go."""
    if action < STAY:
        return WIN_SIGN, MARK
    return (SHUT_SIGN, SHUT_STYLE) if action < NO_CHANGE else (ROCK_SIGN, ROCK_STYLE)


def _brief_walk(action: int) -> Text:
    """Name the end of a walk, and how many tokens it takes."""
    spent, spot = divmod(action, SPOTS)
    return Text.assemble(spot_name(spot), _spent(spent))


def _brief_shelter(position: Position, words: Catalog, spot: int) -> Text:
    """Say in signs whom the shield would shelter on a spot."""
    behind = [CRESTS[seat] for seat in range(position.players) if spot - position.place[seat] in SHELTER]
    sign = (f"{SHELTER_SIGN} ", SHIELD_STYLE)
    return Text.assemble(sign, terminal_canvas.all_letters(words, behind)) if behind else Text()


def _spent(tokens: int) -> Text:
    """Write how many tokens a choice takes, behind its name."""
    return Text(f" {tokens}{TOKEN_SIGN}" if tokens else "", GOLD)


def _tokens_through(position: Position, seat: int, lane: int) -> int:
    """Find how many tokens the way through a door takes."""
    after = SimpleNamespace(**vars(position) | {"place": position.place[:], "tokens": position.tokens[:]})
    mechanics.walk_through(after, seat, lane)
    return position.tokens[seat] - after.tokens[seat]


def brief_key(position: Position, words: Catalog) -> str:
    """Explain the signs of the choices now to be made, those only that stand there."""
    seat, choices = position.to_move, _choices(position)
    shown = " ".join(text.plain for action in choices for text in brief(position, words, seat, action))
    keys = {TOKEN_SIGN: "token", SHELTER_SIGN: "shelter", WIN_SIGN: "win", SHUT_SIGN: "door", ROCK_SIGN: "rock"}
    return "  ".join(f"{sign} {label(words, f'brief.key_{name}')}" for sign, name in keys.items() if sign in shown)


# --- What the players have --------------------------------------------------------------------------------------
def players(position: Position, words: Catalog, width: int, who: Sequence[str], viewer: int) -> Table:
    """List where every player's pawn is and the tokens, two in a line, to be read downwards."""
    lines = -(-position.players // SIDE_BY_SIDE)
    gap = 1 if width < SPACED else 3
    longest = max(len(_where(position, words, seat)) for seat in range(position.players))
    room = width // SIDE_BY_SIDE - longest - TOKENS - 3 * gap
    sheet = Table.grid(padding=(0, gap, 0, 0), pad_edge=False)
    for first in range(lines):
        seats = range(first, position.players, lines)
        sheet.add_row(*(cell for seat in seats for cell in _holdings(position, words, room, who[seat], seat)))
    return sheet


def _holdings(position: Position, words: Catalog, room: int, who: str, seat: int) -> list[Text]:
    """Write who a player is, where the pawn stands, and the tokens."""
    turn = position.active == seat and position.phase not in (DOOR, NOTCH, LOTS, OVER)
    name = terminal_canvas.player(words, CRESTS[seat], crests(position, words, seat), who, chooses=turn)
    name.truncate(room, overflow="ellipsis")
    return [name, Text(_where(position, words, seat)), _tokens(position.tokens[seat])]


def _where(position: Position, words: Catalog, seat: int) -> str:
    """Name where a player's pawn stands or lies: a spot, the floor, or the dragon's chamber."""
    here = _place(position, seat)
    return spot_name(here) if here < SPOTS else label(words, "floor" if here == FLOOR else "chamber")


def crests(position: Position, words: Catalog, seat: int) -> Text:
    """Draw the crest a player's pawn carries."""
    return terminal_canvas.badge(words, CRESTS[seat])


def _tokens(count: int) -> Text:
    """Draw a player's tokens, with dots for those still missing."""
    return Text.assemble((TOKEN_SIGN * count, GOLD), (SPOT_SIGN * (TOKENS - count), SOFT))


# --- The score --------------------------------------------------------------------------------------------------
def score(position: Position, words: Catalog, who: Sequence[str]) -> Table:
    """Return who is with the dragon, which is all that counts."""
    seats = range(position.players)
    badges = [crests(position, words, seat) for seat in seats]
    freed = [int(position.place[seat] == CHAMBER) for seat in seats]
    won = [int(count) for count in points(scoring, position)]
    return terminal_canvas.score_table(
        badges, who, [(label(words, "freed"), DRAGON, freed)], (label(words, "points"), won)
    )


# --- What the signs mean ----------------------------------------------------------------------------------------
def legend(words: Catalog) -> list[tuple[Text, str]]:
    """Explain every sign on the board."""
    signs = {
        "pawn": terminal_canvas.all_letters(words, CRESTS),
        "spot": Text(SPOT_SIGN, SOFT),
        "lane": Text(LANE_SIGN, SOFT),
        "steps": Text("┌──┘", STONE),
        "riser": Text(RISER_SIGN * 3, STONE),
        "mark": Text("[2]", CHOSEN),
        "shield": Text(SHIELD_SIGN, SHIELD_STYLE),
        "open": Text.assemble(("║  ║", STONE)),
        "shut": Text.assemble(("║", STONE), (SHUT_SIGN * 2, SHUT_STYLE), ("║", STONE)),
        "dragon": Text(LOOKS_LEFT, DRAGON),
        "rock": Text(ROCK_SIGN, ROCK_STYLE),
        "hit": Canvas.line(_pawn(words, 0, hit=True)),
        "lies": Canvas.line(_pawn(words, 0, lies=True)),
        "turn": Text(TURN_SIGN, MARK),
        "tokens": _tokens(2),
        "die": Text(f"{PIP} {PIP}", MARK),
        "prices": Text(f"9–17 1{TOKEN_SIGN}", GOLD),
        "spend": Text.assemble("b7 ", (f"2{TOKEN_SIGN}", GOLD)),
        "shelter": Text(SHELTER_SIGN, SHIELD_STYLE),
        "shelters": Text.assemble((f"{SHELTER_SIGN} ", SHIELD_STYLE), terminal_canvas.all_letters(words, CRESTS[:1])),
        "win": Text(WIN_SIGN, MARK),
    }
    return [(sign, label(words, f"legend.{name}")) for name, sign in signs.items()]
