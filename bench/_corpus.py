"""A synthetic memory: the same pages for the same number, with words as unevenly frequent as real ones."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

SEED = 20260414
VOCABULARY = 40_000
TAGS = 300
CJK_SHARE = 0.04
_COMMON = "the of and to in is that for it was on with as be by at from this have or an are not which one all"
COMMON = tuple(_COMMON.split())
FOLDERS = ("people", "companies", "projects", "concepts", "decisions", "sources", "meetings", "areas")
CJK = (
    "机器学习是人工智能的一个分支",
    "东京都的天气预报说明天有雨",
    "我们在会议上决定使用数据库",
    "検索エンジンの設計と実装について",
    "데이터베이스 설계에 관한 회의록",
    "知识图谱记录事实何时为真",
)
_SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan ber cor del fen gar hol"
SYLLABLES = tuple(_SYLLABLES.split())


@dataclass(frozen=True)
class Draft:
    """A page that is to be written."""

    slug: str
    text: str


class Corpus:
    """Pages by number, each made from the seed and its number alone."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        words = [*COMMON, *itertools.islice(_words(random.Random(SEED)), VOCABULARY - len(COMMON))]
        self.words = words
        self._weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(words))))
        self._tag_weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(TAGS)))

    def slug(self, number: int) -> str:
        """Where a page is."""
        rng = random.Random(SEED + number)
        return f"{FOLDERS[number % len(FOLDERS)]}/{self._rare(rng)}-{self._rare(rng)}-{number}"

    def draft(self, number: int) -> Draft:
        """A page of some 150 to 300 words with title, tags, links and a timeline."""
        rng = random.Random(SEED * 31 + number)
        slug = self.slug(number)
        title = " ".join(part.capitalize() for part in slug.rsplit("/", 1)[1].split("-"))
        tags = {f"tag-{rng.choices(range(TAGS), cum_weights=self._tag_weights)[0]}" for _ in range(3)}
        body = [f"# {title}", "", self._paragraph(rng, 30)]
        for _ in range(rng.randint(2, 4)):
            body += ["", f"## {self._paragraph(rng, 3)}", "", self._paragraph(rng, rng.randint(35, 60))]
        if rng.random() < CJK_SHARE:
            body += ["", rng.choice(CJK) + "。"]
        body += ["", "See " + ", ".join(f"[[{self.slug(self._other(rng))}]]" for _ in range(3)) + "."]
        entries = [
            f"- **{2015 + rng.randrange(11)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}** | meeting — "
            + self._paragraph(rng, 12)
            for _ in range(rng.randint(1, 4))
        ]
        head = ["---", f"title: {title}", f"tags: [{', '.join(sorted(tags))}]", "---", ""]
        return Draft(slug, "\n".join([*head, *body, "", "---", "", *entries, ""]))

    def queries(self, count: int) -> list[str]:
        """What people might search for: one to four words, phrases, common words, CJK."""
        rng = random.Random(SEED - 1)
        found = []
        for number in range(count):
            kind = number % 10
            words = rng.choices(self.words[:4000], cum_weights=self._weights[:4000], k=1 + number % 4)
            if kind == 8:
                text = self.draft(rng.randrange(self.pages)).text.split("\n## ")[1].split("\n")[2]
                found.append('"' + " ".join(text.split()[:2]).strip(".") + '"')
            elif kind == 9:
                sentence = rng.choice(CJK).replace(" ", "")
                start = rng.randrange(len(sentence) - 3)
                found.append(sentence[start : start + rng.randint(2, 3)])
            elif kind == 7:
                found.append(" ".join(rng.choices(COMMON, k=2)))
            else:
                found.append(" ".join(words))
        return found

    def _paragraph(self, rng: random.Random, count: int) -> str:
        words = rng.choices(self.words, cum_weights=self._weights, k=count)
        for end in range(10, count, 11):
            words[end] += "."
        return " ".join(words).capitalize()

    def _rare(self, rng: random.Random) -> str:
        return self.words[rng.randrange(len(COMMON), len(self.words))]

    def _other(self, rng: random.Random) -> int:
        """Some page; those with low numbers are linked to more often."""
        return int(self.pages * rng.random() ** 3)


def _words(rng: random.Random) -> Iterator[str]:
    seen = set(COMMON)
    while True:
        word = "".join(rng.choices(SYLLABLES, k=rng.randint(2, 4)))
        if word not in seen:
            seen.add(word)
            yield word
