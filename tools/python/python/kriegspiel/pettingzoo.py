"""An AEC environment of PettingZoo: `player_0` is White, `player_1` is Black.

    from kriegspiel.pettingzoo import env
    environment = env("wild16")

Install with `pip install kriegspiel-umpire[pettingzoo]`.
"""

from functools import cache

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import NUM_ACTIONS, OBSERVATION_SIZE, Game

SEATS = {"player_0": True, "player_1": False}


def env(ruleset="wild16", fen=None, max_attempts=2000, render_mode=None):
    """The environment, with PettingZoo's checks of the order of calls."""
    return wrappers.OrderEnforcingWrapper(raw_env(ruleset, fen, max_attempts, render_mode))


class raw_env(AECEnv):
    """A game of both seats. A seat acts again after *no*: `agent_selection` says who acts.

    An observation has `observation` (`View.observation_tensor`) and `action_mask`
    (`View.legal_mask`; all 0 in the opponent's turn). Rewards are 1, 0 and -1 at the end. The game
    is truncated after `max_attempts` attempts. `render_mode="ansi"` draws the seat's own men.
    """

    metadata = {"name": "kriegspiel_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, ruleset="wild16", fen=None, max_attempts=2000, render_mode=None):
        super().__init__()
        self.ruleset, self.fen, self.max_attempts = ruleset, fen, max_attempts
        self.render_mode = render_mode
        self.possible_agents = list(SEATS)

    @cache
    def observation_space(self, agent):
        return Dict(
            {
                "observation": Box(0, 255, (OBSERVATION_SIZE,), np.uint8),
                "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8),
            }
        )

    @cache
    def action_space(self, agent):
        return Discrete(NUM_ACTIONS)

    def reset(self, seed=None, options=None):
        self.game = Game(self.ruleset, self.fen)
        self.attempts = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self):
        return "player_0" if self.game.turn else "player_1"

    def observe(self, agent):
        view = self.game.view(SEATS[agent])
        return {
            "observation": view.observation_tensor(),
            "action_mask": view.legal_mask(np.empty(NUM_ACTIONS, np.int8)),
        }

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0
        self.game.attempt(int(action))
        self.attempts += 1
        self._clear_rewards()
        if self.game.is_game_over():
            winner = self.game.outcome().winner
            for agent, seat in SEATS.items():
                self.rewards[agent] = 0 if winner is None else 1 if winner == seat else -1
                self.terminations[agent] = True
        elif self.attempts >= self.max_attempts:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self):
        return str(self.game.view(self.game.turn))

    def close(self):
        pass
