"""Compares OpenSpiel's Kriegspiel with this referee, attempt by attempt.

    python -m kriegspiel.compare_openspiel games.jsonl[.zst] ...

Replays recorded games of `kriegspiel arena --out games.jsonl --rules wild16` in OpenSpiel (`kriegspiel`
of `pyspiel`), and prints a line for each kind of difference: how often it could occur, how often it
did, and the smallest position with it (fewest men) with the attempt. Needs
`pip install kriegspiel-umpire[openspiel,data]`.
"""

import json
import sys
from argparse import ArgumentParser
from collections import defaultdict

import pyspiel

from . import data

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
            if kind not in self.smallest or example < self.smallest[kind]:
                self.smallest[kind] = example

    def rows(self):
        for kind in sorted(self.possible):
            fen, attempt = self.smallest.get(kind, (0, 0, "", ""))[2:]
            yield kind, self.found[kind], self.possible[kind], fen, attempt


def games(paths):
    """The lines of each recorded game."""
    for path in paths:
        game = []
        for line in data.lines(path):
            if line["answer"] == "new" and game:
                yield game
                game = []
            game.append(line)
        if game:
            yield game


def replay(lines, game, differences):
    """Replays one game, up to the first attempt that OpenSpiel judges otherwise or does not offer."""
    first = lines[0]
    if first["white"][0]["rules"] != "wild16" or first["attempt"] != "new":
        raise ValueError("OpenSpiel's rules are those of wild16 from the usual position")
    note = differences.note
    state = game.new_initial_state()
    before = first["fen"]
    for line in lines[1:]:
        attempt, by, answer = line["attempt"], line["by"], line["answer"]
        if answer not in ("moved", "no", "nonsense"):
            continue
        player = 1 if by == "white" else 0  # OpenSpiel's player 0 is Black.
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
        moved = line["fen"] != before
        heard = {item["kind"]: item for item in line["room"]}
        if not moved:
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
        _announcements(note, heard, message, before, line["fen"], attempt)
        if line["over"]:
            reason = line["over"]["reason"]
            note(f"the end by {reason} is not seen at once", not state.is_terminal(), line["fen"], attempt)
            return
        note("the game ends too early", state.is_terminal(), line["fen"], attempt)
        if state.is_terminal():
            return
        before = line["fen"]


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


def main(arguments=None):
    parser = ArgumentParser(prog="python -m kriegspiel.compare_openspiel", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", help="recorded games (.jsonl or .jsonl.zst)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args(arguments)
    game = pyspiel.load_game("kriegspiel")
    differences, count = Differences(), 0
    for lines in games(options.files):
        replay(lines, game, differences)
        count += 1
    rows = [dict(zip(("kind", "found", "possible", "fen", "attempt"), row)) for row in differences.rows()]
    if options.json:
        print(json.dumps({"games": count, "differences": rows}))
    else:
        print(f"{count} games")
        for row in rows:
            if row["found"]:
                print(f"{row['found']:7} of {row['possible']:7}  {row['kind']}")
                print(f"{'':20}{row['fen']}  {row['attempt']}")
        agreed = [row for row in rows if not row["found"]]
        for row in agreed:
            print(f"{'none':>7} of {row['possible']:7}  {row['kind']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
