"""Which calls of the kernel a boxed program may make, as the kernel's own filter program (seccomp(2), classic BPF).

What changes namespaces and mounts, looks into other processes, loads programs into the kernel or opens sockets is refused with
EPERM; new processes only where `processes` says so (a thread is none). Anything of another architecture ends the program.
Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of https://github.com/torvalds/linux.
"""

from __future__ import annotations

import errno
import functools
import platform
import struct
from collections.abc import Mapping

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000
_CLONE_THREAD, _CLONE_NEW = 0x00010000, 0x7E020000 | 0x00000080
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME: linux/sched.h."""
_REFUSED: Mapping[str, Mapping[str, int]] = {
    "x86_64": {
        "socket": 41, "ptrace": 101, "personality": 135, "pivot_root": 155, "mount": 165, "umount2": 166, "swapon": 167,
        "swapoff": 168, "reboot": 169, "init_module": 175, "delete_module": 176, "quotactl": 179, "lookup_dcookie": 212,
        "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "perf_event_open": 298,
        "name_to_handle_at": 303, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
        "process_vm_writev": 311, "kcmp": 312, "finit_module": 313, "kexec_file_load": 320, "bpf": 321,
        "userfaultfd": 323, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
        "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438,
        "process_madvise": 440, "mount_setattr": 442,
    },
    "aarch64": {
        "name_to_handle_at": 264, "open_by_handle_at": 265, "umount2": 39, "mount": 40, "pivot_root": 41,
        "quotactl": 60, "personality": 92, "unshare": 97, "kexec_load": 104, "init_module": 105, "delete_module": 106,
        "ptrace": 117, "reboot": 142, "socket": 198, "add_key": 217, "request_key": 218, "keyctl": 219, "swapon": 224,
        "swapoff": 225, "perf_event_open": 241, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
        "kcmp": 272, "finit_module": 273, "bpf": 280, "userfaultfd": 282, "kexec_file_load": 294, "io_uring_setup": 425,
        "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430,
        "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438, "process_madvise": 440,
        "mount_setattr": 442,
    },
}  # fmt: skip
_CALLS: Mapping[str, Mapping[str, int]] = {
    "x86_64": {"clone": 56, "fork": 57, "vfork": 58, "clone3": 435},
    "aarch64": {"clone": 220, "clone3": 435},
}
_AUDIT: Mapping[str, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


@functools.cache
def seccomp_filter(*, processes: bool, machine: str | None = None) -> bytes | None:
    """The filter for this machine, as bwrap reads it (`--seccomp FD`); None on machines that are not known here."""
    machine = machine or platform.machine()
    if machine not in _AUDIT:
        return None
    made = _CALLS[machine]
    refuse = _REFUSE | errno.EPERM
    steps = [
        _step(_LOAD, _ARCHITECTURE), _step(_EQUAL, _AUDIT[machine], 1, 0), _step(_RETURN, _KILL), _step(_LOAD, _NUMBER),
    ]  # fmt: skip
    if machine == "x86_64":
        steps += [_step(_AT_LEAST, _X32, 0, 1), _step(_RETURN, _KILL)]
    # glibc takes clone3's absence for an old kernel's and makes the same with clone, whose flags can be seen.
    steps += [_step(_EQUAL, made["clone3"], 0, 1), _step(_RETURN, _REFUSE | errno.ENOSYS)]
    refused = [*_REFUSED[machine].values()] + (
        [] if processes else [made[name] for name in ("fork", "vfork") if name in made]
    )
    for number in refused:
        steps += [_step(_EQUAL, number, 0, 1), _step(_RETURN, refuse)]
    steps += [_step(_EQUAL, made["clone"], 1, 0), _step(_RETURN, _ALLOW), _step(_LOAD, _FIRST_ARGUMENT)]
    steps += [_step(_ANY_BIT, _CLONE_NEW, 0, 1), _step(_RETURN, refuse)]
    if not processes:
        steps += [_step(_ANY_BIT, _CLONE_THREAD, 1, 0), _step(_RETURN, refuse)]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction of the filter: `struct sock_filter` of linux/filter.h."""
    return struct.pack("=HBBI", code, then, otherwise, value)
