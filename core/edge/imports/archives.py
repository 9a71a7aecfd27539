"""Members of ZIP files that are compressed with Zstandard (method 93), which `zipfile` of Python before 3.14 cannot read."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import IO

from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.files import FileFaultError, open_regular

ZSTANDARD = 93
MAX_MEMBER = 1 << 30
"""Bytes of one member once it is open."""
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")


class Archive:
    """A ZIP file, read member by member; close it, or use it in a `with`."""

    def __init__(self, path: Path) -> None:
        """Open the archive.

        Raises:
            ConfigurationError: it is none, or cannot be read.
        """
        self.path = path
        try:
            self._file: IO[bytes] = os.fdopen(open_regular(path), "rb")
        except FileFaultError as fault:
            raise ConfigurationError(f"{path}: {fault.message}") from None
        try:
            self._zip = zipfile.ZipFile(self._file)
        except (zipfile.BadZipFile, OSError) as error:
            self._file.close()
            raise ConfigurationError(
                f"{path}: this is no archive that can be read ({error}); name a log as it was written, whole"
            ) from error
        self.names: tuple[str, ...] = tuple(self._zip.namelist())

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._zip.close()
        self._file.close()

    def read(self, name: str) -> bytes:
        """One member, whole.

        Raises:
            ConfigurationError: it is not there, is damaged or too large, or what unpacks it is not installed.
        """
        try:
            found = self._zip.getinfo(name)
            if found.file_size > MAX_MEMBER:
                raise ConfigurationError(f"{self.path}: {name} is larger than {MAX_MEMBER >> 20} MiB; split the log")
            return self._zstandard(found) if found.compress_type == ZSTANDARD else self._zip.read(found)
        except (KeyError, zipfile.BadZipFile, OSError, NotImplementedError, struct.error) as error:
            raise ConfigurationError(
                f"{self.path}: {name} cannot be read ({error}); copy the log again, whole"
            ) from error

    def _zstandard(self, found: zipfile.ZipInfo) -> bytes:
        try:
            import zstandard
        except ImportError:
            raise ConfigurationError(
                f"{self.path}: its parts are compressed with Zstandard; install modex with the extra: pip install "
                "'modex[inspect]', or convert the log with `inspect log convert --to json`"
            ) from None
        self._file.seek(found.header_offset)
        header = _LOCAL_HEADER.unpack(self._file.read(_LOCAL_HEADER.size))
        self._file.seek(header[-2] + header[-1], 1)  # the name and the extra field stand before the data
        packed = self._file.read(found.compress_size)
        try:
            unpacked = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from error
        if zlib.crc32(unpacked) != found.CRC:
            raise zipfile.BadZipFile("its checksum is wrong")
        return bytes(unpacked)
