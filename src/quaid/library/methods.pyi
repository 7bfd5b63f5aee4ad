"""What every memory can do. Written by tools/stubs.py from the operation table: do not edit it."""

from collections.abc import Mapping, Sequence
from datetime import date
from os import PathLike
from typing import Any, Literal, overload

from quaid.operations.activity import Activities
from quaid.operations.agents import GivenToAgents
from quaid.operations.answers import Answers
from quaid.operations.assertions import Retracted, SupersededFact
from quaid.operations.audit import AuditReport
from quaid.operations.briefing import Briefing
from quaid.operations.charset import Recoded
from quaid.operations.check import Findings
from quaid.operations.collections import CollectionInfo, CollectionLine, CollectionList, Detached
from quaid.operations.config import SettingList, SettingView
from quaid.operations.conflicts import ConflictLine, ConflictList, Resolved
from quaid.operations.context import Context
from quaid.operations.conversations import Conversation, ConversationList, TurnMatches
from quaid.operations.copies import Merged
from quaid.operations.daily_log import Logged
from quaid.operations.due import DueList
from quaid.operations.edits import Stated
from quaid.operations.engine import EngineStatus, EngineSynced
from quaid.operations.facts import FactList
from quaid.operations.forget import Forgotten
from quaid.operations.gaps import GapList
from quaid.operations.graph import GraphView, OrphanList, PathView
from quaid.operations.history import Difference, Reverted, Versions
from quaid.operations.imports import Batches
from quaid.operations.ingest import Ingested
from quaid.operations.kb.answer import Answer
from quaid.operations.links import LinkList, Unlinked
from quaid.operations.lint import LintReport
from quaid.operations.map import MapView
from quaid.operations.memory import Report, Stats
from quaid.operations.models import Embedded, ModelList, ModelRemoved, ModelStatus, ModelUsed
from quaid.operations.moves import Moved
from quaid.operations.notebook import Migration, NotebookFiles, NoteText, NoteWritten
from quaid.operations.novelty import NoveltyView
from quaid.operations.orders import Decided
from quaid.operations.pages import FolderList, OldPage, PageList, PageView
from quaid.operations.preview import Preview
from quaid.operations.quarantine import Discarded, QuarantineList
from quaid.operations.quarantine import Exported as QuarantineExported
from quaid.operations.raw import RawData
from quaid.operations.recall import Recalled
from quaid.operations.related import RelatedPages
from quaid.operations.relocation import Moved as RelocationMoved
from quaid.operations.remember import Remembered
from quaid.operations.remote_setup import Initiated
from quaid.operations.remote_status import Standings
from quaid.operations.remotes import Exchanges
from quaid.operations.render import Rendered
from quaid.operations.search import Matches
from quaid.operations.sync import AllSynced, Rebuilt, StateDigest, Synced
from quaid.operations.sync_keys import Imported as Sync_keysImported
from quaid.operations.sync_keys import Keys
from quaid.operations.tags import PageTags, TagCounts
from quaid.operations.timeline import Added, Entries
from quaid.operations.transcripts import Embedded as TranscriptsEmbedded
from quaid.operations.transcripts import Forgotten as TranscriptsForgotten
from quaid.operations.transcripts import IndexResult
from quaid.operations.undo import Undone
from quaid.store.compaction import Compacted
from quaid.store.gaps import Gap
from quaid.transfer.export import Exported
from quaid.transfer.imports import Imported
from quaid.vault.collection import Written

Day = str | date
File = str | PathLike[str]

class Methods:
    @overload
    def get(self, slug: str) -> PageView:
        """Read a page."""

    @overload
    def get(self, slug: str, *, version: int) -> PageView | OldPage:
        """Read a page."""

    def render(
        self,
        slug: str | None = None,
        *,
        content: str | None = None,
        format: Literal["markdown", "org"] | None = None,
    ) -> Rendered:
        """Show a page, or a text, as HTML."""

    def put(
        self,
        slug: str,
        content: File | None = None,
        *,
        expected_version: int | None = None,
        compiled_truth: str | None = None,
        timeline_append: str | None = None,
        frontmatter: Mapping[str, Any] | None = None,
        assertions: Sequence[Mapping[str, Any]] | None = None,
        check_novelty: bool = False,
    ) -> Written:
        """Write a page, or parts of one."""

    def new(self, type: str, slug: str, *, title: str | None = None) -> Written:
        """Make a page from the template of its type."""

    def list(
        self,
        *,
        type: str | None = None,
        tag: str | None = None,
        wing: str | None = None,
        collection: str | None = None,
        since: Day | None = None,
        by: str | None = None,
        under: str | None = None,
        sort: Literal["updated", "created", "title", "slug"] = "updated",
        limit: int | None = None,
        offset: int = 0,
        removed: bool = False,
    ) -> PageList:
        """List pages, newest change first."""

    def folders(self, under: str | None = None, *, collection: str | None = None) -> FolderList:
        """List the folders of pages below a folder, with the number of pages in each."""

    def rm(self, slug: str, *, page_version: int | None = None) -> Written:
        """Remove a page, so that nothing shows it any more; `restore` brings it back."""

    def restore(self, slug: str) -> Written:
        """Bring back the page that was last removed under a slug, with all that belongs to it."""

    def mv(self, slug: str, to: str, *, page_version: int | None = None) -> Moved:
        """Give a page another slug. It stays the same page; links to it are rewritten where they are
        written.
        """

    def history(self, slug: str, *, limit: int | None = None, removed: bool = False) -> Versions:
        """List the versions of a page that are kept, newest first, and how much each changed."""

    def diff(self, slug: str, *, from_: int | None = None, to: int | None = None) -> Difference:
        """Show what changed between two versions of a page: by default, by its last change."""

    def revert(self, slug: str, *, to: int | None = None, page_version: int | None = None) -> Reverted:
        """Give a page the text that it had in an earlier version, as a new version."""

    def activity(
        self,
        *,
        actor: str | None = None,
        session: str | None = None,
        since: Day | None = None,
        reads: bool = False,
        limit: int = 10,
    ) -> Activities:
        """List who wrote which pages, session by session; with --reads, what they read."""

    def undo(
        self,
        *,
        session: str | None = None,
        actor: str | None = None,
        since: Day | None = None,
        page: str | None = None,
        yes: bool = False,
    ) -> Undone:
        """Take back what somebody did in a session, or since a moment, as new versions."""

    def recode(self, slug: str, *, from_: str, to: str = "utf-8", page_version: int | None = None) -> Recoded:
        """Convert a page to another encoding, whose own is not UTF-8 or is not known."""

    def forget(
        self,
        slugs: Sequence[str] | None = None,
        *,
        source: str | None = None,
        tag: str | None = None,
        collection: str | None = None,
        since: Day | None = None,
        until: Day | None = None,
        removed: bool = False,
        yes: bool = False,
        dry_run: bool = False,
        page_version: int | None = None,
    ) -> Forgotten:
        """Remove pages for good, with everything that belongs to them: no trace is left in the memory."""

    def search(
        self,
        query: str,
        *,
        type: str | None = None,
        wing: str | None = None,
        tag: str | None = None,
        collection: str | None = None,
        since: Day | None = None,
        limit: int | None = None,
    ) -> Matches:
        """Find pages by their words, and turns of conversations. Any text may be searched for."""

    def query(
        self,
        question: str,
        *,
        depth: Literal["summary", "section", "full", "auto"] = "auto",
        token_budget: int | None = None,
        wing: str | None = None,
        type: str | None = None,
        tag: str | None = None,
        collection: str | None = None,
        since: Day | None = None,
        until: Day | None = None,
        limit: int | None = None,
        kind: Literal["page", "conversation"] | None = None,
        explain: bool = False,
    ) -> Answers:
        """Find what answers a question, by name, words and meaning, within a token budget."""

    def embed(
        self,
        slug: str | None = None,
        *,
        all: bool = False,
        stale: bool = False,
        pause: bool = False,
        resume: bool = False,
    ) -> Embedded:
        """Embed the texts that are new or changed, so that they are found by their meaning."""

    def model_list(self) -> ModelList:
        """The models that can be used, and how much of the memory each has embedded."""

    def model_use(self, name: str, *, yes: bool = False) -> ModelUsed:
        """Search with another model. Everything is embedded with it first; then the change is made in one
        step.
        """

    def model_status(self) -> ModelStatus:
        """Which model is searched with, and how much of the memory it has embedded."""

    def model_remove(self, name: str, *, files: bool = False) -> ModelRemoved:
        """Remove the vectors of a model that is not in use."""

    def engine_status(self) -> EngineStatus:
        """Show where words and vectors are looked up, and how far the shared index is."""

    def engine_sync(self, *, all: bool = False) -> EngineSynced:
        """Bring the shared index into step with this memory."""

    def tag(self, slug: str, tag: str, *, remove: bool = False, page_version: int | None = None) -> PageTags:
        """Give a page a tag. It is written into the page's frontmatter."""

    def untag(self, slug: str, tag: str, *, page_version: int | None = None) -> PageTags:
        """Take a tag from a page."""

    @overload
    def tags(self) -> TagCounts:
        """The tags of a page, or all tags with the number of pages that carry them."""

    @overload
    def tags(self, slug: str) -> PageTags | TagCounts:
        """The tags of a page, or all tags with the number of pages that carry them."""

    def timeline(self, slug: str, *, limit: int | None = None) -> Entries:
        """The timeline of a page, newest entry first."""

    def timeline_add(
        self,
        slug: str,
        *,
        date: Day,
        summary: str,
        source: str | None = None,
        detail: str | None = None,
        page_version: int | None = None,
    ) -> Added:
        """Add a dated line to a page's timeline. One of the same day and summary is not added twice."""

    def link(
        self,
        from_: str,
        to: str,
        *,
        relationship: str = "related",
        context: str | None = None,
        valid_from: Day | None = None,
        valid_until: Day | None = None,
        page_version: int | None = None,
    ) -> Stated:
        """Link a page to another. The link is written into the page's frontmatter."""

    def links(
        self,
        slug: str,
        *,
        temporal: Literal["current", "historical", "all"] | None = None,
        at: Day | None = None,
    ) -> LinkList:
        """The links of a page, with their ids."""

    def link_close(self, link_id: int, *, valid_until: Day, page_version: int | None = None) -> Stated:
        """Say when a link ceased to be true."""

    def unlink(
        self, from_: str, to: str, *, relationship: str | None = None, page_version: int | None = None
    ) -> Unlinked:
        """Remove typed links between two pages entirely; `link-close` keeps them as history."""

    def backlinks(
        self,
        slug: str,
        *,
        temporal: Literal["current", "historical", "all"] = "current",
        at: Day | None = None,
        relationship: str | None = None,
        limit: int = 200,
    ) -> LinkList:
        """Pages that link to a page."""

    def graph(
        self,
        slug: str,
        *,
        depth: int = 2,
        temporal: Literal["current", "historical", "all"] | None = None,
        at: Day | None = None,
        relationship: str | None = None,
        limit: int = 50,
        format: Literal["text", "json", "dot", "mermaid", "html"] = "text",
        output: File | None = None,
    ) -> GraphView:
        """The pages around a page, with the links between them."""

    def map(
        self, slug: str | None = None, *, query: str | None = None, depth: int = 2, limit: int = 20000
    ) -> MapView:
        """Pages with places on a map, where those that are linked stand near each other, and links."""

    def path(
        self,
        from_: str,
        to: str,
        *,
        temporal: Literal["current", "historical", "all"] = "current",
        at: Day | None = None,
        relationship: str | None = None,
        depth: int = 6,
        directed: bool = False,
    ) -> PathView:
        """How two pages are connected: a shortest way from one to the other, along links."""

    def related(
        self,
        slug: str,
        *,
        limit: int = 10,
        temporal: Literal["current", "historical", "all"] = "current",
        at: Day | None = None,
    ) -> RelatedPages:
        """Pages that have to do with a page, and why: links, neighbours that both have, similar texts."""

    def orphans(
        self,
        *,
        inbound: bool = False,
        type: str | None = None,
        collection: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> OrphanList:
        """Pages that no link connects with another, at any time."""

    def assert_(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        page: str | None = None,
        valid_from: Day | None = None,
        valid_until: Day | None = None,
        confidence: float | None = None,
        source: str | None = None,
        evidence: str | None = None,
        asserted_by: Literal["agent", "manual", "import", "enrichment"] | None = None,
        page_version: int | None = None,
    ) -> Stated:
        """Assert a fact. It is written into the frontmatter of a page."""

    def facts(
        self,
        subject: str | None = None,
        *,
        predicate: str | None = None,
        object: str | None = None,
        page: str | None = None,
        at: Day | None = None,
        temporal: Literal["current", "historical", "all"] | None = None,
        changed_since: Day | None = None,
        limit: int | None = None,
    ) -> FactList:
        """What pages assert: current facts, those of another day, or those that changed."""

    def supersede(
        self,
        id: int,
        object: str,
        *,
        from_: Day | None = None,
        confidence: float | None = None,
        source: str | None = None,
        evidence: str | None = None,
        asserted_by: Literal["agent", "manual", "import", "enrichment"] | None = None,
        page: str | None = None,
        page_version: int | None = None,
        other_version: int | None = None,
    ) -> SupersededFact:
        """Let another fact take the place of one, which ends on that day and stays as the past."""

    def retract(
        self,
        fact: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        id: int | None = None,
        page_version: int | None = None,
    ) -> Retracted:
        """Take a fact back as if it had never been asserted; the page's history keeps it."""

    def check(
        self,
        slug: str | None = None,
        *,
        all: bool = False,
        type: Literal["temporal", "cross_page", "stale", "link"] | None = None,
        resolved: bool = False,
        resolve: int | None = None,
        keep: int | None = None,
        end: Day | None = None,
        dismiss: bool = False,
        note: str | None = None,
        page_version: int | None = None,
    ) -> Findings:
        """Find statements that contradict each other, list those that are open, or resolve one."""

    def gaps(
        self, *, limit: int | None = None, resolved: bool = False, include_resolved: bool = False
    ) -> GapList:
        """What was asked and could not be answered, the most often asked first."""

    def gap(
        self, query_text: str, *, context: str | None = None, confidence_score: float | None = None
    ) -> Gap:
        """Note a question that the memory could not answer. Its words are not kept, only their hash."""

    def gaps_approve(
        self,
        gap_id: int,
        *,
        sensitivity: Literal["redacted", "external"],
        approver: str,
        query: str | None = None,
        redacted_query: str | None = None,
    ) -> Gap:
        """Let a question be researched outside of the memory, and record who allowed it."""

    def gaps_resolve(self, gap_id: int, slug: str) -> Gap:
        """Say which page answers a question now."""

    def briefing(
        self, *, since: Day = "7d", format: Literal["text", "markdown", "json"] = "text", limit: int = 7
    ) -> Briefing:
        """Say what needs attention: waiting orders, due, open, shifted, doubtful, unanswered, stale, new."""

    def due(
        self,
        *,
        within: int = 14,
        overdue: bool = False,
        owner: str | None = None,
        all: bool = False,
        limit: int = 100,
    ) -> DueList:
        """What is due: decisions, commitments, action items, and any page with a `due` field."""

    def lint(
        self,
        slug: str | None = None,
        *,
        kind: Literal["orphans", "links", "mentions", "tags", "threads"] | None = None,
        limit: int = 20,
    ) -> LintReport:
        """Find what pages lack: links, clean tags, answers. Every finding has the command that puts it
        right.
        """

    def novelty(self, slug: str | None = None, content: File | None = None) -> NoveltyView:
        """Whether a text says anything that the memory does not know: by its words, and by its meaning."""

    def raw(
        self, slug: str, source: str | None = None, *, data: Any = None, page_version: int | None = None
    ) -> RawData:
        """Read the raw data of a page, or set that of one source."""

    def ingest(
        self,
        content: File | None = None,
        *,
        source_type: Literal["meeting", "article", "doc", "conversation"] | None = None,
        source_ref: str | None = None,
        pages: Sequence[Mapping[str, Any]] | None = None,
        force: bool = False,
        slug: str | None = None,
        collection: str | None = None,
        dry_run: bool = False,
    ) -> Ingested:
        """Take in a source: a meeting, an article, a document or a conversation."""

    def remember(
        self,
        content: str,
        *,
        category: Literal["lists", "reference", "knowledge"] | None = None,
        file: str | None = None,
        section: str | None = None,
        done: bool = False,
        remove: bool = False,
        line: str | None = None,
        dry_run: bool = False,
        notebook: str | None = None,
    ) -> Remembered:
        """Remember something: its words and what the notebook holds decide on file and section."""

    def recall(
        self,
        query: str,
        *,
        max_results: int | None = None,
        min_score: float | None = None,
        notebook: str | None = None,
    ) -> Recalled:
        """Search notebooks and their daily logs, by words and by meaning."""

    def daily_log(self, entry: str, *, notebook: str | None = None) -> Logged:
        """Add an entry to today's log, with the time. Nothing that is there changes."""

    def agents(self) -> GivenToAgents:
        """What agents are given before they ask, in tokens: instructions, tools, context, lines."""

    def context(
        self, *, format: Literal["text", "json", "hook"] = "text", notebook: str | None = None
    ) -> Context:
        """What an agent should always know: standing orders, reference, the last days' logs."""

    def context_approve(
        self, ids: Sequence[str] | None = None, *, all: bool = False, notebook: str | None = None
    ) -> Decided:
        """Approve standing orders, which bind agents from then on. Without ids, list those that wait."""

    def context_reject(
        self, ids: Sequence[str] | None = None, *, all: bool = False, notebook: str | None = None
    ) -> Decided:
        """Take standing orders that wait out of their file. Without ids, list those that wait."""

    def notebook_read(
        self, path: str, *, start_line: int = 1, lines: int | None = None, notebook: str | None = None
    ) -> NoteText:
        """Read a file of the notebook, or some of its lines, as they are on disk."""

    def notebook_write(
        self,
        path: str,
        content: str,
        *,
        section: str | None = None,
        replace: bool = False,
        etag: str | None = None,
        notebook: str | None = None,
    ) -> NoteWritten:
        """Add to a file of the notebook, or replace one of its sections or all of it."""

    def notebook_list(
        self, folder: str | None = None, *, limit: int = 50, notebook: str | None = None
    ) -> NotebookFiles:
        """List the files of the notebook by folder."""

    def notebook_migrate(
        self, directory: str, *, apply: bool = False, notebook: str | None = None
    ) -> Migration:
        """Copy the notes of an agent's older folder into the notebook, and take over its settings."""

    def conversations_index(
        self,
        paths: Sequence[File] | None = None,
        *,
        client: Literal["claude", "codex", "opencode", "plain", "markdown"] | None = None,
        all: bool = False,
        embed: bool = False,
        quiet: bool = False,
    ) -> IndexResult:
        """Read what is new in transcripts of Claude Code, Codex and OpenCode, or in named files."""

    def conversations_search(
        self,
        query: str,
        *,
        max_results: int = 10,
        client: Literal["claude", "codex", "opencode", "plain", "markdown"] | None = None,
        project: str | None = None,
        since: Day | None = None,
        until: Day | None = None,
        words: bool = False,
    ) -> TurnMatches:
        """Find what was said in conversations with agents. `query` looks there too, after the pages."""

    def conversations_show(
        self, id: str, *, turn: int | None = None, around: int = 5, limit: int = 200, max_chars: int = 40000
    ) -> Conversation:
        """Show a conversation, or what was said around one of its turns."""

    def conversations_list(
        self,
        *,
        client: Literal["claude", "codex", "opencode", "plain", "markdown"] | None = None,
        project: str | None = None,
        since: Day | None = None,
        until: Day | None = None,
        limit: int = 20,
    ) -> ConversationList:
        """List conversations, the last ones first."""

    def conversations_embed(self) -> TranscriptsEmbedded:
        """Embed the turns that are new, so that conversations are found by their meaning too."""

    def conversations_forget(self, id: str) -> TranscriptsForgotten:
        """Erase a conversation from the memory and from its archive, for good."""

    def import_(
        self,
        path: File,
        *,
        format: Literal[
            "auto", "markdown", "obsidian", "notion", "logseq", "claude", "chatgpt", "jsonl"
        ] = "auto",
        collection: str | None = None,
        dry_run: bool = False,
        force: bool = False,
    ) -> Imported:
        """Copy pages from a folder or from another program's export. All of them are there afterwards, or
        none.
        """

    def imports(self) -> Batches:
        """List the imports that there were, the last one first."""

    def export(
        self,
        directory: File = "export",
        *,
        collection: str | None = None,
        raw: bool = False,
        import_id: str | None = None,
        jsonl: bool = False,
        force: bool = False,
    ) -> Exported:
        """Write all pages to files from which they can be imported again without loss."""

    def collection_add(
        self,
        name: str,
        folder: str | None = None,
        *,
        profile: Literal["vault", "notebook", "kb"] = "vault",
        read_only: bool = False,
    ) -> Synced:
        """Attach a folder of files as it is, or make a collection in the memory."""

    def collection_preview(
        self, folder: File, *, profile: Literal["vault", "notebook", "kb"] = "vault"
    ) -> Preview:
        """Say what attaching a folder would do: how many pages, what is left out and why. Nothing is
        changed.
        """

    def collection_list(self) -> CollectionList:
        """List the collections, the default one first."""

    def collection_info(self, name: str) -> CollectionInfo:
        """Show one collection: where it is, what it holds, what could not be read."""

    def collection_sync(
        self, name: str | None = None, *, accept_empty: bool = False, thorough: bool = False
    ) -> AllSynced:
        """Bring collections into step with their files. One that cannot be read does not stop the others."""

    def collection_rename(self, name: str, to: str) -> CollectionLine:
        """Give a collection another name. Links of the form name::slug are not rewritten."""

    def collection_move(self, name: str, folder: str) -> RelocationMoved:
        """Turn pages that live in the memory into files of a folder."""

    def collection_remove(self, name: str) -> Detached:
        """Detach a folder: its pages leave the memory, its files stay."""

    def collection_ignore(self, name: str, pattern: str | None = None, *, remove: bool = False) -> Synced:
        """Leave files out by patterns, besides those of .quaidignore files in the folder."""

    def collection_audit(self, name: str | None = None, *, limit: int = 20) -> AuditReport:
        """List what is odd about the files, pages and links of collections."""

    def collection_quarantine_list(
        self, slug: str | None = None, *, collection: str | None = None
    ) -> QuarantineList:
        """List pages that were removed, and those whose files have gone."""

    def collection_quarantine_restore(self, slug: str) -> Written:
        """Bring a page back with all that belonged to it, and write its file again."""

    def collection_quarantine_export(
        self, folder: File, slug: str | None = None, *, collection: str | None = None
    ) -> QuarantineExported:
        """Write pages in quarantine to a folder, to the byte. They stay in quarantine."""

    def collection_quarantine_discard(
        self, slug: str | None = None, *, collection: str | None = None, all: bool = False
    ) -> Discarded:
        """Remove pages in quarantine for good, with all that belonged to them."""

    def sync(
        self,
        collection: str | None = None,
        *,
        watch: bool = False,
        quiet: bool = False,
        transcript: File | None = None,
        accept_rewritten: bool = False,
    ) -> Exchanges:
        """Exchange folders with other machines: commit what changed, fetch, merge, push."""

    def sync_init(
        self,
        url: str | None = None,
        *,
        collection: str | None = None,
        folder: str | None = None,
        conversations: Literal["out", "plain", "encrypted"] | None = None,
        timer: bool = False,
    ) -> Initiated:
        """Set a folder up to be shared through git."""

    def sync_status(self, collection: str | None = None) -> Standings:
        """Say how shared folders stand: what is to be sent or taken in, and what went wrong."""

    def sync_key(self) -> Keys:
        """Print the keys with which conversations are sealed before they are shared."""

    def sync_key_import(self, content: File | None = None) -> Sync_keysImported:
        """Take in keys that `sync key` has printed on another machine."""

    def conflicts(self, slug: str | None = None, *, collection: str | None = None) -> ConflictList:
        """List what merges could not decide. A page holds the newer; the other is kept until somebody
        decides.
        """

    def conflicts_show(self, id: str) -> ConflictLine:
        """Show both sides of a conflict, side by side."""

    def conflicts_resolve(
        self, id: str, *, keep: Literal["ours", "theirs"] | None = None, text: str | None = None
    ) -> Resolved:
        """Settle a conflict: keep what the page says, take the other version, or write a third."""

    def conflicts_merge_copies(self, *, collection: str | None = None, yes: bool = False) -> Merged:
        """Merge copies that Syncthing, Dropbox or iCloud have left into their pages."""

    def rebuild(self) -> Rebuilt:
        """Derive everything anew: read every file, and make all rows and indexes from the pages' texts."""

    def digest(self, *, collection: str | None = None) -> StateDigest:
        """Print a fingerprint of all pages, tags, links, assertions, timelines and raw data."""

    def stats(self) -> Stats:
        """Count what the memory holds."""

    def validate(
        self,
        *,
        links: bool = False,
        assertions: bool = False,
        embeddings: bool = False,
        all: bool = False,
        repair: bool = False,
        original: File | None = None,
        exported: File | None = None,
    ) -> Report:
        """Check that the memory is sound. Every finding says how to repair it."""

    def compact(self) -> Compacted:
        """Make the memory one true file, ready to be copied. Safe while others read."""

    def kb_query(
        self,
        question: str,
        *,
        project: str | None = None,
        tag: str | None = None,
        status: Literal["current", "contested", "superseded"] | None = None,
        type: Literal["principle", "preference", "procedure", "observation", "reference"] | None = None,
        limit: int = 10,
        every: bool = False,
        semantic: bool = False,
        words: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Find nodes by words; a question that no node has all words of is asked by meaning too."""

    def kb_show(self, name: str, *, path: bool = False, kb: str | None = None) -> Answer:
        """Print a node as it is written, and on standard error where it is."""

    def kb_backlinks(self, name: str, *, kb: str | None = None) -> Answer:
        """List the nodes that link to a node; raw/ and the index do not count."""

    def kb_status(self, *, line: bool = False, kb: str | None = None) -> Answer:
        """Say how the knowledge base is, without asking the remote."""

    def kb_list(
        self,
        *,
        project: str | None = None,
        tag: str | None = None,
        status: Literal["current", "contested", "superseded"] | None = None,
        type: Literal["principle", "preference", "procedure", "observation", "reference"] | None = None,
        sort: Literal["title", "updated", "created"] = "title",
        limit: int = 0,
        kb: str | None = None,
    ) -> Answer:
        """List the nodes: all, or those of a project, tag, status or type."""

    def kb_map(
        self,
        *,
        format: Literal["dot", "json"] = "dot",
        project: str | None = None,
        tag: str | None = None,
        status: Literal["current", "contested", "superseded"] | None = None,
        type: Literal["principle", "preference", "procedure", "observation", "reference"] | None = None,
        kb: str | None = None,
    ) -> Answer:
        """Draw which nodes link to which, for graphviz: `ai-kb map | dot -Tsvg -o map.svg`."""

    def kb_lint(
        self,
        files: Sequence[File] | None = None,
        *,
        index: bool = False,
        strict: bool = False,
        org_lint: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Check nodes, links, index and raw/ for what must not be committed."""

    def kb_remember(
        self,
        *,
        title: str | None = None,
        summary: str | None = None,
        body: str | None = None,
        type: Literal["principle", "preference", "procedure", "observation", "reference"] | None = None,
        projects: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        confidence: Literal["user-stated", "observed", "inferred", "external"] | None = None,
        visibility: Literal["personal", "work-private"] | None = None,
        source: str | None = None,
        created_by: str | None = None,
        relations: Sequence[str] | None = None,
        update: str | None = None,
        append: bool = False,
        expect: str | None = None,
        contest: str | None = None,
        force_new: bool = False,
        node: str | None = None,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Write a node, or change one, and commit it."""

    def kb_commit(
        self,
        files: Sequence[File] | None = None,
        *,
        message: str | None = None,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Check and commit files that you have edited, moved or removed by hand."""

    def kb_capture(
        self,
        source: File,
        *,
        excerpt: str | None = None,
        title: str | None = None,
        full: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Keep what a node rests on: a stub under raw/ with address, day and excerpt."""

    def kb_index(self, *, check: bool = False, kb: str | None = None) -> Answer:
        """Write index.org anew from the nodes."""

    def kb_merge(
        self,
        into: str,
        others: Sequence[str],
        *,
        body: str | None = None,
        pointers: Sequence[str] | None = None,
        yes: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Make several nodes one."""

    def kb_split(
        self,
        name: str,
        *,
        at: str,
        title: str | None = None,
        summary: str | None = None,
        yes: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Make a section of a node a node of its own; a link stays in its place."""

    def kb_supersede(
        self,
        old: str,
        new: str,
        *,
        pointers: Sequence[str] | None = None,
        yes: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Say that a node has taken another's place."""

    def kb_delete(
        self,
        name: str,
        *,
        repoint: str | None = None,
        unlink: bool = False,
        pointers: Sequence[str] | None = None,
        yes: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Remove a node, or a capture under raw/."""

    def kb_contest(
        self, one: str, other: str, *, yes: bool = False, offline: bool = False, kb: str | None = None
    ) -> Answer:
        """Mark two nodes that contradict each other for review."""

    def kb_resolve(
        self,
        name: str,
        *,
        both: bool = False,
        pointers: Sequence[str] | None = None,
        yes: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """End a contest: this node holds and supersedes those that contradict it."""

    def kb_resolve_divergence(self, *, yes: bool = False, kb: str | None = None) -> Answer:
        """Bring the branch and the remote together."""

    def kb_curate(
        self,
        *,
        dry_run: bool = False,
        days: int = 180,
        semantic: bool = False,
        done: Sequence[str] | None = None,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Report what a person should look at."""

    def kb_init(
        self,
        path: File | None = None,
        *,
        remote: str = "",
        timer: bool = False,
        adapter: Sequence[Literal["claude", "codex"]] | None = None,
        no_adapter: bool = False,
        agents_file: str = "",
        no_attach: bool = False,
        offline: bool = False,
        kb: str | None = None,
    ) -> Answer:
        """Make a knowledge base, or complete one: git repository or clone, contract, index."""

    def kb_doctor(self, *, offline: bool = False, kb: str | None = None) -> Answer:
        """Look at everything: git, remote, pushes, index, nodes, secrets, sizes, tools."""

    def kb_sync(self, *, background: bool = False, kb: str | None = None) -> Answer:
        """Bring what is new to the remote and from it, and refresh the Quaid memory."""

    def kb_push(self, *, if_ahead: bool = False, kb: str | None = None) -> Answer:
        """Push what is committed; never with force, and no secrets."""

    def kb_emacs(self, *, kb: str | None = None) -> Answer:
        """Print the directory of the Emacs package, for `load-path`."""

    def config_get(self, key: str) -> SettingView:
        """The value of a setting."""

    def config_set(self, key: str, value: str | None = None, *, unset: bool = False) -> SettingView:
        """Set a setting in this memory. An environment variable or a flag still comes before it."""

    def config_list(self) -> SettingList:
        """All settings, with their values, where these come from, and what they mean."""
