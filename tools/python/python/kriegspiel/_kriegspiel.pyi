"""
The compiled part of the package `kriegspiel`.
"""

from collections.abc import Iterable, Sequence

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
class Advice:
    """
    The answer of `endgame`.
    """
    def __repr__(self, /) -> str: ...
    @property
    def mate_in(self, /) -> int | None:
        """
        Number of own moves within which mate is forced; `None` if no forced mate is known.
        """
    @property
    def probability(self, /) -> float:
        """
        Estimated probability of mate; 1 if it is forced.
        """
    @property
    def tries(self, /) -> list[str]:
        """
        What to try, in order: each only if all before it were refused.
        """

@final
class Belief:
    """
    Which positions are possible for a seat, and how probable each is: made from what the seat heard.

    `Belief(view)` is the belief of the view's seat now; `update(later_view)` goes on. `start` says where
    the game began: `None` for the usual position, a list of FENs for one of several positions, or the
    opponent's men on unknown squares, as in `{"k": 1, "q": 1}`. While at most `limit` positions are
    possible, all are kept (the belief is exact); then a weighted sample of them, or with
    `sampled=False` only the squares on which men can be. `model` is how the opponent chooses moves:
    `"uniform"` or `"fitted"`. `threads` share the work; the result does not depend on them, nor on
    time: equal hearings give equal beliefs.

    Positions are in the order of `positions`, `weights` and `boards`. Raises `KriegspielError` if the
    start does not fit what the seat heard.
    """
    def __len__(self, /) -> int:
        """
        Number of positions that are kept.
        """
    def __new__(cls, /, view: "View", *, start: "Sequence[str] | dict[str, int] | None" = None, limit: "int" = 2000000, sampled: "bool" = True, model: "str" = "uniform", threads: "int" = 1) -> Belief: ...
    def __repr__(self, /) -> str: ...
    def _repr_svg_(self, /) -> str: ...
    def boards(self, /) -> "np.ndarray":
        """
        The kept positions as numbers: shape `(len(belief), 64)`, int8: 1 pawn to 6 king by square
        (a1 is 0), negative for Black.
        """
    @property
    def effective_size(self, /) -> float:
        """
        Effective sample size: 1 divided by the sum of the squared weights.
        """
    @property
    def entropy(self, /) -> float:
        """
        Entropy of the kept positions, in bits.
        """
    def envelope(self, /) -> "np.ndarray":
        """
        Whether the opponent can have a man of a role on a square: shape `(6, 8, 8)`, bool. Correct in
        every regime: what is false is impossible.
        """
    @property
    def is_exact(self, /) -> bool:
        """
        Whether all kept positions are possible and all possible positions are kept.
        """
    def occupancy(self, /) -> "np.ndarray":
        """
        Probability that the opponent has a man of a role on a square: shape `(6, 8, 8)`, float64, by
        role (pawn, knight, bishop, rook, queen, king), rank and file.
        """
    def positions(self, /) -> "list[str]":
        """
        The kept positions, as FENs. The half-move clock is the least one possible.
        """
    def prospect(self, /, view: "View", action: "int | str") -> "dict[str, float]":
        """
        Probabilities of the answers to an attempt now: `moved` and `no`. Both are 0 if the seat's own
        knowledge decides the answer (nonsense). Raises `KriegspielError` for questions.
        """
    @property
    def regime(self, /) -> str:
        """
        `exact`: all possible positions are kept, and no others. `superset`: all, and some that a
        repetition may exclude. `sample`: a weighted sample. `envelope`: no position.
        """
    def sample(self, /, n: "int", seed: "int" = 0) -> "list[str]":
        """
        Draws `n` positions according to their weights, with replacement, as FENs. Equal beliefs and
        seeds give equal draws. Raises `KriegspielError` if no position is kept.
        """
    def sample_boards(self, /, n: "int", seed: "int" = 0) -> "np.ndarray":
        """
        Draws like `sample`, as numbers: shape `(n, 64)`, int8, as in `boards`. The same seed draws the
        same positions.
        """
    @property
    def size(self, /) -> int | None:
        """
        Number of possible positions: exact, or an upper bound or an estimate (`regime` says which);
        `None` if it is unknown.
        """
    def update(self, /, view: View) -> None:
        """
        Hears what a later view of the same seat and game has heard since. Other threads of Python run
        meanwhile.

        Raises `KriegspielError` if the view is of another seat or an earlier moment, or if no position
        agrees with what it heard.
        """
    def weights(self, /) -> "np.ndarray":
        """
        Probability of each kept position: shape `(len(belief),)`, float64; the sum is 1.
        """

@final
class Game:
    """
    A game: the referee with the true position, and what each seat heard.

    `Game()` is a game of `wild16` from the usual position. `Game(ruleset, fen)` takes a `Ruleset` or
    the name of one, and a start position. Nothing here but `truth()` tells what a seat may not know,
    until the game is over. But a game is the umpire's: whoever holds it can end, pickle and read it.
    Give players a `View`.

    Raises `KriegspielError` if the FEN is not a legal position.
    """
    def __copy__(self, /) -> Game: ...
    def __deepcopy__(self, /, _memo: Any) -> Game: ...
    def __new__(cls, /, ruleset: "Ruleset | str | None" = None, fen: "str | None" = None) -> Game: ...
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
    @staticmethod
    def determinize(view: "View", fen: "str") -> "Game":
        """
        A game that goes on from a position that is possible for a seat: for search by sampling. The
        view's seat has heard what the view heard, the referee holds the position `fen` (one of
        `Belief.sample`), and the opponent knows only their own men and the last announcements.
        Earlier positions are forgotten, so repetitions count anew.

        Raises `KriegspielError` if the position contradicts what the seat heard in this turn.
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
    def text(self, /, form: "str" = "pgn", seat: "bool | None" = None) -> "str":
        """
        The finished game as text: `pgn`, `transcript` or `json` (lines of the umpire's stream,
        docs/json.md). `seat` writes a PGN of what one seat knows. `parse_games` reads all of them but
        the last. Raises `Secret` while the game goes on.
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
class Player:
    """
    A program that plays one seat of one game: `random`, `master`, `level-1` to `level-6`;
    `players()` describes them. It hears what its seat hears, and knows nothing else.

    `seed` and `stream` choose its random numbers: with equal numbers, equal hearings and `nodes` given
    it makes equal attempts. `nodes` is its budget for each turn; `None` is its usual thinking.

    Raises `KriegspielError` if there is no such player.
    """
    def __new__(cls, /, name: "str", seed: "int" = 0, stream: "int" = 0, nodes: "int | None" = None) -> Player: ...
    def __repr__(self, /) -> str: ...
    def attempt(self, /, view: View) -> str:
        """
        The next attempt, as text, in the seat of the view. The player first hears what the view has
        heard since the last call, so views of one game must be given in order.

        Other threads of Python run while the player thinks. Raises `KriegspielError` if it is not the
        seat's turn, or if the view is of another seat or an earlier moment than before.
        """
    @property
    def name(self, /) -> str:
        """
        The name.
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
class Solution:
    """
    The answer of `solve`.
    """
    def __repr__(self, /) -> str: ...
    @property
    def mate(self, /) -> bool | None:
        """
        Whether mate can be forced; `None` if the limit of nodes ended the search.
        """
    @property
    def nodes(self, /) -> int:
        """
        Number of positions examined.
        """
    @property
    def policy(self, /) -> list[str]:
        """
        What to try, and what then, in lines; empty without a mate.
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
class VecEnv:
    """
    Many games of one ruleset, stepped together. A game that ends begins again at once.

    `num_envs` games; `ruleset` and `fen` as in `Game`. `opponent` is `None` for self-play (each
    action is one of the side to move) or the name of a player, whose attempts are made inside `step`.
    `seat` is then the agent's seat; `None` changes it from game to game. `seed` is a number, or one
    for each game; it chooses the opponent's random numbers and those of `sample`. `nodes` is the
    opponent's budget for each turn. A game is truncated after `max_attempts` attempts of both sides.
    `threads` is how many threads share the work; 0 means one for each processor.

    The arrays are made once and written by each `step`, without copies: copy what you keep.
    Raises `KriegspielError` for values that cannot be used.
    """
    def __new__(cls, /, num_envs: "int", ruleset: "Ruleset | str | None" = None, *, fen: "str | None" = None, opponent: "str | None" = None, seat: "bool | None" = None, seed: "int | Sequence[int] | None" = None, nodes: "int | None" = None, max_attempts: "int" = 2000, threads: "int" = 0) -> VecEnv: ...
    @property
    def masks(self, /) -> np.ndarray:
        """
        Masks of the seats to move: shape `(num_envs, NUM_ACTIONS)`, bool.
        """
    @property
    def num_envs(self, /) -> int:
        """
        Number of games.
        """
    @property
    def observations(self, /) -> np.ndarray:
        """
        Observations of the seats to move: shape `(num_envs, OBSERVATION_SIZE)`, uint8.
        """
    def reset(self, /) -> "np.ndarray":
        """
        Begins every game anew. Returns `observations`.
        """
    @property
    def rewards(self, /) -> np.ndarray:
        """
        Rewards of the last step: shape `(num_envs,)`, float32.
        """
    def sample(self, /) -> "np.ndarray":
        """
        An action of the mask for each game, each equally likely: shape `(num_envs,)`, int64. The
        array is the same at each call.
        """
    @property
    def seats(self, /) -> np.ndarray:
        """
        The seats to move, whose observations and masks the rows are: shape `(num_envs,)`, bool, true
        for White.
        """
    def step(self, /, actions: "np.ndarray") -> "tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]":
        """
        Makes one attempt in each game. `actions`: shape `(num_envs,)`, integers, each in the mask.

        Returns `(observations, rewards, terminated, truncated)`. Where a game ended, its row is
        already the beginning of the next game. `rewards` are of the seat that acted: 1, 0 or -1 when
        the game ended, else 0. Other threads of Python run meanwhile.

        Raises `KriegspielError` if the number of actions is wrong, or an action is not an integer or
        not in the mask; then no game was changed.
        """
    @property
    def terminated(self, /) -> np.ndarray:
        """
        Whether a game ended in the last step: shape `(num_envs,)`, bool.
        """
    @property
    def truncated(self, /) -> np.ndarray:
        """
        Whether a game was truncated in the last step: shape `(num_envs,)`, bool.
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

def endgame(men: "dict[int, str]", kings: "Iterable[int] | None" = None, *, halfmoves: "int" = 0) -> "Advice":
    """
    What White should try with these men against the lone king. Known are a queen, a rook, a pawn, two
    bishops on both colours, and bishop and knight.

    `men` is White's men by square (`{a1: "K", ...}`, squares 0 to 63), `kings` the squares on which the
    lone king can be (`None`: every possible square), `halfmoves` the half-moves since the last capture
    or pawn move. The first call builds tables, which takes seconds. Raises `KriegspielError` if the
    ending is not known.
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

def parse_games(text: "str", ruleset: "Ruleset | str | None" = None) -> "list[Game]":
    """
    Reads recorded games: PGN, a transcript, or JSON lines of the umpire's stream (docs/json.md); the
    beginning of the text says which. `ruleset` reads the games under other rules than the text names.

    Raises `KriegspielError`, with the line, for a game that does not follow its rules.
    """

def players() -> "dict[str, dict[str, Any]]":
    """
    Description of every player, by name: `title`, `about`, `rating` (Elo, or `None`).
    """

def solve(belief: "Belief", moves: "int", *, nodes: "int | None" = None) -> "Solution":
    """
    Whether the seat of a belief can force mate within a number of own moves, whichever of the possible
    positions is the true one and whatever the opponent plays. The seat must be to move, and the belief
    must hold all possible positions.

    `nodes` limits the search. Other threads of Python run meanwhile. Raises `KriegspielError` if the
    question cannot be asked.
    """

class KriegspielError(ValueError): ...
class Refused(KriegspielError): ...
class Secret(KriegspielError): ...
