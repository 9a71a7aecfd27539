"""Where the function stands in a response."""

from __future__ import annotations

from modex.core.evaluators.code.extraction import FencedBlock, blocks, find_function, find_program
from tests.core.answers.tables import differing
from tests.rows import each_row

F = "def f(x):\n    return x"


@each_row(
    ("response", "code"),
    [
        (f"```python\n{F}\n```", F),
        (f"```\n{F}\n```", F),
        (f"~~~py\n{F}\n~~~", F),
        (f"````python\n{F}\n```\n````", f"{F}\n```"),
        (f"```python\n{F}", F),
        (f"```python\n{F}\n```\nBetter:\n```python\ndef f(x):\n    return 2\n```", "def f(x):\n    return 2"),
        (f"```python\n{F}\n```\n```python\ndef g(x):\n    return 2\n```", F),
        (f"```bash\n{F}\n```", F),
        (f"1. So:\n   ```python\n   {F.replace(chr(10), chr(10) + '   ')}\n   ```", F),
        ("```python\nf = lambda x: x\n```", "f = lambda x: x"),
        ("```python\nclass f:\n    pass\n```", "class f:\n    pass"),
        ("```python\nasync def f(x):\n    return x\n```", "async def f(x):\n    return x"),
        ("```python\ndef ff(x):\n    return x\n```", None),
        ("The function def f is easy.", None),
        (f"Here it is:\nimport re\n\n{F}\nThat is all.", f"import re\n\n{F}"),
        (f"{F}\n\n\nif __name__ == '__main__':\n    print(f(1))\n\n    f(2)\ny = 3", f"{F}\n\n\ny = 3"),
        (f'```python\n{F}\nif __name__ == "__main__": f(1)\nz = 1\n```', f"{F}\nz = 1"),
        ("def f(x):\n    return [\n        x,\n]\nDone.", "def f(x):\n    return [\n        x,\n]"),
        ("", None),
    ],
)
def test_the_last_block_that_defines_it_is_taken_or_the_bare_code(response: str, code: str | None) -> None:
    assert find_function(response, "f") == code


_DOCUMENTED = '''def f(x):
    """
    ```python
    def f(x): ...
    ```
    """
    return x'''


def test_fences_in_a_string_of_python_are_no_blocks() -> None:
    assert find_function(f"{_DOCUMENTED}\n", "f") == _DOCUMENTED
    assert find_program(f"{_DOCUMENTED}\nprint(f(1))\n", ("python",)) == f"{_DOCUMENTED}\nprint(f(1))"
    quoted = f'"""\n```python\n{F}\n```\n"""'
    assert find_function(quoted, "f") == F
    assert find_program(quoted, ("python",)) == F
    assert find_program(_DOCUMENTED, ("bash",)) is None


def test_blocks_end_with_a_fence_as_long_as_theirs_or_with_the_text() -> None:
    assert blocks("a\n```Py x\n1\n```\nb\n~~~~\n2\n~~~\n```\n~~~~~\n  ```\n3") == [
        FencedBlock("py", "1"),
        FencedBlock("", "2\n~~~\n```"),
        FencedBlock("", "3"),
    ]
    assert blocks("```a`b`\n1") == []


_FUNCTIONS = r"""
```python\ndef f():\n    return 1\n``` => def f():\n    return 1
```\ndef f(): pass\n``` => def f(): pass
```js\ndef f(): pass\n``` => def f(): pass
def f():\n    return 1\nThat is it. => def f():\n    return 1
Here:\n\ndef f():\n    return 1\n => def f():\n    return 1
```python\ndef g(): pass\n``` => None
```python\ndef f(): 1\n```\nBetter:\n```python\ndef f(): 2\n``` => def f(): 2
```python\ndef f(): 1\n```\n```python\ndef g(): 2\n``` => def f(): 1
- item\n  ```python\n  def f():\n      return 1\n  ``` => def f():\n    return 1
```python\ndef f(): 1\n => def f(): 1
f = lambda x: x => f = lambda x: x
class f:\n    pass => class f:\n    pass
async def f(): pass => async def f(): pass
def ff(): pass => None
say f => None
~~~python\ndef f(): 1\n~~~ => def f(): 1
```python\nx = '```'\ndef f(): 1\n``` => x = '```'\ndef f(): 1
````python\ndef f(): 1\n```` => def f(): 1
```Python\ndef f(): 1\n``` => def f(): 1
"""
_BLOCKS = r"""
```python\ndef f():\n    return 1\n``` => python:def f():\n    return 1
```\ndef f(): pass\n``` => :def f(): pass
```js\ndef f(): pass\n``` => js:def f(): pass
def f():\n    return 1\nThat is it. =>
```python\ndef f(): 1\n```\nBetter:\n```python\ndef f(): 2\n``` => python:def f(): 1 ; python:def f(): 2
```python\ndef f(): 1\n```\n```python\ndef g(): 2\n``` => python:def f(): 1 ; python:def g(): 2
- item\n  ```python\n  def f():\n      return 1\n  ``` => python:  def f():\n      return 1
```python\ndef f(): 1\n => python:def f(): 1
"""


def on_a_line(text: object) -> str:
    return str(text).replace("\n", "\\n")


def test_the_last_block_that_defines_the_function_counts() -> None:
    assert differing(_FUNCTIONS, lambda text: on_a_line(find_function(text, "f"))) == []


def test_blocks_are_fenced_with_their_tag() -> None:
    assert differing(_BLOCKS, lambda text: on_a_line(" ; ".join(f"{one.tag}:{one.text}" for one in blocks(text)))) == []
