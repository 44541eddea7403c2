"""Makes games on N workers of Ray, and merges them into one folder of Parquet files.

    python ray_games.py FOLDER [WORKERS] [ARENA OPTIONS ...]

Needs `ray` and the command `kriegspiel` on every worker; KRIEGSPIEL names another program. The games
depend on the options only, not on the number of workers.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import ray
from kriegspiel import data

OPTIONS = ["--players", "level-1,random", "--rules", "wild16", "--games", "20", "--seed", "1"]


@ray.remote
def shard(number, workers, options):
    """The games of one shard, as the bytes of a `.jsonl.zst` file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "games.jsonl.zst"
        program = os.environ.get("KRIEGSPIEL", "kriegspiel")
        part = ["--shard", f"{number}/{workers}", "--jobs", "1", "--out", str(out)]
        subprocess.run([program, "arena", *options, *part], check=True, capture_output=True)
        return out.read_bytes()


def main(folder, workers=2, *options):
    workers = int(workers)
    ray.init(num_cpus=workers, include_dashboard=False)
    parts = [shard.remote(n + 1, workers, list(options) or OPTIONS) for n in range(workers)]
    with tempfile.TemporaryDirectory() as scratch:
        files = [Path(scratch) / f"{n}.jsonl.zst" for n in range(workers)]
        for file, part in zip(files, parts):
            file.write_bytes(ray.get(part))
        print(data.convert(files, folder))
    ray.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
