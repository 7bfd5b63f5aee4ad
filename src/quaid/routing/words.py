"""Words of a text, as far as they say what it is about."""

from __future__ import annotations

import re

from quaid.formats.slugs import fold

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def word_set(text: str) -> frozenset[str]:
    """A set of words, written as a text."""
    return frozenset(text.split())


STOP = word_set(
    """a an the and or but if then of to in on at by for from with without into onto over under as is are
    was were be been being am do does did done have has had having will would can could should shall may
    might must not no nor i me my mine we us our ours you your yours he him his she her hers it its they
    them their theirs this that these those there here who whom whose which what when where why how all
    any both each few more most other some such only own same so than too very just also now new old one
    two first last please remember note always never usually often sometimes still again about after
    before during until since while because dont don t s ll re ve d m like likes prefer prefers love
    loves hate hates want wants need needs get gets got make makes made use uses used go goes went say
    says said keep put take takes know knows really much many day days time times thing things every"""
)


def all_words(text: str) -> frozenset[str]:
    """All words of a text, folded."""
    return frozenset(part for word in _WORD.findall(text) for part in fold(word).split())


def words_of(text: str) -> frozenset[str]:
    """The words of a text that say what it is about."""
    return frozenset(word for word in all_words(text) if word not in STOP and len(word) > 1)
