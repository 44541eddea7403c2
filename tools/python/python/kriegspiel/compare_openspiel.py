"""Compares OpenSpiel's Kriegspiel with this referee, attempt by attempt.

    python -m kriegspiel.compare_openspiel [--games 10000]

Plays games of `wild16` (`random` against `semi-random`) and replays each attempt in OpenSpiel
(`kriegspiel` of `pyspiel`). Prints a line for each kind of difference: how often it could occur, how
often it did, and the smallest position with it (fewest men) with the attempt. Needs
`pip install kriegspiel-umpire[openspiel]`.
"""

import json
import sys
from argparse import ArgumentParser
from collections import defaultdict
from multiprocessing import Pool

import pyspiel

from . import Game, Player

DIRECTIONS = {"file": "File", "rank": "Rank", "long": "Long-diagonal", "short": "Short-diagonal", "knight": "Knight"}


class Differences:
    """Counts of each kind of difference, with the smallest example."""

    def __init__(self):
        self.possible, self.found, self.smallest = defaultdict(int), defaultdict(int), {}

    def note(self, kind, differs, fen, attempt):
        self.possible[kind] += 1
        if differs:
            self.found[kind] += 1
            men = sum(c.isalpha() for c in fen.split()[0])
            example = (men, len(fen), fen, attempt)
            self.smallest[kind] = min(example, self.smallest.get(kind, example))

    def add(self, other):
        """Adds the counts of another part."""
        for kind, count in other.possible.items():
            self.possible[kind] += count
            self.found[kind] += other.found[kind]
            if kind in other.smallest:
                self.smallest[kind] = min(other.smallest[kind], self.smallest.get(kind, other.smallest[kind]))

    def rows(self):
        for kind in sorted(self.possible):
            fen, attempt = self.smallest.get(kind, ("",) * 4)[2:]
            yield kind, self.found[kind], self.possible[kind], fen, attempt


def attempts(white, black):
    """Plays a game. Yields each attempt as `(seat, attempt, answer, heard, fen, outcome)`: what Black
    heard of it, and the position after it. A player has `attempt(view)`."""
    game, players = Game("wild16"), (black, white)
    since = len(game.heard(False))
    while not game.is_game_over():
        seat = game.turn
        attempt = players[seat].attempt(game.view(seat))
        answer = game.attempt(attempt)
        heard = game.heard(False, since=since)
        since += len(heard)
        yield seat, attempt, answer, heard, game.truth().fen(), game.outcome()


def replay(played, game, differences):
    """Replays one game, up to the first attempt that OpenSpiel judges otherwise or does not offer."""
    note = differences.note
    state = game.new_initial_state()
    before = Game("wild16").truth().fen()
    for seat, attempt, answer, items, after, outcome in played:
        player = int(seat)  # OpenSpiel's player 0 is Black.
        if state.is_terminal() or state.current_player() != player:
            note("the game had ended in OpenSpiel", True, before, attempt)
            return
        action = _action(state, player, attempt)
        note("an attempt that we take is not offered", action is None, before, attempt)
        if action is None:
            if answer == "moved":
                return
            continue
        other = state.information_state_string(1 - player)
        state.apply_action(action)
        if answer != "moved":
            refused = "Illegal" in _message(state, player)
            note("a refused attempt is played", not refused, before, attempt)
            if not refused:
                return
            told = state.information_state_string(1 - player) != other
            note("the opponent hears of a refused attempt", told, before, attempt)
            continue
        message = _message(state, player)
        note("a legal move is refused", "Illegal" in message, before, attempt)
        if "Illegal" in message:
            return
        heard = {item["kind"]: item for item in items}
        _announcements(note, heard, message, before, after, attempt)
        if outcome:
            kind = f"the end by {outcome.termination} is not seen at once"
            note(kind, not state.is_terminal(), after, attempt)
            return
        note("the game ends too early", state.is_terminal(), after, attempt)
        if state.is_terminal():
            return
        before = after


def _action(state, player, attempt):
    for action in state.legal_actions():
        text = state.action_to_string(player, action)
        if text == attempt:
            return action
    return None


def _message(state, player):
    """OpenSpiel's last announcement, as a player reads it."""
    return state.observation_string(player).rsplit("\n", 1)[-1]


def _announcements(note, heard, message, before, fen, attempt):
    """Compares what is announced after a move."""
    capture = heard.get("capture")
    told = " captured" in message
    if capture:
        kind = "a capture en passant" if _is_empty(before, attempt[2:4]) else "another capture"
        note(f"{kind} is not announced", not told, before, attempt)
        if told:
            square = message.split(" captured")[0][-2:]
            note("a capture is announced on another square", square != capture["square"], fen, attempt)
            word = message.split(" at ")[0].lower()
            note("a captured man is named otherwise", word != capture["man"], fen, attempt)
    else:
        note("a capture is announced where there is none", told, fen, attempt)
    directions = heard.get("check", {}).get("directions", [])
    theirs = [word for word in DIRECTIONS.values() if f"{word} check" in message]
    if directions:
        note("a check is not announced", not theirs, fen, attempt)
        if theirs:
            ours = sorted(DIRECTIONS[direction] for direction in directions)
            note("a check is announced from another direction", ours != sorted(theirs), fen, attempt)
    else:
        note("a check is announced where there is none", bool(theirs), fen, attempt)
    tries = heard.get("tries", {}).get("count")
    if tries is not None:
        words = message.rstrip(".").split(", ")
        count = next((int(word.split()[0]) for word in words if "pawn tr" in word), 0)
        where = "where a pawn can promote" if _promoting(fen) else "elsewhere"
        note(f"the number of pawn tries differs {where}", count != tries, fen, attempt)


def _is_empty(fen, square):
    rank = fen.split()[0].split("/")[8 - int(square[1])]
    rank = "".join("1" * int(c) if c.isdigit() else c for c in rank)
    return rank["abcdefgh".index(square[0])] == "1"


def _promoting(fen):
    """Whether the side to move has a pawn one step before promotion."""
    board, turn = fen.split()[:2]
    return ("P" in board.split("/")[1]) if turn == "w" else ("p" in board.split("/")[6])


def compare(seed, games):
    """The differences in `games` games from `seed` on."""
    game, differences = pyspiel.load_game("kriegspiel"), Differences()
    for number in range(seed, seed + games):
        pair = [Player(name, number, stream) for stream, name in enumerate(("random", "semi-random"))]
        replay(attempts(*pair[:: 1 if number % 2 else -1]), game, differences)
    return differences


def main(arguments=None):
    parser = ArgumentParser(prog="python -m kriegspiel.compare_openspiel", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=10_000, help="number of games (default 10,000)")
    parser.add_argument("--seed", type=int, default=22, help="seed of the first game (default 22)")
    parser.add_argument("--jobs", type=int, help="processes (default: one for each processor)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args(arguments)
    differences, part = Differences(), 50
    ends = options.seed + options.games
    with Pool(options.jobs) as pool:
        parts = [(first, min(part, ends - first)) for first in range(options.seed, ends, part)]
        for one in pool.starmap(compare, parts):
            differences.add(one)
    rows = [dict(zip(("kind", "found", "possible", "fen", "attempt"), row)) for row in differences.rows()]
    if options.json:
        print(json.dumps({"games": options.games, "differences": rows}))
        return 0
    print(f"{options.games} games")
    for row in sorted(rows, key=lambda row: not row["found"]):
        print(f"{row['found']:7} of {row['possible']:7}  {row['kind']}")
        if row["found"]:
            print(f"{'':20}{row['fen']}  {row['attempt']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
