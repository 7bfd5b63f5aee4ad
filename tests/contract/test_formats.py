"""Markdown and org can do the same."""

from __future__ import annotations

import subprocess
import sys

from quaid.formats.format import page_format
from tests.contract.formats import FormatContract


class TestMarkdown(FormatContract):
    format = page_format("markdown")
    page = "---\ntitle: River\ntags: [water]\n---\n\nSee [[The sea]].\n\n## State\n\nIt flows.\n"


class TestOrg(FormatContract):
    format = page_format("org")
    page = "#+title: River\n#+filetags: :water:\n\nSee [[The sea]].\n\n* State\nIt flows.\n"


def test_a_markdown_page_does_without_the_parser_of_org() -> None:
    code = (
        "import sys; from quaid.formats.content import read_page; read_page('# T', 'x'); "
        "print([name for name in sys.modules if name.startswith('quaid.formats.org')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
