"""Games of the arena as Parquet.

    python -m kriegspiel.data games.jsonl.zst data/      # one file, or the shards of a run
    kriegspiel arena --out games.jsonl.zst ...           # makes such files

The folder gets `seats.parquet`, what the seats heard and tried; `truth.parquet`, the true position
after each line; and `games.parquet`, a row a game. Rows of the first two agree in `game` and `n`, so a
learner that reads `seats.parquet` alone cannot see the truth. The metadata of each file has the key
`kriegspiel`: ruleset, choices, players, seed, versions. Install with
`pip install kriegspiel-umpire[data]`.

Columns of `seats.parquet`, a row for each line of the run:

| column | type | value |
| --- | --- | --- |
| `game` | int64 | number of the game in the run |
| `n` | int32 | number of the line in the game; 0 is the start |
| `by` | string | who made the attempt: `white`, `black`; null at the start |
| `attempt`, `answer` | string | the attempt, and the referee's answer (docs/json.md) |
| `action` | int16 | action id of the attempt; null if it has none |
| `heard_white`, `heard_black` | string | what the seat heard, as JSON |
| `to_move` | string | who is to move after the line; null at the end |
| `mask` | list<int16> | action ids of the tries offered to the side to move |
| `marginals` | list<uint16> | 6 times 64 probabilities in 1/10,000 (pawn to king, a1 to h8) that the side to move gives to the opponent's men; null if not recorded |
"""

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from . import ACTIONS_VERSION, KriegspielError, __version__, action_id

#: Rows that are in memory at once.
BATCH = 1_000
FORMAT = 1

SEATS = pa.schema(
    [
        ("game", pa.int64()),
        ("n", pa.int32()),
        ("by", pa.string()),
        ("attempt", pa.string()),
        ("answer", pa.string()),
        ("action", pa.int16()),
        ("heard_white", pa.string()),
        ("heard_black", pa.string()),
        ("to_move", pa.string()),
        ("mask", pa.list_(pa.int16())),
        ("marginals", pa.list_(pa.uint16())),
    ]
)
TRUTH = pa.schema([("game", pa.int64()), ("n", pa.int32()), ("fen", pa.string())])
GAMES = pa.schema(
    [
        ("game", pa.int64()),
        ("white", pa.string()),
        ("black", pa.string()),
        ("result", pa.string()),
        ("reason", pa.string()),
        ("lines", pa.int32()),
    ]
)
TABLES = {"seats": SEATS, "truth": TRUTH, "games": GAMES}


def lines(path):
    """The lines of a file of `arena --out` (.jsonl or .jsonl.zst), one after the other."""
    compression = "zstd" if str(path).endswith(".zst") else None
    with pa.input_stream(str(path), compression=compression) as stream:
        rest = b""
        while block := stream.read(1 << 16):
            *whole, rest = (rest + block).split(b"\n")
            yield from map(json.loads, filter(None, whole))
        if rest:
            yield json.loads(rest)


def convert(sources, folder):
    """Writes the games of `sources`, files of one run in the order of its shards, to `folder`.

    Returns the header. Raises `KriegspielError` if the folder has files already, if a line is not of
    `arena --out`, or if the files are of different runs; then nothing is left in the folder.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise KriegspielError(f"{folder} is not empty: it may hold another run; choose a new folder")
    part = {name: folder / f"{name}.parquet.part" for name in TABLES}
    writer = None
    try:
        for source in sources:
            for line in _checked(source):
                if line["n"] == 0:
                    header = _header(line)
                    if writer is None:
                        writer = _Writer(part, header)
                    writer.open(line, header, source)
                writer.add(line)
        if writer is None:
            raise KriegspielError("there is no game in the files")
        writer.close()
        for name, path in part.items():
            os.replace(path, folder / f"{name}.parquet")
    except BaseException:
        for path in part.values():
            path.unlink(missing_ok=True)
        raise
    return writer.header


def _checked(source):
    opened = False
    for number, line in enumerate(lines(source), 1):
        opened = opened or line.get("n") == 0
        if not opened or (line.get("n") == 0 and "run" not in line) or "tries" not in line:
            raise KriegspielError(f"{source}, line {number}: not a line of `kriegspiel arena --out`")
        yield line


def _header(first):
    run = first["run"]
    return {
        "format": FORMAT,
        "rules": first["white"][0]["rules"],
        "rules_version": run["version"],
        "choices": run["choices"],
        "seed": run["seed"],
        "actions_version": ACTIONS_VERSION,
        "package": __version__,
        "players": sorted({run["white"], run["black"]}),
    }


class _Writer:
    def __init__(self, part, header):
        metadata = {"kriegspiel": json.dumps(header, sort_keys=True)}
        self.header = header
        self.players = set(header["players"])
        self.rows = {name: [] for name in TABLES}
        self.files = {
            name: pq.ParquetWriter(part[name], schema.with_metadata(metadata), compression="zstd")
            for name, schema in TABLES.items()
        }
        self.game = None

    def open(self, line, header, source):
        for key, value in self.header.items():
            if key != "players" and header[key] != value:
                raise KriegspielError(f"{source} is of another run: {key} is {header[key]}, not {value}")
        self._end()
        run = line["run"]
        self.players.update((run["white"], run["black"]))
        self.game = {"game": run["game"], "white": run["white"], "black": run["black"]}

    def add(self, line):
        key = {"game": self.game["game"], "n": line["n"]}
        over = line["over"] or {"result": "*", "reason": None}
        self.game.update(over, lines=line["n"] + 1)
        self._row("truth", {**key, "fen": line["fen"]})
        row = {name: line[name] for name in ("by", "attempt", "answer", "to_move")}
        row["action"] = _action(line["attempt"]) if line["by"] else None
        row["heard_white"] = json.dumps(line["white"], separators=(",", ":"))
        row["heard_black"] = json.dumps(line["black"], separators=(",", ":"))
        row["mask"] = [action_id(attempt) for attempt in line["tries"]]
        row["marginals"] = _marginals(line.get("marginals"))
        self._row("seats", {**key, **row})

    def _row(self, table, row):
        rows = self.rows[table]
        rows.append(row)
        if len(rows) >= BATCH:
            self._flush(table)

    def _flush(self, table):
        self.files[table].write_table(pa.Table.from_pylist(self.rows[table], TABLES[table]))
        self.rows[table].clear()

    def _end(self):
        if self.game:
            self._row("games", self.game)

    def close(self):
        self._end()
        for table in TABLES:
            self._flush(table)
            self.header["players"] = sorted(self.players)
            metadata = {"kriegspiel": json.dumps(self.header, sort_keys=True)}
            self.files[table].add_key_value_metadata(metadata)
            self.files[table].close()


def _action(attempt):
    try:
        return action_id(attempt)
    except KriegspielError:
        return None


def _marginals(given):
    if given is None:
        return None
    values = [0] * 384
    for man, squares in given.items():
        for square, share in squares.items():
            values[64 * "pnbrqk".index(man.lower()) + "abcdefgh".index(square[0]) + 8 * int(square[1]) - 8] = share
    return values


def main(arguments=None):
    parser = ArgumentParser(prog="python -m kriegspiel.data", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", help="files of `kriegspiel arena --out`, in the order of the shards")
    parser.add_argument("folder", help="a new or empty folder")
    options = parser.parse_args(arguments)
    try:
        header = convert(options.files, options.folder)
    except (KriegspielError, OSError, ValueError) as error:
        print(f"python -m kriegspiel.data: {error}", file=sys.stderr)
        return 1
    print(json.dumps(header))
    return 0


if __name__ == "__main__":
    sys.exit(main())
