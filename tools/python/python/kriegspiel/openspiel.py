"""Kriegspiel as a game of OpenSpiel: `pyspiel.load_game("python_kriegspiel_umpire")`.

    import pyspiel
    import kriegspiel.openspiel  # registers the games

    game = pyspiel.load_game("python_kriegspiel_umpire(ruleset=wild16,max_plies=400)")

Parameters: `ruleset`; `fen`, a start position; `max_plies`, the number of completed moves after which
the game is a draw; `positions`, how many positions a belief keeps for `resample_from_infostate`.

`python_kriegspiel_ending` is the same game for exact methods: see `kriegspiel.endings`. Parameters:
`men`, White's men as the board part of a FEN; `squares`, the squares on which Black's king can begin,
as in `a8 b8` (all, if empty); `max_plies`; `ruleset`.

Player 0 is White. Actions are the package's action ids. A seat acts again after *no*. Install with
`pip install kriegspiel-umpire[openspiel]`.
"""

import numpy as np
import pyspiel

from . import NUM_ACTIONS, OBSERVATION_SIZE, Belief, Game, Ruleset, action_name, endings

SEATS = (True, False)
# More attempts in one turn than any seat has.
MAX_ATTEMPTS = 512


def _game_type(name, chance, parameters):
    return pyspiel.GameType(
        short_name=name,
        long_name=f"Kriegspiel ({name})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


GAME_PARAMETERS = {"ruleset": "wild16", "fen": "", "max_plies": 400, "positions": 20000}
GAME = _game_type(
    "python_kriegspiel_umpire", pyspiel.GameType.ChanceMode.DETERMINISTIC, GAME_PARAMETERS
)
ENDING_PARAMETERS = {
    "ruleset": "wild16",
    "men": "8/8/8/8/8/2K5/3Q4/8",
    "squares": "",
    "max_plies": 3,
}
ENDING = _game_type(
    "python_kriegspiel_ending", pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC, ENDING_PARAMETERS
)


class _Terms:
    """What all states of a game share. Copies of a state share it too."""

    def __init__(self, parameters):
        self.ruleset = Ruleset(parameters["ruleset"])
        self.fen = parameters.get("fen") or None
        self.max_plies = parameters["max_plies"]
        self.positions = parameters.get("positions", 20000)
        self.fens = None
        if "men" in parameters:
            squares = parameters["squares"].split() or None
            self.fens = endings.starts(parameters["men"], squares, self.ruleset)
        # For each player: the text of what the player had heard, and the belief from it.
        self.beliefs = {}

    def __deepcopy__(self, memo):
        return self

    def belief(self, view, player):
        """The belief of a player. Goes on from the last belief if the player has heard more since."""
        text = view.information_state_string()
        before, belief = self.beliefs.get(player, ("", None))
        if belief is not None and text.startswith(before):
            belief.update(view)
        else:
            belief = Belief(view, start=self.start(view), limit=self.positions)
        if len(belief) == 0:  # no position of the sample explained what was heard
            belief = Belief(view, start=self.start(view), limit=100 * self.positions)
        self.beliefs[player] = (text, belief)
        return belief

    def start(self, view):
        """The positions in which the game can have begun for a seat; `None` is the usual one."""
        if self.fens is None:
            return None if self.fen is None else [self.fen]
        known = view.heard()[0]
        return [fen for fen in self.fens if Game(self.ruleset, fen).heard(view.seat)[0] == known]


class KriegspielGame(pyspiel.Game):
    """A game of OpenSpiel."""

    game_type, defaults = GAME, GAME_PARAMETERS

    def __init__(self, params=None):
        terms = _Terms({**self.defaults, **(params or {})})
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=len(terms.fens or ()),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=terms.max_plies * MAX_ATTEMPTS,
        )
        super().__init__(self.game_type, info, params or {})
        self.terms = terms

    def new_initial_state(self):
        return KriegspielState(self, self.terms)

    def make_py_observer(self, iig_obs_type=None, params=None):
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return KriegspielObserver(kind, params)


class EndingGame(KriegspielGame):
    """The same with a lone king on an unknown square."""

    game_type, defaults = ENDING, ENDING_PARAMETERS


class KriegspielState(pyspiel.State):
    """A state: the referee's game (`game`; `None` before chance chose the start)."""

    def __init__(self, game, terms):
        super().__init__(game)
        self.terms = terms
        self.game = None if terms.fens else Game(terms.ruleset, terms.fen)
        self.plies = 0

    def view(self, player):
        """The view of a player (0 is White)."""
        return self.game.view(SEATS[player])

    def current_player(self):
        if self.game is None:
            return pyspiel.PlayerId.CHANCE
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.game.turn else 1

    def is_terminal(self):
        if self.game is None:
            return False
        return self.plies >= self.terms.max_plies or self.game.is_game_over()

    def returns(self):
        if self.game is None:
            return [0.0, 0.0]
        value = float(endings.payoff(self.game, True))
        return [value, -value]

    def chance_outcomes(self):
        count = len(self.terms.fens)
        return [(start, 1.0 / count) for start in range(count)]

    def _legal_actions(self, player):
        return sorted(self.view(player).legal_actions())

    def _apply_action(self, action):
        if self.game is None:
            self.game = Game(self.terms.ruleset, self.terms.fens[action])
        elif self.game.attempt(int(action)) == "moved":
            self.plies += 1

    def _action_to_string(self, player, action):
        return f"start {action}" if player == pyspiel.PlayerId.CHANCE else action_name(action)

    def information_state_string(self, player=None):
        player = self.current_player() if player is None else player
        if self.game is None:
            return f"{player} before the start"
        view = self.view(player)
        # The order of refused attempts tells nothing, and without it exact methods have less to do.
        return endings.knowledge(view) if self.terms.fens else view.information_state_string()

    def resample_from_infostate(self, player, sampler):
        """A state in which `player` has heard the same, drawn from the belief of `player`.

        Uses what the player heard only. Earlier occurrences of positions are not drawn: the sampled
        game counts repetitions from its start.
        """
        view = self.view(player)
        fen = self.terms.belief(view, player).sample(1, int(sampler() * 2**53))[0]
        state = self.get_game().new_initial_state()
        state.game = Game.determinize(view, fen)
        state.plies = self.plies
        return state

    def __str__(self):
        return self.game.truth().fen() if self.game else "before the start"


class KriegspielObserver:
    """Observer of OpenSpiel: the observation tensor, and text."""

    def __init__(self, iig_obs_type, params):
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self.recall = iig_obs_type.perfect_recall
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state, player):
        self.tensor.fill(0)
        if state.game is not None:
            state.view(player).observation_tensor(self.tensor)

    def string_from(self, state, player):
        """With perfect recall everything that was heard; else the seat's men and the last turns."""
        text = state.information_state_string(player)
        if self.recall or state.game is None:
            return text
        return f"{player} {state.view(player).board_fen()}; " + "; turn".join(text.split("; turn")[-3:])


pyspiel.register_game(GAME, KriegspielGame)
pyspiel.register_game(ENDING, EndingGame)
