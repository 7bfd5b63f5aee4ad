"""The commands of a knowledge base, in the sections in which they are shown."""

from __future__ import annotations

from quaid.cli.kb_line import Entry, Option, Word
from quaid.kb.node import CONFIDENCES, LABELS, STATUSES, TYPES, VISIBILITIES

_NAME = "ID, the start of one, title, file or pointer of a node."
_OFFLINE = Option("offline", "Do not ask the remote.", "flag")
_YES = Option("yes", "The person has decided: do not ask.", "flag")
_POINTERS = Option(
    "pointers", "Also repoint `ai-kb: Title (ID)` in this file; may be repeated.", "many", placeholder="FILE"
)

READING = (
    Entry(
        "query",
        "Find nodes by words. A node's score is the sum of what matches, each once: title 100, tag, project "
        "and status 50, summary 20, body 5; then the one updated last. Status 0: found, 3: nothing found, 6: "
        "no knowledge base, 11: found what there is, but the index is stale or a file cannot be read.",
        "kb_read:query",
        (Word("words", "What you look for.", rest=True),),
        (
            Option("project", "Only nodes of this project."),
            Option("tag", "Only nodes with this tag."),
            Option("status", "Only nodes of this status.", choices=STATUSES),
            Option("type", "Only nodes of this type.", choices=TYPES),
            Option("limit", "How many at most; 10 unless given, 0 for all.", placeholder="N"),
            Option("every", "Only nodes that have all the words.", "flag"),
            Option(
                "semantic", "Ask the Quaid memory to which this is attached, by words and meaning.", "flag"
            ),
        ),
        ("query commit style", "query release --project emacs --json"),
    ),
    Entry(
        "show",
        "Print a node as it is written, and on standard error where it is. With --json: its fields, links "
        "and etag.",
        "kb_read:show",
        (Word("name", _NAME),),
        (Option("path", "Print only where the file is.", "flag"),),
        ("show 'Commit style'", "show 7c9e6679"),
    ),
    Entry(
        "backlinks",
        "List the nodes that link to a node; raw/ and the index do not count.",
        "kb_read:backlinks",
        (Word("name", _NAME),),
        (),
        ("backlinks 'Commit style'",),
    ),
    Entry(
        "status",
        "Say how the knowledge base is, without asking the remote: nodes, commits that are not pushed, "
        "failures, whether curation is due.",
        "kb_read:status",
        (),
        (Option("line", "One line if there is something to say, else nothing.", "flag"),),
        ("status", "status --line"),
    ),
    Entry(
        "lint",
        "Check nodes, links, index and raw/ for what must not be committed. Warnings never block. Status 0: "
        "sound, 11: findings. With files: what else is found does not block, unless it touches them.",
        "kb_read:lint",
        (Word("files", "The files whose findings count; otherwise all.", required=False, rest=True),),
        (
            Option("index", "Check the index only.", "flag"),
            Option("strict", "Findings outside the files block too.", "flag"),
            Option("org-lint", "Also ask Emacs, if it is there.", "flag"),
        ),
        ("lint", "lint --index", "lint --json"),
    ),
)

WRITING = (
    Entry(
        "remember",
        "Write a node, or change one: lock, follow the remote, write, regenerate the index, check everything "
        "and commit. It never pushes. The body is --body or standard input, which may be a whole node. "
        "What repeats or contradicts a node is refused, with the ways on. Status 0: committed, 4: something "
        "stands in the way, 11: the check failed; then nothing was written.",
        "kb_write:remember",
        (),
        (
            Option("title", "The title."),
            Option("summary", "One sentence by which it is found."),
            Option("body", "The text; - or nothing for standard input.", placeholder="TEXT"),
            Option("type", "What kind of knowledge it is; observation unless given.", choices=TYPES),
            Option("project", "A project's slug, or . for this directory; may be repeated.", "many"),
            Option("tag", "A tag; may be repeated.", "many"),
            Option("confidence", "How it is known.", choices=CONFIDENCES),
            Option("visibility", "Who may know it; personal unless given.", choices=VISIBILITIES),
            Option("source", "Where it comes from, or a path under raw/."),
            Option("created-by", "Who writes; otherwise AI_KB_CREATED_BY.", placeholder="AGENT"),
            Option(
                "relate",
                f"A relation to a node, such as RELATES_TO:ID; may be repeated. Labels: {', '.join(LABELS)}.",
                "many",
                placeholder="LABEL:NODE",
            ),
            Option("update", "Change this node; what is not given stays.", placeholder="NODE"),
            Option("append", "With --update: add the body instead of replacing it.", "flag"),
            Option("expect", "With --update: only if the node still has this etag.", placeholder="ETAG"),
            Option("contest", "Mark this node and the new one as contested.", placeholder="NODE"),
            Option("force-new", "Write it although a node is much like it.", "flag"),
            _OFFLINE,
        ),
        (
            "remember --title 'Commit style' --summary 'Short subjects.' --type preference",
            "remember --update 7c9e6679 --summary 'Short subjects, no full stop.'",
            "remember < node.org",
        ),
    ),
    Entry(
        "commit",
        "Check and commit files that you have edited by hand; where the check fails they stay as they are. "
        "Editors call this after saving.",
        "kb_write:commit",
        (Word("files", "The files; otherwise all that have changed.", required=False, rest=True),),
        (Option("message", "What the commit says."), _OFFLINE),
        ("commit", "commit 20260524093000-commit-style.org"),
    ),
    Entry(
        "capture",
        "Keep what a node rests on: a stub under raw/ with address, day and excerpt (at most 2,000 words and "
        "16 KB). Nothing is downloaded. Name the path that it prints as the node's source.",
        "kb_write:capture",
        (Word("source", "An address or a file."),),
        (
            Option(
                "excerpt", "The passage that matters; - or nothing for standard input.", placeholder="TEXT"
            ),
            Option("title", "What it is called."),
            Option("full", "Keep the whole file under raw/files.", "flag"),
            _OFFLINE,
        ),
        ("capture https://example.org/post --excerpt 'The passage.'", "capture paper.pdf --full"),
    ),
    Entry(
        "index",
        "Write index.org anew from the nodes. Nothing is committed. Status 11 with --check if it is stale.",
        "kb_write:index",
        (),
        (Option("check", "Only say whether it is stale.", "flag"),),
        ("index", "index --check"),
    ),
)

DECIDING = (
    Entry(
        "merge",
        "Make several nodes one. Links to the others lead to it; their texts join it, or a body replaces it.",
        "kb_admin:merge",
        (Word("into", _NAME), Word("others", "The nodes that go.", rest=True)),
        (
            Option("body", "The text of the one; - for standard input.", placeholder="TEXT"),
            _POINTERS,
            _YES,
            _OFFLINE,
        ),
        ("merge 7c9e6679 'Commit messages' --pointers ~/notes/MEMORY.md",),
    ),
    Entry(
        "split",
        "Make a section of a node a node of its own; a link stays in its place.",
        "kb_admin:split",
        (Word("name", _NAME),),
        (
            Option("at", "The headline of the section.", placeholder="HEADLINE"),
            Option("title", "The new node's title; otherwise the headline."),
            Option("summary", "The new node's summary; otherwise its first sentence."),
            _YES,
            _OFFLINE,
        ),
        ("split 'Git habits' --at 'Signing commits'",),
    ),
    Entry(
        "supersede",
        "Say that a node has taken another's place. Links to the old one lead to the new one.",
        "kb_admin:supersede",
        (Word("old", _NAME), Word("new", _NAME)),
        (_POINTERS, _YES, _OFFLINE),
        ("supersede 'Old style' 'New style'",),
    ),
    Entry(
        "delete",
        "Remove a node, or a capture under raw/. Git keeps what it was.",
        "kb_admin:delete",
        (Word("name", "A node, or a path under raw/."),),
        (
            Option("repoint", "Lead links to this node instead.", placeholder="NODE"),
            Option("unlink", "Leave only the words of links to it.", "flag"),
            _POINTERS,
            _YES,
            _OFFLINE,
        ),
        ("delete 7c9e6679 --unlink",),
    ),
    Entry(
        "contest",
        "Mark two nodes that contradict each other for review.",
        "kb_admin:contest",
        (Word("one", _NAME), Word("other", _NAME)),
        (_YES, _OFFLINE),
        ("contest 'Tabs' 'Spaces'",),
    ),
    Entry(
        "resolve",
        "End a contest: this node holds and supersedes those that contradict it; or, with --both, all hold.",
        "kb_admin:resolve",
        (Word("name", _NAME),),
        (Option("both", "They do not contradict each other after all.", "flag"), _POINTERS, _YES, _OFFLINE),
        ("resolve 'Spaces'",),
    ),
    Entry(
        "resolve-divergence",
        "Bring the branch and the remote together. Commits made here come after the remote's; where both "
        "changed a node such that the texts cannot be joined, both versions stay, as contested nodes.",
        "kb_admin:resolve_divergence",
        (),
        (_YES,),
        ("resolve-divergence",),
    ),
    Entry(
        "curate",
        "Report what a person should look at: duplicates, orphans, contests, nodes too broad or long "
        "untouched, captures without a node, large files. Nothing is changed but by --done.",
        "kb_admin:curate",
        (),
        (
            Option("dry-run", "Only report; this is what it does anyway.", "flag"),
            Option(
                "days", "After how many days a node counts as untouched; 180 unless given.", placeholder="N"
            ),
            Option("semantic", "Also find duplicates by meaning, in the Quaid memory.", "flag"),
            Option(
                "done", "Stamp this node as looked at today; may be repeated.", "many", placeholder="NODE"
            ),
            _OFFLINE,
        ),
        ("curate --dry-run", "curate --done 7c9e6679 --done 'Git habits'"),
    ),
)

KEEPING = (
    Entry(
        "init",
        "Make a knowledge base, or complete one: git repository or clone, contract, index. Claude Code and "
        "Codex are told of it if they are here, and it is attached to your Quaid memory if there is one. A "
        "second run changes nothing. Ends with what doctor says.",
        "kb_setup:init",
        (Word("path", "Where; otherwise --kb, AI_KB or the usual place.", required=False),),
        (
            Option("remote", "The private repository to clone or to push to.", placeholder="ADDRESS"),
            Option("timer", "Push every 15 minutes by systemd or launchd.", "flag"),
            Option(
                "adapter",
                "Tell only this agent; otherwise those that are here.",
                "many",
                choices=("claude", "codex"),
            ),
            Option("no-adapter", "Tell no agent.", "flag"),
            Option("agents-file", "Tell agents about it in this AGENTS.md.", placeholder="FILE"),
            Option("no-attach", "Do not attach it to your Quaid memory.", "flag"),
            _OFFLINE,
        ),
        ("init", "init --remote git@git.example.org:ai-kb.git --timer"),
    ),
    Entry(
        "doctor",
        "Look at everything: git, remote, pushes, index, nodes, secrets, sizes, tools. Status 11: a problem.",
        "kb_setup:doctor",
        (),
        (_OFFLINE,),
        ("doctor", "doctor --offline --json"),
    ),
    Entry(
        "sync",
        "Fetch, follow the remote where that needs no merge, and refresh the Quaid memory to which this is "
        "attached.",
        "kb_setup:sync",
        (),
        (),
        ("sync",),
    ),
    Entry(
        "push",
        "Push what is committed; never with force. A failure is noted for status and doctor. A rejected push "
        "is not tried again: the commit stays, and the divergence is noted. Status 13: the push failed.",
        "kb_setup:push",
        (),
        (
            Option(
                "if-ahead",
                "For timers: only if there is something to push, and always with status 0.",
                "flag",
            ),
        ),
        ("push", "push --if-ahead"),
    ),
)

SECTIONS = (
    ("reading", READING),
    ("writing", WRITING),
    ("for a person to decide", DECIDING),
    ("keeping", KEEPING),
)
ENTRIES: tuple[Entry, ...] = tuple(entry for _, section in SECTIONS for entry in section)
BY_NAME = {entry.name: entry for entry in ENTRIES}
