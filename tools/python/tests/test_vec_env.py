"""Many games at once."""

import kriegspiel
import numpy as np
import pytest
from kriegspiel import Game, KriegspielError, Ruleset, VecEnv


@pytest.mark.parametrize("ruleset", Ruleset.names())
def test_rows_are_the_views_of_the_same_games(ruleset):
    env = VecEnv(4, ruleset, seed=3, max_attempts=150, threads=2)
    games = [Game(ruleset) for _ in range(4)]
    attempts = [0] * 4
    for _ in range(300):
        for i, game in enumerate(games):
            view = game.view(game.turn)
            assert env.seats[i] == game.turn
            assert (env.observations[i] == view.observation_tensor()).all()
            assert (env.masks[i] == view.legal_mask()).all()
        actions = env.sample().copy()
        seats = [game.turn for game in games]
        observations, rewards, terminated, truncated = env.step(actions)
        assert observations is env.observations
        for i, game in enumerate(games):
            game.attempt(int(actions[i]))
            attempts[i] += 1
            assert terminated[i] == game.is_game_over()
            assert truncated[i] == (not terminated[i] and attempts[i] == 150)
            winner = game.outcome() and game.outcome().winner
            assert rewards[i] == (0 if winner is None else 1 if winner == seats[i] else -1)
            if terminated[i] or truncated[i]:
                games[i], attempts[i] = Game(ruleset), 0


def run(steps, **options):
    env = VecEnv(6, **options)
    rows = []
    for _ in range(steps):
        env.step(env.sample())
        rows.append((env.observations.tobytes(), env.masks.tobytes(), env.rewards.tobytes(), env.seats.tobytes()))
    return rows


@pytest.mark.parametrize("opponent", [None, "random", "random+any", "level-1"])
def test_seeds_decide_and_threads_do_not(opponent):
    steps = 5 if opponent == "level-1" else 200
    options = {"opponent": opponent, "max_attempts": 100, "nodes": 50 if opponent == "level-1" else None}
    assert run(steps, seed=1, threads=1, **options) == run(steps, seed=1, threads=3, **options)
    assert run(steps, seed=1, **options) != run(steps, seed=7, **options)
    assert run(steps, seed=[1, 2, 3, 4, 5, 6], **options) == run(steps, seed=1, **options)


def test_an_opponent_plays_the_other_seat():
    for seat in (True, False):
        env = VecEnv(8, "berkeley", opponent="random", seat=seat, max_attempts=60)
        for _ in range(200):
            assert (env.seats == seat).all()
            env.step(env.sample())
    env = VecEnv(8, opponent="random", max_attempts=20)
    assert env.seats.all()
    ended = np.zeros(8, int)
    for _ in range(100):
        seats = env.seats.copy()
        _, _, terminated, truncated = env.step(env.sample())
        done = terminated | truncated
        assert (env.seats[done] != seats[done]).all()
        ended += done
    assert (ended > 2).all()


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda env: env.step([0]), "1 actions for 3 games"),
        (lambda env: env.step([kriegspiel.action_id("e2e4")] * 2 + [0]), "action 0 is not in the mask of game 2"),
        (lambda env: env.step([-1, -1, -1]), "not in the mask"),
        (lambda env: env.step(env.sample() + 0.5), "must be integers"),
        (lambda env: VecEnv(0), "num_envs"),
        (lambda env: VecEnv(2, seed=[1]), "1 seeds for 2 games"),
        (lambda env: VecEnv(2, opponent="level-9"), "level-6"),
        (lambda env: VecEnv(2, fen="k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), "over in the start position"),
    ],
)
def test_bad_input_changes_no_game(call, says):
    env = VecEnv(3)
    before = env.observations.tobytes()
    with pytest.raises(KriegspielError, match=says):
        call(env)
    assert env.observations.tobytes() == before
