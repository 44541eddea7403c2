"""Games, views and actions."""

import copy
import pickle
import random

import kriegspiel
import numpy as np
import pytest
from kriegspiel import BLACK, WHITE, Game, KriegspielError, Refused, Ruleset, Secret, View

SEATS = (WHITE, BLACK)


def playout(ruleset, seed, attempts=300, fen=None):
    """Plays random attempts of the mask, and yields the game before each."""
    rng = random.Random(seed)
    game = Game(ruleset, fen)
    for _ in range(attempts):
        if game.is_game_over():
            break
        yield game
        game.attempt(rng.choice(game.view(game.turn).legal_actions()))
    yield game


@pytest.mark.parametrize("ruleset", Ruleset.names())
def test_views_and_logs_round_trip(ruleset):
    for seed in range(3):
        for game in playout(ruleset, seed):
            pass
        if not game.is_game_over():
            game.abort()
        replayed = Game.replay(game.events())
        for other in (replayed, copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert other.events() == game.events()
            assert other.outcome() == game.outcome()
        for seat in SEATS:
            live, heard = game.view(seat), View(ruleset, seat)
            for item in game.heard(seat):
                heard.hear(item)
            assert_equal_views(live, heard)


def assert_equal_views(one, other):
    assert one.information_state_string() == other.information_state_string()
    assert one.observation_tensor().tobytes() == other.observation_tensor().tobytes()
    assert one.information_state_tensor().tobytes() == other.information_state_tensor().tobytes()
    assert one.legal_mask().tobytes() == other.legal_mask().tobytes()
    assert one.words() == other.words()


@pytest.mark.parametrize("ruleset", Ruleset.names())
def test_the_mask_has_legal_moves_unless_nonsense(ruleset):
    for game in playout(ruleset, 1):
        view = game.view(game.turn)
        mask = view.legal_mask()
        assert np.flatnonzero(mask).tolist() == sorted(view.legal_actions())
        truth = game.truth()
        if not game.is_game_over():
            for action in truth.legal_actions():
                assert mask[action] or view.explain(action)
            assert mask.any()
        assert not game.view(not game.turn).legal_actions()


def test_action_ids_and_names_round_trip():
    names = [kriegspiel.action_name(action) for action in range(kriegspiel.NUM_ACTIONS)]
    assert len(set(names)) == len(names)
    assert [kriegspiel.action_id(name) for name in names] == list(range(len(names)))


# The ids of version 1. They must not change without a new version.
@pytest.mark.parametrize(
    "name, action",
    [
        ("a1b1", 0),
        ("e2e4", 322),
        ("h8g8", 1791),
        ("a7a8n", 1792),
        ("h2h1q", 1967),
        ("px", 1968),
        ("any", 1973),
        ("resign", 1976),
        ("withdraw-draw", 1980),
        ("P@a1", 1981),
        ("Q@h8", 2300),
    ],
)
def test_ids_of_version_1(name, action):
    assert kriegspiel.ACTIONS_VERSION == 1
    assert kriegspiel.action_id(name) == action
    assert kriegspiel.action_name(action) == name


def test_tensors_are_written_to_the_array_of_the_caller():
    view = Game().view(WHITE)
    for dtype in (np.uint8, np.int8, np.float32):
        out = np.full(kriegspiel.OBSERVATION_SIZE, 7, dtype)
        assert view.observation_tensor(out) is out
        assert (out == view.observation_tensor()).all()
    for dtype in (bool, np.uint8, np.int8, np.float32):
        out = np.ones(kriegspiel.NUM_ACTIONS, dtype)
        assert view.legal_mask(out) is out
        assert out.sum() == 20
    out = np.ones(kriegspiel.INFORMATION_STATE_SHAPE, np.int16)
    assert view.information_state_tensor(out) is out
    assert (out == view.information_state_tensor()).all()


def test_observation_parts_add_up():
    size = sum(int(np.prod(shape)) for _, shape in kriegspiel.OBSERVATION_PARTS)
    assert size == kriegspiel.OBSERVATION_SIZE


FROZEN = np.zeros(kriegspiel.OBSERVATION_SIZE, np.uint8)
FROZEN.flags.writeable = False


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: Game("wild17"), KriegspielError, "there is no ruleset `wild17`; the rulesets are rand"),
        (lambda: Game(3), TypeError, "a Ruleset or a name"),
        (lambda: Game("wild16", "8/8"), KriegspielError, "not a"),
        (lambda: Game().attempt("e2e4", BLACK), Refused, "White's turn"),
        (lambda: Game().attempt("hello"), KriegspielError, "hello"),
        (lambda: Game().attempt(2301), KriegspielError, "ids are 0 to 2300"),
        (lambda: Game().attempt(-1), TypeError, "an id"),
        (lambda: Game().attempt(None), TypeError, "an id"),
        (lambda: Game().attempt("any"), Refused, "Any"),
        (lambda: Game().events(), Secret, "truth"),
        (lambda: Game.replay([]), KriegspielError, "empty"),
        (lambda: Game.replay(["w e2e4 moved"]), KriegspielError, "event 0"),
        (lambda: kriegspiel.action_name(9999), KriegspielError, "not an action id"),
        (lambda: kriegspiel.action_id("a1h2"), KriegspielError, "no action id"),
        (lambda: View("wild16", WHITE).hear({"kind": "moved"}), KriegspielError, "by"),
        (lambda: View("wild16", WHITE).hear(Game().heard(BLACK)), KriegspielError, "other seat"),
        (lambda: View("wild16", WHITE).observation_tensor(np.zeros(3, np.uint8)), KriegspielError, "3 elements"),
        (lambda: View("wild16", WHITE).observation_tensor(FROZEN), KriegspielError, "written"),
        (lambda: View("wild16", WHITE).observation_tensor([0]), TypeError, "numpy"),
        (lambda: Ruleset.from_toml("from = 3"), KriegspielError, "line 1"),
        (lambda: Ruleset("rand").replace("x", no_heard="nobody"), KriegspielError, "nobody"),
        (lambda: Ruleset("rand").replace("x", what="nobody"), KriegspielError, "what"),
        (lambda: Ruleset("rand").replace("wild16"), KriegspielError, "named ruleset"),
    ],
)
def test_bad_input_says_what_is_wrong(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_rulesets_are_read_written_and_changed():
    for name in Ruleset.names():
        ruleset = Ruleset(name)
        assert Ruleset.from_toml(ruleset.toml()) == ruleset
        assert pickle.loads(pickle.dumps(ruleset)) == ruleset
    loud = Ruleset("wild16").replace("loud", no_heard="both")
    assert loud.choices == Ruleset("wild16").choices | {"no_heard": "both"}
    game = Game(loud)
    game.play(["e2e4", "d7d5", "e4f5"])
    assert game.heard(BLACK)[-1] == {"kind": "no", "by": "white"}


def test_every_public_name_is_documented():
    for name in kriegspiel.__all__:
        value = getattr(kriegspiel, name)
        if callable(value):
            members = [getattr(value, m) for m in vars(value) if not m.startswith("_")] if isinstance(value, type) else []
            assert all(member.__doc__ for member in [value, *members]), name


def test_a_log_that_the_referee_would_not_write_is_refused():
    game = Game()
    game.play(["e2e4", "d7d5"])
    log = game.truth().events()
    log[2] = log[2].replace("?1", "?2")
    with pytest.raises(KriegspielError, match="event 2"):
        Game.replay(log)
