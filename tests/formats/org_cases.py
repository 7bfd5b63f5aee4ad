"""What org-roam makes of a text: each row was compared with a real `org-roam-db-sync`.

`A`, `B` and so on stand for ids. `links` are the targets of id links, in the order of the text.
`tests/kb/test_org_roam.py` compares these rows with org-roam where it is installed.
"""

from __future__ import annotations

from typing import NamedTuple

A, B, C = (f"0000000{n}-0000-4000-8000-000000000000" for n in (1, 2, 3))


class Case(NamedTuple):
    """A text below the drawer and title of a node, and the links in it."""

    name: str
    text: str
    links: tuple[str, ...]


CASES = (
    Case("description with code", f"[[id:{A}][a ~code~ b]]", (A,)),
    Case("description with bold", f"[[id:{A}][a *b* c]]", (A,)),
    Case("description with brackets", f"[[id:{A}][[1] b]]", (A,)),
    Case("description of two lines", f"[[id:{A}][two\nlines]]", (A,)),
    Case("not closed", f"[[id:{A}][b] and [[id:{B}][c]]", (A,)),
    Case("capital type", f"[[ID:{A}][b]]", ()),
    Case("plain", f"see id:{A}, (id:{B})", (A, B)),
    Case("plain, any id", "see id:daily-note", ("daily-note",)),
    Case("plain behind an apostrophe", f"'id:{A}'", ()),
    Case("plain behind a letter of another script", f"日本id:{A}", (A,)),
    Case("plain in an address", "https://a.example/c?id:foo", ()),
    Case("angles", f"<id:{A}>", (A,)),
    Case("search within", f"[[id:{A}::*Head][x]]", (A,)),
    Case("verbatim and code", f"=[[id:{A}]]= ~[[id:{B}]]~ a=[[id:{C}]]=b", (C,)),
    Case("verbatim over two lines", f"=a\n[[id:{A}]] b=", ()),
    Case("verbatim over three lines", f"=a\nb\n[[id:{A}]] c=", (A,)),
    Case("bold cuts a link", f"*a [[id:{A}][b* c]]", ()),
    Case("bold hides verbatim", f"*a =b* [[id:{A}]]=", (A,)),
    Case("formula", f"$[[id:{A}]]$ \\([[id:{B}]]\\) $5 [[id:{C}]]", (C,)),
    Case("macro", f"{{{{{{m([[id:{A}]])}}}}}}", ()),
    Case("snippet", f"@@html:[[id:{A}]]@@", ()),
    Case("inline source", f"src_sh{{[[id:{A}]]}} call_f([[id:{B}]])", ()),
    Case("LaTeX command", f"\\emph{{[[id:{A}]]}}", ()),
    Case("subscript", f"a_{{[[id:{A}]]}}", (A,)),
    Case("footnote", f"Text[fn:1] [fn:: [[id:{A}]]]\n\n[fn:1] See [[id:{B}]]", (A, B)),
    Case("citation", f"[cite:@key [[id:{A}]]]", ()),
    Case("target", f"<<[[id:{A}]]>>", ()),
    Case("table", f"| [[id:{A}][one]] | =[[id:{B}]]= |", (A,)),
    Case("table cell cut by a bar", f"| [[id:{A}][a|b]] |", ()),
    Case("table formula", f"| a |\n#+tblfm: [[id:{A}]]", ()),
    Case("comment", f"# [[id:{A}]]\n  # [[id:{B}]]\n#[[id:{C}]]", (C,)),
    Case("fixed width", f": [[id:{A}]]\n  : [[id:{B}]]", ()),
    Case("source block", f"#+begin_src sh\n[[id:{A}]]\n#+end_src\n[[id:{B}]]", (B,)),
    Case("block that is open", f"#+begin_src sh\n[[id:{A}]]", (A,)),
    Case("block ended by a headline", f"#+begin_src sh\n* [[id:{A}]]\n#+end_src", (A,)),
    Case(
        "quote and verse",
        f"#+begin_quote\n[[id:{A}]]\n#+end_quote\n#+BEGIN_VERSE\n[[id:{B}]]\n#+END_VERSE",
        (A, B),
    ),
    Case("special block", f"#+begin_note\n[[id:{A}]]\n#+end_note", (A,)),
    Case("dynamic block", f"#+begin: x\n[[id:{A}]]\n#+end:", (A,)),
    Case("environment", f"\\begin{{eq}}\n[[id:{A}]]\n\\end{{eq}}", ()),
    Case("clock", f"CLOCK: [[id:{A}]]", ()),
    Case("logbook", f":LOGBOOK:\n- [[id:{A}]]\n:END:", (A,)),
    Case("keyword", f"#+description: [[id:{A}]]\n#+transclude: [[id:{B}]]", (A,)),
    Case("caption", f"#+caption: [[id:{A}]]\n#+name: [[id:{B}]]\n| x |", (A,)),
    Case("headline", f"* TODO [#A] See [[id:{A}][it]] [1/2] :tag:", (A,)),
    Case("COMMENT and ARCHIVE", f"* COMMENT [[id:{A}]]\n[[id:{B}]]\n* Old :ARCHIVE:\n[[id:{C}]]", (A, B, C)),
    Case("planning", f"* Head\nSCHEDULED: <2026-01-01> [[id:{A}]]", ()),
    Case("list", f"- [[id:{A}]] :: x\n- [ ] [[id:{B}]]\n  1. [[id:{C}]]", (A, B, C)),
    Case("other links", "[[file:a.org]] [[Title]] [[cite:key]] [[https://x.example]] cite:key", ()),
    Case(
        "properties of a headline",
        f"* H\n:PROPERTIES:\n:SRC: [[id:{A}]]\n:ROAM_REFS: [[id:{B}]]\n:END:",
        (A,),
    ),
    Case("Windows", f"a [[id:{A}]]\r\n#+begin_src sh\r\n[[id:{B}]]\r\n#+end_src\r\n", (A,)),
)
