"""Documents of every kind give their text, or say why they do not; nothing in them acts."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter

from quaid.errors import InvalidInput
from quaid.foreign.documents import documents, office
from quaid.foreign.documents.documents import extract
from quaid.foreign.documents.sources import body_of, source_page, source_text
from quaid.formats.markdown import frontmatter, structure
from tests.support import tolerating

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(*lines: str) -> bytes:
    """A small PDF with these lines of text."""
    shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
    stream = f"BT /F1 12 Tf 72 720 Td {shown} ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, each))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start))
    return out.getvalue()


def docx(body: str, prologue: str = "", more: dict[str, bytes] | None = None) -> bytes:
    """A small Word document."""
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office_document = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{types}"><Override PartName="/word/document.xml" '
        f'ContentType="{main}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office_document}" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<?xml version="1.0"?>{prologue}<w:document xmlns:w="{W}"><w:body>{body}'
        "</w:body></w:document>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        for name, data in (more or {}).items():
            archive.writestr(name, data)
    return out.getvalue()


def paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}<w:r><w:t>{text}</w:t></w:r></w:p>"


def refusal(data: bytes, name: str) -> str:
    with pytest.raises(InvalidInput) as caught:
        extract(data, name)
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.org", "a.json", "a", ""])
def test_text_is_taken_as_it_is(name: str) -> None:
    found = extract("Héllo\n---\r\n\tworld".encode(), name)
    assert (found.text, found.kind, found.type) == ("Héllo\n---\r\n\tworld", "text", "doc")


def test_a_web_page_is_its_article_as_markdown() -> None:
    page = b"""<!DOCTYPE html><html><head><title>Site</title><style>p{}</style></head><body>
    <nav>Home About</nav><article><h1>Rivers</h1><p>The <b>Elbe</b> is <a href="https://e.org/x">long</a>.</p>
    <ul><li>one</li><li>two</li></ul><table><tr><th>River</th><th>km</th></tr><tr><td>Elbe</td><td>1094</td></tr>
    </table><script>steal()</script><img src="https://tracker.example/x.png"></article>
    <footer>imprint</footer></body></html>"""
    found = extract(page, "page.html")
    assert (found.kind, found.type, found.title) == ("web page", "article", "Rivers")
    assert "# Rivers" in found.text
    assert "The **Elbe** is [long](https://e.org/x)." in found.text
    assert "- one\n- two" in found.text
    assert "| Elbe | 1094 |" in found.text
    for gone in ("steal", "tracker", "imprint", "Home About", "p{}"):
        assert gone not in found.text


def test_a_web_page_in_another_encoding() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>łódź</p></body></html>'
    assert "łódź" in extract(page.encode("iso-8859-2"), "a.htm").text


def test_a_web_page_that_nests_without_end_is_refused() -> None:
    assert "nested too deeply" in refusal(b"<div>" * 20_000 + b"x", "a.html")


def test_a_pdf_gives_its_text() -> None:
    found = extract(pdf("The Elbe is long.", "It ends in the sea."), "river.pdf")
    assert (found.kind, found.type) == ("PDF", "doc")
    assert found.text.split() == ["The", "Elbe", "is", "long.", "It", "ends", "in", "the", "sea."]
    assert extract(pdf("Named wrongly."), "river.txt").kind == "PDF"


def test_an_encrypted_pdf_is_refused_unless_anyone_may_read_it() -> None:
    for password, algorithm in (("secret", "RC4-128"), ("", "RC4-128")):
        writer = PdfWriter(clone_from=io.BytesIO(pdf("The Elbe.")))
        writer.encrypt(password, "owner", algorithm=algorithm)
        out = io.BytesIO()
        writer.write(out)
        if password:
            assert refusal(out.getvalue(), "a.pdf") == "the PDF is encrypted"
        else:
            assert extract(out.getvalue(), "a.pdf").text == "The Elbe.\n"


def test_a_pdf_of_images_only_is_refused() -> None:
    assert refusal(pdf(), "scan.pdf") == "the PDF holds no text, only images"


@given(st.binary(max_size=300), st.integers(0, 700))
def test_a_broken_pdf_is_refused_and_nothing_else(noise: bytes, place: int) -> None:
    whole = pdf("The Elbe.")
    for data in (b"%PDF-1.7\n" + noise, whole[:place] + noise + whole[place + len(noise) :], whole[:place]):
        with tolerating("invalid_input"):
            extract(data, "a.pdf")


def test_a_word_document_gives_headings_and_tables() -> None:
    cell = "<w:tc>{}</w:tc>"
    row = "<w:tr>{}</w:tr>"
    rows = [("River", "km"), ("Elbe", "1094")]
    table = "".join(row.format("".join(cell.format(paragraph(text)) for text in texts)) for texts in rows)
    found = extract(
        docx(paragraph("Rivers", "Heading1") + paragraph("The Elbe &amp; more.") + f"<w:tbl>{table}</w:tbl>"),
        "a.docx",
    )
    assert (found.kind, found.type, found.title) == ("Word document", "doc", "Rivers")
    assert "# Rivers\n\nThe Elbe & more." in found.text
    assert "| Elbe | 1094 |" in found.text


def test_a_word_document_with_entities_is_refused() -> None:
    prologue = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    assert "defines entities" in refusal(docx(paragraph("&a;"), prologue), "a.docx")


def test_a_word_document_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "MAX_UNPACKED", 1_000_000)
    assert "unpacks to more" in refusal(docx(paragraph("x"), more={"word/bomb": bytes(1_000_001)}), "a.docx")


@given(st.binary(max_size=200), st.integers(0, 900))
def test_a_broken_word_document_is_refused_and_nothing_else(noise: bytes, place: int) -> None:
    whole = docx(paragraph("The Elbe."))
    for data in (noise, whole[:place] + noise + whole[place + len(noise) :], whole[:place]):
        with tolerating("invalid_input"):
            extract(data, "a.docx")


def test_subtitles_are_turns_of_speech() -> None:
    vtt = """WEBVTT - Meeting

NOTE nobody said this

1
00:00:01.000 --> 00:00:03.000 align:start
<v Alice Smith>We ship &amp; celebrate.</v>

00:00:03.000 --> 00:00:05.000
<v Alice Smith>On <i>Friday</i>.

00:00:05.000 --> 00:00:06.000
Bob: Great
"""
    found = extract(vtt.encode(), "a.vtt")
    assert (found.kind, found.type) == ("transcript", "meeting")
    assert found.text == "**Alice Smith:** We ship & celebrate. On Friday.\n\n**Bob:** Great\n"
    srt = "1\n00:00:01,000 --> 00:00:02,000\nHello there\n\n2\n00:00:02,000 --> 00:00:03,000\nagain\n"
    srt = srt.replace("\n", "\r\n")
    assert extract(srt.encode(), "a.srt").text == "Hello there again\n"
    assert extract(vtt.encode(), "").kind == "transcript"


@given(st.text())
def test_any_subtitles_can_be_read(text: str) -> None:
    with tolerating("invalid_input"):
        assert extract(text.encode(), "a.vtt").text.strip()


def test_a_mail_is_its_headers_and_body() -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Älice <alice@example.org>", "bob@example.org"
    mail["Subject"], mail["Date"] = "The Elbe", "Tue, 14 Apr 2026 10:00:00 +0000"
    mail.set_content("It is long.\n")
    mail.add_alternative("<p>It is <b>not</b> this.</p>", subtype="html")
    mail.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="map.pdf")
    found = extract(mail.as_bytes(), "a.eml")
    assert (found.kind, found.type, found.title) == ("mail", "conversation", "The Elbe")
    assert found.text.startswith("- **From:** Älice <alice@example.org>\n- **To:** bob@example.org\n")
    assert found.text.endswith("\n\nIt is long.\n")
    assert found.notes == ("Attachments are not read: map.pdf.",)


@given(st.binary())
def test_any_mail_can_be_read(data: bytes) -> None:
    with tolerating("invalid_input"):
        assert extract(data, "a.eml").text.strip()


def test_what_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is not text" in refusal(b"\x89PNG\r\n\x1a\n\x00\x00\x00", "a.png")
    assert "holds no text" in refusal(b" \n", "a.md")
    monkeypatch.setattr(documents, "MAX_BYTES", 10)
    assert "larger than 64 MB" in refusal(b"x" * 11, "a.md")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pypdf", "mammoth", "bs4"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    for data, name in ((pdf("x"), "a.pdf"), (docx(paragraph("x")), "a.docx"), (b"<p>x", "a.html")):
        with pytest.raises(InvalidInput) as caught:
            extract(data, name)
        assert "pipx inject quaid pypdf" in caught.value.hint


FIELDS = {"title": "A: b", "type": "source", "sha256": "0" * 64}
LINES = st.sampled_from(
    [
        "---",
        "***",
        "* * *",
        "___",
        "----- ",
        " ---",
        "text",
        "",
        "- item",
        "  ---",
        "> quote",
        "```",
        "<!--",
        "-->",
    ]
)


@given(st.lists(LINES, max_size=12).map("\n".join) | st.text(max_size=80))
def test_the_page_of_a_source_is_all_truth_and_gives_the_text_back(text: str) -> None:
    page = source_page(text, FIELDS)
    document = structure.parse(page)
    assert (document.rule, document.timeline) == ("", "")
    assert frontmatter.read(document.head)[0] | FIELDS == frontmatter.read(document.head)[0]
    if not frontmatter.split(text)[0] and text[:1] not in ("\n", "\r", "\ufeff"):
        assert source_text(page) == text


def test_rules_and_frontmatter_of_a_source_stay_readable() -> None:
    page = source_page("---\ntitle: Mine\n---\n\nbefore\n\n---\n\nafter\n", FIELDS)
    assert body_of(page) == "```yaml\ntitle: Mine\n```\n\nbefore\n\n***\n\nafter\n"
    assert "rules: '***'" in page or 'rules: "***"' in page
    assert structure.parse(page).truth.endswith("after\n")
