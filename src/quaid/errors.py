"""The error tree.

QuaidError
├── InvalidInput      an argument, a slug, a date or a document is not acceptable
├── NotFound          no such page, link, setting, tool or memory
├── Ambiguous         a name fits several pages
├── Conflict          the page is no longer at the expected version
├── Corrupt           the file is damaged, or is not a Quaid memory
├── NewerSchema       the memory was written by a newer Quaid
├── Busy              another process held the memory for too long
├── ReadOnly          the memory or the collection does not accept writes
├── StorageFailed     the disk is full or does not answer
├── EmbedderFailed    the embedding model is missing, or does not do its work
├── GitFailed         git, or one of its hooks, refused
├── LintFailed        a knowledge base would become invalid
├── Untrusted         a folder, or something in it, is not known to be the person's own
├── Unreachable       a server, or what keeps services running, does not answer as it should
├── Unauthorized      a server does not know the token
├── Forbidden         the token does not allow it
├── Limited           the token was used too often at a time
└── Internal          a defect of Quaid itself

Every class has a stable `code`, an `exit_status` and an `http_status`; surfaces translate them and add
nothing.
"""

from __future__ import annotations

FINDINGS_STATUS = 11  # of a check that ran well and found something
INTERRUPTED_STATUS = 130


class QuaidError(Exception):
    """Something that the caller is told about: what is wrong, and what to do."""

    code = "error"
    exit_status = 1
    http_status = 500
    meaning = ""
    remedy = ""

    def __init__(self, message: str, hint: str = "", **data: object) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.data = data

    def as_dict(self) -> dict[str, object]:
        """The error as every machine-readable surface shows it."""
        shown: dict[str, object] = {"code": self.code, "message": self.message}
        if self.hint:
            shown["hint"] = self.hint
        return {**shown, **self.data}


class Internal(QuaidError):
    code = "internal"
    meaning = "A defect of Quaid itself."
    remedy = "`QUAID_DEBUG=1` shows where it happened; please report that."


class InvalidInput(QuaidError):
    code = "invalid_input"
    exit_status = 2
    http_status = 400
    meaning = "An argument, a slug, a date or a document is not acceptable."
    remedy = "Read the hint; nothing was changed."


class NotFound(QuaidError):
    code = "not_found"
    exit_status = 3
    http_status = 404
    meaning = "No such page, link, setting, tool or memory."
    remedy = (
        "Look with `quaid search` or `quaid list`, and for a removed page with `quaid list "
        "--removed`. For a memory: `quaid init`, or `--db`."
    )


class Conflict(QuaidError):
    code = "conflict"
    exit_status = 4
    http_status = 409
    meaning = "The page is no longer at the expected version; `current_version` says where it is."
    remedy = (
        "Read the page again, merge, and write with the current version. For links: close the other "
        "link first."
    )


class Ambiguous(QuaidError):
    code = "ambiguous"
    exit_status = 5
    http_status = 409
    meaning = "A name fits several pages; `candidates` lists them."
    remedy = "Use one of the slugs that it names."


class Corrupt(QuaidError):
    code = "corrupt"
    exit_status = 6
    meaning = "The file is damaged, or is not a Quaid memory."
    remedy = (
        "Stop writing. Run `quaid validate --all`: it says what is damaged, and whether `--repair` mends "
        "it. Otherwise `quaid rescue` saves what can be read."
    )


class NewerSchema(QuaidError):
    code = "newer_schema"
    exit_status = 7
    meaning = "The memory was written by a newer Quaid."
    remedy = "Upgrade Quaid."


class Busy(QuaidError):
    code = "busy"
    exit_status = 8
    http_status = 503
    meaning = "Another process held the memory for too long; nothing was changed."
    remedy = (
        "Try again. If it happens often, find the process that writes for so long, or raise "
        "`store.busy_timeout`."
    )


class ReadOnly(QuaidError):
    code = "read_only"
    exit_status = 9
    http_status = 403
    meaning = "The memory or the collection does not accept writes."
    remedy = (
        "Check the permissions of the file and of its directory. A file with several names needs a "
        "copy of its own."
    )


class StorageFailed(QuaidError):
    code = "storage"
    exit_status = 10
    http_status = 507
    meaning = "The disk is full or does not answer; nothing was changed."
    remedy = "Free some space or check the disk, then try again."


class EmbedderFailed(QuaidError):
    code = "embedder"
    exit_status = 12
    http_status = 503
    meaning = "The embedding model is missing, cannot be reached, or gave something that is not a vector."
    remedy = (
        "`quaid model status` says what is missing. `quaid model use NAME` fetches it, or changes to "
        "another model. `search` needs none."
    )


class GitFailed(QuaidError):
    code = "git"
    exit_status = 13
    http_status = 409
    meaning = "git, or one of its hooks, refused; what was to be written was not."
    remedy = "Read what git said, which the message quotes; then do the same again."


class LintFailed(QuaidError):
    code = "lint"
    exit_status = FINDINGS_STATUS
    http_status = 422
    meaning = "The knowledge base would be invalid; `findings` say where, and nothing was written."
    remedy = "Correct what the findings name, and write again."


class Untrusted(QuaidError):
    code = "untrusted"
    exit_status = 14
    http_status = 403
    meaning = "A folder, or something in it, may be somebody else's; `quaid trust DIR` accepts it."
    remedy = (
        "Read what it names. If it is yours, `quaid trust DIR` accepts it; a journal that is not "
        "yours is moved away."
    )


class Unreachable(QuaidError):
    code = "unreachable"
    exit_status = 15
    meaning = "A server, or what keeps services running, does not answer or refuses; or it is no Quaid."
    remedy = "Check the address, and that the server runs: `quaid service status`."


class Unauthorized(QuaidError):
    code = "unauthorized"
    exit_status = 16
    http_status = 401
    meaning = "The token of a server is missing, wrong, revoked or expired."
    remedy = "Give the server's token; `quaid token list` shows which there are."


class Forbidden(QuaidError):
    code = "forbidden"
    exit_status = 17
    http_status = 403
    meaning = "The token does not allow it, or the request comes from a foreign page."
    remedy = "The owner of the memory makes a token that may: `quaid token add`."


class Limited(QuaidError):
    code = "limited"
    exit_status = 18
    http_status = 429
    meaning = "The token asks for too much at a time; `Retry-After` says when to try again."
    remedy = "Wait as long as `Retry-After` says."


ERRORS: tuple[type[QuaidError], ...] = tuple(QuaidError.__subclasses__())
