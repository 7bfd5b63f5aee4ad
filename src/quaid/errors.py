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


class InvalidInput(QuaidError):
    code = "invalid_input"
    exit_status = 2
    http_status = 400
    meaning = "An argument, a slug, a date or a document is not acceptable."


class NotFound(QuaidError):
    code = "not_found"
    exit_status = 3
    http_status = 404
    meaning = "No such page, link, setting, tool or memory."


class Conflict(QuaidError):
    code = "conflict"
    exit_status = 4
    http_status = 409
    meaning = "The page is no longer at the expected version; `current_version` says where it is."


class Ambiguous(QuaidError):
    code = "ambiguous"
    exit_status = 5
    http_status = 409
    meaning = "A name fits several pages; `candidates` lists them."


class Corrupt(QuaidError):
    code = "corrupt"
    exit_status = 6
    http_status = 500
    meaning = "The file is damaged, or is not a Quaid memory."


class NewerSchema(QuaidError):
    code = "newer_schema"
    exit_status = 7
    http_status = 500
    meaning = "The memory was written by a newer Quaid."


class Busy(QuaidError):
    code = "busy"
    exit_status = 8
    http_status = 503
    meaning = "Another process held the memory for too long; nothing was changed."


class ReadOnly(QuaidError):
    code = "read_only"
    exit_status = 9
    http_status = 403
    meaning = "The memory or the collection does not accept writes."


class StorageFailed(QuaidError):
    code = "storage"
    exit_status = 10
    http_status = 507
    meaning = "The disk is full or does not answer; nothing was changed."


class EmbedderFailed(QuaidError):
    code = "embedder"
    exit_status = 12
    http_status = 503
    meaning = "The embedding model is missing, cannot be reached, or gave something that is not a vector."


class GitFailed(QuaidError):
    code = "git"
    exit_status = 13
    http_status = 409
    meaning = "git, or one of its hooks, refused; what was to be written was not."


class LintFailed(QuaidError):
    code = "lint"
    exit_status = FINDINGS_STATUS
    http_status = 422
    meaning = "The knowledge base would be invalid; `findings` say where, and nothing was written."


class Untrusted(QuaidError):
    code = "untrusted"
    exit_status = 14
    http_status = 403
    meaning = "A folder, or something in it, may be somebody else's; `quaid trust DIR` accepts it."


class Unreachable(QuaidError):
    code = "unreachable"
    exit_status = 15
    meaning = "A server, or what keeps services running, does not answer or refuses; or it is no Quaid."


class Unauthorized(QuaidError):
    code = "unauthorized"
    exit_status = 16
    http_status = 401
    meaning = "The token of a server is missing, wrong, revoked or expired."


class Forbidden(QuaidError):
    code = "forbidden"
    exit_status = 17
    http_status = 403
    meaning = "The token does not allow it, or the request comes from a foreign page."


class Limited(QuaidError):
    code = "limited"
    exit_status = 18
    http_status = 429
    meaning = "The token asks for too much at a time; `Retry-After` says when to try again."


class Internal(QuaidError):
    code = "internal"
    exit_status = 1
    http_status = 500
    meaning = "A defect of Quaid itself."


ERRORS: tuple[type[QuaidError], ...] = (
    Internal,
    InvalidInput,
    NotFound,
    Conflict,
    Ambiguous,
    Corrupt,
    NewerSchema,
    Busy,
    ReadOnly,
    StorageFailed,
    EmbedderFailed,
    GitFailed,
    LintFailed,
    Untrusted,
    Unreachable,
    Unauthorized,
    Forbidden,
    Limited,
)
