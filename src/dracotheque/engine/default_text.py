"""The defaults for a game's text: names, prompts and events from the catalogue's `[action]`, `[prompt]`, `[event]`.

All viewers of a table read the same events, so nothing here may name what an observation hides.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from types import ModuleType

from dracotheque.engine import default_rules, registry
from dracotheque.engine.definition import MAX_SEATS, GameDefinition
from dracotheque.engine.dispatch import CHANCE, TERMINAL
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.engine.phrases import NO_GAPS, GameEvent, Phrase, game_words, phrase

GAP = re.compile(r"\{(\w+)\}")
CRESTS = ("lion", "tower", "star", "oak", "wave", "falcon")
"""The players' crests, in the order of their seats; a game for fewer players omits the last ones."""
assert len(CRESTS) == MAX_SEATS


@functools.cache
def seat_name(seat: int) -> Phrase:
    """Name a player by the colour of the pieces; the page shows the player's own name instead, if there is one."""
    return phrase(f"seat.{CRESTS[seat]}")


class DefaultText:
    """The text of a game, made from its catalogue, its rules and the ids of the rulebook."""

    def __init__(self, definition: GameDefinition) -> None:
        """Read the rules and the catalogue."""
        self.definition = definition
        self.rules = registry.part(definition, "rules", default_rules.defaults)
        self.known = game_words(definition, "en").entries
        self.catalogues = [game_words(definition, language) for language in LANGUAGES]
        self.gaps: dict[str, list[str]] = {}

    # --- Names ------------------------------------------------------------------------------------------------
    def action(self, game: Game, seat: int, action: int) -> Phrase:
        """Name an action."""
        return self._named("action", "ACTION_NAMES", action)

    def outcome(self, game: Game, outcome: int) -> Phrase:
        """Name a chance outcome."""
        return self._named("outcome", "OUTCOME_NAMES", outcome)

    def board_name(self, board: object) -> Phrase:
        """Name a board."""
        return phrase("generic.named", name=str(getattr(board, "source", "") or self.definition.title))

    def _named(self, kind: str, names: str, number: int) -> Phrase:
        """Name an action or outcome: by its own key, by the key of all, by its name in the rules, or by its number."""
        own = self._name(names, number)
        if f"{kind}.{own}" in self.known:
            return phrase(f"{kind}.{own}")
        if f"{kind}.name" in self.known:
            return phrase(f"{kind}.name", number=number + 1)
        if own:
            return phrase("generic.named", name=own.replace("_", " "))
        return phrase(f"generic.{kind}", number=number + 1)

    def _name(self, names: str, number: int) -> str:
        """Return the name that the rules give to an action or outcome, or nothing."""
        listed: tuple[str, ...] = getattr(self.rules, names, ())
        return listed[number] if number < len(listed) else ""

    # --- Prompts ----------------------------------------------------------------------------------------------
    def prompt(self, table: PlainState) -> GameEvent:
        """Return the prompt: the phrase of the phase, or the one for all phases."""
        phases: tuple[str, ...] = getattr(self.rules, "PHASE_NAMES", ())
        named = f"prompt.{phases[table.phase]}" if phases else ""
        if table.to_move == CHANCE:
            key = named if named in self.known else "generic.chance_decides"
            return GameEvent(self._rule("apply_chance"), self._filled(key, table, 0))
        key = next((key for key in (named, "prompt") if key in self.known), "generic.prompt")
        return GameEvent(self._rule("apply_action"), self._filled(key, table, max(table.to_move, 0)))

    def preview(self, table: PlainState, seat: int, action: int) -> Phrase | None:
        """Return what a choice leads to, if the catalogue has a phrase for it."""
        key = f"preview.{self._name('ACTION_NAMES', action)}"
        return self._filled(key, table, seat) if key in self.known else None

    # --- Events -----------------------------------------------------------------------------------------------
    def events(self, before: PlainState, actor: int, action: int, after: PlainState) -> list[GameEvent]:
        """Return the events of one move, a seat's or chance's, with those of the end of the game if it ended."""
        events = self._chance(action, after) if actor == CHANCE else [self._choice(before, actor, action, after)]
        return [*events, *self._end(after)] if after.to_move == TERMINAL else events

    def _choice(self, before: PlainState, seat: int, action: int, after: PlainState) -> GameEvent:
        """Return the event of a choice; of a secret one only that it was made."""
        rule = self._rule("apply_action")
        if self.rules.is_secret_choice(before):
            return GameEvent(rule, phrase("generic.sealed", seat=seat_name(seat)))
        key = f"event.{self._name('ACTION_NAMES', action)}"
        if key in self.known:
            return GameEvent(rule, self._filled(key, self._open(after), seat, {"seat": seat_name(seat)}))
        name = self._named("action", "ACTION_NAMES", action)
        return GameEvent(rule, phrase("generic.chooses", seat=seat_name(seat), action=name))

    def _chance(self, outcome: int, after: PlainState) -> list[GameEvent]:
        """Return the event of a chance outcome; with hidden information only if the catalogue has one for it."""
        gaps = {"outcome": self._named("outcome", "OUTCOME_NAMES", outcome), "number": outcome + 1}
        keys = (f"event.{self._name('OUTCOME_NAMES', outcome)}", "event.outcome")
        key = next((key for key in keys if key in self.known), "")
        if not key and self.definition.hidden_information:
            return []
        said = self._filled(key or "generic.happens", self._open(after), max(after.to_move, 0), gaps)
        return [GameEvent(self._rule("apply_chance"), said)]

    def _end(self, after: PlainState) -> list[GameEvent]:
        """Return the events of the end: the rule by which the game ended, and who won."""
        rule = self.rules.ENDINGS[self.rules.ending(after)]
        key = f"event.{rule}" if f"event.{rule}" in self.known else "generic.over"
        points, flags = [0] * after.players, [0] * after.players
        self.rules.scores(after, points)
        self.rules.winners(after, points, flags)
        won = "generic.wins" if sum(flags) == 1 else "generic.shares"
        seats = [seat for seat in range(after.players) if flags[seat]]
        return [GameEvent(rule, phrase(key)), *(GameEvent(rule, phrase(won, seat=seat_name(seat))) for seat in seats)]

    # --- What phrases are made of -----------------------------------------------------------------------------
    def _rule(self, function: str) -> str:
        """Return the first paragraph that a function of the rules carries out."""
        ids: tuple[str, ...] = getattr(getattr(self.rules, function), "__rule_ids__", ())
        return ids[0] if ids else self.rules.ENDINGS[0]

    def _filled(self, key: str, table: PlainState, seat: int, gaps: Mapping[str, Phrase | int] = NO_GAPS) -> Phrase:
        """Return a phrase with the gaps that some language has: numbers of fields, and of lists by seat one seat's."""
        if key not in self.gaps:
            self.gaps[key] = self._gaps_of(key)
        found = {name: gaps.get(name, self._number(table, seat, name)) for name in self.gaps[key]}
        return phrase(key, **{name: value for name, value in found.items() if value is not None})

    def _gaps_of(self, key: str) -> list[str]:
        """Name the gaps of a phrase in all languages, those of its singular and plural too."""
        keys = (key, f"{key}.one", f"{key}.many")
        said = [words.entry(each) for words in self.catalogues for each in keys if words.has(each)]
        return sorted({gap for text in said for gap in GAP.findall(text)})

    def _number(self, table: PlainState, seat: int, name: str) -> int | None:
        """Return the number of a field, or of a list by seat one seat's; None where there is no such number."""
        if name not in (self.rules.State.names or ()):
            return None
        value: int | list[int | list[int]] = getattr(table, name)
        if isinstance(value, int):
            return value
        number = value[seat] if len(value) >= table.players else None
        return number if isinstance(number, int) else None

    def _open(self, table: PlainState) -> PlainState:
        """Return a state as a spectator may know it."""
        shown = PlainState(self.rules.State, self.rules, table.bytes(), table.board)
        self.rules.observe(shown, -1)
        return shown


def defaults(definition: GameDefinition, text: ModuleType) -> Mapping[str, object]:
    """Return the default of each name that a module `text` may leave out."""
    generic = DefaultText(definition)
    return {
        "CRESTS": CRESTS[: definition.max_players],
        "EXPLAINED_RULES": (),
        "seat_name": seat_name,
        "action": generic.action,
        "outcome": generic.outcome,
        "board_name": generic.board_name,
        "prompt": generic.prompt,
        "preview": generic.preview,
        "events": generic.events,
    }
