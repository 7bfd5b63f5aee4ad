"""What people type for a command that is called otherwise here, because it is called so in other programs."""

from __future__ import annotations

from collections.abc import Mapping

# The commands, the likeliest first, and the words that mean them. A word may stand in several lines.
MEANINGS: tuple[tuple[str, str], ...] = (
    ("rm", "delete del remove trash erase discard drop"),
    ("forget", "erase purge wipe destroy shred"),
    ("restore", "undelete unremove recover untrash"),
    ("query", "find ask lookup retrieve question answer semantic"),
    ("search", "find grep rg fulltext fts"),
    ("recall", "retrieve ask"),
    ("list", "ls dir pages all"),
    ("get", "show cat read view print page less more display fetch"),
    ("open", "show view file where"),
    ("edit", "change modify update vi vim nano emacs editor"),
    ("put", "add create write save store insert upsert set touch update"),
    ("new", "create template"),
    ("remember", "add note save store jot capture learn memorize memorise"),
    ("collection add", "add attach mount folder vault obsidian directory workspace"),
    ("collection remove", "detach unmount"),
    ("collection list", "folders-of collections vaults"),
    ("mv", "rename move ren"),
    ("import", "load copy migrate convert"),
    ("ingest", "load upload pdf document mail"),
    ("export", "dump backup copy archive snapshot"),
    ("compact", "vacuum shrink optimise optimize gc prune"),
    ("doctor", "fix health diagnose problem"),
    ("validate", "verify fsck integrity repair fix"),
    ("rescue", "recover salvage"),
    ("rebuild", "reindex repair refresh index"),
    ("embed", "index vectors vectorise vectorize embeddings"),
    ("model status", "embeddings embedder"),
    ("stats", "status info summary count size"),
    ("history", "log versions revisions blame"),
    ("activity", "log audit who blame actors"),
    ("daily-log", "log journal diary today"),
    ("revert", "rollback reset checkout"),
    ("undo", "rollback takeback"),
    ("sync", "push pull commit git share replicate"),
    ("conflicts", "merge clash resolve"),
    ("dashboard", "web ui gui browser browse app"),
    ("serve", "server start mcp http run daemon listen api"),
    ("service install", "daemon autostart systemd launchd"),
    ("setup", "install connect configure claude cursor codex client agent"),
    ("token add", "login auth key apikey password"),
    ("config set", "set settings preferences options prefs"),
    ("config list", "settings preferences options env"),
    ("due", "todo todos tasks reminders deadlines overdue"),
    ("briefing", "brief summary report overview morning news"),
    ("check", "contradictions contradiction clashes"),
    ("assert", "fact claim state believe"),
    ("facts", "fact claims assertions triples"),
    ("retract", "unassert disbelieve"),
    ("link", "connect relate relation"),
    ("graph", "neighbours neighbors network visualise visualize draw connections"),
    ("related", "similar like neighbours neighbors"),
    ("gaps", "unanswered unknown missing questions"),
    ("tags", "labels categories"),
    ("tag", "label categorise categorize"),
    ("untag", "unlabel"),
    ("context", "prompt instructions orders memory"),
    ("conversations search", "chats sessions transcripts chat"),
    ("skills list", "skill"),
    ("init", "make begin initialise initialize"),
    ("self-check", "selftest test"),
    ("version", "about ver"),
    ("completion", "complete-script autocomplete bash zsh fish"),
)
# Last words of commands with two, one meaning on each line.
VERBS: tuple[frozenset[str], ...] = (
    frozenset({"add", "new", "create", "init", "attach", "install", "make"}),
    frozenset({"remove", "rm", "delete", "revoke", "detach", "forget", "discard", "uninstall", "drop"}),
    frozenset({"list", "ls", "show", "info", "status", "get", "read"}),
    frozenset({"search", "query", "find", "ask"}),
    frozenset({"set", "use", "write", "put", "change"}),
    frozenset({"rename", "move", "mv"}),
)
MOST = 3


def meant_by(word: str, known: Mapping[str, str]) -> list[str]:
    """The commands that a word means, of those that are known by it: the likeliest first."""
    word = word.casefold()
    by_table = [known[name] for name, words in MEANINGS if word in words.split() and name in known]
    if by_table:
        return by_table[:MOST]
    return [known[name] for verbs in VERBS if word in verbs for name in known if name in verbs][:MOST]
