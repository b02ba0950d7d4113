"""What is kept of the scopes that were used last."""

from __future__ import annotations

from ethos_memory.providers.lru import LruCache


def test_the_one_used_longest_ago_goes_first() -> None:
    """Using one again keeps it."""
    cache: LruCache[list[int]] = LruCache(2, list)
    first = cache.use("a")
    cache.use("b")
    assert cache.use("a") is first
    cache.use("c")
    assert list(cache) == ["a", "c"]
    assert cache.use("a") is first
    assert len(cache) == 2


def test_an_empty_value_is_kept_as_well() -> None:
    """It is one, although it is false."""
    cache: LruCache[list[int]] = LruCache(1, list)
    assert cache.use("a") is cache.use("a")


def test_a_value_that_is_forgotten_is_made_anew() -> None:
    """One that is not there is no error."""
    cache: LruCache[list[int]] = LruCache(1, list)
    first = cache.use("a")
    cache.forget("a")
    cache.forget("a")
    assert not cache
    assert cache.use("a") is not first
