from quaid.errors import Ambiguous as Ambiguous
from quaid.errors import Busy as Busy
from quaid.errors import Conflict as Conflict
from quaid.errors import Corrupt as Corrupt
from quaid.errors import EmbedderFailed as EmbedderFailed
from quaid.errors import Forbidden as Forbidden
from quaid.errors import GitFailed as GitFailed
from quaid.errors import Internal as Internal
from quaid.errors import InvalidInput as InvalidInput
from quaid.errors import Limited as Limited
from quaid.errors import LintFailed as LintFailed
from quaid.errors import NewerSchema as NewerSchema
from quaid.errors import NotFound as NotFound
from quaid.errors import QuaidError as QuaidError
from quaid.errors import ReadOnly as ReadOnly
from quaid.errors import StorageFailed as StorageFailed
from quaid.errors import Unauthorized as Unauthorized
from quaid.errors import Unreachable as Unreachable
from quaid.errors import Untrusted as Untrusted
from quaid.library import Memory as Memory
from quaid.library import open as open

__version__: str
