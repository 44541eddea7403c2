"""A Gymnasium environment of one seat; a player of the package has the other seat.

    import gymnasium
    import kriegspiel.gymnasium  # registers Kriegspiel-v1

    env = gymnasium.make("Kriegspiel-v1", opponent="level-1")

Install with `pip install kriegspiel-umpire[gymnasium]`. For thousands of games at once use
`kriegspiel.VecEnv`.
"""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from . import NUM_ACTIONS, OBSERVATION_SIZE, Game, Player


class KriegspielEnv(gymnasium.Env):
    """One seat against `opponent`, the name of a player.

    `seat` is `True` (White), `False` (Black), or `None`: drawn for each game. An observation has
    `observation` (`View.observation_tensor`) and `action_mask` (`View.legal_mask`). An action outside
    the mask raises `ValueError`, unless `masked=False`: then the lowest action of the mask is made
    instead. The reward is 1, 0 or -1 at the end. The game is truncated after `max_attempts` attempts
    of the seat. `nodes` is the opponent's budget for each turn.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        opponent="random",
        ruleset="wild16",
        fen=None,
        seat=None,
        nodes=None,
        max_attempts=1000,
        masked=True,
        render_mode=None,
    ):
        Player(opponent, 0)  # a wrong name fails here
        self.opponent, self.ruleset, self.fen, self.seat = opponent, ruleset, fen, seat
        self.nodes, self.max_attempts, self.masked = nodes, max_attempts, masked
        self.render_mode = render_mode
        self.action_space = Discrete(NUM_ACTIONS)
        self.observation_space = Dict(
            {
                "observation": Box(0, 255, (OBSERVATION_SIZE,), np.uint8),
                "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.game = Game(self.ruleset, self.fen)
        self.own = bool(self.np_random.integers(2)) if self.seat is None else self.seat
        self.player = Player(self.opponent, int(self.np_random.integers(2**32)), nodes=self.nodes)
        self.attempts = 0
        self._reply()
        return self._observation(), {}

    def step(self, action):
        view = self.game.view(self.own)
        actions = view.legal_actions()
        if action not in actions:
            if self.masked:
                raise ValueError(
                    f"action {action} is not in the mask; the observation's `action_mask` has the actions"
                )
            action = min(actions)
        self.game.attempt(int(action))
        self.attempts += 1
        self._reply()
        over = self.game.outcome()
        reward = 0.0 if over is None or over.winner is None else 1.0 if over.winner == self.own else -1.0
        truncated = over is None and self.attempts >= self.max_attempts
        return self._observation(), reward, over is not None, truncated, {}

    def _reply(self):
        """Lets the opponent play until the seat is to move."""
        while self.game.turn != self.own and not self.game.is_game_over():
            self.game.attempt(self.player.attempt(self.game.view(not self.own)))

    def _observation(self):
        view = self.game.view(self.own)
        return {
            "observation": view.observation_tensor(),
            "action_mask": view.legal_mask(np.empty(NUM_ACTIONS, np.int8)),
        }

    def render(self):
        return str(self.game.view(self.own))


gymnasium.register("Kriegspiel-v1", entry_point=KriegspielEnv)
