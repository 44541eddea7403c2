"""OpenSpiel's own tests of the games, IS-MCTS with the belief, and exact methods in endings."""

import random

import kriegspiel.openspiel  # noqa: F401
import numpy as np
import pyspiel
import pytest
from kriegspiel import Belief

GAMES = ["python_kriegspiel_umpire(max_plies=30)", "python_kriegspiel_umpire(ruleset=rand,max_plies=30)"]
ENDINGS = ["python_kriegspiel_ending", "python_kriegspiel_ending(men=8/8/8/8/8/2K5/3P4/8)"]


@pytest.mark.parametrize("name", GAMES + ENDINGS)
def test_openspiel_finds_no_fault(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=False, verbose=False)


def play(state, moves, seed):
    rng = random.Random(seed)
    while not state.is_terminal() and moves:
        state.apply_action(rng.choice(state.legal_actions()))
        moves -= 1
    return state


LONG_ENDINGS = ["python_kriegspiel_ending(max_plies=30)", "python_kriegspiel_ending(men=8/8/8/8/8/2K5/3P4/8,max_plies=30)"]


@pytest.mark.parametrize("name", GAMES[:1] + LONG_ENDINGS)
def test_resampled_states_sound_the_same(name):
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    truths = set()
    for seed in range(4):
        state = pyspiel.load_game(name).new_initial_state()
        if state.is_chance_node():
            state.apply_action(seed)
        play(state, 8, seed)
        if state.is_terminal():
            continue
        player = state.current_player()
        for _ in range(20):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions()
            assert np.array_equal(other.observation_tensor(player), state.observation_tensor(player))
            truths.add(str(other))
            play(other, 10, seed)
    assert len(truths) > 10


def test_resampling_uses_what_the_player_heard_only():
    """Two true positions that sound alike give the same draws for the same numbers."""
    draws = []
    for reply in ("a7a6", "h7h6"):
        state = pyspiel.load_game(GAMES[0]).new_initial_state()
        for text in ("e2e4", reply):
            player = state.current_player()
            names = {state.action_to_string(player, action): action for action in state.legal_actions()}
            state.apply_action(names[text])
        draws.append([str(state.resample_from_infostate(0, lambda n=n: n / 10)) for n in range(10)])
    assert draws[0] == draws[1]


def test_belief_of_a_clone_goes_on():
    game = pyspiel.load_game(GAMES[0])
    state = play(game.new_initial_state(), 5, 1)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state.resample_from_infostate(state.current_player(), sampler)
    later = play(state.clone(), 6, 2)
    player = later.current_player()
    later.resample_from_infostate(player, sampler)
    assert len(game.terms.belief(later.view(player), player)) == len(Belief(later.view(player), limit=20000))
