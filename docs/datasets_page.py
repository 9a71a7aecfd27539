"""The page on known benchmarks, from the table of presets."""

from __future__ import annotations

from collections.abc import Iterator

from modex.core.evaluators.official.rules import RULES
from modex.core.suite.bundled import bundled_root
from modex.core.suite.datasets.homes import ELSEWHERE, HOMES, DatasetHome
from modex.core.suite.datasets.presets import PRESETS, Preset

_HEAD = """# Known benchmarks

*Written by `python -m docs.generate` from `core/suite/datasets/presets.py`; edit that table, not this page.*

A preset says how a benchmark's file is read: which column is what, what form of answer is asked for, who judges. The file is
yours, or `modex fetch` brings it:

```sh
modex run --model M --dataset validation.jsonl --preset gaia --rollout agentic
modex fetch mmlu-pro
modex run --model M --dataset mmlu-pro --limit 200 --stratify category
```

## Fetched by name

`modex datasets` lists what can be fetched and what is here. `modex fetch NAME…` asks the [Hub](https://huggingface.co/datasets)
which commit its branch is, downloads the files of the table below, verifies each by the SHA-256 that the Hub tells (small
files by their Git blob), and puts them in their place all at once, with a `manifest.json` that says repository, commit and
digests. From then on the name is held to that commit: a later fetch says where the branch has moved, and `--revision main`
goes along. A run takes what is here by its name, reads it by its preset, never asks a network, and keeps repository, commit
and digest in its configuration (`modex show EXP --json`); what is not here is said before anything is asked, exit code 2.

- They lie in the platform's data folder; the setting `datasets` (`MODEX_DATASETS`) names another, `--out DIR` one for once.
- A download that breaks off is gone on with by the next fetch. What came as other bytes is thrown away. Several processes
  that fetch one name download it once.
- Of several files one JSONL file is made, in which a column says which file a row is of (below: *part*).
- Parquet is read by pyarrow: `pip install 'modex[parquet]'`.
- Terms to accept: open the dataset's page, accept them, and set `HF_TOKEN`. `HF_ENDPOINT` names another hub or a mirror.
- Without a network (`--offline`, or none there) the message names the file to bring and the folder to put it into;
  `modex fetch NAME --offline` then takes it from there.

| name | preset | repository and files | rows | licence | terms | part |
|---|---|---|---|---|---|---|
{homes}

Not fetched, since the Hub has no repository of their makers, or not all that a row needs: {elsewhere}.

BFCL is no preset, since each of its files has the golds in another one: `modex import bfcl DIR OUT` makes a suite of them
([which categories](coming-from.md#bfcl)).

## Read by a preset

In a `dataset.json` it is the key `preset`, in the form of a new run the row *preset*. Columns that you name yourself
(`--answer-field …`) and `--evaluator` come before the preset's. The source of the rows is the preset's name, unless a row has
a `source` of its own; a row whose `source` is one of {mixed} (in any case) is asked and judged by that preset
in a file of many sources. Metrics stand by source and level. Rows without a gold are asked and wait for one.

A column `file_name`, `files`, `attachments`, `images` or `image` with names of files sends these with the question:
images, texts and PDF, relative to the dataset's file and inside its folder
([which and how large](writing-tests.md#files-and-images)). A row whose file is missing, or is of a kind that is not sent
(xlsx, docx, mp3, …), is not asked and ends as an error of its own: `check --notes` and the plan name it, the other rows
are asked, and `--agent` gives a file of any kind to an agent of yours. `--filter` leaves such rows out. A column of addresses or
of contents is not sent, and the plan says so.

The column by which a benchmark divides its questions (*category* below) makes the domains and keeps its own name: `--filter
subject=law`, `--stratify subject`, and of a finished run `show RUN --filter subject=law` or `compare A B --filter subject=law`,
whose breakdown is by domain. Of its other columns `--filter NAME=…` asks before a run, `--filter metadata.NAME=…` after it.

Some benchmarks publish a rule by which their own scripts read an answer. Where it stands below, each verdict keeps what that
rule makes of the same response: `show` says both scores and how many differ, `--filter flag:official_differs` opens those,
exports hold it as the part `official`. Ours counts; `--reading official` lets the benchmark's own count, in `run` and in
`judge` of a run that is there. `modex compare RUN --figure 94.8` lays a published figure beside a run: whether its interval
holds it, what may differ from how the figure was made, and how many more questions would tell.

## By likelihood

Multiple choice is mostly published by likelihood: nothing is answered, and the option counts that the model finds likeliest.
`modex run --dataset FILE --preset hellaswag --reading loglikelihood --model openai/NAME --api-base URL` does so. One call
finds out which way the server can, which is said and kept with the run; one that can neither is refused before a question is
asked.

- **Of whole options**, where it tells the log-probabilities of a prompt (`/v1/completions` with `echo` and `logprobs`, as vLLM
  does): each option's text behind the question, as lm-eval asks its `local-completions`. The score is lm-eval's `acc` (the
  highest sum); `acc_norm` (the highest sum by characters) stands beside it, and `acc_bytes` in exports. Of 120 questions with
  407 options, asked of one server by lm-eval 0.4.13 and by modex, every log-probability, `acc`, `acc_norm` and `acc_bytes` was
  the same.
- **Of letters**, where it tells the alternatives to the next token alone (llama.cpp's server, `gguf:FILE` and `smollm2` with it):
  the letters behind `Answer:`, with or without a blank before them, among the 200 likeliest tokens. That is another kind of
  figure, and said so.

`arc`, `hellaswag`, `winogrande`, `boolq` and `commonsenseqa` are asked in the words of lm-eval's tasks, without worked examples;
all others with options as MMLU is there: question, lettered options, `Answer:`, and the letters to go on with. Tests without
options are left out by name. No chat template is applied; a system prompt of a suite stands above the question. One call a
test; what is finished is never asked again, and answers and likelihoods are never judged as each other. A suite's test says
itself what is compared: [`loglikelihood`](evaluators.md#loglikelihood).

| preset | judged by | levels |
|---|---|---|
"""
_JUDGES = {
    "gaia": "[its matcher](evaluators.md#gaia-answers-by-gaias-rules), no model",
    "match": "[`match`](evaluators.md#match), no model",
    "code_tests": "[`code_tests`](evaluators.md#code_tests), in a sandbox",
    "llm_judge": "the judge `prompts/judge/binary.md`",
    "sql_executor": "[`sql_executor`](evaluators.md#sql_executor), no model",
    "spans": "[DROP's measure](evaluators.md#spans), no model",
    "instructions": "[rules](evaluators.md#instructions), no model",
    "caia": "the judge `prompts/judge/caia.md`, item by item, three times",
}


def datasets() -> str:
    """The page."""
    rows = "\n".join(f"| [`{one.name}`](#{one.name}) | {_judge(one)} | {one.levels} |" for one in PRESETS.values())
    mixed = ", ".join(f"`{one.name}`" for one in PRESETS.values() if one.in_mixed)
    head = _HEAD.replace("{mixed}", mixed).replace("{homes}", "\n".join(map(_home, HOMES.values())))
    head = head.replace("{elsewhere}", ", ".join(map(_elsewhere, ELSEWHERE)))
    return head + rows + "\n\n" + "\n".join(_section(one) for one in PRESETS.values())


def _home(home: DatasetHome) -> str:
    files = ", ".join(f"`{one}`" for one in home.files)
    branch = "" if home.revision == "main" else f" of `{home.revision}`"
    terms = "yes" if home.gated else ""
    part = f"`{home.part}`" if home.part else ""
    where = f"[{home.repository}]({home.page}): {files}{branch}"
    return f"| `{home.name}` | [`{home.preset}`](#{home.preset}) | {where} | {home.rows:,} | {home.licence} | {terms} | {part} |"


def _elsewhere(preset: str) -> str:
    where = ELSEWHERE[preset]
    return f"[`{preset}`]({where})" if where else f"`{preset}` (not published)"


def _judge(preset: Preset) -> str:
    return _JUDGES.get(preset.evaluator) or f"the judge `prompts/judge/{preset.evaluator}.md`, 1 or 0"


def _facts(preset: Preset) -> Iterator[tuple[str, str]]:
    """What there is to know of a benchmark and of its figures, in words; empty where there is nothing."""
    yield "measures", preset.measures
    yield "asked", _asked(preset)
    yield "read by", _judge(preset)
    yield "figure", preset.metric
    homes = [home for home in HOMES.values() if home.preset == preset.name]
    yield "rows", ", ".join(f"{home.rows:,}" + (f" (`{home.name}`)" if len(homes) > 1 else "") for home in homes)
    licences = dict.fromkeys(home.licence or "none named on its card" for home in homes)
    yield "licence", ", ".join(licences) or "see its source"
    pages = dict.fromkeys(f"[{home.repository}]({home.page})" for home in homes)
    if elsewhere := ELSEWHERE.get(preset.name):
        pages[f"[published here]({elsewhere})"] = None
    paper = f"[described here]({preset.paper})" if preset.paper else ""
    yield "source", ", ".join([*pages, *([paper] if paper else [])])
    yield "published figures", _published(preset)


def _asked(preset: Preset) -> str:
    below = "with its options below it, " if preset.offers else ""
    told = "the form of the answer told in the system prompt" if preset.answer_format else "no system prompt"
    return f"the question {below}as one message, {told}; no worked examples, no stop sequences"


def _published(preset: Preset) -> str:
    told = [preset.protocol] if preset.protocol else []
    if preset.by_likelihood:
        told.append(
            f"mostly by likelihood: {preset.by_likelihood}. Here an answer is written and read, so our figure is **not** "
            "of that kind, but with [`--reading loglikelihood`](#by-likelihood)"
        )
    return "; ".join(told)


def _section(preset: Preset) -> str:
    lines = [f"## `{preset.name}`", "", f"{preset.title}. {preset.about}".strip(), "", "| | |", "|---|---|"]
    lines += [f"| {name} | {said} |" for name, said in _facts(preset) if said]
    lines += ["", "| what | column |", "|---|---|"]
    for role in ("question", "answer", "level", "category", "id"):
        if names := getattr(preset, role):
            lines.append(f"| {role} | {', '.join(f'`{name}`' for name in names)} |")
    if preset.beside:
        lines.append(f"| below the question | `{preset.beside}` |")
    if preset.shape is not None:
        lines += ["", f"A row holds {(preset.shape.__doc__ or '').splitlines()[0].partition(': ')[2]}"]
    if preset.answer_format:
        lines += ["", "Asked for, as the last layer of the system prompt:", "", "```text", preset.answer_format, "```"]
    if (rule := RULES.get(preset.name)) is not None:
        lines += ["", f"Its own rule ([published]({rule.page})): {rule.about}"]
    template = bundled_root() / "prompts" / "judge" / f"{preset.evaluator}.md"
    if template.exists():
        own = template.read_text(encoding="utf-8").partition("# Rules")[2].partition("\n# ")[0]
        own = own or template.read_text(encoding="utf-8").partition("# 规则")[2].partition("\n# ")[0]
        lines += ["", "The judge's rules:", "", own.strip()]
    return "\n".join([*lines, ""])
