"""Files whose bytes are odd: cut characters, encodings that nobody named, what programs leave behind."""

from __future__ import annotations

import codecs

TEXTS = {
    "zh": "# 会议记录\n\n今天和小王开会，讨论了项目的进度和下一步的计划。我们决定在北京建立新的办公室。\n",
    "zh-tw": "# 會議記錄\n\n今天和小王開會，討論了專案的進度和下一步的計畫。我們決定在台北建立新的辦公室。\n",
    "ru": "# Заметка\n\nСегодня на встрече мы обсудили план проекта и сроки. Купить молоко и хлеб.\n",
    "ja": "# 買い物リスト\n\n今日は会議でプロジェクトの進捗について話しました。牛乳と卵を買う。\n",
    "ko": "# 회의록\n\n오늘 회의에서 프로젝트 진행 상황을 논의했습니다. 서울에 사무실을 열기로 했다.\n",
    "el": "# Σημείωση\n\nΣήμερα συζητήσαμε το σχέδιο του έργου και τις προθεσμίες.\n",
    "he": "# הערה\n\nשלום עולם זה טקסט בעברית על הפרויקט שלנו.\n",
    "ar": "# ملاحظة\n\nمرحبا بالعالم هذا نص عن المشروع.\n",
    "hi": "# टिप्पणी\n\nआज हमने परियोजना की योजना पर चर्चा की।\n",
    "th": "# บันทึก\n\nวันนี้เราคุยกันเรื่องแผนของโครงการ\n",
    "fr": "# Café\n\nL’œuvre créée à Paris, «été» déjà vu – naïve Zoë.\n",
    "de": "# Grüße\n\nÄrger mit Öl und Übung in der Straße.\n",
    "cs": "# Poznámka\n\nPříliš žluťoučký kůň úpěl ďábelské ódy.\n",
    "emoji": "# 🦭 Seals\n\nA seal 🦭 and a walrus 🦦, with a family 👨‍👩‍👧.\n",
    "en": "# Plain\n\nOnly plain words here, and one odd byte somewhere.\n",
}
LEGACY = {
    "zh": ("gbk", "gb18030", "utf-16-le", "utf-16-be", "hz"),
    "zh-tw": ("big5", "utf-16-le"),
    "ru": ("cp1251", "koi8-r", "cp866", "iso8859-5", "utf-16-be"),
    "ja": ("shift_jis", "cp932", "euc_jp", "iso2022_jp", "utf-16-le"),
    "ko": ("euc_kr", "cp949", "johab", "utf-16-be"),
    "el": ("cp1253", "iso8859-7"),
    "he": ("cp1255",),
    "ar": ("cp1256",),
    "th": ("cp874",),
    "fr": ("cp1252", "mac_roman", "utf-16-le", "utf-7"),
    "de": ("latin-1", "cp850", "utf-16-be", "utf-32-le"),
    "cs": ("cp1250", "iso8859-2"),
    "en": ("utf-16-le", "utf-16-be", "utf-32", "utf-16", "cp037"),
}
STRANGE = {
    "nul": b"a\0b\0\0c\n",
    "all-bytes": bytes(range(256)),
    "lone-cr": b"one\rtwo\rcaf\xc3\xa9 \xff\r",
    "bom-in-the-middle": "one\ufefftwo é\n".encode() + b"\xfe\n",
    "two-boms": codecs.BOM_UTF8 * 2 + b"text \xe9\n",
    "overlong-slash": "déjà ".encode() + b"\xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf\n",
    "overlong-nul": b"a \xc0\x80 b\n",
    "cesu": "naïve é ".encode() + b"\xed\xa0\xbd\xed\xb2\xa9\n",
    "lone-surrogate": b"x \xed\xa0\x80 y\n",
    "beyond-unicode": b"x \xf5\x80\x80\x80 \xf8\x88\x80\x80\x80 y\n",
    "own-private-area": "real \U0010f7e4 character\n".encode(),
    "own-private-area-wide": codecs.BOM_UTF16_LE + "real \U0010f7e4 character\n".encode("utf-16-le"),
    "apple-logo": "\uf8ff \uf780 and nerd fonts \uf7e4\n".encode(),
    "mixed": "grüße ".encode() + "grüße ".encode("latin-1") + "привет ".encode("cp1251") + b"\n",
    "mixed-lines": "été\n".encode() * 5 + "été\n".encode("cp1252") * 2,
    "marked-odd": codecs.BOM_UTF8 + b"text \xe9\xe4\n",
    "wide-odd-length": codecs.BOM_UTF16_LE + "wide text\n".encode("utf-16-le") + b"\x41",
    "wide-lone-surrogate": codecs.BOM_UTF16_BE + "wide ".encode("utf-16-be") + b"\xd8\x00\x00a\x00\n",
    "wide-unmarked-odd": "wide text without a mark\n".encode("utf-16-le") + b"\x41",
    "wide-mark-alone": codecs.BOM_UTF16_LE,
    "one-byte": b"\xe9",
    "smart-quote": b"don\x92t \x93quote\x94\n",
    "undefined": b"caf\xe9 \x81\x8d\x8f\x90\x9d\n",
    "nel": b"one\x85two\xc2\x85three\n",
    "gif": b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00",
    "crlf-odd": b"one \xff\r\ntwo \xfe\r\n",
    "no-end": "été ".encode() + b"\xe4\xb8",
}


def odd_files() -> dict[str, bytes]:
    """The files by name; more than two hundred."""
    found = {f"{name}.md": data for name, data in STRANGE.items()}
    for name, text in TEXTS.items():
        data = text.encode()
        first = next((place for place, byte in enumerate(data) if byte > 0x7F), 4)
        last = max((place for place, byte in enumerate(data) if byte > 0x7F), default=20)
        for place in {first, first + 1, last - 1, last, len(data) // 2}:
            found[f"cut-{name}-{place}.md"] = data[:place] + data[place + 1 :]
            found[f"broken-{name}-{place}.md"] = data[:place] + b"\xff" + data[place + 1 :]
        found[f"cut-off-{name}.md"] = data[: last if last < len(data) else -1]
        found[f"headed-{name}.md"] = b"---\ntitle: T\n---\n" + data[: last - 1] + b"\n"
    for name, codecs_ in LEGACY.items():
        for codec in codecs_:
            data = TEXTS[name].encode(codec, "ignore")
            found[f"{name}-{codec}.md"] = data
            if not codec.startswith("utf-"):
                found[f"{name}-{codec}-entries.md"] = data + b"\n---\n\n- 2024-01-01 \xe2\x80\x94 An entry\n"
    found |= {
        f"{name}-{codec}-marked.md": mark + text.encode(codec)
        for name, text in TEXTS.items()
        for codec, mark in (("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE))
    }
    return found
