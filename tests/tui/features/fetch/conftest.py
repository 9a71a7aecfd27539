"""The Hub on loopback of the feature's own tests."""

from tests.core.features.fetch.conftest import served

__all__ = ["served"]
