#!/usr/bin/env bash
# A tour of Quaid with a memory that exists only while this script runs.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!QUAID_@}"
export HOME="$work"
cd "$work"

show() {
    printf '\n$ %s\n' "$1"
    eval "$1"
}

put() {
    local page
    page=$(cat)
    printf "\n\$ quaid put %s <<'EOF'\n%s\nEOF\n" "$1" "$page"
    quaid put "$1" <<<"$page"
}

show "quaid init memory.db"

put people/ada <<'PAGE'
---
type: person
title: Ada Moreau
tags: [engineer]
---
Leads the storage team at [[companies/northwind]]. Prefers short design notes.

---
- **2026-02-03** | meeting — Took over the storage team
- **2026-04-14** | email — Chose SQLite for [[projects/harbor]]
PAGE

put companies/northwind <<'PAGE'
---
type: company
title: Northwind
---
Makes software for small harbours. Founded in 2019.
PAGE

put projects/harbor <<'PAGE'
---
type: project
title: Harbor
---
A berth planner by [[companies/northwind]] that works without a network.

---
- **2026-04-20** | review — First prototype shown to [[people/ada]]
PAGE

show 'quaid search "storage team"'
show "quaid links people/ada"
show "quaid timeline people/ada"
show "quaid stats"
