"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# The machines that run the tests differ in speed; an example is never wrong because it was slow, and the same
# examples everywhere make a failure one that everybody sees.
settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")
