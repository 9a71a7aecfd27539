"""Certificates for one test run, made by openssl: an authority, and servers that it vouches for."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

AVAILABLE = shutil.which("openssl") is not None


@dataclass(frozen=True, slots=True)
class Authority:
    """An authority that nobody knows but who is shown `file`."""

    folder: Path

    @property
    def file(self) -> Path:
        """What `SSL_CERT_FILE` may name."""
        return self.folder / "ca.pem"

    def server(self, *names: str) -> ssl.SSLContext:
        """The TLS of a server whose certificate is for these names (`DNS:localhost`, `IP:127.0.0.1`)."""
        stem = "-".join(names).replace(":", "_")
        key, request, made = (self.folder / f"{stem}.{end}" for end in ("key", "csr", "pem"))
        more = self.folder / f"{stem}.ext"
        more.write_text(f"subjectAltName={','.join(names)}\n")
        _openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-subj", "/CN=test", "-keyout", key, "-out", request)  # fmt: skip
        _openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.folder / "ca.key", "-CAcreateserial",
                 "-days", "2", "-extfile", more, "-out", made)  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(made, key)
        return context


def make_authority(folder: Path) -> Authority:
    """A new authority in `folder`."""
    _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=modex test authority", "-addext", "keyUsage=critical,keyCertSign",
             "-keyout", folder / "ca.key", "-out", folder / "ca.pem")  # fmt: skip
    return Authority(folder)


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
