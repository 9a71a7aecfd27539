"""Posts a table on a pull request, or replaces the one that an earlier run posted: `python3 comment.py FILE`.

FILE is what `modex export --format github` wrote; its first line, a hidden comment, is what the earlier table is found by.
Reads GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL, PR (the number) and COMMENT_AUTHOR (whose comments may be replaced).
Only the standard library; exits with 0 where the token may not write, as in pull requests from forks, and says so.
"""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.request

API = f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
AUTHOR = os.environ.get("COMMENT_AUTHOR", "github-actions[bot]")
PAGE = 100


def ask(method: str, path: str, body: object = None) -> object:
    """The answer of GitHub to one request, as JSON."""
    headers = {"Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}", "Accept": "application/vnd.github+json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{API}/{path}", data, {**headers, "Content-Type": "application/json"}, method=method
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def earlier(pull_request: str, marker: str) -> "int | None":
    """The newest comment of ours that begins with the marker; what others quote is left alone."""
    found, page = None, 1
    while comments := ask("GET", f"{pull_request}/comments?per_page={PAGE}&page={page}"):
        assert isinstance(comments, list)
        for one in comments:
            if one["user"]["login"] == AUTHOR and (one["body"] or "").splitlines()[:1] == [marker]:
                found = one["id"]
        if len(comments) < PAGE:
            break
        page += 1
    return found


def main() -> None:
    """Post or replace."""
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    marker, pull_request = text.splitlines()[0], os.environ["PR"]
    try:
        known = earlier(pull_request, marker)
        if known is None:
            ask("POST", f"{pull_request}/comments", {"body": text})
        else:
            ask("PATCH", f"comments/{known}", {"body": text})
    except urllib.error.HTTPError as error:
        if error.code not in (401, 403):
            raise
        print(f"::warning::the token may not comment here ({error.code}); the table stands in the job's summary")
        return
    print("posted" if known is None else f"replaced comment {known}")


main()
