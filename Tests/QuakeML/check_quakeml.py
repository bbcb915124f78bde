#!/usr/bin/env python3
"""Checks a file of QuakeML against the published schemas, which ObsPy brings along, and reads it with ObsPy.

    Tests/QuakeML/check_quakeml.py FILE

Prints what is wrong and ends with status 1, or prints how many events ObsPy found.
"""

import pathlib
import sys

import obspy.io.quakeml
from lxml import etree

schemas = pathlib.Path(obspy.io.quakeml.__file__).parent / "data"
document = etree.parse(sys.argv[1])
for schema in (
    etree.XMLSchema(file=str(schemas / "QuakeML-1.2.xsd")),
    etree.RelaxNG(file=str(schemas / "QuakeML-1.2.rng")),
):
    if not schema.validate(document):
        sys.exit("\n".join(str(error) for error in schema.error_log[:5]))
print(len(obspy.read_events(sys.argv[1], format="QUAKEML")) if len(document.getroot()[0]) else 0)
