"""IS-MCTS of OpenSpiel plays Kriegspiel against random attempts: wins, draws, losses of IS-MCTS.

    python ismcts.py [GAMES] [SIMULATIONS] [PLIES]

The worlds come from the belief of the seat (`resample_from_infostate`). A leaf is worth what its sampled
world shows: material, advanced pawns, and how near the weaker king is to the edge and to the other king.
"""

import math
import random
import sys

import kriegspiel.openspiel  # noqa: F401
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

VALUE = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def worth(men):
    """Worth of a position for White, from -1 to 1. `men`: symbols by square."""
    score, kings = 0.0, {}
    for square, man in men.items():
        rank, file = divmod(square, 8)
        if man in "Kk":
            kings[man] = rank, file
        advance = 0.1 * (rank if man == "P" else 7 - rank if man == "p" else 0)
        score += (VALUE[man.lower()] + advance) * (1 if man.isupper() else -1)
    (rank, file), (r, f) = kings["K"], kings["k"]
    if abs(score) > 3:
        weak = (r, f) if score > 0 else (rank, file)
        edge = sum(abs(2 * x - 7) for x in weak) / 2
        score += math.copysign(0.2 * edge + 0.1 * (7 - max(abs(rank - r), abs(file - f))), score)
    return math.tanh(score / 12)


class Evaluator(mcts.Evaluator):
    """Worth of the sampled world for both players, and equal priors."""

    def evaluate(self, state):
        if state.is_terminal():
            return state.returns()
        white = worth(state.game.truth().piece_map())
        return [white, -white]

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


def main(games=10, simulations=300, plies=300):
    game = pyspiel.load_game(f"python_kriegspiel_umpire(max_plies={plies},positions=500)")
    rng, results = random.Random(1), []
    for number in range(games):
        bot = ismcts.ISMCTSBot(
            game,
            Evaluator(),
            uct_c=0.3,
            max_simulations=simulations,
            max_world_samples=-1,
            random_state=np.random.RandomState(number),
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=False,
        )
        results.append(play(game, bot, number % 2, rng))
        print(f"{results.count(1.0)}-{results.count(0.0)}-{results.count(-1.0)}", flush=True)
    return results


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
