"""How many requests a second `ndcast explain --jsonl` answers.

The requests are those of the conformance cases, in random order. Times are of the whole process: the best of
several runs, because other processes disturb the rest.

    python3 bench/jsonl.py [--command target/release/ndcast] [--count 1000000] [--runs 5]
"""

import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = ("rule", "shapes", "target", "axes", "axis", "index")


def requests():
    for table in sorted((ROOT / "cases").glob("*.jsonl")):
        for line in table.read_text().splitlines():
            row = json.loads(line)
            if "rule" in row:
                yield json.dumps({name: row[name] for name in FIELDS if name in row})


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--command", default=str(ROOT / "target/release/ndcast"))
    arguments.add_argument("--count", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=5)
    options = arguments.parse_args()
    every = list(requests())
    chosen = random.Random(1).choices(every, k=options.count)
    with tempfile.TemporaryFile() as file:
        file.write(("\n".join(chosen) + "\n").encode())
        times = []
        for _ in range(options.runs):
            file.seek(0)
            start = time.perf_counter()
            subprocess.run([options.command, "explain", "--jsonl"], stdin=file, stdout=subprocess.DEVNULL, check=True)
            times.append(time.perf_counter() - start)
    best = min(times)
    print(f"{options.count} requests of {len(every)} kinds: {options.count / best:,.0f} a second (best of {options.runs})")


if __name__ == "__main__":
    main()
