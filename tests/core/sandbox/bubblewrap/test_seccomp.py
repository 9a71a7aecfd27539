"""What the filter lets through, by running its program as the kernel does."""

from __future__ import annotations

import errno
import struct

import pytest

from modex.core.sandbox.bubblewrap.seccomp import seccomp_filter
from tests.rows import each_row

ALLOWED, ENDED = "allowed", "ended"
_X86, _ARM = 0xC000003E, 0xC00000B7
_THREAD = 0x003D0F00  # what pthread_create asks for


def decided(program: bytes, number: int, first: int = 0, architecture: int = _X86) -> str | int:
    """What the kernel would do: the error number where it refuses."""
    steps = list(struct.iter_unpack("=HBBI", program))
    data = struct.pack("=IIQQ", number, architecture, 0, first)
    at, held = 0, 0
    while True:
        code, then, otherwise, value = steps[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return ALLOWED if value == 0x7FFF0000 else ENDED if value == 0x80000000 else int(value) & 0xFFFF
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += then if holds else otherwise


@each_row(
    ("machine", "number", "first", "alone", "with_others"),
    [
        ("x86_64", 0, 0, ALLOWED, ALLOWED),  # read
        ("x86_64", 59, 0, ALLOWED, ALLOWED),  # execve
        ("x86_64", 53, 0, ALLOWED, ALLOWED),  # socketpair
        ("x86_64", 41, 2, errno.EPERM, errno.EPERM),  # socket
        ("x86_64", 101, 0, errno.EPERM, errno.EPERM),  # ptrace
        ("x86_64", 165, 0, errno.EPERM, errno.EPERM),  # mount
        ("x86_64", 272, 0, errno.EPERM, errno.EPERM),  # unshare
        ("x86_64", 321, 0, errno.EPERM, errno.EPERM),  # bpf
        ("x86_64", 425, 0, errno.EPERM, errno.EPERM),  # io_uring_setup
        ("x86_64", 435, 0, errno.ENOSYS, errno.ENOSYS),  # clone3
        ("x86_64", 57, 0, errno.EPERM, ALLOWED),  # fork
        ("x86_64", 58, 0, errno.EPERM, ALLOWED),  # vfork
        ("x86_64", 56, _THREAD, ALLOWED, ALLOWED),  # clone
        ("x86_64", 56, 0x01200011, errno.EPERM, ALLOWED),  # clone as fork makes it
        ("x86_64", 56, 0x10000000 | _THREAD, errno.EPERM, errno.EPERM),  # with CLONE_NEWUSER
        ("x86_64", 56, 0x00020000 | _THREAD, errno.EPERM, errno.EPERM),  # with CLONE_NEWNS
        ("x86_64", 0x40000000, 0, ENDED, ENDED),  # read of the x32 form
        ("aarch64", 63, 0, ALLOWED, ALLOWED),  # read
        ("aarch64", 198, 2, errno.EPERM, errno.EPERM),  # socket
        ("aarch64", 97, 0, errno.EPERM, errno.EPERM),  # unshare
        ("aarch64", 220, _THREAD, ALLOWED, ALLOWED),  # clone
        ("aarch64", 220, 0x11, errno.EPERM, ALLOWED),  # clone as fork makes it
        ("aarch64", 435, 0, errno.ENOSYS, errno.ENOSYS),  # clone3
    ],
)
def test_a_call_is_let_through_or_refused(
    machine: str, number: int, first: int, alone: str | int, with_others: str | int
) -> None:
    architecture = _X86 if machine == "x86_64" else _ARM
    for processes, wanted in ((False, alone), (True, with_others)):
        program = seccomp_filter(processes=processes, machine=machine)
        assert program is not None
        assert decided(program, number, first, architecture) == wanted


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_call_of_another_architecture_ends_the_program(machine: str) -> None:
    program = seccomp_filter(processes=True, machine=machine)
    assert program is not None
    assert decided(program, 0, 0, 0x40000003) == ENDED  # 32-bit x86


def test_a_machine_that_is_not_known_has_no_filter() -> None:
    assert seccomp_filter(processes=False, machine="s390x") is None


KERNELS = {
    "x86_64": [
        41, 101, 135, 155, 165, 166, 167, 168, 169, 175, 176, 179, 212, 246, 248, 249, 250, 272, 298, 303, 304, 308,
        310, 311, 312, 313, 320, 321, 323, 425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442,
    ],
    "aarch64": [
        39, 40, 41, 60, 92, 97, 104, 105, 106, 117, 142, 198, 217, 218, 219, 224, 225, 241, 264, 265, 268, 270, 271,
        272, 273, 280, 282, 294, 425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442,
    ],
}  # fmt: skip
"""The numbers of what is refused, as the kernel's own headers have them (asm/unistd_64.h, asm-generic/unistd.h)."""


@pytest.mark.parametrize("machine", list(KERNELS))
def test_just_these_calls_are_refused_in_any_case(machine: str) -> None:
    program = seccomp_filter(processes=True, machine=machine)
    assert program is not None
    architecture = _X86 if machine == "x86_64" else _ARM
    refused = [number for number in range(600) if decided(program, number, 0, architecture) == errno.EPERM]
    assert refused == KERNELS[machine]
