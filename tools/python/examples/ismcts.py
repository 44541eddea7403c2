"""IS-MCTS of OpenSpiel plays Kriegspiel against random attempts: wins, draws, losses of IS-MCTS.

    python ismcts.py [GAMES] [SIMULATIONS] [PLIES]

The worlds come from the belief of the seat (`resample_from_infostate`). A leaf is worth the material
of its sampled world.
"""

import math
import random
import sys

import kriegspiel.openspiel  # noqa: F401
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

VALUE = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


class Material(mcts.Evaluator):
    """The men on the board of a sampled world, from -1 to 1."""

    def evaluate(self, state):
        if state.is_terminal():
            return state.returns()
        men = state.game.truth().piece_map().values()
        white = sum(VALUE[man.lower()] * (1 if man.isupper() else -1) for man in men)
        return [math.tanh(white / 10), -math.tanh(white / 10)]

    def prior(self, state):
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def play(game, bot, seat, rng):
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == seat:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(int(action))
    return state.returns()[seat]


def main(games=10, simulations=60, plies=300):
    game = pyspiel.load_game(f"python_kriegspiel_umpire(max_plies={plies},positions=500)")
    rng, results = random.Random(1), []
    for number in range(games):
        bot = ismcts.ISMCTSBot(
            game,
            Material(),
            uct_c=0.5,
            max_simulations=simulations,
            max_world_samples=-1,
            random_state=np.random.RandomState(number),
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=False,
            allow_inconsistent_action_sets=True,
        )
        results.append(play(game, bot, number % 2, rng))
        print(f"{results.count(1.0)}-{results.count(0.0)}-{results.count(-1.0)}", flush=True)
    return results


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
