"""Nginx, forward proxies with a password, a litellm proxy and llama-cpp-python's server, each started where it is installed and
skipped by name where not.

Only `make test-servers` runs them: they start programs that a test machine need not have. Each prints its figures beside direct.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest

from modex.core.config.runconfig import ModelSpec
from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.client import Client, open_client
from modex.core.llm.gate import Interrupted
from modex.core.llm.pool import ClientPool
from modex.core.llm.request import Limits
from modex.core.llm.retry import RetryPolicy
from modex.core.llm.types import Message
from tests.server import Reply, Request, ServerHandle, serve
from tests.server.certificates import AVAILABLE, make_authority
from tests.servers.tiny_model import write_tiny_model

pytestmark = [
    pytest.mark.skipif(not os.environ.get("TEST_SERVERS"), reason="real servers: make test-servers"),
    pytest.mark.timeout(240),
]
CALLS, WORKERS = 400, 16
CONTEXT = 2048
"""Tokens of the tiny model."""
Tell = Callable[[str], None]


def echo(request: Request) -> Reply:
    return Reply(content=request.prompt, latency=0.01)


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve(echo) as made:
        yield made


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    def say(words: str) -> None:
        with capsys.disabled():
            print(f"\n  {words}")

    return say


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(
    command: list[str], port: int, patience_s: float = 20.0, log: Path | None = None, **environment: str
) -> Iterator[None]:
    """A server process that listens on `port`, ended with the block; what it says goes into `log`."""
    with tempfile.TemporaryFile() if log is None else log.open("wb+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env={**os.environ, **environment})
        try:
            wait_for(process, port, patience_s, said)
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(process: subprocess.Popen[bytes], port: int, patience_s: float, said: IO[bytes]) -> None:
    """Return once it listens; skip the test where it does not."""
    deadline = time.monotonic() + patience_s
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None or time.monotonic() > deadline:
            said.seek(0)
            pytest.skip(f"{process.args!r} does not start: {said.read()[-300:]!r}")
        time.sleep(0.1)


def ask_all(base: str) -> float:
    """Every question gets its own answer; the seconds it took."""
    with ClientPool(concurrency=WORKERS, timeout_s=30) as pool, ThreadPoolExecutor(WORKERS) as executor:
        client = open_client(ModelSpec(model="openai/m", api_base=base), pool=pool)
        client.complete([{"role": "user", "content": "warm"}])
        started = time.monotonic()
        found = executor.map(
            lambda number: client.complete([{"role": "user", "content": f"question {number}"}]).text, range(CALLS)
        )
        assert list(found) == [f"question {number}" for number in range(CALLS)]
        return time.monotonic() - started


def failure(base: str, model: str = "m") -> ModelCallError:
    pool = ClientPool(timeout_s=20)
    pool.policy = RetryPolicy(first_wait_s=0, attempts=1)
    with pool, pytest.raises(ModelCallError) as caught:
        open_client(ModelSpec(model=f"openai/{model}", api_base=base), pool=pool).complete(
            [{"role": "user", "content": "?"}]
        )
    return caught.value


@pytest.mark.skipif(shutil.which("nginx") is None or not AVAILABLE, reason="nginx or openssl is not installed")
def test_nginx_with_tls_in_front(
    tmp_path: Path, server: ServerHandle, monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    authority = make_authority(tmp_path)
    authority.server("IP:127.0.0.1")
    port = free_port()
    stem = tmp_path / "IP_127.0.0.1"
    (tmp_path / "nginx.conf").write_text(
        f"""pid {tmp_path}/pid; error_log {tmp_path}/error.log; worker_processes 1; daemon off;
events {{ }}
http {{
  access_log off; client_body_temp_path {tmp_path}/a; proxy_temp_path {tmp_path}/b; fastcgi_temp_path {tmp_path}/c;
  uwsgi_temp_path {tmp_path}/d; scgi_temp_path {tmp_path}/e; keepalive_requests 50;
  server {{
    listen 127.0.0.1:{port} ssl; ssl_certificate {stem}.pem; ssl_certificate_key {stem}.key;
    location /v1/ {{ proxy_pass http://127.0.0.1:{server.port}; proxy_http_version 1.1; }}
    location /big/ {{ client_max_body_size 10; proxy_pass http://127.0.0.1:{server.port}; }}
  }}
}}"""
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with running(["nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")], port):
        through = ask_all(f"https://127.0.0.1:{port}/v1")
        tell(f"nginx with TLS: {CALLS} calls in {through:.2f} s, direct {ask_all(server.url):.2f} s")
        plain = failure(f"http://127.0.0.1:{port}/v1")
        assert plain.fatal
        assert "https://" in str(plain)
        assert failure(f"https://127.0.0.1:{port}/big").status == 413
        server.close()
        assert failure(f"https://127.0.0.1:{port}/v1").error_type is ErrorType.SERVER_ERROR


@pytest.mark.skipif(shutil.which("tinyproxy") is None, reason="tinyproxy is not installed")
def test_a_forward_proxy_with_a_password(
    tmp_path: Path, server: ServerHandle, monkeypatch: pytest.MonkeyPatch, tell: Tell
) -> None:
    port = free_port()
    conf = tmp_path / "tinyproxy.conf"
    conf.write_text(f'Port {port}\nListen 127.0.0.1\nMaxClients 100\nBasicAuth me secret\nLogFile "{tmp_path}/log"\n')
    with running(["tinyproxy", "-d", "-c", str(conf)], port):
        check_proxy("tinyproxy", port, server, monkeypatch, tell)


@pytest.mark.skipif(shutil.which("squid") is None, reason="squid is not installed")
def test_squid_with_a_password(server: ServerHandle, monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as name:  # squid serves as a user of its own, who may not read pytest's folders
        folder = Path(name)
        folder.chmod(0o755)
        helper = folder / "helper"
        helper.write_text('#!/bin/sh\nwhile read -r said; do [ "$said" = "me secret" ] && echo OK || echo ERR; done\n')
        helper.chmod(0o755)
        conf = folder / "squid.conf"
        conf.write_text(
            f"http_port 127.0.0.1:{port}\npid_filename none\ncache deny all\naccess_log none\ncache_log /dev/null\n"
            f"auth_param basic program {helper}\nauth_param basic children 2\nacl known proxy_auth REQUIRED\n"
            "http_access allow known\nhttp_access deny all\nshutdown_lifetime 0 seconds\nmemory_cache_shared off\n"
        )
        with running([str(shutil.which("squid")), "-N", "-n", f"modex{port}", "-f", str(conf)], port, 60):
            check_proxy("squid", port, server, monkeypatch, tell)


def check_proxy(name: str, port: int, server: ServerHandle, monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    """Every question gets its answer through it, and a wrong password is refused without being told."""
    base = f"http://2130706433:{server.port}/v1"  # 127.0.0.1 as one number: by its usual name no proxy is asked
    for variable in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(variable, f"http://me:secret@127.0.0.1:{port}")
    through = ask_all(base)
    tell(f"{name} with a password: {CALLS} calls in {through:.2f} s, direct {ask_all(server.url):.2f} s")
    for variable in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(variable, f"http://me:canarypassword@127.0.0.1:{port}")
    refused = failure(base)
    assert refused.fatal
    assert "canarypassword" not in str(refused)


def litellm_command() -> str | None:
    """A litellm with its proxy: `LITELLM_PROXY_COMMAND`, else the one on the path."""
    return os.environ.get("LITELLM_PROXY_COMMAND") or shutil.which("litellm")


@pytest.mark.skipif(litellm_command() is None, reason="no litellm command: set LITELLM_PROXY_COMMAND")
def test_a_litellm_proxy(tmp_path: Path, server: ServerHandle, monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    port, key = free_port(), f"sk-{secrets.token_hex(24)}"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    config = tmp_path / "config.yaml"
    config.write_text(
        "model_list:\n  - model_name: m\n    litellm_params:\n      model: openai/m\n"
        f"      api_base: {server.url}\n      api_key: x\ngeneral_settings:\n  master_key: {key}\n"
    )
    command = [str(litellm_command()), "--config", str(config), "--port", str(port), "--host", "127.0.0.1"]
    with running(command, port, 150, LITELLM_LOCAL_MODEL_COST_MAP="True"):
        through = ask_all(f"http://127.0.0.1:{port}/v1")
        tell(f"litellm proxy: {CALLS} calls in {through:.2f} s, direct {ask_all(server.url):.2f} s")
        assert failure(f"http://127.0.0.1:{port}/v1", "nobody").error_type is ErrorType.MODEL_NOT_FOUND
        monkeypatch.setenv("OPENAI_API_KEY", "sk-another-key-0123456789")
        tell(f"with another key: {failure(f'http://127.0.0.1:{port}/v1')}")


def llama_python() -> str | None:
    """A Python with llama-cpp-python and its server: `LLAMA_CPP_PYTHON`, else this one."""
    given = os.environ.get("LLAMA_CPP_PYTHON")
    return given or (sys.executable if importlib.util.find_spec("llama_cpp") else None)


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "tiny.gguf"
    write_tiny_model(path, context=CONTEXT)
    return path


@contextlib.contextmanager
def llama(model: Path, log: Path, *more: str) -> Iterator[str]:
    """Its address."""
    port = free_port()
    command = [str(llama_python()), "-u", "-m", "llama_cpp.server", "--model", str(model), "--n_ctx", str(CONTEXT)]
    with running([*command, "--host", "127.0.0.1", "--port", str(port), *more], port, 120, log=log):
        yield f"http://127.0.0.1:{port}/v1"


def tiny(base: str, pool: ClientPool, max_tokens: int) -> Client:
    return open_client(ModelSpec(model="openai/tiny", api_base=base, max_tokens=max_tokens, temperature=0.0), pool=pool)


needs_llama = pytest.mark.skipif(
    llama_python() is None, reason="llama-cpp-python is not installed: set LLAMA_CPP_PYTHON"
)


@needs_llama
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_llama_cpp_pythons_server_with_a_tiny_random_model(
    stream: bool, tiny_model: Path, tmp_path: Path, tell: Tell
) -> None:
    with (
        llama(tiny_model, tmp_path / "log") as base,
        ClientPool(concurrency=4, timeout_s=60, stream=stream) as pool,
        ThreadPoolExecutor(4) as executor,
    ):
        client = tiny(base, pool, 8)
        client.complete([{"role": "user", "content": "warm"}])
        started = time.monotonic()
        found = list(executor.map(lambda n: client.complete([{"role": "user", "content": f"question {n}"}]), range(20)))
        how = "streamed until another call came" if stream else "whole"
        tell(f"llama-cpp-python, {how}: 20 calls of a tiny model in {time.monotonic() - started:.2f} s")
        assert all(answer.text or "empty_answer" in answer.flags for answer in found)
        assert all(answer.finish_reason in ("length", "stop") for answer in found)
        with pytest.raises(ModelCallError) as caught:
            client.complete([{"role": "user", "content": "too long " * CONTEXT}])
        assert caught.value.error_type is ErrorType.CONTEXT_WINDOW


@needs_llama
def test_an_answer_of_llama_cpp_python_is_measured_and_one_that_is_cancelled_is_written_no_further(
    tiny_model: Path, tmp_path: Path, tell: Tell
) -> None:
    log = tmp_path / "log"
    with (
        llama(tiny_model, log, "--interrupt_requests", "false") as base,
        ClientPool(concurrency=2, timeout_s=120, stream=True) as pool,
    ):
        question: list[Message] = [{"role": "user", "content": "go on"}]
        client = tiny(base, pool, 160)
        started = time.monotonic()
        whole = client.complete(question)
        took = time.monotonic() - started
        assert whole.timing is not None
        assert 0 < whole.timing.first_s <= whole.timing.first_s + whole.timing.writing_s <= took
        assert whole.timing.pieces > 20
        speed = whole.timing.pieces / whole.timing.writing_s
        tell(f"llama-cpp-python, streamed: first token after {whole.timing.first_s:.3f} s, {speed:.0f} pieces/s")

        thread = threading.Thread(target=cancelled, args=(client, question))
        thread.start()
        deadline = time.monotonic() + 60
        while (written := pool.under_way.of(thread.ident or 0)) is None or written.size < 3:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        pool.cancel(thread.ident or 0)
        thread.join(30)
        while "Disconnected from client" not in log.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert "stream" not in pool.refused(client.spec)
        started = time.monotonic()
        tiny(base, pool, 1).complete(question)
        free = time.monotonic() - started
        tell(
            f"cancelled after {written.size} pieces; the next call is answered in {free:.2f} s, a whole one took {took:.2f} s"
        )


@needs_llama
@pytest.mark.parametrize("how", ["stopped", "out of time"])
def test_llama_cpp_python_sees_that_an_answer_is_no_longer_wanted(
    how: str, tiny_model: Path, tmp_path: Path, tell: Tell
) -> None:
    log = tmp_path / "log"
    limits = Limits(seconds=0.2 if how == "out of time" else None)
    with (
        llama(tiny_model, log, "--interrupt_requests", "false") as base,
        ClientPool(concurrency=1, timeout_s=120, stream=True, limits=limits) as pool,
    ):
        client = tiny(base, pool, 400)
        thread = threading.Thread(target=cancelled, args=(client, [{"role": "user", "content": "go on"}]))
        thread.start()
        deadline = time.monotonic() + 60
        if how == "stopped":
            while (written := pool.under_way.of(thread.ident or 0)) is None or written.size < 3:
                assert time.monotonic() < deadline
                time.sleep(0.005)
            pool.abort()
        thread.join(30)
        began = time.monotonic()
        while "Disconnected from client" not in log.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        tell(f"{how}: the server saw it {time.monotonic() - began:.2f} s after the call had ended")


def cancelled(client: Client, question: list[Message]) -> None:
    with contextlib.suppress(Interrupted):
        client.complete(question)


@needs_llama
def test_modex_measures_the_speed_of_llama_cpp_python(tiny_model: Path, tmp_path: Path, tell: Tell) -> None:
    with llama(tiny_model, tmp_path / "log", "--interrupt_requests", "false") as base:
        done = subprocess.run(
            [
                sys.executable, "-m", "modex.tui.cli", "speed", "--model", "openai/tiny", "--api-base", base,
                "--concurrency", "1,2", "--prompt-tokens", "32", "--output-tokens", "32", "--requests", "3",
                "--db", str(tmp_path / "modex.db"),
            ],
            capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip
    tell(done.stdout)
    assert done.returncode == 0, done.stderr
    assert "tokens/s" in done.stdout
