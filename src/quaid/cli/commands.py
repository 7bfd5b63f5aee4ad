"""The commands that are not operations: they make a memory, describe the program, or carry calls."""

from __future__ import annotations

from typing import get_args

from quaid.agents.setup.clients import NAMES
from quaid.cli.command import Command, flag, option, word
from quaid.model.grant import Right
from quaid.store.collections import Profile

LISTENING = (
    option("host", "The address to listen at; others reach it only by TLS. [127.0.0.1]"),
    option("port", "The port; 0 takes a free one. [8766]"),
    option("token_file", "A file with the token."),
    option("allow_host", "Names under which a proxy passes requests on, with commas."),
    option("tls_cert", "A certificate, as PEM: it then speaks HTTPS."),
    option("tls_key", "The key of the certificate."),
    flag("behind_proxy", "A proxy before it does TLS: it may listen beyond this machine without."),
    flag("oauth", "Let programs ask for a token in your browser, as hosted MCP clients do."),
)
NO_WATCH = flag("no_watch", "Do not watch folders.")
DEBUG = flag("debug", "Also answer at /api/debug/: how the memory is inside, and hooks without an agent.")
COMMANDS: tuple[Command, ...] = (
    Command(
        "init",
        "Make a memory. Without a path, it is yours for every directory: ~/.quaid/memory.db. "
        "Of a folder, the files are the pages; they stay as they are.",
        "cli.init:init",
        (
            word("path", "A file that ends in .db, or a folder.", required=False),
            option(
                "profile",
                "What kind of folder it is; vault is any folder of notes.",
                default="vault",
                choices=get_args(Profile),
            ),
        ),
        ("init", "init work.db", "init ~/notes", "init ~/diary --profile notebook"),
    ),
    Command(
        "trust",
        "Accept a folder that came from elsewhere: its memory, folders that it names, and its skills. "
        "What you make yourself is accepted already. Folders outside are shown first, and a question asked.",
        "cli.trust:trust",
        (
            word("path", "A folder, or a memory's file.", required=False),
            flag("list", "Show what you have accepted."),
            flag("remove", "Accept it no longer."),
            flag("yes", "Do not ask."),
        ),
        ("trust ~/src/notes", "trust --list", "trust --remove ~/src/notes"),
    ),
    Command(
        "edit",
        "Edit a page in your editor: VISUAL, or else EDITOR. A page that is a file is edited where it is; of "
        "one that lives in the memory, a copy is, and written back when the editor ends. If somebody else "
        "has changed the page meanwhile, you are told, and your text is kept.",
        "cli.edit:edit",
        (word("page", "The page.", completes="slug"),),
        ("edit people/alice", "edit 'Harbour Plan'"),
    ),
    Command(
        "open",
        "Open a page's file with the program that your system has for it, and print where it is. "
        "In a pipe, and where there is no screen, it is only printed.",
        "cli.edit:open_page",
        (word("page", "The page.", completes="slug"),),
        ("open projects/harbour-plan",),
    ),
    Command(
        "doctor",
        "Look at everything that a memory needs, and say what mends it. The memory and whether it is sound, "
        "folders, model, sync, conflicts, permissions, disk space, clients, hooks, server, knowledge base: "
        "a line for each, and the command behind what is wrong. It loads no model and asks no network. The "
        "exit status is 11 if there is a problem; a warning is none.",
        "cli.doctor:doctor",
        (),
        ("doctor", "doctor --json"),
    ),
    Command(
        "rescue",
        "Save all that can be read of a damaged memory, and say what is lost. It becomes a new memory, and "
        "its pages files. The damaged one is not touched. The exit status is 11 if something is lost.",
        "cli.rescue:rescue",
        (
            word(
                "directory", "A new or empty directory. [memory.db.rescued]", required=False, completes="file"
            ),
        ),
        ("rescue saved", "--db broken.db rescue saved"),
    ),
    Command(
        "watch",
        "Keep the memory in step with folders until interrupted. "
        "What changes is read after a moment of quiet.",
        "cli.watch:watch",
        (
            word("name", "The collection; otherwise all.", required=False, completes="collection"),
            flag("embed", "Also embed what has changed."),
        ),
        ("watch", "watch notes --embed"),
    ),
    Command(
        "dashboard",
        "Open the memory in your browser: ask, read, search, edit, and see what agents did. It listens on "
        "this machine only, and lets in who has the link that it prints, which works once. A dashboard that "
        "runs already is used.",
        "cli.dashboard:dashboard",
        (
            option("port", "The port. [4321, or the next that is free]"),
            flag("no_browser", "Only print the link."),
            NO_WATCH,
            DEBUG,
        ),
        ("dashboard", "dashboard --no-browser --port 9000"),
    ),
    Command(
        "serve",
        "Serve the memory to MCP clients. A client starts it and talks to it through standard input and "
        "output. With --http it listens at http://127.0.0.1:8766, has MCP at /mcp and every operation at "
        "/api/, and wants a token: one of `token add`, QUAID_TOKEN, --token-file, or one that it makes and "
        "prints.",
        "cli.serve:serve",
        (
            option("tools", "Sets and tools: core, full, notebook, kb, or names; else what fits the memory."),
            flag("http", "Listen for HTTP instead."),
            *LISTENING,
            option(
                "log", "A file that gets a line for each request, or -: who, what, how long; no contents."
            ),
            NO_WATCH,
            DEBUG,
        ),
        (
            "serve",
            "serve --tools core,notebook",
            "serve --tools core,memory_facts",
            "serve --http --port 9000",
        ),
    ),
    Command(
        "service install",
        "Keep a server of the memory running, by systemd, or by launchd on macOS. It is a service of yours: "
        "it starts when you log in, and again when it fails. Unless you name a file with its token, one is "
        "made that only you can read.",
        "cli.service:install_service",
        (
            option("tools", "Sets and tools, as for `serve`."),
            *LISTENING,
            flag("dry_run", "Show what would be written, and change nothing."),
        ),
        (
            "service install",
            "service install --port 9000 --dry-run",
            "service install --allow-host memory.example.org",
        ),
    ),
    Command(
        "service status",
        "Say whether the service runs, whether it starts by itself, and what went wrong last. "
        "The exit status is 11 if it does not run.",
        "cli.service:show_service",
    ),
    Command(
        "service remove",
        "Stop the service, and take away what `service install` has written. The memory stays as it is.",
        "cli.service:remove_service",
    ),
    Command(
        "token add",
        "Make a token for a server of this memory, and print it: that once. Its hash is kept in ~/.quaid. "
        "`own` may also do what reaches beyond pages, erases for good, or is for a person to decide.",
        "cli.tokens:add_token",
        (
            word("name", "Who is to have it, such as laptop or ci."),
            option("can", "What it is for.", default="read", choices=get_args(Right)),
            option("collection", "About these collections alone, with commas."),
            option("expires", "A day, or a number of days such as 90d."),
        ),
        ("token add laptop --can write", "token add guest --collection recipes --expires 30d"),
    ),
    Command(
        "token list",
        "List the tokens of this memory: what each may do, and when it was used last.",
        "cli.tokens:list_tokens",
    ),
    Command(
        "token revoke",
        "Take a token back. A server that runs refuses it from then on.",
        "cli.tokens:revoke_token",
        (word("name", "The token."),),
        ("token revoke laptop",),
    ),
    Command(
        "setup",
        "Set up the programs in which your agents run. Writes the server, hooks and skills into each one's "
        "own configuration, keeps everything else in it as it is, and makes a memory if there is none.",
        "cli.setup:setup",
        (
            word(
                "clients", "Which: " + ", ".join(NAMES) + ".", required=False, rest=True, completes="client"
            ),
            flag("list", "Show which are on this machine, and which are set up."),
            flag("dry_run", "Show what would change, and change nothing."),
            flag("remove", "Take it away again."),
            option(
                "scope",
                "For you in every directory, or for this directory alone.",
                default="user",
                choices=("user", "project"),
            ),
            option(
                "tools",
                "What agents are offered: core, full, notebook, kb, or names; else what fits the memory.",
            ),
            option("name", "What the server is called.", default="quaid"),
            flag("no_hooks", "Without hooks."),
            flag("no_skills", "Without skills."),
        ),
        ("setup --list", "setup claude-code codex", "setup cursor --scope project --dry-run"),
    ),
    Command(
        "hook",
        "Answer a hook of an agent's program: JSON in, JSON out. It never fails the agent.",
        "cli.hook:hook",
        (
            word(
                "event",
                "session-start, prompt, pre-compact, post-compact, stop, session-end, or what the client "
                "calls it; otherwise the input says.",
                required=False,
                completes="event",
            ),
        ),
        ("hook session-start", "hook prompt < call.json"),
    ),
    Command(
        "warm",
        "Stand by with everything loaded, and run questions and hooks for whoever asks.\n\nIt ends when "
        "nobody has asked for a while (`warm.minutes`). A question at a terminal and a hook start it. It "
        "listens at a socket in ~/.quaid/run that only you can reach. Linux only.",
        "cli.standby:stand_by",
    ),
    Command(
        "merge-driver",
        "Merge a page for git, by what it says. git runs it with the names of its files (%O %A %B %P); "
        "what clashes goes into .conflicts.",
        "cli.merge_driver:merge_driver",
        (
            word("base", "The file with the common text (%O)."),
            word("ours", "That with ours, where the result goes (%A)."),
            word("theirs", "That with theirs (%B)."),
            word("path", "The path of the page in the repository (%P)."),
            flag("ancestors", "For ancestors that git merges on its way: nothing is noted."),
        ),
    ),
    Command(
        "flush simulate",
        "Say when, in a transcript, an agent would have been asked to write down what matters.",
        "cli.flush:simulate_flush",
        (
            word("transcript", "A transcript of a client: a JSON object per line."),
            option("window_tokens", "How large the model's window is; 200000 unless set otherwise."),
        ),
        ("flush simulate session.jsonl --window-tokens 100000",),
    ),
    Command("skills list", "List the skills that agents can follow.", "cli.skills:list_skills"),
    Command(
        "skills show",
        "Print a skill, for an agent to follow.",
        "cli.skills:show_skill",
        (
            word("name", "The skill.", completes="skill"),
            option("reference", "One of the files beside it, such as templates.md."),
        ),
        ("skills show ingest", "skills show ingest --reference templates.md"),
    ),
    Command(
        "skills doctor",
        "Say where each skill comes from, what it hides, and what is wrong with it. "
        "The exit status is 11 if something is.",
        "cli.skills:examine_skills",
    ),
    Command(
        "skills extract",
        "Write skills to a folder, to edit them. In ~/.quaid/skills, which is where they go unless you say "
        "otherwise, they take the place of the built-in ones. One that you have edited stays as it is.",
        "cli.skills:extract_skills",
        (
            word("names", "Which; otherwise all.", required=False, rest=True, completes="skill"),
            option("to", "The folder. [~/.quaid/skills]"),
            flag("force", "Also those that you have edited."),
            option("prefix", "What to put before each name, such as quaid-."),
        ),
        ("skills extract ingest", "skills extract --to .agents/skills --prefix quaid-"),
    ),
    Command(
        "self-check",
        "Say whether Quaid itself is whole and works. It looks at its files, SQLite and the models, and "
        "uses a memory that is made for this and goes again; yours is not opened. The exit status is 11 if "
        "something is wrong.",
        "cli.self_check:self_check",
    ),
    Command("version", "Say which version of what runs.", "cli.about:version"),
    Command(
        "call",
        "Call a tool as a program does; the answer is JSON.",
        "cli.calls:call",
        (
            word("tool", "The tool, such as memory_get.", completes="tool"),
            word("arguments", "Its arguments: JSON, @FILE or -.", required=False),
        ),
        ("""call memory_search '{"query": "river"}'""",),
    ),
    Command(
        "pipe",
        "Answer calls until the input ends. "
        'A line in: {"id": 1, "tool": "memory_get", "args": {"slug": "x"}}; '
        'a line out: {"id": 1, "result": …} or {"id": 1, "error": …}.',
        "cli.calls:pipe",
    ),
    Command(
        "completion",
        "Print a script that completes commands, slugs, types and tags in your shell.",
        "cli.about:print_completion",
        (word("shell", "bash, zsh or fish.", choices=("bash", "zsh", "fish")),),
        ("completion bash > ~/.local/share/bash-completion/completions/quaid",),
    ),
)

BY_NAME = {command.name: command for command in COMMANDS}
