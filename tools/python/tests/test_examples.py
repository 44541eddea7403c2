"""The examples, the comparison with OpenSpiel, the benchmark and the tutorial, shortened."""

import importlib.util
import io
import json
import os
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
import pyspiel
import pytest
from kriegspiel import bench, data, pipe

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
    # OpenSpiel's bot draws numbers without a seed: 120 simulations won 3 of 4 and drew one, twice.
    results = example("ismcts").main(games=4, simulations=120)
    assert results.count(1.0) >= 2 and -1.0 not in results


def test_two_workers_of_ray_make_the_games_of_one_run(monkeypatch, tmp_path):
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "300")  # on a busy machine, 60 are too few
    options = ["--players", "random,simple", "--rules", "wild16", "--games", "6", "--seed", "3"]
    example("ray_games").main(str(tmp_path / "ray"), 2, *options)
    words = [os.environ["KRIEGSPIEL"], "arena", *options, "--out", str(tmp_path / "one.jsonl")]
    subprocess.run(words, check=True, capture_output=True)
    data.convert([tmp_path / "one.jsonl"], tmp_path / "one")
    tables = [pq.read_table(tmp_path / folder / "seats.parquet") for folder in ("ray", "one")]
    ray, one = (table.sort_by([("game", "ascending"), ("n", "ascending")]) for table in tables)
    assert ray.equals(one)


def test_the_tutorial_runs(monkeypatch, tmp_path):
    monkeypatch.setenv("KRIEGSPIEL_TRAINING_SECONDS", "30")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((FOLDER / "tutorial.ipynb").read_text())
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "tutorial", "exec"), names)  # noqa: S102
    assert 0 <= names["figures"]["score"] <= 1
    assert "level-1" in names["arena"]


class Script:
    """A player of given attempts, or of random ones."""

    def __init__(self, moves=(), seed=0):
        self.moves, self.rng = list(moves), random.Random(seed)

    def attempt(self, view):
        if self.moves:
            return self.moves.pop(0)
        return self.rng.choice(view.legal_actions())


def test_the_comparison_finds_the_known_differences():
    from kriegspiel.compare_openspiel import Differences, attempts, replay

    differences = Differences()
    for white, black, attempts_made in (
        (["f2f3", "g2g4"], ["e7e5", "d8h4"], 4),  # mate
        (["e2e4", "e4e5", "e5f6", "e5d6"], ["a7a6", "d7d5"], 6),  # a refused try, en passant
    ):
        played = attempts(Script(white), Script(black))
        replay(islice(played, attempts_made), pyspiel.load_game("kriegspiel"), differences)
    found = {kind: (count, possible) for kind, count, possible, _, _ in differences.rows() if count}
    assert found == {
        "a capture en passant is not announced": (1, 1),
        "a check is not announced": (1, 1),
        "the end by checkmate is not seen at once": (1, 1),
        "the opponent hears of a refused attempt": (1, 1),
    }


def test_random_playouts_differ_from_openspiel_as_the_page_says():
    """The games of `python_kriegspiel_umpire` are those of the referee (test_openspiel.py)."""
    from kriegspiel.compare_openspiel import compare

    rows = [line.split(" | ") for line in (DOCS / "openspiel.md").read_text().splitlines() if line.startswith("| ")]
    differing = {row[0].removeprefix("| ") for row in rows if len(row) > 2 and row[1].strip() not in ("0", "found")}
    differences = compare(seed=1, games=30)
    found = {kind for kind, count, _, _, _ in differences.rows() if count}
    assert found <= differing and len(found) >= 3
    assert sum(differences.possible.values()) > 10_000


def test_bench_is_the_same_for_the_same_seed():
    figures = [bench.score(lambda seed: bench.Player("random", seed), 2, 5, levels=["random"]) for _ in range(2)]
    assert figures[0] == figures[1] and figures[0]["games"] == 4
    low, high = figures[0]["interval"]
    assert low <= figures[0]["score"] <= high


def test_bench_gives_nothing_to_an_agent_that_never_moves():
    class Stubborn:
        def __init__(self, seed):
            self.seed = seed

        def attempt(self, view):
            return "a1b1"

    assert bench.score(Stubborn, 4, levels=["random"])["score"] == 0


def test_bench_names_an_unknown_agent(capsys):
    assert bench.main(["random", "--against", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert bench.main(["random:random"]) == 2
    assert "seed" in capsys.readouterr().err
    assert bench.main(["nobody"]) == 2
    assert "the players are" in capsys.readouterr().err
    assert bench.main(["no_module:agent"]) == 2


def test_an_agent_plays_over_a_pipe(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Agent:\n"
        "    def __init__(self, seed): pass\n"
        "    def attempt(self, view): return max(view.legal_actions())\n"
    )
    players = f"cmd:{sys.executable} -m kriegspiel.pipe mine:Agent,random"
    limits = ["--games", "2", "--max-plies", "5", "--time", "60", "--game", "no-50"]
    words = ["arena", "--players", players, "--rules", "wild16", *limits, "--out", "out.jsonl"]
    subprocess.run([os.environ["KRIEGSPIEL"], *words], check=True, capture_output=True, cwd=tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert all(line["over"] is None or line["over"]["reason"] != "abandoned" for line in lines)
    assert sum(line["attempt"] == "h2h4" for line in lines) == 1


@pytest.mark.parametrize(
    "arguments, line, says",
    [
        ([], "", "say AGENT"),
        (["nobody"], "", "the players are"),
        (["random"], '{"game":"1","your_turn":true,"tries":[]}', "a game begun"),
        (["random"], "e2e4", "not a line"),
        (["random"], '{"new_game":{"protocol":3}}', "protocol 3"),
    ],
)
def test_a_pipe_names_bad_lines(arguments, line, says, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(line))
    assert pipe.main(arguments) == 2
    assert says in capsys.readouterr().err


def test_the_code_of_the_page_runs():
    page = (DOCS / "python.md").read_text()
    assert len(page.encode()) <= 10_000
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    assert len(blocks) == 3
    names = {}
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)  # noqa: S102
    assert names["game"].turn and names["world"].turn
