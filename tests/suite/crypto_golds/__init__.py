"""Every gold answer of crypto_qa, recomputed from the snapshot by id."""

from tests.suite.crypto_golds import onchain, overlap, projects, tokenomics, trends
from tests.suite.crypto_golds.asking import GOLDS

__all__ = ["GOLDS", "onchain", "overlap", "projects", "tokenomics", "trends"]
