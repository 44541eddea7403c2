"""Kriegspiel: the referee of every historic ruleset, views, beliefs and players, for research.

    >>> import kriegspiel
    >>> game = kriegspiel.Game("wild16")
    >>> game.attempt("e2e4")
    'moved'
    >>> game.attempt("d7d5")
    'moved'
    >>> game.attempt("e4f5")          # White cannot know on which square the pawn try is
    'no'
    >>> view = game.view(kriegspiel.WHITE)
    >>> view.legal_mask().sum() == len(view.legal_actions())
    True

- `Ruleset`: a named ruleset, a ruleset file, or changed choices.
- `Game`: the referee. `attempt` judges and plays; `heard`, `tries` and `view` are what a seat hears
  and knows. `truth()` alone tells more while the game goes on.
- `View`: what one seat knows, made from what it heard: text, tensors, mask.
- `VecEnv`: thousands of games at once, in Rust.
- `Belief`: the positions that are possible for a seat, with probabilities; `Game.determinize` goes on
  from one of them. `solve` says whether mate can be forced, `endgame` what to try against a lone king.
- `Player`: a program in one seat; `players()` lists them.
- `parse_games`, `read_games` and `Game.text`: PGN, transcripts, JSON lines.
- Seats are `WHITE` (`True`) and `BLACK` (`False`), squares are 0 (a1) to 63 (h8), as in python-chess.
- Actions are ids below `NUM_ACTIONS`, or text. `action_name` and `action_id` convert; the ids are
  the same under every ruleset and change only with `ACTIONS_VERSION`.
- `KriegspielError` (a `ValueError`) is raised for values that cannot be used. `Refused` says that the
  referee does not judge an attempt, `Secret` that only the umpire may know.
"""

from importlib.metadata import PackageNotFoundError, version

from ._kriegspiel import (
    ACTIONS_VERSION,
    BLACK,
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    WHITE,
    Advice,
    Belief,
    Game,
    KriegspielError,
    Outcome,
    Player,
    Refused,
    Ruleset,
    Secret,
    Solution,
    Truth,
    VecEnv,
    View,
    action_id,
    action_name,
    endgame,
    information_state_kinds,
    information_state_shape,
    observation_parts,
    parse_games,
    players,
    solve,
)
from ._types import Heard

try:
    __version__ = version("kriegspiel-umpire")
except PackageNotFoundError:  # run from the source tree
    __version__ = "0"


def read_games(path, ruleset=None):
    """Reads a file of recorded games, also compressed (`.gz`); see `parse_games`."""
    import gzip

    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return parse_games(file.read(), ruleset)


#: Name and shape of each part of an observation, in order.
OBSERVATION_PARTS = observation_parts()
#: Rows and columns of an information state tensor.
INFORMATION_STATE_SHAPE = information_state_shape()
#: Kinds of rows of an information state tensor.
INFORMATION_STATE_KINDS = information_state_kinds()
#: Names of the squares: `SQUARE_NAMES[0]` is `a1`.
SQUARE_NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]

__all__ = [
    "ACTIONS_VERSION",
    "BLACK",
    "INFORMATION_STATE_KINDS",
    "INFORMATION_STATE_SHAPE",
    "NUM_ACTIONS",
    "OBSERVATION_PARTS",
    "OBSERVATION_SIZE",
    "SQUARE_NAMES",
    "WHITE",
    "Advice",
    "Belief",
    "Game",
    "Heard",
    "KriegspielError",
    "Outcome",
    "Player",
    "Refused",
    "Ruleset",
    "Secret",
    "Solution",
    "Truth",
    "VecEnv",
    "View",
    "action_id",
    "action_name",
    "endgame",
    "parse_games",
    "players",
    "read_games",
    "solve",
]
