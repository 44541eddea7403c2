"""What sounds the same to a seat is the same to it, byte for byte."""

import random

import pytest
from kriegspiel import BLACK, WHITE, Belief, Game, KriegspielError, Player, Refused, Ruleset, Secret

#: Everything that a live game offers. `truth` alone tells more than a seat may know; `events` and
#: `text` raise `Secret` until the game is over. A new name needs a test.
GAME = {
    "abort", "attempt", "clone", "determinize", "events", "heard", "is_game_over", "outcome", "play",
    "replay", "result", "ruleset", "text", "tries", "truth", "turn", "view",
}  # fmt: skip


def knows(game, seat):
    """Everything that a view tells."""
    view = game.view(seat)
    return (
        view.information_state_string(),
        view.information_state_tensor().tobytes(),
        view.observation_tensor().tobytes(),
        view.legal_mask().tobytes(),
        view.heard(),
        view.words(),
        view.tries(),
        view.legal_actions(),
        view.turn,
        view.ply(),
        view.outcome(),
        view.board_fen(),
        view.piece_map(),
        view._repr_svg_(),
        str(view),
        repr(view),
        game.heard(seat),
        game.tries(seat),
        repr(game),
        game.turn,
        game.result(),
        game.is_game_over(),
    )


def believes(view):
    try:
        belief = Belief(view, limit=1000)
    except KriegspielError as error:
        return str(error)
    return (
        belief.positions(),
        belief.weights().tobytes(),
        belief.boards().tobytes(),
        belief.occupancy().tobytes(),
        belief.envelope().tobytes(),
        belief.size,
        belief.regime,
        len(belief) and belief.sample(50, seed=1),
        belief._repr_svg_(),
        repr(belief),
    )


def pairs(ruleset, seat, seed, attempts):
    """Two games that sound the same to a seat, with different moves of the other seat."""
    rng = random.Random(seed)
    one, two = Game(ruleset), Game(ruleset)
    for _ in range(attempts):
        if one.is_game_over():
            return
        tries = one.view(one.turn).legal_actions()
        after = one.clone()
        action = rng.choice(tries)
        answer = after.attempt(action)
        said = after.heard(seat)
        others = [action] if one.turn == seat else two.view(not seat).legal_actions()
        rng.shuffle(others)
        for other in sorted(others, key=lambda other: other == action):
            twin = two.clone()
            if twin.attempt(other) == answer and twin.heard(seat) == said:
                one, two = after, twin
                yield one, two
                break
        else:
            if one.turn != seat:
                return


@pytest.mark.parametrize("ruleset", Ruleset.names())
def test_equal_hearings_give_equal_bytes(ruleset):
    compared = different = 0
    for seat in (WHITE, BLACK):
        for seed in range(2):
            for number, (one, two) in enumerate(pairs(ruleset, seat, seed, 40)):
                compared += 1
                different += one.truth().fen() != two.truth().fen()
                assert knows(one, seat) == knows(two, seat)
                if number in (6, 18):
                    assert believes(one.view(seat)) == believes(two.view(seat))
                if one.turn == seat and not one.is_game_over():
                    attempts = [Player("random", seed).attempt(game.view(seat)) for game in (one, two)]
                    assert attempts[0] == attempts[1]
                for game in (one, two):
                    if not game.is_game_over():
                        with pytest.raises(Secret):
                            game.events()
                        with pytest.raises(Secret):
                            game.text("pgn", seat)
                if one.turn != seat and not one.is_game_over():
                    refusals = []
                    for game in (one, two):
                        with pytest.raises(Refused) as refused:
                            game.clone().attempt("e2e4", seat)
                        refusals.append(str(refused.value))
                    assert refusals[0] == refusals[1]
    assert different > compared / 4 > 10


def test_a_live_game_offers_nothing_else():
    assert {name for name in dir(Game) if not name.startswith("_")} == GAME


def test_a_view_does_not_follow_the_game():
    game = Game()
    view = game.view(WHITE)
    before = view.information_state_string()
    game.play(["e2e4", "e7e5"])
    assert view.information_state_string() == before


def test_an_answer_is_what_the_mover_hears():
    # The referee's word for a try that the own men exclude is "nonsense"; under wild16 the mover
    # hears "no".
    game = Game("wild16")
    assert game.attempt("a1a5") == "no"
    assert game.heard(WHITE)[-1]["kind"] == "no"
    assert Game("rand").attempt("a1a5") == "nonsense"
