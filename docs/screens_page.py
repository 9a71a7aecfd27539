"""The page on the screens: hand-written words, and the keys from the one registry of actions."""

from __future__ import annotations

from modex.tui.actions import Action, Scope, scopes

HEAD = """# Screens

*Written by `python -m docs.generate`; words are in `docs/screens_page.py`, keys come from `tui/actions/`, pictures from
`make pictures`.*

`modex` opens the list of runs; `modex run …` on a terminal opens the live screen of the run it starts; `modex attach EXP`
opens it again, from any terminal that sees the database. Every screen only looks at the store: closing the terminal, `q`
or a dropped connection leaves a run going, and two terminals at once show the same.

Identity stands on the top line and keys on the bottom line of every screen; the selection has a bar at its left. `?` shows
all keys of the screen, `ctrl+p` finds a command by its name, `,` opens the settings. Everything works without a mouse. A key
that can do nothing at the moment says why; such notes take the row of the keys for a few seconds and hide nothing else.

## Signs

| sign | ASCII | means |
|:---:|:---:|---|
| ● | `#` | passed: scored 0.70 or more |
| ○ | `o` | failed: scored less |
| ◐ | `%` | flaky: with epochs, passed in some and failed in others |
| ! | `!` | error: no score; the provider, the judge or a tool failed, and resume tries again |
| ▸ | `>` | running: being asked or judged |
| · | `.` | waiting |
| – | `-` | skipped: left out, with a reason; counts for nothing |
| ✓ | `+` | a run that came to its end, whatever its score |

The signs are enough: colour only repeats them, so `NO_COLOR` and terminals of 16 colours lose nothing. Where these signs are
drawn wide or not at all, take the ASCII ones: `MODEX_GLYPHS=ascii`, or `glyphs` in the settings.

## Live

![The live screen: domains by levels, a score in every cell, the log beneath](pictures/live.svg)

While `modex run` still checks the tests and stores the run, the screen stands already and says so: `ctrl+c` gives up what
has not begun, `esc` looks at other runs meanwhile. Where nothing can be started, the reason stands where the command was typed.

Domains by levels. A cell shows a sign for each of its tests, or a bar where there are more tests than room, and its score;
dim while it still forms. Behind them stands a background by score, from red through amber to green, in truecolor and 256
colours; with fewer colours the signs stand alone.

At the right and at the foot: the Weighted Scores of domains and levels, and of everything with its
95 % interval on the progress line. The line under the matrix says what the run does this moment: calls in flight, rates,
retries, whether a provider holds it back, and the money. `L` gives the log the whole screen, `w` shows what each worker
does, `/` filters the log (`status:failed domain:math level:3`, or words).

A run that has ended tells its story where the log stood: why tests failed, counted ("12 × get_weather was not called"), the
weakest cells, what changed since the last whole run of the model, kinds of error, flaky tests with how often they passed,
and what took most time and money. A short room has a line a subject, a long one a line an item; `L` brings the log.

`v` opens an answer of the selected cell as it is written, thinking dimmed; what PASS 2 or a judge writes stands beneath it,
with its name. `tab` goes to the next worker's. Any terminal that watches the run can look, and nothing is copied while
nobody does.

![An answer while it is written: what was thought, dimmed, and the first words of the answer](pictures/written.svg)

At 110 columns and more the log and the workers stand beside the matrix, where it shows no less for it.
Several runs (`modex run --model a --model b`, `modex attach A B`) stand side by side from 58 columns each, and behind
tabs where there is less; `tab` goes to the next.

![The same at 120 columns](pictures/live-wide.svg)

![Two runs side by side](pictures/models.svg)

Below 80 columns a cell is only its score, and then a domain is one bar:

![The live screen at 46 columns](pictures/live-narrow.svg)

## Race

![A race that is over: the models, the decision, the selected model look by look](pictures/race.svg)

`modex race --model M1 --model M2 …` on a terminal opens it, `modex attach NAME` and the palette open it again from any terminal.
The models stand
with the leader first: score, difference to the leader with the bound that holds wherever the race stops, and whether the model is
still in or out by which look. Beneath stand the decisions in the words of the command line; then the selected model look by look,
with its bound as a line over an axis whose stroke is 0: a bound that leaves the stroke out is no decision yet at an early look.
The bar says how many tests and looks are over, and what is saved so far in tests, calls and money.

Differences are those of the last look: what came after it is not looked at before the next one, since each look costs certainty.
`enter` opens a model's run, `c` compares it with the leader test by test, `s` stops the race (asks) and `r` goes on with it;
leaving the screen leaves the race at work.

## Runs

![The list of runs](pictures/runs.svg)

Runs that go on are on top and move. `/` filters by words, `model:` and `status:`; `o` sorts by the next column; `space`
marks. `status:` means the state that is shown, also `interrupted`; `A` puts runs away and takes them back (`archived:yes` shows
them), `R` gives a run another name. The line below the list tells the selected run's first-token time, speed and thinking time
(median and p95), while it goes on the medians of its newest 1,000 answers; where any run was streamed the list has columns for
them from 138 columns on, and `speed>50` and `first<0.5` find finished runs by their medians at any width.

A store that cannot be written is said to be read-only: it can be looked at, compared and exported, and what would
write is not offered.

## Leaderboard

`b` on the list of runs shows the models by suite, each with its newest completed run, its scores over time, and how time and cost
a test are spread; `tab` goes to the next suite, `space` marks, `c` compares the marked runs or all of the suite.

## Models by name

`m` on the list of runs shows the entries of `models.toml`, then what is built in, then models of servers that were found on this
machine, each with what is wrong with it: a key that is not set, a server that does not answer, a file that is gone, no price.
`t` asks the selected one a short question, and asks you before where that may cost or where a suite's entry would do what nobody
agreed to; `a` gives a model a name by a form that shows the entry and the command that writes the same; `D` takes an entry out
and leaves all else in its file; `n` plans a run with it. [Models and keys](models.md#models-by-name) says what an entry can hold.

## Tests of a cell

![The tests of a cell](pictures/samples.svg)

`enter` on a cell, a domain, a level or everything lists its tests, also while the run goes on; `f` keeps failures only. The line
above the list counts why its tests failed, the next one how fast their answers came (median and p95). With epochs a row names
its own (`#2`) and a flaky test how often it passed (`4/6`).
Where the list is short and an answer or a reason would be cut, it stands whole beneath its test.
Once the run has ended `a` asks the marked tests again, or the selected one, `J` judges them again, `y` copies their
transcripts and `x` writes them to a file; `a`, `J` and `x` do the same on a transcript.

At 180 columns and more the transcript of the selected test stands beside the list, follows the selection and shows what
changes in it. `ctrl+e` and `ctrl+y` scroll it; `tab` gives it the keys, with everything a transcript can do, and `esc` gives
them back. `enter` opens it by itself, at any width.

![The tests of a run at 200 columns, the selected one's transcript beside them](pictures/samples-wide.svg)

## Transcript

![A failed test: its response with the extracted answer marked, and the verdict](pictures/transcript.svg)

A test from its system prompt, layer by layer with file and mode, to its verdict. A failed test opens on its
verdict, which then stands first: expected, got, why. Every other opens at the response; the answer that PASS 2 extracted
is marked where it stands. `n` and `p` go through the tests of the list, `N` and `P` through its failures.
Each call of a tool is a part of its own with what came back of it; of more than six calls each begins as one line, which
`enter` opens. Of a call that is not as expected, the verdict says first where it differs.
`y` sends a part to the terminal's clipboard (OSC 52, through tmux too; the terminal may refuse), `w` writes a file, `o`
opens `$PAGER`. An answer of 10 MB opens at once: only what is in sight is laid out.

## Compare

![Two runs side by side: scores by domain, and each test that went the other way](pictures/compare.svg)

Mark two runs with `space`, then `c`: their scores with the paired difference, and every test that was gained or lost.
`/` filters these (`domain:math`, `change:lost`, `spread>0.5`); `d` shows the domains, `enter` on one lists its flips.

With more than two marked, `c` shows domains × runs: the numbers of `modex compare A B C`, and in each domain `*` on the best
run and on every other that cannot be told apart from it. `h` and `l` select a run, `space` marks it, `enter` compares the two
marked (else the selected one with the best); `tab` goes to the tests that the runs disagree about, `f` to those
that all failed, or to all.

## New run

![A plan: settings at the left, tests with boxes, the equal command line](pictures/new-run.svg)

Model, tests and settings, what it will take, and the command line that does the same. It begins with the latest model whose
run was completed. The list of models has those used before, the scripted ones, those of servers on this machine and every
known name; of a key only the variable's name is shown and whether it is set. A plan that is left is kept beside the database
(`modex.db.draft.json`): `n` opens it again, in the next session too, and `X` begins a new one.

## Suite

![The suite: what a test asks by layer](pictures/suite.svg)

What every test asks, with the layers of its system prompt, and the findings of `modex check` in place. `e` opens the file in
`$EDITOR` and reads the suite again; `r` runs just this test and opens its transcript.

## Light terminals

![The live screen in the light theme](pictures/live-light.svg)

`theme` is `auto` until it is set: light where the terminal says that its background is (`COLORFGBG`), the terminal's own
sixteen colours where it has no more, else dark.

## Settings

| in the file | variable | values |
|---|---|---|
| `theme` | `MODEX_THEME` | `dark`, `light`, `ansi-dark`, `ansi-light`; without it what suits the terminal |
| `glyphs` | `MODEX_GLYPHS` | `auto`, `unicode`, `ascii` |
| `refresh_hz` | `MODEX_REFRESH_HZ` | looks at the store a second, above 0, at most 30 (4) |
| `mouse` | `MODEX_MOUSE` | `true`, `false`; `--no-mouse` for once |
| `[keys]` | | keys by the names in the tables below: `"live.stop" = "ctrl+x"`, or `stop = "ctrl+x"` in every scope |

## Keys

Keys are written as the settings take them; the name in the last column is the one for `[keys]`.
"""


def screens() -> str:
    """The page."""
    return "\n".join([HEAD, *(_table(found) for found in scopes())])


def _table(found: Scope) -> str:
    rows = [f"### {found.title}", "", "| keys | does | name |", "|---|---|---|"]
    rows += [_row(found, action) for action in found.actions]
    return "\n".join(rows) + "\n"


def _row(found: Scope, action: Action) -> str:
    keys = " ".join(f"`{key}`" for key in action.keys.split(","))
    return f"| {keys} | {action.help} | `{found.name}.{action.key_id}` |"
