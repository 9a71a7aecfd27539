"""promptfoo, from npm, on a Node.js of its own from there too: it needs a newer one than many machines have."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from benchmarks.peers.peer import Command, Work

NODE = "22.23.3"


class PromptfooPeer:
    name = "promptfoo"
    version = "0.123.1"

    def install(self, cache: Path) -> None:
        home = self._home(cache)
        if (home / "complete").exists():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise FileNotFoundError("npm is not installed")
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [
                npm,
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--omit=dev",
                f"promptfoo@{self.version}",
                f"node@{NODE}",
            ],
            cwd=home,
            check=True,
        )
        (home / "complete").touch()

    def command(self, cache: Path, work: Work) -> Command:
        tests = [json.loads(line) for line in work.rows.read_text().splitlines()]
        config = {
            "prompts": ["{{question}}"],
            "providers": [
                {
                    "id": "openai:chat:test-model",
                    "config": {"apiBaseUrl": work.base, "apiKey": "none", "max_tokens": 64},
                }
            ],
            "tests": [
                {"vars": {"question": row["question"]}, "assert": [{"type": "equals", "value": row["answer"]}]}
                for row in tests
            ],
        }
        file = work.folder / "promptfooconfig.json"
        file.write_text(json.dumps(config))
        return Command(
            [
                self._program(cache), "eval", "-c", file, "--no-cache", "-j", str(work.concurrency),
                "--no-progress-bar", "--no-table", "-o", work.folder / "out.json",
            ],
            self._env(self._program(cache), work.folder),
        )  # fmt: skip

    def help_command(self, cache: Path) -> Command:
        program = self._program(cache)
        return Command([program, "--help"], self._env(program, self._home(cache) / "config"))

    def _env(self, program: Path, folder: Path) -> dict[str, str]:
        return {
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "PROMPTFOO_CONFIG_DIR": str(folder / "config"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        }

    def _home(self, cache: Path) -> Path:
        return cache / f"promptfoo-{self.version}-node-{NODE}"

    def _program(self, cache: Path) -> Path:
        return self._home(cache) / "node_modules" / ".bin" / "promptfoo"
