"""What a page says of all, and the exceptions that it names."""

from __future__ import annotations

import pytest

from quaid.graph.prose.exceptions import exceptions
from quaid.store.doubts import Truth

MOTION = "The motion to sell the printing press was carried unanimously."
RULE = "Every service writes its event first. There are no exceptions to this rule."
ALL = "It applies to everybody, including management."


@pytest.mark.parametrize(
    ("rule", "sentence", "found"),
    [
        (MOTION, "Helga and Wim voted against selling the printing press.", True),
        (MOTION, "Nobody voted against selling the printing press.", False),
        (MOTION, "Helga and Wim voted against a new sign over the door.", False),
        (MOTION, "If Helga voted against selling the printing press, we would know.", False),
        (
            "The motion to sell the printing press was carried.",
            "Helga voted against selling the printing press.",
            False,
        ),
        (RULE, "The inventory service is exempt and changes its state first.", True),
        (RULE, "The inventory service is not exempt.", False),
        (RULE, "Cyclists are exempt from the toll.", False),
        (ALL, "Management is not bound by it.", True),
        (ALL, "Interns are not bound by it.", False),
        (ALL, "Management is bound by it.", False),
    ],
)
def test_an_exception_from_what_knows_none(rule: str, sentence: str, found: bool) -> None:
    page = Truth(1, "concepts/rule", "default", "Rule", ("Rule",), f"{rule}\n\n- {sentence}", "2026-01-01")
    assert [one.quote for one, _ in exceptions([page])] == [sentence] * found
