"""Endings of two and three men on the whole board, for exact methods.

An ending is a list of start positions (FEN) that look alike to White: White's men are known, Black's
lone king is on any of the squares with equal probability. It ends in a draw after some plies.

    >>> from kriegspiel import WHITE, endings
    >>> fens = endings.starts("8/8/8/8/8/2K5/3Q4/8")
    >>> endings.best_response(fens, endings.uniform, WHITE, plies=1) > 0
    False
"""

from collections import defaultdict

from . import Game


def starts(men, squares=None, ruleset="wild16"):
    """FENs with Black's king on each square (or each of `squares`, names) on which the position is
    legal with White to move and the king attacks no man of White. `men` is the board part of a FEN.

    Raises `ValueError` if no square is left.
    """
    rows = men.split("/")
    if len(rows) != 8:
        raise ValueError(f"{men}: write eight ranks, as in a FEN")
    own = ["".join("1" * int(c) if c.isdigit() else c for c in row) for row in reversed(rows)]
    fens = []
    for square in range(64):
        rank, file = divmod(square, 8)
        name = "abcdefgh"[file] + str(rank + 1)
        near = [
            own[r][f]
            for r in range(max(rank - 1, 0), min(rank + 2, 8))
            for f in range(max(file - 1, 0), min(file + 2, 8))
        ]
        if squares is not None and name not in squares or any(man != "1" for man in near):
            continue
        board = [list(row) for row in own]
        board[rank][file] = "k"
        fen = "/".join("".join(row) for row in reversed(board)) + " w - - 0 1"
        try:
            Game(ruleset, fen)
        except ValueError:  # Black would be in check
            continue
        fens.append(fen)
    if not fens:
        raise ValueError(f"{men}: no square is left for Black's king")
    return fens


def uniform(view):
    """The policy that draws each action of the mask with equal probability."""
    actions = view.legal_actions()
    return [(action, 1 / len(actions)) for action in actions]


def knowledge(view):
    """What a seat heard, without the order of refused attempts within a turn, which tells nothing."""
    items, refused = [], []
    for item in view.information_state_string().split("; "):
        if " no " in item:
            refused.append(item)
        else:
            items += sorted(refused) + [item]
            refused = []
    return "; ".join(items + sorted(refused))


def payoff(game, seat):
    """1, 0 or -1 for a seat; 0 while the game goes on."""
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0
    return 1 if outcome.winner == seat else -1


def best_response(fens, policy, seat, plies, ruleset="wild16"):
    """Exact value, for `seat`, of its best response to the opponent's `policy`.

    `policy(view)` returns pairs of an action id and its probability; it may use `knowledge(view)`.
    `plies` is the number of completed moves after which the game is a draw. The time grows with the
    number of information states: a few plies are feasible.
    """
    memo = {}

    def value(worlds):
        game = worlds[0][1]
        if game.is_game_over() or game.view(seat).ply() >= plies:
            return sum(weight * payoff(world, seat) for weight, world in worlds)
        if game.turn != seat:
            return sum(map(value, replies(worlds)))
        actions = game.view(seat).legal_actions()
        key = (
            tuple(actions),
            tuple((weight, world.truth().fen(), knowledge(world.view(not seat))) for weight, world in worlds),
        )
        if key not in memo:
            memo[key] = max(sum(map(value, attempt(worlds, action))) for action in actions)
        return memo[key]

    def attempt(worlds, action):
        after = []
        for weight, game in worlds:
            game = game.clone()
            game.attempt(action)
            after.append((weight, game))
        return alike(after)

    def replies(worlds):
        """The worlds after the opponent's turn."""
        after, pending = [], list(worlds)
        while pending:
            merged = {}
            for weight, game in pending:
                for action, probability in policy(game.view(not seat)):
                    if probability > 0:
                        world = game.clone()
                        world.attempt(action)
                        add(merged, weight * probability, world)
            pending = []
            for weight, world in merged.values():
                done = world.is_game_over() or world.turn == seat
                (after if done else pending).append((weight, world))
        worlds = {}
        for weight, world in after:
            add(worlds, weight, world)
        return alike(worlds.values())

    def add(worlds, weight, world):
        """Adds a world. Worlds of which both seats know the same are one."""
        key = (
            world.truth().fen(),
            world.view(seat).information_state_string(),
            knowledge(world.view(not seat)),
        )
        worlds[key] = (weight + worlds.get(key, (0,))[0], world)

    def alike(worlds):
        """The worlds by what the seat heard."""
        groups = defaultdict(list)
        for weight, game in worlds:
            groups[game.view(seat).information_state_string()].append((weight, game))
        return list(groups.values())

    worlds = [(1 / len(fens), Game(ruleset, fen)) for fen in fens]
    return sum(map(value, alike(worlds)))


def exploitability(fens, white, black, plies, ruleset="wild16"):
    """Mean gain of the two best responses: 0 exactly at an equilibrium."""
    return (
        best_response(fens, black, True, plies, ruleset)
        + best_response(fens, white, False, plies, ruleset)
    ) / 2
