"""Tests of research run as the others do."""

from tests.conftest import pytest_collection_finish, pytest_collection_modifyitems

__all__ = ["pytest_collection_finish", "pytest_collection_modifyitems"]
