from __future__ import annotations

import socket

import pytest

from modex.core.llm.served.listeners import public_address


@pytest.mark.parametrize(
    ("family", "address", "public"),
    [
        (socket.AF_INET, "127.0.0.1", ""),
        (socket.AF_INET, "0.0.0.0", "0.0.0.0"),
        (socket.AF_INET6, "::1", ""),
        (socket.AF_INET6, "::", "::"),
        (socket.AF_INET6, "::ffff:127.0.0.1", ""),
    ],
)
def test_who_can_reach_a_port_is_known_from_the_system(family: int, address: str, public: str) -> None:
    with socket.socket(family) as listening:
        try:
            listening.bind((address, 0))
        except OSError:
            pytest.skip("no such addresses here")
        listening.listen()
        assert public_address(listening.getsockname()[1]) == public


def test_a_port_that_nobody_listens_at_is_nobodys() -> None:
    with socket.socket() as bound:
        bound.bind(("0.0.0.0", 0))
        assert public_address(bound.getsockname()[1]) == ""
