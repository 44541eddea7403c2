"""Parquet from lines of the arena."""

import hashlib
import json
import os
import re
import subprocess
import tracemalloc
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from kriegspiel import WHITE, Game, KriegspielError, View, action_name, data


def record(number, moves, seed=7, white="random", black="level-1"):
    """The lines of a game, as `kriegspiel arena --out` writes them."""
    game = Game("wild16")

    def line(n, by, attempt, answer, since):
        heard = [[item for item in game.heard(seat, since=at)] for seat, at in zip((True, False), since)]
        over = game.outcome()
        to_move = None if over else "white" if game.turn else "black"
        return {
            "n": n, "by": by, "attempt": attempt, "answer": answer, "white": heard[0], "black": heard[1],
            "room": [], "fen": game.truth().fen(), "to_move": to_move, "over": None,
            "tries": sorted(game.tries(game.turn)),
        }

    lines = [line(0, None, "new", "new", (0, 0))]
    lines[0]["run"] = {
        "game": number, "white": white, "black": black, "seed": seed, "version": 1,
        "choices": Game("wild16").ruleset.choices,
    }
    for n, move in enumerate(moves, 1):
        by = "white" if game.turn else "black"
        since = (len(game.heard(True)), len(game.heard(False)))
        answer = game.attempt(move)
        lines.append(line(n, by, move, answer, since))
    return "".join(json.dumps(one) + "\n" for one in lines)


MOVES = ["e2e4", "d7d5", "e4f5", "e4d5", "d8d5"]


def test_information_states_from_files_equal_live_ones(tmp_path):
    source = tmp_path / "games.jsonl"
    source.write_text(record(1, MOVES) + record(2, MOVES[:2]))
    header = data.convert([source], tmp_path / "out")
    assert header["rules"] == "wild16" and header["players"] == ["level-1", "random"]
    seats = pq.read_table(tmp_path / "out" / "seats.parquet")
    assert json.loads(seats.schema.metadata[b"kriegspiel"])["seed"] == 7
    rows = [row for row in seats.to_pylist() if row["game"] == 1]
    live, view = Game("wild16"), View("wild16", WHITE)
    for row in rows:
        view.hear(json.loads(row["heard_white"]))
        if row["n"]:
            assert action_name(row["action"]) == row["attempt"]
            live.attempt(row["attempt"])
        other = live.view(WHITE)
        assert view.information_state_string() == other.information_state_string()
        assert (view.observation_tensor() == other.observation_tensor()).all()
        if live.turn == WHITE:
            assert sorted(row["mask"]) == sorted(view.legal_actions())
    assert "fen" not in seats.column_names
    truth = pq.read_table(tmp_path / "out" / "truth.parquet").to_pylist()
    assert truth[len(rows) - 1]["fen"] == live.truth().fen()
    games = pq.read_table(tmp_path / "out" / "games.parquet").to_pylist()
    assert [(game["game"], game["lines"]) for game in games] == [(1, 6), (2, 3)]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([record(1, MOVES), record(2, MOVES, seed=8)], "another run: seed is 8, not 7"),
        (['{"n": 0}\n'], "line 1: not a line"),
        ([""], "there is no game"),
    ],
)
def test_wrong_files_leave_nothing(tmp_path, texts, message):
    sources = []
    for number, text in enumerate(texts):
        sources.append(tmp_path / f"{number}.jsonl")
        sources[-1].write_text(text)
    with pytest.raises(KriegspielError, match=message):
        data.convert(sources, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_folder_of_another_run_is_refused(tmp_path):
    source = tmp_path / "games.jsonl"
    source.write_text(record(1, MOVES))
    data.convert([source], tmp_path / "out")
    with pytest.raises(KriegspielError, match="may hold another run"):
        data.convert([source], tmp_path / "out")


def test_memory_is_flat(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "BATCH", 100)
    peaks = []
    text = record(1, MOVES)
    for games in (300, 1500):
        source = tmp_path / f"{games}.jsonl"
        source.write_text(text * games)
        tracemalloc.start()
        data.convert([source], tmp_path / str(games))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


def test_the_first_games_of_the_set_have_the_hash_of_the_page(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "python.md").read_text().replace(" \\\n", "")
    command, shard, engine, digest = re.search(
        r"kriegspiel (arena [^`]*) --shard 1/16 .*(--shard 1/3334 --out part.jsonl)\nsha256sum part.jsonl # (engine \d+): (\w+)",
        page,
        re.DOTALL,
    ).groups()
    program = [os.environ["KRIEGSPIEL"], *command.split(), *shard.split()]
    subprocess.run(program, check=True, capture_output=True, cwd=tmp_path)
    made = (tmp_path / "part.jsonl").read_bytes()
    assert hashlib.sha256(made).hexdigest() == digest, f"the hash in docs/python.md is of {engine}"
    assert made.count(b'"answer":"new"') == 30
