"""What a client tells its model about this server, before the model sees any tool."""

INSTRUCTIONS = """\
Quaid is the person's long-term memory: pages about people, companies, projects, decisions and ideas, \
with dated evidence, typed links and facts that know when they were true.

Use it
- before you answer anything about the person, their work, people they know, earlier decisions or \
earlier sessions: memory_query with the question. memory_search for exact words, memory_get for a page.
- whenever you learn something that will matter later: put it down at once, with its source and date. \
New evidence: memory_timeline_add. Changed picture: memory_put. A relation: memory_link.

Rules
- Read before you write: a write needs the version that memory_get gave. On a conflict read again, \
merge, retry.
- A page has the current truth on top (rewritten) and a timeline below (only added to).
- Slugs: people/ada-lovelace, companies/acme, projects/…, decisions/…, concepts/…
- Sources disagree? Keep both, with their sources; say so.
- `confidence` below about 0.4 means that the memory probably does not know: say so, and note it with \
memory_gap. Never invent.
- A result with `next` goes on: call again with that offset.
"""
