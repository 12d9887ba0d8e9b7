"""The toy in its second edition, which still has the first in its box: only for two, and the die counts twice."""

from dataclasses import replace

from tests.engine import toy

BOX = replace(toy.BOX, most=2, package=__name__, earlier={1: toy.BOX.package})
