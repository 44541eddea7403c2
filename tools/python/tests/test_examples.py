"""The examples, the comparison with OpenSpiel, the benchmark and the tutorial, shortened."""

import importlib.util
import json
import random
from pathlib import Path

import pyarrow.parquet as pq
import pyspiel
import pytest
from kriegspiel import Game, bench

FOLDER = Path(__file__).parent.parent / "examples"
DOCS = FOLDER.parents[2] / "docs"


def example(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cfr_comes_near_an_equilibrium():
    gains = example("cfr").main(iterations=300, plies=1)
    assert gains[-1] < gains[0] / 2


def test_ismcts_beats_random_attempts():
    results = example("ismcts").main(games=4)
    assert results.count(1.0) >= 3 and -1.0 not in results


def test_two_workers_of_ray_make_the_games_of_one(tmp_path):
    ray_games = example("ray_games")
    options = ["--players", "random,simple", "--rules", "wild16", "--games", "6", "--seed", "3"]
    tables = []
    for workers in (1, 2):
        ray_games.main(str(tmp_path / str(workers)), workers, *options)
        table = pq.read_table(tmp_path / str(workers) / "seats.parquet")
        tables.append(table.sort_by([("game", "ascending"), ("n", "ascending")]))
    assert tables[0].equals(tables[1])


def test_the_tutorial_runs(monkeypatch):
    monkeypatch.setenv("KRIEGSPIEL_TRAINING_SECONDS", "30")
    notebook = json.loads((FOLDER / "tutorial.ipynb").read_text())
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "tutorial", "exec"), names)  # noqa: S102
    assert 0 <= names["figures"]["score"] <= 1


def recorded(moves):
    """Lines of a game, with what the comparison reads."""
    game = Game("wild16")
    start = {"white": game.heard(True)[:1], "fen": game.truth().fen(), "attempt": "new", "answer": "new"}
    lines = [start]
    for move in moves:
        by = "white" if game.turn else "black"
        since = len(game.heard(False))
        answer = game.attempt(move)
        over = game.outcome()
        over = over and {"reason": over.termination, "result": over.result()}
        heard = game.heard(False, since=since)
        lines.append(
            {"by": by, "attempt": move, "answer": answer, "room": heard, "fen": game.truth().fen(), "over": over}
        )
    return lines


def test_the_comparison_finds_the_known_differences():
    from kriegspiel.compare_openspiel import Differences, replay

    differences = Differences()
    for moves in (
        ["f2f3", "e7e5", "g2g4", "d8h4"],  # mate
        ["e2e4", "a7a6", "e4e5", "d7d5", "e5f6", "e5d6"],  # a refused try, en passant
    ):
        replay(recorded(moves), pyspiel.load_game("kriegspiel"), differences)
    found = {kind: (count, possible) for kind, count, possible, _, _ in differences.rows() if count}
    assert found == {
        "a capture en passant is not announced": (1, 1),
        "a check is not announced": (1, 1),
        "the end by checkmate is not seen at once": (1, 1),
        "the opponent hears of a refused attempt": (1, 1),
    }


def test_random_playouts_differ_from_openspiel_as_the_page_says():
    import kriegspiel.openspiel  # noqa: F401
    from kriegspiel.compare_openspiel import Differences, replay

    rows = [line.split(" | ") for line in (DOCS / "openspiel.md").read_text().splitlines() if line.startswith("| ")]
    differing = {row[0].removeprefix("| ") for row in rows if len(row) > 2 and row[1].strip() not in ("0", "found")}
    ours, theirs = pyspiel.load_game("python_kriegspiel_umpire"), pyspiel.load_game("kriegspiel")
    rng, differences = random.Random(1), Differences()
    for _ in range(20):
        state, names = ours.new_initial_state(), []
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            names.append(state.action_to_string(state.current_player(), action))
            state.apply_action(action)
        replay(recorded(names), theirs, differences)
    found = {kind for kind, count, _, _, _ in differences.rows() if count}
    assert found <= differing and len(found) >= 3
    assert sum(differences.possible.values()) > 10_000


def test_bench_is_the_same_for_the_same_seed():
    figures = [bench.score(lambda seed: bench.Player("random", seed), 2, 5, levels=["random"]) for _ in range(2)]
    assert figures[0] == figures[1] and figures[0]["games"] == 4
    low, high = figures[0]["interval"]
    assert low <= figures[0]["score"] <= high


def test_bench_names_an_unknown_agent(capsys):
    assert bench.main(["nobody"]) == 2
    assert "the players are" in capsys.readouterr().err
    assert bench.main(["no_module:agent"]) == 2


def test_the_code_of_the_page_runs():
    page = (DOCS / "python.md").read_text()
    assert len(page.encode()) <= 10_000
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    assert len(blocks) == 3
    names = {}
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)  # noqa: S102
    assert names["game"].turn and names["world"].turn
