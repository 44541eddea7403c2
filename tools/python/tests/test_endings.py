"""Exact best responses in endings, against brute force."""

import random

import pytest
from kriegspiel import BLACK, WHITE, Game, endings

# White's men; two squares on which Black's king can begin.
CASES = {
    "KQK": ("8/8/1K6/8/8/8/2Q5/8", ["a8", "b8"]),
    "KRK": ("8/8/1K6/8/8/8/2R5/8", ["a8", "b8"]),
    "KPK": ("8/2P5/1K6/8/8/8/8/8", ["a8", "e5"]),
}


def brute_force(fens, policy, seat, plies):
    """The greatest value of all pure strategies of `seat`, each evaluated alone.

    Strategies are made as they are needed: an evaluation that meets an information state without an
    action forks the strategy, one for each action.
    """

    def evaluate(strategy):
        total, stack = 0.0, [(1 / len(fens), Game("wild16", fen)) for fen in fens]
        while stack:
            weight, game = stack.pop()
            if game.is_game_over() or game.view(seat).ply() >= plies:
                total += weight * endings.payoff(game, seat)
                continue
            if game.turn == seat:
                view = game.view(seat)
                heard = view.information_state_string()
                if heard not in strategy:
                    return heard, view.legal_actions()
                choices = [(strategy[heard], 1.0)]
            else:
                choices = policy(game.view(not seat))
            for action, probability in choices:
                after = game.clone()
                after.attempt(action)
                stack.append((weight * probability, after))
        return total

    best, strategies = -2.0, [{}]
    while strategies:
        strategy = strategies.pop()
        value = evaluate(strategy)
        if isinstance(value, tuple):
            heard, actions = value
            strategies += [{**strategy, heard: action} for action in actions]
        else:
            best = max(best, value)
    return best


def few(view):
    """A policy that needs few branches: the first and the last action of the mask."""
    actions = sorted(view.legal_actions())
    return [(actions[0], 0.25), (actions[-1], 0.75)] if len(actions) > 1 else [(actions[0], 1.0)]


@pytest.mark.parametrize("name", CASES)
def test_best_response_equals_brute_force(name):
    men, squares = CASES[name]
    fens = endings.starts(men, squares)
    for plies in (2, 3):
        exact = endings.best_response(fens, few, BLACK, plies)
        assert abs(exact - brute_force(fens, few, BLACK, plies)) < 1e-12


def any_policy(view):
    """A policy that draws from the whole mask, with other probabilities in each information state."""
    rng = random.Random(endings.knowledge(view))
    actions = view.legal_actions()
    weights = [rng.random() for _ in actions]
    return [(action, weight / sum(weights)) for action, weight in zip(actions, weights)]


def plain_response(fens, policy, seat, plies):
    """The same by the textbook: every history is walked, none are merged, and each information state
    of `seat` has one value."""
    values = {}

    def value(worlds):
        groups, total = {}, 0.0
        for weight, game in worlds:
            if game.is_game_over() or game.view(seat).ply() >= plies:
                total += weight * endings.payoff(game, seat)
            elif game.turn == seat:
                groups.setdefault(endings.knowledge(game.view(seat)), []).append((weight, game))
            else:
                for action, probability in policy(game.view(not seat)):
                    worlds.append((weight * probability, after(game, action)))
        for heard, group in groups.items():
            if heard not in values:
                actions = group[0][1].view(seat).legal_actions()
                values[heard] = max(value([(w, after(game, a)) for w, game in group]) for a in actions)
            total += values[heard]
        return total

    def after(game, action):
        game = game.clone()
        game.attempt(action)
        return game

    return value([(1 / len(fens), Game("wild16", fen)) for fen in fens])


WHOLE_BOARD = [(BLACK, any_policy, 2), (BLACK, few, 3), (WHITE, few, 3)]


@pytest.mark.parametrize("seat, policy, plies", WHOLE_BOARD)
@pytest.mark.parametrize("name", CASES)
def test_whole_board_best_response_is_exact(name, seat, policy, plies):
    fens = endings.starts(CASES[name][0])
    assert len(fens) > 30
    exact = endings.best_response(fens, policy, seat, plies)
    assert abs(exact - plain_response(fens, policy, seat, plies)) < 1e-12


def test_mate_in_one_is_found_on_each_square():
    fens = endings.starts("8/8/1K6/8/8/8/2R5/8", ["a8"])
    assert endings.best_response(fens, endings.uniform, WHITE, plies=1) == 1
    both = endings.starts("8/8/1K6/8/8/8/2R5/8", ["a8", "e5"])
    assert endings.best_response(both, endings.uniform, WHITE, plies=1) == 0.5
