"""One game, without numpy: `cargo xtask wheel --smoke`."""

import random

import kriegspiel

rng = random.Random(1)
game = kriegspiel.Game("wild16")
heard = {seat: kriegspiel.View("wild16", seat) for seat in (kriegspiel.WHITE, kriegspiel.BLACK)}
while not game.is_game_over():
    actions = game.view(game.turn).legal_actions()
    assert set(game.truth().legal_actions()) <= set(actions)
    game.attempt(rng.choice(actions))
for seat, view in heard.items():
    view.hear(game.heard(seat))
    assert view.information_state_string() == game.view(seat).information_state_string()
assert kriegspiel.Game.replay(game.events()).events() == game.events()
print("smoke: one game,", len(game.events()) - 1, "attempts,", game.outcome())
