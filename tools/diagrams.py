"""Draw docs/diagrams/*.mmd as SVG beside them: python tools/diagrams.py [--check].

The site and the pages show the drawings, so that no reader loads a drawing program. Whoever changes a diagram
needs npm (for mermaid) and Chromium. A drawing says of which text it was made; `--check` compares that.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DIAGRAMS = Path(__file__).parent.parent / "docs" / "diagrams"
MERMAID = "mermaid@11"
SETTINGS = """{startOnLoad: false, theme: "neutral", htmlLabels: false, fontFamily: "sans-serif",
  flowchart: {htmlLabels: false, useMaxWidth: true, wrappingWidth: 420}, deterministicIds: true}"""
PAGE = """<!doctype html><meta charset="utf-8"><body><script src="mermaid.min.js"></script><script>
mermaid.initialize({settings});
const texts = {texts};
(async () => {{
  for (const [name, text] of Object.entries(texts)) {{
    const {{svg}} = await mermaid.render(name, text);
    const kept = document.createElement("pre");
    kept.id = "svg-" + name;
    kept.textContent = svg;
    document.body.append(kept);
  }}
}})();
</script>"""


def mark(source: Path) -> str:
    """What the drawing of a text begins with."""
    return f"<!-- {source.name} {hashlib.sha256(source.read_bytes()).hexdigest()[:16]} -->\n"


def stale() -> list[Path]:
    """Texts whose drawing is missing, or is of another text."""
    found = []
    for source in sorted(DIAGRAMS.glob("*.mmd")):
        drawing = source.with_suffix(".svg")
        if not drawing.is_file() or not drawing.read_text(encoding="utf-8").startswith(mark(source)):
            found.append(source)
    return found


def draw(sources: list[Path]) -> None:
    """Have a browser draw them all."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        subprocess.run(["npm", "install", "--silent", "--prefix", room, MERMAID], check=True)
        library = room / "node_modules" / "mermaid" / "dist" / "mermaid.min.js"
        (room / "mermaid.min.js").symlink_to(library)
        texts = {source.stem: source.read_text(encoding="utf-8") for source in sources}
        page = room / "page.html"
        page.write_text(PAGE.format(settings=SETTINGS, texts=json.dumps(texts)), encoding="utf-8")
        browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000"]
        command = [*browser, "--dump-dom", page.as_uri()]
        seen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for source in sources:
        kept = re.search(f'<pre id="svg-{source.stem}">(.*?)</pre>', seen, re.DOTALL)
        if not kept:
            sys.exit(f"{source.name} could not be drawn")
        drawing = html.unescape(kept[1])
        readable = drawing.replace('style="', 'style="background: white; ', 1)  # in the dark, too
        source.with_suffix(".svg").write_text(mark(source) + readable + "\n", encoding="utf-8")


def main() -> None:
    """Draw what has changed, or say what would be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="Only say which drawings are out of date.")
    given = parser.parse_args()
    found = stale()
    if given.check and found:
        sys.exit(f"out of date: {', '.join(each.name for each in found)}; run python tools/diagrams.py")
    if found:
        draw(found)


if __name__ == "__main__":
    main()
