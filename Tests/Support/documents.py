# SPDX-License-Identifier: Apache-2.0
"""The code blocks of README.md and docs/ that tests run by their own text."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def block(name, document):
    """The block after the line `<!-- run: NAME -->` of a document."""
    text = (ROOT / document).read_text()
    found = re.search(rf"^<!-- run: {re.escape(name)} -->\n```\w+\n(.*?)^```$", text, re.M | re.S)
    assert found, f"{document} has no block {name}"
    return found.group(1)
