"""Plays an agent against frozen levels and prints one score with its interval.

    python -m kriegspiel.bench AGENT [--games 100] [--seed 1] [--against level-1,level-3]

AGENT is the name of a player (`python -m kriegspiel.bench level-2`), or MODULE:CALLABLE of yours:
called with a seed for each game, it returns an object with `attempt(view)`, which returns an action
id or text. It is asked again after *no*.

The opponents are `random`, `level-1`, `level-3` and `level-5` with their usual thinking, under
`wild16`. Each pair of games begins with the same three random moves of each side and swaps the
colours. The score is the mean over the opponents of the share of points; the 95 % interval is that of
the mean of the pairs (normal approximation). An agent loses a game with an attempt that is no action of
its seat (an error, unlike *no*), and if it is to move after 5,000 attempts.
"""

import importlib
import json
import math
import os
import random
import sys
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor

from . import Game, KriegspielError, Player

VERSION = 2
LEVELS = ["random", "level-1", "level-3", "level-5"]
OPENING = 3
MAX_PLIES = 600
MAX_ATTEMPTS = 5000


def agent_factory(name):
    """What makes an agent for a seed: a player of the package, or MODULE:CALLABLE."""
    if ":" not in name:
        Player(name, 0)
        return lambda seed: Player(name, seed)
    module, _, callable_ = name.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        make = getattr(importlib.import_module(module), callable_)
        make(0)
    except (ImportError, AttributeError) as error:
        raise KriegspielError(f"{name}: {error}") from error
    except TypeError as error:
        raise KriegspielError(f"{name} must be callable with a seed: {error}") from error
    return make


def play(agent, opponent, agent_is_white, seed):
    """Points of the agent in one game: 1, 0.5 or 0. `seed` draws the opening moves."""
    game, rng = Game("wild16"), random.Random(seed)
    for _ in range(2 * OPENING):
        game.attempt(rng.choice(sorted(game.truth().legal_actions())))
    attempts = 0
    while not game.is_game_over():
        attempts += 1
        seat = game.turn
        view = game.view(seat)
        if attempts >= MAX_ATTEMPTS and seat == agent_is_white:
            return 0.0
        if view.ply() >= MAX_PLIES or attempts >= MAX_ATTEMPTS:
            return 0.5
        if seat == agent_is_white:
            try:
                game.attempt(agent.attempt(view))
            except KriegspielError:
                return 0.0
        else:
            game.attempt(opponent.attempt(view))
    winner = game.outcome().winner
    return 0.5 if winner is None else float(winner == agent_is_white)


def pair(make, level, seed):
    """Share of points of the agent in two games with swapped colours."""
    points = [play(make(seed), Player(level, seed), white, seed) for white in (True, False)]
    return sum(points) / 2


def score(make, games=100, seed=1, threads=1, levels=LEVELS, report=lambda level, share: None):
    """Plays `games` games against each level, at least four, in pairs. Returns a dictionary with the figures.

    `report(level, share)` is called after each level.
    """
    pairs = max(2, games // 2)
    by_level = {}
    with ThreadPoolExecutor(threads) as pool:
        for level in levels:
            seeds = [(seed << 32) + index for index in range(pairs)]
            by_level[level] = list(pool.map(lambda s, level=level: pair(make, level, s), seeds))
            report(level, sum(by_level[level]) / pairs)
    means = {level: sum(points) / pairs for level, points in by_level.items()}
    variance = sum(
        sum((x - means[level]) ** 2 for x in points) / (pairs - 1) / pairs
        for level, points in by_level.items()
    ) / len(levels) ** 2
    mean, half = sum(means.values()) / len(levels), 1.96 * math.sqrt(variance)
    return {
        "bench": VERSION,
        "score": round(mean, 4),
        "interval": [round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4)],
        "levels": {level: round(value, 4) for level, value in means.items()},
        "games": 2 * pairs * len(levels),
        "seed": seed,
    }


def main(arguments=None):
    parser = ArgumentParser(prog="python -m kriegspiel.bench", description=__doc__.split("\n")[0])
    parser.add_argument("agent", help="a player of the package, or MODULE:CALLABLE")
    parser.add_argument("--games", type=int, default=100, help="games against each opponent, at least 4 (default 100)")
    parser.add_argument("--against", default=",".join(LEVELS), help=f"opponents (default {','.join(LEVELS)})")
    parser.add_argument("--seed", type=int, default=1, help="draws the opening moves (default 1)")
    parser.add_argument("--threads", type=int, default=1, help="games at once (default 1)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args(arguments)
    try:
        make = agent_factory(options.agent)
        levels = options.against.split(",")
        for level in levels:
            Player(level, 0)
    except KriegspielError as error:
        print(f"python -m kriegspiel.bench: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(score(make, options.games, options.seed, options.threads, levels)))
        return 0

    def report(level, share):
        print(f"{level:8} {100 * share:5.1f} %", flush=True)

    figures = score(make, options.games, options.seed, options.threads, levels, report)
    low, high = (100 * bound for bound in figures["interval"])
    print(f"score    {100 * figures['score']:5.1f} %  (95 %: {low:.1f} to {high:.1f}; {figures['games']} games)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
