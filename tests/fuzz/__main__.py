"""`python -m tests.fuzz TARGET --seconds 600`: fuzz one parser, guided by coverage where atheris is installed."""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time

NAMES = ("thinking", "tool_calls", "json", "numbers", "layers")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        return _without_coverage(options.target, options.seconds, options.seed)
    with atheris.instrument_imports(include=["modex"]):  # must be their first import
        from tests.fuzz import targets

    def one(data: bytes) -> None:
        text = targets.text_of(options.target, data)
        try:
            targets.check(options.target, text)
        except BaseException:
            print(f"input: {text!r}", file=sys.stderr)
            raise

    flags = [f"-max_total_time={options.seconds}", f"-seed={options.seed}", "-max_len=2000", "-timeout=20"]
    atheris.Setup([sys.argv[0], *flags], one)
    atheris.Fuzz()
    return 0


def _without_coverage(target: str, seconds: int, seed: int) -> int:
    """Random inputs and mutations of them; the first that breaks a property is printed."""
    from tests.fuzz.targets import check, text_of

    rng = random.Random(seed)
    pool = [b""]
    count, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        data = bytearray(rng.choice(pool))
        for _ in range(rng.randint(1, 12)):
            place = rng.randint(0, len(data))
            data[place : place + rng.choice((0, 0, 1, 3))] = rng.randbytes(rng.choice((1, 1, 2, 8, 200)))
        text = text_of(target, bytes(data[:2000]))
        try:
            check(target, text)
        except BaseException:
            print(f"input: {text!r}", file=sys.stderr)
            raise
        count += 1
        if rng.random() < 0.01:
            pool = [*pool[-200:], bytes(data[:2000])]
    print(f"{target}: {count} inputs in {seconds} s, nothing broke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
