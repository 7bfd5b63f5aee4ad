"""Two changes of one page, brought together by what the page says: `meld` in `page.py`. No I/O."""
