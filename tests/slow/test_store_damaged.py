"""Every byte of a small store, flipped."""

from __future__ import annotations

import damaged_store
import pytest

pytestmark = pytest.mark.slow


def test_every_flipped_byte_is_refused_or_harmless(tmp_path):
    """A damaged store (any byte flipped) is refused in one line or gives the same figures."""
    data, before = damaged_store.make(tmp_path / "store.db")
    refused = damaged_store.flip(tmp_path / "flipped.db", data, before, range(len(data)))
    assert 1000 < refused < len(data)
