"""lm-evaluation-harness, with its `api` extra."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.peers.peer import Command, Work, install_python


class LmEvalPeer:
    name = "lm-evaluation-harness"
    version = "0.4.13"

    def install(self, cache: Path) -> None:
        install_python(cache, f"lmeval-{self.version}", f"lm_eval[api]=={self.version}")

    def command(self, cache: Path, work: Work) -> Command:
        task = {
            "task": "trivial",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": str(work.rows)}},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{question}}",
            "doc_to_target": "{{answer}}",
            "generation_kwargs": {"until": [], "max_gen_toks": 64},
            "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        }
        (work.folder / "trivial.yaml").write_text(json.dumps(task))
        model = (
            f"model=test-model,base_url={work.base}/chat/completions,num_concurrent={work.concurrency},max_retries=3"
        )
        return Command(
            [
                self._program(cache), "run", "--model", "local-chat-completions",
                "--model_args", f"{model},tokenized_requests=False", "--tasks", "trivial",
                "--include_path", work.folder, "--apply_chat_template",
                "--output_path", work.folder / "out", "--log_samples",
            ],
            {
                "OPENAI_API_KEY": "none",
                "HF_HOME": str(work.folder / "hf"),
                "HF_HUB_OFFLINE": "1",
                "HF_DATASETS_OFFLINE": "1",
            },
        )  # fmt: skip

    def help_command(self, cache: Path) -> Command:
        return Command([self._program(cache), "--help"])

    def _program(self, cache: Path) -> Path:
        return cache / f"lmeval-{self.version}" / "bin" / "lm_eval"
