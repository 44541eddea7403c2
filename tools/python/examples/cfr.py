"""Counterfactual regret minimisation in an ending, with its exploitability.

    python cfr.py [ITERATIONS] [PLIES]

White has king and rook; Black's king is on a8 or b8, and White cannot know which. After PLIES moves the
game is a draw. With 3 plies, White has two moves, and a run takes many minutes. External sampling MCCFR of OpenSpiel finds a mixed strategy; the exact
best responses of `kriegspiel.endings` say how far it is from an equilibrium.
"""

import sys

import kriegspiel.openspiel  # noqa: F401
import pyspiel
from kriegspiel import endings

MEN, SQUARES = "8/8/1K6/8/8/8/2R5/8", "a8 b8"


def policy_of(table):
    """A policy for `kriegspiel.endings` from a tabular policy of OpenSpiel."""

    def policy(view):
        found = table.get_state_policy(endings.knowledge(view))
        return found or endings.uniform(view)

    return policy


def main(iterations=1000, plies=2):
    game = pyspiel.load_game(f"python_kriegspiel_ending(men={MEN},squares={SQUARES},max_plies={plies})")
    fens = endings.starts(MEN, SQUARES.split())
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
    gains, done = [endings.exploitability(fens, endings.uniform, endings.uniform, plies)], 0
    print(f"uniform play: exploitability {gains[0]:.4f}")
    for count in (iterations // 10, iterations):
        for _ in range(count - done):
            solver.run_iteration()
        done = count
        policy = policy_of(_Table(solver.average_policy()))
        gains.append(endings.exploitability(fens, policy, policy, plies))
        print(f"{count} iterations: exploitability {gains[-1]:.4f}", flush=True)
    return gains


class _Table:
    """The average policy by information state."""

    def __init__(self, average):
        self.average = average

    def get_state_policy(self, heard):
        return self.average.action_probabilities(heard).items()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
