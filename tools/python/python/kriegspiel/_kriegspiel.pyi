"""
The compiled part of the package `kriegspiel`.
"""

from collections.abc import Iterable

import numpy as np

from ._types import Heard
from typing import Any, Final, final

ACTIONS_VERSION: Final[int]
"""
Version of the action ids. Ids change only with this number.
"""

BLACK: Final = False
"""
Black: `False`.
"""

NUM_ACTIONS: Final[int]
"""
Number of action ids.
"""

OBSERVATION_SIZE: Final[int]
"""
Number of values of an observation.
"""

WHITE: Final = True
"""
White: `True`, as in python-chess.
"""

@final
class Game:
    """
    A game: the referee with the true position, and what each seat heard.

    `Game()` is a game of `wild16` from the usual position. `Game(ruleset, fen)` takes a `Ruleset` or
    the name of one, and a start position. Nothing here but `truth()` tells what a seat may not know,
    until the game is over.

    Raises `KriegspielError` if the FEN is not a legal position.
    """
    def __copy__(self, /) -> Game: ...
    def __deepcopy__(self, /, _memo: Any) -> Game: ...
    def __new__(cls, /, ruleset: "Ruleset | str" = None, fen: "str | None" = None) -> Game: ...
    def __reduce__(self, /) -> tuple[Any, tuple[list[str]]]: ...
    def __repr__(self, /) -> str: ...
    def abort(self, /) -> None:
        """
        Ends the game without a result. Raises `Refused` if it is over.
        """
    def attempt(self, /, action: "int | str", seat: "bool | None" = None) -> "str":
        """
        Makes an attempt: an action id, or text (`e2e4`, `e7e8q`, `O-O`, `N@f3`, `any`, `resign`).

        `seat` is who attempts, by default the side to move. Returns the answer as this seat hears it:
        `moved`, `no`, `nonsense`, `repeat-no`, `yes`, `none`, `count`, `recap`, `resigned`, `offered`,
        `drawn`, `declined` or `withdrawn`. An answer `no` is no error: the side stays to move.

        Raises `Refused` if the referee does not judge the attempt, `KriegspielError` if it is not an
        attempt.
        """
    def clone(self, /) -> Game:
        """
        An independent copy.
        """
    def events(self, /) -> "list[str]":
        """
        The log of a finished game: the opening, then each attempt with what the referee decided, as
        text. Raises `Secret` while the game goes on; the umpire has `truth().events()`.
        """
    def heard(self, /, seat: "bool", since: "int" = 0) -> "list[Heard]":
        """
        Everything that a seat heard, as dictionaries in the form of docs/json.md. The first is the
        start. `since` leaves out the first items.
        """
    def is_game_over(self, /) -> bool:
        """
        Whether the game is over.
        """
    def outcome(self, /) -> Outcome | None:
        """
        The end of the game; `None` if it is not over.
        """
    def play(self, /, actions: "Iterable[int | str]") -> "list[str]":
        """
        Makes attempts of the side to move, one after the other, without a call of Python for each.
        Returns the answers. Raises like `attempt`; the attempts before the fault were made.
        """
    @staticmethod
    def replay(events: "Iterable[str]") -> "Game":
        """
        Makes a game from its log. Raises `KriegspielError`, with the number of the event, if the log
        cannot be the log of a game.
        """
    def result(self, /) -> str:
        """
        `1-0`, `0-1` or `1/2-1/2`; `*` while the game goes on and if it was aborted.
        """
    @property
    def ruleset(self, /) -> Ruleset:
        """
        The ruleset.
        """
    def tries(self, /, seat: "bool") -> "list[str]":
        """
        The attempts worth making for a seat, as text; empty in the opponent's turn.
        """
    def truth(self, /) -> Truth:
        """
        The truth, for the umpire: the one way to what no seat may know.
        """
    @property
    def turn(self, /) -> bool:
        """
        The side to move in the position: `True` for White.
        """
    def view(self, /, seat: bool) -> View:
        """
        What a seat knows now. Later attempts do not change the view.
        """

@final
class Outcome:
    """
    The end of a game.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __repr__(self, /) -> str: ...
    def result(self, /) -> str:
        """
        `1-0`, `0-1`, `1/2-1/2`, or `*` for a game without a result.
        """
    @property
    def termination(self, /) -> str:
        """
        Why the game ended: `checkmate`, `stalemate`, `insufficient`, `threefold`, `fifty`,
        `resignation`, `agreement`, `time`, `exhausted-tries`, `aborted` or `abandoned`.
        """
    @property
    def winner(self, /) -> bool | None:
        """
        The side that won: `True` for White; `None` for a draw and for a game without a result.
        """

@final
class Ruleset:
    """
    A ruleset: the answers to every question on which the rules of Kriegspiel differ.

    `Ruleset("wild16")` is a named ruleset; `Ruleset.names()` lists them. `Ruleset.from_toml` reads a
    ruleset file, and `replace` changes choices.

    Raises `KriegspielError` if there is no ruleset with this name.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, name: "str" = "wild16") -> Ruleset: ...
    def __reduce__(self, /) -> tuple[Any, tuple[str]]: ...
    def __repr__(self, /) -> str: ...
    @property
    def choices(self, /) -> dict:
        """
        The value of every choice, by the name of the choice.
        """
    @staticmethod
    def from_toml(text: str) -> Ruleset:
        """
        Reads a ruleset file (TOML). Raises `KriegspielError` with line and column of the fault.
        """
    @property
    def id(self, /) -> str:
        """
        Id, for example `wild16`.
        """
    @staticmethod
    def names() -> "list[str]":
        """
        Names of all named rulesets.
        """
    def replace(self, /, id: "str", **choices: "str") -> Ruleset:
        """
        The ruleset with other choices, as in `replace("my-rules", no_heard="both")`.

        `id` is the id of the new ruleset. Raises `KriegspielError` if a choice or a value does not
        exist, or if the choices contradict each other; the message lists what exists.
        """
    @property
    def title(self, /) -> str:
        """
        Title for people.
        """
    def toml(self, /) -> str:
        """
        The ruleset as a file that `from_toml` reads.
        """

@final
class Truth:
    """
    The true position of a game at one moment, and its log: what the umpire knows, and no seat may.
    Only `Game.truth()` makes it.
    """
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def board_fen(self, /) -> str:
        """
        The men of both sides, as the board part of a FEN.
        """
    def events(self, /) -> "list[str]":
        """
        The log of the game: the opening, then each attempt with what the referee decided, as text.
        `Game.replay` makes an equal game from it.
        """
    def fen(self, /) -> str:
        """
        The true position as FEN.
        """
    def legal_actions(self, /) -> "list[int]":
        """
        The legal moves of the side to move, as action ids.
        """
    def legal_tries(self, /) -> "list[str]":
        """
        The legal moves of the side to move, as text.
        """
    def piece_map(self, /) -> "dict[int, str]":
        """
        The men of both sides: symbol by square (a1 is 0).
        """
    @property
    def turn(self, /) -> bool | None:
        """
        The side to move: `True` for White; `None` if the game is over.
        """

@final
class View:
    """
    What one seat knows: made from what the seat heard, and from nothing else.

    `Game.view(seat)` is the view of a seat now; later attempts do not change it. `View(ruleset, seat)`
    is a view of a game that begins in the usual position; `hear` gives it what the seat hears, in
    order. Views that heard the same give equal strings, tensors and masks, byte for byte.

    `seat` is `True` (`WHITE`) or `False` (`BLACK`).
    """
    def __new__(cls, /, ruleset: "Ruleset | str", seat: "bool") -> View: ...
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def board_fen(self, /) -> str:
        """
        The seat's own men, as the board part of a FEN.
        """
    def explain(self, /, action: "int | str") -> "str | None":
        """
        Why an attempt would be nonsense now, as far as the seat can know; `None` if it would not.
        """
    def hear(self, /, items: "Heard | list[Heard]") -> "None":
        """
        Hears one item, or a list of items, in the form of `heard`. An item `start` is accepted only
        first. Raises `KriegspielError` for an item that is none; the items before it were heard.
        """
    def heard(self, /, since: "int" = 0) -> "list[Heard]":
        """
        Everything that the seat heard, as dictionaries in the form of docs/json.md. The first is the
        start. `since` leaves out the first items.
        """
    def information_state_string(self, /) -> str:
        """
        Everything that the seat heard, as one text: the information state with perfect memory. Later
        states of the same game begin with the text of earlier ones.
        """
    def information_state_tensor(self, /, out: "np.ndarray | None" = None) -> "np.ndarray":
        """
        Everything that the seat heard, one row for each item: shape `INFORMATION_STATE_SHAPE`,
        int16. The columns are kind (index in `INFORMATION_STATE_KINDS`), side (1 White, 2 Black),
        action id + 1, square + 1 (a1 is 1), man (1 pawn to 6 king, 7 a piece), value. Unused places
        are 0, and rows after the last item are empty. If there are more items than rows, the oldest
        are left out; `information_state_string` has all.

        `out`: an array of this size and type to write to; it is returned.
        """
    def is_game_over(self, /) -> bool:
        """
        Whether the game is over.
        """
    def legal_actions(self, /) -> "list[int]":
        """
        The action ids of the mask: `tries`, and Any? where it may be asked and was not asked in this
        turn; or resignation, if there is none of these. Empty in the opponent's turn and after the
        end.
        """
    def legal_mask(self, /, out: "np.ndarray | None" = None) -> "np.ndarray":
        """
        Mask of `legal_actions`: shape `(NUM_ACTIONS,)`, bool.

        `out` is an array to write to, of `NUM_ACTIONS` elements, C-contiguous, of type bool, uint8,
        int8 or float32; it is returned. Raises `KriegspielError` if its size is wrong or it cannot be
        written, `TypeError` if its type is wrong.
        """
    def observation_tensor(self, /, out: "np.ndarray | None" = None) -> "np.ndarray":
        """
        The current knowledge of the seat: shape `(OBSERVATION_SIZE,)`, uint8, counts at most 255.
        `OBSERVATION_PARTS` says what is where. Not a perfect memory; see `information_state_tensor`.

        `out`: as in `legal_mask`, of `OBSERVATION_SIZE` elements.
        """
    def outcome(self, /) -> Outcome | None:
        """
        The end of the game; `None` if it is not over.
        """
    def piece_map(self, /) -> "dict[int, str]":
        """
        The seat's own men: symbol (`P` or `p`) by square (a1 is 0, h8 is 63).
        """
    def ply(self, /) -> int:
        """
        Number of moves that both sides have completed.
        """
    @property
    def ruleset(self, /) -> Ruleset:
        """
        The ruleset.
        """
    @property
    def seat(self, /) -> bool:
        """
        The seat: `True` for White.
        """
    def tries(self, /) -> "list[str]":
        """
        The attempts worth making now, as text (`e2e4`, `e7e8q`, `N@f3`); empty in the opponent's
        turn. Contains every legal move. Questions and draws are not listed.
        """
    @property
    def turn(self, /) -> bool | None:
        """
        The side to move: `True` for White; `None` if the game is over.
        """
    def words(self, /, since: "int" = 0) -> "list[str]":
        """
        Everything that the seat heard, as English sentences.
        """

def action_id(name: "str") -> "int":
    """
    The id of an attempt in text form. Raises `KriegspielError` if the text is no attempt, or an
    attempt that no man could make on an empty board (such attempts have no id).
    """

def action_name(action: "int") -> "str":
    """
    The text of an action id: `e2e4`, `e7e8q`, `any`, `N@f3`. Raises `KriegspielError` for a
    number that is no id.
    """

def information_state_kinds() -> "list[str]":
    """
    Names of the kinds of rows of an information state tensor; a row's kind is the index.
    """

def information_state_shape() -> tuple[int, int]:
    """
    Rows and columns of an information state tensor.
    """

def observation_parts() -> "list[tuple[str, list[int]]]":
    """
    Name and shape of each part of an observation, in order.
    """

class KriegspielError(ValueError): ...
class Refused(KriegspielError): ...
class Secret(KriegspielError): ...
