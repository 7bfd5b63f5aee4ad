"""The encoding of bytes that are no UTF-8, where something proves it.

A guess is made only of what the bytes show: words in which accented letters stand where they do in Western
languages, the letters or characters that are most frequent in a language. What proves nothing has no name.
"""

from __future__ import annotations

import re

_WESTERN = "cp1252"
_RUSSIAN = "cp1251"
_HIGH = re.compile(rb"[\x80-\xff]")
# Three accented letters in a row, a sign that texts do not have, an upper-case letter within a word in lower
# case, what is left of a character of UTF-8, letters by themselves that are no word or end a file.
_NOT_WESTERN = re.compile(
    rb"[\xc0-\xff]{3}|[\x81\x8d\x8f\x90\x9d\x83\x88\x98\xa4\xa6\xa8\xac\xad\xaf\xb8]|[a-z][\xc0-\xde]"
    rb"|[\xc2-\xf4][\x80-\x84\x86-\x91\x93\x95\x98-\xba\xbc-\xbf]|[^\x80-\xff][\x80-\xbf]{3}"
    rb"|(?:\A|[^A-Za-z\x80-\xff])[\xc2-\xf4][\x80-\xff]?\Z"
    rb"|(?<![A-Za-z\x80-\xff])[\xc1-\xc4\xc6\xc7\xca-\xd2\xd4\xd5\xd8-\xdf\xe1-\xe4\xe6\xe7\xea\xeb"
    rb"\xed-\xf1\xf4\xf5\xf8\xfa-\xff](?![A-Za-z\x80-\xff])"
    rb"|(?<![A-Za-z\x80-\xff])[\xc0-\xff]{2}(?![A-Za-z\x80-\xff])"
)
_WORD = re.compile("[А-Яа-яЁё]{2,}")
_LETTERS = frozenset("оеаинтсрвл")
_COMMON = 0.5  # of the letters of a Russian text are among those
_LEAST_LETTERS = 8
_LEAST_SIGNS = 6
_LEAST_SHARE = 0.2  # of the signs of a text are among the most frequent of its language
_LEAST_KANA = 0.3
_MARGIN = 2.0  # between the two best
_LEAST_WIDE = 16  # bytes
_WIDE_SHARE = 0.4
# The most frequent characters of each language: a fifth of any text of some length, and far less of what
# another encoding makes of its bytes.
_CHINESE = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然"
    "家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把"
    "机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产新己制身果"
    "加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活"
    "尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治"
)
_TRADITIONAL = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然"
    "家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長把"
    "機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產新己制身果"
    "加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活"
)
_KOREAN = frozenset(
    "이다는의에가을로고하지기를은한도어사인그나해자서있대시아들리것수라일정니과면보안만와구전게스으년장오여부문상주제원마"
    "국성동공신생실세조성회경우적비소방려음계모위무관유력화거간내분선교연요당히었습까러르된했않터까었던던민무르님했없말"
    "노저진명중야년물개드학금단용결발때영야행산업통양운식불날름토료드트크치차외입재체미현데바속남북동서"
)
_KANA = re.compile("[ぁ-ゖァ-ヺー]")
_SIGN = re.compile("[\u3400-\u9fff\uac00-\ud7a3ぁ-ゖァ-ヺー]")
_STRANGE = re.compile("[\ue000-\uf8ff\U00020000-\U0010ffff\x80-\x9f]")


def unmarked_wide(data: bytes) -> str:
    """UTF-16 without a mark, by its zeros: every other byte of text in Latin letters is one."""
    if len(data) < _LEAST_WIDE or b"\0" not in data:
        return ""
    low, high = data[::2].count(0) / len(data[::2]), data[1::2].count(0) / len(data[1::2])
    if high >= _WIDE_SHARE and low < high / 10:
        return "utf-16-le"
    return "utf-16-be" if low >= _WIDE_SHARE and high < low / 10 else ""


def encoding_of(data: bytes) -> str:
    """The encoding of bytes that are no UTF-8; nothing where it is not certain."""
    if b"\0" in data or not _HIGH.search(data):
        return ""
    if not _NOT_WESTERN.search(data):
        return _WESTERN
    if _is_russian(data):
        return _RUSSIAN
    scores = sorted(((_likeness(data, codec, signs), codec) for codec, signs in _SIGNS.items()), reverse=True)
    (best, codec), (second, _) = scores[:2]
    return codec if best >= _LEAST_SHARE and best >= _MARGIN * second else ""


def _is_russian(data: bytes) -> bool:
    try:
        text = data.decode(_RUSSIAN)
    except UnicodeDecodeError:
        return False
    letters = "".join(_WORD.findall(text))
    high = len(_HIGH.findall(data))
    if len(letters) < _LEAST_LETTERS or len(letters) < 0.8 * high:
        return False
    small = sum(map(str.islower, letters))
    return small >= 0.7 * len(letters) and sum(map(_LETTERS.__contains__, letters.lower())) >= _COMMON * small


def _likeness(data: bytes, codec: str, frequent: frozenset[str]) -> float:
    """How much of a text is what texts of its language consist of; nothing if the bytes do not come back."""
    try:
        text = data.decode(codec)
        if text.encode(codec) != data or _STRANGE.search(text):
            return 0.0
    except UnicodeError:
        return 0.0
    signs = _SIGN.findall(text)
    foreign = sum(character > "\x7f" for character in text)
    if len(signs) < _LEAST_SIGNS or len(signs) < 0.6 * foreign:
        return 0.0
    kana = len(_KANA.findall(text)) / len(signs)
    if not frequent:
        return kana if kana >= _LEAST_KANA else 0.0
    return sum(map(frequent.__contains__, signs)) / len(signs) if kana < _LEAST_KANA else 0.0


_SIGNS = {
    "gb18030": _CHINESE,
    "big5": _TRADITIONAL,
    "cp949": _KOREAN,
    "cp932": frozenset[str](),
    "euc_jp": frozenset[str](),
}
