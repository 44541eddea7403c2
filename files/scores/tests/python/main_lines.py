"""Reads a PGN with python-chess and compares every final position.

Usage: main_lines.py GAMES.pgn FINALS.txt RULES
FINALS.txt has one line for each game: the FEN of its last position.
"""

import sys

import chess.pgn


def main() -> int:
    games = plies = 0
    with open(sys.argv[1], encoding="utf-8") as pgn, open(sys.argv[2], encoding="utf-8") as finals:
        for expected in finals:
            game = chess.pgn.read_game(pgn)
            if game is None:
                print(f"game {games + 1}: missing")
                return 1
            if game.errors:
                print(f"game {games + 1}: {game.errors}")
                return 1
            board = game.end().board()
            # Programs write the men of a reserve in different orders.
            same = type(board)(expected.strip())
            if board.uci_variant == "crazyhouse":
                # Programs differ on whether a pawn drop resets the half-move clock.
                # No ruleset with drops uses this clock.
                same.halfmove_clock = board.halfmove_clock
            if board.fen() != same.fen():
                print(f"game {games + 1}: {board.fen()} and not {same.fen()}")
                return 1
            # `umpire` does not recognise mate, so the game continues.
            seen = game.headers["Rules"] != "umpire"
            if seen and board.is_checkmate() and board.result() != game.headers["Result"]:
                print(f"game {games + 1}: mate, and not {game.headers['Result']}")
                return 1
            games += 1
            plies += board.ply() - game.board().ply()
        if chess.pgn.read_game(pgn) is not None:
            print("one game too many")
            return 1
    print(f"figure: games read by python-chess under {sys.argv[3]} {games}")
    print(f"figure: plies read by python-chess under {sys.argv[3]} {plies}")
    return 0


sys.exit(main())
