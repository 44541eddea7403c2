"""Beliefs, solving, players, files."""

import random

import kriegspiel
import numpy as np
import pytest
from kriegspiel import BLACK, WHITE, Belief, Game, KriegspielError, Player, Ruleset, Secret

from test_game import playout


def key(fen):
    """A position without its counters."""
    return tuple(fen.split()[:4])


@pytest.mark.parametrize("ruleset", Ruleset.names())
def test_the_truth_is_in_the_belief(ruleset):
    beliefs = {}
    for number, game in enumerate(playout(ruleset, 5, attempts=24)):
        for seat in (WHITE, BLACK):
            view = game.view(seat)
            if number == 0:
                beliefs[seat] = Belief(view, limit=20_000)
            belief = beliefs[seat]
            belief.update(view)
            if belief.is_exact:
                assert key(game.truth().fen()) in [key(fen) for fen in belief.positions()]
                assert belief.size == len(belief)
            assert abs(belief.weights().sum() - 1) < 1e-9
            assert belief.occupancy().max() <= 1 + 1e-9
            men = {square: symbol for square, symbol in game.truth().piece_map().items() if symbol.isupper() != seat}
            for square, symbol in men.items():
                assert belief.envelope()["pnbrqk".index(symbol.lower())].reshape(64)[square]


def test_samples_replay_as_consistent():
    """Each drawn position comes from a position of the belief before it, by a move that sounds alike."""
    rng, checked = random.Random(2), 0
    for seed in range(200):
        game = Game("wild16")
        belief, before = Belief(game.view(WHITE)), None
        while not game.is_game_over() and len(belief) <= 300:
            if game.turn == WHITE:
                answer = game.attempt(rng.choice(game.view(WHITE).legal_actions()))
                belief.update(game.view(WHITE))
                before = belief.positions() if answer == "moved" else None
                continue
            heard = state(game)
            game.attempt(rng.choice(game.truth().legal_actions()))
            belief.update(game.view(WHITE))
            said = state(game).removeprefix(heard)
            possible = set()
            for fen in before:
                start = Game("wild16", fen)
                heard = state(start)
                for action in start.truth().legal_actions():
                    child = start.clone()
                    child.attempt(action)
                    if state(child).removeprefix(heard) == said:
                        possible.add(key(child.truth().fen()))
            for fen in belief.sample(500, seed):
                assert key(fen) in possible
                checked += 1
        if checked >= 10_000:
            return
    raise AssertionError(f"{checked} samples were checked")


def state(game):
    return game.view(WHITE).information_state_string()


def test_equal_seeds_draw_equally_and_by_weight():
    game = Game("wild16")
    game.play(["e2e4", "d7d5"])
    belief = Belief(game.view(WHITE))
    fens = belief.positions()
    assert len(fens) == 2
    drawn = belief.sample(10_000, seed=3)
    assert drawn == belief.sample(10_000, seed=3) != belief.sample(10_000, seed=4)
    for fen, weight in zip(fens, belief.weights()):
        assert abs(drawn.count(fen) / 10_000 - weight) < 0.03
    boards = belief.sample_boards(10_000, seed=3)
    own = {fen: board.tolist() for fen, board in zip(fens, belief.boards())}
    assert all(boards[i].tolist() == own[fen] for i, fen in enumerate(drawn))
    assert belief.occupancy()[0, 4, 3] == 0.5  # a pawn on d5
    assert belief.prospect(game.view(WHITE), "e4d5") == {"moved": 0.5, "no": 0.5}


@pytest.mark.parametrize("ruleset", ["wild16", "eastern", "crazykrieg", "berkeley"])
def test_a_determinized_game_sounds_the_same(ruleset):
    rng, beliefs = random.Random(1), {}
    for game in playout(ruleset, 2, attempts=20):
        for seat in (WHITE, BLACK):
            if seat not in beliefs:
                beliefs[seat] = Belief(game.view(seat), limit=500)
            beliefs[seat].update(game.view(seat))
        if game.is_game_over():
            return
        view, belief = game.view(game.turn), beliefs[game.turn]
        for fen in belief.sample(3, seed=1) if len(belief) else []:
            other = Game.determinize(view, fen)
            same = other.view(game.turn)
            assert same.information_state_string() == view.information_state_string()
            assert same.legal_actions() == view.legal_actions()
            other.attempt(rng.choice(same.legal_actions()))


def test_a_mate_in_one_is_found():
    fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
    game = Game("wild16", fen)
    belief = Belief(game.view(WHITE), start=[fen])
    solution = kriegspiel.solve(belief, 1)
    assert solution.mate is True and "g6" in solution.policy[0]
    assert kriegspiel.solve(Belief(Game().view(WHITE)), 1).mate is False


def test_endgames_give_advice():
    advice = kriegspiel.endgame({18: "K", 27: "Q"}, [60])
    assert advice.mate_in is not None and advice.tries and advice.probability == 1
    with pytest.raises(KriegspielError, match="cannot be on"):
        kriegspiel.endgame({18: "K", 27: "Q"}, [19])


@pytest.mark.parametrize("name", kriegspiel.players())
def test_every_player_plays(name):
    def play():
        game = Game("wild16")
        seats = {WHITE: Player(name, 1, 0, nodes=100), BLACK: Player("random", 1, 1)}
        for _ in range(20):
            game.attempt(seats[game.turn].attempt(game.view(game.turn)))
        return game.truth().events()

    assert play() == play()


@pytest.mark.parametrize("form", ["pgn", "transcript", "json"])
@pytest.mark.parametrize("ruleset", Ruleset.names())
def test_finished_games_are_written_and_read(form, ruleset):
    for game in playout(ruleset, 4, attempts=60):
        pass
    with pytest.raises(Secret):
        game.text(form)
    game.attempt("resign")
    (read,) = kriegspiel.parse_games(game.text(form))
    assert read.events() == game.events()


def test_the_pgn_of_a_seat_and_bad_files(tmp_path):
    game = Game()
    game.play(["e2e4", "d7d5", "resign"])
    assert "d5" not in game.text("pgn", WHITE)
    path = tmp_path / "game.pgn"
    path.write_text(game.text())
    assert kriegspiel.read_games(path)[0].result() == "0-1"
    with pytest.raises(KriegspielError, match="pgn"):
        game.text("docx")
    with pytest.raises(KriegspielError):
        kriegspiel.parse_games(game.text().replace("d5", "d4"))


def test_boards_draw_themselves():
    game = Game()
    for board in (game.view(WHITE), game.truth(), Belief(game.view(WHITE))):
        svg = board._repr_svg_()
        assert svg.startswith("<svg") and svg.endswith("</svg>")
    assert game.view(WHITE)._repr_svg_().count("<text") == 16
    assert game.truth()._repr_svg_().count("<text") == 32
