"""PettingZoo's own tests of the environment."""

import warnings

from kriegspiel.pettingzoo import env
from pettingzoo.test import api_test, seed_test


def test_pettingzoo_finds_no_fault():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        api_test(env(max_attempts=300), num_cycles=1000)
        seed_test(lambda: env(max_attempts=300), num_cycles=50)
    # A seat has no legal action in its opponent's turn, and observations with a mask are dictionaries.
    known = ("Action mask numpy array is all zeros", "Observation space for each agent", "Observation is not")
    unknown = [str(w.message) for w in seen if not str(w.message).startswith(known)]
    assert not [w for w in unknown if "Deprecat" not in w], unknown


def test_both_seats_get_the_result():
    game = env("wild16", fen="7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    game.reset()
    from kriegspiel import action_id

    game.step(action_id("g6g7"))
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert all(game.terminations.values())
