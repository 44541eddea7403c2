"""Gymnasium's own checks of the environment."""

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from kriegspiel import KriegspielError, action_id
from kriegspiel.gymnasium import KriegspielEnv


@pytest.mark.parametrize("seat", [True, False, None])
def test_gymnasium_finds_no_fault(seat):
    # The checker draws actions without the mask.
    check_env(KriegspielEnv(seat=seat, masked=False))


def test_reward_is_that_of_the_seat():
    env = gymnasium.make("Kriegspiel-v1", seat=True, fen="7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    env.reset(seed=1)
    assert env.step(action_id("g6g7"))[1:4] == (1.0, True, False)


def test_bad_forms_are_named():
    with pytest.raises(KriegspielError, match="the players are"):
        KriegspielEnv(opponent="nobody")
    env = KriegspielEnv(seat=True)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not in the mask"):
        env.step(action_id("e4e5"))
