#!/usr/bin/env python3
"""Runs the tests of the map's page, or those whose names contain an argument, and prints the figures they measured."""

import pathlib
import sys
import unittest

from page_test import FIGURES

FOLDER = pathlib.Path(__file__).parent


def main():
    loader = unittest.TestLoader()
    if sys.argv[1:]:
        loader.testNamePatterns = [f"*{name}*" for name in sys.argv[1:]]
    result = unittest.TextTestRunner(verbosity=2).run(loader.discover(str(FOLDER)))
    for name, figure in FIGURES.items():
        print(f"{name}: {figure}")
    sys.exit(not result.wasSuccessful())


main()
