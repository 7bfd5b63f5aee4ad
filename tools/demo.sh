#!/usr/bin/env bash
# A tour of Quaid with a memory that exists only while this script runs.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!QUAID_@}"
export HOME="$work" TZ=UTC
cd "$work"

say() {
    printf '\n# %s\n' "$1"
}

show() {
    printf '\n$ %s\n' "$1"
    eval "$1"
}

# For commands that are meant to fail.
fails() {
    printf '\n$ %s\n' "$1"
    local status=0
    eval "$1" || status=$?
    printf '(exit status %s)\n' "$status"
    [ "$status" -eq "$2" ]
}

put() {
    local page
    page=$(cat)
    printf "\n\$ quaid put %s <<'EOF'\n%s\nEOF\n" "$1" "$page"
    quaid put "$1" <<<"$page"
}

say "A memory of a small company that plans berths for harbours."
show "quaid init memory.db"

put companies/northwind <<'PAGE'
---
title: Northwind
aliases: [Northwind Software]
domain: northwind.example
---
# Northwind

> Makes planning software for small harbours. Eleven people in Porto.

Its first customer is [[companies/minato]].

---

- **2019-05-02** | register — Founded
- **2026-01-12** | mail — Signed [[companies/minato]] as a customer
PAGE

put people/ada <<'PAGE'
---
title: Ada Moreau
tags: [engineer, storage]
---
# Ada Moreau

> Leads the storage team. Prefers short design notes.

Argued for [[decisions/sqlite]] against a server.

---

- **2026-02-03** | meeting — Took over the storage team
PAGE

put people/ben <<'PAGE'
---
title: Ben Okafor
tags: [sales]
---
# Ben Okafor

> Sells to harbour masters. Knows everybody in Setúbal.
PAGE

put companies/minato <<'PAGE'
---
title: 港湾サービス株式会社
aliases: [Minato]
---
# 港湾サービス株式会社

> 横浜の小さな港を管理する会社。

[[people/ben]] が担当している。
PAGE

put decisions/sqlite <<'PAGE'
---
title: We store berths in SQLite
made_at: 2026-04-14
owner: people/ada
status: active
---
# We store berths in SQLite

> One file per harbour, because harbours lose their network.

Decided by [[people/ada]]. A server was too much to run for eleven people.

---

- **2026-04-14** | meeting — Decided
PAGE

put journal/2026-04-14 <<'PAGE'
# Tuesday

Long talk with [[Ada Moreau]] about storage. [[Ben Okafor]] wants a demonstration for [[Minato]] in May.
PAGE

say "Words: stemmed, weighted, with the passage that matched. Any script."
show "quaid search harbour network"
show "quaid search 小さな港"
show "quaid search storage --type person"

say "Meaning: the question shares no word with the answer. The model is part of Quaid and works offline."
show "quaid query 'who is good at persuading buyers?' --limit 2"

say "Names and dates in a question count too. --explain says how each page came to its place."
show "quaid query 'what was decided with Ada Moreau in April 2026?' --depth section --limit 3 --explain"

say "An agent says how many tokens it can spare: the best page in detail, the others as summaries."
show "quaid query 'harbours that lose their network' --limit 3 --token-budget 120"
show "quaid model status"

say "Links know when they were true."
show "quaid link people/ben companies/northwind --relationship works_at --valid-from 2021-03"
show "quaid link people/ada companies/northwind --relationship works_at --valid-from 2023-06-01"
ben=$(quaid links people/ben --json | sed 's/.*"id": \([0-9]*\).*"works_at".*/\1/')
show "quaid link-close $ben --valid-until 2026-05-01"
show "quaid backlinks northwind --relationship works_at"
show "quaid backlinks northwind --relationship works_at --temporal historical"
show "quaid get people/ben"

say "The timeline only grows; the same entry is not written twice."
show "quaid timeline-add people/ada --date 2026-04-20 --summary 'Showed the first prototype' --source review"
show "quaid timeline-add people/ada --date 2026-04-20 --summary 'Showed the first prototype' --source review"
show "quaid timeline people/ada"

say "Whoever writes from an old version is told so, and nothing is overwritten."
fails "echo '# Ada' | quaid put people/ada --expected-version 1" 4

say "A removed page comes back."
show "quaid rm people/ben"
fails "quaid get people/ben" 3
show "quaid restore people/ben"

say "The graph around a page, and as it was on another day."
show "quaid graph people/ada --depth 2 --limit 6"
show "quaid graph companies/northwind --at 2022-01-01 --depth 1"

say "Facts come from everywhere, and may clash: both sides are quoted, nothing is decided behind your back."
show "quaid assert Northwind based_in Oslo --source 'annual report'"
show "quaid assert Northwind based_in Bergen --page people/ada --source 'mail of 12 May'"
fails "quaid check --all" 11

say "Every change keeps what was there before."
show "quaid history people/ada --limit 3"
show "quaid diff people/ada"

say "A folder of notes becomes part of the memory as it is; edits by any program are seen."
mkdir -p notes/Projects
printf '# Quay\n\nPontoons for [[Ada Moreau]].\n' > 'notes/Projects/New Quay.md'
show "quaid collection add notes notes"
printf 'Dredging starts in May.\n' >> 'notes/Projects/New Quay.md'
show "quaid search dredging"
show "quaid tag projects/new-quay harbour && cat 'notes/Projects/New Quay.md'"

say "A notebook: say it, and it finds its place. Lists, reference, knowledge, a log per day, all plain Markdown."
mkdir diary
show "quaid collection add diary diary --profile notebook"
show "quaid remember 'add oat milk and rope to shopping'"
show "quaid remember 'never ping me before 9'"
show "quaid recall 'how early may I be pinged?'"

say "What an agent sees: at the start of a session, with a prompt, and when it calls a tool."
show "quaid context | head -n 12"
show "echo '{\"prompt\": \"Prepare the call with Ada Moreau.\"}' | quaid --db memory.db hook prompt"
show "quaid call memory_query '{\"question\": \"Why SQLite?\", \"depth\": \"summary\", \"limit\": 1}'"

say "And all is sound."
show "quaid validate --all"
show "quaid stats"

say "Now yours: 'pipx install .', then 'quaid init', and 'quaid setup --list' shows which agents can have it."
