"""Speeds of this machine, in processor time: `python -m kriegspiel.speed [--quick] [--strict]`.

With `--strict`, a speed below what is wanted is a failure.
"""

import os
import random
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import kriegspiel
from kriegspiel import NUM_ACTIONS, OBSERVATION_SIZE, WHITE, Belief, Game, VecEnv

try:
    import pyspiel
except ImportError:
    pyspiel = None


def best(work, units, clock=time.process_time):
    """Units per second of processor time, all threads together, in the best of fifty short runs."""
    times = []
    for _ in range(50):
        started = clock()
        work()
        times.append(clock() - started)
    return units / min(times)


def recorded(games, attempts):
    """Random games: the action ids of each."""
    env = VecEnv(games, seed=1, max_attempts=attempts + 1, threads=1)
    rows, ended = [], np.zeros(games, bool)
    for _ in range(attempts):
        actions = env.sample()
        rows.append(np.where(ended, -1, actions))
        _, _, terminated, _ = env.step(actions)
        ended |= terminated
    columns = np.array(rows).T
    return [column[column >= 0].tolist() for column in columns]


def openspiel(attempts):
    """Random attempts in OpenSpiel's own Kriegspiel, each with its observation."""
    game, rng = pyspiel.load_game("kriegspiel"), random.Random(1)
    state = game.new_initial_state()
    for _ in range(attempts):
        if state.is_terminal():
            state = game.new_initial_state()
        player = state.current_player()
        state.observation_tensor(player)
        state.apply_action(rng.choice(state.legal_actions()))


def report(scale):
    games = recorded(200, 150)
    count = sum(len(actions) for actions in games)
    rounds = max(1, scale // (4 * count))

    def single():
        for _ in range(rounds):
            for actions in games:
                attempt = Game().attempt
                for action in actions:
                    attempt(action)

    tensor, mask = np.zeros(OBSERVATION_SIZE, np.uint8), np.zeros(NUM_ACTIONS, bool)

    def observed():
        for actions in games[:20]:
            game = Game()
            for action in actions:
                view = game.view(game.turn)
                view.observation_tensor(tensor)
                view.legal_mask(mask)
                game.attempt(action)

    def batch():
        for _ in range(rounds):
            for actions in games:
                Game().play(actions)

    def loop():
        for _ in range(rounds):
            for actions in games:
                attempt = callable
                for action in actions:
                    attempt(action)

    yield "Game.attempt, one call each, both views", best(single, rounds * count), 1e6
    seen = sum(len(actions) for actions in games[:20])
    yield "  the same, with the mover's observation and mask", best(observed, seen), None
    yield "Game.play, a list of actions, both views", best(batch, rounds * count), 1e6
    yield "the same loop of Python with an empty call", best(loop, rounds * count), None

    speeds = {}
    for envs, threads in ((128, 1), (1024, 1), (1024, 2)):
        env = VecEnv(envs, seed=1, threads=threads)
        steps = max(20, scale // envs)

        def steps_of(env=env, steps=steps):
            for _ in range(steps):
                env.step(env.sample())

        for clock in (time.process_time, time.perf_counter):
            speeds[envs, threads, clock] = best(steps_of, steps * envs, clock)
        speed = speeds[envs, threads, time.process_time]
        speed, wanted = speeds[envs, threads, time.process_time], 1e6 if threads == 1 else None
        yield f"VecEnv({envs}), masks and observations, {threads} thread(s)", speed, wanted
    halves = [VecEnv(512, seed=seed, threads=1) for seed in (1, 513)]

    def half(env):
        for _ in range(max(20, scale // 1024)):
            env.step(env.sample())

    count = max(20, scale // 1024) * 1024
    with ThreadPoolExecutor(2) as pool:
        for clock in (time.process_time, time.perf_counter):
            speeds[clock] = best(lambda: list(pool.map(half, halves)), count, clock)
    yield "two VecEnv(512) in two threads of Python", speeds[time.process_time], 1e6
    one, two = (speeds[1024, threads, time.perf_counter] for threads in (1, 2))
    yield "  by the clock: VecEnv(1024), 1 thread", one, None
    yield "  by the clock: VecEnv(1024), 2 threads", two, None
    yield "  by the clock: two VecEnv(512)", speeds[time.perf_counter], None

    if pyspiel:
        speed = best(lambda: openspiel(scale // 40), scale // 40)
        yield "OpenSpiel's kriegspiel, legal actions and observation", speed, None
        yield "  how many times as fast is VecEnv(1024), 1 thread", speeds[1024, 1, time.process_time] / speed, 30

    game = Game()
    game.play(games[0][:100])
    clones = scale

    def clone():
        copy = game.clone
        for _ in range(clones):
            copy()

    yield "Game.clone after 100 attempts", best(clone, clones), 1e6

    game, belief = Game(), None
    for action in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"]:
        game.attempt(action)
    belief = Belief(game.view(WHITE))
    draws = scale
    yield (
        f"Belief.sample, FENs of {len(belief)} positions",
        best(lambda: belief.sample(draws), draws),
        5e5,
    )
    yield (
        "Belief.sample_boards, int8",
        best(lambda: belief.sample_boards(draws), draws),
        5e5,
    )


def growth(steps):
    """Growth of the memory, in MB, over a number of steps after a first tenth of them."""
    env = VecEnv(1000, seed=1)
    peaks = []
    for step in range(steps // 1000):
        env.step(env.sample())
        if step in (steps // 10_000, steps // 1000 - 1):
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return peaks[-1] - peaks[0]


def main():
    quick = "--quick" in sys.argv[1:]
    print(f"kriegspiel-umpire {kriegspiel.__version__}, units per second of processor time")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    slow = 0
    for name, speed, wanted in report(4_000 if quick else 40_000):
        line = f"{name:<58}{speed:>12,.0f}"
        if wanted:
            slow += speed < wanted
            line += f"   wanted {wanted:,.0f}" + (" (slower)" if speed < wanted else "")
        print(line)
    steps = 1_000_000 if quick else 10_000_000
    print(f"growth of memory over {steps:,} steps: {growth(steps):.1f} MB")
    return 1 if slow and "--strict" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
